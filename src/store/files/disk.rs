//! Every way in which the store changes the disk, one function each.
//!
//! A test may put a watcher in front: it sees each step before it happens and may refuse it. So a
//! full disk, a failed fsync and a crash at any step are ordinary values of a test.

use crate::store::paths::beside;
use crate::store::{Fault, platform};
use rustix::fs::OFlags;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;

/// The rights of a file of ours.
const MODE: u32 = 0o640;

/// One change to the disk, or the reading of a mail, about to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskStep<'a> {
    /// An empty file appears, or a file becomes empty.
    Create(&'a Path),
    /// Bytes are written at an offset.
    Write(&'a Path, u64, &'a [u8]),
    /// A file's content is forced to the disk.
    Sync(&'a Path),
    /// A folder's names are forced to the disk.
    SyncFolder(&'a Path),
    /// All that was ever written to the file system is forced to the disk.
    SyncAll(&'a Path),
    /// A file gets another name, which it takes from the file that had it.
    Rename(&'a Path, &'a Path),
    /// Two files take each other's names.
    Exchange(&'a Path, &'a Path),
    /// A file ends at this byte.
    Length(&'a Path, u64),
    /// A name goes away.
    Remove(&'a Path),
    /// A folder appears.
    Folder(&'a Path),
    /// A mail is read.
    Read(&'a Path),
}

/// Sees each step before it happens; an error keeps it from happening.
pub type DiskHook = Arc<dyn Fn(DiskStep<'_>) -> io::Result<()> + Send + Sync>;

/// The disk, perhaps watched.
#[derive(Clone, Default)]
pub struct Disk(Option<DiskHook>);

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Disk").field(&self.0.is_some()).finish()
    }
}

impl Disk {
    /// A disk whose every step `watch` sees first.
    pub fn watched(watch: DiskHook) -> Self {
        Self(Some(watch))
    }

    /// Asks the watcher, if there is one.
    ///
    /// # Errors
    /// The watcher's: the step must not be made.
    pub fn before(&self, step: DiskStep<'_>) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |watch| watch(step))
    }

    /// Makes a file of these bytes, or gives an existing one this content; not yet durable.
    /// Missing folders are made, and each is told to `tell` so that it can be synced.
    pub(crate) fn put(
        &self,
        path: &Path,
        bytes: &[u8],
        tell: &mut dyn FnMut(&Path),
    ) -> Result<File, Fault> {
        let file = self.in_folder(path, tell, || self.create(path, false))?;
        self.write_at(&file, path, 0, bytes)?;
        Ok(file)
    }

    /// Makes a file that must not exist yet, with these bytes, durable except for its name.
    pub(crate) fn put_new(&self, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
        let file = self.create(path, true).map_err(Fault::at("cannot create", path))?;
        self.write_at(&file, path, 0, bytes)?;
        self.sync(&file, path)
    }

    /// Makes an empty file with those rights, which must not exist yet.
    pub(crate) fn make(&self, path: &Path, mode: u32) -> Result<File, Fault> {
        self.before(DiskStep::Create(path))
            .and_then(|()| OpenOptions::new().write(true).create_new(true).mode(mode).open(path))
            .map_err(Fault::at("cannot create", path))
    }

    fn create(&self, path: &Path, new: bool) -> io::Result<File> {
        self.before(DiskStep::Create(path))?;
        let mut options = OpenOptions::new();
        options.write(true).mode(MODE);
        if new {
            options.create_new(true)
        } else {
            options.create(true).truncate(true)
        };
        options.open(path)
    }

    /// Opens a file for writing in place; none if it does not exist. That changes nothing.
    pub(crate) fn open(path: &Path) -> Result<Option<File>, Fault> {
        match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::at("cannot open", path)(error)),
        }
    }

    /// Writes in place.
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

    /// Lets a file end there.
    pub(crate) fn length(&self, file: &File, path: &Path, length: u64) -> Result<(), Fault> {
        self.before(DiskStep::Length(path, length))
            .and_then(|()| file.set_len(length))
            .map_err(Fault::at("cannot write", path))
    }

    /// Forces a file's content to the disk.
    pub(crate) fn sync(&self, file: &File, path: &Path) -> Result<(), Fault> {
        self.before(DiskStep::Sync(path))
            .and_then(|()| file.sync_data())
            .map_err(Fault::at("cannot make durable", path))
    }

    /// Forces a folder's names to the disk.
    pub(crate) fn sync_folder(&self, path: &Path) -> Result<(), Fault> {
        self.before(DiskStep::SyncFolder(path))
            .and_then(|()| File::open(path)?.sync_all())
            .map_err(Fault::at("cannot make durable", path))
    }

    /// Forces all that was ever written to the file system of this folder to the disk.
    pub(crate) fn sync_all(&self, path: &Path) -> Result<(), Fault> {
        let all = || {
            self.before(DiskStep::SyncAll(path))?;
            let folder = File::open(path)?;
            platform::sync_file_system(&folder)
        };
        all().map_err(Fault::at("cannot make durable", path))
    }

    /// Gives a file another name.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> Result<(), Fault> {
        self.before(DiskStep::Rename(from, to))
            .and_then(|()| fs::rename(from, to))
            .map_err(Fault::at("cannot rename", from))
    }

    /// Gives a file the name of another, which then has the first one's, so that its room on the
    /// disk can be used again. If there is no other, or the file system cannot do it: a rename.
    pub(crate) fn exchange(&self, from: &Path, to: &Path) -> Result<(), Fault> {
        self.before(DiskStep::Exchange(from, to)).map_err(Fault::at("cannot rename", from))?;
        match platform::exchange_names(from, to) {
            Ok(true) => Ok(()),
            Ok(false) => self.rename(from, to),
            Err(error) => Err(Fault::at("cannot rename", from)(error)),
        }
    }

    /// Gives a file of ours that nobody needs this content, in the room that it has on the disk; a
    /// new file if there is none. One that is not ours alone (a backup may share it by a hard
    /// link, an operator may have changed its rights) is not written to.
    pub(crate) fn reuse(
        &self,
        path: &Path,
        bytes: &[u8],
        tell: &mut dyn FnMut(&Path),
    ) -> Result<File, Fault> {
        let Some((file, length)) = ours_alone(path) else {
            self.remove(path)?;
            return self.put(path, bytes, tell);
        };
        self.write_at(&file, path, 0, bytes)?;
        if length > bytes.len() as u64 {
            self.length(&file, path, bytes.len() as u64)?;
        }
        Ok(file)
    }

    /// Blanks a file of ours that nobody needs, and leaves it the room that it has on the disk. One
    /// that is not ours alone loses its name here.
    pub(crate) fn blank(&self, path: &Path) -> Result<(), Fault> {
        let Some((file, length)) = ours_alone(path) else { return self.remove(path) };
        self.write_at(&file, path, 0, &vec![0; usize::try_from(length).unwrap_or(0)])
    }

    /// Writes at the end of a file; a new one if there is none. True if it is new.
    pub(crate) fn append(
        &self,
        path: &Path,
        bytes: &[u8],
        tell: &mut dyn FnMut(&Path),
    ) -> Result<(File, bool), Fault> {
        let Some(file) = Self::open(path)? else {
            return Ok((self.put(path, bytes, tell)?, true));
        };
        let end = file.metadata().map_err(Fault::at("cannot read", path))?.len();
        self.write_at(&file, path, end, bytes)?;
        Ok((file, false))
    }

    /// Removes a file; no matter if it is not there.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Fault> {
        match self.before(DiskStep::Remove(path)).and_then(|()| fs::remove_file(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Fault::at("cannot remove", path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Makes a folder and missing ones above it.
    pub(crate) fn folder(&self, path: &Path, tell: &mut dyn FnMut(&Path)) -> Result<(), Fault> {
        let make = || {
            self.before(DiskStep::Folder(path))?;
            fs::DirBuilder::new().mode(0o750).create(path)
        };
        let result = match make() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let above = path.parent().ok_or(error);
                match above {
                    Ok(above) => {
                        self.folder(above, tell)?;
                        make()
                    }
                    Err(error) => Err(error),
                }
            }
            result => result,
        };
        match result {
            Ok(()) => {
                tell(path);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(Fault::at("cannot create", path)(error)),
        }
    }

    /// Tries; if the folder is missing, makes it and tries again. So the usual case costs nothing.
    fn in_folder<T>(
        &self,
        path: &Path,
        tell: &mut dyn FnMut(&Path),
        make: impl Fn() -> io::Result<T>,
    ) -> Result<T, Fault> {
        match (make(), path.parent()) {
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                self.folder(folder, tell)?;
                make().map_err(Fault::at("cannot create", path))
            }
            (result, _) => result.map_err(Fault::at("cannot create", path)),
        }
    }
}

/// A file that can be written to in place, with its length; none if it is not ours alone.
fn ours_alone(path: &Path) -> Option<(File, u64)> {
    let nofollow = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0);
    let file = OpenOptions::new().write(true).custom_flags(nofollow).open(path).ok()?;
    let meta = file.metadata().ok()?;
    let ours = meta.is_file() && meta.nlink() == 1 && meta.mode() & 0o7777 == MODE;
    ours.then_some((file, meta.len()))
}

/// Puts a small file in place of what was there, durably, for its owner alone.
pub(in crate::store) fn save(disk: &Disk, path: &Path, text: &str) -> Result<(), Fault> {
    let new = beside(path, "tmp");
    disk.remove(&new)?;
    let mut file = disk.make(&new, 0o600)?;
    file.write_all(text.as_bytes()).map_err(Fault::at("cannot write", &new))?;
    disk.sync(&file, &new)?;
    disk.rename(&new, path)?;
    disk.sync_folder(path.parent().unwrap_or(Path::new(".")))
}
