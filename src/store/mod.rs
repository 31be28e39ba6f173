//! The home: documents, the record of mails executed, and the outbox, changed together or not at
//! all.
//!
//! [`Store`] is the wall. Above it there are documents as text under a [`Key`]; below it files
//! ([`Files`]) or, in tests, a map ([`Memory`]).
//!
//! What comes in waits in the [`spool`], what goes out in the [`outbox`]. Every change to the disk
//! goes through [`disk::Disk`], so that a test can stop it anywhere.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

mod apply;
pub mod aside;
pub mod backup;
pub mod disk;
pub mod drafts;
mod files;
mod folder;
pub mod holdup;
mod index;
mod journal;
mod layout;
mod lock;
pub mod maildir;
pub mod marker;
pub mod mbox;
mod memory;
pub mod outbox;
pub mod owner;
mod recover;
pub mod restore;
pub mod settings;
pub mod spool;
pub mod tapes;

pub use crate::base::key::{Key, Listed};
pub use files::{Files, Reading, expire, log, log_all};
pub use folder::{Folder, Judge};
pub use memory::Memory;

use crate::base::digest::digest;
use crate::base::ids::BoardId;
use std::fmt::{self, Display};
use std::io;
use std::path::{Path, PathBuf};

/// The content that a document had when it was read: SHA-256, or none if it did not exist.
pub type Version = Option<[u8; 32]>;

/// A document as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its content, if it exists.
    pub text: Option<String>,
    /// What a later commit says it was read at.
    pub version: Version,
}

/// A document's new content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which document.
    pub key: Key,
    /// The version that the change was made from.
    pub was: Version,
    /// The whole new content.
    pub text: String,
}

/// A mail's identity: the digest of its Message-ID (of its content when it has none), and the
/// digest of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MailKey {
    /// SHA-256 of the Message-ID, or `content` again.
    pub id: [u8; 32],
    /// SHA-256 of From, Date, Subject and body.
    pub content: [u8; 32],
}

impl MailKey {
    /// Whether it has a Message-ID.
    pub fn is_named(&self) -> bool {
        self.id != self.content
    }

    /// The same mail as it comes where it has no Message-ID.
    #[must_use]
    pub fn unnamed(&self) -> Self {
        Self { id: self.content, content: self.content }
    }

    /// By what a copy without its Message-ID is known: under the content stands which one it had.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { id: self.content, content: self.id }
    }
}

/// Whether a mail was executed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Never.
    New,
    /// This very mail was.
    Before,
    /// This very mail was, so long ago that the record will soon be forgotten.
    Fading,
    /// Another mail with this Message-ID was.
    Reused,
}

/// That a mail was written to a mailbox: the beginnings of the digests of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sent {
    /// The mailbox, by a digest of its address.
    pub mailbox: [u8; 8],
    /// The mail: the same mail counts once.
    pub letter: [u8; 8],
}

/// What becomes durable together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transaction {
    /// Documents with their new content, each key at most once.
    pub changes: Vec<Change>,
    /// Mails for the outbox.
    pub letters: Vec<crate::mail::Letter>,
    /// The mails executed by it.
    pub seen: Vec<MailKey>,
    /// The same mails, [`turned`](MailKey::turned), where they have a Message-ID. After a power cut
    /// a few may be missing.
    pub turned: Vec<MailKey>,
    /// To which mailboxes mails were written.
    pub sent: Vec<Sent>,
    /// Unix time, seconds: the month of the seen-record, the day of the mails sent.
    pub at: i64,
    /// What the indexes are to know of it.
    pub index_updates: IndexUpdates,
}

impl Transaction {
    /// About how many bytes it puts on the disk.
    pub fn bytes(&self) -> usize {
        let changes: usize = self.changes.iter().map(|change| change.text.len()).sum();
        let letters: usize = self.letters.iter().map(|letter| letter.bytes.len()).sum();
        changes + letters
    }
}

/// What the indexes beside the documents are to know of a transaction. They are not part of it:
/// each is kept so that whatever a crash leaves of it leads to nothing worse than a look too many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexUpdates {
    /// When boards have to be looked at again, Unix seconds. The index may say earlier, never later.
    pub wakeups: Vec<(BoardId, i64)>,
    /// When all boards of a game were last walked through, by the game's name, Unix seconds.
    pub walks: Vec<(&'static str, i64)>,
    /// Who has got his first rating in a game: the game's name, and the folded userid. The index
    /// may name others, too.
    pub rated: Vec<(&'static str, String)>,
}

/// When the boards of a game have to be looked at, Unix seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wakeups {
    /// When all of them were last walked through; 0 if never.
    pub walked: i64,
    /// By their numbers, from 1; 0 where it is not known. Never later than what
    /// [`IndexUpdates::wakeups`] said.
    pub boards: Vec<i64>,
}

impl Wakeups {
    /// When a board has to be looked at, if anything is known of it.
    pub fn of(&self, number: u32) -> Option<i64> {
        self.boards.get((number as usize).checked_sub(1)?).copied()
    }
}

/// An operator's fault: what was being done, to which file, and what came of it.
#[derive(Debug, thiserror::Error)]
pub struct Fault {
    /// What was being done: `cannot write`.
    pub doing: &'static str,
    /// To which file.
    pub path: PathBuf,
    /// What the machine answered.
    pub source: io::Error,
}

impl Fault {
    /// For `map_err`: what the machine answered, with what was being done to which file.
    pub(crate) fn at(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { doing, path: path.into(), source }
    }

