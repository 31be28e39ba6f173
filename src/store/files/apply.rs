//! Putting in place what the journal holds, and making it durable there.

use super::disk::Disk;
use super::layout;
use crate::base::key::is_private;
use crate::store::Fault;
use crate::store::paths::{beside, free_path, names};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Up to so many files are made durable one by one; for more, the whole file system is. One by one
/// costs 0.2 ms a file here; the file system at once 1 to 20 ms, and as long as other programs'
/// unwritten bytes take, which a single mail should not wait for.
const FEW: usize = 8;
/// Spare files of one block that are kept; of larger ones fewer, by the square: 9 MB in all.
pub(in crate::store) const SPARES: usize = 640;
/// The largest that are kept, in blocks.
const LARGEST: usize = 16;

/// The changes that must be put in place; paths below the home.
#[derive(Debug, Default)]
pub(in crate::store) struct PendingWrites<'a> {
    /// Documents, replaced so that a reader sees the old text or the new one.
    pub(in crate::store) documents: Vec<(&'a str, &'a [u8])>,
    /// Files of the outbox. Nobody reads them without the lock and a recovery first, so they can be
    /// written in place.
    pub(in crate::store) letters: Vec<(&'a str, &'a [u8])>,
    /// Receipts: file and record.
    pub(in crate::store) receipts: Vec<(String, String)>,
    /// Records of mails sent, and of what mails are without their Message-IDs: file and record.
    /// They are not made durable: a power cut that takes a few makes a count too low, or has a copy
    /// executed that lost its Message-ID, and each would cost a single mail as much as its board.
    pub(in crate::store) unsynced: Vec<(String, String)>,
}

/// Puts all in place, durably.
///
/// A document's new text is written into a spare file, made durable, and then the two change
/// names: the old text is the next spare. So no room on the disk is given back and taken again,
/// which costs more here than all the rest: 0.1 ms for each file that is replaced, several when the
/// disk is busy, against 0.015.
///
/// When the disk is full, the spare files give their room.
pub(in crate::store) fn apply(
    disk: &Disk,
    home: &Path,
    work: &PendingWrites<'_>,
) -> Result<(), Fault> {
    match put_all(disk, home, work) {
        Err(fault) if fault.is_full() => {
            make_room(disk, home)?;
            put_all(disk, home, work)
        }
        result => result,
    }
}

/// Removes all spare files.
pub(in crate::store) fn make_room(disk: &Disk, home: &Path) -> Result<(), Fault> {
    let folder = home.join("spare");
    names(&folder)?.iter().try_for_each(|name| disk.remove(&folder.join(name)))
}

fn put_all(disk: &Disk, home: &Path, work: &PendingWrites<'_>) -> Result<(), Fault> {
    let mut place = Applier {
        disk,
        home,
        few: work.documents.len() + work.letters.len() + work.receipts.len() <= FEW,
        files: Vec::new(),
        folders: BTreeSet::new(),
    };
    for (path, bytes) in &work.letters {
        place.letters(path, bytes)?;
    }
    let mut lengths = Lengths { home, lengths: BTreeMap::new() };
    for (path, records) in by_file(&work.receipts, |path, record| lengths.file(path, record)) {
        place.receipts(path, &records)?;
    }
    for (path, records) in by_file(&work.unsynced, |path, record| lengths.file(path, record)) {
        place.append(path, &records, &mut BTreeSet::new())?;
    }
    let mut spares = Spares::default();
    let mut written = Vec::with_capacity(work.documents.len());
    for (path, text) in &work.documents {
        let (spare, kept) = spares.name(text);
        let spare = home.join(spare);
        let file = disk.reuse(&spare, text, &mut |_| ())?;
        if place.few {
            // No document has its new text before that is durable.
            disk.sync(&file, &spare)?;
        }
        written.push((spare, *path, kept));
    }
    if !place.few {
        disk.sync_all(home)?;
    }
    for (spare, path, _) in &written {
        place.exchange(spare, &home.join(path))?;
    }
    place.sync()?;
    // Only now: before that a crash could leave the old file under its old name.
    for (spare, path, kept) in &written {
        if !kept {
            disk.remove(spare)?;
        } else if is_private(path) {
            disk.blank(spare)?;
        }
    }
    Ok(())
}

