//! What the operator asks and repairs: stuck mails and letters, runs of jobs, traffic, expiry.

use super::error::DatabaseError;
use super::names::BigInt;
use super::outbox::letter;
use super::pool::{Connection, Database};
use super::spool::{NewMail, put};
use crate::base::key::{DocumentKind, MAILBOXES};
use crate::base::time::{DAY, Day, Time};
use crate::store::activity::TrafficCounter;
use crate::store::letter::{Backlog, UnsentLetter};
use crate::store::receipt::receipt_months;
use crate::store::spool::Strands;
use crate::store::{
    Fault, JobRun, ParkedMail, QuarantineAges, Remedy, RemedyResult, StuckItem, Traffic,
};

const READING: &str = "cannot read";
const CHANGING: &str = "cannot change";

/// Counts the letters that wait for a time. Those that a sender has claimed are put off until it has sent them, or its
/// lease expires.
pub(super) fn backlog(database: &Database) -> Result<Backlog, Fault> {
    let sql = "SELECT count(*) FILTER (WHERE tries > 0), min(at) FILTER (WHERE tries > 0), \
               count(*) FILTER (WHERE tries = 0 AND (not_before > 0 OR worker IS NOT NULL)) \
               FROM letters WHERE why IS NULL";
    let rows = database.with_retries(READING, |it| it.rows(sql, &[]))?;
    let (count, oldest): (BigInt, Option<BigInt>) = (rows[0].get(0), rows[0].get(1));
    let number = |count: BigInt| usize::try_from(count).unwrap_or(usize::MAX);
    let (failed, put_off) = (number(count), number(rows[0].get(2)));
    Ok(Backlog { failed, oldest_failed: oldest.map(Time::from_unix), put_off })
}

/// Returns the letters that are not sent, the oldest first.
pub(super) fn unsent_letters(database: &Database) -> Result<Vec<UnsentLetter>, Fault> {
    let sql = "SELECT name, sender, recipient, thread, bytes, at, tries, not_before, \
               why IS NOT NULL AS is_given_up FROM letters ORDER BY at, name";
    let rows = database.with_retries(READING, |it| it.rows(sql, &[]))?;
    let unsent = |row: &::postgres::Row| {
        Some(UnsentLetter {
            letter: letter(row)?,
            written_at: Time::from_unix(row.get("at")),
            tries: row.get::<_, i32>("tries").unsigned_abs(),
            not_before: Time::from_unix(row.get("not_before")),
            is_given_up: row.get("is_given_up"),
        })
    };
    Ok(rows.iter().filter_map(unsent).collect())
}

/// Returns the parked mails, the oldest first.
pub(super) fn parked_mails(database: &Database) -> Result<Vec<ParkedMail>, Fault> {
    let sql = "SELECT name, extract(epoch FROM at)::bigint, length(bytes)::bigint, why \
               FROM aside ORDER BY at, name";
    let rows = database.with_retries(READING, |it| it.rows(sql, &[]))?;
    let parked = |row: &::postgres::Row| ParkedMail {
        name: row.get(0),
        at: Some(Time::from_unix(row.get(1))),
        bytes: row.get::<_, BigInt>(2).unsigned_abs(),
        why: row.get(3),
    };
    Ok(rows.iter().map(parked).collect())
}

/// Reads a parked mail; `None` if it no longer exists.
pub(super) fn parked_mail(database: &Database, name: &str) -> Result<Option<Vec<u8>>, Fault> {
    let sql = "SELECT bytes FROM aside WHERE name = $1";
    let rows = database.with_retries(READING, |it| it.rows(sql, &[&name]))?;
    Ok(rows.first().map(|row| row.get(0)))
}

/// Retries or deletes a stuck mail or letter.
pub(super) fn apply_remedy(
    database: &Database,
    stuck: StuckItem,
    remedy: Remedy,
    strands: &dyn Fn(&[u8]) -> Strands,
) -> Result<RemedyResult, Fault> {
    database.in_transaction(CHANGING, |connection| match stuck {
        StuckItem::Mail(name) => remedy_mail(connection, name, remedy, strands),
        StuckItem::Letter(name) => remedy_letter(connection, name, remedy),
    })
}

fn remedy_mail(
    connection: &mut Connection,
    name: &str,
    remedy: Remedy,
    strands: &dyn Fn(&[u8]) -> Strands,
) -> Result<RemedyResult, DatabaseError> {
    let rows = connection.rows("DELETE FROM aside WHERE name = $1 RETURNING bytes", &[&name])?;
    let Some(bytes) = rows.first().map(|row| row.get::<_, &[u8]>(0)) else {
        return Ok(RemedyResult::Gone);
    };
    if remedy == Remedy::Retry {
        // It comes behind the waiting mails.
        put(connection, &NewMail { bytes, mark: None, origin: None }, &strands(bytes))?;
    }
    Ok(RemedyResult::Done)
}

