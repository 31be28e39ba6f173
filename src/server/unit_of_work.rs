//! The unit of work: documents in memory, and the transaction being built from them.

use crate::mail::Message;
use crate::reply::OutgoingMail;
use crate::server::daily_counts::DailyCounts;
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::letters::{LetterCause, write_letters};
use crate::server::{announcements, delivery};
use crate::store::{Fault, Transaction};

/// The most documents kept in memory between two transactions.
const MOST_DOCUMENTS: usize = 2_000;

/// The most boards among them. A board seldom gets a second mail soon; its players have other
/// boards.
const MOST_BOARDS: usize = 256;

/// The documents read for a batch of mails, and all changes since the last commit.
#[derive(Default)]
pub(super) struct UnitOfWork {
    pub(super) documents: DocumentSet,
    pub(super) daily_counts: DailyCounts,
    pub(super) transaction: Transaction,
}

impl UnitOfWork {
    /// Adds letters with `mails` to the transaction. `answered` is the incoming mail that caused
    /// them, if any.
    pub(super) fn post(
        &mut self,
        mails: &[OutgoingMail],
        answered: Option<&Message>,
        cause: &LetterCause,
        env: &mut Env,
    ) -> Result<(), Fault> {
        let mails = delivery::select_due(mails, answered, &mut self.documents, env)?;
        let mails = announcements::add(mails, &mut self.documents, env)?;
        let mails: Vec<&OutgoingMail> = mails.iter().map(AsRef::as_ref).collect();
        let world = &self.documents.world;
        let counts = &mut self.daily_counts;
        let mut letters = write_letters(&mails, answered, cause, world, counts, env)?;
        // Letters of a commit leave in this order, and the sender of the mail waits for the answer.
        let sender = answered.and_then(|message| message.from.address());
        letters.sort_by_key(|letter| sender != Some(&letter.to));
        self.transaction.letters.extend(letters);
        Ok(())
    }

    /// Takes the changes since the last call.
    pub(super) fn take(&mut self) -> Transaction {
        let mut transaction = std::mem::take(&mut self.transaction);
        transaction.sent = self.daily_counts.take();
        transaction.index_updates = self.documents.world.take_index_updates(transaction.at);
        transaction.reads = self.documents.world.read_versions();
        transaction.unannounced = self.documents.world.take_secret_changes();
        transaction.changes = self.documents.world.take_changes();
        transaction
    }

    /// Returns whether this work would have had the same results if `before` had been committed
    /// first.
    pub(super) fn could_follow(&self, before: &mut Self, mails_a_day: usize) -> bool {
        !self.documents.world.has_read(&before.documents.world.changed())
            && !self.daily_counts.depends_on(&before.daily_counts, mails_a_day)
            && !self.transaction.shares_mail_with(&before.transaction)
    }

    /// Marks documents as stale that another worker's transaction has changed, and adds its counts.
    pub(super) fn mark_stale(&mut self, transaction: &Transaction) {
        self.documents.world.forget_changed(&transaction.changes);
        self.daily_counts.add(&transaction.sent);
    }

    /// Forgets documents if there are too many, or if other processes work on the home (`is_remote`):
    /// their changes would only show as a conflict at the commit. Call it after [`take`](Self::take).
    pub(super) fn trim(&mut self, is_remote: bool) {
        if is_remote {
            self.documents.forget();
            self.daily_counts.forget();
        }
        self.documents.world.limit_boards(MOST_BOARDS);
        if self.documents.world.len() > MOST_DOCUMENTS {
            self.documents.forget();
        }
        if self.daily_counts.len() > MOST_DOCUMENTS {
            self.daily_counts.forget();
        }
    }

    /// Forgets all documents and all changes that were not taken.
    pub(super) fn forget(&mut self) {
        self.documents.forget();
        (self.daily_counts, self.transaction) = Default::default();
    }
}
