//! The home on disk: plain files that an operator can read, copy and mend.

use super::apply::{SPARES, make_room};
use super::commit_batch::CommitBatch;
use super::disk::Disk;
use super::indexes::WakeupIndex;
use super::init::{lock_path, lock_path_of_moving};
use super::journal::recovery::{is_due, recover};
use super::journal::{Clearing, Journal, JournalError};
use super::lock::Lock;
use super::receipt_cache::ReceiptCache;
use super::run_marker::FileMarker;
use super::{changes, indexes, init, journal};
use crate::base::digest::Digest;
use crate::store::log::{log_all, record};
use crate::store::paths::is_there;
use crate::store::spool::file_spool;
use crate::store::{
    DocumentVersion, Documents, Fault, FileHome, Key, LogEntry, Marker, OpenHome, Register,
    SpoolStore, Store, Transaction,
};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::SystemTime;

/// So many bytes of journal, and what is in them is put in place.
const BATCH: usize = 8 << 20;
/// So many documents, and they are put in place: with a group more there is still a spare file for
/// each.
const DOCUMENTS: usize = SPARES - 64;

/// A home on disk, under its lock.
///
/// A committed change is durable in the journal at once and put in place later, many changes
/// together: by a thread of its own once they are many, the rest at [`close`](Self::close) or when
/// dropped. Until then they are read from memory, all but letters, which nobody reads.
#[derive(Debug)]
pub struct FileStore {
    pub(super) home: PathBuf,
    disk: Disk,
    /// Committed, not yet being put in place.
    batch: CommitBatch,
    journal: Option<Journal>,
    /// A record being written, and made durable, into the journal.
    writing: Option<WriteThread>,
    /// The transaction of that record.
    begun: Option<Arc<Transaction>>,
    /// Being put in place.
    under_way: Option<ApplyThread>,
    /// See [`set_batch`](Self::set_batch).
    batch_size: usize,
    next_number: u64,
    epoch: u64,
    pub(super) looks: WakeupIndex,
    pub(super) known: Mutex<ReceiptCache>,
    /// Set once it is not known what the disk holds: then only a new opening helps.
    broken: bool,
    /// Let go of last.
    _lock: Lock,
}

/// The files of a home opened for reading, beside any number of others: all of [`FileStore`] but what
/// changes them.
#[derive(Debug)]
pub struct ReadOnlyStore(pub(super) FileStore);

impl Deref for ReadOnlyStore {
    type Target = FileStore;

    fn deref(&self) -> &FileStore {
        &self.0
    }
}

/// A thread that writes a record, and gives the journal back.
type WriteThread = JoinHandle<(Journal, Result<(), JournalError>)>;

/// The batch that a thread is putting in place.
type ApplyThread = (Arc<CommitBatch>, JoinHandle<Result<(), Fault>>);

