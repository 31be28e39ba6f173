//! Mails that cannot be executed, with the reasons.

use super::NoReplyReason;
use crate::base::digest::Digest;
use crate::mail::{Address, MessageId};

/// A mail that cannot be executed, with what an answer needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Malformed {
    /// The reason.
    pub reason: MalformedReason,
    /// The sender, if there is exactly one.
    pub from: Option<Address>,
    /// Why the sender must not get an answer.
    pub no_reply: Option<NoReplyReason>,
    /// The Message-ID, if it is usable.
    pub message_id: Option<MessageId>,
    /// SHA-256 of From, Date, Subject and body, as far as they were read.
    pub digest: Digest,
}

impl Malformed {
    /// Returns the sender's address, if it is known and may get an answer.
    pub fn answerable_sender(&self) -> Option<&Address> {
        self.from.as_ref().filter(|_| self.no_reply.is_none())
    }
}

/// Why a mail cannot be executed.
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
    /// It has no From, or no address in it.
    #[error("the mail has no sender's address")]
    NoSender,
    /// It has several From fields, or several addresses in one.
    #[error("the mail has several senders")]
    SeveralSenders,
    /// Its text is inside an S/MIME signature that cannot be parsed.
    #[error(
        "the text of the mail is inside an S/MIME signature that cannot be read; sign it as \
             plain text, or not at all"
    )]
    Signed,
    /// It is encrypted with S/MIME or PGP.
    #[error("the mail is encrypted")]
    Encrypted,
    /// It has no header field.
    #[error("the mail has no headers")]
    Unreadable,
}
