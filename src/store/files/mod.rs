//! A home in files: a folder of plain files that an operator can read, copy and repair.
//!
//! | path | contains |
//! |---|---|
//! | `key`, `dice`, `format` | the key of the home; further keys of dice; the format of its files |
//! | `postboard.toml`, `drafts/`, `log/` | files of the operator |
//! | `erasing/` | notes of erasures under way ([`ErasureNote`](crate::store::ErasureNote)) |
//! | `boards/`, `users/`, `mailboxes/`, `names/`, `talks/`, `documents/` | documents, a file each ([`Key::file`]) |
//! | `boards/*/looks`, `boards/*/rated`, `stopped`, `unproved/`, `due/` | indexes (`indexes`) |
//! | `seen/`, `sent/` | receipts, and counts of mails sent (`layout`) |
//! | `journal/` | committed changes that are not in place yet (`journal`) |
//! | `spool/`, `outbox/` | incoming mails, letters; `new`, `cur`, and `bad` for the quarantine |
//! | `spare/` | old files, reused for the next texts (`apply`) |
//! | `lock`, `line/` | the lock of the home, and the queue for it (`lock`, `lock_wait`) |
//! | `changes/`, `runs/` | names of changed documents (`changes`); the last run of each job (`job_runs`) |
//!
//! Invariants:
//!
//! * One process writes at a time, under `lock`; readers share it. Putting a mail into the spool and
//!   sending letters need no lock of the home.
//! * A commit is a record in the journal, synced (`journal`). Afterwards, in groups, its
//!   documents, letters and receipts are put in place and synced (`apply`), and the record is
//!   cleared. The next process that opens the home finishes what a crash left (`journal::recovery`).
//! * A document that was edited by hand during a commit is never overwritten; ours is put beside it.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

pub(super) mod apply;
mod changes;
mod commit_batch;
pub mod disk;
pub mod disk_space;
mod expire;
pub(super) mod fresh_letters;
pub(super) mod indexes;
pub(super) mod init;
mod job_runs;
pub(super) mod journal;
pub(super) mod layout;
pub(super) mod lock;
pub mod lock_holder;
mod lock_wait;
pub(super) mod quarantine;
mod read;
mod receipt_cache;
mod run_marker;
mod scrub;
mod store;
mod traffic;

pub use expire::expire;
pub use init::{FORMAT, format};
pub use lock_wait::{BreakableWaits, break_off_waits};
pub use quarantine::expire as expire_quarantine;
pub use store::{FileStore, ReadOnlyStore};

use crate::base::time::Time;
use crate::store::letter::{Backlog, UnsentLetter};
use crate::store::outbox::file_outbox::{self, FileOutbox};
use crate::store::spool::{arrivals, file_spool};
use crate::store::{
    ChangeListener, Fault, Home, JobRun, MailListener, OpenHome, Outbox, ParkedMail,
    QuarantineAges, ReadOnlyHome, Remedy, RemedyResult, SpoolLock, StuckItem, Subscription,
    Traffic,
};
use disk::Disk;
use serde::de::IgnoredAny;
use std::collections::HashSet;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// Returns whether the file of that name, below the home, may hold that text: the meaning of
/// documents is known above the store.
pub type DocumentValidator = fn(&str, &str) -> bool;

/// A folder that is a home, or will be one, on a disk that tests may watch.
#[derive(Clone, Debug)]
pub struct FileHome {
    pub(super) path: PathBuf,
    pub(super) disk: Disk,
    /// Checks files that were edited by hand.
    pub(super) validator: DocumentValidator,
}

impl FileHome {
    /// Returns the home in a folder. Any JSON is accepted as a document.
    pub fn new(path: &Path) -> Self {
        let validator: DocumentValidator =
            |_, text| serde_json::from_str::<IgnoredAny>(text).is_ok();
        Self { path: path.to_owned(), disk: Disk::default(), validator }
    }

    /// Sets the disk.
    #[must_use]
    pub fn with_disk(mut self, disk: Disk) -> Self {
        self.disk = disk;
        self
    }

    /// Sets the validator of documents.
    #[must_use]
    pub fn with_validator(mut self, validator: DocumentValidator) -> Self {
        self.validator = validator;
        self
    }
}

impl Home for FileHome {
    fn location(&self) -> String {
        format!("files in {}", self.path.display())
    }

    fn open(&self) -> Result<Box<dyn OpenHome>, Fault> {
        Ok(Box::new(FileStore::open_in(self)?))
    }

    fn read(&self) -> Result<ReadOnlyHome, Fault> {
        Ok(ReadOnlyHome(Box::new(FileStore::read_in(self)?.0)))
    }

    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault> {
        file_spool::put_on(&self.disk, &self.path, mail, mark)
    }

    fn waiting_mails(&self) -> Result<Vec<String>, Fault> {
        file_spool::waiting_mails(&self.path)
    }

    fn waiting_marks(&self) -> Result<HashSet<String>, Fault> {
        file_spool::marks(&self.path)
    }

    fn spool_lock(&self) -> Option<Box<dyn SpoolLock>> {
        file_spool::FileSpoolLock::begin(&self.path)
            .map(|lock| Box::new(lock) as Box<dyn SpoolLock>)
    }

    fn subscribe(&self, listener: ChangeListener) -> Result<Box<dyn Subscription>, Fault> {
        changes::subscribe(&self.path, listener)
    }

    fn subscribe_to_mails(&self, listener: MailListener) -> Result<Box<dyn Subscription>, Fault> {
        arrivals::subscribe(&self.path.join("spool/new"), listener)
    }

    fn is_awaited(&self) -> bool {
        lock::is_awaited(&self.path.join("lock"))
    }

    fn collect_lock(&self) -> Option<Box<dyn Debug>> {
        file_spool::CollectLock::begin(&self.path).map(|it| Box::new(it) as Box<dyn Debug>)
    }

    fn outbox(&self) -> Result<Option<Box<dyn Outbox>>, Fault> {
        Ok(FileOutbox::open(self)?.map(|outbox| Box::new(outbox) as Box<dyn Outbox>))
    }

    fn backlog(&self) -> Result<Backlog, Fault> {
        file_outbox::backlog(&self.path)
    }

    fn unsent_letters(&self) -> Result<Vec<UnsentLetter>, Fault> {
        file_outbox::unsent(&self.path)
    }

    fn parked_mails(&self) -> Result<Vec<ParkedMail>, Fault> {
        quarantine::parked(&self.path)
    }

    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        quarantine::parked_mail(&self.path, name)
    }

    fn apply_remedy(&self, stuck: StuckItem, remedy: Remedy) -> Result<RemedyResult, Fault> {
        quarantine::apply_remedy(self, stuck, remedy)
    }

    fn record_run(&self, run: &JobRun) -> Result<(), Fault> {
        job_runs::record_run(&self.path, run)
    }

    fn last_runs(&self) -> Result<Vec<JobRun>, Fault> {
        job_runs::last_runs(&self.path)
    }

    fn traffic(&self) -> Result<Traffic, Fault> {
        traffic::count_by_day(&self.path)
    }

    fn expire(&self, now: Time) -> Result<(), Fault> {
        expire(&self.path, now)
    }

    fn expire_quarantine(&self, now: Time, ages: QuarantineAges) -> Result<usize, Fault> {
        quarantine::expire(&self.path, now, ages)
    }

    fn scrub(&self, words: &[String]) -> Result<(), Fault> {
        scrub::scrub(self, words)
    }
}
