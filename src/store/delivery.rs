//! What the store and those who send its letters tell each other.

use crate::base::time::Time;

/// Why a letter did not go out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryError {
    /// Trying again would not help: the other side said so for good.
    pub permanent: bool,
    /// It holds for every letter: the way out is shut.
    pub all: bool,
    /// The words of the other side, or of the machine.
    pub why: String,
}

/// How many letters were sent, and how many not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxReport {
    /// Sent.
    pub sent: usize,
    /// Not sent, to be tried again later.
    pub kept: usize,
    /// Given up: in `outbox/bad`, with the reason.
    pub failed: usize,
    /// Never sent, since a newer mail about the same board to the same player came.
    pub replaced: usize,
    /// Whether another process was sending, and nothing was done.
    pub is_busy: bool,
}

/// Letters that wait after they could not leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Letters that failed at least once.
    pub letters: usize,
    /// When the oldest of them was written.
    pub oldest: Option<Time>,
}

/// Letters claimed together, by their name in the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LetterClaim(pub(super) String);
