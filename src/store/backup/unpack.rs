//! Reading a backup, which may be forged: entries must be files with names that [`is_home_file`]
//! accepts, each once, and fit on the disk.

use super::archive::{
    CHANGES_FORMAT, FIRST_ENTRY, GONE_ENTRY, LAST_ENTRY, SINCE_ENTRY, WHOLE_FORMAT,
};
use super::contents::{FILES, is_home_file};
use super::manifest::{MAX_MANIFEST_BYTES, WholeBackup};
use crate::store::Fault;
use crate::store::fault::{is_shortage, is_unreadable_file};
use crate::store::files::disk::Disk;
use crate::store::files::disk_space::free_space;
use flate2::bufread::GzDecoder;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::mem;
use std::path::{Path, PathBuf};
use tar::{Archive, Entry, EntryType};

/// The size of a read.
pub(super) const CHUNK: usize = 256 * 1024;
/// The longest path of a home file, with a margin.
const MAX_PATH_BYTES: u64 = 1100;
/// The least space that a file takes on the disk.
const BLOCK: u64 = 4096;
/// The bytes after which the free space is measured again.
const REMEASURE_AFTER: u64 = 64 << 20;

/// The space that may be filled, so that some is left for everything else.
#[derive(Debug)]
struct SpaceBudget {
    folder: PathBuf,
    left: u64,
    spent: u64,
}

impl SpaceBudget {
    fn measure(folder: &Path) -> Result<Self, Fault> {
        let free = free_space(folder)?.bytes;
        Ok(Self { folder: folder.to_owned(), left: free - free / 20, spent: 0 })
    }

