//! What a process is at, for the case that it dies there: a file while it is at work.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

use super::disk::Disk;
use super::{Fault, Files};
use std::fs;
use std::path::PathBuf;

/// The marker of a run over the boards. The run has to end before the home is closed.
#[derive(Debug)]
pub struct Marker {
    path: PathBuf,
    disk: Disk,
}

impl Marker {
    /// That of an open home.
    pub fn new(files: &Files) -> Self {
        Self { path: files.home().join("boards/running"), disk: files.disk().clone() }
    }

    /// What the last run was at when it died. A marker that cannot be read, or was cut off, says
    /// nothing.
    pub fn read(&self) -> String {
        fs::read_to_string(&self.path).unwrap_or_default()
    }

    /// Notes what the run is at now. It need not outlive a power cut, which is no fault of a board.
    ///
    /// # Errors
    /// The machine failed.
    pub fn write(&self, text: &str) -> Result<(), Fault> {
        self.disk.put(&self.path, text.as_bytes(), &mut |_| ()).map(drop)
    }

    /// The run has come to its end.
    ///
    /// # Errors
    /// The machine failed.
    pub fn clear(self) -> Result<(), Fault> {
        self.disk.remove(&self.path)
    }
}
