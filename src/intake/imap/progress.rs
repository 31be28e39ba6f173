//! How far the mails of a mailbox are, for as long as the process runs.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// How far a mail is that was fetched and is still in the mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The server sent nothing for it that can be read.
    Unreadable,
    /// It is durable here.
    Taken,
    /// It is durable here, and a copy of it is in the mailbox to which mails are moved.
    Copied,
}

/// The mails that were fetched and are still in the mailbox: no more than an answer to SEARCH can list.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// The generation of the numbers of mails.
    validity: u32,
    steps: BTreeMap<NonZeroU32, Step>,
}

impl Progress {
    /// Begins a session. Numbers of another generation are forgotten, and those of a server that tells no
    /// generation (0): they may mean other mails now.
    pub(super) fn begin(&mut self, validity: u32) {
        if validity == 0 || validity != self.validity {
            self.steps.clear();
        }
        self.validity = validity;
    }

    /// Returns the generation of the numbers of mails.
    pub(super) fn validity(&self) -> u32 {
        self.validity
    }

    /// Forgets the mails that are no longer in the mailbox. `listed` is in order.
    pub(super) fn keep(&mut self, listed: &[NonZeroU32]) {
        self.steps.retain(|uid, _| listed.binary_search(uid).is_ok());
    }

    /// Returns how far a mail is; `None` if it is new.
    pub(super) fn step(&self, uid: NonZeroU32) -> Option<Step> {
        self.steps.get(&uid).copied()
    }

    /// Returns whether a mail is durable here.
    pub(super) fn is_taken(&self, uid: NonZeroU32) -> bool {
        matches!(self.step(uid), Some(Step::Taken | Step::Copied))
    }

    /// Notes how far a mail is.
    pub(super) fn note(&mut self, uid: NonZeroU32, step: Step) {
        self.steps.insert(uid, step);
    }
}
