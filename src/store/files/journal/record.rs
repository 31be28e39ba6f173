//! The format of a journal file, and its parser.

use crate::base::digest::Digest;

/// Records begin at multiples of this.
pub(in crate::store) const BLOCK: usize = 4096;
/// The first word of a record.
pub(in crate::store) const MAGIC: &[u8] = b"postboard-journal";
/// Replaces the first word once everything is in place.
pub(in crate::store) const CLEARED: &[u8] = b"cleared----------";
/// Written where no record follows.
pub(in crate::store) const NOTHING: &[u8] = &[0; MAGIC.len()];
/// The version of the format that is written.
pub(in crate::store) const VERSION: u32 = 2;
/// The length of a header up to the checksum.
pub(in crate::store) const PREFIX: usize = MAGIC.len() + 1 + 10 + 1 + 20 + 1 + 10 + 1 + 12 + 1;
/// The length of a header.
pub(in crate::store) const HEADER: usize = PREFIX + 64 + 1;

/// An entry of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum JournalEntry<'a> {
    /// A document: its file, the digest of the old text, the new text.
    Document { path: &'a str, was: Option<Digest>, text: &'a [u8] },
    /// A file of the outbox.
    Letters { path: &'a str, bytes: &'a [u8] },
    /// A receipt.
    Receipt { path: &'a str, record: &'a str },
    /// The record of a mail sent, or the receipt of a mail under its content, which are not synced.
    Unsynced { path: &'a str, record: &'a str },
}

/// Returns the checksum of a record, as the 64 characters of its header.
pub(in crate::store) fn checksum(version: u32, prefix: &[u8], payload: &[u8]) -> String {
    if version == 1 {
        return Digest::of_all([prefix, payload]).hex();
    }
    let mut sum = crc32fast::Hasher::new();
    sum.update(prefix);
    sum.update(payload);
    format!("{:064x}", sum.finalize())
}

/// What the first word of a journal file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum JournalState {
    /// There is no record.
    Empty,
    /// There are records.
    Live,
    /// The file does not begin like a journal file.
    Damaged,
}

/// The bytes that [`state`] needs.
pub(in crate::store) const WORD: usize = MAGIC.len();

/// Returns what the first [`WORD`] bytes of a journal file say.
pub(in crate::store) fn state(word: &[u8]) -> JournalState {
    match word {
        MAGIC => JournalState::Live,
        CLEARED | NOTHING => JournalState::Empty,
        // A file shorter than the first word was never finished.
        _ if word.len() < WORD => JournalState::Empty,
        _ => JournalState::Damaged,
    }
}

/// The contents of a journal file.
#[derive(Debug, Default)]
pub(in crate::store) struct JournalContent<'a> {
    /// See [`JournalId`](super::JournalId).
    pub(in crate::store) epoch: u64,
    /// The entries of its good records.
    pub(in crate::store) entries: Vec<JournalEntry<'a>>,
    /// The end of the good records.
    pub(in crate::store) end: usize,
    /// The end of the good records, if something else than a record follows: a commit that never
    /// finished, or damage.
    pub(in crate::store) damaged_at: Option<usize>,
    /// The version of a record that a later program has written.
    pub(in crate::store) later_version: Option<u32>,
}

/// Whether checksums are verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    /// Yes, as after a crash.
    All,
    /// No, because letters were marked as sent in place.
    Structure,
}

/// Parses a journal file.
pub(in crate::store) fn read(bytes: &[u8]) -> JournalContent<'_> {
    parse(bytes, Check::All)
}

/// Returns whether these are the bytes of a journal file.
pub(in crate::store) fn is_journal(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// A file of letters within a journal file.
pub(in crate::store) struct LettersFile<'a> {
    pub(in crate::store) offset: usize,
    pub(in crate::store) bytes: &'a [u8],
}

/// Returns the files of letters in a journal file of the outbox; `None` if it is damaged.
pub(in crate::store) fn letters(bytes: &[u8]) -> Option<Vec<LettersFile<'_>>> {
    let content = parse(bytes, Check::Structure);
    let is_intact = content.damaged_at.is_none() && content.later_version.is_none();
    let letters = content.entries.iter().filter_map(|entry| match entry {
        JournalEntry::Letters { bytes: letters, .. } => Some(LettersFile {
            offset: letters.as_ptr().addr() - bytes.as_ptr().addr(),
            bytes: letters,
        }),
        JournalEntry::Document { .. }
        | JournalEntry::Receipt { .. }
        | JournalEntry::Unsynced { .. } => None,
    });
    is_intact.then(|| letters.collect())
}

fn parse(bytes: &[u8], check: Check) -> JournalContent<'_> {
    let mut content = JournalContent::default();
    let (mut at, mut index) = (0, 0);
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match state(&rest[..rest.len().min(WORD)]) {
            JournalState::Empty => return content,
            JournalState::Live => {}
            JournalState::Damaged => break,
        }
        let Some(header) = Header::read(rest) else { break };
        if header.version > VERSION {
            content.later_version = Some(header.version);
            return content;
        }
        // Behind the last record there may be one of an older file.
        if index > 0 && (header.epoch, header.index) != (content.epoch, index) {
            break;
        }
        let Some(entries) = header.payload(rest, check).and_then(parse_entries) else { break };
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

    /// Returns the payload, if it is complete and matches the checksum.
    fn payload(&self, bytes: &'a [u8], check: Check) -> Option<&'a [u8]> {
        let payload = bytes[HEADER..].get(..self.length)?;
        let is_valid = || checksum(self.version, &bytes[..PREFIX], payload) == self.sum;
        (check == Check::Structure || is_valid()).then_some(payload)
    }
}

fn parse_entries(mut payload: &[u8]) -> Option<Vec<JournalEntry<'_>>> {
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
            ["sent", path, record] => JournalEntry::Unsynced { path, record },
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
