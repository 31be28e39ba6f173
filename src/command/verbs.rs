//! What a verb is, and which one a word means.

use super::line::MULTIPLE;
use super::words::Words;
use super::{Command, VERBS, answer, help, play};
use crate::refusal::Refusal;
use games::{AnyGame, GAMES, Setting};

/// One entry of the table of verbs.
pub struct Verb {
    /// The word, lower case.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// Whether a game's name comes before it.
    pub of: Of,
    /// What comes after the word, for people: `<board> <userid> <password> <move>`.
    pub usage: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What it takes from the address of a reply, if it can be said in one.
    pub reply: Option<InReply>,
    /// Reads the words after it.
    pub parse: Parse,
}

/// Reads the words after a verb of the game named, if one was.
pub(super) type Parse =
    fn(Option<&'static dyn AnyGame>, &mut Words) -> Result<Box<dyn Command>, Refusal>;

/// What a verb belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The server: `signup alice secret`.
    Server,
    /// A game: `malaka move ...`.
    Game,
    /// Either: `help`, `malaka help`.
    Both,
}

/// What the address of a reply says, so that the words of the full command need not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InReply {
    /// The game alone.
    Game,
    /// The board.
    Board,
    /// The board and the player, with a proof of who they are.
    Player,
    /// All that, and the number of the move: the words are about what the mail showed.
    ForMove,
}

/// The verb of a reply that is only a move.
pub(crate) const MOVE: &Verb = &play::VERB;

/// The verb that asks for a page.
pub(crate) const HELP: &Verb = &help::VERB;

/// The verb that a word means: its name, an alias, or four letters or more that begin only it.
pub fn find_verb(word: &str, game: Option<&'static dyn AnyGame>) -> Option<&'static Verb> {
    let word = word.to_ascii_lowercase();
    let exact = verbs_of(game).find(|verb| verb.name == word || verb.aliases.contains(&&*word));
    exact.or_else(|| {
        let mut begun: Vec<_> = verbs_of(game).filter(|verb| verb.begins_with(&word)).collect();
        // `accep` is `accept`, though `accept-seek` begins so too.
        begun.sort_by_key(|verb| verb.name.len());
        let shortest = begun.first().copied().filter(|_| word.len() >= 4)?;
        begun.iter().all(|verb| verb.name.starts_with(shortest.name)).then_some(shortest)
    })
}

/// The verbs that may follow the name of a game, or come first where no game is named.
pub(super) fn verbs_of(game: Option<&'static dyn AnyGame>) -> impl Iterator<Item = &'static Verb> {
    let other = if game.is_some() { Of::Server } else { Of::Game };
    VERBS.iter().copied().filter(move |verb| verb.of != other)
}

impl Verb {
    /// Whether its name or another word for it begins so.
    pub(super) fn begins_with(&self, word: &str) -> bool {
        self.name.starts_with(word) || self.aliases.iter().any(|alias| alias.starts_with(word))
    }

    /// How the command is written, with its game if it has one.
    pub fn written(&self, game: Option<&'static dyn AnyGame>) -> String {
        let game = match (self.of, game) {
            (Of::Server, _) | (Of::Both, None) => "",
            (_, Some(game)) => game.spec().name,
            (Of::Game, None) => "<game>",
        };
        format!("{game} {} {}", self.name, self.usage).trim().to_owned()
    }
}

/// The move of a game that is a word of its own: `double`, or its first four letters or more.
pub fn own_word(game: &'static dyn AnyGame, word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let own = game.spec().verbs.iter().copied();
    let mut begun = own.clone().filter(|verb| word.len() >= 4 && verb.starts_with(&*word));
    let only = begun.next().filter(|_| begun.next().is_none());
    own.clone().find(|verb| **verb == *word).or(only)
}

/// Whether a verb answers what is offered.
pub fn is_answer(verb: &Verb) -> bool {
    [answer::ACCEPT.name, answer::REJECT.name].contains(&verb.name)
}

/// Whether words are about a setting of a game.
pub fn is_setting(game: &'static dyn AnyGame, words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    Setting::read(game.spec().settings, &words).is_some()
}

/// The words with which a player's command may begin, unless shortened.
pub fn first_words() -> impl Iterator<Item = &'static str> {
    let verbs = verbs_of(None).flat_map(|verb| [&[verb.name], verb.aliases].concat());
    verbs.chain(GAMES.iter().map(|game| game.spec().name)).chain([MULTIPLE])
}

/// The game named before a game's verb.
pub(super) fn the_game(game: Option<&'static dyn AnyGame>) -> &'static dyn AnyGame {
    game.expect("a verb of games is only found behind a game's name")
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_table_is_in_order() {
        let words: Vec<&str> = VERBS
            .iter()
            .flat_map(|verb| [&[verb.name], verb.aliases].concat())
            .chain(GAMES.iter().map(|game| game.spec().name))
            .collect();
        for (index, word) in words.iter().enumerate() {
            assert!(!words[..index].contains(word), "{word} is there twice");
            assert!(word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{word}");
        }
        for verb in VERBS {
            assert!(!verb.about.is_empty() && !verb.about.ends_with('.'), "{}", verb.name);
        }
    }
}
