//! Rate limits: how much anybody gets in answer, so that no two programs write to each other for
//! ever, and nobody can have mail sent to another person who never asked for it.
//!
//! A command that a proved player has carried out is never counted here, and their refusals have a
//! bound of their own that no person meets; the last answer before it says so. The mailbox from
//! which a player has written lately has wider bounds. A request without proof may come from a forger. It is counted apart, so that forgers silence themselves and not the player.

use crate::base::digest::digest;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// The kind of answer that a mail gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerClass {
    /// To a mail of an unknown sender without any word that we know: what this server is.
    Help,
    /// The same in a mail that answers one of ours, as people's and autoresponders' mails do.
    Prose,
    /// To words of an unknown sender in a mail that answers one of ours.
    Reply,
    /// The same, where the mail server does not vouch for the sender.
    Doubted,
    /// An error, to a sender who has not shown who they are.
    Error,
    /// An answer that anybody may ask for.
    Asked,
    /// An error, to a player who has shown who they are.
    Own,
    /// A player's reply to a board mail that was read as a move, or as what else is said there, and
    /// refused: counted by board, since a program may write other words each time.
    Tried,
    /// A player's reply to a board mail in which nothing was found: counted by board and by words.
    Unread,
    /// An answer that a player asks for in a reply to a board mail, and anybody could: `help`.
    Shown,
}

impl AnswerClass {
    /// Every kind there is.
    pub const ALL: [Self; 10] = [
        Self::Help,
        Self::Prose,
        Self::Reply,
        Self::Doubted,
        Self::Error,
        Self::Asked,
        Self::Own,
        Self::Tried,
        Self::Unread,
        Self::Shown,
    ];

    /// Whether anybody can cause it in the name of that address: then its bytes are counted.
    pub fn is_anybodys(self) -> bool {
        match self {
            Self::Help | Self::Prose | Self::Reply | Self::Doubted | Self::Error | Self::Asked => {
                true
            }
            Self::Own | Self::Tried | Self::Unread | Self::Shown => false,
        }
    }
}

/// An answer before it is sent, as far as it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Its kind.
    pub class: AnswerClass,
    /// A digest of the words that it answers.
    pub of: String,
    /// A digest of the board that it is about, where boards are counted apart.
    pub board: String,
    /// How long it is.
    pub bytes: usize,
}

/// The verdict on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitVerdict {
    /// It is sent.
    Answer,
    /// It is sent, and says that it is the last of its class for today.
    Last,
    /// It is sent, and says that the same words are not answered again today.
    LastOfThese,
    /// A few words are sent in its place: it is too long for what is left of today.
    Full,
    /// It is not sent.
    Silence,
}

impl LimitVerdict {
    /// Whether the answer goes out as it is.
    pub fn is_sent(self) -> bool {
        !matches!(self, Self::Full | Self::Silence)
    }
}

/// Which part of the mails that go to an address in a day a mail counts for, so that what others
/// can cause leaves room for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuotaShare {
    /// Words and deeds of others: messages, notices, and answers that anybody could have asked for.
    Others,
    /// Boards, and what a player asks for with a password.
    Boards,
    /// One-time words, and warnings that something about an account has changed.
    Account,
}

impl QuotaShare {
    /// Where the mails of that share end, of so many that go to an address in a day: those that
    /// others can cause have half of them, and a tenth is kept for accounts.
    pub fn most(self, all: usize) -> usize {
        match self {
            Self::Others => all.div_ceil(2),
            Self::Boards => all - all / 10,
            Self::Account => all,
        }
    }
}

/// The numbers. They are not the operator's to choose; tests open them.
#[derive(Clone, Debug)]
pub struct RateLimits {
    /// Introductions in seven days to an address that did not ask for any; each words once.
    pub help: usize,
    /// Answers a day and address to mails without a command that answer ours; the same words once
    /// in seven days.
    pub prose: usize,
    /// Answers a day and address to words of unknown senders in a mail that answers ours; to the
    /// same words two.
    pub replies: usize,
    /// Answers a day and address whose mail server doubts the sender.
    pub doubted: usize,
    /// Errors a day and address whose sender is not known; each once.
    pub errors: usize,
    /// Answers that anybody may ask for, a day and address; to the same words five.
    pub asked: usize,
    /// Answers a day and address, of each kind, to a player who has shown who they are. No person
    /// meets it.
    pub own: usize,
    /// Refused replies a day, address and board.
    pub tried: usize,
    /// Replies a day, address and board in which nothing was found; the same words twice.
    pub unread: usize,
    /// Bytes a day of answers to an address that anybody could cause. A short answer may go
    /// beyond it by `SPARE`.
    pub bytes: usize,
    /// The longest of these answers.
    pub longest: usize,
    /// Mails a day that one user can have sent to another with nothing but words and offers.
    pub words: usize,
    /// Whether wrong passwords lead to a pause.
    pub passwords: bool,
    /// Whether users who have not shown yet that they read their mails are limited to a few boards.
    pub newcomers: bool,
}

