//! The workers at a home: each has a lease, and a number that fences it off once the lease is over.
//!
//! Everything that a worker has claimed carries its number. A worker that was not heard of until its
//! lease ended is swept away by any other one, and what it had claimed is free again. From then on it
//! commits nothing, however late it wakes up: each of its commits begins with its own row.

use super::error::{DatabaseError, RetryAction};
use super::names::BigInt;
use super::pool::{Connection, Database};
use super::{commit, schema};
use crate::store::{Backoff, Fault, Transaction};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A process that works at a home.
#[derive(Debug)]
pub(super) struct DatabaseWorker {
    pub(super) database: Database,
    lease: Duration,
    /// The fencing number.
    pub(super) number: BigInt,
    /// Words in its row that no other row has. An engine that died may have forgotten a worker, and
    /// give its number to another one.
    who: String,
    /// How often it has committed.
    commits: Mutex<BigInt>,
}

/// Why another worker goes on.
const FENCED: &str = "the lease of this worker is over, and others do what it had begun";

impl DatabaseWorker {
    /// Begins to work.
    pub(super) fn begin(database: &Database, lease: Duration) -> Result<Self, Fault> {
        let who = format!("{} {}", machine(), std::process::id());
        let (number, who) = database.loosely("cannot open", |connection| {
            schema::look(connection)?;
            sweep(connection)?;
            let sql = "INSERT INTO workers (until, who) \
                       VALUES (now() + $1::float8 * interval '1 second', $2 || ' ' || gen_random_uuid()) \
                       RETURNING number, who";
            let rows = connection.rows(sql, &[&lease.as_secs_f64(), &who])?;
            Ok((rows[0].get(0), rows[0].get(1)))
        })?;
        Ok(Self { database: database.clone(), lease, number, who, commits: Mutex::new(0) })
    }

    /// Begins its lease anew, in a transaction that does something in its name.
    pub(super) fn stay(&self, connection: &mut Connection) -> Result<(), DatabaseError> {
        let sql = "UPDATE workers SET until = now() + $2::float8 * interval '1 second' \
                   WHERE number = $1 AND who = $3";
        match connection.change(sql, &[&self.number, &self.lease.as_secs_f64(), &self.who])? {
            0 => Err(DatabaseError::Conflict(FENCED)),
            _ => Ok(()),
        }
    }

    /// Makes a transaction durable. Where it is not known whether it came through, since the
    /// connection was lost, its number tells.
    pub(super) fn commit(&self, transaction: &Transaction) -> Result<(), Fault> {
        let mut commits = self.commits.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tries = Backoff::new();
        loop {
            let work = |connection: &mut Connection| {
                if self.count(connection, *commits + 1)? {
                    commit::write(connection, transaction)?;
                }
                Ok(())
            };
            let connection = self.database.connection();
            let failure = match connection.and_then(|mut it| it.in_transaction(commit::BEGIN, work))
            {
                Ok(()) => break,
                Err(failure) => failure,
            };
            if failure.cure() == RetryAction::None || !tries.wait() {
                return Err(failure.into_fault("cannot commit to", &self.database.address));
            }
        }
        *commits += 1;
        Ok(())
    }

    /// Counts a commit; whether it is still to be made.
    fn count(&self, connection: &mut Connection, commit: BigInt) -> Result<bool, DatabaseError> {
        let sql = "UPDATE workers SET until = now() + $2::float8 * interval '1 second', commits = $3::bigint \
                   WHERE number = $1 AND who = $4 AND commits = $3::bigint - 1";
        let lease = self.lease.as_secs_f64();
        if connection.change(sql, &[&self.number, &lease, &commit, &self.who])? == 1 {
            return Ok(true);
        }
        let sql = "SELECT commits FROM workers WHERE number = $1 AND who = $2";
        let rows = connection.rows(sql, &[&self.number, &self.who])?;
        match rows.first().map(|row| row.get::<_, BigInt>(0)) {
            Some(last) if last == commit => Ok(false),
            _ => Err(DatabaseError::Conflict(FENCED)),
        }
    }

    /// Gives back what it has claimed. Mails that are blamed may have killed it.
    pub(super) fn give_back(
        &self,
        connection: &mut Connection,
        blamed: bool,
    ) -> Result<(), DatabaseError> {
        release(connection, &[self.number], blamed)
    }
}

impl DatabaseWorker {
    /// Ends its work. A mail that it has claimed may still have killed it.
    pub(super) fn end(&self) {
        // If that fails its lease ends by itself.
        let end = |connection: &mut Connection| {
            let sql = "DELETE FROM workers WHERE number = $1 AND who = $2";
            match connection.change(sql, &[&self.number, &self.who])? {
                // It was swept away, and what has its number belongs to another one.
                0 => Ok(()),
                _ => release(connection, &[self.number], true),
            }
        };
        let connection = self.database.connection();
        let _ = connection.and_then(|mut connection| connection.in_transaction("BEGIN", end));
    }
}

/// Sweeps away workers whose leases are over.
pub(super) fn sweep(connection: &mut Connection) -> Result<(), DatabaseError> {
    let sql = "DELETE FROM workers WHERE number IN (SELECT number FROM workers \
               WHERE until < now() FOR UPDATE SKIP LOCKED) RETURNING number";
    let rows = connection.rows(sql, &[])?;
    let gone: Vec<BigInt> = rows.iter().map(|row| row.get(0)).collect();
    if gone.is_empty() { Ok(()) } else { release(connection, &gone, true) }
}

/// Frees the claims of these workers. Blamed mails are executed one by one from then on, so that
/// one that kills is told from the others.
fn release(
    connection: &mut Connection,
    workers: &[BigInt],
    blamed: bool,
) -> Result<(), DatabaseError> {
    let least = i32::from(blamed);
    let sql = "UPDATE mails SET worker = NULL, begun = greatest(begun, $2) WHERE worker = ANY($1)";
    connection.change(sql, &[&workers, &least])?;
    connection.change("UPDATE letters SET worker = NULL WHERE worker = ANY($1)", &[&workers])?;
    Ok(())
}

/// The name of this machine, for people.
fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
