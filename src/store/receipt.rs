//! Receipts: which mails were executed.

use super::Fault;
use crate::base::digest::Digest;

/// A mail's identity: the digest of its Message-ID (of its content when it has none), and the
/// digest of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MailKey {
    /// SHA-256 of the Message-ID, or `content` again.
    pub id: Digest,
    /// SHA-256 of From, Date, Subject and body.
    pub content: Digest,
}

impl MailKey {
    /// Whether it has a Message-ID.
    pub fn is_named(&self) -> bool {
        self.id != self.content
    }

    /// The same mail as it comes where it has no Message-ID.
    #[must_use]
    pub fn unnamed(&self) -> Self {
        Self { id: self.content, content: self.content }
    }

    /// The key of a copy without its Message-ID: under the content it is written which one it had.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self { id: self.content, content: self.id }
    }
}

/// Whether a mail was executed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptStatus {
    /// Never.
    Never,
    /// This very mail was.
    Before,
    /// This very mail was, so long ago that the record will soon be forgotten.
    Fading,
    /// Another mail with this Message-ID was.
    Reused,
}

/// Whether a mail was executed before, with its Message-ID or without one: on one of several ways a
/// mail server may have given it one, and where it has none, another way may have kept it.
/// `receipt` says what is known of one.
///
/// # Errors
/// That of `receipt`.
pub fn executed(
    mail: &MailKey,
    mut receipt: impl FnMut(&MailKey) -> Result<ReceiptStatus, Fault>,
) -> Result<ReceiptStatus, Fault> {
    let known = receipt(mail)?;
    match known {
        // Only mails that say the same are recorded under its content.
        ReceiptStatus::Reused if !mail.is_named() => Ok(ReceiptStatus::Before),
        ReceiptStatus::Never | ReceiptStatus::Reused if mail.is_named() => {
            match receipt(&mail.unnamed())? {
                // It had another Message-ID: two mails that say the same.
                ReceiptStatus::Never | ReceiptStatus::Reused => Ok(known),
                before @ (ReceiptStatus::Before | ReceiptStatus::Fading) => Ok(before),
            }
        }
        known => Ok(known),
    }
}
