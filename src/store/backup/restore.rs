//! Restoring a home from a backup.
//!
//! The backup is unpacked into `<home>.restoring` beside the home, synced, and takes the name of
//! the home by one rename or exchange of names. Until then nothing of the home has changed;
//! afterwards all of it has. A folder `.restoring` with the marker in it was left by an interrupted
//! restore, and is the only thing that is ever deleted.

use super::manifest::WholeBackup;
use super::nightly_name::{NightlyName, is_ahead};
use super::unpack::{CHUNK, Unpacker};
use crate::base::time::{Day, Time};
use crate::store::files::disk::{Disk, DiskStep};
use crate::store::files::init::refuse_newer;
use crate::store::files::lock::Lock;
use crate::store::paths::{beside, free_path, is_folder, is_there, names};
use crate::store::{Fault, FileStore};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};

/// The file that marks a home as incomplete.
const MARKER: &str = "restoring";

/// Returns whether nothing is where a home will be.
///
/// # Errors
/// The folder cannot be listed.
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

/// Opens a backup; returns its size, too.
pub fn open(file: &Path) -> Result<(impl BufRead + use<>, u64), Fault> {
    let opened = File::open(file).map_err(Fault::at("cannot read", file))?;
    let size = opened.metadata().map_err(Fault::at("cannot read", file))?.len();
    Ok((BufReader::with_capacity(CHUNK, opened), size))
}

/// The endings of the names of backups.
const ENDINGS: [&str; 4] = [".tgz", ".tar.gz", ".tgz.age", ".tar.gz.age"];

/// Returns the newest backup in a folder whose day does not lie ahead, and the names of those whose days do. If `from`
/// is a file, or `-`, returns it. A backup is a file whose name ends in `.tgz` or `.tar.gz`, and in `.age` after it if
/// it is encrypted. The day of a nightly one is in its name, since copies of several are written in any order; others
/// are of the day on which they were written.
///
/// # Errors
/// The folder cannot be read, or has no backup.
pub fn newest_backup(from: &Path, today: Day) -> Result<(PathBuf, Vec<String>), Fault> {
    if !is_folder(from)? {
        return Ok((from.to_owned(), Vec::new()));
    }
    let (mut newest, mut ahead) = (None, Vec::new());
    for name in names(from)? {
        if ENDINGS.iter().any(|end| name.ends_with(end)) {
            let path = from.join(&name);
            let meta = fs::metadata(&path).and_then(|meta| meta.modified());
            let written = meta.map_err(Fault::at("cannot read", &path))?;
            let nightly = NightlyName::parse(&name);
            let day = nightly.map_or_else(|| Time::from(written).day(), |nightly| nightly.night);
            if is_ahead(day, today) {
                ahead.push(name);
            } else {
                newest = newest.max(Some((day, written, path)));
            }
        }
    }
    let none = || {
        let why = match ahead.last() {
            None => "no file there ends in .tgz, .tar.gz or .tar.gz.age".into(),
            Some(ahead) => format!("{ahead} there lies ahead: set the clock, or name that file"),
        };
        Fault::because("cannot find a backup in", from, io::ErrorKind::NotFound, &why)
    };
    newest.map(|(_, _, path)| path).ok_or_else(none).map(|newest| (newest, ahead))
}

/// Opens the whole backup that a backup of changes needs; returns its name for faults, too.
pub type OpenWhole<'a> =
    &'a mut dyn FnMut(&WholeBackup) -> Result<(PathBuf, Box<dyn BufRead + 'a>), Fault>;

/// The user and group of a file.
#[derive(Clone, Copy, Debug)]
struct FileOwner {
    uid: u32,
    gid: u32,
}

/// A home being created beside its final place. It is removed when dropped.
#[derive(Debug)]
pub struct RestoreTarget {
    pub(super) disk: Disk,
    home: PathBuf,
    pub(super) folder: PathBuf,
    /// The owner that all files get, if not this process.
    owner: Option<FileOwner>,
    is_published: bool,
    _lock: Lock,
}

impl RestoreTarget {
    /// Creates the folder; removes what an interrupted restore has left.
    ///
    /// # Errors
    /// The machine failed, or another restore is under way.
    pub fn begin(home: &Path) -> Result<Self, Fault> {
        Self::begin_on(Disk::default(), home)
    }

    /// [`begin`](Self::begin) on a disk that a test may watch.
    pub fn begin_on(disk: Disk, home: &Path) -> Result<Self, Fault> {
        let home = resolved(home)?;
        let folder = beside(&home, "restoring");
        let marker = folder.join(MARKER);
        if is_there(&folder)? {
            let refused =
                |kind, why| Err(Fault::because("cannot restore into", &folder, kind, why));
            if is_there(&marker)? {
                if Lock::try_exclusive(&marker)?.is_none() {
                    return refused(io::ErrorKind::WouldBlock, "another restore is running");
                }
            } else if !names(&folder)?.is_empty() {
                return refused(io::ErrorKind::AlreadyExists, "it was not left by a restore");
            }
            remove_all(&disk, &folder)?;
        }
        disk.folder(&folder, &mut |_| ())?;
        drop(disk.create_empty(&marker, 0o600)?);
        let busy = || {
            let why = "another restore is running";
            Fault::because("cannot restore into", &folder, io::ErrorKind::WouldBlock, why)
        };
        let lock = Lock::try_exclusive(&marker)?.ok_or_else(busy)?;
        let reference = if is_folder(&home)? { &home } else { home.parent().unwrap_or(&home) };
        let meta = |path: &Path| fs::metadata(path).map_err(Fault::at("cannot read", path));
        let (reference, created) = (meta(reference)?, meta(&folder)?);
        // Root restores for the owner of the home, who could not write to it otherwise.
        let owner = (created.uid() == 0 && reference.uid() != 0)
            .then(|| FileOwner { uid: reference.uid(), gid: reference.gid() });
        Ok(Self { disk, home, folder, owner, is_published: false, _lock: lock })
    }

