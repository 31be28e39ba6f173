//! A home made of a backup.
//!
//! It is unpacked into a folder beside the home, made durable, and takes the home's name by one
//! rename. Until then nothing of the home has changed; from then on all has. A folder `.restoring`
//! with the marker in it is one that was broken off, and the only thing that is ever deleted.

use super::unpack::{CHUNK, Unpacker};
use crate::store::files::disk::{Disk, DiskStep};
use crate::store::files::init::refuse_newer;
use crate::store::files::lock::Lock;
use crate::store::paths::{beside, free_path, is_folder, is_there, names};
use crate::store::{Fault, FileStore};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};

/// Marks a home that is not whole yet.
const MARKER: &str = "restoring";

/// Whether there is nothing yet where a home will be.
///
/// # Errors
/// It cannot be looked at.
pub fn is_vacant(home: &Path) -> Result<bool, Fault> {
    match fs::read_dir(home) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(!is_there(home)?),
        Err(error) => Err(Fault::at("cannot read", home)(error)),
    }
}

/// Returns the folder that a broken-off restore left beside a home.
pub fn half_restored(home: &Path) -> Option<PathBuf> {
    let folder = beside(&fs::canonicalize(home).unwrap_or_else(|_| home.to_owned()), "restoring");
    folder.symlink_metadata().is_ok().then_some(folder)
}

/// Opens a backup; tells its bytes, too.
///
/// # Errors
/// It cannot be read.
pub fn open(file: &Path) -> Result<(impl BufRead, u64), Fault> {
    let opened = File::open(file).map_err(Fault::at("cannot read", file))?;
    let size = opened.metadata().map_err(Fault::at("cannot read", file))?.len();
    Ok((BufReader::with_capacity(CHUNK, opened), size))
}

/// A home being made, beside the place where it will be. Dropped, it goes away.
#[derive(Debug)]
pub struct RestoreTarget {
    pub(super) disk: Disk,
    home: PathBuf,
    pub(super) folder: PathBuf,
    /// The user who will own all files, if not us.
    owner: Option<(u32, u32)>,
    published: bool,
    _lock: Lock,
}

impl RestoreTarget {
    /// Makes the folder; what is left of one that was broken off goes away.
    ///
    /// # Errors
    /// The machine failed, or another one is at work.
    pub fn begin(home: &Path) -> Result<Self, Fault> {
        Self::begin_on(Disk::default(), home)
    }

