//! Letters as the files of the outbox hold them: each an envelope line, and what it says.

use crate::base::digest::Digest;
use crate::base::escape;
use crate::base::time::{Span, Time, hours, minutes};
use crate::mail::Address;
use crate::store::files::journal::record;
use crate::store::{Letter, Transaction};
use serde::{Deserialize, Serialize};

/// At most so many letters share a file, and about so many bytes.
const LETTERS: usize = 64;
const BYTES: usize = 1 << 20;
/// Where an envelope line has the digit that says whether the letter was sent.
pub(in crate::store) const SENT_AT: usize = "{\"sent\":".len();
/// The longest pause between two tries.
const LONGEST_PAUSE: Span = hours(4);

#[derive(Debug, Serialize, Deserialize)]
struct Envelope {
    /// First, and one digit, so that it can be changed in place.
    sent: u8,
    bytes: usize,
    at: Time,
    name: String,
    sender: Option<String>,
    to: String,
    thread: Option<String>,
}

/// A letter as a file of the outbox holds it.
pub(in crate::store) struct StoredLetter {
    pub(in crate::store) letter: Letter,
    pub(in crate::store) at: Time,
    pub(in crate::store) sent: bool,
    /// Where its envelope line begins.
    pub(in crate::store) offset: usize,
}

/// Letters that share a file, each with its envelope line: one file for many costs what a file for
/// one costs, 15 us here, and twice that to remove it.
#[derive(Debug)]
pub(in crate::store) struct LetterBundle<'a> {
    /// Its file, below the home.
    pub(in crate::store) path: String,
    letters: Vec<(Vec<u8>, &'a Letter)>,
}

/// The files that a transaction's letters become.
pub(in crate::store) fn bundles(
    transaction: &Transaction,
) -> impl Iterator<Item = LetterBundle<'_>> {
    let at = transaction.at;
    let mut rest = &transaction.letters[..];
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |letter: &&Letter| {
            let fits = bytes <= BYTES;
            bytes += letter.bytes.len();
            fits
        };
        let count = rest.iter().take(LETTERS).take_while(fits).count();
        let (these, behind) = rest.split_at(count);
        rest = behind;
        (count > 0).then(|| LetterBundle {
            path: format!("outbox/new/{}.eml", stem(these, at)),
            letters: these.iter().map(|letter| (envelope(letter, at), letter)).collect(),
        })
    })
}

impl LetterBundle<'_> {
    /// How long its file is.
    pub(in crate::store) fn length(&self) -> usize {
        self.letters.iter().map(|(line, letter)| line.len() + letter.bytes.len() + 1).sum()
    }

    /// Appends what its file contains to `bytes`.
    pub(in crate::store) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(self.length());
        for (line, letter) in &self.letters {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(&letter.bytes);
            bytes.push(b'\n');
        }
    }
}

/// The same letters have the same name, and no others.
pub(in crate::store) fn stem(letters: &[Letter], at: Time) -> String {
    let at = at.digits();
    if let [letter] = letters {
        return format!("{at}.{}", escape::name(&letter.name));
    }
    let names = letters.iter().flat_map(|letter| [letter.name.as_bytes(), b"\n"]);
    format!("{at}.{}+{}", Digest::of_all(names).short(), letters.len())
}

/// The line above a letter.
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

/// A file's letters; none if it is no file of the outbox.
pub(in crate::store) fn read(bytes: &[u8]) -> Option<Vec<StoredLetter>> {
    let mut held = Vec::new();
    if record::is_one(bytes) {
        for (from, letters) in record::letters(bytes)? {
            read_letters(letters, from, &mut held)?;
        }
    } else {
        read_letters(bytes, 0, &mut held)?;
    }
    (!held.is_empty()).then_some(held)
}

/// Reads letters that begin at `from` in their file.
fn read_letters(bytes: &[u8], from: usize, held: &mut Vec<StoredLetter>) -> Option<()> {
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
        let (at, sent) = (envelope.at, envelope.sent != 0);
        held.push(StoredLetter { letter, at, sent, offset: from + offset });
        offset += line + 1 + envelope.bytes + 1;
    }
    Some(())
}

/// A file of the outbox by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) struct OutboxName {
    /// How often sending failed: fresh ones come first.
    pub(in crate::store) tries: u32,
    /// Not to be tried before.
    pub(in crate::store) not_before: Time,
    pub(in crate::store) stem: String,
    /// A journal file.
    pub(in crate::store) journal: bool,
}

impl OutboxName {
    pub(in crate::store) fn read(file: &str) -> Option<Self> {
        if let Some(stem) = file.strip_suffix(".txn") {
            let stem = stem.to_owned();
            return Some(Self { tries: 0, not_before: Time::EPOCH, stem, journal: true });
        }
        let rest = file.strip_suffix(".eml")?;
        let mut words = rest.split(',');
        let stem = words.next()?.to_owned();
        match (words.next(), words.next()) {
            (None, _) => Some(Self { tries: 0, not_before: Time::EPOCH, stem, journal: false }),
            (Some(tries), Some(not_before)) => Some(Self {
                tries: tries.parse().ok()?,
                not_before: Time::from_digits(not_before)?,
                stem,
                journal: false,
            }),
            _ => None,
        }
    }

    pub(in crate::store) fn file(&self) -> String {
        let Self { tries, not_before, stem, journal } = self;
        if *journal {
            return format!("{stem}.txn");
        }
        if *tries == 0 {
            format!("{stem}.eml")
        } else {
            format!("{stem},{tries},{}.eml", not_before.unix())
        }
    }

    /// When its letters were written: the number that its name begins with.
    pub(in crate::store) fn written(&self) -> Option<Time> {
        Time::from_digits(self.stem.split('.').next()?)
    }

    /// As it is called after one more failure: the pause doubles from one minute.
    pub(in crate::store) fn after_failure(&self, now: Time) -> Self {
        Self { tries: self.tries + 1, not_before: now + pause(self.tries), ..self.clone() }
    }
}

/// How long until the next try of a letter that failed so often before: twice as long each time.
pub(in crate::store) fn pause(tries: u32) -> Span {
    minutes(1 << tries.min(16)).min(LONGEST_PAUSE)
}