    /// Returns whether a file of that size fits, and counts it.
    fn take(&mut self, size: u64) -> Result<bool, Fault> {
        if self.spent > REMEASURE_AFTER {
            *self = Self::measure(&self.folder)?;
        }
        let Some(size) = size.max(1).checked_next_multiple_of(BLOCK) else { return Ok(false) };
        self.spent += size.min(REMEASURE_AFTER);
        match self.left.checked_sub(size) {
            Some(left) => {
                self.left = left;
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

/// The result of unpacking an archive.
#[derive(Debug)]
pub(super) struct UnpackedArchive {
    /// The number of files unpacked.
    pub(super) files: u64,
    /// What else is needed, if it contains only changes.
    pub(super) changes: Option<Changes>,
}

/// What a backup of changes says about the rest of the home.
#[derive(Debug)]
pub(super) struct Changes {
    /// The backup that contains the rest.
    pub(super) whole: WholeBackup,
    /// The names of files that are not taken from there: they are in the changes, or gone.
    settled: HashSet<String>,
    /// The memory that further names may take, in bytes.
    room: u64,
    /// Whether the list of files that are gone was read.
    has_gone: bool,
    /// The number of files in the rest.
    rest: u64,
}

impl Changes {
    fn since(whole: WholeBackup) -> Self {
        Self { whole, settled: HashSet::new(), room: MAX_MANIFEST_BYTES, has_gone: false, rest: 0 }
    }

    /// Notes that a file is not taken from the whole backup; or says why it cannot.
    fn settle(&mut self, name: &str) -> Result<(), &'static str> {
        let bytes = (size_of::<String>() + name.len()) as u64;
        self.room = self.room.checked_sub(bytes).ok_or("it names too many files")?;
        if self.settled.insert(name.to_owned()) { Ok(()) } else { Err("a name occurs twice") }
    }
}

/// A backup being unpacked.
pub(super) struct Unpacker<'a> {
    /// The folder to unpack into, and its disk.
    folder: &'a Path,
    disk: &'a Disk,
    backup: &'a Path,
    with_outbox: bool,
    space: SpaceBudget,
    version: Option<u64>,
    /// What was unpacked already, if this is the whole backup below changes.
    above: Option<&'a Changes>,
    /// What is known of the changes, if this is a backup of changes.
    changes: Option<Changes>,
    /// The number of files in the backup so far.
    files: u64,
    /// The number of those that changes above have settled.
    settled: u64,
    /// The number of files unpacked so far.
    unpacked: u64,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(
        folder: &'a Path,
        disk: &'a Disk,
        backup: &'a Path,
        with_outbox: bool,
    ) -> Result<Self, Fault> {
        Ok(Self {
            folder,
            disk,
            backup,
            with_outbox,
            space: SpaceBudget::measure(folder)?,
            version: None,
            above: None,
            changes: None,
            files: 0,
            settled: 0,
            unpacked: 0,
        })
    }

    /// Unpacks a whole backup below changes, which were unpacked already.
    pub(super) fn below(self, changes: &'a Changes) -> Self {
        Self { above: Some(changes), ..self }
    }

    /// Unpacks everything.
    pub(super) fn unpack(mut self, input: impl BufRead) -> Result<UnpackedArchive, Fault> {
        let mut archive = Archive::new(GzDecoder::new(input));
        let entries = archive.entries().map_err(|error| self.read_fault(error))?;
        let (mut long_name, mut ended) = (None, false);
        // Raw, because extensions of the format could have any length and content.
        for entry in entries.raw(true) {
            let mut entry = entry.map_err(|error| self.read_fault(error))?;
            if ended {
                return Err(self.refuse("there is data after its end"));
            }
            if entry.header().entry_type() == EntryType::GNULongName && long_name.is_none() {
                long_name = Some(self.read_long_name(&mut entry)?);
                continue;
            }
            let name = long_name.take().unwrap_or_else(|| entry.header().path_bytes().into_owned());
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
        // The checksum of gzip is at the very end.
        let mut stream = archive.into_inner();
        let mut rest = [0; 4096];
        loop {
            match stream.read(&mut rest).map_err(|error| self.read_fault(error))? {
                0 => break,
                read if rest[..read].iter().all(|byte| *byte == 0) => {}
                _ => return Err(self.refuse("there is data after its end")),
            }
        }
        let mut input = stream.into_inner();
        match input.fill_buf().map(<[u8]>::is_empty) {
            Ok(true) => self.finish(),
            Ok(false) => Err(self.refuse("there is data after its end")),
            Err(error) => Err(self.read_fault(error)),
        }
    }

    /// Checks that the whole backup has all files that the changes leave out.
    fn finish(self) -> Result<UnpackedArchive, Fault> {
        let files = self.files - self.settled;
        if self.above.is_some_and(|changes| changes.rest != files) {
            return Err(
                self.refuse("it does not have the files that the changes since it leave out")
            );
        }
        Ok(UnpackedArchive { files: self.unpacked, changes: self.changes })
    }

    fn read_long_name(&self, entry: &mut Entry<'_, impl Read>) -> Result<Vec<u8>, Fault> {
        if entry.size() > MAX_PATH_BYTES {
            return Err(
                self.refuse("it contains a file that is not of a home: the name is too long")
            );
        }
        let mut name = Vec::new();
        entry.read_to_end(&mut name).map_err(|error| self.read_fault(error))?;
        if name.last() == Some(&0) {
            name.pop();
        }
        Ok(name)
    }

    /// Handles an entry; returns whether it is the last one.
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
            return Err(self.refuse(&format!("`{shown}` is {what}; a backup contains only files")));
        }
        let name = std::str::from_utf8(name).unwrap_or_default();
        let Some(version) = self.version else {
            self.version = Some(self.read_version(name, entry)?);
            return Ok(false);
        };
        if name == LAST_ENTRY {
            return self.check_count(entry).map(|()| true);
        }
        if version != WHOLE_FORMAT && self.is_about_changes(name, entry)? {
            return Ok(false);
        }
        if !is_home_file(name) {
            return Err(self.refuse(&format!("`{shown}` is not a file of a home")));
        }
        self.files += 1;
        if self.above.is_some_and(|changes| changes.settled.contains(name)) {
            self.settled += 1;
            return Ok(false);
        }
        if let Some(changes) = &mut self.changes {
            changes.settle(name).map_err(|why| self.refuse(why))?;
        }
        if self.with_outbox
            || !["outbox/new/", "outbox/cur/"].iter().any(|folder| name.starts_with(folder))
        {
            self.unpack_file(name, entry)?;
        }
        Ok(false)
    }

    /// Reads the version of the format in the first entry.
    fn read_version(&self, name: &str, entry: &mut Entry<'_, impl Read>) -> Result<u64, Fault> {
        let version = if name == FIRST_ENTRY { self.read_numbers(entry)? } else { Vec::new() };
        let [version] = *version else {
            return Err(self.refuse("it is not a Postboard backup"));
        };
        if version > CHANGES_FORMAT {
            return Err(self.refuse(&format!("format {version} needs a later version")));
        }
        if version == CHANGES_FORMAT && self.above.is_some() {
            return Err(self.refuse("it is no whole backup"));
        }
        Ok(version)
    }

    /// Compares the number of files in the last entry with those that were seen.
    fn check_count(&mut self, entry: &mut Entry<'_, impl Read>) -> Result<(), Fault> {
        let numbers = self.read_numbers(entry)?;
        match (&mut self.changes, &*numbers) {
            (None, [files]) if *files == self.files && self.version == Some(WHOLE_FORMAT) => Ok(()),
            (Some(changes), [files, home]) if *files == self.files && home >= files => {
                changes.rest = home - files;
                Ok(())
            }
            _ => Err(self.refuse("files are missing")),
        }
    }

    /// Reads an entry of a backup of changes, if it is no file but tells about the changes; returns whether it
    /// is such an entry.
    fn is_about_changes(
        &mut self,
        name: &str,
        entry: &mut Entry<'_, impl Read>,
    ) -> Result<bool, Fault> {
        let is_first = self.changes.is_none();
        if is_first != (name == SINCE_ENTRY) {
            return Err(
                self.refuse("it does not say once, and first, since when it has the changes")
            );
        }
        if is_first {
            let whole = self.read_text(entry, MAX_PATH_BYTES)?.trim_end().parse();
            let whole = whole.map_err(|()| self.refuse("it does not name its whole backup"))?;
            self.changes = Some(Changes::since(whole));
        } else if name == GONE_ENTRY {
            let gone = self.read_text(entry, MAX_MANIFEST_BYTES)?;
            if let Some(changes) = &mut self.changes {
                if mem::replace(&mut changes.has_gone, true) {
                    return Err(self.refuse("it says twice which files are gone"));
                }
                let settled = gone.lines().try_for_each(|name| changes.settle(name));
                settled.map_err(|why| self.refuse(why))?;
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn read_text(&self, entry: &mut Entry<'_, impl Read>, most: u64) -> Result<String, Fault> {
        if entry.size() > most {
            return Err(self.refuse("a list in it is too long"));
        }
        let mut text = String::new();
        entry.read_to_string(&mut text).map_err(|error| self.read_fault(error))?;
        Ok(text)
    }

    /// Reads the numbers in an entry of at most 64 bytes; none, if it contains anything else.
    fn read_numbers(&self, entry: &mut Entry<'_, impl Read>) -> Result<Vec<u64>, Fault> {
        let mut text = String::new();
        let read = entry.take(64).read_to_string(&mut text);
        read.map_err(|error| self.read_fault(error))?;
        Ok(text.split_whitespace().map(str::parse).collect::<Result<_, _>>().unwrap_or_default())
    }

    fn unpack_file(&mut self, name: &str, entry: &mut Entry<'_, impl Read>) -> Result<(), Fault> {
        let size = entry.size();
        if !self.space.take(size)? {
            let why = format!("the disk has no space for `{name}` of {size} bytes");
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
        let file = match folder.and_then(|()| disk.create_empty(&path, mode)) {
            Err(fault) if fault.source.kind() == io::ErrorKind::AlreadyExists => {
                return Err(self.refuse(&format!("`{name}` occurs twice")));
            }
            Err(fault) if fault.source.kind() == io::ErrorKind::NotADirectory => {
                return Err(self.refuse(&format!("`{name}` is below a file")));
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
            match entry.read(&mut chunk[..most]).map_err(|error| self.read_fault(error))? {
                0 => return Err(self.refuse("it is truncated")),
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

    /// Returns the fault of a failed read: damage of the archive, unless the machine failed.
    fn read_fault(&self, error: io::Error) -> Fault {
        if is_shortage(&error) || is_unreadable_file(&error) {
            return Fault::at("cannot read", self.backup)(error);
        }
        self.refuse(&format!("it is damaged or truncated: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_unpacked_than_there_is_room_for() {
        let mut space = SpaceBudget { folder: PathBuf::new(), left: 3 * BLOCK, spent: 0 };
        assert!(space.take(0).unwrap(), "an empty file takes a block");
        assert!(space.take(BLOCK + 1).unwrap());
        assert!(!space.take(1).unwrap());
        assert!(!space.take(u64::MAX).unwrap());
    }

    #[test]
    fn no_more_names_are_kept_than_there_is_room_for() {
        let digest = "5".repeat(64);
        let whole = format!("postboard-2026-11-01.tar.gz {digest}").parse().unwrap();
        let mut changes = Changes::since(whole);
        changes.room = 2 * (size_of::<String>() + 2) as u64;
        changes.settle("ab").unwrap();
        assert_eq!(changes.settle("abc"), Err("it names too many files"));
        assert_eq!(changes.settle("ab"), Err("a name occurs twice"));
        assert_eq!(changes.settle(""), Err("it names too many files"), "no name is free");
    }
}