impl FileStore {
    /// Opens a home for reading and writing: waits until nobody else has it open, and puts in
    /// place first what a crash left in the journal.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    pub fn open(home: &Path) -> Result<Self, Fault> {
        Self::open_in(&FileHome::new(home))
    }

    /// [`open`](Self::open) on a watched disk.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_on(home: &Path, disk: Disk) -> Result<Self, Fault> {
        Self::open_in(&FileHome::new(home).with_disk(disk))
    }

    /// Opens the home in a folder, as [`open`](Self::open) does.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_in(folder: &FileHome) -> Result<Self, Fault> {
        let lock = Lock::exclusive(&lock_path(&folder.path)?)?;
        // It may have been moved while this waited.
        lock_path(&folder.path)?;
        Self::recovered(folder, lock)
    }

    /// Opens the home in a folder that is being moved, to move it.
    pub(in crate::store) fn open_to_move(folder: &FileHome) -> Result<Self, Fault> {
        let lock = Lock::exclusive(&lock_path_of_moving(&folder.path)?)?;
        Self::recovered(folder, lock)
    }

    fn recovered(folder: &FileHome, lock: Lock) -> Result<Self, Fault> {
        let latest = recover(&folder.disk, &folder.path, folder.validator)?;
        Ok(Self::under(folder, lock, latest))
    }

    /// Opens a home for reading: waits until nobody writes. If a crash left something in the
    /// journal, that is put in place first.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(home: &Path) -> Result<ReadOnlyStore, Fault> {
        Self::read_in(&FileHome::new(home))
    }

    /// Opens the home in a folder for reading, as [`read`](Self::read) does.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read_in(folder: &FileHome) -> Result<ReadOnlyStore, Fault> {
        let path = lock_path(&folder.path)?;
        loop {
            let lock = Lock::shared(&path)?;
            lock_path(&folder.path)?;
            if !is_due(&folder.path)? {
                return Ok(ReadOnlyStore(Self::under(folder, lock, 0)));
            }
            drop(lock);
            drop(Self::open_in(folder).map_err(|fault| unfinished(folder, fault))?);
        }
    }

    fn under(folder: &FileHome, lock: Lock, latest: u64) -> Self {
        Self {
            home: folder.path.clone(),
            disk: folder.disk.clone(),
            batch: CommitBatch::default(),
            journal: None,
            writing: None,
            begun: None,
            under_way: None,
            batch_size: BATCH,
            next_number: 0,
            epoch: latest,
            looks: WakeupIndex::default(),
            known: Mutex::default(),
            broken: false,
            _lock: lock,
        }
    }

    /// Where it is.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// After so many bytes of journal, what is in them is put in place: 8 MB if nothing is said.
    /// Up to three times as much is held in memory.
    pub fn set_batch(&mut self, bytes: usize) {
        self.batch_size = bytes;
    }

    /// Puts all in place that was committed, and lets go of the home.
    ///
    /// # Errors
    /// The machine failed: what was committed stays in the journal, for the next opening.
    pub fn close(mut self) -> Result<(), Fault> {
        self.settle()
    }

    /// Puts all in place that was committed.
    ///
    /// # Errors
    /// As [`close`](Self::close).
    pub fn settle(&mut self) -> Result<(), Fault> {
        self.finish()?;
        self.wait()?;
        // All that was committed is durable now, so that boards need not be looked at before.
        self.looks.write(&self.disk, &self.home);
        if let Some(journal) = self.journal.take() {
            let batch = std::mem::take(&mut self.batch);
            self.broken = true;
            batch.settle(&self.disk, &self.home, journal, Clearing::Cheap)?;
            self.broken = false;
            self.next_number = 0;
        }
        self.known = Mutex::default();
        Ok(())
    }

    /// A transaction is, or is being, committed.
    fn note(&mut self, transaction: Arc<Transaction>) {
        self.known.get_mut().unwrap_or_else(PoisonError::into_inner).record(&transaction);
        self.batch.add(transaction);
    }

    /// All that was committed is durable.
    fn forget_letters(&mut self) {
        if self.journal.as_ref().is_some_and(Journal::can_go_out) {
            self.batch.forget_letters();
        }
    }

    /// All that comes before a record is written.
    fn prepare(&mut self, transaction: &Transaction) -> Result<(), Fault> {
        self.finish()?;
        self.check(transaction)?;
        self.looks.stage(&self.disk, &self.home, &transaction.index_updates)?;
        indexes::name(&self.disk, &self.home, &transaction.index_updates.registered)?;
        if self.batch.bytes >= self.batch_size || self.batch.keys().len() >= DOCUMENTS {
            self.hand_over()?;
        }
        Ok(())
    }

    fn thread<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, Fault> {
        let builder = std::thread::Builder::new().name("store".to_owned());
        builder.spawn(work).map_err(|error| {
            // The journal went with it.
            self.broken = true;
            Fault::at("cannot start a thread for", &self.home)(error)
        })
    }

    fn ended(&self) -> Fault {
        let why = "the thread that writes to it panicked";
        Fault::because("cannot write", &self.home, io::ErrorKind::Other, why)
    }

    pub(super) fn sound(&self) -> Result<(), Fault> {
        if !self.broken {
            return Ok(());
        }
        let why = "an earlier write failed, it is not trusted until it is opened again";
        Err(Fault::because("cannot use", &self.home, io::ErrorKind::Other, why))
    }

    /// Waits until what is being put in place is there.
    fn wait(&mut self) -> Result<(), Fault> {
        let Some((_, thread)) = self.under_way.take() else { return Ok(()) };
        let result = thread.join().map_err(|_| self.ended()).flatten();
        self.broken |= result.is_err();
        result
    }

    /// Lets a thread put in place what was committed up to now.
    fn hand_over(&mut self) -> Result<(), Fault> {
        self.wait()?;
        let Some(journal) = self.journal.take() else { return Ok(()) };
        let batch = Arc::new(std::mem::take(&mut self.batch));
        let (disk, home, theirs) = (self.disk.clone(), self.home.clone(), Arc::clone(&batch));
        let work = move || theirs.settle(&disk, &home, journal, Clearing::Durable);
        let thread = self.thread(work)?;
        self.under_way = Some((batch, thread));
        self.next_number += 1;
        Ok(())
    }

    /// Both batches, the latest first.
    pub(super) fn batches(&self) -> impl Iterator<Item = &CommitBatch> {
        std::iter::once(&self.batch).chain(self.under_way.as_ref().map(|(batch, _)| &**batch))
    }

    fn check(&self, transaction: &Transaction) -> Result<(), Fault> {
        for change in &transaction.changes {
            let path = journal::file(&change.key)?;
            let pending = self.batches().find_map(|batch| batch.text(&change.key));
            let now = pending.map(Digest::of);
            let stale = match (now, change.was) {
                (Some(_), was) => now != was,
                // Nothing new may take the place of a file, whatever a count says.
                (None, None) => is_there(&self.home.join(&path))?,
                // The file on the disk was read under this lock; tests look at it again.
                (None, was) => {
                    cfg!(debug_assertions) && self.load_damaged(&change.key)?.version != was
                }
            };
            if stale {
                let why = "it was changed since it was read";
                return Err(Fault::because("cannot commit", path, io::ErrorKind::Other, why));
            }
        }
        Ok(())
    }

    fn journal(&mut self) -> Result<&mut Journal, Fault> {
        if self.journal.is_none() {
            let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let nanos = clock.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(0));
            self.epoch = nanos.max(self.epoch + 1);
            let which = (self.next_number, self.epoch);
            let long = self.batch_size / 8;
            self.journal = Some(Journal::start(&self.disk, &self.home, which, long)?);
        }
        Ok(self.journal.as_mut().expect("it was made just now"))
    }
}

