//! How much is answered to whom, so that no two programs write to each other for ever, and that
//! nobody can have mail sent to somebody else who never asked for it.
//!
//! An answer that only a proved player can cause is never counted here; what he did not prove may
//! be a forger's, and is counted apart, so that a forger silences himself and not the player.

use crate::store::digest;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// What kind of answer a mail gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A mail whose Subject is nothing that is said here: what this server is, in a few words.
    Help,
    /// A mail that answers one of ours, as autoresponders do, and in which nothing was found that
    /// its sender can do.
    Reply,
    /// An error, to somebody who has not shown who he is.
    Error,
    /// What anybody may ask for.
    Asked,
    /// An error, to a player who has shown who he is.
    Own,
    /// A reply to a board mail that was read as a move, or what else is said there, and refused:
    /// counted by board, since a program may write other words each time.
    Tried,
}

/// What becomes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is sent.
    Answer,
    /// It is sent, and says that it is the last of its class for today.
    Last,
    /// It is sent, and says that the same words are not answered again today.
    LastOfThese,
    /// It is not sent.
    Silence,
}

/// The numbers. They are not the operator's to choose; tests open them.
#[derive(Clone, Debug)]
pub struct Valves {
    /// Whether help that nobody asked for goes to an address once in seven days only.
    pub help: bool,
    /// Answers a day and address to mails that answer ours.
    pub replies: usize,
    /// Errors a day and address whose sender is not known; each once.
    pub errors: usize,
    /// What anybody may ask for, a day and address; the same words five times.
    pub asked: usize,
    /// Errors a day and address to a player who has shown who he is; the same words twice.
    pub own: usize,
    /// Refused replies a day, address and board.
    pub tried: usize,
    /// Whether wrong passwords lead to a pause.
    pub passwords: bool,
    /// Whether whoever has not shown yet to read the mails that are sent is held to a few boards.
    pub newcomers: bool,
}

impl Default for Valves {
    fn default() -> Self {
        let (replies, errors, asked, own, tried) = (2, 10, 50, 50, 10);
        Self { help: true, replies, errors, asked, own, tried, passwords: true, newcomers: true }
    }
}

impl Valves {
    /// All open: what a test must not pass with that is about a valve.
    pub fn open() -> Self {
        let most = usize::MAX;
        let (replies, errors, asked, own, tried) = (most, most, most, most, most);
        Self { help: false, replies, errors, asked, own, tried, passwords: false, newcomers: false }
    }

    /// How many answers of a class go to an address in a day, and how many to the same words.
    pub(crate) fn of(&self, class: Class) -> (usize, usize) {
        let same = |most: usize, closed: usize| if most == usize::MAX { most } else { closed };
        match class {
            Class::Help => (1, 1),
            Class::Reply => (self.replies, self.replies),
            Class::Error => (self.errors, same(self.errors, 1)),
            Class::Asked => (self.asked, same(self.asked, 5)),
            Class::Own => (self.own, same(self.own, 2)),
            Class::Tried => (self.own, self.tried),
        }
    }

    /// Whether nothing is counted.
    pub(crate) fn are_open(&self) -> bool {
        self.errors == usize::MAX
    }
}

/// What stands in a document for the words that were answered.
pub(crate) fn mark(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    HEXLOWER.encode(&digest(words.as_bytes())[..8])
}
