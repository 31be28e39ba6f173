//! Limits of the mails that are put aside, in `spool/bad`, `outbox/bad` and `journal/bad`, so that
//! these do not grow for ever.
//!
//! There are two kinds. Mails that failed by a fault of ours, or of the machine, stay until the
//! operator has seen them. If there are too many, the first stay, since a flood that comes later
//! must not wash away the mails that tell its cause. Mails of others that cannot be executed or
//! delivered (`is_theirs`) go after a time; if there are too many, the newest stay.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

use super::disk::Disk;
use super::{Fault, beside, free_name, names};
use crate::base::time::{Span, Time};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How much is put aside in a folder at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuarantineLimits {
    /// Mails, or letters.
    pub count: usize,
    /// Bytes of them all.
    pub bytes: u64,
}

impl Default for QuarantineLimits {
    fn default() -> Self {
        Self { count: 1_000, bytes: 50_000_000 }
    }
}

/// Behind the name of a mail that cannot be read.
pub(super) const UNFIT: &str = "unfit";

/// Something put aside; its reason is in a file beside it.
#[derive(Debug)]
struct QuarantinedFile {
    name: String,
    bytes: u64,
}

/// Whether it is no fault of ours that something was put aside: a mail that cannot be read, a
/// letter that was refused. A number after that tells two of the same name apart.
pub(super) fn is_theirs(name: &str) -> bool {
    let mut endings = name.rsplit('.').skip_while(|end| end.parse::<u32>().is_ok());
    matches!(endings.next(), Some(UNFIT | "eml"))
}

/// The files of a folder, the oldest first: names begin with the second in which they came.
fn list(folder: &Path) -> Result<Vec<QuarantinedFile>, Fault> {
    let mut all = names(folder)?;
    all.retain(|name| Path::new(name).extension().is_none_or(|ending| ending != "why"));
    all.sort();
    let bytes = |name: &String| fs::symlink_metadata(folder.join(name)).map_or(0, |it| it.len());
    Ok(all.into_iter().map(|name| QuarantinedFile { bytes: bytes(&name), name }).collect())
}

/// Puts a file aside under that name, with the reason beside it, if there is room for it or can be
/// made; else it goes away. Says what the operator should know of it.
///
/// # Errors
/// The machine failed.
pub(super) fn put(
    disk: &Disk,
    folder: &Path,
    bounds: QuarantineLimits,
    (path, name): (&Path, &str),
    why: &str,
) -> Result<Option<String>, Fault> {
    let length = fs::symlink_metadata(path).map_or(0, |it| it.len());
    let mut held = list(folder)?;
    let mut gone = 0;
    let is_room = |held: &[QuarantinedFile]| {
        let bytes: u64 = held.iter().map(|it| it.bytes).sum();
        held.len() < bounds.count && bytes + length <= bounds.bytes
    };
    while !is_room(&held) {
        let Some(oldest) = held.iter().position(|it| is_theirs(&it.name)) else { break };
        remove(disk, &folder.join(held.remove(oldest).name))?;
        gone += 1;
    }
    let shown = folder.display();
    // Only files are mails; there are few other things.
    let is_file = fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
    if is_file && !is_room(&held) {
        disk.remove(path)?;
        return Ok(Some(format!("{shown} is full: {name} is not kept ({why})")));
    }
    let aside = free_name(folder, name)?;
    // First why, then what: a file in the folder has its reason.
    let reason = beside(&aside, "why");
    let file = disk.put(&reason, format!("{why}\n").as_bytes(), &mut |_| ())?;
    disk.sync(&file, &reason)?;
    disk.rename(path, &aside)?;
    disk.sync_folder(folder)?;
    Ok((gone > 0).then(|| format!("{shown} is full: of the oldest, {gone} went away")))
}

/// Removes what others have sent and was put aside that long ago, and commits that were cut off;
/// returns how many files.
///
/// # Errors
/// The machine failed.
pub fn expire(home: &Path, now: Time, after: Span) -> Result<usize, Fault> {
    let disk = Disk::default();
    let oldest = now - after;
    let mut gone = 0;
    for folder in ["spool/bad", "outbox/bad"].map(|folder| home.join(folder)) {
        for QuarantinedFile { name, .. } in list(&folder)? {
            let came = name.split('.').next().and_then(Time::from_digits);
            if is_theirs(&name) && came.is_some_and(|came| came < oldest) {
                remove(&disk, &folder.join(name))?;
                gone += 1;
            }
        }
    }
    let folder = home.join("journal/bad");
    for name in names(&folder)? {
        let path = folder.join(name);
        let age = fs::metadata(&path).and_then(|it| it.modified()).map(|at| at.elapsed());
        let is_old = |age: Duration| age > Duration::from(after);
        if age.is_ok_and(|age| age.is_ok_and(is_old)) {
            disk.remove(&path)?;
            gone += 1;
        }
    }
    Ok(gone)
}

/// A mail that was put aside goes away before its reason, so that none is without one.
fn remove(disk: &Disk, path: &Path) -> Result<(), Fault> {
    disk.remove(path)?;
    disk.remove(&beside(path, "why"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_sent_is_known_by_its_name() {
        for theirs in ["000000000001.0.1.0.unfit", "01.unfit.2", "000000000001.3f.eml", "1.eml.12"]
        {
            assert!(is_theirs(theirs), "{theirs}");
        }
        for ours in ["000000000001.000000002.1234.5", "1.folder", "01.unfitting", "7.txn"] {
            assert!(!is_theirs(ours), "{ours}");
        }
    }
}
