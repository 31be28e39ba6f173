//! Mails that come in and mails that go out: pure functions between bytes and values.
//!
//! `incoming` parses the bytes of a mail into a [`Message`]. `quoting` separates the words of its
//! writer from the mail that they quote. `outgoing` writes a [`Mail`] as bytes. `redact` removes
//! reply addresses from text that other players will read.

mod header_values;
mod incoming;
mod outgoing;
mod quoting;
mod redact;
mod truncate;

use crate::base::digest::Digest;
pub(crate) use header_values::is_hidden;
pub use header_values::{Address, HeaderText, MessageId, SenderAddress};
pub use incoming::{
    LARGEST_MAIL, Malformed, MalformedReason, NoReplyReason, is_authenticated,
    is_automatic_subject, is_role_address, parse, subject_readings, with_date,
    without_subject_prefixes,
};
pub use outgoing::{Html, ReplyRoute, bounce_address, compose, content_id, mailto};
pub use quoting::{InlineReply, UnmarkedLine, UnquotedText, may_be_wrapped, unquoted_text};
pub use redact::{redact_addresses, redact_secrets};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
pub use truncate::shorten;

/// A parsed mail, reduced to what commands need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The sender.
    pub from: SenderAddress,
    /// The addresses that the mail was sent or delivered to: To, Cc, Delivered-To, X-Original-To.
    pub to: Vec<Address>,
    /// The Subject: unfolded, decoded, one line, without controls or bidirectional marks.
    pub subject: String,
    /// The readable text: decoded, unflowed, lines ended by `\n`, with its quotations.
    pub text: String,
    /// Further parts that may contain the writer's words, in order. They are read if `text` contains
    /// no command.
    pub other_texts: Vec<String>,
    /// The Message-ID, if it is usable.
    pub message_id: Option<MessageId>,
    /// The ids of the earlier mails of the thread, oldest first, at most 20.
    pub references: Vec<MessageId>,
    /// SHA-256 of From, Date, Subject and body as they arrived, and of our reply addresses among
    /// the recipients.
    pub digest: Digest,
    /// The digest without reply addresses, as receipts of earlier versions contain it.
    pub untagged_digest: Digest,
    /// Why this mail is not answered. A weak reason does not stop a mail that proves its player.
    pub no_reply: Option<NoReplyReason>,
    /// The unverified ids of mails of ours that this delivery report says failed for good.
    pub bounced_ids: Vec<String>,
    /// Whether its headers say that it answers another mail.
    pub is_answer: bool,
    /// Its Authentication-Results, topmost first: see [`is_authenticated`]. Empty if the sender is that of
    /// Reply-To.
    pub authentication_results: Vec<String>,
}

impl Message {
    /// Returns this mail as the mail that an answer refers to, if it has an id.
    pub fn as_answered(&self) -> Option<AnsweredMail> {
        let id = self.message_id.clone()?;
        Some(AnsweredMail { id, references: self.references.clone() })
    }
}

/// A mail to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The recipient.
    pub to: Address,
    /// The Subject.
    pub subject: HeaderText,
    /// The text: ASCII or UTF-8, lines ended by `\n`.
    pub text: String,
    /// The page for mail programs that show HTML.
    pub html: Option<Html>,
    /// The pictures of the page.
    pub inline_images: Vec<InlineImage>,
    /// The calendar that is attached (RFC 5545).
    pub calendar: Option<String>,
    /// An answer, or a notice.
    pub kind: MailKind,
    /// Its board, such as `malaka-17`: all mails of a board form one thread.
    pub thread: Option<String>,
    /// The mail of the recipient that it answers.
    pub in_reply_to: Option<AnsweredMail>,
    /// The part after the `+` of the reply address: `bmalaka17-abcdefghijklmnop`.
    pub reply_tag: Option<String>,
    /// The tag of the address that unsubscribes its reader.
    pub opt_out: Option<String>,
    /// The address of the page that unsubscribes its reader.
    pub one_click: Option<String>,
    /// The id by which a delivery report names this mail. Mails to strangers have none.
    pub bounce_id: Option<String>,
}

/// A mail to be answered, for In-Reply-To and References. On disk it is `[id, references]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(MessageId, Vec<MessageId>)", into = "(MessageId, Vec<MessageId>)")]
pub struct AnsweredMail {
    /// Its Message-ID.
    pub id: MessageId,
    /// The ids of the earlier mails of its thread, oldest first.
    pub references: Vec<MessageId>,
}

impl From<(MessageId, Vec<MessageId>)> for AnsweredMail {
    fn from((id, references): (MessageId, Vec<MessageId>)) -> Self {
        Self { id, references }
    }
}

impl From<AnsweredMail> for (MessageId, Vec<MessageId>) {
    fn from(mail: AnsweredMail) -> Self {
        (mail.id, mail.references)
    }
}

/// A picture inside a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineImage {
    /// The name that the page uses for it: letters, digits, `-`, `_` and dots.
    pub id: String,
    /// The PNG file.
    pub png: Arc<[u8]>,
}

/// The cause of a mail, for its Auto-Submitted header (RFC 3834).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MailKind {
    /// `auto-replied`: an answer to a mail, or its news for the opponent.
    Answer,
    /// `auto-generated`: a reminder or notice.
    Notice,
}

/// The address and name of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The address that commands are sent to.
    pub address: Address,
    /// The display name.
    pub name: HeaderText,
    /// Whether the mail server delivers `local+tag@host` to `local@host`. Otherwise the tag is in
    /// the Subject, as `[#tag]`.
    pub plus: bool,
}

/// The mailbox that delivery reports are sent to, with a tag, where plus-addresses work.
pub const BOUNCE_MAILBOX: &str = "bounces";

/// The header field that names a mail in a delivery report, where plus-addresses do not work.
const BOUNCE_FIELD: &str = "X-Postboard-To";

/// The line above which a player answers a board mail.
pub const REPLY_DELIMITER: &str = "--- write above this line ---";
