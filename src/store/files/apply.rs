//! Puts committed changes in place, and syncs them there.

use super::disk::{Appended, Disk};
use super::layout::{self, FileRecord};
use crate::base::key::is_private;
use crate::store::Fault;
use crate::store::paths::{beside, free_path, names};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Up to this number files are synced one by one; if there are more, the whole file system is. A file
/// costs 0.2 ms here. The file system costs 1 to 20 ms, and longer while other programs have unwritten
/// data, which a single mail should not wait for.
const MAX_SINGLE_SYNCS: usize = 8;
/// The number of spare files of one block that are kept; of larger ones fewer, by the square: 9 MB
/// in all.
pub(super) const SPARES: usize = 640;
/// The largest spare file that is kept, in blocks.
const MAX_SPARE_BLOCKS: usize = 16;

/// Changes to put in place; paths are below the home.
#[derive(Debug, Default)]
pub(in crate::store) struct PendingWrites<'a> {
    /// Paths and texts of documents, replaced so that a reader sees the old text or the new one.
    pub(in crate::store) documents: Vec<(&'a str, &'a [u8])>,
    /// Paths and contents of files of the outbox. Nobody reads them without the lock and a recovery,
    /// so they are written in place.
    pub(in crate::store) letters: Vec<(&'a str, &'a [u8])>,
    pub(in crate::store) receipts: Vec<FileRecord>,
    /// Records that are not synced: mails sent, and receipts of mails without their Message-IDs. A
    /// power cut that loses a few makes a count too low, or lets a copy that lost its Message-ID be
    /// executed. Syncing them would cost a single mail as much as its board.
    pub(in crate::store) unsynced: Vec<FileRecord>,
}

/// Puts all changes in place and syncs them.
///
/// The new text of a document is written into a spare file and synced, and then both exchange
/// names: the old text is the next spare file. So no blocks are freed and allocated, which costs
/// more here than everything else: 0.1 ms for each replaced file, several on a busy disk, instead
/// of 0.015 ms.
///
/// On a full disk the spare files are removed.
pub(in crate::store) fn apply(
    disk: &Disk,
    home: &Path,
    work: &PendingWrites<'_>,
) -> Result<(), Fault> {
    match apply_all(disk, home, work) {
        Err(fault) if fault.is_full() => {
            remove_spares(disk, home)?;
            apply_all(disk, home, work)
        }
        result => result,
    }
}

/// Removes all spare files.
pub(super) fn remove_spares(disk: &Disk, home: &Path) -> Result<(), Fault> {
    let folder = home.join("spare");
    names(&folder)?.iter().try_for_each(|name| disk.remove(&folder.join(name)))
}

/// A document whose new text is in a spare file.
struct ReplacedDocument<'a> {
    spare: PathBuf,
    path: &'a str,
    /// Whether the spare file is kept afterwards.
    is_kept: bool,
}

fn apply_all(disk: &Disk, home: &Path, work: &PendingWrites<'_>) -> Result<(), Fault> {
    let is_few =
        work.documents.len() + work.letters.len() + work.receipts.len() <= MAX_SINGLE_SYNCS;
    let mut applier = Applier { disk, home, is_few, files: Vec::new(), folders: BTreeSet::new() };
    for (path, bytes) in &work.letters {
        applier.write_letters(path, bytes)?;
    }
    let mut early = EarlyFiles { home, lengths: BTreeMap::new() };
    for (path, records) in by_file(&work.receipts, &mut early) {
        applier.append_receipts(path, &records)?;
    }
    for (path, records) in by_file(&work.unsynced, &mut early) {
        applier.append(path, &records, &mut BTreeSet::new())?;
    }
    let mut spares = SpareNames::default();
    let mut written = Vec::with_capacity(work.documents.len());
    for (path, text) in &work.documents {
        let SpareName { name, is_kept } = spares.next(text);
        let spare = home.join(name);
        let file = disk.reuse(&spare, text, &mut |_| ())?;
        if is_few {
            // Before the exchange of names the new text is durable.
            disk.sync(&file, &spare)?;
        }
        written.push(ReplacedDocument { spare, path, is_kept });
    }
    if !is_few {
        disk.sync_all(home)?;
    }
    for ReplacedDocument { spare, path, .. } in &written {
        applier.exchange(spare, &home.join(path))?;
    }
    applier.sync()?;
    // Not earlier: a crash could leave the old file under its old name.
    for ReplacedDocument { spare, path, is_kept } in &written {
        if !is_kept {
            disk.remove(spare)?;
        } else if is_private(path) {
            disk.blank(spare)?;
        }
    }
    Ok(())
}

/// Groups records by file. A record is a line at the end of a file, not a file of its own: that
/// costs 2 us, and a link or an empty file 4 to 140, because ext4 searches long for a free inode
/// when many were freed in the last minutes. A record that is written twice after a crash means the
/// same.
fn by_file<'w>(records: &'w [FileRecord], early: &mut EarlyFiles<'w>) -> BTreeMap<&'w str, String> {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for FileRecord { file, record } in records {
        let lines = files.entry(early.file(file, record)).or_default();
        lines.push('\n');
        lines.push_str(record);
    }
    files
}

