//! Mails that are not executed, and why.

use super::{Address, MessageId, NoReplyReason};
use crate::base::digest::Digest;

/// A mail that is not executed, and what the server needs to say so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Malformed {
    /// What is wrong with it.
    pub why: MalformedReason,
    /// The one sender, if there is one.
    pub from: Option<Address>,
    /// Why nobody must be told, if so.
    pub silence: Option<NoReplyReason>,
    /// The Message-ID, if it has a usable one.
    pub message_id: Option<MessageId>,
    /// SHA-256 of the part of its From, Date, Subject and body that was read.
    pub digest: Digest,
}

impl Malformed {
    /// The address to tell: none, if the sender is not known or must not be answered.
    pub fn tell(&self) -> Option<&Address> {
        self.from.as_ref().filter(|_| self.silence.is_none())
    }
}

/// Why a mail is not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum MalformedReason {
    /// It is larger than [`LARGEST_MAIL`](super::LARGEST_MAIL).
    #[error("the mail is larger than 1 MB")]
    TooLarge,
    /// A header block is larger than 64 KiB or 1,000 lines.
    #[error("the headers of the mail are too large")]
    HeadersTooLarge,
    /// It has more than 200 parts.
    #[error("the mail has more than 200 parts")]
    TooManyParts,
    /// Its parts are nested more than 30 deep.
    #[error("the parts of the mail are nested too deep")]
    TooDeep,
    /// No From, or none that holds an address.
    #[error("the mail has no sender's address")]
    NoSender,
    /// Several From, or several addresses in it.
    #[error("the mail has several senders")]
    SeveralSenders,
    /// Its text is inside a signature that cannot be opened.
    #[error(
        "the text of the mail is inside an S/MIME signature that cannot be read; sign it as \
             plain text, or not at all"
    )]
    Signed,
    /// Its text is encrypted, or inside an S/MIME envelope.
    #[error("the mail is encrypted")]
    Encrypted,
    /// There is no header in it.
    #[error("this is no mail")]
    Unreadable,
}
