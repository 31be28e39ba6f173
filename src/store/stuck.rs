//! Stuck mails: those that were put aside, and letters that did not leave. The operator looks at
//! them, has them tried again or throws them away.

use super::disk::Disk;
use super::envelope::{OutboxName, SENT_AT, StoredLetter, read};
use super::lock::Lock;
use super::own_files::lock_path;
use super::{
    Fault, FileHome, ParkedMail, Remedy, RemedyResult, StuckItem, beside, found, names, read_file,
    tray,
};
use crate::base::time::Time;
use std::fs;
use std::path::{Path, PathBuf};

/// The mails that were put aside in a home, the oldest first.
pub(super) fn parked(home: &Path) -> Result<Vec<ParkedMail>, Fault> {
    let folder = home.join("spool/bad");
    let mut names = names(&folder)?;
    names.retain(|name| Path::new(name).extension().is_none_or(|ending| ending != "why"));
    names.sort();
    let parked = |name: String| {
        let path = folder.join(&name);
        let why = read_file(&beside(&path, "why"))?.unwrap_or_default();
        let why = String::from_utf8_lossy(&why).lines().next().unwrap_or_default().to_owned();
        let bytes = found(fs::symlink_metadata(&path), &path)?.map_or(0, |it| it.len());
        let at = name.split('.').next().and_then(Time::from_digits);
        Ok(ParkedMail { name, at, bytes, why })
    };
    names.into_iter().map(parked).collect()
}

/// A mail that was put aside; none if it is gone.
pub(super) fn parked_mail(home: &Path, name: &str) -> Result<Option<Vec<u8>>, Fault> {
    let Some(path) = place(home, name)? else { return Ok(None) };
    tray::read(&Disk::default(), &path).map_err(Fault::at("cannot read", path))
}

/// Where a mail lies that was put aside, if it does.
fn place(home: &Path, name: &str) -> Result<Option<PathBuf>, Fault> {
    let folder = home.join("spool/bad");
    // A name from outside is no path.
    Ok(names(&folder)?.iter().any(|one| one == name).then(|| folder.join(name)))
}

/// Does something about what is stuck.
pub(super) fn remedy(
    home: &FileHome,
    stuck: StuckItem,
    remedy: Remedy,
) -> Result<RemedyResult, Fault> {
    match stuck {
        StuckItem::Mail(name) => of_mail(home, name, remedy),
        StuckItem::Letter(name) => of_letter(home, name, remedy),
    }
}

fn of_mail(home: &FileHome, name: &str, remedy: Remedy) -> Result<RemedyResult, Fault> {
    let Some(path) = place(&home.path, name)? else { return Ok(RemedyResult::Gone) };
    match remedy {
        // It comes after those that wait.
        Remedy::Retry => {
            let folder = home.path.join("spool/new");
            home.disk.rename(&path, &folder.join(tray::unique()))?;
            home.disk.sync_folder(&folder)?;
        }
        Remedy::Drop => home.disk.remove(&path)?,
    }
    home.disk.remove(&beside(&path, "why"))?;
    Ok(RemedyResult::Done)
}

fn of_letter(home: &FileHome, letter: &str, remedy: Remedy) -> Result<RemedyResult, Fault> {
    let Some(_turn) = Lock::try_exclusive(&lock_path(&home.path)?.with_file_name("outbox/lock"))?
    else {
        return Ok(RemedyResult::Busy);
    };
    for which in ["new", "bad"] {
        let folder = home.path.join("outbox").join(which);
        for file in names(&folder)? {
            let Some(name) = OutboxName::read(&file) else { continue };
            let path = folder.join(&file);
            let Some(bytes) = read_file(&path)? else { continue };
            let held = read(&bytes).unwrap_or_default();
            let unsent = || held.iter().filter(|held| !held.sent);
            let Some(one) = unsent().find(|held| held.letter.name == letter) else { continue };
            match remedy {
                Remedy::Retry => again(home, &path, &name)?,
                Remedy::Drop if unsent().count() == 1 => home.disk.remove(&path)?,
                Remedy::Drop => mark(home, &path, one)?,
            }
            home.disk.remove(&beside(&path, "why"))?;
            return Ok(RemedyResult::Done);
        }
    }
    Ok(RemedyResult::Gone)
}

/// A letter waits as one that was never tried.
fn again(home: &FileHome, path: &Path, name: &OutboxName) -> Result<(), Fault> {
    let fresh = OutboxName { tries: 0, not_before: Time::EPOCH, ..name.clone() };
    let folder = home.path.join("outbox/new");
    home.disk.rename(path, &folder.join(fresh.file()))?;
    home.disk.sync_folder(&folder)
}

/// A letter that shares its file counts as sent.
fn mark(home: &FileHome, path: &Path, held: &StoredLetter) -> Result<(), Fault> {
    let Some(file) = Disk::open(path)? else { return Ok(()) };
    home.disk.write_at(&file, path, (held.offset + SENT_AT) as u64, b"1")
}