/// The lengths of the files that take the receipts of a month first.
struct EarlyFiles<'w> {
    home: &'w Path,
    lengths: BTreeMap<&'w str, u64>,
}

impl<'w> EarlyFiles<'w> {
    /// Returns the file that a record goes into: for a receipt `path` only once the early file is full.
    fn file(&mut self, path: &'w str, record: &str) -> &'w str {
        let Some(early) = layout::early_file(path) else { return path };
        let length = || self.home.join(early).symlink_metadata().map_or(0, |it| it.len());
        let length = self.lengths.entry(early).or_insert_with(length);
        if *length >= layout::FULL_EARLY_FILE {
            return path;
        }
        *length += record.len() as u64 + 1;
        early
    }
}

/// Names of spare files by size in blocks, because documents mostly grow, and growing a file is
/// cheap while shrinking is not.
#[derive(Default)]
struct SpareNames(BTreeMap<usize, usize>);

/// The name of a spare file.
struct SpareName {
    /// The path below the home.
    name: String,
    /// Whether a spare file of this name is kept.
    is_kept: bool,
}

impl SpareNames {
    /// Returns the name of the spare file for a text.
    fn next(&mut self, text: &[u8]) -> SpareName {
        let blocks = text.len().div_ceil(4096).max(1);
        let number = self.0.entry(blocks).or_default();
        *number += 1;
        let is_kept = blocks <= MAX_SPARE_BLOCKS && *number <= SPARES / (blocks * blocks);
        SpareName { name: format!("spare/{blocks}.{number}"), is_kept }
    }
}

/// A file that records were appended to.
struct AppendedFile {
    file: File,
    path: PathBuf,
    is_new: bool,
}

/// Puts changes in place, and remembers what has to be synced.
struct Applier<'a> {
    disk: &'a Disk,
    home: &'a Path,
    is_few: bool,
    /// Files to sync, if they are few.
    files: Vec<(File, PathBuf)>,
    /// Folders to sync.
    folders: BTreeSet<PathBuf>,
}

impl Applier<'_> {
    fn write_letters(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.home.join(path);
        let file = self.disk.put(&path, bytes, &mut note_parent(&mut self.folders))?;
        self.sync_later(file, &path);
        self.sync_folder_later(&path);
        Ok(())
    }

    fn append_receipts(&mut self, path: &str, records: &str) -> Result<(), Fault> {
        let mut folders = std::mem::take(&mut self.folders);
        let appended = self.append(path, records, &mut folders);
        self.folders = folders;
        let AppendedFile { file, path, is_new } = appended?;
        self.sync_later(file, &path);
        if is_new {
            self.sync_folder_later(&path);
        }
        Ok(())
    }

    /// Appends records to a file.
    fn append(
        &self,
        path: &str,
        records: &str,
        folders: &mut BTreeSet<PathBuf>,
    ) -> Result<AppendedFile, Fault> {
        let path = self.home.join(path);
        let append = |folders: &mut _| {
            self.disk.append(&path, records.as_bytes(), &mut note_parent(folders))
        };
        let Appended { file, is_new } = match append(folders) {
            // A folder in the place of the file is moved away.
            Err(fault) if fault.source.kind() == io::ErrorKind::IsADirectory => {
                let damaged = free_path(&beside(&path, "damaged"))?;
                self.disk.rename(&path, &damaged)?;
                append(folders)?
            }
            result => result?,
        };
        Ok(AppendedFile { file, path, is_new })
    }

    fn sync_later(&mut self, file: File, path: &Path) {
        if self.is_few {
            self.files.push((file, path.to_owned()));
        }
    }

    fn sync_folder_later(&mut self, path: &Path) {
        self.folders.extend(path.parent().map(Path::to_path_buf));
    }

    fn exchange(&mut self, spare: &Path, path: &Path) -> Result<(), Fault> {
        let Some(folder) = path.parent() else { return Ok(()) };
        if self.folders.insert(folder.to_owned()) {
            self.disk.folder(folder, &mut note_parent(&mut self.folders))?;
        }
        self.disk.exchange(spare, path)
    }

    /// Syncs files and then folders, after all names were given: on a file system with a journal of its
    /// own the first sync makes all names durable, and leaves little for the others.
    fn sync(&self) -> Result<(), Fault> {
        if self.folders.len() > MAX_SINGLE_SYNCS {
            return self.disk.sync_all(self.home);
        }
        for (file, path) in &self.files {
            self.disk.sync(file, path)?;
        }
        self.folders.iter().try_for_each(|folder| self.disk.sync_folder(folder))
    }
}

/// Notes the folder above a new folder, which has to be synced for its name.
fn note_parent(folders: &mut BTreeSet<PathBuf>) -> impl FnMut(&Path) {
    |path| folders.extend(path.parent().map(Path::to_path_buf))
}