/// The records of each file together. A record is a line at the end of a file, not a file: that
/// costs 2 us, and a link or an empty file 4 to 140, because ext4 searches long for a free inode
/// where many were given back in the last minutes. Written twice after a crash, it says the same.
///
/// `place` says into which file a record goes.
fn by_file<'w>(
    records: &'w [(String, String)],
    mut place: impl FnMut(&'w str, &str) -> &'w str,
) -> BTreeMap<&'w str, String> {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for (path, record) in records {
        let file = files.entry(place(path, record)).or_default();
        file.push('\n');
        file.push_str(record);
    }
    files
}

/// How long the files are in which the receipts of a month begin.
struct Lengths<'w> {
    home: &'w Path,
    lengths: BTreeMap<&'w str, u64>,
}

impl<'w> Lengths<'w> {
    /// The file into which a record goes: a receipt has this path only once there are many.
    fn file(&mut self, path: &'w str, record: &str) -> &'w str {
        let Some(early) = layout::early_file(path) else { return path };
        let long = || self.home.join(early).symlink_metadata().map_or(0, |it| it.len());
        let long = self.lengths.entry(early).or_insert_with(long);
        if *long >= layout::LONG {
            return path;
        }
        *long += record.len() as u64 + 1;
        early
    }
}

/// Names for spare files: by size, since a file that grows is cheap and one that shrinks is not,
/// and documents mostly grow.
#[derive(Default)]
struct Spares(BTreeMap<usize, usize>);

impl Spares {
    /// A name below the home, and whether a file of that name is worth keeping.
    fn name(&mut self, text: &[u8]) -> (String, bool) {
        let blocks = text.len().div_ceil(4096).max(1);
        let number = self.0.entry(blocks).or_default();
        *number += 1;
        (
            format!("spare/{blocks}.{number}"),
            blocks <= LARGEST && *number <= SPARES / (blocks * blocks),
        )
    }
}

struct Applier<'a> {
    disk: &'a Disk,
    home: &'a Path,
    few: bool,
    /// Files that must still be made durable, when they are few.
    files: Vec<(File, PathBuf)>,
    folders: BTreeSet<PathBuf>,
}

impl Applier<'_> {
    fn letters(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.home.join(path);
        let file = self.disk.put(&path, bytes, &mut made(&mut self.folders))?;
        self.keep(file, &path);
        self.note(&path);
        Ok(())
    }

    fn receipts(&mut self, path: &str, records: &str) -> Result<(), Fault> {
        let mut folders = std::mem::take(&mut self.folders);
        let appended = self.append(path, records, &mut folders);
        self.folders = folders;
        let (file, new, path) = appended?;
        self.keep(file, &path);
        if new {
            self.note(&path);
        }
        Ok(())
    }

    /// Appends records to a file, and says whether it is new.
    fn append(
        &self,
        path: &str,
        records: &str,
        folders: &mut BTreeSet<PathBuf>,
    ) -> Result<(File, bool, PathBuf), Fault> {
        let path = self.home.join(path);
        let append =
            |folders: &mut _| self.disk.append(&path, records.as_bytes(), &mut made(folders));
        let (file, new) = match append(folders) {
            // A folder makes room for a file.
            Err(fault) if fault.source.kind() == io::ErrorKind::IsADirectory => {
                let aside = free_path(&beside(&path, "damaged"))?;
                self.disk.rename(&path, &aside)?;
                append(folders)?
            }
            result => result?,
        };
        Ok((file, new, path))
    }

    fn keep(&mut self, file: File, path: &Path) {
        if self.few {
            self.files.push((file, path.to_owned()));
        }
    }

    fn note(&mut self, path: &Path) {
        self.folders.extend(path.parent().map(Path::to_path_buf));
    }

    fn exchange(&mut self, spare: &Path, path: &Path) -> Result<(), Fault> {
        let Some(folder) = path.parent() else { return Ok(()) };
        if self.folders.insert(folder.to_owned()) {
            self.disk.folder(folder, &mut made(&mut self.folders))?;
        }
        self.disk.exchange(spare, path)
    }

    /// Files before folders, and after all names are given: on a file system with a journal of
    /// its own the first makes all names durable, and the others find little left to do.
    fn sync(&self) -> Result<(), Fault> {
        if self.folders.len() > FEW {
            return self.disk.sync_all(self.home);
        }
        for (file, path) in &self.files {
            self.disk.sync(file, path)?;
        }
        self.folders.iter().try_for_each(|folder| self.disk.sync_folder(folder))
    }
}

/// A new folder's name is in the folder above it.
fn made(folders: &mut BTreeSet<PathBuf>) -> impl FnMut(&Path) {
    |path| folders.extend(path.parent().map(Path::to_path_buf))
}
