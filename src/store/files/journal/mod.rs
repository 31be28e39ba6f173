//! The redo journal: it has what is about to be changed, whole and durable, before any file is
//! touched.
//!
//! A journal file holds records one after the other, each at a multiple of [`BLOCK`], so that
//! writing one never rewrites a sector of an earlier one. A record is a header line and the texts
//! of its files:
//!
//! ```text
//! postboard-journal 2 <epoch> <index> <length> <CRC-32 of all the rest>
//! document boards/malaka/0/17.json <SHA-256 of the old text, or -> <length>
//! ...text...
//! letters outbox/new/3f..e1.eml <length>
//! ...text...
//! seen seen/2026-11/ab/c <record>, which `apply` may put into seen/2026-11/a
//! sent sent/2026-11-21/3f <record>
//! ```
//!
//! The checksum is for writes that a power cut tore, which is all that a journal has to see. Format
//! 1 had SHA-256 in its place, and is still read: a program may be exchanged after a crash.
//!
//! `0.txn` stays for good and is written over: making bytes durable that have their place on the
//! disk already takes one write (about 0.15 ms here); in a new file, also the file's length and its
//! name have to be (0.7 ms). Its first word says whether it counts. Once it is long, and with
//! further files, which only a long batch needs, its letters are written only once: all else is put
//! in place, and the file goes into the outbox with the letters that it holds.

pub(in crate::store) mod record;
pub(in crate::store) mod recovery;

use self::record::{BLOCK, CLEARED, HEADER, MAGIC, NOTHING, VERSION, checksum};
use crate::base::time::Time;
use crate::store::files::disk::Disk;
use crate::store::files::layout;
use crate::store::outbox::letter_file;
use crate::store::{Fault, Key, Transaction};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// How long the permanent file is: the usual transaction fits in.
const USUAL: usize = 256 * 1024;
/// Longer, it gives its room back once it is put away.
const TOO_LONG: u64 = 1 << 20;

/// Writes a transaction as a record, all but its header, after room for it.
fn encode(transaction: &Transaction, record: &mut Vec<u8>) -> Result<(), Fault> {
    record.clear();
    record.reserve(transaction.bytes() + 64 * 1024);
    record.resize(HEADER, b' ');
    let grown = "a Vec takes all";
    for change in &transaction.changes {
        let path = file(&change.key)?;
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
        let (path, line) = layout::receipt(mail, transaction.at);
        writeln!(record, "seen {path} {line}").expect(grown);
    }
    for mail in &transaction.turned {
        let (path, line) = layout::receipt(mail, transaction.at);
        writeln!(record, "sent {path} {line}").expect(grown);
    }
    for sent in &transaction.sent {
        let (path, line) = layout::sent_record(sent, transaction.at);
        writeln!(record, "sent {path} {line}").expect(grown);
    }
    Ok(())
}

/// A document's file, below the home.
pub(in crate::store) fn file(key: &Key) -> Result<String, Fault> {
    key.file().ok_or_else(|| {
        let why = "its name is too long for a file";
        Fault::because("cannot store", format!("{key:?}"), io::ErrorKind::InvalidInput, why)
    })
}

/// A journal file being written.
#[derive(Debug)]
pub(in crate::store) struct Journal {
    file: File,
    path: PathBuf,
    number: u64,
    epoch: u64,
    index: u64,
    end: usize,
    /// See [`Journal::can_go_out`].
    long: usize,
    /// Whether its name is yet to be made durable.
    fresh: bool,
    /// The memory of the record that was written last, for the next one.
    record: Vec<u8>,
}

/// A record that was not written.
#[derive(Debug)]
pub(in crate::store) struct JournalError {
    /// Why.
    pub(in crate::store) fault: Fault,
    /// Whether it is certain that nothing of it will ever be read.
    pub(in crate::store) void: bool,
}

impl Journal {
    /// Begins the journal file of that number; `epoch` grows from file to file. The permanent one
    /// is long with more than `long` bytes.
    pub(in crate::store) fn start(
        disk: &Disk,
        home: &Path,
        (number, epoch): (u64, u64),
        long: usize,
    ) -> Result<Self, Fault> {
        let path = path(home, number);
        let (file, fresh) = match Disk::open(&path)? {
            Some(file) => (file, false),
            None => (disk.put(&path, b"", &mut |_| ())?, true),
        };
        Ok(Self { file, path, number, epoch, index: 0, end: 0, long, fresh, record: Vec::new() })
    }

    /// Makes a transaction durable: the commit point.
    pub(in crate::store) fn append(
        &mut self,
        disk: &Disk,
        transaction: &Transaction,
    ) -> Result<(), JournalError> {
        let mut record = std::mem::take(&mut self.record);
        encode(transaction, &mut record).map_err(|fault| JournalError { fault, void: true })?;
        self.seal(&mut record);
        let written = self.write(disk, &record);
        self.record = record;
        written
    }

