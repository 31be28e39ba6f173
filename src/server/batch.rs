//! The state from mail to mail: the documents that were read, and the transaction being built.

use crate::mail::Message;
use crate::reply::OutgoingMail;
use crate::server::env::Env;
use crate::server::gather::DocumentSet;
use crate::server::letters::{LetterCause, letters};
use crate::server::quota::Quota;
use crate::store::{Fault, Transaction};

/// Documents kept between two transactions.
const MOST_DOCUMENTS: usize = 2_000;

/// Boards among them: of a board there is seldom a second mail; its players have other boards.
const MOST_BOARDS: usize = 256;

/// The documents that a batch of mails has read, and its changes since the last commit.
#[derive(Default)]
pub(super) struct UnitOfWork {
    pub(super) documents: DocumentSet,
    pub(super) quota: Quota,
    pub(super) transaction: Transaction,
}

impl UnitOfWork {
    /// Writes letters. `answered` is the mail that they come of, if one is.
    pub(super) fn post(
        &mut self,
        mails: &[OutgoingMail],
        answered: Option<&Message>,
        cause: &LetterCause,
        env: &mut Env,
    ) -> Result<(), Fault> {
        let world = &self.documents.world;
        let letters = letters(mails, answered, cause, world, &mut self.quota, env)?;
        self.transaction.letters.extend(letters);
        Ok(())
    }

    /// The changes since the last call.
    pub(super) fn take(&mut self) -> Transaction {
        let mut transaction = std::mem::take(&mut self.transaction);
        transaction.sent = self.quota.take();
        transaction.index_updates = self.documents.world.take_index_updates(transaction.at);
        transaction.reads = self.documents.world.reads();
        transaction.changes = self.documents.world.take_changes();
        transaction
    }

    /// Whether what was done here would have been done in the same way after what was done there.
    pub(super) fn could_follow(&self, before: &mut Self, mails_a_day: usize) -> bool {
        !self.documents.world.has_looked_at(&before.documents.world.changed())
            && !self.quota.concerns(&before.quota, mails_a_day)
            && !self.transaction.names_a_mail_of(&before.transaction)
    }

    /// Another process has made that transaction: documents that were read before it are stale.
    pub(super) fn learn(&mut self, transaction: &Transaction) {
        self.documents.world.outdate(&transaction.changes);
        self.quota.add(&transaction.sent);
    }

    /// Forgets documents when there are many, or where others work at the same home: what they change
    /// would be found out only by the commit. To be called when all was taken.
    pub(super) fn trim(&mut self, is_far: bool) {
        if is_far {
            self.documents.forget();
            self.quota.forget();
        }
        self.documents.world.keep_boards(MOST_BOARDS);
        if self.documents.world.len() > MOST_DOCUMENTS {
            self.documents.forget();
        }
        if self.quota.len() > MOST_DOCUMENTS {
            self.quota.forget();
        }
    }

    /// Forgets all documents and everything not taken.
    pub(super) fn forget(&mut self) {
        self.documents.forget();
        (self.quota, self.transaction) = Default::default();
    }
}
