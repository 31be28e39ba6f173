//! The letters that wait to go out: any number of workers send them, each one of them by one.

use super::error::DatabaseError;
use super::names::BigInt;
use super::pool::{Connection, Database};
use super::worker::{DatabaseWorker, sweep};
use crate::base::time::Time;
use crate::mail::Address;
use crate::store::letter::{DeliveryError, LetterClaim, OutboxReport};
use crate::store::outbox::letter_file::pause;
use crate::store::{Fault, Letter, Letters};
use ::postgres::Row;
use std::time::Duration;

/// So many are claimed at a time.
const CLAIMED: BigInt = 64;

/// The letters, for a process that sends them.
#[derive(Debug)]
pub(super) struct PostgresLetters {
    database: Database,
    lease: Duration,
    /// The worker that has claimed some; none before that, and when there are no more.
    worker: Option<DatabaseWorker>,
    report: OutboxReport,
}

/// A letter from its row; none where an address is wrong.
pub(super) fn letter(row: &Row) -> Option<Letter> {
    let sender = match row.get::<_, Option<&str>>("sender") {
        Some(sender) => Some(Address::parse(sender)?),
        None => None,
    };
    Some(Letter {
        name: row.get("name"),
        sender,
        to: Address::parse(row.get("recipient"))?,
        thread: row.get("thread"),
        bytes: row.get("bytes"),
    })
}

impl PostgresLetters {
    pub(super) fn new(database: Database, lease: Duration) -> Self {
        Self { database, lease, worker: None, report: OutboxReport::default() }
    }

    fn end(&mut self) {
        if let Some(worker) = self.worker.take() {
            worker.end();
        }
    }

    /// Does something in the name of the worker.
    fn change<T>(
        &self,
        mut work: impl FnMut(&mut Connection, BigInt) -> Result<T, DatabaseError>,
    ) -> Result<Option<T>, Fault> {
        let Some(worker) = &self.worker else { return Ok(None) };
        let done = self.database.loosely("cannot change letters of", |connection| {
            worker.stay(connection)?;
            work(connection, worker.number)
        });
        match done {
            Ok(done) => Ok(Some(done)),
            // After its lease others send them.
            Err(fault) if fault.is_conflict() => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// A claimed letter, while the lease holds, and how many older ones about its board it replaces.
    fn taken(&self, number: BigInt) -> Result<Option<(Row, u64)>, Fault> {
        let taken = self.change(|connection, me| {
            let sql = "SELECT name, sender, recipient, thread, bytes, at, tries, not_before \
                       FROM letters WHERE number = $1 AND worker = $2";
            let Some(row) = connection.rows(sql, &[&number, &me])?.pop() else { return Ok(None) };
            let sql = "DELETE FROM letters USING letters this WHERE this.number = $1 \
                       AND letters.recipient = this.recipient AND letters.thread = this.thread \
                       AND letters.tries > 0 AND letters.at < this.at AND letters.why IS NULL \
                       AND (letters.worker IS NULL OR letters.worker = $2)";
            let replaced = connection.change(sql, &[&number, &me])?;
            Ok(Some((row, replaced)))
        })?;
        Ok(taken.flatten())
    }

    fn sent(&self, number: BigInt) -> Result<(), Fault> {
        let sql = "DELETE FROM letters WHERE number = $1 AND worker = $2";
        self.change(|connection, me| connection.change(sql, &[&number, &me])).map(drop)
    }

    fn give_up(&self, number: BigInt, why: &str) -> Result<(), Fault> {
        let why = why.replace(char::is_control, " ");
        let sql = "UPDATE letters SET worker = NULL, why = $3, gone_aside = now() \
                   WHERE number = $1 AND worker = $2";
        self.change(|connection, me| connection.change(sql, &[&number, &me, &why])).map(drop)
    }

    fn put_back(&self, number: BigInt, tries: i32, now: Time) -> Result<(), Fault> {
        let not_before = now + pause(tries.unsigned_abs());
        let sql = "UPDATE letters SET worker = NULL, tries = $3, not_before = $4 \
                   WHERE number = $1 AND worker = $2";
        let (tries, not_before) = (tries + 1, not_before.unix());
        self.change(|connection, me| connection.change(sql, &[&number, &me, &tries, &not_before]))
            .map(drop)
    }
}

impl Drop for PostgresLetters {
    fn drop(&mut self) {
        self.end();
    }
}

impl Letters for PostgresLetters {
    fn claim(&mut self, now: Time) -> Result<Vec<LetterClaim>, Fault> {
        if self.worker.is_none() {
            self.worker = Some(DatabaseWorker::begin(&self.database, self.lease)?);
        }
        let claimed = self.change(|connection, me| {
            sweep(connection)?;
            let sql = "UPDATE letters SET worker = $1 WHERE number IN (SELECT number FROM letters \
                       WHERE worker IS NULL AND why IS NULL AND not_before <= $2 \
                       ORDER BY tries, not_before, number LIMIT $3 FOR UPDATE SKIP LOCKED) \
                       RETURNING tries, not_before, number";
            let rows = connection.rows(sql, &[&me, &now.unix(), &CLAIMED])?;
            let order = |row: &Row| {
                (row.get::<_, i32>(0), row.get::<_, BigInt>(1), row.get::<_, BigInt>(2))
            };
            let mut claimed: Vec<_> = rows.iter().map(order).collect();
            claimed.sort_unstable();
            Ok(claimed)
        })?;
        let claimed = claimed.unwrap_or_default();
        if claimed.is_empty() {
            self.end();
        }
        Ok(claimed.into_iter().map(|(.., number)| LetterClaim(number.to_string())).collect())
    }

    fn deliver(
        &mut self,
        claimed: &LetterClaim,
        now: Time,
        send: &mut dyn FnMut(&Letter) -> Result<(), DeliveryError>,
    ) -> Result<(), Fault> {
        let number: BigInt = claimed.0.parse().unwrap_or(0);
        let Some((row, replaced)) = self.taken(number)? else { return Ok(()) };
        self.report.replaced += usize::try_from(replaced).unwrap_or(usize::MAX);
        let Some(letter) = letter(&row) else {
            self.report.failed += 1;
            return self.give_up(number, "its address is none");
        };
        match send(&letter) {
            Ok(()) => {
                self.report.sent += 1;
                self.sent(number)
            }
            Err(DeliveryError { permanent: true, why, .. }) => {
                self.report.failed += 1;
                self.give_up(number, &why)
            }
            Err(_) => {
                self.report.kept += 1;
                self.put_back(number, row.get("tries"), now)
            }
        }
    }

    fn report(&self) -> OutboxReport {
        self.report
    }
}
