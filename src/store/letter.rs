//! Letters of the outbox, and the values that the store and a sender exchange about them.

use crate::base::time::Time;
use crate::mail::Address;

/// A letter of the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its unique name, the same in every try: its Message-ID begins with it.
    pub name: String,
    /// The envelope sender; `None` is the null path `<>`.
    pub sender: Option<Address>,
    /// The envelope recipient.
    pub to: Address,
    /// The board it is about: a newer letter about a board replaces one that failed.
    pub thread: Option<String>,
    /// Its content, which `reply` writes and prints; opaque to the store.
    pub bytes: Vec<u8>,
}

/// A letter that is not sent yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsentLetter {
    /// The letter.
    pub letter: Letter,
    /// When it was written.
    pub written_at: Time,
    /// The number of failed tries.
    pub tries: u32,
    /// The time of the next try.
    pub not_before: Time,
    /// Whether it was given up.
    pub is_given_up: bool,
}

/// Letters claimed together for sending, by their name in the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LetterClaim(pub(super) String);

/// What a failed delivery concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureScope {
    /// The letter, for good: the receiving side rejected it, so another try is useless.
    Rejected,
    /// This letter alone, which may be accepted later.
    ThisLetter,
    /// Every letter: the transport is down.
    Transport,
}

/// Why a letter was not delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryError {
    /// What it concerns.
    pub scope: FailureScope,
    /// The message of the receiving side, or of the machine.
    pub why: String,
}

/// Why a letter was not sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSent {
    /// The try failed.
    Failed(DeliveryError),
    /// It was not tried: its recipient's domain gets no letters before this time.
    PutOff(Time),
}

impl From<DeliveryError> for NotSent {
    fn from(error: DeliveryError) -> Self {
        Self::Failed(error)
    }
}

/// The results of a delivery run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxReport {
    /// Letters sent.
    pub sent: usize,
    /// Letters kept for another try.
    pub deferred: usize,
    /// Letters given up.
    pub given_up: usize,
    /// Letters not tried yet because of a limit of their recipient's domain.
    pub put_off: usize,
    /// Failed letters replaced by a newer one about the same board to the same player.
    pub replaced: usize,
    /// Whether another process was sending, so that this one did nothing.
    pub is_busy: bool,
    /// Whether letters may be due that this run has not looked for: it ended early, or lost its claims to
    /// other senders.
    pub may_have_more: bool,
}

/// Letters that wait for a time: for another try, because their domain has to wait, or because another sender has
/// claimed them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// The letters that failed at least once.
    pub failed: usize,
    /// When the oldest of them was written.
    pub oldest_failed: Option<Time>,
    /// The letters that never failed, and were put off or, in a database, are claimed.
    pub put_off: usize,
}
