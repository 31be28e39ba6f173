//! The format of the files of the outbox.

use crate::base::digest::Digest;
use crate::base::escape;
use crate::base::time::{Span, Time, hours, minutes};
use crate::mail::Address;
use crate::store::files::journal::record::{self, LettersFile};
use crate::store::spool::arrival_time;
use crate::store::{Letter, Transaction};
use serde::{Deserialize, Serialize};

/// The most letters of a file.
const MAX_LETTERS: usize = 64;
/// The bytes above which a file takes no more letters.
const MAX_BYTES: usize = 1 << 20;
/// The offset of the digit `sent` in an envelope line.
pub(in crate::store) const SENT_AT: usize = "{\"sent\":".len();
/// The longest pause between two tries.
const LONGEST_PAUSE: Span = hours(4);

/// The JSON of an envelope line.
#[derive(Debug, Serialize, Deserialize)]
struct Envelope {
    /// First and one digit, so that it can be changed in place.
    sent: u8,
    bytes: usize,
    at: Time,
    name: String,
    sender: Option<String>,
    to: String,
    thread: Option<String>,
}

/// A letter as read from a file of the outbox.
pub(in crate::store) struct StoredLetter {
    pub(in crate::store) letter: Letter,
    pub(in crate::store) at: Time,
    pub(in crate::store) is_sent: bool,
    /// The offset of its envelope line.
    pub(in crate::store) offset: usize,
}

/// A letter with its envelope line.
#[derive(Debug)]
struct EnvelopedLetter<'a> {
    line: Vec<u8>,
    letter: &'a Letter,
}

/// Letters that share a file, because many in a file cost what one does: 15 us here to write, and
/// twice that to remove.
#[derive(Debug)]
pub(in crate::store) struct LetterBundle<'a> {
    /// The file, below the home.
    pub(in crate::store) path: String,
    letters: Vec<EnvelopedLetter<'a>>,
}

/// Returns the files of a transaction's letters.
pub(in crate::store) fn bundles(
    transaction: &Transaction,
) -> impl Iterator<Item = LetterBundle<'_>> {
    let at = transaction.at;
    let mut rest = &transaction.letters[..];
    let mut number = 0;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |letter: &&Letter| {
            let fits = bytes <= MAX_BYTES;
            bytes += letter.bytes.len();
            fits
        };
        let count = rest.iter().take(MAX_LETTERS).take_while(fits).count();
        let (these, others) = rest.split_at(count);
        rest = others;
        number += 1;
        (count > 0).then(|| {
            let stem = if others.is_empty() && number == 1 {
                stem(these, at)
            } else {
                // Files are sent in the order of their names.
                format!("{}.{number:04}.{}", at.digits(), identity(these))
            };
            let letters = these.iter();
            LetterBundle {
                path: format!("outbox/new/{stem}.eml"),
                letters: letters
                    .map(|letter| EnvelopedLetter { line: envelope(letter, at), letter })
                    .collect(),
            }
        })
    })
}

impl LetterBundle<'_> {
    /// Returns the name of the file, without its folder.
    pub(in crate::store) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the length of the file.
    pub(in crate::store) fn length(&self) -> usize {
        self.letters
            .iter()
            .map(|EnvelopedLetter { line, letter }| line.len() + letter.bytes.len() + 1)
            .sum()
    }

    /// Appends the content of the file to `bytes`.
    pub(in crate::store) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(self.length());
        for EnvelopedLetter { line, letter } in &self.letters {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(&letter.bytes);
            bytes.push(b'\n');
        }
    }
}

/// Returns the name of a file without its ending: the same for the same letters only.
pub(in crate::store) fn stem(letters: &[Letter], at: Time) -> String {
    format!("{}.{}", at.digits(), identity(letters))
}

/// Returns a text that only these letters have.
fn identity(letters: &[Letter]) -> String {
    if let [letter] = letters {
        return escape::name(&letter.name);
    }
    let names = letters.iter().flat_map(|letter| [letter.name.as_bytes(), b"\n"]);
    format!("{}+{}", Digest::of_all(names).short(), letters.len())
}

/// Returns the line above a letter.
pub(in crate::store) fn envelope(letter: &Letter, at: Time) -> Vec<u8> {
    let envelope = Envelope {
        sent: 0,
        bytes: letter.bytes.len(),
        at,
        name: letter.name.clone(),
        sender: letter.sender.as_ref().map(ToString::to_string),
        to: letter.to.to_string(),
        thread: letter.thread.clone(),
    };
    let mut line = serde_json::to_vec(&envelope).expect("text and numbers are JSON");
    line.push(b'\n');
    line
}

