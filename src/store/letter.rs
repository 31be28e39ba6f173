//! A letter that waits to be sent.

use crate::mail::Address;

/// A letter of the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its name, by which it is known when it is sent again: its Message-ID begins with it.
    pub name: String,
    /// The envelope sender; none is the null path `<>`.
    pub sender: Option<Address>,
    /// The envelope recipient.
    pub to: Address,
    /// The board it is about: a newer letter about it takes the place of one that failed.
    pub thread: Option<String>,
    /// Its text, as written for the printer of letters; the store does not look into it.
    pub bytes: Vec<u8>,
}