    /// Returns the folder while it is being created.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Unpacks a whole backup and syncs it, with or without the letters that were waiting. Returns the number of files.
    ///
    /// # Errors
    /// The machine failed, it is no complete backup of ours, or contains only changes.
    pub fn unpack(
        &self,
        backup: &Path,
        input: impl BufRead,
        with_outbox: bool,
    ) -> Result<u64, Fault> {
        let refuse = &mut |whole: &WholeBackup| Err(whole.missing_fault(backup, "it"));
        self.unpack_all(backup, input, with_outbox, refuse)
    }

    /// Unpacks a backup, as [`unpack`](Self::unpack) does; if it contains only changes, the rest from the whole backup that
    /// it names.
    ///
    /// # Errors
    /// The machine failed, or one of both is no complete backup of ours.
    pub fn unpack_all(
        &self,
        backup: &Path,
        input: impl BufRead,
        with_outbox: bool,
        open_whole: OpenWhole,
    ) -> Result<u64, Fault> {
        let unpacker = |backup| Unpacker::new(&self.folder, &self.disk, backup, with_outbox);
        let first = unpacker(backup)?.unpack(input)?;
        let mut unpacked = first.files;
        if let Some(changes) = &first.changes {
            let (whole, input) = open_whole(&changes.whole)?;
            unpacked += unpacker(&whole)?.below(changes).unpack(input)?.files;
        }
        refuse_newer(&self.folder)?;
        FileStore::create_missing(&self.disk, &self.folder)?;
        self.chown_all()?;
        self.disk.sync_all(&self.folder)?;
        Ok(unpacked)
    }

    /// Gives the new home the name of the home. Returns where the old home is now, if there was one.
    ///
    /// # Errors
    /// The machine failed: the home is still the old one, or already the new one.
    pub fn publish(mut self) -> Result<Option<PathBuf>, Fault> {
        let above = self.home.parent().unwrap_or(&self.home).to_owned();
        let mut aside = None;
        if is_vacant(&self.home)? {
            self.disk.rename(&self.folder, &self.home)?;
            self.is_published = true;
        } else {
            // Processes that work there come to an end; those that wait find the new home.
            let lock = |name: &str| match Lock::exclusive(&self.home.join(name)) {
                Ok(lock) => Ok(Some(lock)),
                // A home without these files is too damaged to be in use.
                Err(fault) if fault.source.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(fault) => Err(fault),
            };
            let _locks = (lock("outbox/lock")?, lock("lock")?);
            let place = free_path(&beside(&self.home, "aside"))?;
            // Renamed first, so that a `.restoring` is never an old home.
            self.disk.rename(&self.folder, &place)?;
            self.is_published = true;
            aside = Some(self.swap(place)?);
        }
        self.disk.sync_folder(&above)?;
        // From here on the restore is complete.
        let _ = self.disk.remove(&self.home.join(MARKER));
        Ok(aside)
    }

    /// Exchanges the new home at `place` and the old one. Returns where the old one is now.
    fn swap(&self, place: PathBuf) -> Result<PathBuf, Fault> {
        match self.disk.exchange(&place, &self.home) {
            // The file system cannot exchange names: for a moment there is no home.
            Err(fault) if fault.source.kind() == io::ErrorKind::DirectoryNotEmpty => {
                let aside = free_path(&place)?;
                self.disk.rename(&self.home, &aside)?;
                self.disk.rename(&place, &self.home)?;
                Ok(aside)
            }
            result => result.map(|()| place),
        }
    }

    /// Gives all files to the owner of the home.
    fn chown_all(&self) -> Result<(), Fault> {
        let Some(FileOwner { uid, gid }) = self.owner else { return Ok(()) };
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
        if !self.is_published {
            let _ = remove_all(&self.disk, &self.folder);
        }
    }
}

/// Resolves a link to the home.
fn resolved(home: &Path) -> Result<PathBuf, Fault> {
    if is_there(home)? {
        return home.canonicalize().map_err(Fault::at("cannot read", home));
    }
    let above = home.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."));
    let above = above.canonicalize().map_err(Fault::at("cannot read", above))?;
    Ok(home.file_name().map_or_else(|| above.clone(), |name| above.join(name)))
}

/// Removes the folder of an interrupted restore. The marker goes last, so that the folder is
/// recognized until then.
fn remove_all(disk: &Disk, folder: &Path) -> Result<(), Fault> {
    disk.before(DiskStep::Remove(folder)).map_err(Fault::at("cannot remove", folder))?;
    for name in names(folder)?.into_iter().filter(|name| name != MARKER) {
        let path = folder.join(name);
        let removed =
            if is_folder(&path)? { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(Fault::at("cannot remove", path))?;
    }
    fs::remove_dir_all(folder).map_err(Fault::at("cannot remove", folder))
}
