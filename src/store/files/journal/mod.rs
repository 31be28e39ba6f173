//! The redo journal: the complete changes of a transaction, durable before any other file is touched.
//!
//! A journal file `journal/<number>.txn` holds records, each at a multiple of [`BLOCK`], so that
//! writing one never rewrites a sector of an earlier one. A record is a header line and its
//! entries:
//!
//! ```text
//! postboard-journal 2 <epoch> <index> <length> <CRC-32 of everything else>
//! document boards/malaka/0/17.json <SHA-256 of the old text, or -> <length>
//! ...text...
//! letters outbox/new/3f..e1.eml <length>
//! ...text...
//! seen seen/2026-11/ab/c <record>, which `apply` may put into seen/2026-11/a
//! sent sent/2026-11-21/3f <record>
//! ```
//!
//! The checksum detects writes torn by a power cut. Format 1 had SHA-256 instead, and is still
//! read: the program may be upgraded after a crash.
//!
//! The permanent file `0.txn` is overwritten again and again: syncing bytes that already have their
//! place on the disk takes one write (about 0.15 ms here), while a new file also needs its length
//! and its name synced (0.7 ms). Its first word says whether it counts. Further files are for long
//! batches. When a file is long, its letters are not written a second time: everything else is put
//! in place, and the file itself moves into the outbox.
//!
//! `record` is the format and its parser; `recovery` finishes what a crash left.

pub(in crate::store) mod record;
pub(in crate::store) mod recovery;

use self::record::{BLOCK, CLEARED, HEADER, MAGIC, NOTHING, VERSION, checksum};
use super::disk::Disk;
use super::layout;
use crate::base::time::Time;
use crate::store::outbox::letter_file;
use crate::store::{Fault, Key, Transaction};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The length of the permanent file: an ordinary transaction fits.
const ORDINARY_LENGTH: usize = 256 * 1024;
/// Above this length the permanent file is truncated when it is cleared.
const TOO_LONG: u64 = 1 << 20;

/// Encodes a transaction into `record`, behind the space of the header.
fn encode(transaction: &Transaction, record: &mut Vec<u8>) -> Result<(), Fault> {
    record.clear();
    record.reserve(transaction.bytes() + 64 * 1024);
    record.resize(HEADER, b' ');
    let grown = "writing to a Vec cannot fail";
    for change in &transaction.changes {
        let path = file_of(&change.key)?;
        let was = change.was.map_or_else(|| "-".to_owned(), |was| was.hex());
        writeln!(record, "document {path} {was} {}", change.text.len()).expect(grown);
        record.extend_from_slice(change.text.as_bytes());
        record.push(b'\n');
    }
    for bundle in letter_file::bundles(transaction) {
        writeln!(record, "letters {} {}", bundle.path, bundle.length()).expect(grown);
        bundle.write(record);
        record.push(b'\n');
    }
    for mail in &transaction.receipts {
        let line = layout::receipt(mail, transaction.at);
        writeln!(record, "seen {} {}", line.file, line.record).expect(grown);
    }
    for line in layout::unsynced_records(transaction) {
        writeln!(record, "sent {} {}", line.file, line.record).expect(grown);
    }
    Ok(())
}

/// Returns the file of a document, below the home.
pub(super) fn file_of(key: &Key) -> Result<String, Fault> {
    key.file().ok_or_else(|| {
        let why = "its name is too long for a file";
        Fault::because("cannot store", format!("{key:?}"), io::ErrorKind::InvalidInput, why)
    })
}

/// The identity of a journal file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JournalId {
    /// The number in its name; the permanent file is 0.
    pub(super) number: u64,
    /// The order of journal files: grows from file to file.
    pub(super) epoch: u64,
}

/// A journal file being written.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    id: JournalId,
    /// The number of records.
    index: u64,
    /// The end of the records.
    end: usize,
    /// See [`Journal::can_move_to_outbox`].
    long: usize,
    /// Whether the name of the file is not synced yet.
    is_new: bool,
    /// The buffer of the last record, for the next one.
    buffer: Vec<u8>,
}

/// Why a record was not written.
#[derive(Debug)]
pub(super) struct JournalError {
    pub(super) fault: Fault,
    /// Whether it is certain that recovery will not see the record.
    pub(super) is_void: bool,
}

impl Journal {
    /// Starts a journal file. The permanent one counts as long above `long` bytes.
    pub(super) fn start(
        disk: &Disk,
        home: &Path,
        id: JournalId,
        long: usize,
    ) -> Result<Self, Fault> {
        let path = path(home, id.number);
        let (file, is_new) = match Disk::open(&path)? {
            Some(file) => (file, false),
            None => (disk.put(&path, b"", &mut |_| ())?, true),
        };
        Ok(Self { file, path, id, index: 0, end: 0, long, is_new, buffer: Vec::new() })
    }

    /// Appends a transaction and syncs it: the commit point.
    pub(super) fn append(
        &mut self,
        disk: &Disk,
        transaction: &Transaction,
    ) -> Result<(), JournalError> {
        let mut record = std::mem::take(&mut self.buffer);
        encode(transaction, &mut record).map_err(|fault| JournalError { fault, is_void: true })?;
        self.seal(&mut record);
        let written = self.write(disk, &record);
        self.buffer = record;
        written
    }

