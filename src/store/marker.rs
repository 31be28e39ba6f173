//! The work that a process is at, for the case that it dies there: a file while it is at work.

use super::disk::Disk;
use super::{Fault, Marker, read_file};
use std::path::{Path, PathBuf};

/// The marker of a run over the boards.
#[derive(Debug)]
pub(super) struct FileMarker {
    path: PathBuf,
    disk: Disk,
}

impl FileMarker {
    pub(super) fn new(home: &Path, disk: &Disk) -> Self {
        Self { path: home.join("boards/running"), disk: disk.clone() }
    }
}

impl Marker for FileMarker {
    fn read(&self) -> Result<String, Fault> {
        let bytes = read_file(&self.path)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn write(&self, text: &str) -> Result<(), Fault> {
        self.disk.put(&self.path, text.as_bytes(), &mut |_| ()).map(drop)
    }

    fn clear(&self) -> Result<(), Fault> {
        self.disk.remove(&self.path)
    }
}
