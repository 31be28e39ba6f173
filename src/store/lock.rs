//! The lock of a home: one writer, or any number of readers. The machine lets go of it when the
//! process ends, however it ends; the file itself is never removed. A home may be put in place of
//! another one while somebody waits: then the lock that he got is not that of the home any more.
//!
//! The machine gives a lock to whoever asks when it is free, and that is most often he who has just
//! let go of it. So whoever cannot have it at once stands in line: the first of the line has the
//! lock of the folder, too, while he waits, and whoever writes next waits behind him.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::Fault;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// A lock held, until dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    fn open(path: &Path) -> Result<File, Fault> {
        OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(Fault::at("cannot open", path))
    }

    /// Waits until nobody else has it.
    pub(crate) fn exclusive(path: &Path) -> Result<Self, Fault> {
        Self::wait(path, |file, line| {
            let _first = line.and_then(Line::first);
            retried(|| file.lock())
        })
    }

    /// Waits until no writer has it.
    pub(crate) fn shared(path: &Path) -> Result<Self, Fault> {
        Self::wait(path, |file, line| {
            // Readers do not wait for each other, nor for a writer who waits for them.
            if file.try_lock_shared().is_ok() {
                return Ok(());
            }
            let _first = line.and_then(Line::first);
            retried(|| file.lock_shared())
        })
    }

    fn wait(
        path: &Path,
        lock: impl Fn(&File, Option<&Path>) -> io::Result<()>,
    ) -> Result<Self, Fault> {
        loop {
            let file = Self::open(path)?;
            lock(&file, path.parent()).map_err(Fault::at("cannot lock", path))?;
            let is_same =
                |now: Metadata, then: Metadata| (now.dev(), now.ino()) == (then.dev(), then.ino());
            let then = file.metadata().map_err(Fault::at("cannot lock", path))?;
            if fs::metadata(path).is_ok_and(|now| is_same(now, then)) {
                return Ok(Self { _file: file });
            }
        }
    }

    /// Does not wait: none if somebody else has it.
    pub(crate) fn try_exclusive(path: &Path) -> Result<Option<Self>, Fault> {
        let file = Self::open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(Fault::at("cannot lock", path)(error)),
        }
    }
}

/// The lock of a folder, held until dropped: for order among those who work, not for safety. Where a
/// file system has no such lock there is no order, and no harm.
#[derive(Debug)]
pub(crate) struct Line(#[expect(dead_code, reason = "it is held")] File);

impl Line {
    /// Waits until nobody else has it; none if that cannot be had here.
    pub(crate) fn first(folder: &Path) -> Option<Self> {
        let file = File::open(folder).ok()?;
        retried(|| file.lock()).ok()?;
        Some(Self(file))
    }

    /// Does not wait: whether it is free, and then it is held; none if that cannot be known here.
    pub(crate) fn try_first(folder: &Path) -> Option<Result<Self, Taken>> {
        let file = File::open(folder).ok()?;
        match file.try_lock() {
            Ok(()) => Some(Ok(Self(file))),
            Err(fs::TryLockError::WouldBlock) => Some(Err(Taken)),
            Err(fs::TryLockError::Error(_)) => None,
        }
    }
}

/// Somebody else has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken;

/// A signal that interrupts the wait is no failure.
fn retried(lock: impl Fn() -> io::Result<()>) -> io::Result<()> {
    loop {
        match lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
