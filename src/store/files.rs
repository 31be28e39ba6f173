//! The home on disk: plain files that an operator can read, copy and mend.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::apply::{Work, apply, make_room};
use super::disk::Disk;
use super::index::{self, Looks};
use super::journal::{self, Clearing, Journal, Unwritten};
use super::lock::Lock;
use super::log::{log, log_all};
use super::marker::Running;
use super::recover::{is_due, recover};
use super::{
    Document, Documents, Executed, Fault, Folder, Indexes, Key, Listed, MailKey, Marker, Opened,
    Receipts, Store, Transaction, Tray, Wakeups, is_passing, is_shortage, layout, names, outbox,
    tray,
};
use crate::base::digest::Digest;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// So many bytes of journal, and what is in them is put in place: 400 mails or so.
const BATCH: usize = 8 << 20;

/// A home on disk, under its lock.
///
/// What is committed is durable in the journal at once and put in place later, many changes
/// together: by a thread of its own once they are 8 MB, the rest at [`close`](Self::close) or when
/// dropped. Until then they are read from memory, all but letters, which nobody reads.
#[derive(Debug)]
pub struct Files {
    home: PathBuf,
    disk: Disk,
    /// Committed, not yet being put in place.
    batch: Batch,
    journal: Option<Journal>,
    /// A record being written, and made durable, into the journal.
    writing: Option<Writing>,
    /// Being put in place.
    under_way: Option<UnderWay>,
    /// See [`set_batch`](Self::set_batch).
    batch_size: usize,
    next_number: u64,
    epoch: u64,
    looks: Looks,
    /// Set once it is not known what the disk holds: then only a new opening helps.
    broken: bool,
    /// Let go of last.
    _lock: Lock,
}

/// The files of a home opened for reading, beside any number of others: all of [`Files`] but what
/// changes them.
#[derive(Debug)]
pub struct ReadOnly(pub(super) Files);

impl Deref for ReadOnly {
    type Target = Files;

    fn deref(&self) -> &Files {
        &self.0
    }
}

/// A thread that writes a record, and gives the journal back.
type Writing = JoinHandle<(Journal, Result<(), Unwritten>)>;

/// What a thread is putting in place.
type UnderWay = (Arc<Batch>, JoinHandle<Result<(), Fault>>);

/// What is committed and not yet in place.
#[derive(Debug, Default)]
struct Batch {
    transactions: Vec<Arc<Transaction>>,
    /// The latest text of each document: which transaction's which change.
    documents: HashMap<Key, (usize, usize)>,
    /// In which transactions mails with that Message-ID were executed.
    receipts: HashMap<Digest, Vec<usize>>,
    /// The mails written to each mailbox, and when.
    sent: HashMap<[u8; 8], Vec<([u8; 8], i64)>>,
    bytes: usize,
    has_letters: bool,
}

impl Batch {
    fn add(&mut self, transaction: Arc<Transaction>) {
        let number = self.transactions.len();
        for (at, change) in transaction.changes.iter().enumerate() {
            self.documents.insert(change.key.clone(), (number, at));
        }
        for mail in transaction.receipts.iter().chain(&transaction.turned) {
            self.receipts.entry(mail.id).or_default().push(number);
        }
        for sent in &transaction.sent {
            self.sent.entry(sent.mailbox).or_default().push((sent.letter, transaction.at));
        }
        self.bytes += transaction.bytes();
        self.has_letters |= !transaction.letters.is_empty();
        self.transactions.push(transaction);
    }

    /// Letters that are durable, in a file that goes out as it is, are needed in memory no more.
    fn forget_letters(&mut self) {
        for transaction in self.transactions.iter_mut().filter_map(Arc::get_mut) {
            transaction.letters = Vec::new();
        }
    }

    fn text(&self, key: &Key) -> Option<&str> {
        let (number, at) = self.documents.get(key)?;
        Some(&self.transactions[*number].changes[*at].text)
    }

