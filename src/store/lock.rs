//! The lock of a home: one writer, or any number of readers. The machine lets go of it when the
//! process ends, however it ends; the file itself is never removed. A home may be put in place of
//! another one while somebody waits: then the lock that he got is not that of the home any more.

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
        Self::wait(path, File::lock)
    }

    /// Waits until no writer has it.
    pub(crate) fn shared(path: &Path) -> Result<Self, Fault> {
        Self::wait(path, File::lock_shared)
    }

    fn wait(path: &Path, lock: impl Fn(&File) -> io::Result<()>) -> Result<Self, Fault> {
        loop {
            let file = Self::open(path)?;
            retried(|| lock(&file)).map_err(Fault::at("cannot lock", path))?;
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

/// A signal that interrupts the wait is no failure.
fn retried(lock: impl Fn() -> io::Result<()>) -> io::Result<()> {
    loop {
        match lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
