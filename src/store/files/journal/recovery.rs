//! Recovery: puts in place what a crash left in the journal, before anything of the home is read.

use super::record::{self, JournalContent, JournalEntry, JournalState};
use super::{Clearing, ClosedJournal, JournalId, clear, is_long, move_to_outbox};
use crate::base::digest::Digest;
use crate::base::time::Time;
use crate::store::fault::{EIO, is_shortage};
use crate::store::files::apply::{PendingWrites, apply};
use crate::store::files::disk::Disk;
use crate::store::files::layout::FileRecord;
use crate::store::paths::{beside, found, free_name, free_path, is_there, names};
use crate::store::{DocumentValidator, Fault, log};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A journal file with records.
struct JournalFile<'a> {
    number: u64,
    path: PathBuf,
    content: JournalContent<'a>,
}

/// Returns whether the journal has anything to recover. Costs one short read in the usual case.
pub(in crate::store) fn is_due(home: &Path) -> Result<bool, Fault> {
    for (_, path) in journal_files(home)? {
        if read_state(&path)? != JournalState::Empty {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Puts the journal in place, under the exclusive lock of the home; returns the latest epoch.
/// `validator` decides whether a file that was edited by hand is a document.
pub(in crate::store) fn recover(
    disk: &Disk,
    home: &Path,
    validator: DocumentValidator,
) -> Result<u64, Fault> {
    let mut files = Vec::new();
    for (number, path) in journal_files(home)? {
        match read_state(&path)? {
            // Begun and never written; only the permanent file stays.
            JournalState::Empty if number > 0 => disk.remove(&path)?,
            JournalState::Empty => {}
            JournalState::Live | JournalState::Damaged => {
                let bytes = fs::read(&path).map_err(Fault::at("cannot read", &path))?;
                files.push((number, path, bytes));
            }
        }
    }
    let mut found = Vec::new();
    for (number, path, bytes) in &files {
        let content = record::read(bytes);
        if let Some(later) = content.later_version {
            let why = format!("format {later} was written by a later program");
            let kind = io::ErrorKind::Unsupported;
            return Err(Fault::because("cannot recover from", path, kind, &why));
        }
        found.push(JournalFile { number: *number, path: path.clone(), content });
    }
    found.sort_by_key(|found| found.content.epoch);
    if found.is_empty() {
        return Ok(0);
    }
    replay(disk, home, &found, validator)?;
    for found in &found {
        retire(disk, home, found)?;
    }
    Ok(found.last().map_or(0, |found| found.content.epoch))
}

/// Returns the names of the outbox files in the journal, under the lock of the home.
pub(in crate::store) fn pending_letters(home: &Path) -> Result<BTreeSet<String>, Fault> {
    let mut found = BTreeSet::new();
    for (_, path) in journal_files(home)? {
        let bytes = fs::read(&path).map_err(Fault::at("cannot read", &path))?;
        for entry in record::read(&bytes).entries {
            if let JournalEntry::Letters { path, .. } = entry {
                found.extend(path.rsplit('/').next().map(str::to_owned));
            }
        }
    }
    Ok(found)
}

/// Returns the journal files, by number.
fn journal_files(home: &Path) -> Result<Vec<(u64, PathBuf)>, Fault> {
    let folder = home.join("journal");
    let mut found = Vec::new();
    for name in names(&folder)? {
        let digits = name.strip_suffix(".txn").unwrap_or_default();
        if let Ok(number) = digits.parse::<u64>() {
            found.push((number, folder.join(&name)));
        }
    }
    found.sort();
    Ok(found)
}

fn read_state(path: &Path) -> Result<JournalState, Fault> {
    let mut word = Vec::with_capacity(record::WORD);
    File::open(path)
        .and_then(|file| file.take(record::WORD as u64).read_to_end(&mut word))
        .map_err(Fault::at("cannot read", path))?;
    Ok(record::state(&word))
}

/// The versions of a document in all records.
#[derive(Default)]
struct DocumentHistory<'a> {
    /// All versions that we know: those that the records found, and those that they wrote.
    versions: Vec<Option<Digest>>,
    /// The latest text.
    latest: &'a [u8],
}

fn replay(
    disk: &Disk,
    home: &Path,
    files: &[JournalFile<'_>],
    validator: DocumentValidator,
) -> Result<(), Fault> {
    let mut histories: BTreeMap<&str, DocumentHistory<'_>> = BTreeMap::new();
    let mut work = PendingWrites::default();
    let all =
        files.iter().flat_map(|file| file.content.entries.iter().map(move |entry| (file, entry)));
    for (file, entry) in all {
        match *entry {
            // They stay in the file; a full disk has no space for a copy.
            JournalEntry::Letters { .. } if outbox_time(file).is_some() => {}
            JournalEntry::Document { path, was, text } => {
                let history = histories.entry(path).or_default();
                history.versions.extend([was, Some(Digest::of(text))]);
                history.latest = text;
            }
            JournalEntry::Letters { path, bytes } => work.letters.push((path, bytes)),
            JournalEntry::Receipt { path, record } => {
                work.receipts.push(FileRecord { file: path.into(), record: record.into() });
            }
            JournalEntry::Unsynced { path, record } => {
                work.unsynced.push(FileRecord { file: path.into(), record: record.into() });
            }
        }
    }
    let mut conflicts = Vec::new();
    for (path, history) in &histories {
        match make_way(disk, home, path, manual_edit(home, path, history, validator)?)? {
            Some(ours) => conflicts.push((ours, history.latest)),
            None => work.documents.push((path, history.latest)),
        }
    }
    work.documents.extend(conflicts.iter().map(|(path, text)| (path.as_str(), *text)));
    apply(disk, home, &work)
}

/// Makes way for our text of a document. If a text that was edited by hand stays, returns the path
/// that ours is written to.
fn make_way(
    disk: &Disk,
    home: &Path,
    path: &str,
    edit: ManualEdit,
) -> Result<Option<String>, Fault> {
    let by_hand = |what: &str| format!("{path} was {what}");
    let (line, ours) = match edit {
        ManualEdit::None => return Ok(None),
        ManualEdit::Removed => {
            (by_hand("removed by hand during a commit; it is written again"), None)
        }
        ManualEdit::Valid => {
            let ours = free_below(home, path, "conflict")?;
            let stays = "changed by hand during a commit; that text stays, ours is in";
            (format!("{} {ours}", by_hand(stays)), Some(ours))
        }
        ManualEdit::Damaged => {
            let theirs = free_below(home, path, "damaged")?;
            let gives_way = "changed by hand and is not valid; ours is written, that text is in";
            let line = format!("{} {theirs}", by_hand(gives_way));
            disk.rename(&home.join(path), &home.join(theirs))?;
            (line, None)
        }
    };
    // A failure to log must not stop the recovery.
    let _ = log(home, &line);
    Ok(ours)
}

/// Returns `path.ending`, or the first free path like it, below the home.
fn free_below(home: &Path, path: &str, ending: &str) -> Result<String, Fault> {
    let free = free_path(&beside(&home.join(path), ending))?;
    let free = free.strip_prefix(home).unwrap_or(&free);
    Ok(free.to_string_lossy().into_owned())
}

/// What was done to a document by hand since the journal was written.
#[derive(Clone, Copy)]
enum ManualEdit {
    /// Nothing: it has one of our versions.
    None,
    Removed,
    /// It was changed, and is a valid document.
    Valid,
    /// It was changed, and is no document.
    Damaged,
}

fn manual_edit(
    home: &Path,
    path: &str,
    history: &DocumentHistory<'_>,
    validator: DocumentValidator,
) -> Result<ManualEdit, Fault> {
    let file = home.join(path);
    let current = match fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A dangling link is no file of ours.
            return Ok(match (is_there(&file)?, history.versions.first()) {
                (true, _) => ManualEdit::Damaged,
                (false, Some(Some(_))) => ManualEdit::Removed,
                (false, _) => ManualEdit::None,
            });
        }
        Err(error) => {
            // A folder or link in its place can be moved away; a file that cannot be read waits for
            // the operator.
            let is_file = found(file.symlink_metadata(), &file)?.is_none_or(|meta| meta.is_file());
            if is_file || is_shortage(&error) || error.raw_os_error() == Some(EIO) {
                return Err(Fault::at("cannot read", file)(error));
            }
            return Ok(ManualEdit::Damaged);
        }
    };
    Ok(if history.versions.contains(&Some(Digest::of(&current))) {
        ManualEdit::None
    } else if std::str::from_utf8(&current).is_ok_and(|text| validator(path, text)) {
        ManualEdit::Valid
    } else {
        ManualEdit::Damaged
    })
}

/// Returns when the letters of a journal file were written, if the file moves into the outbox with
/// them.
fn outbox_time(file: &JournalFile<'_>) -> Option<Time> {
    let JournalContent { entries, damaged_at, end, .. } = &file.content;
    let moves_out = damaged_at.is_none() && is_long(file.number, *end);
    let path = entries.iter().filter(|_| moves_out).find_map(|entry| match entry {
        JournalEntry::Letters { path, .. } => Some(*path),
        JournalEntry::Document { .. }
        | JournalEntry::Receipt { .. }
        | JournalEntry::Unsynced { .. } => None,
    })?;
    let name = path.rsplit('/').next().unwrap_or_default();
    Time::from_digits(name.split(|c: char| !c.is_ascii_digit()).next()?).or(Some(Time::EPOCH))
}

/// Clears a journal file whose good records are all in place, or moves it into the outbox or the
/// quarantine.
fn retire(disk: &Disk, home: &Path, file: &JournalFile<'_>) -> Result<(), Fault> {
    let JournalFile { number, path, content } = file;
    if let Some(at) = content.damaged_at {
        let bad = home.join("journal/bad");
        disk.folder(&bad, &mut |_| ())?;
        let parked = free_name(&bad, &format!("{number}.txn"))?;
        let _ = log(
            home,
            &format!(
                "journal/{number}.txn has no valid record from byte {at} on (an unfinished commit, or damage); moved to {}",
                parked.strip_prefix(home).unwrap_or(&parked).display()
            ),
        );
        disk.rename(path, &parked)?;
        disk.sync_folder(&bad)?;
        return disk.sync_folder(&home.join("journal"));
    }
    let Some(opened) = Disk::open(path)? else { return Ok(()) };
    if let Some(at) = outbox_time(file) {
        let id = JournalId { number: *number, epoch: content.epoch };
        let closed = ClosedJournal { file: &opened, path, id, end: content.end };
        return move_to_outbox(disk, home, &closed, at);
    }
    clear(disk, &opened, path, *number, Clearing::Durable)
}
