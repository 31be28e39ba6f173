//! The open home in files: commits into the journal, and putting them in place.

use super::apply::{SPARES, remove_spares};
use super::commit_batch::CommitBatch;
use super::disk::Disk;
use super::indexes::WakeupIndex;
use super::init::{lock_path, lock_path_of_moving};
use super::journal::recovery::{is_due, recover};
use super::journal::{Clearing, Journal, JournalError, JournalId};
use super::lock::Lock;
use super::receipt_cache::ReceiptCache;
use super::run_marker::FileMarker;
use super::{changes, fresh_letters, indexes, init, journal};
use crate::base::digest::Digest;
use crate::store::log::{log_all, record};
use crate::store::outbox::letter_file::bundles;
use crate::store::paths::is_there;
use crate::store::spool::file_spool;
use crate::store::{
    DocumentVersion, Documents, Fault, FileHome, Key, LogEntry, OpenHome, Register, RunMarker,
    SpoolStore, Store, Transaction,
};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::SystemTime;

/// The bytes of journal after which a batch is put in place.
const BATCH_BYTES: usize = 8 << 20;
/// The number of documents after which a batch is put in place: with another group of mails there
/// is still a spare file for each.
const BATCH_DOCUMENTS: usize = SPARES - 64;

/// A home in files, under its lock.
///
/// A commit is durable in the journal at once, and is put in place later, many together: by a
/// thread of its own when they are many, the rest at [`close`](Self::close) or when dropped. Until
/// then they are read from memory. Letters are offered to the sender of this process.
#[derive(Debug)]
pub struct FileStore {
    pub(super) home: PathBuf,
    disk: Disk,
    /// Commits that are not yet being put in place.
    batch: CommitBatch,
    journal: Option<Journal>,
    /// The record that is being written.
    writing: Option<WriteThread>,
    /// The batch that is being put in place.
    applying: Option<ApplyThread>,
    /// See [`set_batch_bytes`](Self::set_batch_bytes).
    batch_bytes: usize,
    next_number: u64,
    epoch: u64,
    pub(super) wakeups: WakeupIndex,
    pub(super) receipts: Mutex<ReceiptCache>,
    /// Whether the letters of all commits so far were offered to the sender of this process.
    offers_letters: bool,
    /// Whether it is unknown what the disk holds: then the home must be opened again.
    is_broken: bool,
    /// Released last.
    _lock: Lock,
}

/// A home in files opened for reading, beside any number of other readers.
#[derive(Debug)]
pub struct ReadOnlyStore(pub(super) FileStore);

impl Deref for ReadOnlyStore {
    type Target = FileStore;

    fn deref(&self) -> &FileStore {
        &self.0
    }
}

/// A thread that writes the record of a transaction and syncs it.
#[derive(Debug)]
struct WriteThread {
    transaction: Arc<Transaction>,
    handle: JoinHandle<WrittenRecord>,
}

/// The journal that a thread gives back.
#[derive(Debug)]
struct WrittenRecord {
    journal: Journal,
    result: Result<(), JournalError>,
}

/// A thread that puts a batch in place.
#[derive(Debug)]
struct ApplyThread {
    batch: Arc<CommitBatch>,
    handle: JoinHandle<Result<(), Fault>>,
}

