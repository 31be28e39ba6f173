//! The lock of a home: one writer, or any number of readers. The machine lets go of it when the
//! process ends, however it ends; the file itself is never removed.

#![expect(clippy::disallowed_types, reason = "the store owns files")]

use super::Fault;
use std::fs::{File, OpenOptions};
use std::io;
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
        let file = Self::open(path)?;
        retried(|| file.lock()).map_err(Fault::at("cannot lock", path))?;
        Ok(Self { _file: file })
    }

    /// Waits until no writer has it.
    pub(crate) fn shared(path: &Path) -> Result<Self, Fault> {
        let file = Self::open(path)?;
        retried(|| file.lock_shared()).map_err(Fault::at("cannot lock", path))?;
        Ok(Self { _file: file })
    }

    /// Does not wait: none if somebody else has it.
    pub(crate) fn try_exclusive(path: &Path) -> Result<Option<Self>, Fault> {
        let file = Self::open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Err(std::fs::TryLockError::Error(error)) => Err(Fault::at("cannot lock", path)(error)),
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