fn remedy_letter(
    connection: &mut Connection,
    name: &str,
    remedy: Remedy,
) -> Result<RemedyResult, DatabaseError> {
    let sql =
        "SELECT number, worker FROM letters WHERE name = $1 ORDER BY number LIMIT 1 FOR UPDATE";
    let rows = connection.rows(sql, &[&name])?;
    let Some(row) = rows.first() else { return Ok(RemedyResult::Gone) };
    let (number, worker): (BigInt, Option<BigInt>) = (row.get(0), row.get(1));
    if worker.is_some() {
        return Ok(RemedyResult::Busy);
    }
    let sql = match remedy {
        Remedy::Retry => {
            "UPDATE letters SET tries = 0, not_before = 0, why = NULL, gone_aside = NULL \
             WHERE number = $1"
        }
        Remedy::Drop => "DELETE FROM letters WHERE number = $1",
    };
    connection.change(sql, &[&number])?;
    Ok(RemedyResult::Done)
}

/// Records that a job ran.
pub(super) fn record_run(database: &Database, run: &JobRun) -> Result<(), Fault> {
    let text = serde_json::to_string(run).expect("text and numbers are JSON");
    let sql = "INSERT INTO runs (job, run) VALUES ($1, $2) \
               ON CONFLICT (job) DO UPDATE SET run = excluded.run";
    database.in_unsynced_transaction(CHANGING, |it| it.change(sql, &[&run.job, &text]).map(drop))
}

/// Returns the last run of each job, by job name. Skips unreadable ones.
pub(super) fn last_runs(database: &Database) -> Result<Vec<JobRun>, Fault> {
    let rows =
        database.with_retries(READING, |it| it.rows("SELECT run FROM runs ORDER BY job", &[]))?;
    Ok(rows.iter().filter_map(|row| serde_json::from_str(row.get(0)).ok()).collect())
}

/// Returns the number of mails and forms executed on each day.
pub(super) fn traffic(database: &Database) -> Result<Traffic, Fault> {
    let rows = database.with_retries(READING, |it| {
        it.rows("SELECT at, id = content, count(*) FROM receipts GROUP BY 1, 2", &[])
    })?;
    let mut counter = TrafficCounter::default();
    for row in rows {
        let (at, is_unnamed, count): (BigInt, bool, BigInt) = (row.get(0), row.get(1), row.get(2));
        let count = u64::try_from(count).unwrap_or(0);
        counter.add(Time::from_unix(at), is_unnamed, count);
    }
    Ok(counter.traffic())
}

/// Removes expired receipts, counts of mails sent and documents of mailboxes.
pub(super) fn expire(database: &Database, now: Time) -> Result<(), Fault> {
    let oldest = receipt_months(now)
        .last()
        .map_or(0, |month| Day::parse(&format!("{month}-01")).map_or(0, |day| day.start().unix()));
    let yesterday = (now - DAY).day().to_string();
    database.in_unsynced_transaction(CHANGING, |connection| {
        connection.change("DELETE FROM receipts WHERE at < $1", &[&oldest])?;
        connection.change("DELETE FROM sent WHERE day < $1", &[&yesterday])?;
        let sql = "DELETE FROM documents WHERE folder = $1 AND changed < now() - interval '8 days'";
        connection.change(sql, &[&DocumentKind::In(MAILBOXES).folder()]).map(drop)
    })
}

/// Removes quarantined mails and letters that are older than their ages; returns their number.
pub(super) fn expire_quarantine(
    database: &Database,
    now: Time,
    QuarantineAges { theirs, ours }: QuarantineAges,
) -> Result<usize, Fault> {
    // The function takes a double.
    #[expect(clippy::cast_precision_loss, reason = "times in seconds stay below 2^53")]
    let [theirs, ours] = [theirs, ours].map(|age| (now - age).unix() as f64);
    let removed = database.in_unsynced_transaction(CHANGING, |connection| {
        let sql = "DELETE FROM aside \
                   WHERE at < to_timestamp(CASE WHEN theirs THEN $1::float8 ELSE $2::float8 END)";
        let mails = connection.change(sql, &[&theirs, &ours])?;
        let sql = "DELETE FROM letters WHERE why IS NOT NULL AND gone_aside < to_timestamp($1)";
        Ok(mails + connection.change(sql, &[&theirs])?)
    })?;
    Ok(usize::try_from(removed).unwrap_or(usize::MAX))
}
