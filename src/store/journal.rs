//! The redo journal: what is about to be changed stands in it, whole and durable, before any file
//! is touched.
//!
//! A journal file holds records one behind the other, each at a multiple of [`BLOCK`], so that
//! writing one never rewrites a sector of an earlier one. A record is a header line and the texts
//! of its files:
//!
//! ```text
//! postboard-journal 2 <epoch> <index> <length> <CRC-32 of all the rest>
//! document boards/malaka/0/17.json <SHA-256 of the old text, or -> <length>
//! ...text...
//! letters outbox/new/3f..e1.eml <length>
//! ...text...
//! seen seen/2026-11/ab/c <record>
//! sent sent/2026-11-21/3f <record>
//! ```
//!
//! The checksum is for writes that a power cut tore, which is all that a journal has to see. Format 1
//! had SHA-256 in its place, and is still read: a program may be exchanged after a crash.
//!
//! `0.txn` stays for good and is written over: making bytes durable that have their place on the
//! disk already takes one write (about 0.15 ms here); in a new file, also the file's length and
//! its name have to be (0.7 ms). Its first word says whether it counts. Once it is long, and with
//! further files, which only a long batch needs, its letters are written but once: all else is put
//! in place, and the file goes into the outbox with the letters that it holds.

#![expect(clippy::disallowed_types, reason = "the store owns files")]

use super::disk::Disk;
use super::{Fault, Transaction, layout, outbox};
use crate::base::digest::Digest;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// How long the permanent file is: the usual transaction fits in.
const USUAL: usize = 256 * 1024;
/// Longer, it gives its room back once it is put away.
const TOO_LONG: u64 = 1 << 20;
/// Where records may begin.
const BLOCK: usize = 4096;
/// The first word of a record.
const MAGIC: &[u8] = b"postboard-journal";
/// What stands in its place once all is in place.
const CLEARED: &[u8] = b"cleared----------";
/// What stands where no record is.
const NOTHING: &[u8] = &[0; MAGIC.len()];
/// The version of the format that is written.
const VERSION: u32 = 2;
/// Bytes of a header before the checksum, and with it.
const PREFIX: usize = MAGIC.len() + 1 + 10 + 1 + 20 + 1 + 10 + 1 + 12 + 1;
const HEADER: usize = PREFIX + 64 + 1;

/// One file of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    /// A document: its file, the digest of what was there, its new text.
    Document { path: &'a str, was: Option<Digest>, text: &'a [u8] },
    /// A file of the outbox.
    Letters { path: &'a str, bytes: &'a [u8] },
    /// A receipt.
    Receipt { path: &'a str, record: &'a str },
    /// The record of a mail sent, or of one that was executed as it is without its Message-ID.
    Sent { path: &'a str, record: &'a str },
}

