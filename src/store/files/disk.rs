//! Every way in which the store changes the disk, one function each.
//!
//! A test may set a hook, which sees each step before it happens and may refuse it. So a full disk,
//! a failed fsync and a crash at any step are ordinary values of a test.

use crate::store::paths::{beside, removed};
use crate::store::{Fault, platform};
use rustix::fs::OFlags;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;

/// The mode of files of the store.
const MODE: u32 = 0o640;

/// A change to the disk, or the reading of a mail, about to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskStep<'a> {
    /// Creates an empty file, or empties a file.
    Create(&'a Path),
    /// Writes bytes at an offset.
    Write(&'a Path, u64, &'a [u8]),
    /// Syncs the content of a file.
    Sync(&'a Path),
    /// Syncs the names in a folder.
    SyncFolder(&'a Path),
    /// Syncs the whole file system.
    SyncAll(&'a Path),
    /// Renames a file, replacing one that has the new name.
    Rename(&'a Path, &'a Path),
    /// Exchanges the names of two files.
    Exchange(&'a Path, &'a Path),
    /// Truncates a file to a length.
    Truncate(&'a Path, u64),
    /// Removes a file.
    Remove(&'a Path),
    /// Creates a folder.
    Folder(&'a Path),
    /// Reads a mail.
    Read(&'a Path),
}

/// Is called before each step; an error prevents the step.
pub type DiskHook = Arc<dyn Fn(DiskStep<'_>) -> io::Result<()> + Send + Sync>;

/// A file after something was appended to it.
#[derive(Debug)]
pub(crate) struct Appended {
    pub(crate) file: File,
    /// Whether the file was created.
    pub(crate) is_new: bool,
}

/// The disk, with an optional hook.
#[derive(Clone, Default)]
pub struct Disk(Option<DiskHook>);

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Disk").field(&self.0.is_some()).finish()
    }
}

impl Disk {
    /// Returns a disk with a hook.
    pub fn watched(hook: DiskHook) -> Self {
        Self(Some(hook))
    }

    /// Calls the hook.
    ///
    /// # Errors
    /// Those of the hook: the step must not happen.
    pub fn before(&self, step: DiskStep<'_>) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |hook| hook(step))
    }

    /// Creates a file with this content, or replaces the content of an existing one, unsynced.
    /// Creates missing folders, and passes each to `created` so that it can be synced.
    pub(crate) fn put(
        &self,
        path: &Path,
        bytes: &[u8],
        created: &mut dyn FnMut(&Path),
    ) -> Result<File, Fault> {
        let file = self.in_folder(path, created, || self.create(path, false))?;
        self.write_at(&file, path, 0, bytes)?;
        Ok(file)
    }

    /// Creates a file, which must not exist yet, with this content, and syncs it except for its
    /// name.
    pub(crate) fn put_new(&self, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
        let file = self.create(path, true).map_err(Fault::at("cannot create", path))?;
        self.write_at(&file, path, 0, bytes)?;
        self.sync(&file, path)
    }

    /// Creates an empty file, which must not exist yet, with a mode.
    pub(crate) fn create_empty(&self, path: &Path, mode: u32) -> Result<File, Fault> {
        self.before(DiskStep::Create(path))
            .and_then(|()| OpenOptions::new().write(true).create_new(true).mode(mode).open(path))
            .map_err(Fault::at("cannot create", path))
    }

    fn create(&self, path: &Path, must_be_new: bool) -> io::Result<File> {
        self.before(DiskStep::Create(path))?;
        let mut options = OpenOptions::new();
        options.write(true).mode(MODE);
        if must_be_new {
            options.create_new(true)
        } else {
            options.create(true).truncate(true)
        };
        options.open(path)
    }

    /// Opens a file for writing in place; `None` if it does not exist.
    pub(crate) fn open(path: &Path) -> Result<Option<File>, Fault> {
        match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::at("cannot open", path)(error)),
        }
    }

    /// Writes bytes at an offset.
    pub(crate) fn write_at(
        &self,
        file: &File,
        path: &Path,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), Fault> {
        self.before(DiskStep::Write(path, offset, bytes))
            .and_then(|()| file.write_all_at(bytes, offset))
            .map_err(Fault::at("cannot write", path))
    }

    /// Truncates or extends a file to a length.
    pub(crate) fn truncate(&self, file: &File, path: &Path, length: u64) -> Result<(), Fault> {
        self.before(DiskStep::Truncate(path, length))
            .and_then(|()| file.set_len(length))
            .map_err(Fault::at("cannot write", path))
    }

    /// Syncs the content of a file.
    pub(crate) fn sync(&self, file: &File, path: &Path) -> Result<(), Fault> {
        self.before(DiskStep::Sync(path))
            .and_then(|()| file.sync_data())
            .map_err(Fault::at("cannot make durable", path))
    }

    /// Syncs the names in a folder.
    pub(crate) fn sync_folder(&self, path: &Path) -> Result<(), Fault> {
        self.before(DiskStep::SyncFolder(path))
            .and_then(|()| File::open(path)?.sync_all())
            .map_err(Fault::at("cannot make durable", path))
    }

    /// Syncs the whole file system of a folder.
    pub(crate) fn sync_all(&self, path: &Path) -> Result<(), Fault> {
        let all = || {
            self.before(DiskStep::SyncAll(path))?;
            let folder = File::open(path)?;
            platform::sync_file_system(&folder)
        };
        all().map_err(Fault::at("cannot make durable", path))
    }

    /// Renames a file or folder.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> Result<(), Fault> {
        self.before(DiskStep::Rename(from, to))
            .and_then(|()| fs::rename(from, to))
            .map_err(Fault::at("cannot rename", from))
    }

    /// Exchanges the names of two files, so that the blocks of both can be reused. Renames `from`
    /// if `to` does not exist, or the file system cannot exchange names.
    pub(crate) fn exchange(&self, from: &Path, to: &Path) -> Result<(), Fault> {
        self.before(DiskStep::Exchange(from, to)).map_err(Fault::at("cannot rename", from))?;
        match platform::exchange_names(from, to) {
            Ok(true) => Ok(()),
            Ok(false) => self.rename(from, to),
            Err(error) => Err(Fault::at("cannot rename", from)(error)),
        }
    }

    /// Writes new content over a spare file, reusing its blocks; creates it if it does not exist. A
    /// file that may be shared (a backup may have a hard link to it, an operator may have changed
    /// its mode) is replaced instead.
    pub(crate) fn reuse(
        &self,
        path: &Path,
        bytes: &[u8],
        created: &mut dyn FnMut(&Path),
    ) -> Result<File, Fault> {
        let Some((file, length)) = unshared(path) else {
            self.remove(path)?;
            return self.put(path, bytes, created);
        };
        self.write_at(&file, path, 0, bytes)?;
        if length > bytes.len() as u64 {
            self.truncate(&file, path, bytes.len() as u64)?;
        }
        Ok(file)
    }

    /// Overwrites a spare file with zeros, and keeps its blocks. A file that may be shared is
    /// removed instead.
    pub(crate) fn blank(&self, path: &Path) -> Result<(), Fault> {
        let Some((file, length)) = unshared(path) else { return self.remove(path) };
        self.write_at(&file, path, 0, &vec![0; usize::try_from(length).unwrap_or(0)])
    }

    /// Appends to a file, or creates it.
    pub(crate) fn append(
        &self,
        path: &Path,
        bytes: &[u8],
        created: &mut dyn FnMut(&Path),
    ) -> Result<Appended, Fault> {
        let Some(file) = Self::open(path)? else {
            return Ok(Appended { file: self.put(path, bytes, created)?, is_new: true });
        };
        let end = file.metadata().map_err(Fault::at("cannot read", path))?.len();
        self.write_at(&file, path, end, bytes)?;
        Ok(Appended { file, is_new: false })
    }

    /// Removes a file, if it exists.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Fault> {
        removed(self.before(DiskStep::Remove(path)).and_then(|()| fs::remove_file(path)), path)
    }

    /// Creates a folder and the missing ones above it.
    pub(crate) fn folder(&self, path: &Path, created: &mut dyn FnMut(&Path)) -> Result<(), Fault> {
        let make = || {
            self.before(DiskStep::Folder(path))?;
            fs::DirBuilder::new().mode(0o750).create(path)
        };
        let result = match make() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match path.parent() {
                Some(above) => {
                    self.folder(above, created)?;
                    make()
                }
                None => Err(error),
            },
            result => result,
        };
        match result {
            Ok(()) => {
                created(path);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(Fault::at("cannot create", path)(error)),
        }
    }

    /// Creates something in a folder, and the folder only if it is missing: so the usual case costs
    /// nothing.
    fn in_folder<T>(
        &self,
        path: &Path,
        created: &mut dyn FnMut(&Path),
        make: impl Fn() -> io::Result<T>,
    ) -> Result<T, Fault> {
        match (make(), path.parent()) {
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                self.folder(folder, created)?;
                make().map_err(Fault::at("cannot create", path))
            }
            (result, _) => result.map_err(Fault::at("cannot create", path)),
        }
    }
}

/// Opens a file that can be overwritten in place, with its length; `None` if it may be shared.
fn unshared(path: &Path) -> Option<(File, u64)> {
    let nofollow = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0);
    let file = OpenOptions::new().write(true).custom_flags(nofollow).open(path).ok()?;
    let meta = file.metadata().ok()?;
    let is_unshared = meta.is_file() && meta.nlink() == 1 && meta.mode() & 0o7777 == MODE;
    is_unshared.then_some((file, meta.len()))
}

/// Replaces a small file atomically and durably, readable for its owner alone.
pub(in crate::store) fn replace_secret(disk: &Disk, path: &Path, text: &str) -> Result<(), Fault> {
    let new = beside(path, "tmp");
    disk.remove(&new)?;
    let mut file = disk.create_empty(&new, 0o600)?;
    file.write_all(text.as_bytes()).map_err(Fault::at("cannot write", &new))?;
    disk.sync(&file, &new)?;
    disk.rename(&new, path)?;
    disk.sync_folder(path.parent().unwrap_or(Path::new(".")))
}
