//! The waiting mails: which worker executes which, in which order.
//!
//! A mail is claimed only if no earlier mail that shares a strand waits or is being executed. So
//! mails about a board are executed in the order of arrival, and all others in parallel.

use super::error::DatabaseError;
use super::names::{BigInt, mail_name, mail_number};
use super::notify::{MAILS, announce_mail_with};
use super::pool::{Connection, Database};
use super::worker::{DatabaseWorker, remove_expired};
use crate::store::quarantine::{QuarantineLimits, is_theirs};
use crate::store::spool::{MAX_MAIL_BYTES, SpoolName, Strands};
use crate::store::{Fault, SpoolStore};
use ::postgres::fallible_iterator::FallibleIterator as _;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The mails claimed at a time: a group.
const CLAIMED: BigInt = 64;
/// The size in bytes up to which a mail, as most are, is read while it is claimed.
const MAX_PREFETCHED_BYTES: i32 = 65_536;

/// The condition of mails that can be claimed.
macro_rules! free {
    () => {
        "worker IS NULL AND NOT EXISTS (SELECT FROM strands own JOIN strands other \
         ON other.strand = own.strand AND other.mail < own.mail WHERE own.mail = mails.number)"
    };
}

/// Claims mails that match a condition, the oldest first.
macro_rules! claiming {
    ($which:literal) => {
        concat!(
            "UPDATE mails SET worker = $1 WHERE number IN (SELECT number FROM mails WHERE ",
            $which,
            " AND ",
            free!(),
            " ORDER BY number LIMIT $2 FOR UPDATE SKIP LOCKED)"
        )
    };
}

/// Finds a mail that can be claimed.
const ANY: &str = concat!("SELECT FROM mails WHERE ", free!(), " LIMIT 1");

/// The waiting mails of an open home.
#[derive(Debug)]
pub(super) struct PostgresSpool {
    database: Database,
    worker: Option<Arc<DatabaseWorker>>,
    /// Whether mails that had been begun were claimed.
    has_claimed_begun: AtomicBool,
    /// Whether there were any: then this run executes them alone.
    is_careful: AtomicBool,
    /// Mails that were read while they were claimed, until they are asked for.
    prefetched: Mutex<HashMap<BigInt, Vec<u8>>>,
}

/// A mail to be inserted.
pub(super) struct NewMail<'a> {
    pub(super) bytes: &'a [u8],
    /// The mark of a mail that also stays in its mailbox.
    pub(super) mark: Option<&'a str>,
    /// Where it was taken from, so that it is inserted once.
    pub(super) origin: Option<&'a str>,
}

/// Inserts a mail; once, if it has an origin.
pub(super) fn put(
    connection: &mut Connection,
    mail: &NewMail<'_>,
    strands: &Strands,
) -> Result<(), DatabaseError> {
    let sql = "INSERT INTO mails (bytes, mark, origin) VALUES ($1, $2, $3) \
               ON CONFLICT (origin) DO NOTHING RETURNING number";
    let rows = connection.rows(sql, &[&mail.bytes, &mail.mark, &mail.origin])?;
    let Some(number) = rows.first().map(|row| row.get::<_, BigInt>(0)) else { return Ok(()) };
    let strands: Vec<&str> = strands.iter().map(|strand| &**strand).collect();
    let sql = "INSERT INTO strands (strand, mail) SELECT unnest($1::text[]), $2::bigint";
    connection.change(sql, &[&strands, &number]).map(drop)
}

impl PostgresSpool {
    pub(super) fn new(database: &Database, worker: Option<Arc<DatabaseWorker>>) -> Self {
        Self {
            database: database.clone(),
            worker,
            has_claimed_begun: AtomicBool::new(false),
            is_careful: AtomicBool::new(false),
            prefetched: Mutex::default(),
        }
    }

    fn prefetched(&self) -> MutexGuard<'_, HashMap<BigInt, Vec<u8>>> {
        self.prefetched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn me(&self) -> BigInt {
        self.worker.as_ref().map_or(0, |worker| worker.number)
    }

    /// Claims mails that were begun before, or never.
    fn claim(&self, begun: bool) -> Result<(), Fault> {
        let Some(worker) = &self.worker else { return Ok(()) };
        self.database.in_unsynced_transaction("cannot claim mails of", |connection| {
            remove_expired(connection)?;
            worker.renew(connection)?;
            let sql = if begun { claiming!("begun > 0") } else { claiming!("begun = 0") };
            connection.change(sql, &[&worker.number, &CLAIMED]).map(drop)
        })
    }

    /// Returns the claimed mails.
    fn claimed(&self, begun: bool) -> Result<Vec<SpoolName>, Fault> {
        let sql = "SELECT number, mark, begun, CASE WHEN length(bytes) <= $3 THEN bytes END \
                   FROM mails WHERE worker = $1 AND (begun > 0) = $2 ORDER BY number";
        let rows = self.database.with_retries("cannot read mails of", |connection| {
            connection.rows(sql, &[&self.me(), &begun, &MAX_PREFETCHED_BYTES])
        })?;
        let read = |row: &::postgres::Row| Some((row.get(0), row.get::<_, Option<_>>(3)?));
        *self.prefetched() = rows.iter().filter_map(read).collect();
        let name = |row: &::postgres::Row| SpoolName {
            name: mail_name(row.get(0), row.get(1)),
            begun: u32::try_from(row.get::<_, i32>(2)).ok().filter(|begun| *begun > 0),
        };
        Ok(rows.iter().map(name).collect())
    }

    /// Changes claimed mails, unless the lease has expired.
    fn change(
        &self,
        mut work: impl FnMut(&mut Connection, BigInt) -> Result<(), DatabaseError>,
    ) -> Result<(), Fault> {
        let Some(worker) = &self.worker else { return Ok(()) };
        self.database.in_unsynced_transaction("cannot change mails of", |connection| {
            worker.renew(connection)?;
            work(connection, worker.number)
        })
    }
}

