//! Reading a backup, which may be forged: entries are files with names that `is_home_file` knows, each
//! once, and no more than the disk has room for.

use super::archive::{FIRST, LAST, VERSION};
use super::contents::{FILES, is_home_file};
use crate::store::Fault;
use crate::store::fault::{is_passing, is_shortage};
use crate::store::files::disk::Disk;
use flate2::bufread::GzDecoder;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use tar::{Archive, Entry, EntryType};

/// Bytes that are unpacked at once.
pub(super) const CHUNK: usize = 256 * 1024;
/// The longest path of ours, and some more.
const LONGEST: u64 = 1100;
/// The least room that a file takes on the disk.
const BLOCK: u64 = 4096;
/// Bytes after which the disk is asked again how much room it has.
const ASKED: u64 = 64 << 20;

/// How much may be unpacked, so that nothing else on the disk wants for room.
#[derive(Debug)]
struct SpaceBudget {
    folder: PathBuf,
    left: u64,
    spent: u64,
}

impl SpaceBudget {
    fn measure(folder: &Path) -> Result<Self, Fault> {
        let disk = rustix::fs::statvfs(folder)
            .map_err(|error| Fault::at("cannot read", folder)(error.into()))?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        Ok(Self { folder: folder.to_owned(), left: free - free / 20, spent: 0 })
    }

    /// Whether a file of that size finds room.
    fn take(&mut self, size: u64) -> Result<bool, Fault> {
        if self.spent > ASKED {
            *self = Self::measure(&self.folder)?;
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

pub(super) struct Unpacker<'a> {
    /// The folder that it is unpacked into, and its disk.
    folder: &'a Path,
    disk: &'a Disk,
    backup: &'a Path,
    with_outbox: bool,
    room: SpaceBudget,
    version: Option<u32>,
    /// As many as there are in the backup.
    files: u64,
    /// As many as are taken out of it.
    unpacked: u64,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(
        (folder, disk): (&'a Path, &'a Disk),
        backup: &'a Path,
        with_outbox: bool,
    ) -> Result<Self, Fault> {
        let room = SpaceBudget::measure(folder)?;
        Ok(Self { folder, disk, backup, with_outbox, room, version: None, files: 0, unpacked: 0 })
    }

    /// Unpacks all there is; returns how many files.
    pub(super) fn all(mut self, input: impl BufRead) -> Result<u64, Fault> {
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
            if !self.folder.join(file).is_file() {
                return Err(self.refuse(&format!("it has no {file}")));
            }
        }
        // The checksum is at the very end.
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
            Ok(true) => Ok(self.unpacked),
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
        if !is_home_file(name) {
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
        let disk = self.disk;
        let path = self.folder.join(name);
        let mode = if ["key", "dice"].contains(&name) { 0o600 } else { 0o640 };
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
                    self.disk.write_at(file, path, at, &chunk[..read])?;
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
        let mut room = SpaceBudget { folder: PathBuf::new(), left: 3 * BLOCK, spent: 0 };
        assert!(room.take(0).unwrap(), "an empty file takes a block");
        assert!(room.take(BLOCK + 1).unwrap());
        assert!(!room.take(1).unwrap());
        assert!(!room.take(u64::MAX).unwrap());
    }
}
