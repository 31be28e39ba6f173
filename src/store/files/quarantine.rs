//! The quarantine of a home in files: `spool/bad`, `outbox/bad` and `journal/bad`, within limits.

use super::FileHome;
use super::disk::Disk;
use super::init::lock_path;
use super::lock::Lock;
use crate::base::time::Time;
use crate::mail::Address;
use crate::store::outbox::letter_file::{
    OutboxName, SENT_AT, StoredLetter, envelope, parse_letters,
};
use crate::store::paths::{
    age, beside, found, free_name, is_folder, names, read_file, read_or_empty,
};
use crate::store::quarantine::is_theirs;
use crate::store::spool::{arrival_time, file_spool};
use crate::store::{
    Fault, Letter, ParkedMail, QuarantineAges, QuarantineLimits, Remedy, RemedyResult, StuckItem,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file in quarantine; its reason is in a file `.why` beside it.
#[derive(Debug)]
struct QuarantinedFile {
    name: String,
    bytes: u64,
}

/// Lists a folder, the oldest first: names begin with the second of arrival.
fn list(folder: &Path) -> Result<Vec<QuarantinedFile>, Fault> {
    let mut all = names(folder)?;
    all.retain(|name| Path::new(name).extension().is_none_or(|ending| ending != "why"));
    all.sort();
    let bytes = |name: &String| fs::symlink_metadata(folder.join(name)).map_or(0, |it| it.len());
    Ok(all.into_iter().map(|name| QuarantinedFile { bytes: bytes(&name), name }).collect())
}

/// Moves the file `path` into the quarantine `folder` as `name`, with the reason beside it. If the
/// folder is full and no room can be made, the file is deleted. Returns a note for the operator
/// about deleted files.
pub(in crate::store) fn put(
    disk: &Disk,
    folder: &Path,
    limits: QuarantineLimits,
    path: &Path,
    name: &str,
    why: &str,
) -> Result<Option<String>, Fault> {
    let length = fs::symlink_metadata(path).map_or(0, |it| it.len());
    let mut files = list(folder)?;
    let mut removed = 0;
    let is_room = |files: &[QuarantinedFile]| {
        let bytes: u64 = files.iter().map(|it| it.bytes).sum();
        files.len() < limits.count && bytes + length <= limits.bytes
    };
    while !is_room(&files) {
        let Some(oldest) = files.iter().position(|it| is_theirs(&it.name)) else { break };
        remove(disk, &folder.join(files.remove(oldest).name))?;
        removed += 1;
    }
    let shown = folder.display();
    // Anything else than a file is rare, and is always kept.
    let is_file = fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
    if is_file && !is_room(&files) {
        disk.remove(path)?;
        return Ok(Some(format!("{shown} is full: {name} is not kept ({why})")));
    }
    let place = free_name(folder, name)?;
    // The reason first, so that no quarantined file is without one.
    let reason = beside(&place, "why");
    let file = disk.put(&reason, format!("{why}\n").as_bytes(), &mut |_| ())?;
    disk.sync(&file, &reason)?;
    disk.rename(path, &place)?;
    disk.sync_folder(folder)?;
    Ok((removed > 0).then(|| format!("{shown} is full: removed the {removed} oldest")))
}

/// Removes quarantined mails and letters that are older than their ages, and damaged journal files, which count as
/// those of others; returns the number of files. Folders stay.
pub fn expire(home: &Path, now: Time, ages: QuarantineAges) -> Result<usize, Fault> {
    let disk = Disk::default();
    let mut removed = 0;
    for folder in ["spool/bad", "outbox/bad"].map(|folder| home.join(folder)) {
        for QuarantinedFile { name, .. } in list(&folder)? {
            let age = if is_theirs(&name) { ages.theirs } else { ages.ours };
            let path = folder.join(&name);
            if arrival_time(&name).is_some_and(|at| at < now - age) && !is_folder(&path)? {
                remove(&disk, &path)?;
                removed += 1;
            }
        }
    }
    let folder = home.join("journal/bad");
    for name in names(&folder)? {
        let path = folder.join(name);
        if age(&path).is_some_and(|age| age > Duration::from(ages.theirs)) && !is_folder(&path)? {
            disk.remove(&path)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Removes a quarantined file before its reason, so that none is without one.
fn remove(disk: &Disk, path: &Path) -> Result<(), Fault> {
    disk.remove(path)?;
    disk.remove(&beside(path, "why"))
}

/// Lists the parked mails of a home, the oldest first.
pub(super) fn parked(home: &Path) -> Result<Vec<ParkedMail>, Fault> {
    let folder = home.join("spool/bad");
    let parked = |QuarantinedFile { name, .. }| {
        let path = folder.join(&name);
        let bytes = found(fs::symlink_metadata(&path), &path)?.map_or(0, |it| it.len());
        let why = read_or_empty(&beside(&path, "why"))?;
        let why = String::from_utf8_lossy(&why).lines().next().unwrap_or_default().to_owned();
        Ok(ParkedMail { at: arrival_time(&name), name, bytes, why })
    };
    list(&folder)?.into_iter().map(parked).collect()
}

/// Reads a parked mail; `None` if it no longer exists.
pub(super) fn parked_mail(home: &Path, name: &str) -> Result<Option<Vec<u8>>, Fault> {
    let Some(path) = parked_path(home, name)? else { return Ok(None) };
    file_spool::read(&Disk::default(), &path).map_err(Fault::at("cannot read", path))
}

/// Returns the path of a parked mail, if it exists. The name comes from outside, so it is compared
/// and not used as a path.
fn parked_path(home: &Path, name: &str) -> Result<Option<PathBuf>, Fault> {
    let folder = home.join("spool/bad");
    Ok(names(&folder)?.iter().any(|parked| parked == name).then(|| folder.join(name)))
}

/// Retries or deletes a stuck mail or letter.
pub(super) fn apply_remedy(
    home: &FileHome,
    stuck: StuckItem,
    remedy: Remedy,
) -> Result<RemedyResult, Fault> {
    match stuck {
        StuckItem::Mail(name) => remedy_mail(home, name, remedy),
        StuckItem::Letter(name) => remedy_letter(home, name, remedy),
    }
}

fn remedy_mail(home: &FileHome, name: &str, remedy: Remedy) -> Result<RemedyResult, Fault> {
    let Some(path) = parked_path(&home.path, name)? else { return Ok(RemedyResult::Gone) };
    match remedy {
        // A new name puts it behind the waiting mails.
        Remedy::Retry => {
            let folder = home.path.join("spool/new");
            home.disk.rename(&path, &folder.join(file_spool::unique_name()))?;
            home.disk.sync_folder(&folder)?;
        }
        Remedy::Drop => home.disk.remove(&path)?,
    }
    home.disk.remove(&beside(&path, "why"))?;
    Ok(RemedyResult::Done)
}

fn remedy_letter(home: &FileHome, letter: &str, remedy: Remedy) -> Result<RemedyResult, Fault> {
    let Some(_lock) = Lock::try_exclusive(&lock_path(&home.path)?.with_file_name("outbox/lock"))?
    else {
        return Ok(RemedyResult::Busy);
    };
    for which in ["new", "bad"] {
        let folder = home.path.join("outbox").join(which);
        for file in names(&folder)? {
            let Some(name) = OutboxName::parse(&file) else { continue };
            let path = folder.join(&file);
            let Some(bytes) = read_file(&path)? else { continue };
            let stored = parse_letters(&bytes).unwrap_or_default();
            let unsent = || stored.iter().filter(|stored| !stored.is_sent);
            let Some(found) = unsent().find(|stored| stored.letter.name == letter) else {
                continue;
            };
            match remedy {
                Remedy::Retry => retry_letter(home, &path, &name)?,
                Remedy::Drop if unsent().count() == 1 => home.disk.remove(&path)?,
                Remedy::Drop => forget_letter(&home.disk, &path, found)?,
            }
            home.disk.remove(&beside(&path, "why"))?;
            return Ok(RemedyResult::Done);
        }
    }
    Ok(RemedyResult::Gone)
}

/// Moves a file of the outbox back to the letters that were never tried.
fn retry_letter(home: &FileHome, path: &Path, name: &OutboxName) -> Result<(), Fault> {
    let fresh = OutboxName { tries: 0, not_before: Time::EPOCH, ..name.clone() };
    let folder = home.path.join("outbox/new");
    home.disk.rename(path, &folder.join(fresh.file()))?;
    home.disk.sync_folder(&folder)
}

/// Overwrites a letter that shares its file, in place: its recipient and its content.
fn forget_letter(disk: &Disk, path: &Path, stored: &StoredLetter) -> Result<(), Fault> {
    mark_sent(disk, path, stored)?;
    let Some(file) = Disk::open(path)? else { return Ok(()) };
    let plain = |c: char| if c.is_ascii_alphanumeric() { 'x' } else { c };
    let to: String = stored.letter.to.as_str().chars().map(plain).collect();
    let (Some(to), old) = (Address::parse(&to), envelope(&stored.letter, stored.at)) else {
        return Ok(());
    };
    let mut line = envelope(&Letter { to, ..stored.letter.clone() }, stored.at);
    // An earlier program may have written the line in another way.
    if line.len() != old.len() {
        return Ok(());
    }
    line.drain(..=SENT_AT);
    line.resize(line.len() + stored.letter.bytes.len(), b' ');
    disk.write_at(&file, path, (stored.offset + SENT_AT + 1) as u64, &line)?;
    disk.sync(&file, path)
}

/// Marks a letter that shares its file as sent, or as needing no more sending, in place.
pub(in crate::store) fn mark_sent(
    disk: &Disk,
    path: &Path,
    stored: &StoredLetter,
) -> Result<(), Fault> {
    let Some(file) = Disk::open(path)? else { return Ok(()) };
    disk.write_at(&file, path, (stored.offset + SENT_AT) as u64, b"1")
}
