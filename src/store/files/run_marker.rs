//! `boards/running`: the board that a run over all boards is at, in case the process dies there.

use super::disk::Disk;
use crate::store::paths::read_or_empty;
use crate::store::{Fault, RunMarker};
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

impl RunMarker for FileMarker {
    fn read(&self) -> Result<String, Fault> {
        let bytes = read_or_empty(&self.path)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn write(&self, text: &str) -> Result<(), Fault> {
        self.disk.put(&self.path, text.as_bytes(), &mut |_| ()).map(drop)
    }

    fn clear(&self) -> Result<(), Fault> {
        self.disk.remove(&self.path)
    }
}
