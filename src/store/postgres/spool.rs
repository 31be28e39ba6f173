//! The mails that wait: which worker executes which, in which order.
//!
//! A mail is claimed only if no earlier one waits, or is being executed, that shares a strand with it:
//! so those about one board are executed in the order in which they came, and all others side by side.

use super::error::DatabaseError;
use super::names::{BigInt, mail, number};
use super::notify::{MAILS, tell_with};
use super::pool::{Connection, Database};
use super::worker::{DatabaseWorker, sweep};
use crate::store::quarantine::{QuarantineLimits, is_theirs};
use crate::store::spool::name::{LONGEST, SpoolName, Strands};
use crate::store::{Fault, SpoolStore};
use ::postgres::fallible_iterator::FallibleIterator as _;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many are claimed at a time: a group.
const CLAIMED: BigInt = 64;
/// Mails up to so many bytes, which is most of them, are read as they are claimed.
const SHORT: i32 = 65_536;

/// Which mails can be claimed.
macro_rules! free {
    () => {
        "worker IS NULL AND NOT EXISTS (SELECT FROM strands own JOIN strands other \
         ON other.strand = own.strand AND other.mail < own.mail WHERE own.mail = mails.number)"
    };
}

/// Claims some of them, the oldest first.
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

/// One of them.
const ANY: &str = concat!("SELECT FROM mails WHERE ", free!(), " LIMIT 1");

/// The mails of an open home.
#[derive(Debug)]
pub(super) struct PostgresSpool {
    database: Database,
    worker: Option<Arc<DatabaseWorker>>,
    /// Whether it was looked which mails had been begun.
    looked: AtomicBool,
    /// Whether some had: this run is about these alone.
    careful: AtomicBool,
    /// Mails that were read as they were claimed, until they are asked for.
    read: Mutex<HashMap<BigInt, Vec<u8>>>,
}

/// Puts a mail where it waits; once, where it is said what it was taken from.
pub(super) fn put(
    connection: &mut Connection,
    (bytes, mark, origin): (&[u8], Option<&str>, Option<&str>),
    strands: &Strands,
) -> Result<(), DatabaseError> {
    let sql = "INSERT INTO mails (bytes, mark, origin) VALUES ($1, $2, $3) \
               ON CONFLICT (origin) DO NOTHING RETURNING number";
    let rows = connection.rows(sql, &[&bytes, &mark, &origin])?;
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
            looked: AtomicBool::new(false),
            careful: AtomicBool::new(false),
            read: Mutex::default(),
        }
    }

    fn read_ahead(&self) -> MutexGuard<'_, HashMap<BigInt, Vec<u8>>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn me(&self) -> BigInt {
        self.worker.as_ref().map_or(0, |worker| worker.number)
    }

    /// Claims mails that were begun before, or never.
    fn claim(&self, begun: bool) -> Result<(), Fault> {
        let Some(worker) = &self.worker else { return Ok(()) };
        self.database.loosely("cannot claim mails of", |connection| {
            sweep(connection)?;
            worker.stay(connection)?;
            let sql = if begun { claiming!("begun > 0") } else { claiming!("begun = 0") };
            connection.change(sql, &[&worker.number, &CLAIMED]).map(drop)
        })
    }

    /// Those that are claimed.
    fn claimed(&self, begun: bool) -> Result<Vec<SpoolName>, Fault> {
        let sql = "SELECT number, mark, begun, CASE WHEN length(bytes) <= $3 THEN bytes END \
                   FROM mails WHERE worker = $1 AND (begun > 0) = $2 ORDER BY number";
        let rows = self.database.with_retries("cannot read mails of", |connection| {
            connection.rows(sql, &[&self.me(), &begun, &SHORT])
        })?;
        let read = |row: &::postgres::Row| Some((row.get(0), row.get::<_, Option<_>>(3)?));
        *self.read_ahead() = rows.iter().filter_map(read).collect();
        let name = |row: &::postgres::Row| SpoolName {
            name: mail(row.get(0), row.get(1)),
            begun: u32::try_from(row.get::<_, i32>(2)).ok().filter(|begun| *begun > 0),
        };
        Ok(rows.iter().map(name).collect())
    }

    /// Does something about mails that are claimed; not after the lease.
    fn change(
        &self,
        mut work: impl FnMut(&mut Connection, BigInt) -> Result<(), DatabaseError>,
    ) -> Result<(), Fault> {
        let Some(worker) = &self.worker else { return Ok(()) };
        self.database.loosely("cannot change mails of", |connection| {
            worker.stay(connection)?;
            work(connection, worker.number)
        })
    }
}

impl SpoolStore for PostgresSpool {
    fn fresh(&self) -> Result<Vec<String>, Fault> {
        if self.has_others() {
            return Ok(Vec::new());
        }
        self.claim(false)?;
        Ok(self.claimed(false)?.into_iter().map(|name| name.name).collect())
    }