/// Returns the content of a file with one letter.
pub(in crate::store) fn single_letter_file(letter: &Letter, at: Time) -> Vec<u8> {
    let mut bytes = envelope(letter, at);
    bytes.extend_from_slice(&letter.bytes);
    bytes.push(b'\n');
    bytes
}

/// Parses the letters in a file of the outbox; `None` if it is not such a file.
pub(in crate::store) fn parse_letters(bytes: &[u8]) -> Option<Vec<StoredLetter>> {
    let mut letters = Vec::new();
    if record::is_journal(bytes) {
        for LettersFile { offset, bytes } in record::letters(bytes)? {
            add_letters(bytes, offset, &mut letters)?;
        }
    } else {
        add_letters(bytes, 0, &mut letters)?;
    }
    (!letters.is_empty()).then_some(letters)
}

/// Parses letters that begin at the offset `from` of their file, and adds them to `letters`.
fn add_letters(bytes: &[u8], from: usize, letters: &mut Vec<StoredLetter>) -> Option<()> {
    let mut offset = 0;
    while offset < bytes.len() {
        let rest = &bytes[offset..];
        let line = rest.iter().position(|&byte| byte == b'\n')?;
        let envelope: Envelope = serde_json::from_slice(&rest[..line]).ok()?;
        let mail = rest.get(line + 1..line + 1 + envelope.bytes)?;
        let sender = match envelope.sender {
            Some(sender) => Some(Address::parse(&sender)?),
            None => None,
        };
        let letter = Letter {
            name: envelope.name,
            sender,
            to: Address::parse(&envelope.to)?,
            thread: envelope.thread,
            bytes: mail.to_vec(),
        };
        let (at, is_sent) = (envelope.at, envelope.sent != 0);
        letters.push(StoredLetter { letter, at, is_sent, offset: from + offset });
        offset += line + 1 + envelope.bytes + 1;
    }
    Some(())
}

/// The name of a file of the outbox.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) struct OutboxName {
    /// The number of failed tries; files without one sort first.
    pub(in crate::store) tries: u32,
    /// The time of the next try.
    pub(in crate::store) not_before: Time,
    pub(in crate::store) stem: String,
    /// Whether it is a journal file.
    pub(in crate::store) is_journal: bool,
}

impl OutboxName {
    pub(in crate::store) fn parse(file: &str) -> Option<Self> {
        if let Some(stem) = file.strip_suffix(".txn") {
            let stem = stem.to_owned();
            return Some(Self { tries: 0, not_before: Time::EPOCH, stem, is_journal: true });
        }
        let rest = file.strip_suffix(".eml")?;
        let mut words = rest.split(',');
        let stem = words.next()?.to_owned();
        match (words.next(), words.next()) {
            (None, _) => Some(Self { tries: 0, not_before: Time::EPOCH, stem, is_journal: false }),
            (Some(tries), Some(not_before)) => Some(Self {
                tries: tries.parse().ok()?,
                not_before: Time::from_digits(not_before)?,
                stem,
                is_journal: false,
            }),
            _ => None,
        }
    }

    /// Returns the name as [`parse`](Self::parse) reads it.
    pub(in crate::store) fn file(&self) -> String {
        let Self { tries, not_before, stem, is_journal } = self;
        if *is_journal {
            return format!("{stem}.txn");
        }
        if self.is_untried() {
            format!("{stem}.eml")
        } else {
            format!("{stem},{tries},{}.eml", not_before.unix())
        }
    }

    /// Returns whether its letters were neither tried nor put off.
    pub(in crate::store) fn is_untried(&self) -> bool {
        self.tries == 0 && self.not_before == Time::EPOCH
    }

    /// Returns when its letters were written, from the start of the name.
    pub(in crate::store) fn written(&self) -> Option<Time> {
        arrival_time(&self.stem)
    }

    /// Returns the name of a letter that waits until a time without having failed.
    pub(in crate::store) fn put_off(&self, until: Time) -> Self {
        Self { not_before: until, ..self.clone() }
    }

    /// Returns the name after another failure. The pause doubles from one minute.
    pub(in crate::store) fn after_failure(&self, now: Time) -> Self {
        Self { tries: self.tries + 1, not_before: now + pause(self.tries), ..self.clone() }
    }
}

/// Returns the pause after the given number of earlier failures.
pub(in crate::store) fn pause(tries: u32) -> Span {
    minutes(1 << tries.min(16)).min(LONGEST_PAUSE)
}
