//! Reading a journal file: its records, as far as they are what was written.

use crate::base::digest::Digest;

/// Where records may begin.
pub(in crate::store) const BLOCK: usize = 4096;
/// The first word of a record.
pub(in crate::store) const MAGIC: &[u8] = b"postboard-journal";
/// Replaces it once all is in place.
pub(in crate::store) const CLEARED: &[u8] = b"cleared----------";
/// Written where there is no record.
pub(in crate::store) const NOTHING: &[u8] = &[0; MAGIC.len()];
/// The version of the format that is written.
pub(in crate::store) const VERSION: u32 = 2;
/// Bytes of a header before the checksum, and with it.
pub(in crate::store) const PREFIX: usize = MAGIC.len() + 1 + 10 + 1 + 20 + 1 + 10 + 1 + 12 + 1;
pub(in crate::store) const HEADER: usize = PREFIX + 64 + 1;

/// One file of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum JournalEntry<'a> {
    /// A document: its file, the digest of what was there, its new text.
    Document { path: &'a str, was: Option<Digest>, text: &'a [u8] },
    /// A file of the outbox.
    Letters { path: &'a str, bytes: &'a [u8] },
    /// A receipt.
    Receipt { path: &'a str, record: &'a str },
    /// The record of a mail sent, or of one that was executed as it is without its Message-ID.
    Sent { path: &'a str, record: &'a str },
}

/// The checksum as a header of that version has it, in 64 characters.
pub(in crate::store) fn checksum(version: u32, prefix: &[u8], payload: &[u8]) -> String {
    if version == 1 {
        return Digest::of_all([prefix, payload]).hex();
    }
    let mut sum = crc32fast::Hasher::new();
    sum.update(prefix);
    sum.update(payload);
    format!("{:064x}", sum.finalize())
}

/// The state that the beginning of a journal file tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum JournalState {
    /// There is nothing to do.
    Empty,
    /// There are records.
    Live,
    /// It is no beginning at all.
    Damaged,
}

/// How many bytes [`standing`] wants to see.
pub(in crate::store) const WORD: usize = MAGIC.len();

/// The state that the first [`WORD`] bytes of a journal file tell.
pub(in crate::store) fn standing(word: &[u8]) -> JournalState {
    match word {
        MAGIC => JournalState::Live,
        CLEARED | NOTHING => JournalState::Empty,
        // A file that has not even a first word was never finished.
        _ if word.len() < WORD => JournalState::Empty,
        _ => JournalState::Damaged,
    }
}

/// The contents of a journal file.
#[derive(Debug, Default)]
pub(in crate::store) struct JournalContent<'a> {
    /// The order among journal files.
    pub(in crate::store) epoch: u64,
    /// Its good records' files.
    pub(in crate::store) entries: Vec<JournalEntry<'a>>,
    /// Where they end.
    pub(in crate::store) end: usize,
    /// Where what follows them is no record: it never reached its commit point, or the disk lost
    /// it since.
    pub(in crate::store) damaged_at: Option<usize>,
    /// The format version of a record written by a later program.
    pub(in crate::store) later: Option<u32>,
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
pub(in crate::store) fn read(bytes: &[u8]) -> JournalContent<'_> {
    read_as(bytes, Check::All)
}

/// Whether these are the bytes of a journal file.
pub(in crate::store) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The files of letters in a journal file that went to the outbox as it was, each with where it
/// begins; none if it is none.
pub(in crate::store) fn letters(bytes: &[u8]) -> Option<Vec<(usize, &[u8])>> {
    let content = read_as(bytes, Check::Form);
    let whole = content.damaged_at.is_none() && content.later.is_none();
    let letters = content.entries.iter().filter_map(|entry| match entry {
        JournalEntry::Letters { bytes: letters, .. } => {
            Some((letters.as_ptr().addr() - bytes.as_ptr().addr(), *letters))
        }
        JournalEntry::Document { .. }
        | JournalEntry::Receipt { .. }
        | JournalEntry::Sent { .. } => None,
    });
    whole.then(|| letters.collect())
}

fn read_as(bytes: &[u8], check: Check) -> JournalContent<'_> {
    let mut content = JournalContent::default();
    let (mut at, mut index) = (0, 0);
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match standing(&rest[..rest.len().min(WORD)]) {
            JournalState::Empty => return content,
            JournalState::Live => {}
            JournalState::Damaged => break,
        }
        let Some(header) = Header::read(rest) else { break };
        if header.version > VERSION {
            content.later = Some(header.version);
            return content;
        }
        // A record of an older file may follow the last one written over it.
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

fn entries(mut payload: &[u8]) -> Option<Vec<JournalEntry<'_>>> {
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
                JournalEntry::Document { path, was, text }
            }
            ["letters", path, length] => {
                let bytes = take(&mut payload, length)?;
                JournalEntry::Letters { path, bytes }
            }
            ["seen", path, record] => JournalEntry::Receipt { path, record },
            ["sent", path, record] => JournalEntry::Sent { path, record },
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
