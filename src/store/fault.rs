//! Failures of the machine.

use std::fmt::{self, Display};
use std::io;
use std::path::PathBuf;

/// An operator's fault: what was being done, to which file, and what came of it.
#[derive(Debug, thiserror::Error)]
pub struct Fault {
    /// What was being done: `cannot write`.
    pub doing: &'static str,
    /// To which file.
    pub path: PathBuf,
    /// The machine's answer.
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

/// Another process has changed the documents from which a change was made.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Conflict(pub(super) &'static str);

/// A home is being moved, and nobody changes it meanwhile.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct MoveInProgress(pub(super) String);

impl Fault {
    /// Whether the home is being moved to another place.
    pub(super) fn is_moving(&self) -> bool {
        self.source.get_ref().and_then(|source| source.downcast_ref::<MoveInProgress>()).is_some()
    }

    /// Whether another process has changed the documents from which this was made: made again it
    /// may come through. Nothing of it was kept.
    pub fn is_conflict(&self) -> bool {
        self.source.get_ref().and_then(|source| source.downcast_ref::<Conflict>()).is_some()
    }

    /// Whether the database that keeps the home cannot be reached.
    pub fn is_away(&self) -> bool {
        self.source.kind() == io::ErrorKind::NotConnected
    }

    /// Whether one file holds what it should not, and the machine is well.
    pub fn is_damage(&self) -> bool {
        self.source.kind() == io::ErrorKind::InvalidData
    }

    /// Whether one file cannot be read, which is no damage of it: the disk failed, rights are missing,
    /// or something else is in its place. What needed the file must be tried again, and the others must
    /// not wait for it.
    pub fn is_passing(&self) -> bool {
        is_passing(&self.source)
    }

    /// Whether the machine has run out of files, memory, room or time.
    pub(super) fn is_shortage(&self) -> bool {
        is_shortage(&self.source)
    }

    /// Whether the disk has no room.
    pub(crate) fn is_full(&self) -> bool {
        is_full(&self.source)
    }

    /// For `map_err` when one file could not be read: damage of that file, unless that was the fault of
    /// the machine, or of the rights of the file.
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
pub(super) fn is_shortage(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::OutOfMemory, io::ErrorKind::Interrupted];
    is_full(error)
        || kinds.contains(&error.kind())
        || matches!(error.raw_os_error(), Some(ENFILE | EMFILE))
}

/// One file cannot be read, whatever it holds.
pub(super) fn is_passing(error: &io::Error) -> bool {
    let errors = [EPERM, ENOENT, EIO, EACCES, ENOTDIR, EISDIR, ELOOP, ESTALE];
    error.raw_os_error().is_some_and(|error| errors.contains(&error))
}

const EPERM: i32 = 1;
const ENOENT: i32 = 2;
pub(super) const EIO: i32 = 5;
const EACCES: i32 = 13;
const ENOTDIR: i32 = 20;
const EISDIR: i32 = 21;
const ENFILE: i32 = 23;
const EMFILE: i32 = 24;
const ELOOP: i32 = 40;
const ESTALE: i32 = 116;

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.doing, self.path.display(), self.source)
    }
}
