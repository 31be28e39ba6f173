//! Answers to commands, a file for each kind: accounts, boards to look at, lists, open challenges,
//! settings, tournaments, ladders, and notices about a board to one reader. Also what replaces an answer:
//! a refusal, or the note that a limit is reached.

/// How a reader turns off mails about tournaments and ladders, for the end of such a mail.
pub(crate) const EVENTS_OFF: &str =
    "To get no mails about your tournaments and ladders, reply `set events off`.";

pub(crate) mod account;
pub(crate) mod combined;
pub(crate) mod digest;
pub(crate) mod displays;
pub(crate) mod ladder;
pub(crate) mod lists;
pub(crate) mod moderation;
pub(crate) mod notices;
pub(crate) mod open_challenges;
pub(crate) mod opponents;
pub(crate) mod profile;
pub(crate) mod rate_limits;
pub(crate) mod ratings_table;
pub(crate) mod refusals;
pub(crate) mod settings;
pub(crate) mod times;
pub(crate) mod tournament;