impl FileStore {
    /// Opens a home for reading and writing, as soon as nobody else has it open, and first puts in
    /// place what a crash left in the journal.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    pub fn open(home: &Path) -> Result<Self, Fault> {
        Self::open_in(&FileHome::new(home))
    }

    /// [`open`](Self::open) on a disk that a test may watch.
    pub fn open_on(home: &Path, disk: Disk) -> Result<Self, Fault> {
        Self::open_in(&FileHome::new(home).with_disk(disk))
    }

    /// [`open`](Self::open) for a [`FileHome`].
    pub fn open_in(folder: &FileHome) -> Result<Self, Fault> {
        let lock = Lock::exclusive(&lock_path(&folder.path)?)?;
        // The home may have been moved meanwhile.
        lock_path(&folder.path)?;
        Self::open_recovered(folder, lock)
    }

    /// Opens a home that is being moved, to move it.
    pub(in crate::store) fn open_to_move(folder: &FileHome) -> Result<Self, Fault> {
        let lock = Lock::exclusive(&lock_path_of_moving(&folder.path)?)?;
        Self::open_recovered(folder, lock)
    }

    fn open_recovered(folder: &FileHome, lock: Lock) -> Result<Self, Fault> {
        let latest = recover(&folder.disk, &folder.path, folder.validator)?;
        Ok(Self::with_lock(folder, lock, latest))
    }

    /// Opens a home for reading, as soon as nobody writes. If a crash left something in the
    /// journal, that is put in place first.
    pub fn read(home: &Path) -> Result<ReadOnlyStore, Fault> {
        Self::read_in(&FileHome::new(home))
    }

    /// [`read`](Self::read) for a [`FileHome`].
    pub fn read_in(folder: &FileHome) -> Result<ReadOnlyStore, Fault> {
        let path = lock_path(&folder.path)?;
        loop {
            let lock = Lock::shared(&path)?;
            lock_path(&folder.path)?;
            if !is_due(&folder.path)? {
                return Ok(ReadOnlyStore(Self::with_lock(folder, lock, 0)));
            }
            drop(lock);
            drop(Self::open_in(folder).map_err(|fault| unfinished(folder, fault))?);
        }
    }

    /// Returns an open home whose journal is recovered.
    fn with_lock(folder: &FileHome, lock: Lock, latest_epoch: u64) -> Self {
        Self {
            home: folder.path.clone(),
            disk: folder.disk.clone(),
            batch: CommitBatch::default(),
            journal: None,
            writing: None,
            applying: None,
            batch_bytes: BATCH_BYTES,
            next_number: 0,
            epoch: latest_epoch,
            wakeups: WakeupIndex::default(),
            receipts: Mutex::default(),
            offers_letters: true,
            is_broken: false,
            _lock: lock,
        }
    }

    /// Returns the folder of the home.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Sets the bytes of journal after which a batch is put in place; 8 MB by default. Up to three
    /// times as much is held in memory.
    pub fn set_batch_bytes(&mut self, bytes: usize) {
        self.batch_bytes = bytes;
    }

    /// Puts all committed changes in place, and releases the home.
    ///
    /// # Errors
    /// The machine failed: committed changes stay in the journal, for the next process that opens
    /// the home.
    pub fn close(mut self) -> Result<(), Fault> {
        self.settle()
    }

    /// Puts all committed changes in place.
    pub fn settle(&mut self) -> Result<(), Fault> {
        self.finish_commits()?;
        self.join_apply()?;
        // Everything is durable now, so boards need not be looked at before.
        self.wakeups.write(&self.disk, &self.home);
        if let Some(journal) = self.journal.take() {
            let batch = std::mem::take(&mut self.batch);
            self.is_broken = true;
            batch.settle(&self.disk, &self.home, journal, Clearing::Cheap)?;
            self.is_broken = false;
            self.next_number = 0;
        }
        self.receipts = Mutex::default();
        Ok(())
    }

    /// Adds a transaction that is, or is being, committed.
    fn add_to_batch(&mut self, transaction: Arc<Transaction>) {
        self.receipts.get_mut().unwrap_or_else(PoisonError::into_inner).record(&transaction);
        self.batch.add(transaction);
    }

    /// Offers the letters of a durable commit to the sender of this process. Once those of a commit were not
    /// offered, later ones wait, too.
    fn offer_letters(&mut self, transaction: &Transaction) {
        if !self.offers_letters {
            return;
        }
        let mut files = bundles(transaction);
        let Some(first) = files.next() else { return };
        let letters = &transaction.letters;
        self.offers_letters = files.next().is_none()
            && fresh_letters::offer(&self.home, letters, first.file_name().to_owned());
    }

    /// Drops the letters of a long journal from memory, once they are durable.
    fn forget_letters(&mut self) {
        if self.journal.as_ref().is_some_and(Journal::can_move_to_outbox) {
            self.batch.forget_letters();
        }
    }

    /// Does everything that comes before a record is written.
    fn prepare(&mut self, transaction: &Transaction) -> Result<(), Fault> {
        self.finish_commits()?;
        self.check_versions(transaction)?;
        self.wakeups.stage(&self.disk, &self.home, &transaction.index_updates)?;
        indexes::register(&self.disk, &self.home, &transaction.index_updates.registered)?;
        if self.batch.bytes >= self.batch_bytes || self.batch.keys().len() >= BATCH_DOCUMENTS {
            self.apply_in_background()?;
        }
        Ok(())
    }

    /// Starts a thread for `work`.
    fn spawn<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, Fault> {
        let builder = std::thread::Builder::new().name("store".to_owned());
        builder.spawn(work).map_err(|error| {
            // The journal was moved into the closure.
            self.is_broken = true;
            Fault::at("cannot start a thread for", &self.home)(error)
        })
    }

    fn thread_fault(&self) -> Fault {
        let why = "the thread that writes to it panicked";
        Fault::because("cannot write", &self.home, io::ErrorKind::Other, why)
    }

    /// Refuses to go on after a failed write.
    pub(super) fn check_sound(&self) -> Result<(), Fault> {
        if !self.is_broken {
            return Ok(());
        }
        let why = "an earlier write failed; the home is not trusted until it is opened again";
        Err(Fault::because("cannot use", &self.home, io::ErrorKind::Other, why))
    }

    /// Waits until the batch that is being put in place is there.
    fn join_apply(&mut self) -> Result<(), Fault> {
        let Some(ApplyThread { handle, .. }) = self.applying.take() else { return Ok(()) };
        let result = handle.join().map_err(|_| self.thread_fault()).flatten();
        self.is_broken |= result.is_err();
        result
    }

    /// Starts a thread that puts the commits up to now in place.
    fn apply_in_background(&mut self) -> Result<(), Fault> {
        self.join_apply()?;
        let Some(journal) = self.journal.take() else { return Ok(()) };
        let batch = Arc::new(std::mem::take(&mut self.batch));
        let (disk, home, theirs) = (self.disk.clone(), self.home.clone(), Arc::clone(&batch));
        let work = move || theirs.settle(&disk, &home, journal, Clearing::Durable);
        let handle = self.spawn(work)?;
        self.applying = Some(ApplyThread { batch, handle });
        self.next_number += 1;
        Ok(())
    }

    /// Returns both batches, the latest first.
    pub(super) fn batches(&self) -> impl Iterator<Item = &CommitBatch> {
        std::iter::once(&self.batch).chain(self.applying.as_ref().map(|it| &*it.batch))
    }

    /// Refuses a transaction if a document has changed since it was read.
    fn check_versions(&self, transaction: &Transaction) -> Result<(), Fault> {
        for change in &transaction.changes {
            let path = journal::file_of(&change.key)?;
            let pending = self.batches().find_map(|batch| batch.text(&change.key));
            let now = pending.map(Digest::of);
            let is_stale = match (now, change.was) {
                (Some(_), was) => now != was,
                // A new document never replaces a file, whatever the counter of boards says.
                (None, None) => is_there(&self.home.join(&path))?,
                // The file was read under this lock; tests compare it again.
                (None, was) => {
                    cfg!(debug_assertions) && self.load_lossy(&change.key)?.version != was
                }
            };
            if is_stale {
                let why = "it has changed since it was read";
                return Err(Fault::because("cannot commit", path, io::ErrorKind::Other, why));
            }
        }
        Ok(())
    }

    /// Returns the current journal file, or starts one.
    fn journal(&mut self) -> Result<&mut Journal, Fault> {
        if self.journal.is_none() {
            let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let nanos = clock.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(0));
            self.epoch = nanos.max(self.epoch + 1);
            let id = JournalId { number: self.next_number, epoch: self.epoch };
            let long = self.batch_bytes / 8;
            self.journal = Some(Journal::start(&self.disk, &self.home, id, long)?);
        }
        Ok(self.journal.as_mut().expect("it was created just now"))
    }
}

