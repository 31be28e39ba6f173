//! The outcome of a command, and the answers to it.

use crate::base::ids::UserId;
use crate::reply::{OutgoingMail, Recipient};
use crate::server::inbox::CommandPlace;

/// The answers to one command, or to a mail without any, still without addresses.
#[derive(Debug)]
pub(super) struct CommandReply {
    /// The mails.
    pub(super) outgoing: Vec<OutgoingMail>,
    /// The outcome of the command.
    pub(super) outcome: MailOutcome,
    /// The user that its sender has shown to be.
    pub(super) proved: Option<UserId>,
    /// The words that are answered.
    pub(super) of: String,
    /// Whether it changed anything.
    pub(super) changes: bool,
    /// Where the words of the command were found.
    pub(super) place: CommandPlace,
}

impl CommandReply {
    /// Keeps what others are told; returns whether that is anything.
    pub(super) fn keep_for_others(&mut self) -> bool {
        self.outgoing.retain(|mail| mail.to != Recipient::Sender);
        !self.outgoing.is_empty()
    }

    /// Whether its sender has shown who they are.
    pub(super) fn is_proved(&self) -> bool {
        self.proved.is_some()
    }
}

/// The contents of a mail, and their outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MailOutcome {
    /// Nothing that is said here.
    Nothing,
    /// A reply to an address of ours that belongs to nobody, or no longer.
    OldTag,
    /// Words that look like a command and are none.
    Words,
    /// A command that was refused.
    Refused,
    /// A command that was carried out.
    CarriedOut,
}
