//! The entries of the table of verbs, and how a word finds its verb.

use crate::base::words::{OrList, near};
use crate::command::parsing::arguments::MULTIPLE;
use crate::command::parsing::intents;
use crate::command::{Arguments, Command, VERBS};
use crate::refusal::{Refusal, SyntaxRefusal};
use games::{AnyGame, Setting};

/// One entry of the table of verbs.
pub struct Verb {
    /// The word, in lower case.
    pub name: &'static str,
    /// Other words with the same meaning.
    pub aliases: &'static [&'static str],
    /// Whether the name of a game comes before the verb.
    pub scope: VerbScope,
    /// The words after the verb, for people: `<board> <userid> <password> <move>`.
    pub usage: &'static str,
    /// What the verb does, in one line.
    pub about: &'static str,
    /// The words that a reply leaves out, if the verb can be used in a reply.
    pub reply: Option<ReplyScope>,
    /// Reads the words after the verb.
    pub parse: ParseFn,
}

/// A parser of the words after a verb. The game is the one named before the verb, if any.
pub(super) type ParseFn = fn(Option<&'static dyn AnyGame>, &mut Arguments) -> ParsedCommand;

/// A parsed command, or the refusal of its words.
pub type ParsedCommand = Result<Box<dyn Command>, Refusal>;

/// Whether the name of a game comes before a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerbScope {
    /// Never: `signup alice secret`.
    Server,
    /// Always: `malaka move ...`.
    Game,
    /// With or without: `help`, `malaka help`.
    Both,
}

/// The words of a command that the address of a reply replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyScope {
    /// The game.
    Game,
    /// The board.
    Board,
    /// The userid and the password.
    User,
    /// The board, the userid and the password.
    Player,
    /// The board, the userid, the password and the move number: the reply answers the position
    /// that the mail showed.
    ForMove,
}

impl Verb {
    /// Returns whether `word` is the name or an alias of the verb.
    pub fn is_named(&self, word: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|name| name.eq_ignore_ascii_case(word))
    }

    /// Returns whether the name or an alias begins with `prefix`.
    pub(super) fn begins_with(&self, prefix: &str) -> bool {
        self.name.starts_with(prefix) || self.aliases.iter().any(|alias| alias.starts_with(prefix))
    }

    /// Returns the usage of the whole command, with the name of the game if the verb needs one.
    pub fn usage_for(&self, game: Option<&'static dyn AnyGame>) -> String {
        let game = match (self.scope, game) {
            (VerbScope::Server, _) | (VerbScope::Both, None) => "",
            (_, Some(game)) => game.spec().name,
            (VerbScope::Game, None) => "<game>",
        };
        format!("{game} {} {}", self.name, self.usage).trim().to_owned()
    }
}

