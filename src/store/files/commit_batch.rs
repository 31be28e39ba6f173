//! Committed changes that are not in place yet: read from memory, and put in place together.

use super::apply::{PendingWrites, apply};
use super::disk::Disk;
use super::journal::{Clearing, Journal};
use super::layout;
use crate::base::time::Time;
use crate::store::outbox::letter_file::{LetterBundle, bundles};
use crate::store::{Fault, Key, Transaction};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Committed changes that are not in place yet.
#[derive(Debug, Default)]
pub(super) struct CommitBatch {
    transactions: Vec<Arc<Transaction>>,
    /// Where the latest text of each document is.
    documents: HashMap<Key, ChangePosition>,
    /// The mails written to each mailbox.
    sent: HashMap<[u8; 8], Vec<SentMail>>,
    pub(super) bytes: usize,
    has_letters: bool,
}

/// A change of a batch.
#[derive(Clone, Copy, Debug)]
struct ChangePosition {
    transaction: usize,
    change: usize,
}

/// A mail written to a mailbox.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentMail {
    pub(super) letter: [u8; 8],
    pub(super) at: Time,
}

impl CommitBatch {
    pub(super) fn add(&mut self, transaction: Arc<Transaction>) {
        let number = self.transactions.len();
        for (at, change) in transaction.changes.iter().enumerate() {
            let position = ChangePosition { transaction: number, change: at };
            self.documents.insert(change.key.clone(), position);
        }
        for sent in &transaction.sent {
            let mail = SentMail { letter: sent.letter, at: transaction.at };
            self.sent.entry(sent.mailbox).or_default().push(mail);
        }
        self.bytes += transaction.bytes();
        self.has_letters |= !transaction.letters.is_empty();
        self.transactions.push(transaction);
    }

    /// Drops the letters from memory: they are durable in a file that will move into the outbox.
    pub(super) fn forget_letters(&mut self) {
        for transaction in self.transactions.iter_mut().filter_map(Arc::get_mut) {
            transaction.letters = Vec::new();
        }
    }

    /// Returns the latest text of a document, if it changed.
    pub(super) fn text(&self, key: &Key) -> Option<&str> {
        let position = self.documents.get(key)?;
        Some(&self.transactions[position.transaction].changes[position.change].text)
    }

    /// Returns the keys of the changed documents.
    pub(super) fn keys(&self) -> impl ExactSizeIterator<Item = &Key> {
        self.documents.keys()
    }

    /// Returns the mails written to a mailbox.
    pub(super) fn sent_to(&self, mailbox: &[u8; 8]) -> impl Iterator<Item = SentMail> {
        self.sent.get(mailbox).into_iter().flatten().copied()
    }

    /// Puts everything in place, and clears the journal or moves it into the outbox.
    pub(super) fn settle(
        &self,
        disk: &Disk,
        home: &Path,
        journal: Journal,
        clearing: Clearing,
    ) -> Result<(), Fault> {
        let moves_out = self.has_letters && journal.can_move_to_outbox();
        self.apply(disk, home, !moves_out)?;
        if moves_out {
            let at = self.transactions.first().map_or(Time::EPOCH, |first| first.at);
            return journal.move_to_outbox(disk, home, at);
        }
        journal.finish(disk, clearing)
    }

    fn apply(&self, disk: &Disk, home: &Path, with_letters: bool) -> Result<(), Fault> {
        let documents =
            self.documents.keys().filter_map(|key| Some((key.file()?, self.text(key)?.as_bytes())));
        let documents: Vec<_> = documents.collect();
        let with_letters = self.transactions.iter().filter(|_| with_letters);
        let written = |bundle: LetterBundle<'_>| {
            let mut bytes = Vec::new();
            bundle.write(&mut bytes);
            (bundle.path, bytes)
        };
        let letters: Vec<_> =
            with_letters.flat_map(|transaction| bundles(transaction)).map(written).collect();
        let receipts = self.transactions.iter().flat_map(|transaction| {
            transaction.receipts.iter().map(|mail| layout::receipt(mail, transaction.at))
        });
        let unsynced =
            self.transactions.iter().flat_map(|transaction| layout::unsynced_records(transaction));
        let work = PendingWrites {
            documents: documents.iter().map(|(path, text)| (&**path, *text)).collect(),
            letters: letters.iter().map(|(path, bytes)| (&**path, &**bytes)).collect(),
            receipts: receipts.collect(),
            unsynced: unsynced.collect(),
        };
        apply(disk, home, &work)
    }
}
