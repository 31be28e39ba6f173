//! Replies to a command, before they have addresses.

use crate::base::ids::UserId;
use crate::refusal::Refusal;
use crate::reply::{OutgoingMail, Recipient};
use crate::server::requests::CommandPlace;

/// The reply to one command, or to a mail without a command.
#[derive(Debug)]
pub(super) struct CommandReply {
    /// The mails, for any number of readers.
    pub(super) outgoing: Vec<OutgoingMail>,
    /// The outcome of the command.
    pub(super) outcome: MailOutcome,
    /// Why the command was refused.
    pub(super) refusal: Option<Refusal>,
    /// The user whom the sender has proved to be.
    pub(super) proved: Option<UserId>,
    /// The words of the command, or the Subject of a mail without a command.
    pub(super) line: String,
    /// Whether the command changed anything.
    pub(super) changes: bool,
    /// Where the words of the command were found.
    pub(super) place: CommandPlace,
}

impl CommandReply {
    /// Drops the mails to the sender. Returns whether others are left.
    pub(super) fn keep_for_others(&mut self) -> bool {
        self.outgoing.retain(|mail| mail.to != Recipient::Sender);
        !self.outgoing.is_empty()
    }

    /// Returns whether the sender has proved to be a user.
    pub(super) fn is_proved(&self) -> bool {
        self.proved.is_some()
    }
}

/// What a mail contained and what came of it. Later variants outrank earlier ones when a mail has
/// several commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MailOutcome {
    /// Nothing that looks like a command.
    Nothing,
    /// A reply to a tag that fits nobody, or no longer.
    OldTag,
    /// Words that look like a command but are not valid.
    Words,
    /// A refused command.
    Refused,
    /// A command that was carried out.
    CarriedOut,
}