impl SpoolStore for PostgresSpool {
    fn fresh(&self) -> Result<Vec<String>, Fault> {
        if self.has_unstarted() {
            return Ok(Vec::new());
        }
        self.claim(false)?;
        Ok(self.claimed(false)?.into_iter().map(|name| name.name).collect())
    }

    fn begun(&self) -> Result<Vec<SpoolName>, Fault> {
        if !self.has_claimed_begun.load(Ordering::Relaxed) {
            self.claim(true)?;
            self.is_careful.store(!self.claimed(true)?.is_empty(), Ordering::Relaxed);
            self.has_claimed_begun.store(true, Ordering::Relaxed);
        }
        self.claimed(true)
    }

    fn read(&self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault> {
        let read = self.prefetched().remove(&mail_number(&name.name));
        if read.is_some() {
            return Ok(read);
        }
        let most = i32::try_from(MAX_MAIL_BYTES + 1).unwrap_or(i32::MAX);
        let sql = "SELECT substring(bytes FOR $2) FROM mails WHERE number = $1";
        let rows = self.database.with_retries("cannot read a mail of", |connection| {
            connection.rows(sql, &[&mail_number(&name.name), &most])
        })?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    fn rename(&self, _: &SpoolName, to: &SpoolName) -> Result<(), Fault> {
        let begun = i32::try_from(to.begun.unwrap_or(0)).unwrap_or(i32::MAX);
        let sql = "UPDATE mails SET begun = $3 WHERE number = $1 AND worker = $2";
        self.change(|connection, me| {
            connection.change(sql, &[&mail_number(&to.name), &me, &begun]).map(drop)
        })
    }

    fn remove(&self, name: &SpoolName) -> Result<(), Fault> {
        self.remove_all(&[name])
    }

    fn remove_all(&self, names: &[&SpoolName]) -> Result<(), Fault> {
        if names.is_empty() {
            return Ok(());
        }
        let numbers: Vec<BigInt> = names.iter().map(|name| mail_number(&name.name)).collect();
        let sql = "DELETE FROM mails WHERE number = ANY($1) AND worker = $2";
        self.change(|connection, me| {
            connection.change(sql, &[&numbers, &me])?;
            // Other workers may wait for them. This transaction is not synced, so nobody waits for
            // it.
            announce_mail_with(connection)
        })
    }

    fn park(
        &self,
        name: &SpoolName,
        parked: &str,
        limits: QuarantineLimits,
        why: &str,
    ) -> Result<Option<String>, Fault> {
        let mut note = None;
        self.change(|connection, me| {
            let sql = "DELETE FROM mails WHERE number = $1 AND worker = $2 RETURNING bytes";
            let rows = connection.rows(sql, &[&mail_number(&name.name), &me])?;
            if let Some(bytes) = rows.first().map(|row| row.get::<_, &[u8]>(0)) {
                note = insert_parked(connection, parked, bytes, limits, why)?;
            }
            Ok(())
        })?;
        Ok(note)
    }

    fn is_run_marked(&self) -> Result<bool, Fault> {
        Ok(!self.begun()?.is_empty())
    }

    fn has_unstarted(&self) -> bool {
        self.is_careful.load(Ordering::Relaxed)
    }

    fn mark_run(&self) -> Result<(), Fault> {
        // A worker that dies leaves its claims, which show it.
        Ok(())
    }

    fn unmark_run(&self) -> Result<(), Fault> {
        let Some(worker) = &self.worker else { return Ok(()) };
        self.database.in_unsynced_transaction("cannot change mails of", |connection| {
            worker.release_claims(connection)
        })
    }
}

/// Parks a mail, if there is room or room can be made. Returns a note for the operator about mails
/// that were not kept.
fn insert_parked(
    connection: &mut Connection,
    name: &str,
    bytes: &[u8],
    limits: QuarantineLimits,
    why: &str,
) -> Result<Option<String>, DatabaseError> {
    let mut removed = 0;
    let length = BigInt::try_from(bytes.len()).unwrap_or(BigInt::MAX);
    loop {
        let sql = "SELECT count(*), coalesce(sum(length(bytes)), 0)::bigint FROM aside";
        let rows = connection.rows(sql, &[])?;
        let (count, held): (BigInt, BigInt) = (rows[0].get(0), rows[0].get(1));
        let fits = |held: BigInt, most: u64| u64::try_from(held).is_ok_and(|held| held <= most);
        if fits(count + 1, limits.count as u64) && fits(held + length, limits.bytes) {
            break;
        }
        let sql = "DELETE FROM aside WHERE name = \
                   (SELECT name FROM aside WHERE theirs ORDER BY at, name LIMIT 1)";
        if connection.change(sql, &[])? == 0 {
            return Ok(Some(format!("spool/bad is full: {name} is not kept ({why})")));
        }
        removed += 1;
    }
    let sql = "INSERT INTO aside (name, theirs, why, bytes) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (name) DO NOTHING";
    connection.change(sql, &[&name, &is_theirs(name), &why, &bytes])?;
    Ok((removed > 0).then(|| format!("spool/bad is full: removed the {removed} oldest")))
}

/// Waits until a mail comes, at most for `limit`.
pub(super) fn wait_for_mail(database: &Database, limit: Duration) -> Result<(), DatabaseError> {
    let mut client = database.address.connect()?;
    client.batch_execute(&format!("LISTEN {MAILS}"))?;
    // A mail that came before the LISTEN is found by the query.
    if client.query(ANY, &[])?.is_empty() {
        client.notifications().timeout_iter(limit).next()?;
    }
    Ok(())
}
