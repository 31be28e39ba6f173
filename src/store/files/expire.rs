//! Removes what no longer counts: old receipts, counts of mails sent, forgotten mailboxes,
//! leftovers.

use super::init::lock_path;
use super::journal::recovery::is_due;
use super::layout;
use super::lock::Lock;
use crate::base::key::MAILBOXES;
use crate::base::time::{DAY, Month, Time};
use crate::store::paths::{age, names, removed};
use crate::store::receipt::receipt_months;
use crate::store::spool::arrival_time;
use crate::store::transfer::move_note::refuse_moving;
use crate::store::{DocumentKind, Fault};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long the counter of a mailbox without a mail is kept.
const FORGOTTEN_AFTER: Duration = Duration::from_hours(8 * 24);

/// Removes the receipts of mails executed more than 90 days before `now`, by whole months, and the
/// counts of mails sent before yesterday. Needs no lock: nobody reads what it removes.
pub fn expire(home: &Path, now: Time) -> Result<(), Fault> {
    refuse_moving(home)?;
    // Left by a `receive` that was killed; the mail server has tried again long ago.
    let tmp = home.join("spool/tmp");
    for name in names(&tmp)? {
        if arrival_time(&name).is_some_and(|at| at < now - DAY) {
            let _ = fs::remove_file(tmp.join(name));
        }
    }
    let sent = home.join("sent");
    let past: Vec<String> =
        names(&sent)?.into_iter().filter(|name| layout::is_past(name, now)).collect();
    for name in &past {
        let folder = sent.join(name);
        removed(fs::remove_dir_all(&folder), &folder)?;
    }
    if !past.is_empty() {
        // So this happens once a day.
        forget_mailboxes(home)?;
    }
    let Some(oldest) = receipt_months(now).last() else { return Ok(()) };
    let seen = home.join("seen");
    for name in names(&seen)? {
        if Month::parse(&name).is_some_and(|month| month < oldest) {
            let folder = seen.join(name);
            removed(fs::remove_dir_all(&folder), &folder)?;
        }
    }
    Ok(())
}

/// Removes the counters of mailboxes that had no mail for eight days: none of them counts any more.
fn forget_mailboxes(home: &Path) -> Result<(), Fault> {
    let _lock = Lock::exclusive(&lock_path(home)?)?;
    if is_due(home)? {
        // A crash left changes of them in the journal: leave them for another day.
        return Ok(());
    }
    let all = home.join(DocumentKind::In(MAILBOXES).folder());
    for part in names(&all)? {
        let part = all.join(part);
        for name in
            names(&part)?.iter().filter(|name| DocumentKind::In(MAILBOXES).named(name).is_some())
        {
            let file = part.join(name);
            if age(&file).is_some_and(|age| age > FORGOTTEN_AFTER) {
                let _ = fs::remove_file(file);
            }
        }
    }
    Ok(())
}
