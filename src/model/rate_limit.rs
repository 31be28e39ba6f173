//! Rate limits for answers. They stop two programs from answering each other forever, and keep
//! forgers from sending mail to people who never asked for any.
//!
//! A command that an authenticated player has carried out is never counted. Refusals to such a
//! player have a limit that no person reaches, and the last answer says so. A mailbox from which a
//! player has written recently has wider limits. Requests without proof may be forged, so they are
//! counted apart: a forger uses up the forger's own limit and not the player's.

use crate::base::digest::Digest;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// The class of an answer, by which answers are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerClass {
    /// The introduction, to an unknown sender whose mail contains no known word.
    Help,
    /// The introduction, to a mail that replies to one of ours, as people and autoresponders do.
    Prose,
    /// To a command of an unknown sender in a mail that replies to one of ours.
    Reply,
    /// Like [`Self::Reply`], if the mail server does not vouch for the sender.
    Doubted,
    /// An error, to an unauthenticated sender.
    Error,
    /// Information that anybody may request.
    Asked,
    /// An error, to an authenticated player.
    Own,
    /// A refused move or command in a player's reply to a board mail. Counted by board, since a
    /// program may write different words each time.
    Tried,
    /// A player's reply to a board mail without any move or command. Counted by board and by words.
    Unread,
    /// Information that a player requests in a reply to a board mail and anybody may request:
    /// `help`.
    Shown,
}

impl AnswerClass {
    /// All classes.
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

    /// Returns whether a forger can cause such an answer to the address; the bytes of such answers
    /// are limited.
    pub fn is_forgeable(self) -> bool {
        match self {
            Self::Help | Self::Prose | Self::Reply | Self::Doubted | Self::Error | Self::Asked => {
                true
            }
            Self::Own | Self::Tried | Self::Unread | Self::Shown => false,
        }
    }
}

/// The data by which an answer is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The class.
    pub class: AnswerClass,
    /// A digest of the words that are answered.
    pub of: String,
    /// A digest of the board, for classes counted by board; otherwise empty.
    pub board: String,
    /// The size of the answer.
    pub bytes: usize,
}

/// The decision whether an answer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitVerdict {
    /// Send it.
    Answer,
    /// Send it, and say that it is the last of its class today.
    Last,
    /// Send it, and say that the same words get no further answer today.
    LastOfThese,
    /// Send a short notice instead, because the answer exceeds what is left of the day's bytes.
    Full,
    /// Send nothing.
    Silence,
}

impl LimitVerdict {
    /// Returns whether the answer is sent unchanged.
    pub fn is_sent(self) -> bool {
        !matches!(self, Self::Full | Self::Silence)
    }
}

/// The share of the day's mails to an address that a mail belongs to. Shares leave room for
/// important mails when others cause many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuotaShare {
    /// Mails caused by others: messages, notices, and information that anybody could have
    /// requested.
    Others,
    /// Board mails, and answers to requests with a password.
    Boards,
    /// Codes, and warnings about changes of the account.
    Account,
}

impl QuotaShare {
    /// Returns how many of the day's `all` mails may be sent before this share is used up: one half
    /// for others, nine tenths for boards, so that a tenth remains for accounts.
    pub fn limit_of(self, all: usize) -> usize {
        match self {
            Self::Others => all.div_ceil(2),
            Self::Boards => all - all / 10,
            Self::Account => all,
        }
    }
}

/// The limits. Operators cannot change them, except those that the configuration names; tests lift
/// them.
#[derive(Clone, Debug)]
pub struct RateLimits {
    /// Introductions in seven days to an address that did not ask; one for the same words.
    pub help: usize,
    /// Introductions a day to an address that replies to our mails; one in seven days for the same
    /// words.
    pub prose: usize,
    /// Answers a day to an unknown sender's commands in replies to our mails; two for the same
    /// words.
    pub replies: usize,
    /// Answers a day to an address that its mail server does not vouch for.
    pub doubted: usize,
    /// Errors a day to an unauthenticated address; one for the same words.
    pub errors: usize,
    /// Requested information a day to an address; five for the same words.
    pub asked: usize,
    /// Answers a day of each class to an authenticated player. No person reaches this limit.
    pub own: usize,
    /// Refused replies a day for an address and a board.
    pub tried: usize,
    /// Replies without a move or command a day for an address and a board; two for the same words.
    pub unread: usize,
    /// Bytes a day of answers that a forger can cause. A short answer may exceed the limit by
    /// `SPARE`.
    pub bytes: usize,
    /// The most bytes of such an answer.
    pub longest: usize,
    /// Messages and offers a day from one user to another.
    pub words: usize,
    /// Whether wrong passwords lead to a pause.
    pub passwords: bool,
    /// Whether newcomers, who have not proved that they read their mail, are limited to a few
    /// boards.
    pub newcomers: bool,
}

/// The part of a day's bytes reserved for short answers, so that a person who has requested many
/// pages can still sign up.
pub(crate) const SPARE: usize = 20_000;
/// The most bytes of a short answer.
pub(crate) const SHORT: usize = 3_000;

/// The limits of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassLimit {
    /// Answers in a day or a week.
    pub(crate) most: usize,
    /// Answers to the same words, by board if the class is counted by board.
    pub(crate) same: usize,
    /// Answers about one board.
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
    /// Lifts all limits, for tests of other things.
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

    /// Returns the limits of a class; they are wider for a mailbox from which a player has written
    /// recently.
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

    /// Returns whether all limits are lifted.
    pub(crate) fn are_open(&self) -> bool {
        self.errors == usize::MAX
    }
}

/// Returns the words that distinguish one reply from another. Words with four digits in a row, such
/// as dates and ticket numbers, are dropped, because programs count up. No move contains them.
pub(crate) fn distinctive_words(words: &str) -> String {
    let is_figure = |c: char| c.is_ascii_digit();
    let is_count = |word: &&str| word.split(|c| !is_figure(c)).any(|figures| figures.len() >= 4);
    words.split_whitespace().filter(|word| !is_count(word)).collect::<Vec<_>>().join(" ")
}

/// Returns the words without any digits, for senders who are not players.
pub(crate) fn without_digits(words: &str) -> String {
    words.chars().filter(|c| !c.is_numeric()).collect()
}

/// Returns a digest of the answered words, in lower case with single spaces.
pub(crate) fn words_digest(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    HEXLOWER.encode(&Digest::of(words.as_bytes())[..8])
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
            assert!(is_bounded || !class.is_forgeable() && most <= 200, "{class:?}");
        }
    }

    #[test]
    fn moves_are_distinguished_and_counters_are_not() {
        for (one, other, same) in [
            ("I move from 13 to 7", "I move from 13 to 8", false),
            ("13/8 6/5", "13/7 6/5", false),
            ("24/18/13", "24/18/12", false),
            ("24/18 13/10", "24/18 13/11", false),
            ("ticket 48151 opened", "ticket 48152  opened", true),
            ("received on 2004-08-20", "received on 2004-08-21", true),
        ] {
            let equal = distinctive_words(one) == distinctive_words(other);
            assert_eq!(equal, same, "{one}, {other}");
        }
        assert_eq!(without_digits("[Ticket 17]"), "[Ticket ]");
    }
}
