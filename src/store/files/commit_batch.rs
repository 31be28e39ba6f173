//! Changes that are committed and not yet in place: read from memory, put in place together.

use super::apply::{PendingWrites, apply};
use super::disk::Disk;
use super::journal::{Clearing, Journal};
use super::layout;
use crate::base::time::Time;
use crate::store::outbox::letter_file;
use crate::store::{Fault, Key, Transaction};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Changes that are committed and not yet in place.
#[derive(Debug, Default)]
pub(super) struct CommitBatch {
    transactions: Vec<Arc<Transaction>>,
    /// The latest text of each document: which transaction's which change.
    documents: HashMap<Key, (usize, usize)>,
    /// The mails written to each mailbox, and when.
    sent: HashMap<[u8; 8], Vec<([u8; 8], Time)>>,
    pub(super) bytes: usize,
    has_letters: bool,
}

impl CommitBatch {
    pub(super) fn add(&mut self, transaction: Arc<Transaction>) {
        let number = self.transactions.len();
        for (at, change) in transaction.changes.iter().enumerate() {
            self.documents.insert(change.key.clone(), (number, at));
        }
        for sent in &transaction.sent {
            self.sent.entry(sent.mailbox).or_default().push((sent.letter, transaction.at));
        }
        self.bytes += transaction.bytes();
        self.has_letters |= !transaction.letters.is_empty();
        self.transactions.push(transaction);
    }

    /// Letters that are durable, in a file that goes out as it is, are needed in memory no more.
    pub(super) fn forget_letters(&mut self) {
        for transaction in self.transactions.iter_mut().filter_map(Arc::get_mut) {
            transaction.letters = Vec::new();
        }
    }

    pub(super) fn text(&self, key: &Key) -> Option<&str> {
        let (number, at) = self.documents.get(key)?;
        Some(&self.transactions[*number].changes[*at].text)
    }

    /// The documents that changed.
    pub(super) fn keys(&self) -> impl ExactSizeIterator<Item = &Key> {
        self.documents.keys()
    }

    /// The mails written to a mailbox, and when.
    pub(super) fn sent(&self, mailbox: &[u8; 8]) -> impl Iterator<Item = ([u8; 8], Time)> {
        self.sent.get(mailbox).into_iter().flatten().copied()
    }

    /// Puts all in place; then the journal counts no more.
    pub(super) fn settle(
        &self,
        disk: &Disk,
        home: &Path,
        journal: Journal,
        clearing: Clearing,
    ) -> Result<(), Fault> {
        let goes_out = self.has_letters && journal.can_go_out();
        self.apply(disk, home, !goes_out)?;
        if goes_out {
            let at = self.transactions.first().map_or(Time::EPOCH, |first| first.at);
            return journal.go_out(disk, home, at);
        }
        journal.finish(disk, clearing)
    }

    fn apply(&self, disk: &Disk, home: &Path, with_letters: bool) -> Result<(), Fault> {
        let documents =
            self.documents.keys().filter_map(|key| Some((key.file()?, self.text(key)?.as_bytes())));
        let documents: Vec<_> = documents.collect();
        let with_letters = self.transactions.iter().filter(|_| with_letters);
        let written = |bundle: letter_file::LetterBundle<'_>| {
            let mut bytes = Vec::new();
            bundle.write(&mut bytes);
            (bundle.path, bytes)
        };
        let letters: Vec<_> = with_letters
            .flat_map(|transaction| letter_file::bundles(transaction))
            .map(written)
            .collect();
        let receipts = self.transactions.iter().flat_map(|transaction| {
            transaction.receipts.iter().map(|mail| layout::receipt(mail, transaction.at))
        });
        let sent = self.transactions.iter().flat_map(|transaction| {
            let at = transaction.at;
            let turned = transaction.turned.iter().map(move |mail| layout::receipt(mail, at));
            turned.chain(transaction.sent.iter().map(move |sent| layout::sent_record(sent, at)))
        });
        let work = PendingWrites {
            documents: documents.iter().map(|(path, text)| (&**path, *text)).collect(),
            letters: letters.iter().map(|(path, bytes)| (&**path, &**bytes)).collect(),
            receipts: receipts.collect(),
            unsynced: sent.collect(),
        };
        apply(disk, home, &work)
    }
}
