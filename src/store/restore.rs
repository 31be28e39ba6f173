//! A home made of a backup.
//!
//! It is unpacked into a folder beside the home, made durable, and takes the home's name by one
//! rename. Until then nothing of the home has changed; from then on all has. A folder `.restoring`
//! with the marker in it is one that was broken off, and the only thing that is ever deleted.
//!
//! What is read may be forged: entries are files with names that `is_ours` knows, each once, and
//! no more than the disk has room for.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::backup::{FILES, FIRST, LAST, VERSION, is_ours};
use super::disk::{Disk, Step};
use super::lock::Lock;
use super::{Fault, Files, beside, free_path, is_passing, is_shortage, names};
use flate2::bufread::GzDecoder;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use tar::{Archive, Entry, EntryType};

/// Stands in a home that is not whole yet.
const MARKER: &str = "restoring";
/// The longest path of ours, and some more.
const LONGEST: u64 = 1100;
/// Bytes that are unpacked at once.
const CHUNK: usize = 256 * 1024;
/// What a file takes on the disk at least.
const BLOCK: u64 = 4096;
/// Bytes after which the disk is asked again how much room it has.
const ASKED: u64 = 64 << 20;

/// Whether there is nothing yet where a home is to be.
///
/// # Errors
/// It cannot be looked at.
pub fn is_vacant(home: &Path) -> Result<bool, Fault> {
    match fs::read_dir(home) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(home.symlink_metadata().is_err())
        }
        Err(error) => Err(Fault::at("cannot read", home)(error)),
    }
}

/// Opens a backup.
///
/// # Errors
/// It cannot be read.
pub fn open(file: &Path) -> Result<impl BufRead, Fault> {
    let opened = File::open(file).map_err(Fault::at("cannot read", file))?;
    Ok(BufReader::with_capacity(CHUNK, opened))
}

/// A home being made, beside where it is to be. Dropped, it goes away.
#[derive(Debug)]
pub struct Restoring {
    disk: Disk,
    home: PathBuf,
    folder: PathBuf,
    /// Whom all files are to belong to, if not to us.
    owner: Option<(u32, u32)>,
    published: bool,
    _lock: Lock,
}

impl Restoring {
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
        if folder.symlink_metadata().is_ok() {
            let refused =
                |kind, why| Err(Fault::because("cannot restore into", &folder, kind, why));
            if marker.symlink_metadata().is_ok() {
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
        let like = if home.is_dir() { &home } else { home.parent().unwrap_or(&home) };
        let meta = |path: &Path| fs::metadata(path).map_err(Fault::at("cannot read", path));
        let (like, ours) = (meta(like)?, meta(&folder)?);
        // Root restores for whom the home belongs to, else nobody could write to it.
        let owner = (ours.uid() == 0 && like.uid() != 0).then(|| (like.uid(), like.gid()));
        Ok(Self { disk, home, folder, owner, published: false, _lock: lock })
    }

    /// Where it is while it is being made.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Unpacks a backup, whole and durable, with or without the letters that were to be sent.
    /// Returns how many files.
    ///
    /// # Errors
    /// The machine failed, or it is no backup of ours, or not a whole one.
    pub fn unpack(
        &self,
        backup: &Path,
        input: impl BufRead,
        with_outbox: bool,
    ) -> Result<u64, Fault> {
        let mut unpacking = Unpacking {
            to: self,
            backup,
            with_outbox,
            room: Room::of(&self.folder)?,
            version: None,
            files: 0,
            unpacked: 0,
        };
        unpacking.all(input)?;
        Files::furnish(&self.disk, &self.folder)?;
        self.own_all()?;
        self.disk.sync_all(&self.folder)?;
        Ok(unpacking.unpacked)
    }

    /// Gives it the name of the home. Returns where the old one is now, if there was one.
    ///
    /// # Errors
    /// The machine failed: the old home stands, or the new one.
    pub fn publish(mut self) -> Result<Option<PathBuf>, Fault> {
        let above = self.home.parent().unwrap_or(&self.home).to_owned();
        let mut aside = None;
        if is_vacant(&self.home)? {
            self.disk.rename(&self.folder, &self.home)?;
            self.published = true;
        } else {
            // Whoever works there comes to an end; whoever waits finds the new home.
            let lock = |name: &str| match Lock::exclusive(&self.home.join(name)) {
                Ok(lock) => Ok(Some(lock)),
                // A home that is so damaged is nobody's place of work.
                Err(fault) if fault.source.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(fault) => Err(fault),
            };
            let _locks = (lock("outbox/lock")?, lock("lock")?);
            let place = free_path(&beside(&self.home, "aside"));
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
                let aside = free_path(&place);
                self.disk.rename(&self.home, &aside)?;
                self.disk.rename(&place, &self.home)?;
                Ok(aside)
            }
            result => result.map(|()| place),
        }
    }

