//! What a verb is, and what a game adds to it.

use super::Command;
use super::words::Arguments;
use crate::refusal::Refusal;
use games::{AnyGame, Setting};

/// One entry of the table of verbs.
pub struct Verb {
    /// The word, lower case.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// Whether a game's name comes before it.
    pub of: VerbScope,
    /// What comes after the word, for people: `<board> <userid> <password> <move>`.
    pub usage: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What it takes from the address of a reply, if it can be said in one.
    pub reply: Option<ReplyScope>,
    /// Reads the words after it.
    pub parse: ParseFn,
}

/// Reads the words after a verb of the game named, if one was.
pub(super) type ParseFn =
    fn(Option<&'static dyn AnyGame>, &mut Arguments) -> Result<Box<dyn Command>, Refusal>;

/// What a verb belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerbScope {
    /// The server: `signup alice secret`.
    Server,
    /// A game: `malaka move ...`.
    Game,
    /// Either: `help`, `malaka help`.
    Both,
}

/// What the address of a reply says, so that the words of the full command need not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyScope {
    /// The game alone.
    Game,
    /// The board.
    Board,
    /// The player, with a proof of who they are; no board.
    User,
    /// The board and the player, with a proof of who they are.
    Player,
    /// All that, and the number of the move: the words are about what the mail showed.
    ForMove,
}

impl Verb {
    /// Whether a word is its name or another word for it.
    pub fn is_named(&self, word: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|name| name.eq_ignore_ascii_case(word))
    }

    /// Whether its name or another word for it begins so.
    pub(super) fn begins_with(&self, word: &str) -> bool {
        self.name.starts_with(word) || self.aliases.iter().any(|alias| alias.starts_with(word))
    }

    /// How the command is written, with its game if it has one.
    pub fn written(&self, game: Option<&'static dyn AnyGame>) -> String {
        let game = match (self.of, game) {
            (VerbScope::Server, _) | (VerbScope::Both, None) => "",
            (_, Some(game)) => game.spec().name,
            (VerbScope::Game, None) => "<game>",
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

/// Whether words are about a setting of a game.
pub fn is_setting(game: &'static dyn AnyGame, words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    Setting::read(game.spec().settings, &words).is_some()
}

/// The game named before a game's verb.
pub(super) fn the_game(game: Option<&'static dyn AnyGame>) -> &'static dyn AnyGame {
    game.expect("a verb of games is only found behind a game's name")
}