impl Drop for FileStore {
    fn drop(&mut self) {
        // A failure leaves the journal as it is, for the next opening. Whatever failed, the threads
        // end before the lock is let go of.
        let _ = self.finish();
        let _ = self.wait();
        let _ = self.settle();
    }
}

impl OpenHome for FileStore {
    fn key(&self) -> Result<[u8; 32], Fault> {
        init::key(&self.home)
    }

    fn dice_keys(&self) -> Result<Vec<[u8; 32]>, Fault> {
        init::dice_keys(&self.home)
    }

    fn add_dice_key(&mut self, key: &[u8; 32]) -> Result<(), Fault> {
        init::add_dice_key(&self.disk, &self.home, key)
    }

    fn tray(&self) -> Box<dyn SpoolStore> {
        Box::new(file_spool::FileSpool::new(&self.home, &self.disk))
    }

    fn marker(&self) -> Box<dyn Marker> {
        Box::new(FileMarker::new(&self.home, &self.disk))
    }

    fn log(&self, lines: &[&str]) -> Result<(), Fault> {
        log_all(&self.home, lines)
    }

    fn record(&self, entries: &[LogEntry]) -> Result<(), Fault> {
        record(&self.home, entries)
    }

    fn close(self: Box<Self>) -> Result<(), Fault> {
        Self::close(*self)
    }
}

impl Store for FileStore {
    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.prepare(&transaction)?;
        if is_empty(&transaction) {
            self.looks.commit_staged();
            return Ok(());
        }
        let (disk, home) = (self.disk.clone(), self.home.clone());
        if let Err(unwritten) = append(&disk, &home, self.journal()?, &transaction) {
            self.broken = !unwritten.void;
            return Err(unwritten.fault);
        }
        self.looks.commit_staged();
        changes::record_changes(&self.home, &transaction);
        self.note(Arc::new(transaction));
        self.forget_letters();
        Ok(())
    }

    fn remove(
        &mut self,
        documents: &[(Key, DocumentVersion)],
        register: Register,
    ) -> Result<(), Fault> {
        // Nothing of them is left in the journal, which would bring them back.
        self.settle()?;
        for (key, version) in documents {
            if self.load_damaged(key)?.version == *version {
                self.disk.remove(&self.home.join(journal::file(key)?))?;
            }
        }
        self.disk.sync_all(&self.home)?;
        self.disk.remove(&self.home.join(register.name()))
    }

    fn begin(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.prepare(&transaction)?;
        if is_empty(&transaction) {
            self.looks.commit_staged();
            return Ok(());
        }
        self.journal()?;
        let Some(mut journal) = self.journal.take() else { return Ok(()) };
        let transaction = Arc::new(transaction);
        let (disk, home) = (self.disk.clone(), self.home.clone());
        let theirs = Arc::clone(&transaction);
        let work = move || {
            let result = append(&disk, &home, &mut journal, &theirs);
            (journal, result)
        };
        self.writing = Some(self.thread(work)?);
        self.begun = Some(Arc::clone(&transaction));
        self.note(transaction);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Fault> {
        if let Some(writing) = self.writing.take() {
            self.broken = true;
            let (journal, result) = writing.join().map_err(|_| self.ended())?;
            self.journal = Some(journal);
            let begun = self.begun.take();
            result.map_err(|unwritten| unwritten.fault)?;
            if let Some(begun) = begun {
                changes::record_changes(&self.home, &begun);
            }
            self.looks.commit_staged();
            self.forget_letters();
            self.broken = false;
        }
        self.sound()
    }
}

/// Makes a transaction durable in the journal. When the disk is full, the spare files give their
/// room.
fn append(
    disk: &Disk,
    home: &Path,
    journal: &mut Journal,
    transaction: &Transaction,
) -> Result<(), JournalError> {
    match journal.append(disk, transaction) {
        Err(unwritten) if unwritten.void && unwritten.fault.is_full() => {
            make_room(disk, home).map_err(|fault| JournalError { fault, void: true })?;
            journal.append(disk, transaction)
        }
        result => result,
    }
}

/// The fault of a disk that lets nobody finish what the journal holds, so that nobody can look either.
fn unfinished(folder: &FileHome, fault: Fault) -> Fault {
    if fault.source.kind() != io::ErrorKind::ReadOnlyFilesystem && !fault.is_full() {
        return fault;
    }
    let doing = "cannot finish a change that waits in the journal of";
    Fault { doing, path: folder.path.clone(), source: fault.source }
}

fn is_empty(transaction: &Transaction) -> bool {
    let Transaction { changes, reads: _, letters, receipts, sent, .. } = transaction;
    changes.is_empty() && letters.is_empty() && receipts.is_empty() && sent.is_empty()
}