    /// Gives all files to whom they are to belong.
    fn own_all(&self) -> Result<(), Fault> {
        let Some((uid, gid)) = self.owner else { return Ok(()) };
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for name in names(&folder)? {
                let path = folder.join(name);
                if path.is_dir() {
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

impl Drop for Restoring {
    fn drop(&mut self) {
        if !self.published {
            let _ = remove_all(&self.disk, &self.folder);
        }
    }
}

/// The folder itself, where a link may lead to it.
fn real(home: &Path) -> Result<PathBuf, Fault> {
    if home.symlink_metadata().is_ok() {
        return home.canonicalize().map_err(Fault::at("cannot read", home));
    }
    let above = home.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."));
    let above = above.canonicalize().map_err(Fault::at("cannot read", above))?;
    Ok(home.file_name().map_or_else(|| above.clone(), |name| above.join(name)))
}

/// Removes a folder that was broken off, the marker last, so that it is known for one until then.
fn remove_all(disk: &Disk, folder: &Path) -> Result<(), Fault> {
    disk.before(Step::Remove(folder)).map_err(Fault::at("cannot remove", folder))?;
    for name in names(folder)?.into_iter().filter(|name| name != MARKER) {
        let path = folder.join(name);
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.map_err(Fault::at("cannot remove", path))?;
    }
    fs::remove_dir_all(folder).map_err(Fault::at("cannot remove", folder))
}

/// How much may be unpacked, so that nothing else on the disk wants for room.
#[derive(Debug)]
struct Room {
    folder: PathBuf,
    left: u64,
    spent: u64,
}

impl Room {
    fn of(folder: &Path) -> Result<Self, Fault> {
        let disk = rustix::fs::statvfs(folder)
            .map_err(|error| Fault::at("cannot read", folder)(error.into()))?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        Ok(Self { folder: folder.to_owned(), left: free - free / 20, spent: 0 })
    }

    /// Whether a file of that size finds room.
    fn take(&mut self, size: u64) -> Result<bool, Fault> {
        if self.spent > ASKED {
            *self = Self::of(&self.folder)?;
        }
        let Some(size) = size.max(1).checked_next_multiple_of(BLOCK) else { return Ok(false) };
        self.spent += size.min(ASKED);
        match self.left.checked_sub(size) {
            Some(left) => {
                self.left = left;
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

struct Unpacking<'a> {
    to: &'a Restoring,
    backup: &'a Path,
    with_outbox: bool,
    room: Room,
    version: Option<u32>,
    /// As many as there are in the backup.
    files: u64,
    /// As many as are taken out of it.
    unpacked: u64,
}

impl Unpacking<'_> {
    fn all(&mut self, input: impl BufRead) -> Result<(), Fault> {
        let mut archive = Archive::new(GzDecoder::new(input));
        let entries = archive.entries().map_err(|error| self.unread(error))?;
        let (mut long, mut ended) = (None, false);
        // Raw: extensions of the format could have any length, and say anything.
        for entry in entries.raw(true) {
            let mut entry = entry.map_err(|error| self.unread(error))?;
            if ended {
                return Err(self.refuse("something stands behind its end"));
            }
            if entry.header().entry_type() == EntryType::GNULongName && long.is_none() {
                long = Some(self.long_name(&mut entry)?);
                continue;
            }
            let name = long.take().unwrap_or_else(|| entry.header().path_bytes().into_owned());
            ended = self.entry(&name, &mut entry)?;
        }
        if !ended {
            return Err(self.refuse("its end is missing"));
        }
        for file in FILES {
            if !self.to.folder.join(file).is_file() {
                return Err(self.refuse(&format!("it has no {file}")));
            }
        }
        // The checksum stands at the very end.
        let mut stream = archive.into_inner();
        let mut rest = [0; 4096];
        loop {
            match stream.read(&mut rest).map_err(|error| self.unread(error))? {
                0 => break,
                read if rest[..read].iter().all(|byte| *byte == 0) => {}
                _ => return Err(self.refuse("something stands behind its end")),
            }
        }
        let mut input = stream.into_inner();
        match input.fill_buf().map(<[u8]>::is_empty) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.refuse("something stands behind its end")),
            Err(error) => Err(self.unread(error)),
        }
    }

    fn long_name(&self, entry: &mut Entry<'_, impl Read>) -> Result<Vec<u8>, Fault> {
        if entry.size() > LONGEST {
            return Err(self.refuse("it names a file that is none of a home: the name is too long"));
        }
        let mut name = Vec::new();
        entry.read_to_end(&mut name).map_err(|error| self.unread(error))?;
        if name.last() == Some(&0) {
            name.pop();
        }
        Ok(name)
    }

    /// Takes in an entry; returns whether it is the last one.
    fn entry(&mut self, name: &[u8], entry: &mut Entry<'_, impl Read>) -> Result<bool, Fault> {
        let shown = name.escape_ascii().to_string();
        let kind = entry.header().entry_type();
        if kind != EntryType::Regular {
            let what = match kind {
                EntryType::Symlink => "a symbolic link",
                EntryType::Link => "a hard link",
                EntryType::Directory => "a folder",
                EntryType::Char | EntryType::Block => "a device",
                EntryType::Fifo => "a pipe",
                _ => "no file",
            };
            return Err(self.refuse(&format!("`{shown}` is {what}, and a backup has files only")));
        }
        let name = std::str::from_utf8(name).unwrap_or_default();
        let Some(_) = self.version else {
            let version = (name == FIRST).then(|| self.number(entry)).transpose()?.flatten();
            let version = version.ok_or_else(|| self.refuse("it is no backup of Postboard"))?;
            if version > u64::from(VERSION) {
                return Err(self.refuse(&format!("format {version} is of a later program")));
            }
            self.version = u32::try_from(version).ok();
            return Ok(false);
        };
        if name == LAST {
            if self.number(entry)? != Some(self.files) {
                return Err(self.refuse("files are missing"));
            }
            return Ok(true);
        }
        if !is_ours(name) {
            return Err(self.refuse(&format!("`{shown}` is no file of a home")));
        }
        self.files += 1;
        if self.with_outbox || !["outbox/new/", "outbox/cur/"].iter().any(|f| name.starts_with(f)) {
            self.file(name, entry)?;
        }
        Ok(false)
    }

    fn number(&self, entry: &mut Entry<'_, impl Read>) -> Result<Option<u64>, Fault> {
        let mut text = String::new();
        let read = entry.take(32).read_to_string(&mut text);
        read.map_err(|error| self.unread(error))?;
        Ok(text.trim().parse().ok())
    }

    fn file(&mut self, name: &str, entry: &mut Entry<'_, impl Read>) -> Result<(), Fault> {
        let size = entry.size();
        if !self.room.take(size)? {
            let why = format!("the disk has no room for `{name}` of {size} bytes");
            return Err(Fault::because(
                "cannot restore",
                self.backup,
                io::ErrorKind::StorageFull,
                &why,
            ));
        }
        let disk = &self.to.disk;
        let path = self.to.folder.join(name);
        let mode = if name == "key" { 0o600 } else { 0o640 };
        let folder = path.parent().map_or(Ok(()), |folder| disk.folder(folder, &mut |_| ()));
        let file = match folder.and_then(|()| disk.make(&path, mode)) {
            Err(fault) if fault.source.kind() == io::ErrorKind::AlreadyExists => {
                return Err(self.refuse(&format!("`{name}` is in it twice")));
            }
            Err(fault) if fault.source.kind() == io::ErrorKind::NotADirectory => {
                return Err(self.refuse(&format!("`{name}` lies in a file")));
            }
            file => file?,
        };
        self.copy(&file, &path, size, entry)?;
        self.unpacked += 1;
        Ok(())
    }

    fn copy(
        &self,
        file: &File,
        path: &Path,
        size: u64,
        entry: &mut Entry<'_, impl Read>,
    ) -> Result<(), Fault> {
        let mut chunk = vec![0; CHUNK.min(usize::try_from(size).unwrap_or(CHUNK))];
        let mut at = 0;
        while at < size {
            let most = chunk.len().min(usize::try_from(size - at).unwrap_or(CHUNK));
            match entry.read(&mut chunk[..most]).map_err(|error| self.unread(error))? {
                0 => return Err(self.refuse("it is cut off")),
                read => {
                    self.to.disk.write_at(file, path, at, &chunk[..read])?;
                    at += read as u64;
                }
            }
        }
        Ok(())
    }

    fn refuse(&self, why: &str) -> Fault {
        Fault::because("cannot restore", self.backup, io::ErrorKind::InvalidData, why)
    }

    /// The archive is damaged, or the machine failed to read it.
    fn unread(&self, error: io::Error) -> Fault {
        if is_shortage(&error) || is_passing(&error) {
            return Fault::at("cannot read", self.backup)(error);
        }
        self.refuse(&format!("it is damaged or cut off: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_unpacked_than_there_is_room_for() {
        let mut room = Room { folder: PathBuf::new(), left: 3 * BLOCK, spent: 0 };
        assert!(room.take(0).unwrap(), "an empty file takes a block");
        assert!(room.take(BLOCK + 1).unwrap());
        assert!(!room.take(1).unwrap());
        assert!(!room.take(u64::MAX).unwrap());
    }
}