    /// The mails with that Message-ID, and when they were executed.
    fn receipts(&self, id: &Digest) -> impl Iterator<Item = (&MailKey, i64)> {
        let numbers = self.receipts.get(id).into_iter().flatten();
        numbers.flat_map(|number| {
            let transaction = &self.transactions[*number];
            let mails = transaction.receipts.iter().chain(&transaction.turned);
            mails.map(|mail| (mail, transaction.at))
        })
    }

    /// Puts all in place; then the journal counts no more.
    fn settle(
        &self,
        disk: &Disk,
        home: &Path,
        journal: Journal,
        clearing: Clearing,
    ) -> Result<(), Fault> {
        let goes_out = self.has_letters && journal.can_go_out();
        self.apply(disk, home, !goes_out)?;
        if goes_out {
            let at = self.transactions.first().map_or(0, |first| first.at);
            return journal.go_out(disk, home, at);
        }
        journal.finish(disk, clearing)
    }

    fn apply(&self, disk: &Disk, home: &Path, with_letters: bool) -> Result<(), Fault> {
        let documents =
            self.documents.keys().filter_map(|key| Some((key.file()?, self.text(key)?.as_bytes())));
        let documents: Vec<_> = documents.collect();
        let with_letters = self.transactions.iter().filter(|_| with_letters);
        let written = |bundle: outbox::Bundle<'_>| {
            let mut bytes = Vec::new();
            bundle.write(&mut bytes);
            (bundle.path, bytes)
        };
        let letters: Vec<_> = with_letters
            .flat_map(|transaction| outbox::bundles(transaction))
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
        let work = Work {
            documents: documents.iter().map(|(path, text)| (&**path, *text)).collect(),
            letters: letters.iter().map(|(path, bytes)| (&**path, &**bytes)).collect(),
            receipts: receipts.collect(),
            unsynced: sent.collect(),
        };
        apply(disk, home, &work)
    }
}

impl Files {
    /// Makes a new home, with 32 random bytes as its key.
    ///
    /// # Errors
    /// There is a home already, or the machine failed.
    pub fn init(home: &Path, key: &[u8; 32]) -> Result<(), Fault> {
        let key_path = home.join("key");
        if key_path.exists() {
            let why = "there is a home already";
            return Err(Fault::because("cannot make", home, io::ErrorKind::AlreadyExists, why));
        }
        let disk = Disk::default();
        Self::furnish(&disk, home)?;
        // The key comes last: it is what makes a home of a folder.
        let new = home.join("key.tmp");
        disk.remove(&new)?;
        disk.put_new(&new, key)?;
        fs::set_permissions(&new, fs::Permissions::from_mode(0o600))
            .map_err(Fault::at("cannot write", &new))?;
        disk.sync_all(home)?;
        disk.rename(&new, &key_path)?;
        disk.sync_folder(home)
    }

    /// Makes all that a home has beside its documents, where it lacks.
    pub(super) fn furnish(disk: &Disk, home: &Path) -> Result<(), Fault> {
        let folders = [
            "boards",
            "users",
            "seen",
            "outbox/new",
            "outbox/cur",
            "outbox/bad",
            "outbox/line",
            "spool/tmp",
            "spool/new",
            "spool/cur",
            "spool/bad",
            "journal/bad",
            "spare",
            "line",
            "log",
        ];
        for folder in folders {
            disk.folder(&home.join(folder), &mut |_| ())?;
        }
        journal::furnish(disk, home)?;
        disk.put(&home.join("lock"), b"", &mut |_| ())?;
        Ok(())
    }