    fn write(&mut self, disk: &Disk, record: &[u8]) -> Result<(), JournalError> {
        let offset = self.end as u64;
        if let Err(fault) = disk.write_at(&self.file, &self.path, offset, record) {
            let void = disk.write_at(&self.file, &self.path, offset, NOTHING).is_ok();
            return Err(JournalError { fault, void });
        }
        // After a failed fsync nobody knows what the disk holds: the file is not written again,
        // and the next opening decides by the checksum.
        let lost = |fault| JournalError { fault, void: false };
        disk.sync(&self.file, &self.path).map_err(lost)?;
        if self.fresh {
            disk.sync_folder(folder(&self.path)).map_err(lost)?;
            self.fresh = false;
        }
        self.end += record.len() - NOTHING.len();
        self.index += 1;
        Ok(())
    }

    /// Fills the header in and ends the record with the mark that no other follows.
    fn seal(&self, record: &mut Vec<u8>) {
        let length = record.len() - HEADER;
        let mut header = Vec::with_capacity(HEADER);
        header.extend_from_slice(MAGIC);
        let (epoch, index) = (self.epoch, self.index);
        write!(header, " {VERSION:010} {epoch:020} {index:010} {length:012} ")
            .expect("a Vec takes all");
        let sum = checksum(VERSION, &header, &record[HEADER..]);
        writeln!(header, "{sum}").expect("a Vec takes all");
        record[..HEADER].copy_from_slice(&header);
        record.resize(record.len().next_multiple_of(BLOCK), 0);
        record.extend_from_slice(NOTHING);
    }

    /// Whether its letters need not be put in place, because it can go to the outbox as it is. So
    /// long as it is short, keeping the permanent file is cheaper.
    pub(in crate::store) fn can_go_out(&self) -> bool {
        self.number > 0 || self.end > self.long
    }

    /// All but its letters is in place and durable: it goes to the outbox as it is, under that
    /// name. Letters are half of what a mail writes, and are so written once.
    pub(in crate::store) fn go_out(self, disk: &Disk, home: &Path, at: Time) -> Result<(), Fault> {
        let Self { file, path, number, epoch, end, .. } = self;
        go_out(disk, home, (&file, &path), (number, epoch), (end, at))
    }

    /// All is in place and durable: the file counts no more.
    pub(in crate::store) fn finish(self, disk: &Disk, clearing: Clearing) -> Result<(), Fault> {
        let Self { file, path, number, index, .. } = self;
        // Of several records, a power cut might bring back the first ones only, which are not the
        // latest word.
        let clearing = if index > 1 { Clearing::Durable } else { clearing };
        clear(disk, &file, &path, number, clearing)
    }
}

/// Puts a journal file of that number and epoch, whose records end there, into the outbox, under a
/// name that begins with the time of its letters.
pub(in crate::store) fn go_out(
    disk: &Disk,
    home: &Path,
    (file, path): (&File, &Path),
    (number, epoch): (u64, u64),
    (end, at): (usize, Time),
) -> Result<(), Fault> {
    let folder_out = home.join("outbox/new");
    let name = format!("{}.{epoch}.txn", at.digits());
    // Of what stood in the permanent file before, nothing goes out.
    disk.length(file, path, end as u64)?;
    disk.rename(path, &folder_out.join(name))?;
    disk.sync_folder(&folder_out)?;
    if number == 0 {
        // Where there is no room for it, it grows as it is written; sending letters makes room.
        let _ = create(disk, home);
    }
    disk.sync_folder(folder(path))
}

/// Whether a journal file of that number, whose records end there, went out if its program had not
/// been ended.
pub(in crate::store) const fn is_long(number: u64, end: usize) -> bool {
    number > 0 || end as u64 > TOO_LONG
}

/// Whether a journal file may count again after a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Clearing {
    /// It must not, since a later file might not be there then.
    Durable,
    /// It may: it was the last one, and reading it again changes nothing. The next one is written
    /// over it.
    Cheap,
}

/// Makes the permanent file: room on the disk for the usual transaction, so that its commit is one
/// write.
pub(in crate::store) fn create(disk: &Disk, home: &Path) -> Result<(), Fault> {
    let path = path(home, 0);
    let file = disk.put(&path, &vec![0; USUAL], &mut |_| ())?;
    disk.sync(&file, &path)
}

/// See [`Journal::finish`].
pub(in crate::store) fn clear(
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
        // First it counts no more, then it is cut: half a record would be taken for damage.
        disk.sync(file, path)?;
        return disk.length(file, path, USUAL as u64);
    }
    match clearing {
        Clearing::Durable => disk.sync(file, path),
        Clearing::Cheap => Ok(()),
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// The journal file of that number.
pub(in crate::store) fn path(home: &Path, number: u64) -> PathBuf {
    home.join(format!("journal/{number}.txn"))
}
