//! The home: documents, receipts of mails executed, indexes, spool and outbox, changed together or
//! not at all.
//!
//! The rest of the program knows only the traits of `wall`. Above them there are documents as text
//! under a [`Key`]; below them files ([`FileStore`]), a database ([`postgres`]) or, in tests, a map
//! ([`MemoryStore`]).
//!
//! Incoming mails wait in the [`spool`], outgoing ones in the [`outbox`]. Every change to the disk
//! goes through [`disk::Disk`], so that a test can stop it anywhere.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

mod apply;
pub mod aside;
pub mod backup;
mod batch;
mod changes;
mod deferred;
mod delivery;
pub mod disk;
pub mod drafts;
mod entry;
mod envelope;
mod expire;
mod fault;
mod files;
mod folder;
mod folder_home;
mod furnish;
pub mod health;
pub mod holdup;
mod index;
mod journal;
mod known;
mod layout;
mod letter;
mod lock;
mod log;
mod mail_name;
pub mod maildir;
mod marker;
pub mod mbox;
mod memory;
mod memory_home;
mod memory_kept;
mod memory_outbox;
mod moved;
pub mod outbox;
mod own_files;
pub mod owner;
mod patience;
pub mod postgres;
mod read;
mod receipt;
mod record;
mod recover;
mod remedy;
pub mod restore;
mod runs;
pub mod settings;
pub mod spool;
mod stuck;
pub mod tapes;
mod traffic;
mod transaction;
mod tray;
mod unpack;
mod unsent;
mod wall;
pub mod whole;

pub use crate::base::key::{DocumentKind, Key};
pub use changes::{ChangeListener, Subscription};
pub use entry::{LogEntry, LogOutcome};
pub use expire::expire;
pub use fault::Fault;
pub use files::{FileStore, ReadOnlyStore};
pub use folder::{DocumentValidator, FileHome};
pub use letter::Letter;
pub use log::{LogStyle, LogTo, log, log_all, record, set_log_style};
pub use memory::MemoryStore;
pub use memory_kept::MemoryHome;
pub use moved::MoveNote;
pub use own_files::{FORMAT, format};
pub use patience::Backoff;
pub use receipt::{MailKey, ReceiptStatus, executed};
pub use remedy::{ParkedMail, Remedy, RemedyResult, StuckItem};
pub use runs::JobRun;
pub use traffic::Traffic;
pub use transaction::{
    DocumentChange, DocumentVersion, IndexUpdates, OUTBOX, Register, SentRecord, StoredDocument,
    Transaction, Wakeups,
};
pub use wall::{
    Documents, Home, Indexes, Letters, Marker, OpenHome, ReadOnlyHome, Receipts, SpoolLock,
    SpoolStore, Store,
};

use fault::{is_passing, is_shortage};
use mail_name::SpoolName;
use std::io;
use std::path::{Path, PathBuf};
use unsent::UnsentLetter;

/// The names in a folder, in no order; none if there is no such folder.
fn names(folder: &Path) -> Result<Vec<String>, Fault> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        // A link to nowhere is no missing folder: its disk may not be mounted.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(folder)? => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(Fault::at("cannot read", folder)(error)),
    };
    let name = |entry: io::Result<std::fs::DirEntry>| match entry {
        // A name that is no text is not ours.
        Ok(entry) => entry.file_name().into_string().ok().map(Ok),
        Err(error) => Some(Err(Fault::at("cannot read", folder)(error))),
    };
    entries.filter_map(name).collect()
}

/// Whether something has that path, also a link to nowhere. A path that cannot be looked at is a
/// fault, since nothing may be concluded from its absence.
fn is_there(path: &Path) -> Result<bool, Fault> {
    found(path.symlink_metadata(), path).map(|found| found.is_some())
}

/// Whether that is a folder, or a link to one.
fn is_folder(path: &Path) -> Result<bool, Fault> {
    found(std::fs::metadata(path), path).map(|found| found.is_some_and(|meta| meta.is_dir()))
}

/// Whether that is a file, or a link to one.
fn is_file(path: &Path) -> Result<bool, Fault> {
    found(std::fs::metadata(path), path).map(|found| found.is_some_and(|meta| meta.is_file()))
}

/// The answer of the machine about a path; none where there is nothing.
fn found<T>(answer: io::Result<T>, path: &Path) -> Result<Option<T>, Fault> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        Err(error) => Err(Fault::at("cannot read", path)(error)),
    }
}

/// The contents of a file; nothing if it is gone.
fn read_file(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        // A link to nowhere is no missing file.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(path)? => Ok(None),
        Err(error) => Err(Fault::at("cannot read", path)(error)),
    }
}

/// The path with one more ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// That name in a folder, or the first free one with a number after it.
fn free_name(folder: &Path, name: &str) -> Result<PathBuf, Fault> {
    free_path(&folder.join(name))
}

/// That path, or the first free one with a number after it.
fn free_path(first: &Path) -> Result<PathBuf, Fault> {
    let mut path = first.to_owned();
    let mut number = 1_u32;
    while is_there(&path)? {
        number += 1;
        path = beside(first, &number.to_string());
    }
    Ok(path)
}