    /// A fault that no system call reported.
    pub(crate) fn because(
        doing: &'static str,
        path: impl Into<PathBuf>,
        kind: io::ErrorKind,
        why: &str,
    ) -> Self {
        Self { doing, path: path.into(), source: io::Error::new(kind, why) }
    }
}

impl Fault {
    /// Whether one file holds what it should not, and the machine is well.
    pub fn is_damage(&self) -> bool {
        self.source.kind() == io::ErrorKind::InvalidData
    }

    /// Whether the disk failed to read one file: that may pass, so what needed the file is to be
    /// tried again, and the others are not to wait for it.
    pub fn is_passing(&self) -> bool {
        is_passing(&self.source)
    }

    /// Whether the disk has no room.
    pub(crate) fn is_full(&self) -> bool {
        is_full(&self.source)
    }

    /// For `map_err` where one file was to be read: damage of that file, unless the machine lacks
    /// something.
    pub(crate) fn of_one(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        |error| {
            let lacks = is_shortage(&error) || is_passing(&error);
            let damage = |error| io::Error::new(io::ErrorKind::InvalidData, error);
            Self::at("cannot read", path)(if lacks { error } else { damage(error) })
        }
    }
}

/// Want of room on the disk: it is full, or the owner's share is, or a file may not get so long.
fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// Want of files, memory, room or time, not a fault of the file in hand.
fn is_shortage(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::OutOfMemory, io::ErrorKind::Interrupted];
    is_full(error)
        || kinds.contains(&error.kind())
        || matches!(error.raw_os_error(), Some(ENFILE | EMFILE))
}

/// The disk failed.
fn is_passing(error: &io::Error) -> bool {
    error.raw_os_error() == Some(EIO)
}

const EIO: i32 = 5;
const ENFILE: i32 = 23;
const EMFILE: i32 = 24;

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.doing, self.path.display(), self.source)
    }
}

impl Transaction {
    /// Notes a mail as executed by it.
    pub fn executes(&mut self, mail: MailKey) {
        self.seen.push(mail);
        self.turned.extend(mail.is_named().then(|| mail.turned()));
    }
}

/// Whether a mail was executed before, with its Message-ID or without one: on one of several ways a
/// mail server may have given it one, and where it has none, another way may have kept it. `seen`
/// says what is known of a record.
///
/// # Errors
/// That of `seen`.
pub fn executed(
    mail: &MailKey,
    mut seen: impl FnMut(&MailKey) -> Result<Seen, Fault>,
) -> Result<Seen, Fault> {
    let known = seen(mail)?;
    match known {
        // Under its content stands nothing but mails that say the same.
        Seen::Reused if !mail.is_named() => Ok(Seen::Before),
        Seen::New | Seen::Reused if mail.is_named() => match seen(&mail.unnamed())? {
            // It had another Message-ID: two mails that say the same.
            Seen::New | Seen::Reused => Ok(known),
            before @ (Seen::Before | Seen::Fading) => Ok(before),
        },
        known => Ok(known),
    }
}

/// Where documents live. One writer at a time; what `commit` was given is wholly there after any
/// crash once it returned, and wholly there or not at all when it did not.
pub trait Store {
    /// Reads a document.
    ///
    /// # Errors
    /// The machine failed; a document that does not exist is no error.
    fn load(&self, key: &Key) -> Result<Document, Fault>;

    /// Whether a mail was executed in the last 90 days before `now`, under this very key: see
    /// [`executed`].
    ///
    /// # Errors
    /// The machine failed.
    fn seen(&self, mail: &MailKey, now: i64) -> Result<Seen, Fault>;

    /// How many mails were written to a mailbox on the day of `now`, by UTC. After a power cut a few
    /// may be missing.
    ///
    /// # Errors
    /// The machine failed.
    fn sent(&self, mailbox: [u8; 8], now: i64) -> Result<usize, Fault>;

    /// The keys of all documents of a kind, ascending. Costs time that grows with the home.
    ///
    /// # Errors
    /// The machine failed.
    fn keys(&self, kind: Listed) -> Result<Vec<Key>, Fault>;

    /// When the boards of a game have to be looked at.
    ///
    /// # Errors
    /// The machine failed.
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault>;

    /// The keys of all users who were ever rated in a game, ascending, and perhaps of others.
    ///
    /// # Errors
    /// The machine failed.
    fn rated(&self, game: &'static str) -> Result<Vec<Key>, Fault>;

    /// Makes a transaction durable.
    ///
    /// # Errors
    /// The machine failed: nothing of the transaction is visible, now or later, unless its commit
    /// point was reached, and then all of it is.
    fn commit(&mut self, transaction: &Transaction) -> Result<(), Fault>;
}

/// The names in a folder, in no order; none if there is no such folder.
fn names(folder: &Path) -> Result<Vec<String>, Fault> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Fault::at("cannot read", folder)(error)),
    };
    let name = |entry: io::Result<std::fs::DirEntry>| match entry {
        // A name that is no text is not ours.
        Ok(entry) => entry.file_name().into_string().ok().map(Ok),
        Err(error) => Some(Err(Fault::at("cannot read", folder)(error))),
    };
    entries.filter_map(name).collect()
}

/// The path with one more ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// That name in a folder, or the first free one with a number behind it.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    free_path(&folder.join(name))
}

/// That path, or the first free one with a number behind it.
fn free_path(first: &Path) -> PathBuf {
    let numbered = (2_u32..).map(|number| beside(first, &number.to_string()));
    std::iter::once(first.to_owned())
        .chain(numbered)
        .find(|path| path.symlink_metadata().is_err())
        .unwrap_or_else(|| first.to_owned())
}
