//! A draft of a repair: changed documents in front of a store.

use super::RepairError;
use crate::base::digest::Digest;
use crate::base::ids::{BoardId, UserId};
use crate::base::time::{Day, Time, TimeSlot};
use crate::model::board::Board;
use crate::model::document::Document;
use crate::model::user::User;
use crate::model::world::user_key;
use crate::refusal::OperatorRefusal;
use crate::server::check;
use crate::store::{
    DocumentChange, DocumentKind, DocumentVersion, Documents, Fault, IndexUpdates, Indexes, Key,
    MailKey, ReceiptStatus, Receipts, Register, Store, StoredDocument, Transaction, Wakeups,
};
use std::collections::BTreeMap;

/// Changes to be committed together.
pub(super) struct RepairDraft<'a> {
    store: &'a dyn Store,
    changes: BTreeMap<Key, DocumentChange>,
    pub(super) index_updates: IndexUpdates,
}

impl<'a> RepairDraft<'a> {
    pub(super) fn new(store: &'a dyn Store) -> Self {
        Self { store, changes: BTreeMap::new(), index_updates: IndexUpdates::default() }
    }

    /// Returns the text of a document, if it exists.
    pub(super) fn text(&self, key: &Key) -> Result<Option<String>, RepairError> {
        match self.load(key) {
            Ok(document) => Ok(document.text),
            Err(fault) if fault.is_damage() => Err(damaged(key, &fault.source).into()),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Reads a document, if it exists.
    pub(super) fn document<T: Document>(&self, id: &T::Id) -> Result<Option<T>, RepairError> {
        let key = T::key(id);
        let Some(text) = self.text(&key)? else { return Ok(None) };
        Ok(Some(T::from_text(id, &text).map_err(|why| damaged(&key, &why))?))
    }

    /// Reads a board, if it exists.
    pub(super) fn board(&self, id: BoardId) -> Result<Option<Board>, RepairError> {
        self.document(&id)
    }

    /// Reads a user, present or departed, if they exist.
    pub(super) fn user(&self, id: &UserId) -> Result<Option<User>, RepairError> {
        self.document(id)
    }

    pub(super) fn put_user(&mut self, user: &User) -> Result<(), Fault> {
        self.put(user_key(&user.id), user.write())
    }

    pub(super) fn put(&mut self, key: Key, text: String) -> Result<(), Fault> {
        let was = self.load(&key)?.version;
        self.put_over(key, was, text);
        Ok(())
    }

    /// Puts a document whose version was read elsewhere.
    pub(super) fn put_over(&mut self, key: Key, was: DocumentVersion, text: String) {
        self.changes.insert(key.clone(), DocumentChange { key, was, text });
    }

    /// Recomputes the ratings of a game. Returns how many other boards changed.
    pub(super) fn rate_anew(&mut self, id: BoardId, now: Time) -> Result<usize, RepairError> {
        let report = check::rate_anew(self, id.game, now)?;
        if let Some(line) = report.wrong.into_iter().next() {
            return Err(RepairError::Unrated(line));
        }
        let is_other = |change: &&DocumentChange| matches!(change.key, Key::Board(_, number) if number != id.number);
        let others = report.repair.changes.iter().filter(is_other).count();
        self.commit(report.repair)?;
        Ok(others)
    }

    /// Returns the changes that differ from the stored documents.
    pub(super) fn into_changes(self) -> (Vec<DocumentChange>, IndexUpdates) {
        let differs =
            |change: &DocumentChange| change.was != Some(Digest::of(change.text.as_bytes()));
        (self.changes.into_values().filter(differs).collect(), self.index_updates)
    }
}

pub(super) fn damaged(key: &Key, why: &dyn std::fmt::Display) -> OperatorRefusal {
    OperatorRefusal::Damaged { file: key.to_string(), why: why.to_string() }
}

impl Documents for RepairDraft<'_> {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        match self.changes.get(key) {
            // The drafted text, at the version of the stored document.
            Some(DocumentChange { was, text, .. }) => {
                Ok(StoredDocument { text: Some(text.clone()), version: *was })
            }
            None => self.store.load(key),
        }
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        let mut keys = self.store.keys(kind)?;
        keys.extend(self.changes.keys().filter(|key| kind.has(key)).cloned());
        keys.sort();
        keys.dedup();
        Ok(keys)
    }
}

impl Receipts for RepairDraft<'_> {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        self.store.receipt(mail, now)
    }
}

impl Indexes for RepairDraft<'_> {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        self.store.wakeups(game)
    }

    fn registered(&self, register: Register) -> Result<Vec<String>, Fault> {
        self.store.registered(register)
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        self.store.unproved_days(until)
    }

    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault> {
        self.store.due_slots()
    }

    fn sent_count(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        self.store.sent_count(mailbox, now)
    }
}

impl Store for RepairDraft<'_> {
    fn remove(&mut self, _: &[(Key, DocumentVersion)], _: Register) -> Result<(), Fault> {
        unreachable!("a draft removes nothing")
    }

    /// Adds a transaction to the draft; nothing becomes durable.
    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        let keyed = |change: DocumentChange| (change.key.clone(), change);
        self.changes.extend(transaction.changes.into_iter().map(keyed));
        self.index_updates.wakeups.extend(transaction.index_updates.wakeups);
        self.index_updates.registered.extend(transaction.index_updates.registered);
        Ok(())
    }
}