impl Drop for FileStore {
    fn drop(&mut self) {
        // After a failure the journal stays for the next process that opens the home. The threads
        // end before the lock is released.
        let _ = self.finish_commits();
        let _ = self.join_apply();
        let _ = self.settle();
        // Others may claim them now.
        fresh_letters::withdraw(&self.home);
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

    fn spool_store(&self) -> Box<dyn SpoolStore> {
        Box::new(file_spool::FileSpool::new(&self.home, &self.disk))
    }

    fn run_marker(&self) -> Box<dyn RunMarker> {
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
            self.wakeups.commit_staged();
            return Ok(());
        }
        let (disk, home) = (self.disk.clone(), self.home.clone());
        if let Err(unwritten) = append(&disk, &home, self.journal()?, &transaction) {
            self.is_broken = !unwritten.is_void;
            return Err(unwritten.fault);
        }
        self.wakeups.commit_staged();
        // Before the sender is woken.
        self.offer_letters(&transaction);
        changes::record_changes(&self.home, &transaction);
        self.add_to_batch(Arc::new(transaction));
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
            if self.load_lossy(key)?.version == *version {
                self.disk.remove(&self.home.join(journal::file_of(key)?))?;
            }
        }
        self.disk.sync_all(&self.home)?;
        self.disk.remove(&self.home.join(register.name()))
    }

    fn begin_commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.prepare(&transaction)?;
        if is_empty(&transaction) {
            self.wakeups.commit_staged();
            return Ok(());
        }
        self.journal()?;
        let Some(mut journal) = self.journal.take() else { return Ok(()) };
        self.offers_letters &= transaction.letters.is_empty();
        let transaction = Arc::new(transaction);
        let (disk, home) = (self.disk.clone(), self.home.clone());
        let theirs = Arc::clone(&transaction);
        let work = move || {
            let result = append(&disk, &home, &mut journal, &theirs);
            WrittenRecord { journal, result }
        };
        let handle = self.spawn(work)?;
        self.writing = Some(WriteThread { transaction: Arc::clone(&transaction), handle });
        self.add_to_batch(transaction);
        Ok(())
    }

    fn finish_commits(&mut self) -> Result<(), Fault> {
        if let Some(WriteThread { transaction, handle }) = self.writing.take() {
            self.is_broken = true;
            let WrittenRecord { journal, result } =
                handle.join().map_err(|_| self.thread_fault())?;
            self.journal = Some(journal);
            result.map_err(|unwritten| unwritten.fault)?;
            changes::record_changes(&self.home, &transaction);
            drop(transaction);
            self.wakeups.commit_staged();
            self.forget_letters();
            self.is_broken = false;
        }
        self.check_sound()
    }
}

/// Appends a transaction to the journal. If the disk is full, removes the spare files and tries
/// again.
fn append(
    disk: &Disk,
    home: &Path,
    journal: &mut Journal,
    transaction: &Transaction,
) -> Result<(), JournalError> {
    match journal.append(disk, transaction) {
        Err(unwritten) if unwritten.is_void && unwritten.fault.is_full() => {
            remove_spares(disk, home).map_err(|fault| JournalError { fault, is_void: true })?;
            journal.append(disk, transaction)
        }
        result => result,
    }
}

/// Explains a fault that keeps a reader from finishing what the journal holds.
fn unfinished(folder: &FileHome, fault: Fault) -> Fault {
    if fault.source.kind() != io::ErrorKind::ReadOnlyFilesystem && !fault.is_full() {
        return fault;
    }
    let doing = "cannot finish a commit in the journal of";
    Fault { doing, path: folder.path.clone(), source: fault.source }
}

/// Returns whether a transaction has nothing for the journal.
fn is_empty(transaction: &Transaction) -> bool {
    let Transaction { changes, reads: _, letters, receipts, sent, .. } = transaction;
    changes.is_empty() && letters.is_empty() && receipts.is_empty() && sent.is_empty()
}