/// The part of a day's bytes kept for short answers, so that a person who has read much can still
/// sign up.
pub(crate) const SPARE: usize = 20_000;
/// The longest answer that is short.
pub(crate) const SHORT: usize = 3_000;

/// How often a class is answered to an address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassLimit {
    /// In a day, or in a week.
    pub(crate) most: usize,
    /// The same words, on one board where boards are counted apart.
    pub(crate) same: usize,
    /// On one board.
    pub(crate) board: usize,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            help: 3,
            prose: 10,
            replies: 10,
            doubted: 2,
            errors: 10,
            asked: 50,
            own: 200,
            tried: 30,
            unread: 10,
            bytes: 80_000,
            longest: 30_000,
            words: 20,
            passwords: true,
            newcomers: true,
        }
    }
}

impl RateLimits {
    /// All open: what a test must not pass with that is about a valve.
    pub fn open() -> Self {
        let most = usize::MAX;
        Self {
            help: most,
            prose: most,
            replies: most,
            doubted: most,
            errors: most,
            asked: most,
            own: most,
            tried: most,
            unread: most,
            bytes: most,
            longest: most,
            words: most,
            passwords: false,
            newcomers: false,
        }
    }

    /// How many answers of a class go to an address; more where a player has written from lately.
    pub(crate) fn for_class(&self, class: AnswerClass, is_players: bool) -> ClassLimit {
        let no = usize::MAX;
        let (most, same, board) = match class {
            AnswerClass::Prose if is_players => (self.prose, 2, no),
            AnswerClass::Error if is_players => (self.errors.saturating_mul(3), 3, no),
            AnswerClass::Asked if is_players => (self.asked.saturating_mul(2), 10, no),
            AnswerClass::Help => (self.help, 1, no),
            AnswerClass::Prose => (self.prose, 1, no),
            AnswerClass::Reply => (self.replies, 2, no),
            AnswerClass::Doubted => (self.doubted, self.doubted, no),
            AnswerClass::Error => (self.errors, 1, no),
            AnswerClass::Asked => (self.asked, 5, no),
            AnswerClass::Tried => (self.own, no, self.tried),
            AnswerClass::Unread => (self.own, 2, self.unread),
            AnswerClass::Own | AnswerClass::Shown => (self.own, no, no),
        };
        ClassLimit { most, same: if most == no { no } else { same }, board }
    }

    /// Whether nothing is counted.
    pub(crate) fn are_open(&self) -> bool {
        self.errors == usize::MAX
    }
}

/// The words that tell one reply from another. Those with four figures in a row, as a date and the
/// number of a ticket have, do not: programs count. No move has them.
pub(crate) fn told_apart(words: &str) -> String {
    let is_figure = |c: char| c.is_ascii_digit();
    let is_count = |word: &&str| word.split(|c| !is_figure(c)).any(|figures| figures.len() >= 4);
    words.split_whitespace().filter(|word| !is_count(word)).collect::<Vec<_>>().join(" ")
}

/// The same where nobody is known to play: without any figures.
pub(crate) fn without_figures(words: &str) -> String {
    words.chars().filter(|c| !c.is_numeric()).collect()
}

/// The mark that a document keeps in place of the words that were answered.
pub(crate) fn mark(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    HEXLOWER.encode(&digest(words.as_bytes())[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_in_the_list_once_and_has_a_bound() {
        for (index, class) in AnswerClass::ALL.iter().enumerate() {
            assert!(!AnswerClass::ALL[..index].contains(class));
            let ClassLimit { most, same, board } = RateLimits::default().for_class(*class, true);
            let is_bounded = most <= 100 && same.min(board) <= 10;
            assert!(is_bounded || !class.is_anybodys() && most <= 200, "{class:?}");
        }
    }

    #[test]
    fn moves_are_told_apart_and_counters_are_not() {
        for (one, other, same) in [
            ("I move from 13 to 7", "I move from 13 to 8", false),
            ("13/8 6/5", "13/7 6/5", false),
            ("24/18/13", "24/18/12", false),
            ("24/18 13/10", "24/18 13/11", false),
            ("ticket 48151 opened", "ticket 48152  opened", true),
            ("received on 2004-08-20", "received on 2004-08-21", true),
        ] {
            let equal = told_apart(one) == told_apart(other);
            assert_eq!(equal, same, "{one}, {other}");
        }
        assert_eq!(without_figures("[Ticket 17]"), "[Ticket ]");
    }
}