/// Writes a transaction as a record, all but its header, behind room for it.
pub(super) fn encode(transaction: &Transaction) -> Result<Vec<u8>, Fault> {
    let mut record = Vec::with_capacity(transaction.bytes() + 64 * 1024);
    record.resize(HEADER, b' ');
    let grown = "a Vec takes all";
    for change in &transaction.changes {
        let path = file(&change.key)?;
        let was = change.was.map_or_else(|| "-".to_owned(), |was| was.hex());
        writeln!(record, "document {path} {was} {}", change.text.len()).expect(grown);
        record.extend_from_slice(change.text.as_bytes());
        record.push(b'\n');
    }
    for bundle in outbox::bundles(transaction) {
        writeln!(record, "letters {} {}", bundle.path, bundle.length()).expect(grown);
        bundle.write(&mut record);
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
    Ok(record)
}

/// A document's file, below the home.
pub(super) fn file(key: &super::Key) -> Result<String, Fault> {
    key.file().ok_or_else(|| {
        let why = "its name is too long for a file";
        Fault::because("cannot store", format!("{key:?}"), io::ErrorKind::InvalidInput, why)
    })
}

/// A journal file being written.
#[derive(Debug)]
pub(super) struct Journal {
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
}

/// A record that was not written.
#[derive(Debug)]
pub(super) struct Unwritten {
    /// Why.
    pub(super) fault: Fault,
    /// Whether it is certain that nothing of it will ever be read.
    pub(super) void: bool,
}

impl Journal {
    /// Begins the journal file of that number; `epoch` grows from file to file. The permanent one is
    /// long with more than `long` bytes.
    pub(super) fn start(
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
        Ok(Self { file, path, number, epoch, index: 0, end: 0, long, fresh })
    }

    /// Makes a record durable: the commit point.
    pub(super) fn append(&mut self, disk: &Disk, record: &mut Vec<u8>) -> Result<(), Unwritten> {
        self.seal(record);
        let offset = self.end as u64;
        if let Err(fault) = disk.write_at(&self.file, &self.path, offset, record) {
            let void = disk.write_at(&self.file, &self.path, offset, NOTHING).is_ok();
            return Err(Unwritten { fault, void });
        }
        // After a failed fsync nobody knows what the disk holds: the file is not written again,
        // and the next opening decides by the checksum.
        let lost = |fault| Unwritten { fault, void: false };
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
    pub(super) fn can_go_out(&self) -> bool {
        self.number > 0 || self.end > self.long
    }

    /// All but its letters is in place and durable: it goes to the outbox as it is, under that
    /// name. Letters are half of what a mail writes, and are so written once.
    pub(super) fn go_out(self, disk: &Disk, home: &Path, at: i64) -> Result<(), Fault> {
        let Self { file, path, number, epoch, end, .. } = self;
        go_out(disk, home, (&file, &path), (number, epoch), (end, at))
    }

    /// All is in place and durable: the file counts no more.
    pub(super) fn finish(self, disk: &Disk, clearing: Clearing) -> Result<(), Fault> {
        let Self { file, path, number, index, .. } = self;
        // Of several records, a power cut might bring back the first ones only, which are not the
        // latest word.
        let clearing = if index > 1 { Clearing::Durable } else { clearing };
        clear(disk, &file, &path, number, clearing)
    }
}

/// Puts a journal file of that number and epoch, whose records end there, into the outbox, under a
/// name that begins with the time of its letters.
pub(super) fn go_out(
    disk: &Disk,
    home: &Path,
    (file, path): (&File, &Path),
    (number, epoch): (u64, u64),
    (end, at): (usize, i64),
) -> Result<(), Fault> {
    let folder_out = home.join("outbox/new");
    let name = format!("{:012}.{epoch}.txn", at.max(0));
    // Of what stood in the permanent file before, nothing goes out.
    disk.length(file, path, end as u64)?;
    disk.rename(path, &folder_out.join(name))?;
    disk.sync_folder(&folder_out)?;
    if number == 0 {
        // Where there is no room for it, it grows as it is written; sending letters makes room.
        let _ = furnish(disk, home);
    }
    disk.sync_folder(folder(path))
}

/// Whether a journal file of that number, whose records end there, went out if its program had not
/// been ended.
pub(super) const fn is_long(number: u64, end: usize) -> bool {
    number > 0 || end as u64 > TOO_LONG
}

/// Whether a journal file may count again after a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clearing {
    /// It must not, since a later file might not be there then.
    Durable,
    /// It may: it was the last one, and reading it again changes nothing. The next one is written
    /// over it.
    Cheap,
}

/// Makes the permanent file: room on the disk for the usual transaction, so that its commit is one
/// write.
pub(super) fn furnish(disk: &Disk, home: &Path) -> Result<(), Fault> {
    let path = path(home, 0);
    let file = disk.put(&path, &vec![0; USUAL], &mut |_| ())?;
    disk.sync(&file, &path)
}

/// See [`Journal::finish`].
pub(super) fn clear(
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
pub(super) fn path(home: &Path, number: u64) -> PathBuf {
    home.join(format!("journal/{number}.txn"))
}

/// The checksum as a header of that version has it, in 64 characters.
fn checksum(version: u32, prefix: &[u8], payload: &[u8]) -> String {
    if version == 1 {
        return Digest::of_all([prefix, payload]).hex();
    }
    let mut sum = crc32fast::Hasher::new();
    sum.update(prefix);
    sum.update(payload);
    format!("{:064x}", sum.finalize())
}

/// What the beginning of a journal file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing is to be done.
    Empty,
    /// There are records.
    Live,
    /// It is no beginning at all.
    Damaged,
}

/// How many bytes [`standing`] wants to see.
pub(super) const WORD: usize = MAGIC.len();

/// What the first [`WORD`] bytes of a journal file say.
pub(super) fn standing(word: &[u8]) -> Standing {
    match word {
        MAGIC => Standing::Live,
        CLEARED | NOTHING => Standing::Empty,
        // A file that has not even a first word was never finished.
        _ if word.len() < WORD => Standing::Empty,
        _ => Standing::Damaged,
    }
}

/// What a journal file holds.
#[derive(Debug, Default)]
pub(super) struct Content<'a> {
    /// The order among journal files.
    pub(super) epoch: u64,
    /// Its good records' files.
    pub(super) entries: Vec<Entry<'a>>,
    /// Where they end.
    pub(super) end: usize,
    /// Where what follows them is no record: it never reached its commit point, or the disk lost
    /// it since.
    pub(super) damaged_at: Option<usize>,
    /// The format version of a record written by a later program.
    pub(super) later: Option<u32>,
}