    fn write(&mut self, disk: &Disk, record: &[u8]) -> Result<(), JournalError> {
        let offset = self.end as u64;
        if let Err(fault) = disk.write_at(&self.file, &self.path, offset, record) {
            let is_void = disk.write_at(&self.file, &self.path, offset, NOTHING).is_ok();
            return Err(JournalError { fault, is_void });
        }
        // After a failed fsync nobody knows what the disk holds. The file is not written again, and
        // the next process that opens the home decides by the checksum.
        let lost = |fault| JournalError { fault, is_void: false };
        disk.sync(&self.file, &self.path).map_err(lost)?;
        if self.is_new {
            disk.sync_folder(folder(&self.path)).map_err(lost)?;
            self.is_new = false;
        }
        self.end += record.len() - NOTHING.len();
        self.index += 1;
        Ok(())
    }

    /// Writes the header of a record, and behind it the mark that no other record follows.
    fn seal(&self, record: &mut Vec<u8>) {
        let length = record.len() - HEADER;
        let mut header = Vec::with_capacity(HEADER);
        header.extend_from_slice(MAGIC);
        let (epoch, index) = (self.id.epoch, self.index);
        write!(header, " {VERSION:010} {epoch:020} {index:010} {length:012} ")
            .expect("writing to a Vec cannot fail");
        let sum = checksum(VERSION, &header, &record[HEADER..]);
        writeln!(header, "{sum}").expect("writing to a Vec cannot fail");
        record[..HEADER].copy_from_slice(&header);
        record.resize(record.len().next_multiple_of(BLOCK), 0);
        record.extend_from_slice(NOTHING);
    }

    /// Returns whether the file may move into the outbox instead of having its letters written
    /// again. While it is short, keeping the permanent file is cheaper.
    pub(super) fn can_move_to_outbox(&self) -> bool {
        self.id.number > 0 || self.end > self.long
    }

    /// Moves the file into the outbox, after everything but its letters is in place and synced.
    /// Letters are half of what a mail writes, and are so written once.
    pub(super) fn move_to_outbox(self, disk: &Disk, home: &Path, at: Time) -> Result<(), Fault> {
        let Self { file, path, id, end, .. } = self;
        move_to_outbox(disk, home, &ClosedJournal { file: &file, path: &path, id, end }, at)
    }

    /// Clears the file, after everything in it is in place and synced.
    pub(super) fn finish(self, disk: &Disk, clearing: Clearing) -> Result<(), Fault> {
        let Self { file, path, id, index, .. } = self;
        // A power cut could bring back only the first of several records, with outdated texts.
        let clearing = if index > 1 { Clearing::Durable } else { clearing };
        clear(disk, &file, &path, id.number, clearing)
    }
}

/// A journal file whose records are all written.
#[derive(Clone, Copy, Debug)]
struct ClosedJournal<'a> {
    file: &'a File,
    path: &'a Path,
    id: JournalId,
    /// The end of its records.
    end: usize,
}

/// Moves a journal file into the outbox, under a name that begins with the time of its letters.
fn move_to_outbox(
    disk: &Disk,
    home: &Path,
    journal: &ClosedJournal<'_>,
    at: Time,
) -> Result<(), Fault> {
    let ClosedJournal { file, path, id, end } = *journal;
    let outbox = home.join("outbox/new");
    let name = format!("{}.{}.txn", at.digits(), id.epoch);
    // Cuts off older records of the permanent file.
    disk.truncate(file, path, end as u64)?;
    disk.rename(path, &outbox.join(name))?;
    disk.sync_folder(&outbox)?;
    if id.number == 0 {
        // On a full disk the file grows as it is written; sending letters makes room.
        let _ = create(disk, home);
    }
    disk.sync_folder(folder(path))
}

/// Returns whether a journal file whose records end at `end` would have moved into the outbox, had
/// its process not died.
const fn is_long(number: u64, end: usize) -> bool {
    number > 0 || end as u64 > TOO_LONG
}

/// How a journal file is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clearing {
    /// Synced: after a power cut the file must not count again, since a later one might be lost.
    Durable,
    /// Not synced: the file was the last one, reading it again changes nothing, and the next one
    /// overwrites it.
    Cheap,
}

/// Creates the permanent file with space for an ordinary transaction, so that a commit is one write.
pub(super) fn create(disk: &Disk, home: &Path) -> Result<(), Fault> {
    let path = path(home, 0);
    let file = disk.put(&path, &vec![0; ORDINARY_LENGTH], &mut |_| ())?;
    disk.sync(&file, &path)
}

/// Clears a journal file; see [`Journal::finish`].
fn clear(
    disk: &Disk,
    file: &File,
    path: &Path,
    number: u64,
    clearing: Clearing,
) -> Result<(), Fault> {
    if number > 0 {
        disk.remove(path)?;
        return disk.sync_folder(folder(path));
    }
    disk.write_at(file, path, 0, CLEARED)?;
    let length = file.metadata().map_err(Fault::at("cannot read", path))?.len();
    if length > TOO_LONG {
        // Synced before it is truncated: half a record would be taken for damage.
        disk.sync(file, path)?;
        return disk.truncate(file, path, ORDINARY_LENGTH as u64);
    }
    match clearing {
        Clearing::Durable => disk.sync(file, path),
        Clearing::Cheap => Ok(()),
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// Returns the path of a journal file.
fn path(home: &Path, number: u64) -> PathBuf {
    home.join(format!("journal/{number}.txn"))
}
