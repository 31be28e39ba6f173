//! Forgets things that count no more.

use super::init::lock_path;
use super::journal::recovery::is_due;
use super::layout;
use super::lock::Lock;
use crate::base::key::MAILBOXES;
use crate::base::time::{DAY, Month, Time};
use crate::store::paths::names;
use crate::store::receipt::receipt_months;
use crate::store::transfer::move_note::refuse_moving;
use crate::store::{DocumentKind, Fault};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Forgets the mails executed more than 90 days before `now`, by whole months, and how many were
/// sent to each address before yesterday. Needs no lock: what it removes is never looked at.
///
/// # Errors
/// The machine failed.
pub fn expire(home: &Path, now: Time) -> Result<(), Fault> {
    refuse_moving(home)?;
    // Leftovers of a `receive` that was killed: the mail server has tried again long ago.
    let tmp = home.join("spool/tmp");
    for name in names(&tmp)? {
        let came = name.split('.').next().and_then(Time::from_digits);
        if came.is_some_and(|came| came < now - DAY) {
            let _ = fs::remove_file(tmp.join(name));
        }
    }
    let sent = home.join("sent");
    let past: Vec<String> =
        names(&sent)?.into_iter().filter(|name| layout::is_past(name, now)).collect();
    for name in &past {
        remove_folder(&sent.join(name))?;
    }
    if !past.is_empty() {
        // Once a day.
        forget_mailboxes(home)?;
    }
    let Some(oldest) = receipt_months(now).last() else { return Ok(()) };
    let seen = home.join("seen");
    for name in names(&seen)? {
        if Month::parse(&name).is_some_and(|month| month < oldest) {
            remove_folder(&seen.join(name))?;
        }
    }
    Ok(())
}

/// Removes what is counted for mailboxes that nothing came from or went to for eight days: none of
/// it counts any more.
fn forget_mailboxes(home: &Path) -> Result<(), Fault> {
    let _lock = Lock::exclusive(&lock_path(home)?)?;
    if is_due(home)? {
        // A crash left some of them in the journal: another day.
        return Ok(());
    }
    let all = home.join(DocumentKind::In(MAILBOXES).folder());
    for part in names(&all)? {
        let part = all.join(part);
        for name in
            names(&part)?.iter().filter(|name| DocumentKind::In(MAILBOXES).named(name).is_some())
        {
            let file = part.join(name);
            let age = file.metadata().and_then(|it| it.modified()).map(|at| at.elapsed());
            if age.is_ok_and(|age| age.is_ok_and(|age| age > UNTOUCHED)) {
                let _ = fs::remove_file(file);
            }
        }
    }
    Ok(())
}

/// See [`forget_mailboxes`].
const UNTOUCHED: Duration = Duration::from_hours(8 * 24);

/// Removes a folder with all that is in it; no matter if it is not there.
fn remove_folder(folder: &Path) -> Result<(), Fault> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Fault::at("cannot remove", folder)(error))
        }
        _ => Ok(()),
    }
}