/// Whether checksums are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    /// As after a crash.
    All,
    /// Not: letters were marked as sent.
    Form,
}

/// Reads a journal file.
pub(super) fn read(bytes: &[u8]) -> Content<'_> {
    read_as(bytes, Check::All)
}

/// Whether these are the bytes of a journal file.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The files of letters in a journal file that went to the outbox as it was, each with where it
/// begins; none if it is none.
pub(super) fn letters(bytes: &[u8]) -> Option<Vec<(usize, &[u8])>> {
    let content = read_as(bytes, Check::Form);
    let whole = content.damaged_at.is_none() && content.later.is_none();
    let letters = content.entries.iter().filter_map(|entry| match entry {
        Entry::Letters { bytes: letters, .. } => {
            Some((letters.as_ptr().addr() - bytes.as_ptr().addr(), *letters))
        }
        Entry::Document { .. } | Entry::Receipt { .. } | Entry::Sent { .. } => None,
    });
    whole.then(|| letters.collect())
}

fn read_as(bytes: &[u8], check: Check) -> Content<'_> {
    let mut content = Content::default();
    let (mut at, mut index) = (0, 0);
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match standing(&rest[..rest.len().min(WORD)]) {
            Standing::Empty => return content,
            Standing::Live => {}
            Standing::Damaged => break,
        }
        let Some(header) = Header::read(rest) else { break };
        if header.version > VERSION {
            content.later = Some(header.version);
            return content;
        }
        // An older file's record may stand behind the last one written over it.
        if index > 0 && (header.epoch, header.index) != (content.epoch, index) {
            break;
        }
        let Some(entries) = header.payload(rest, check).and_then(entries) else { break };
        content.epoch = header.epoch;
        content.entries.extend(entries);
        at += (HEADER + header.length).next_multiple_of(BLOCK);
        content.end = at;
        index += 1;
    }
    content.damaged_at = Some(at);
    content
}

struct Header<'a> {
    version: u32,
    epoch: u64,
    index: u64,
    length: usize,
    sum: &'a str,
}

impl<'a> Header<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let line = std::str::from_utf8(bytes.get(..HEADER)?).ok()?.strip_suffix('\n')?;
        let mut words = line.split(' ').skip(1);
        Some(Self {
            version: words.next()?.parse().ok()?,
            epoch: words.next()?.parse().ok()?,
            index: words.next()?.parse().ok()?,
            length: words.next()?.parse().ok()?,
            sum: words.next()?,
        })
    }

    /// The payload, if it is what was written.
    fn payload(&self, bytes: &'a [u8], check: Check) -> Option<&'a [u8]> {
        let payload = bytes[HEADER..].get(..self.length)?;
        let holds = || checksum(self.version, &bytes[..PREFIX], payload) == self.sum;
        (check == Check::Form || holds()).then_some(payload)
    }
}

fn entries(mut payload: &[u8]) -> Option<Vec<Entry<'_>>> {
    let mut entries = Vec::new();
    while !payload.is_empty() {
        let end = payload.iter().position(|&byte| byte == b'\n')?;
        let line = std::str::from_utf8(&payload[..end]).ok()?;
        payload = &payload[end + 1..];
        let words: Vec<_> = line.split(' ').collect();
        entries.push(match words[..] {
            ["document", path, was, length] => {
                let was = if was == "-" { None } else { Some(Digest::from_hex(was)?) };
                let text = take(&mut payload, length)?;
                Entry::Document { path, was, text }
            }
            ["letters", path, length] => {
                let bytes = take(&mut payload, length)?;
                Entry::Letters { path, bytes }
            }
            ["seen", path, record] => Entry::Receipt { path, record },
            ["sent", path, record] => Entry::Sent { path, record },
            _ => return None,
        });
    }
    Some(entries)
}

fn take<'a>(payload: &mut &'a [u8], length: &str) -> Option<&'a [u8]> {
    let (text, rest) = payload.split_at_checked(length.parse().ok()?)?;
    *payload = rest.strip_prefix(b"\n")?;
    Some(text)
}