    fn begun(&self) -> Result<Vec<SpoolName>, Fault> {
        if !self.looked.swap(true, Ordering::Relaxed) {
            self.claim(true)?;
            self.careful.store(!self.claimed(true)?.is_empty(), Ordering::Relaxed);
        }
        self.claimed(true)
    }

    fn read(&self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault> {
        let read = self.read_ahead().remove(&number(&name.name));
        if read.is_some() {
            return Ok(read);
        }
        let most = i32::try_from(LONGEST + 1).unwrap_or(i32::MAX);
        let sql = "SELECT substring(bytes FOR $2) FROM mails WHERE number = $1";
        let rows = self.database.with_retries("cannot read a mail of", |connection| {
            connection.rows(sql, &[&number(&name.name), &most])
        })?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    fn rename(&self, _: &SpoolName, to: &SpoolName) -> Result<(), Fault> {
        let begun = i32::try_from(to.begun.unwrap_or(0)).unwrap_or(i32::MAX);
        let sql = "UPDATE mails SET begun = $3 WHERE number = $1 AND worker = $2";
        self.change(|connection, me| {
            connection.change(sql, &[&number(&to.name), &me, &begun]).map(drop)
        })
    }

    fn remove(&self, name: &SpoolName) -> Result<(), Fault> {
        self.remove_all(&[name])
    }

    fn remove_all(&self, names: &[&SpoolName]) -> Result<(), Fault> {
        if names.is_empty() {
            return Ok(());
        }
        let numbers: Vec<BigInt> = names.iter().map(|name| number(&name.name)).collect();
        let sql = "DELETE FROM mails WHERE number = ANY($1) AND worker = $2";
        self.change(|connection, me| {
            connection.change(sql, &[&numbers, &me])?;
            // Others may have waited for them. This transaction waits for no disk, so nobody waits for it.
            tell_with(connection)
        })
    }

    fn put_aside(
        &self,
        name: &SpoolName,
        aside: &str,
        bounds: QuarantineLimits,
        why: &str,
    ) -> Result<Option<String>, Fault> {
        let mut note = None;
        self.change(|connection, me| {
            let sql = "DELETE FROM mails WHERE number = $1 AND worker = $2 RETURNING bytes";
            let rows = connection.rows(sql, &[&number(&name.name), &me])?;
            if let Some(bytes) = rows.first().map(|row| row.get::<_, &[u8]>(0)) {
                note = lay_aside(connection, (aside, bytes), bounds, why)?;
            }
            Ok(())
        })?;
        Ok(note)
    }

    fn is_marked(&self) -> bool {
        self.begun().is_ok_and(|begun| !begun.is_empty())
    }

    fn has_others(&self) -> bool {
        self.careful.load(Ordering::Relaxed)
    }

    fn mark(&self) -> Result<(), Fault> {
        // A worker that dies leaves its claims: they tell.
        Ok(())
    }

    fn unmark(&self) -> Result<(), Fault> {
        let Some(worker) = &self.worker else { return Ok(()) };
        self.database
            .loosely("cannot change mails of", |connection| worker.give_back(connection, false))
    }
}

/// Keeps what was put aside, if there is room for it or can be made. Says what the operator should
/// know of it.
fn lay_aside(
    connection: &mut Connection,
    (name, bytes): (&str, &[u8]),
    bounds: QuarantineLimits,
    why: &str,
) -> Result<Option<String>, DatabaseError> {
    let mut gone = 0;
    let length = BigInt::try_from(bytes.len()).unwrap_or(BigInt::MAX);
    loop {
        let sql = "SELECT count(*), coalesce(sum(length(bytes)), 0)::bigint FROM aside";
        let rows = connection.rows(sql, &[])?;
        let (count, held): (BigInt, BigInt) = (rows[0].get(0), rows[0].get(1));
        let fits = |held: BigInt, most: u64| u64::try_from(held).is_ok_and(|held| held <= most);
        if fits(count + 1, bounds.count as u64) && fits(held + length, bounds.bytes) {
            break;
        }
        let sql = "DELETE FROM aside WHERE name = \
                   (SELECT name FROM aside WHERE theirs ORDER BY at, name LIMIT 1)";
        if connection.change(sql, &[])? == 0 {
            return Ok(Some(format!("spool/bad is full: {name} is not kept ({why})")));
        }
        gone += 1;
    }
    let sql = "INSERT INTO aside (name, theirs, why, bytes) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (name) DO NOTHING";
    connection.change(sql, &[&name, &is_theirs(name), &why, &bytes])?;
    Ok((gone > 0).then(|| format!("spool/bad is full: of the oldest, {gone} went away")))
}

/// Waits until a mail comes, or for so long.
pub(super) fn await_mail(database: &Database, most: Duration) -> Result<(), DatabaseError> {
    let mut client = database.address.connect()?;
    client.batch_execute(&format!("LISTEN {MAILS}"))?;
    // Words from before this listener are there already.
    if client.query(ANY, &[])?.is_empty() {
        client.notifications().timeout_iter(most).next()?;
    }
    Ok(())
}
