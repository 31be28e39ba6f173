//! The outcome of a command, and the answers to it.

use crate::reply::OutgoingMail;

/// The answers to one command, or to a mail without any, still without addresses.
#[derive(Debug)]
pub(super) struct CommandReply {
    /// The mails.
    pub(super) outgoing: Vec<OutgoingMail>,
    /// The outcome of the command.
    pub(super) outcome: MailOutcome,
    /// Whether its sender has shown who they are.
    pub(super) is_proved: bool,
    /// The words that are answered.
    pub(super) of: String,
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
