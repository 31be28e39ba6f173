//! Puts in place what a crash left in the journal, before anything is read.

use super::record::{JournalContent, JournalEntry, JournalState};
use super::{Clearing, record};
use crate::base::digest::Digest;
use crate::base::time::Time;
use crate::store::fault::{EIO, is_shortage};
use crate::store::files::apply::{PendingWrites, apply};
use crate::store::files::disk::Disk;
use crate::store::files::journal;
use crate::store::paths::{beside, found, free_name, free_path, is_there, names};
use crate::store::{DocumentValidator, Fault, log};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A journal file that has something to say.
struct JournalFile<'a> {
    number: u64,
    path: PathBuf,
    content: JournalContent<'a>,
}

/// Whether the journal has anything to say. Costs one short read in the usual case.
pub(in crate::store) fn is_due(home: &Path) -> Result<bool, Fault> {
    for (_, path) in numbers(home)? {
        if look(&path)? != JournalState::Empty {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Finishes what is in the journal. The caller holds the lock alone. Returns the latest epoch.
/// `validator` says which texts of other writers are documents.
pub(in crate::store) fn recover(
    disk: &Disk,
    home: &Path,
    validator: DocumentValidator,
) -> Result<u64, Fault> {
    let mut files = Vec::new();
    for (number, path) in numbers(home)? {
        match look(&path)? {
            // Begun and never written: only the permanent one stays.
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
        if let Some(later) = content.later {
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

/// The names of the outbox files in the journal. The caller holds the lock.
pub(in crate::store) fn pending(home: &Path) -> Result<BTreeSet<String>, Fault> {
    let mut found = BTreeSet::new();
    for (_, path) in numbers(home)? {
        let bytes = fs::read(&path).map_err(Fault::at("cannot read", &path))?;
        for entry in record::read(&bytes).entries {
            if let JournalEntry::Letters { path, .. } = entry {
                found.extend(path.rsplit('/').next().map(str::to_owned));
            }
        }
    }
    Ok(found)
}

/// The journal's files by number.
fn numbers(home: &Path) -> Result<Vec<(u64, PathBuf)>, Fault> {
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

fn look(path: &Path) -> Result<JournalState, Fault> {
    let mut word = Vec::with_capacity(record::WORD);
    File::open(path)
        .and_then(|file| file.take(record::WORD as u64).read_to_end(&mut word))
        .map_err(Fault::at("cannot read", path))?;
    Ok(record::standing(&word))
}

/// A document's way through all records.
#[derive(Default)]
struct DocumentHistory<'a> {
    /// Every content that we know of: what the first record found, and what each made of it.
    ours: Vec<Option<Digest>>,
    last: &'a [u8],
}

fn replay(
    disk: &Disk,
    home: &Path,
    found: &[JournalFile<'_>],
    validator: DocumentValidator,
) -> Result<(), Fault> {
    let mut chains: BTreeMap<&str, DocumentHistory<'_>> = BTreeMap::new();
    let mut work = PendingWrites::default();
    let all =
        found.iter().flat_map(|one| one.content.entries.iter().map(move |entry| (one, entry)));
    for (one, entry) in all {
        match *entry {
            // A full disk has no room for them a second time.
            JournalEntry::Letters { .. } if goes_out(one).is_some() => {}
            JournalEntry::Document { path, was, text } => {
                let chain = chains.entry(path).or_default();
                chain.ours.extend([was, Some(Digest::of(text))]);
                chain.last = text;
            }
            JournalEntry::Letters { path, bytes } => work.letters.push((path, bytes)),
            JournalEntry::Receipt { path, record } => {
                work.receipts.push((path.to_owned(), record.to_owned()));
            }
            JournalEntry::Sent { path, record } => {
                work.unsynced.push((path.to_owned(), record.to_owned()));
            }
        }
    }
    let mut beside = Vec::new();
    for (path, chain) in &chains {
        match put_or_keep(disk, home, path, standing(home, path, chain, validator)?)? {
            Some(ours) => beside.push((ours, chain.last)),
            None => work.documents.push((path, chain.last)),
        }
    }
    work.documents.extend(beside.iter().map(|(path, text)| (path.as_str(), *text)));
    apply(disk, home, &work)
}

/// Makes room for our text of a document; where another writer's stays, says where ours goes.
fn put_or_keep(
    disk: &Disk,
    home: &Path,
    path: &str,
    edited: ManualEdit,
) -> Result<Option<String>, Fault> {
    let by_hand = |what: &str| format!("{path} was {what}");
    let (said, ours) = match edited {
        ManualEdit::No => return Ok(None),
        ManualEdit::Gone => {
            (by_hand("removed by hand while a change was under way: ours is put back"), None)
        }
        ManualEdit::Sound => {
            let ours = free_below(home, path, "conflict")?;
            let stays = "changed by hand while a change was under way: it stays, ours is";
            (format!("{} {ours}", by_hand(stays)), Some(ours))
        }
        ManualEdit::Damaged => {
            let theirs = free_below(home, path, "damaged")?;
            let gives_way = "changed by hand and cannot be read: ours is put back, that one is";
            let said = format!("{} {theirs}", by_hand(gives_way));
            disk.rename(&home.join(path), &home.join(theirs))?;
            (said, None)
        }
    };
    // A failure to log must not keep it from being done.
    let _ = log(home, &said);
    Ok(ours)
}

/// The document's path with one more ending, and a number if there is such a file already.
fn free_below(home: &Path, path: &str, ending: &str) -> Result<String, Fault> {
    let free = free_path(&beside(&home.join(path), ending))?;
    let free = free.strip_prefix(home).unwrap_or(&free);
    Ok(free.to_string_lossy().into_owned())
}

#[derive(Clone, Copy)]
enum ManualEdit {
    /// It is as we left it, at some point of the way.
    No,
    /// It was there, and is no more.
    Gone,
    /// By hand, and it can be read.
    Sound,
    /// By hand, and it cannot.
    Damaged,
}

fn standing(
    home: &Path,
    path: &str,
    chain: &DocumentHistory<'_>,
    validator: DocumentValidator,
) -> Result<ManualEdit, Fault> {
    let file = home.join(path);
    let there = match fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A link to nowhere is no file of ours.
            return Ok(match (is_there(&file)?, chain.ours.first()) {
                (true, _) => ManualEdit::Damaged,
                (false, Some(Some(_))) => ManualEdit::Gone,
                (false, _) => ManualEdit::No,
            });
        }
        Err(error) => {
            // A folder or a link in its place can be put aside; a file of ours that cannot be read waits
            // for the operator.
            let is_ours = found(file.symlink_metadata(), &file)?.is_none_or(|meta| meta.is_file());
            if is_ours || is_shortage(&error) || error.raw_os_error() == Some(EIO) {
                return Err(Fault::at("cannot read", file)(error));
            }
            return Ok(ManualEdit::Damaged);
        }
    };
    Ok(if chain.ours.contains(&Some(Digest::of(&there))) {
        ManualEdit::No
    } else if std::str::from_utf8(&there).is_ok_and(|text| validator(path, text)) {
        ManualEdit::Sound
    } else {
        ManualEdit::Damaged
    })
}

/// When the letters of a journal file were written, if it goes into the outbox with them.
fn goes_out(found: &JournalFile<'_>) -> Option<Time> {
    let JournalContent { entries, damaged_at, end, .. } = &found.content;
    let is_whole = damaged_at.is_none() && journal::is_long(found.number, *end);
    let path = entries.iter().filter(|_| is_whole).find_map(|entry| match entry {
        JournalEntry::Letters { path, .. } => Some(*path),
        JournalEntry::Document { .. }
        | JournalEntry::Receipt { .. }
        | JournalEntry::Sent { .. } => None,
    })?;
    let name = path.rsplit('/').next().unwrap_or_default();
    Time::from_digits(name.split(|c: char| !c.is_ascii_digit()).next()?).or(Some(Time::EPOCH))
}

/// All its good records are in place: it counts no more.
fn retire(disk: &Disk, home: &Path, found: &JournalFile<'_>) -> Result<(), Fault> {
    let JournalFile { number, path, content } = found;
    if let Some(at) = content.damaged_at {
        let bad = home.join("journal/bad");
        disk.folder(&bad, &mut |_| ())?;
        let aside = free_name(&bad, &format!("{number}.txn"))?;
        let _ = log(
            home,
            &format!(
                "journal/{number}.txn is no record from byte {at} on: a commit that was never finished, or damage; put aside as {}",
                aside.strip_prefix(home).unwrap_or(&aside).display()
            ),
        );
        disk.rename(path, &aside)?;
        return disk.sync_folder(&home.join("journal"));
    }
    let Some(file) = Disk::open(path)? else { return Ok(()) };
    if let Some(at) = goes_out(found) {
        let of = (*number, content.epoch);
        return journal::go_out(disk, home, (&file, path), of, (content.end, at));
    }
    journal::clear(disk, &file, path, *number, Clearing::Durable)
}