    /// Opens a home for reading and writing: waits until nobody else has it open, and puts in
    /// place first what a crash left in the journal.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    pub fn open(home: &Path) -> Result<Self, Fault> {
        Self::open_in(&Folder::new(home))
    }

    /// [`open`](Self::open) on a watched disk.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_on(home: &Path, disk: Disk) -> Result<Self, Fault> {
        Self::open_in(&Folder::new(home).on(disk))
    }

    /// Opens the home in a folder, as [`open`](Self::open) does.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_in(folder: &Folder) -> Result<Self, Fault> {
        let lock = Lock::exclusive(&lock_path(&folder.path)?)?;
        let latest = recover(&folder.disk, &folder.path, folder.judge)?;
        Ok(Self::under(folder, lock, latest))
    }

    /// Opens a home for reading: waits until nobody writes. If a crash left something in the
    /// journal, that is put in place first.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(home: &Path) -> Result<ReadOnly, Fault> {
        Self::read_in(&Folder::new(home))
    }

    /// Opens the home in a folder for reading, as [`read`](Self::read) does.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read_in(folder: &Folder) -> Result<ReadOnly, Fault> {
        let path = lock_path(&folder.path)?;
        loop {
            let lock = Lock::shared(&path)?;
            if !is_due(&folder.path)? {
                return Ok(ReadOnly(Self::under(folder, lock, 0)));
            }
            drop(lock);
            drop(Self::open_in(folder)?);
        }
    }

    fn under(folder: &Folder, lock: Lock, latest: u64) -> Self {
        Self {
            home: folder.path.clone(),
            disk: folder.disk.clone(),
            batch: Batch::default(),
            journal: None,
            writing: None,
            under_way: None,
            batch_size: BATCH,
            next_number: 0,
            epoch: latest,
            looks: Looks::default(),
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
        let Some(journal) = self.journal.take() else { return Ok(()) };
        let batch = std::mem::take(&mut self.batch);
        self.broken = true;
        batch.settle(&self.disk, &self.home, journal, Clearing::Cheap)?;
        self.broken = false;
        self.next_number = 0;
        Ok(())
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
        self.looks.note(&self.disk, &self.home, &transaction.index_updates)?;
        index::name(&self.disk, &self.home, &transaction.index_updates.rated)?;
        if self.batch.bytes >= self.batch_size {
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

    fn sound(&self) -> Result<(), Fault> {
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
    fn batches(&self) -> impl Iterator<Item = &Batch> {
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
                (None, None) => self.home.join(&path).symlink_metadata().is_ok(),
                // What is on the disk was read under this lock; it is looked at again in tests.
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

impl Drop for Files {
    fn drop(&mut self) {
        // A failure leaves the journal as it is, for the next opening. Whatever failed, the threads
        // end before the lock is let go of.
        let _ = self.finish();
        let _ = self.wait();
        let _ = self.settle();
    }
}

impl Documents for Files {
    fn load(&self, key: &Key) -> Result<Document, Fault> {
        self.sound()?;
        let pending = self.batches().find_map(|batch| batch.text(key));
        let text = match (pending, key.file()) {
            (Some(text), _) => Some(text.to_owned()),
            (None, None) => None,
            (None, Some(path)) => {
                let path = self.home.join(path);
                match fs::read_to_string(&path) {
                    Ok(text) => Some(text),
                    // A link to nowhere is no free place.
                    Err(error)
                        if error.kind() == io::ErrorKind::NotFound
                            && path.symlink_metadata().is_err() =>
                    {
                        None
                    }
                    Err(error) => return Err(Fault::of_one(path)(error)),
                }
            }
        };
        let version = text.as_ref().map(Digest::of);
        Ok(Document { text, version })
    }

    fn load_damaged(&self, key: &Key) -> Result<Document, Fault> {
        match (self.load(key), key.file()) {
            (Err(fault), Some(file)) if fault.is_damage() => {
                let path = self.home.join(file);
                let bytes = fs::read(&path).map_err(Fault::at("cannot read", path))?;
                let version = Some(Digest::of(&bytes));
                Ok(Document { text: Some(String::from_utf8_lossy(&bytes).into_owned()), version })
            }
            (loaded, _) => loaded,
        }
    }

    fn keys(&self, kind: Listed) -> Result<Vec<Key>, Fault> {
        self.sound()?;
        let pending = self.batches().flat_map(|batch| batch.documents.keys());
        let mut found: Vec<_> = pending.filter(|key| kind.has(key)).cloned().collect();
        scan(&self.home, kind, &mut found)?;
        Ok(found)
    }
}

impl Receipts for Files {
    fn receipt(&self, mail: &MailKey, now: i64) -> Result<Executed, Fault> {
        self.sound()?;
        let mut answer = Executed::Never;
        let pending = self.batches().flat_map(|batch| batch.receipts(&mail.id));
        let months: Vec<_> = layout::months(now).collect();
        let pending = pending
            .filter(|(known, at)| known.id == mail.id && months.contains(&layout::month(*at)));
        for (known, _) in pending {
            if known.content == mail.content {
                return Ok(Executed::Before);
            }
            answer = Executed::Reused;
        }
        for (month, file) in layout::months(now).zip(layout::receipt_files(&mail.id, now)) {
            let path = self.home.join(file);
            match fs::read(&path) {
                Ok(file) => match layout::receipt_in(&file, mail) {
                    Executed::Never => {}
                    Executed::Reused => answer = Executed::Reused,
                    Executed::Before | Executed::Fading => return Ok(layout::before(month, now)),
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if is_shortage(&error) || is_passing(&error) => {
                    return Err(Fault::at("cannot read", path)(error));
                }
                // A mail executed twice does less harm than all mail standing still.
                Err(error) => {
                    let fault = Fault::at("cannot read", path)(error);
                    let _ = log(&self.home, &format!("{fault}; taken for empty"));
                }
            }
        }
        Ok(answer)
    }
}

impl Indexes for Files {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        self.sound()?;
        self.looks.of(&self.home, game)
    }

    fn rated(&self, game: &'static str) -> Result<Vec<Key>, Fault> {
        self.sound()?;
        index::named(&self.home, game)
    }

    fn sent(&self, mailbox: [u8; 8], now: i64) -> Result<usize, Fault> {
        self.sound()?;
        let today = layout::sent_file(mailbox, now);
        let pending = self.batches().filter_map(|batch| batch.sent.get(&mailbox)).flatten();
        let pending = pending.filter(|(_, at)| layout::sent_file(mailbox, *at) == today);
        let mut letters: BTreeSet<[u8; 8]> = pending.map(|(letter, _)| *letter).collect();
        let path = self.home.join(today);
        match fs::read(&path) {
            Ok(file) => layout::sent_in(&file, mailbox, &mut letters),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if is_shortage(&error) || is_passing(&error) => {
                return Err(Fault::at("cannot read", path)(error));
            }
            // A mail too many does less harm than all mail standing still.
            Err(error) => {
                let fault = Fault::at("cannot read", path)(error);
                let _ = log(&self.home, &format!("{fault}; taken for empty"));
            }
        }
        Ok(letters.len())
    }
}

impl Opened for Files {
    fn key(&self) -> Result<[u8; 32], Fault> {
        let path = self.home.join("key");
        let bytes = fs::read(&path).map_err(Fault::at("cannot read", &path))?;
        let kind = io::ErrorKind::InvalidData;
        bytes.try_into().map_err(|_| Fault::because("cannot use", path, kind, "not 32 bytes"))
    }

    fn tray(&self) -> Box<dyn Tray> {
        Box::new(tray::Files::new(&self.home, &self.disk))
    }

    fn marker(&self) -> Box<dyn Marker> {
        Box::new(Running::new(&self.home, &self.disk))
    }

    fn log(&self, lines: &[&str]) -> Result<(), Fault> {
        log_all(&self.home, lines)
    }

    fn close(self: Box<Self>) -> Result<(), Fault> {
        Self::close(*self)
    }
}

impl Store for Files {
    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.prepare(&transaction)?;
        if is_empty(&transaction) {
            self.looks.keep();
            return Ok(());
        }
        let (disk, home) = (self.disk.clone(), self.home.clone());
        if let Err(unwritten) = append(&disk, &home, self.journal()?, &transaction) {
            self.broken = !unwritten.void;
            return Err(unwritten.fault);
        }
        self.looks.keep();
        self.batch.add(Arc::new(transaction));
        self.forget_letters();
        Ok(())
    }

    fn begin(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.prepare(&transaction)?;
        if is_empty(&transaction) {
            self.looks.keep();
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
        self.batch.add(transaction);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Fault> {
        if let Some(writing) = self.writing.take() {
            self.broken = true;
            let (journal, result) = writing.join().map_err(|_| self.ended())?;
            self.journal = Some(journal);
            result.map_err(|unwritten| unwritten.fault)?;
            self.looks.keep();
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
) -> Result<(), Unwritten> {
    let void = |fault| Unwritten { fault, void: true };
    let mut record = journal::encode(transaction).map_err(void)?;
    match journal.append(disk, &mut record) {
        Err(unwritten) if unwritten.void && unwritten.fault.is_full() => {
            make_room(disk, home).map_err(void)?;
            let mut record = journal::encode(transaction).map_err(void)?;
            journal.append(disk, &mut record)
        }
        result => result,
    }
}

fn is_empty(transaction: &Transaction) -> bool {
    let Transaction { changes, letters, receipts, turned: _, sent, at: _, index_updates: _ } =
        transaction;
    changes.is_empty() && letters.is_empty() && receipts.is_empty() && sent.is_empty()
}

/// All documents of a kind that have a file, with those found before; ascending.
fn scan(home: &Path, kind: Listed, found: &mut Vec<Key>) -> Result<(), Fault> {
    let folder = home.join(kind.folder());
    for part in names(&folder)? {
        let part = folder.join(part);
        if part.is_dir() {
            match names(&part) {
                Ok(names) => found.extend(names.iter().filter_map(|name| kind.named(name))),
                Err(fault) if is_shortage(&fault.source) => return Err(fault),
                // The others are listed.
                Err(fault) => {
                    let _ = log(home, &fault.to_string());
                }
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(())
}

/// The lock of a home, if it is one.
pub(super) fn lock_path(home: &Path) -> Result<PathBuf, Fault> {
    let key = home.join("key");
    fs::metadata(&key).map_err(Fault::at("there is no home here, cannot read", &key))?;
    Ok(home.join("lock"))
}

/// Forgets the mails executed more than 90 days before `now`, by whole months, and how many were sent
/// to whom before yesterday. Needs no lock: what
/// it removes is never looked at.
///
/// # Errors
/// The machine failed.
pub fn expire(home: &Path, now: i64) -> Result<(), Fault> {
    // What a `receive` left that was killed: the mail server has tried again long ago.
    let tmp = home.join("spool/tmp");
    for name in names(&tmp)? {
        let old = name.split('.').next().and_then(|second| second.parse::<i64>().ok());
        if old.is_some_and(|second| second < now - 86_400) {
            let _ = fs::remove_file(tmp.join(name));
        }
    }
    let sent = home.join("sent");
    let past: Vec<String> =
        names(&sent)?.into_iter().filter(|name| layout::is_past(name, now)).collect();
    for name in &past {
        remove_folder(&sent.join(name))?;
    }
    if !past.is_empty() {
        // Once a day.
        forget_mailboxes(home)?;
    }
    let Some(oldest) = layout::months(now).last() else { return Ok(()) };
    let seen = home.join("seen");
    for name in names(&seen)? {
        if layout::month_of(&name).is_some_and(|month| month < oldest) {
            remove_folder(&seen.join(name))?;
        }
    }
    Ok(())
}

/// Removes what is counted for mailboxes that nothing came from or went to for eight days: none of
/// it counts any more.
fn forget_mailboxes(home: &Path) -> Result<(), Fault> {
    let _lock = Lock::exclusive(&lock_path(home)?)?;
    if is_due(home)? {
        // A crash left some of them in the journal: another day.
        return Ok(());
    }
    let all = home.join(Listed::Correspondents.folder());
    for part in names(&all)? {
        let part = all.join(part);
        for name in names(&part)?.iter().filter(|name| Listed::Correspondents.named(name).is_some())
        {
            let file = part.join(name);
            let age = file.metadata().and_then(|it| it.modified()).map(|at| at.elapsed());
            if age.is_ok_and(|age| age.is_ok_and(|age| age > UNTOUCHED)) {
                let _ = fs::remove_file(file);
            }
        }
    }
    Ok(())
}

/// See [`forget_mailboxes`].
const UNTOUCHED: Duration = Duration::from_hours(8 * 24);

/// Removes a folder with all that is in it; no matter if it is not there.
fn remove_folder(folder: &Path) -> Result<(), Fault> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Fault::at("cannot remove", folder)(error))
        }
        _ => Ok(()),
    }
}
