//! Documents, receipts, letters and indexes in memory, with the semantics of
//! [`FileStore`](super::super::FileStore).

use crate::base::digest::Digest;
use crate::base::time::{Day, Month, Time, TimeSlot};
use crate::store::files::layout::sent_file;
use crate::store::receipt::{receipt_months, receipt_status};
use crate::store::{
    DocumentKind, DocumentVersion, Documents, Fault, Indexes, Key, Letter, MailKey, ReceiptStatus,
    Receipts, Register, SentRecord, Store, StoredDocument, Transaction, Wakeups,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Documents, receipts, letters and indexes in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    documents: BTreeMap<Key, String>,
    receipts: BTreeMap<Digest, BTreeSet<(Digest, Month)>>,
    sent: BTreeMap<String, BTreeSet<SentRecord>>,
    letters: Vec<Letter>,
    wakeups: BTreeMap<(&'static str, u32), Time>,
    scans: BTreeMap<&'static str, Time>,
    registered: BTreeSet<(Register, String)>,
}

impl MemoryStore {
    /// Returns an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns all letters since the last [`take_letters`](Self::take_letters), in order of their
    /// commits.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Takes the letters committed since the last call.
    pub fn take_letters(&mut self) -> Vec<Letter> {
        std::mem::take(&mut self.letters)
    }
}

impl Documents for MemoryStore {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        let text = self.documents.get(key).cloned();
        let version = text.as_ref().map(Digest::of);
        Ok(StoredDocument { text, version })
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        Ok(self.documents.keys().filter(|key| kind.has(key)).cloned().collect())
    }
}

impl Receipts for MemoryStore {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        let months: Vec<_> = receipt_months(now).collect();
        let known = self.receipts.get(&mail.id).into_iter().flatten();
        let mut answer = ReceiptStatus::Never;
        for (content, recorded) in known.filter(|(_, month)| months.contains(month)) {
            if *content == mail.content {
                // A renewed receipt is kept beside the old one.
                match receipt_status(*recorded, now) {
                    ReceiptStatus::Executed => return Ok(ReceiptStatus::Executed),
                    fading => answer = fading,
                }
            } else if answer == ReceiptStatus::Never {
                answer = ReceiptStatus::Reused;
            }
        }
        Ok(answer)
    }
}

impl Indexes for MemoryStore {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        let mut wakeups =
            Wakeups { scanned: self.scans.get(game).copied().unwrap_or_default(), boards: vec![] };
        for ((_, number), at) in self.wakeups.range((game, 1)..=(game, u32::MAX)) {
            wakeups.boards.resize(*number as usize - 1, Time::EPOCH);
            wakeups.boards.push(*at);
        }
        Ok(wakeups)
    }

    fn registered(&self, register: Register) -> Result<Vec<String>, Fault> {
        let entries = self.registered.iter().filter(|(of, _)| *of == register);
        Ok(entries.map(|(_, user)| user.clone()).collect())
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        let days = self.registered.iter().filter_map(|(register, _)| match register {
            Register::Unproved(day) if *day <= until => Some(*day),
            _ => None,
        });
        Ok(days.collect::<BTreeSet<_>>().into_iter().collect())
    }

    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault> {
        let slots = self.registered.iter().filter_map(|(register, _)| match register {
            Register::Due(slot) => Some(*slot),
            _ => None,
        });
        Ok(slots.collect::<BTreeSet<_>>().into_iter().collect())
    }

    fn sent_count(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        let today = self.sent.get(&sent_file(mailbox, now)).into_iter().flatten();
        Ok(today.filter(|sent| sent.mailbox == mailbox).count())
    }
}

impl Store for MemoryStore {
    fn remove(
        &mut self,
        documents: &[(Key, DocumentVersion)],
        register: Register,
    ) -> Result<(), Fault> {
        for (key, version) in documents {
            if self.load(key)?.version == *version {
                self.documents.remove(key);
            }
        }
        self.registered.retain(|(of, _)| *of != register);
        Ok(())
    }

    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        for change in &transaction.changes {
            if self.load(&change.key)?.version != change.was {
                let why = "it has changed since it was read";
                let path = change.key.file().unwrap_or_default();
                return Err(Fault::because("cannot commit", path, io::ErrorKind::Other, why));
            }
        }
        for change in &transaction.changes {
            self.documents.insert(change.key.clone(), change.text.clone());
        }
        for mail in transaction.receipts.iter().chain(&transaction.swapped_receipts) {
            self.receipts
                .entry(mail.id)
                .or_default()
                .insert((mail.content, transaction.at.month()));
        }
        for sent in &transaction.sent {
            self.sent.entry(sent_file(sent.mailbox, transaction.at)).or_default().insert(*sent);
        }
        self.letters.extend(transaction.letters);
        let wakeups = transaction.index_updates.wakeups.iter();
        self.wakeups.extend(wakeups.map(|(id, at)| ((id.game, id.number), *at)));
        self.scans.extend(transaction.index_updates.scans.iter().copied());
        self.registered.extend(transaction.index_updates.registered.iter().cloned());
        Ok(())
    }
}
