//! Reading a home in files: the commits that are not yet in place, then the files.

use super::commit_batch::CommitBatch;
use super::{indexes, layout};
use crate::base::digest::Digest;
use crate::base::time::{Day, Time, TimeSlot};
use crate::store::paths::{is_there, names, read_or_empty};
use crate::store::transaction::{DUE, UNPROVED};
use crate::store::{
    DocumentKind, Documents, Fault, FileStore, Indexes, Key, MailKey, ReceiptStatus, Receipts,
    Register, StoredDocument, Wakeups,
};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::PoisonError;

impl Documents for FileStore {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        self.check_sound()?;
        let pending = self.batches().find_map(|batch| batch.text(key));
        let text = match (pending, key.file()) {
            (Some(text), _) => Some(text.to_owned()),
            (None, None) => None,
            (None, Some(path)) => {
                let path = self.home.join(path);
                match fs::read_to_string(&path) {
                    Ok(text) => Some(text),
                    // A dangling link may lead to a disk that is not mounted.
                    Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(&path)? => {
                        None
                    }
                    Err(error) => return Err(Fault::reading_document(path)(error)),
                }
            }
        };
        let version = text.as_ref().map(Digest::of);
        Ok(StoredDocument { text, version })
    }

    fn load_lossy(&self, key: &Key) -> Result<StoredDocument, Fault> {
        match (self.load(key), key.file()) {
            (Err(fault), Some(file)) if fault.is_damage() => {
                let path = self.home.join(file);
                let bytes = fs::read(&path).map_err(Fault::at("cannot read", path))?;
                let version = Some(Digest::of(&bytes));
                Ok(StoredDocument {
                    text: Some(String::from_utf8_lossy(&bytes).into_owned()),
                    version,
                })
            }
            (loaded, _) => loaded,
        }
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        self.check_sound()?;
        let pending = self.batches().flat_map(CommitBatch::keys);
        let mut found: Vec<_> = pending.filter(|key| kind.has(key)).cloned().collect();
        scan(&self.home, kind, &mut found)?;
        Ok(found)
    }
}

impl Receipts for FileStore {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        self.check_sound()?;
        let mut receipts = self.receipts.lock().unwrap_or_else(PoisonError::into_inner);
        receipts.look_up(&self.home, mail, now)
    }
}

impl Indexes for FileStore {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        self.check_sound()?;
        self.wakeups.wakeups(&self.home, game)
    }

    fn registered(&self, register: Register) -> Result<Vec<String>, Fault> {
        self.check_sound()?;
        indexes::registered_in(&self.home, &register.name())
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        self.check_sound()?;
        let names = names(&self.home.join(UNPROVED))?;
        let mut days: Vec<Day> = names.iter().filter_map(|name| Day::parse(name)).collect();
        days.retain(|day| *day <= until);
        days.sort_unstable();
        Ok(days)
    }

    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault> {
        self.check_sound()?;
        let names = names(&self.home.join(DUE))?;
        let mut slots: Vec<_> = names.iter().filter_map(|name| TimeSlot::parse(name)).collect();
        slots.sort_unstable();
        Ok(slots)
    }

    fn sent_count(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        self.check_sound()?;
        let today = layout::sent_file(mailbox, now);
        let pending = self.batches().flat_map(|batch| batch.sent_to(&mailbox));
        let pending = pending.filter(|mail| layout::sent_file(mailbox, mail.at) == today);
        let mut letters: BTreeSet<[u8; 8]> = pending.map(|mail| mail.letter).collect();
        let path = self.home.join(today);
        layout::sent_in(&read_or_empty(&path)?, mailbox, &mut letters);
        Ok(letters.len())
    }
}

/// Adds all documents of a kind that have a file to `found`; ascending and unique.
fn scan(home: &Path, kind: DocumentKind, found: &mut Vec<Key>) -> Result<(), Fault> {
    let folder = home.join(kind.folder());
    for part in names(&folder)? {
        match names(&folder.join(part)) {
            Ok(names) => found.extend(names.iter().filter_map(|name| kind.named(name))),
            // Indexes lie beside the folders of documents.
            Err(fault) if fault.source.kind() == io::ErrorKind::NotADirectory => {}
            Err(fault) => return Err(fault),
        }
    }
    found.sort();
    found.dedup();
    Ok(())
}
