//! Workers: processes that have the home open, each with a lease and a number that fences it off.
//!
//! Everything that a worker has claimed carries its number. When its lease expires, any other
//! worker removes it and frees its claims. From then on it commits nothing, however late it wakes
//! up, because each commit begins with the row of its worker.

use super::board_numbers::BoardNumbers;
use super::error::DatabaseError;
use super::names::BigInt;
use super::pool::{Connection, Database};
use super::{commit, schema};
use crate::store::{Fault, Transaction};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A process that works at a home.
#[derive(Debug)]
pub(super) struct DatabaseWorker {
    pub(super) database: Database,
    lease: Duration,
    /// The fencing number.
    pub(super) number: BigInt,
    /// A text in its row that no other row has: a database that crashed may forget a worker and give
    /// its number to another.
    who: String,
    /// The number of its commits.
    commits: Mutex<BigInt>,
    /// The numbers of new boards that it has reserved.
    pub(super) numbers: BoardNumbers,
}

/// The conflict of a worker whose lease has expired.
const FENCED: &str = "the lease of this worker has expired, and others have taken over its work";

impl DatabaseWorker {
    /// Inserts a worker.
    pub(super) fn start(database: &Database, lease: Duration) -> Result<Self, Fault> {
        let who = format!("{} {}", machine(), std::process::id());
        let (number, who) = database.in_unsynced_transaction("cannot open", |connection| {
            schema::check(connection)?;
            remove_expired(connection)?;
            let sql = "INSERT INTO workers (until, who) \
                       VALUES (now() + $1::float8 * interval '1 second', $2 || ' ' || gen_random_uuid()) \
                       RETURNING number, who";
            let rows = connection.rows(sql, &[&lease.as_secs_f64(), &who])?;
            Ok((rows[0].get(0), rows[0].get(1)))
        })?;
        let (database, commits) = (database.clone(), Mutex::new(0));
        Ok(Self { database, lease, number, who, commits, numbers: BoardNumbers::default() })
    }

    /// Renews the lease, within a transaction that acts for the worker.
    pub(super) fn renew(&self, connection: &mut Connection) -> Result<(), DatabaseError> {
        let sql = "UPDATE workers SET until = now() + $2::float8 * interval '1 second' \
                   WHERE number = $1 AND who = $3";
        match connection.change(sql, &[&self.number, &self.lease.as_secs_f64(), &self.who])? {
            0 => Err(DatabaseError::Conflict(FENCED)),
            _ => Ok(()),
        }
    }

    /// Commits a transaction. If the connection is lost meanwhile, the number of commits in the row
    /// shows whether it succeeded.
    pub(super) fn commit(&self, transaction: &Transaction) -> Result<(), Fault> {
        self.numbers.note_tried(transaction);
        let committed = self.write(transaction);
        // After a fault that is no conflict, the commit may have succeeded.
        if !committed.as_ref().is_err_and(Fault::is_conflict) {
            self.numbers.remove(transaction);
        }
        committed
    }

    fn write(&self, transaction: &Transaction) -> Result<(), Fault> {
        let mut commits = self.commits.lock().unwrap_or_else(PoisonError::into_inner);
        let number = *commits + 1;
        self.database.with_retries("cannot commit to", |connection| {
            commit::raise_counts(connection, transaction)?;
            connection.in_transaction(commit::BEGIN, |connection| {
                if self.count_commit(connection, number)? {
                    commit::write(connection, transaction)?;
                }
                Ok(())
            })
        })?;
        *commits = number;
        Ok(())
    }

    /// Counts a commit in the row; returns whether it is still to be written.
    fn count_commit(
        &self,
        connection: &mut Connection,
        commit: BigInt,
    ) -> Result<bool, DatabaseError> {
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

    /// Frees its claims. No mail is blamed.
    pub(super) fn release_claims(&self, connection: &mut Connection) -> Result<(), DatabaseError> {
        release(connection, &[self.number], false)
    }

    /// Ends the worker, and gives back the numbers of boards that it has not used. A mail that it has
    /// claimed may still have killed it, so it is blamed.
    pub(super) fn end(&self) {
        let end = |connection: &mut Connection| {
            let sql = "DELETE FROM workers WHERE number = $1 AND who = $2";
            match connection.change(sql, &[&self.number, &self.who])? {
                // Another worker has removed it, and its number may belong to another one now.
                0 => Ok(()),
                _ => release(connection, &[self.number], true),
            }
        };
        let give_back = |connection: &mut Connection| self.numbers.give_back(connection);
        // If the first fails the lease expires; if the second does, some numbers get no boards.
        let _ = self.database.connection().and_then(|mut connection| {
            connection.in_transaction("BEGIN", end)?;
            connection.in_transaction("BEGIN", give_back)
        });
    }
}

/// Removes workers whose leases have expired.
pub(super) fn remove_expired(connection: &mut Connection) -> Result<(), DatabaseError> {
    let sql = "DELETE FROM workers WHERE number IN (SELECT number FROM workers \
               WHERE until < now() FOR UPDATE SKIP LOCKED) RETURNING number";
    let rows = connection.rows(sql, &[])?;
    let expired: Vec<BigInt> = rows.iter().map(|row| row.get(0)).collect();
    if expired.is_empty() { Ok(()) } else { release(connection, &expired, true) }
}

/// Frees the claims of workers. Blamed mails, which may have killed their worker, are executed one by
/// one from then on, so that the one that kills is found.
fn release(
    connection: &mut Connection,
    workers: &[BigInt],
    is_blamed: bool,
) -> Result<(), DatabaseError> {
    let tries = i32::from(is_blamed);
    let sql = "UPDATE mails SET worker = NULL, begun = greatest(begun, $2) WHERE worker = ANY($1)";
    connection.change(sql, &[&workers, &tries])?;
    connection.change("UPDATE letters SET worker = NULL WHERE worker = ANY($1)", &[&workers])?;
    Ok(())
}

/// Returns the name of this machine.
fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
