//! Faults: failures of the machine, which the operator has to deal with.

use std::fmt::{self, Display};
use std::io;
use std::path::PathBuf;

/// A failure of the machine: what was done, to which file, and the answer.
#[derive(Debug, thiserror::Error)]
pub struct Fault {
    /// What failed: `cannot write`.
    pub doing: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The answer of the machine.
    pub source: io::Error,
}

impl Fault {
    /// Returns a function for `map_err` that adds what failed and the path.
    pub(crate) fn at(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { doing, path: path.into(), source }
    }

    /// Returns a fault that no system call reported.
    pub(crate) fn because(
        doing: &'static str,
        path: impl Into<PathBuf>,
        kind: io::ErrorKind,
        why: &str,
    ) -> Self {
        Self { doing, path: path.into(), source: io::Error::new(kind, why) }
    }
}

/// The source of a fault: another process has changed documents that a change was made from.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Conflict(pub(super) &'static str);

/// The source of a fault: the home is being moved, and nobody changes it meanwhile.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct MoveInProgress(pub(super) String);

/// The source of a fault: the wait for another process was broken off, since this process has something else to do.
#[derive(Debug, thiserror::Error)]
#[error("another process has it, and the wait for that process was broken off")]
pub(super) struct BrokenOff;

impl Fault {
    /// Returns whether a wait for another process was broken off. Nothing was changed.
    pub fn is_broken_off(&self) -> bool {
        self.source.get_ref().and_then(|source| source.downcast_ref::<BrokenOff>()).is_some()
    }

    /// Returns whether the home is being moved.
    pub(super) fn is_moving(&self) -> bool {
        self.source.get_ref().and_then(|source| source.downcast_ref::<MoveInProgress>()).is_some()
    }

    /// Returns whether another process has changed documents that this was made from. Nothing was
    /// kept; the work may succeed when it is done again.
    pub fn is_conflict(&self) -> bool {
        self.source.get_ref().and_then(|source| source.downcast_ref::<Conflict>()).is_some()
    }

    /// Returns whether the database cannot be reached.
    pub fn is_unreachable(&self) -> bool {
        self.source.kind() == io::ErrorKind::NotConnected
    }

    /// Returns whether one file has wrong content, while the machine works.
    pub fn is_damage(&self) -> bool {
        self.source.kind() == io::ErrorKind::InvalidData
    }

    /// Returns whether one file cannot be read, whatever its content: the disk failed, rights are
    /// missing, or something else is in its place. What needs the file is tried again later;
    /// everything else goes on.
    pub fn is_unreadable_file(&self) -> bool {
        is_unreadable_file(&self.source)
    }

    /// Returns whether the machine has run out of files, memory, space or time.
    pub(super) fn is_shortage(&self) -> bool {
        is_shortage(&self.source)
    }

    /// Returns whether the disk is full.
    pub(crate) fn is_full(&self) -> bool {
        is_full(&self.source)
    }

    /// Returns a function for `map_err` about reading one document: the error means damage of its file,
    /// unless the machine or missing rights are the cause.
    pub(crate) fn reading_document(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        |error| {
            let is_damage = !is_shortage(&error) && !is_unreadable_file(&error);
            let damage = |error| io::Error::new(io::ErrorKind::InvalidData, error);
            Self::at("cannot read", path)(if is_damage { damage(error) } else { error })
        }
    }
}

/// Returns whether there is no space: the disk is full, or a quota, or the file size limit.
fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

/// Returns whether files, memory, space or time are short, which is no fault of one file.
pub(super) fn is_shortage(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::OutOfMemory, io::ErrorKind::Interrupted];
    is_full(error)
        || kinds.contains(&error.kind())
        || matches!(error.raw_os_error(), Some(ENFILE | EMFILE))
}

/// Returns whether one file cannot be read, whatever its content.
pub(super) fn is_unreadable_file(error: &io::Error) -> bool {
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