    /// [`begin`](Self::begin) on a watched disk.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub fn begin_on(disk: Disk, home: &Path) -> Result<Self, Fault> {
        let home = real(home)?;
        let folder = beside(&home, "restoring");
        let marker = folder.join(MARKER);
        if is_there(&folder)? {
            let refused =
                |kind, why| Err(Fault::because("cannot restore into", &folder, kind, why));
            if is_there(&marker)? {
                if Lock::try_exclusive(&marker)?.is_none() {
                    return refused(io::ErrorKind::WouldBlock, "another restore is at work");
                }
            } else if !names(&folder)?.is_empty() {
                return refused(io::ErrorKind::AlreadyExists, "it is no home that we began");
            }
            remove_all(&disk, &folder)?;
        }
        disk.folder(&folder, &mut |_| ())?;
        drop(disk.make(&marker, 0o600)?);
        let busy = || {
            let why = "another restore is at work";
            Fault::because("cannot restore into", &folder, io::ErrorKind::WouldBlock, why)
        };
        let lock = Lock::try_exclusive(&marker)?.ok_or_else(busy)?;
        let like = if is_folder(&home)? { &home } else { home.parent().unwrap_or(&home) };
        let meta = |path: &Path| fs::metadata(path).map_err(Fault::at("cannot read", path));
        let (like, ours) = (meta(like)?, meta(&folder)?);
        // Root restores for the owner of the home, or else nobody could write to it.
        let owner = (ours.uid() == 0 && like.uid() != 0).then(|| (like.uid(), like.gid()));
        Ok(Self { disk, home, folder, owner, published: false, _lock: lock })
    }

    /// Where it is while it is being made.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Unpacks a backup, whole and durable, with or without the letters that were waiting to be
    /// sent. Returns how many files.
    ///
    /// # Errors
    /// The machine failed, or it is no backup of ours, or not a whole one.
    pub fn unpack(
        &self,
        backup: &Path,
        input: impl BufRead,
        with_outbox: bool,
    ) -> Result<u64, Fault> {
        let unpacked =
            Unpacker::new((&self.folder, &self.disk), backup, with_outbox)?.all(input)?;
        refuse_newer(&self.folder)?;
        FileStore::create_missing(&self.disk, &self.folder)?;
        self.own_all()?;
        self.disk.sync_all(&self.folder)?;
        Ok(unpacked)
    }

    /// Gives it the name of the home. Returns where the old one is now, if there was one.
    ///
    /// # Errors
    /// The machine failed: the home is still the old one, or is the new one.
    pub fn publish(mut self) -> Result<Option<PathBuf>, Fault> {
        let above = self.home.parent().unwrap_or(&self.home).to_owned();
        let mut aside = None;
        if is_vacant(&self.home)? {
            self.disk.rename(&self.folder, &self.home)?;
            self.published = true;
        } else {
            // Processes at work there come to an end; those that wait find the new home.
            let lock = |name: &str| match Lock::exclusive(&self.home.join(name)) {
                Ok(lock) => Ok(Some(lock)),
                // A home that is so damaged is nobody's place of work.
                Err(fault) if fault.source.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(fault) => Err(fault),
            };
            let _locks = (lock("outbox/lock")?, lock("lock")?);
            let place = free_path(&beside(&self.home, "aside"))?;
            // Under that name first: then a `.restoring` is never an old home.
            self.disk.rename(&self.folder, &place)?;
            self.published = true;
            aside = Some(self.change_places(place)?);
        }
        self.disk.sync_folder(&above)?;
        // From here on it is done.
        let _ = self.disk.remove(&self.home.join(MARKER));
        Ok(aside)
    }

    fn change_places(&self, place: PathBuf) -> Result<PathBuf, Fault> {
        match self.disk.exchange(&place, &self.home) {
            // The file system knows no exchange: for a moment there is no home.
            Err(fault) if fault.source.kind() == io::ErrorKind::DirectoryNotEmpty => {
                let aside = free_path(&place)?;
                self.disk.rename(&self.home, &aside)?;
                self.disk.rename(&place, &self.home)?;
                Ok(aside)
            }
            result => result.map(|()| place),
        }
    }

    /// Gives all files to the user who will own them.
    fn own_all(&self) -> Result<(), Fault> {
        let Some((uid, gid)) = self.owner else { return Ok(()) };
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for name in names(&folder)? {
                let path = folder.join(name);
                if is_folder(&path)? {
                    folders.push(path);
                } else {
                    chown(&path, Some(uid), Some(gid)).map_err(Fault::at("cannot give", &path))?;
                }
            }
            chown(&folder, Some(uid), Some(gid)).map_err(Fault::at("cannot give", &folder))?;
        }
        Ok(())
    }
}

impl Drop for RestoreTarget {
    fn drop(&mut self) {
        if !self.published {
            let _ = remove_all(&self.disk, &self.folder);
        }
    }
}

/// The folder itself, where a link may lead to it.
fn real(home: &Path) -> Result<PathBuf, Fault> {
    if is_there(home)? {
        return home.canonicalize().map_err(Fault::at("cannot read", home));
    }
    let above = home.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."));
    let above = above.canonicalize().map_err(Fault::at("cannot read", above))?;
    Ok(home.file_name().map_or_else(|| above.clone(), |name| above.join(name)))
}

/// Removes a folder that was broken off, the marker last, so that it is known for one until then.
fn remove_all(disk: &Disk, folder: &Path) -> Result<(), Fault> {
    disk.before(DiskStep::Remove(folder)).map_err(Fault::at("cannot remove", folder))?;
    for name in names(folder)?.into_iter().filter(|name| name != MARKER) {
        let path = folder.join(name);
        let gone =
            if is_folder(&path)? { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.map_err(Fault::at("cannot remove", path))?;
    }
    fs::remove_dir_all(folder).map_err(Fault::at("cannot remove", folder))
}
