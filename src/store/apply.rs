//! Putting in place what the journal holds, and making it durable there.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::disk::Disk;
use super::{Fault, layout};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Up to so many files are made durable one by one; for more, the whole file system is. One by one
/// costs 0.2 ms a file here; the file system at once 1 to 20 ms, and as long as other programs'
/// unwritten bytes take, which a single mail should not wait for.
const FEW: usize = 8;

/// What is to be put in place; paths below the home.
#[derive(Debug, Default)]
pub(super) struct Work<'a> {
    /// Documents, replaced so that a reader sees the old text or the new one.
    pub(super) documents: Vec<(&'a str, &'a [u8])>,
    /// Files of the outbox. Nobody reads them without the lock and a recovery before, so that they
    /// can be written where they stand.
    pub(super) letters: Vec<(&'a str, &'a [u8])>,
    /// Seen-records: path and target. A symbolic link is the cheapest lasting thing that bears a
    /// name and a text: 7 us here, an empty file 9, one of 64 bytes 11 and a block of 4096.
    pub(super) seen: Vec<(String, String)>,
}

/// Puts all in place, durably.
pub(super) fn apply(disk: &Disk, home: &Path, work: &Work<'_>) -> Result<(), Fault> {
    let mut place = Place {
        disk,
        home,
        few: work.documents.len() + work.letters.len() + work.seen.len() <= FEW,
        files: Vec::new(),
        folders: BTreeSet::new(),
    };
    for (path, text) in &work.documents {
        place.document(path, text)?;
    }
    for (path, bytes) in &work.letters {
        place.letters(path, bytes)?;
    }
    for (path, target) in &work.seen {
        place.seen(path, target)?;
    }
    place.sync()
}

struct Place<'a> {
    disk: &'a Disk,
    home: &'a Path,
    few: bool,
    /// What is yet to be made durable, when they are few.
    files: Vec<(File, PathBuf)>,
    folders: BTreeSet<PathBuf>,
}

impl Place<'_> {
    fn document(&mut self, path: &str, text: &[u8]) -> Result<(), Fault> {
        let path = self.home.join(path);
        let new = super::beside(&path, "tmp");
        let file = self.disk.put(&new, text, &mut made(&mut self.folders))?;
        self.disk.rename(&new, &path)?;
        self.keep(file, path);
        Ok(())
    }

    fn letters(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.home.join(path);
        let file = self.disk.put(&path, bytes, &mut made(&mut self.folders))?;
        self.keep(file, path);
        Ok(())
    }

    fn seen(&mut self, path: &str, target: &str) -> Result<(), Fault> {
        let first = self.home.join(path);
        let content = layout::seen_content(target);
        if !self.disk.link(target, &first, &mut made(&mut self.folders))? {
            let known = fs::read_link(&first).map_err(Fault::at("cannot read", &first))?;
            if layout::seen_content(&known.to_string_lossy()) != content {
                // Another mail had this Message-ID: this one gets a name with its content.
                let second = super::beside(&first, content);
                self.disk.link(target, &second, &mut made(&mut self.folders))?;
            }
        }
        if self.few {
            self.folders.extend(first.parent().map(Path::to_path_buf));
        }
        Ok(())
    }

    fn keep(&mut self, file: File, path: PathBuf) {
        if self.few {
            self.folders.extend(path.parent().map(Path::to_path_buf));
            self.files.push((file, path));
        }
    }

    fn sync(self) -> Result<(), Fault> {
        if !self.few {
            return self.disk.sync_all(self.home);
        }
        for (file, path) in &self.files {
            self.disk.sync(file, path)?;
        }
        self.folders.iter().try_for_each(|folder| self.disk.sync_folder(folder))
    }
}

/// A new folder's name stands in the folder above it.
fn made(folders: &mut BTreeSet<PathBuf>) -> impl FnMut(&Path) {
    |path| folders.extend(path.parent().map(Path::to_path_buf))
}
