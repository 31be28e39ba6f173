//! The waiting letters: any number of workers send them, each letter by one worker.

use super::error::DatabaseError;
use super::names::BigInt;
use super::pool::{Connection, Database};
use super::worker::{DatabaseWorker, remove_expired};
use crate::base::time::Time;
use crate::mail::Address;
use crate::store::letter::{DeliveryError, FailureScope, LetterClaim, NotSent, OutboxReport};
use crate::store::outbox::letter_file::pause;
use crate::store::{Fault, Letter, Outbox};
use ::postgres::Row;
use std::time::Duration;

/// The most letters claimed at a time.
const MAX_CLAIMED: BigInt = 64;

const CHANGING: &str = "cannot change letters of";

/// The outbox, for a process that sends.
#[derive(Debug)]
pub(super) struct PostgresOutbox {
    database: Database,
    lease: Duration,
    /// The worker that claims letters, from the first claim until there are no more.
    worker: Option<DatabaseWorker>,
    report: OutboxReport,
}

/// A letter that this worker has claimed.
struct ClaimedLetter {
    row: Row,
    /// The number of older letters that it replaced.
    replaced: u64,
}

/// Reads a letter from its row; `None` if an address is invalid.
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

impl PostgresOutbox {
    pub(super) fn new(database: Database, lease: Duration) -> Self {
        Self { database, lease, worker: None, report: OutboxReport::default() }
    }

    fn end(&mut self) {
        if let Some(worker) = self.worker.take() {
            worker.end();
        }
    }

    /// Runs `work` for the worker; `None` if its lease has expired.
    fn change<T>(
        &self,
        mut work: impl FnMut(&mut Connection, BigInt) -> Result<T, DatabaseError>,
    ) -> Result<Option<T>, Fault> {
        let Some(worker) = &self.worker else { return Ok(None) };
        let done = self.database.in_unsynced_transaction(CHANGING, |connection| {
            worker.renew(connection)?;
            work(connection, worker.number)
        });
        match done {
            Ok(done) => Ok(Some(done)),
            // After its lease others send the letters.
            Err(fault) if fault.is_conflict() => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Returns a claimed letter, and removes older ones about its board that failed. `None` if the
    /// claim or the lease is over.
    fn take(&self, number: BigInt) -> Result<Option<ClaimedLetter>, Fault> {
        let taken = self.change(|connection, me| {
            let sql = "SELECT name, sender, recipient, thread, bytes, at, tries, not_before \
                       FROM letters WHERE number = $1 AND worker = $2";
            let Some(row) = connection.rows(sql, &[&number, &me])?.pop() else { return Ok(None) };
            let sql = "DELETE FROM letters USING letters this WHERE this.number = $1 \
                       AND letters.recipient = this.recipient AND letters.thread = this.thread \
                       AND letters.tries > 0 AND letters.at < this.at AND letters.why IS NULL \
                       AND (letters.worker IS NULL OR letters.worker = $2)";
            let replaced = connection.change(sql, &[&number, &me])?;
            Ok(Some(ClaimedLetter { row, replaced }))
        })?;
        Ok(taken.flatten())
    }

    /// Deletes a letter that was sent, even if the lease has expired meanwhile: others would send it again.
    fn delete_sent(&self, number: BigInt, name: &str) -> Result<(), Fault> {
        let sql = "DELETE FROM letters WHERE number = $1 AND name = $2";
        self.database.in_unsynced_transaction(CHANGING, |connection| {
            connection.change(sql, &[&number, &name]).map(drop)
        })
    }

    fn give_up(&self, number: BigInt, why: &str) -> Result<(), Fault> {
        let why = why.replace(char::is_control, " ");
        let sql = "UPDATE letters SET worker = NULL, why = $3, gone_aside = now() \
                   WHERE number = $1 AND worker = $2";
        self.change(|connection, me| connection.change(sql, &[&number, &me, &why])).map(drop)
    }

    /// Keeps a claimed letter until a time.
    fn keep_until(&self, number: BigInt, tries: i32, not_before: Time) -> Result<(), Fault> {
        let sql = "UPDATE letters SET worker = NULL, tries = $3, not_before = $4 \
                   WHERE number = $1 AND worker = $2";
        let not_before = not_before.unix();
        self.change(|connection, me| connection.change(sql, &[&number, &me, &tries, &not_before]))
            .map(drop)
    }
}

impl Drop for PostgresOutbox {
    fn drop(&mut self) {
        self.end();
    }
}

impl Outbox for PostgresOutbox {
    fn claim(&mut self, now: Time) -> Result<Vec<LetterClaim>, Fault> {
        if self.worker.is_none() {
            self.worker = Some(DatabaseWorker::start(&self.database, self.lease)?);
        }
        let claimed = self.change(|connection, me| {
            remove_expired(connection)?;
            let sql = "UPDATE letters SET worker = $1 WHERE number IN (SELECT number FROM letters \
                       WHERE worker IS NULL AND why IS NULL AND not_before <= $2 \
                       ORDER BY tries, not_before, number LIMIT $3 FOR UPDATE SKIP LOCKED) \
                       RETURNING tries, not_before, number";
            let rows = connection.rows(sql, &[&me, &now.unix(), &MAX_CLAIMED])?;
            let order = |row: &Row| {
                (row.get::<_, i32>(0), row.get::<_, BigInt>(1), row.get::<_, BigInt>(2))
            };
            let mut claimed: Vec<_> = rows.iter().map(order).collect();
            claimed.sort_unstable();
            Ok(claimed)
        })?;
        // After a lost lease others have its letters, or will free them, and nothing announces that.
        self.report.may_have_more |= claimed.is_none();
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
        send: &mut dyn FnMut(&Letter) -> Result<(), NotSent>,
    ) -> Result<(), Fault> {
        let number: BigInt = claimed.0.parse().unwrap_or(0);
        let Some(ClaimedLetter { row, replaced }) = self.take(number)? else { return Ok(()) };
        self.report.replaced += usize::try_from(replaced).unwrap_or(usize::MAX);
        let Some(letter) = letter(&row) else {
            self.report.given_up += 1;
            return self.give_up(number, "its address is invalid");
        };
        match send(&letter) {
            Ok(()) => {
                self.report.sent += 1;
                self.delete_sent(number, &letter.name)
            }
            Err(NotSent::PutOff(until)) => {
                self.report.put_off += 1;
                self.keep_until(number, row.get("tries"), until)
            }
            Err(NotSent::Failed(DeliveryError { scope: FailureScope::Rejected, why })) => {
                self.report.given_up += 1;
                self.give_up(number, &why)
            }
            Err(NotSent::Failed(_)) => {
                self.report.deferred += 1;
                let tries: i32 = row.get("tries");
                self.keep_until(number, tries + 1, now + pause(tries.unsigned_abs()))
            }
        }
    }

    fn report(&self) -> OutboxReport {
        self.report
    }
}