/// Finds the verb for a word: its name, an alias, or a prefix of at least four letters that only
/// this verb has.
pub fn find_verb(word: &str, game: Option<&'static dyn AnyGame>) -> Option<&'static Verb> {
    let word = word.to_ascii_lowercase();
    let exact = verbs_of(game).find(|verb| verb.name == word || verb.aliases.contains(&&*word));
    exact.or_else(|| {
        let mut begun: Vec<_> = verbs_of(game).filter(|verb| verb.begins_with(&word)).collect();
        // `accep` is `accept`, although `accept-seek` begins with it too.
        begun.sort_by_key(|verb| verb.name.len());
        // `play` means `challenge`, and not `players`.
        let is_synonym = intents::verb_meant_by(&word).is_some();
        let shortest = begun.first().copied().filter(|_| word.len() >= 4 && !is_synonym)?;
        begun.iter().all(|verb| verb.name.starts_with(shortest.name)).then_some(shortest)
    })
}

/// Returns the verbs that may follow the name of a game, or the verbs that may come first if no
/// game is named.
pub(super) fn verbs_of(game: Option<&'static dyn AnyGame>) -> impl Iterator<Item = &'static Verb> {
    let other = if game.is_some() { VerbScope::Server } else { VerbScope::Game };
    VERBS.iter().copied().filter(move |verb| verb.scope != other)
}

/// Returns the words with which a command may begin, without shortened ones.
pub fn first_words() -> impl Iterator<Item = &'static str> {
    let verbs = verbs_of(None).flat_map(|verb| [&[verb.name], verb.aliases].concat());
    verbs.chain(games::names()).chain([MULTIPLE])
}

/// Finds the one-word move of a game that `word` means: `double`, or a prefix of at least four
/// letters that no other such move has.
pub fn move_word(game: &'static dyn AnyGame, word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let known = game.spec().verbs.iter().copied();
    let mut begun = known.clone().filter(|verb| word.len() >= 4 && verb.starts_with(&*word));
    let only = begun.next().filter(|_| begun.next().is_none());
    known.clone().find(|verb| **verb == *word).or(only)
}

/// Returns whether `words` begin with a setting of the game.
pub fn is_setting(game: &'static dyn AnyGame, words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    Setting::read(game.spec().settings, &words).is_some()
}

/// Returns the game that was named before a verb of scope [`VerbScope::Game`].
pub(super) fn required_game(game: Option<&'static dyn AnyGame>) -> &'static dyn AnyGame {
    game.expect("a verb of games is found only after the name of a game")
}

/// Returns the game of a word that can be nothing else.
pub(super) fn named_game(word: &str) -> Result<&'static dyn AnyGame, SyntaxRefusal> {
    let near = || SyntaxRefusal::UnknownGame { near: near(word, games::names()) };
    games::find(word).ok_or_else(near)
}

/// A subcommand that needs a game: its name, the words after it, and its parser.
pub(super) struct Subcommand {
    pub(super) name: &'static str,
    pub(super) usage: &'static str,
    pub(super) parse: fn(&'static dyn AnyGame, &mut Arguments) -> ParsedCommand,
}

/// The subcommand that works without a game.
const LIST: &str = "list";

/// Takes the subcommand of a verb, with the game that it needs for the reason `why`. `None` for a list.
pub(super) fn take_subcommand(
    verb: &str,
    all: &'static [Subcommand],
    game: Option<&'static dyn AnyGame>,
    why: &str,
    words: &mut Arguments,
) -> Result<Option<(&'static Subcommand, &'static dyn AnyGame)>, Refusal> {
    let Some(word) = words.peek() else { return Ok(None) };
    if word.eq_ignore_ascii_case(LIST) {
        words.word("a subcommand")?;
        words.expect_end()?;
        return Ok(None);
    }
    let Some(found) = all.iter().find(|one| one.name.eq_ignore_ascii_case(word)) else {
        let names: Vec<&str> = [LIST].into_iter().chain(all.iter().map(|one| one.name)).collect();
        return Err(words.usage_error(format!("after `{verb}` follows {}", OrList(&names))));
    };
    words.word("a subcommand")?;
    let of = game.map_or("<game>", |game| game.spec().name);
    words.set_usage(&format!("{of} {verb} {} {}", found.name, found.usage));
    let game = game.ok_or_else(|| words.usage_error(format!("{why}, so the game comes first")))?;
    Ok(Some((found, game)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{ladder, tournament};
    use games::GAMES;

    #[test]
    fn a_usage_names_every_subcommand() {
        for (verb, all) in
            [(&tournament::VERB, tournament::SUBCOMMANDS), (&ladder::VERB, ladder::SUBCOMMANDS)]
        {
            let named = verb.usage.split(|c: char| !c.is_ascii_alphabetic());
            let named: Vec<&str> = named.filter(|word| !word.is_empty()).collect();
            let known = [LIST].into_iter().chain(all.iter().map(|one| one.name));
            assert_eq!(named, known.collect::<Vec<_>>(), "{}", verb.name);
        }
    }

    #[test]
    fn verbs_are_found_by_four_letters_or_an_alias() {
        let game = GAMES.first().copied();
        for (word, verb) in [
            ("chall", "challenge"),
            ("mvoe", "move"),
            ("BOARD", "move"),
            ("prev", "preview"),
            ("acce", "accept"),
            ("accept-s", "accept-seek"),
        ] {
            assert_eq!(find_verb(word, game).map(|verb| verb.name), Some(verb));
        }
        assert!(find_verb("cha", game).is_none());
        assert!(find_verb("signup", game).is_none());
    }

    #[test]
    fn no_first_word_is_ambiguous_and_every_verb_is_described() {
        let words: Vec<&str> = VERBS
            .iter()
            .flat_map(|verb| [&[verb.name], verb.aliases].concat())
            .chain(games::names())
            .collect();
        for (index, word) in words.iter().enumerate() {
            assert!(!words[..index].contains(word), "{word} is in the table twice");
            assert!(word.starts_with(|c: char| c.is_ascii_lowercase()), "{word}");
            let is_usual = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            assert!(word.bytes().all(is_usual), "{word}");
        }
        for verb in VERBS {
            assert!(!verb.about.is_empty() && !verb.about.ends_with('.'), "{}", verb.name);
        }
    }
}
