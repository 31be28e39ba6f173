//! Mail as bytes, and mail as what it says: pure functions both ways.

mod address;
mod advertisement;
mod authentication;
mod bounce;
mod compose;
mod encoded_words;
mod headers;
mod html;
mod introduction;
mod loops;
mod malformed;
mod marks;
mod markup;
mod own_words;
mod parse;
mod parts;
mod sender_address;
mod shortened;
mod signed;
mod text;
mod withheld;

use crate::base::digest::Digest;
pub(crate) use address::is_hidden;
pub use address::{Address, HeaderText, MessageId};
pub use authentication::vouches;
pub use compose::{ReplyRoute, bounce_address, compose, content_id};
pub use loops::{NoReplyReason, is_automatic, is_read_by_nobody};
pub use malformed::{Malformed, MalformedReason};
pub use marks::{unmarked, without_marks};
pub use markup::{Html, mailto};
pub use own_words::{StrayLine, Stretch, UnquotedText, may_go_on, own_words};
pub use parse::{LARGEST_MAIL, dated, parse};
pub use sender_address::SenderAddress;
use serde::{Deserialize, Serialize};
pub use shortened::shortened;
use std::sync::Arc;
pub use withheld::{without_addresses, without_secrets};

/// A mail that came in, reduced to what a command needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The sender.
    pub from: SenderAddress,
    /// Every address the mail was sent or delivered to: To, Cc, Delivered-To, X-Original-To.
    pub to: Vec<Address>,
    /// The Subject: unfolded, decoded, one line, without controls or bidirectional marks.
    pub subject: String,
    /// The readable text: decoded, unflowed, lines ended by `\n`; quotes and marks still in it.
    pub text: String,
    /// Other parts that may hold what its writer says, in their order. They are read where `text` says
    /// nothing.
    pub other_texts: Vec<String>,
    /// The Message-ID, if it has a usable one.
    pub message_id: Option<MessageId>,
    /// The ids of the thread so far, oldest first, at most 20; without this mail's own.
    pub references: Vec<MessageId>,
    /// SHA-256 of From, Date, Subject and body as they arrived, and of our reply addresses among
    /// its recipients.
    pub digest: Digest,
    /// The same without reply addresses, as receipts of earlier programs have it.
    pub untagged_digest: Digest,
    /// Why this mail is not answered, unless it proves a player and the reason is a mark.
    pub silence: Option<NoReplyReason>,
    /// The ids of mails of ours that it reports as failed for good; not yet checked.
    pub returned: Vec<String>,
    /// Whether it answers another mail, as its headers say.
    pub is_answer: bool,
    /// What mail servers say of its sender, the topmost first: see [`vouches`].
    pub results: Vec<String>,
}

/// A mail to go out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The recipient.
    pub to: Address,
    /// The Subject.
    pub subject: HeaderText,
    /// The body: ASCII or UTF-8, lines ended by `\n`.
    pub text: String,
    /// The same once more for programs that show HTML.
    pub html: Option<Html>,
    /// The pictures that the HTML shows.
    pub inside: Vec<InlineImage>,
    /// An answer to a mail, or sent without one.
    pub kind: MailKind,
    /// The board it is about, as `malaka-17`: all mails of a board are one thread.
    pub thread: Option<String>,
    /// The mail it answers, if the recipient sent that one.
    pub answers: Option<(MessageId, Vec<MessageId>)>,
    /// The part after the `+` of the reply address: `bmalaka17-abcdefghijklmnop`.
    pub reply_tag: Option<String>,
    /// The tag of the address by which its reader can turn such mails off, if there is one.
    pub opt_out: Option<String>,
    /// The page that turns such mails off.
    pub one_click: Option<String>,
    /// The id under which a failed delivery comes back; none for mails to people not known, which
    /// do not come back.
    pub bounces: Option<String>,
}

/// A picture inside a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineImage {
    /// By which the HTML names it: letters, digits, `-`, `_` and dots.
    pub id: String,
    /// The picture itself.
    pub png: Arc<[u8]>,
}

/// Why a mail is sent, for the Auto-Submitted header of RFC 3834.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MailKind {
    /// `auto-replied`: it answers a mail, or tells the opponent of it.
    Answer,
    /// `auto-generated`: a reminder or notice.
    Notice,
}

/// The names of the server in mails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The address that commands are sent to.
    pub address: Address,
    /// The display name.
    pub name: HeaderText,
    /// Whether the mail server delivers `local+tag@host` to `local@host`; otherwise the tag is in
    /// the Subject as `[#tag]`.
    pub plus: bool,
}

/// The mailbox that failed deliveries are reported to, with a tag, on a server that has those.
pub const BOUNCES: &str = "bounces";

/// A player writes the answer to a board mail above this line.
pub const MARK: &str = "--- write above this line ---";
