//! Commits: a transaction of the program is one transaction of the database.
//!
//! It is serializable, and begins by comparing: every document that is changed, or was only read,
//! must have the version that it had. So a decision is the same as if there were no other worker,
//! and of two conflicting workers the second does its work again. Reading takes no locks, and
//! nobody waits for a worker that computes.

use super::error::DatabaseError;
use super::names::{BigInt, folder};
use super::pool::{BEGIN_UNSYNCED, Connection};
use crate::base::digest::Digest;
use crate::base::time::{Day, Time};
use crate::mail::Address;
use crate::store::{DocumentChange, DocumentVersion, Key, MailKey, Transaction};
use std::collections::{BTreeMap, BTreeSet};

/// Begins a commit. Nobody waits long for a worker whose connection was lost.
pub(super) const BEGIN: &str = "BEGIN ISOLATION LEVEL SERIALIZABLE; \
    SET LOCAL idle_in_transaction_session_timeout = '5s'; SET LOCAL lock_timeout = '10s'";

/// Writes a transaction.
pub(super) fn write(
    connection: &mut Connection,
    transaction: &Transaction,
) -> Result<(), DatabaseError> {
    check_versions(connection, transaction)?;
    write_documents(connection, transaction)?;
    write_receipts(connection, transaction)?;
    write_sent(connection, transaction)?;
    write_indexes(connection, transaction)?;
    write_letters(connection, transaction)
}

/// Raises the counts of boards before the transaction, in transactions of their own: within it each of
/// two workers that begin boards of a game would conflict with the other. If the worker dies before it
/// commits, a count is too high, which only means a number without a board. The log of the database
/// keeps the order, so after a crash no count is too low.
pub(super) fn raise_counts(
    connection: &mut Connection,
    transaction: &Transaction,
) -> Result<(), DatabaseError> {
    let counts = transaction.changes.iter().filter(|change| change.key.is_board_count());
    for DocumentChange { key, was, text } in counts {
        // A board with a lower number leaves the count as it was.
        if *was == Some(Digest::of(text)) {
            continue;
        }
        let count = text.trim().parse::<u32>().map(BigInt::from);
        let count = count.map_err(|_| DatabaseError::Damage("a count of boards is no number"))?;
        let name = name_of(key)?;
        connection.in_transaction(BEGIN_UNSYNCED, |connection| {
            connection.limit_waits()?;
            let sql = "UPDATE documents SET text = $2, version = sha256(convert_to($2, 'UTF8')), \
                       changed = now() WHERE name = $1 AND \
                       CASE WHEN text ~ '^[0-9]{1,10}\\s*$' THEN text::bigint NOT BETWEEN $3 AND 4294967295 ELSE true END";
            connection.change(sql, &[&name, text, &count]).map(drop)
        })?;
    }
    Ok(())
}

/// Returns the name of a document that is written.
fn name_of(key: &Key) -> Result<String, DatabaseError> {
    key.file().ok_or(DatabaseError::Damage("a document has too long a name"))
}

/// Refuses a transaction if a document has another version than when it was read.
fn check_versions(
    connection: &mut Connection,
    transaction: &Transaction,
) -> Result<(), DatabaseError> {
    let changed = transaction.changes.iter().map(|change| (&change.key, &change.was));
    let read = transaction.reads.iter().map(|(key, version)| (key, version));
    // The first version counts: later transactions of a group have read the changes of earlier
    // ones.
    let mut was: BTreeMap<String, &DocumentVersion> = BTreeMap::new();
    // A count of boards only rises, and the numbers of new boards do not depend on it.
    let is_compared =
        |(key, version): &(&Key, &DocumentVersion)| !key.is_board_count() || version.is_none();
    for (key, version) in changed.chain(read).filter(is_compared) {
        // A document whose name is too long for a file does not exist.
        if let Some(name) = key.file() {
            was.entry(name).or_insert(version);
        }
    }
    let (names, versions): (Vec<_>, Vec<_>) =
        was.iter().map(|(name, version)| (&**name, version.as_ref().map(|it| &it[..]))).unzip();
    let sql = "SELECT was.name FROM unnest($1::text[], $2::bytea[]) AS was (name, version) \
               LEFT JOIN documents ON documents.name = was.name COLLATE \"C\" \
               WHERE documents.version IS DISTINCT FROM was.version LIMIT 1";
    match &connection.rows(sql, &[&names, &versions])?[..] {
        [] => Ok(()),
        _ => Err(DatabaseError::Conflict("a document has changed since it was read")),
    }
}

fn write_documents(
    connection: &mut Connection,
    transaction: &Transaction,
) -> Result<(), DatabaseError> {
    // In one order, so that two commits do not deadlock.
    let mut changes: BTreeMap<String, &str> = BTreeMap::new();
    for change in &transaction.changes {
        // A count that existed was raised before.
        if !change.key.is_board_count() || change.was.is_none() {
            changes.insert(name_of(&change.key)?, &change.text);
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    let folders: Vec<&str> = changes.keys().map(|name| folder(name)).collect();
    let (names, texts): (Vec<&str>, Vec<&str>) =
        changes.iter().map(|(name, text)| (&**name, *text)).unzip();
    let sql = "INSERT INTO documents (name, folder, version, text) \
               SELECT name, folder, sha256(convert_to(text, 'UTF8')), text \
               FROM unnest($1::text[], $2::text[], $3::text[]) AS new (name, folder, text) \
               ON CONFLICT (name) DO UPDATE \
               SET version = excluded.version, text = excluded.text, changed = now()";
    connection.change(sql, &[&names, &folders, &texts])?;
    Ok(())
}

/// Returns the time from which a receipt is not about to expire.
fn lasting_since(now: Time) -> Time {
    let first = format!("{}-01", now.month().before());
    Day::parse(&first).map_or(Time::EPOCH, Day::start)
}

fn write_receipts(
    connection: &mut Connection,
    transaction: &Transaction,
) -> Result<(), DatabaseError> {
    let executed = insert_receipts(connection, &transaction.receipts, transaction.at)?;
    if executed < unique(&transaction.receipts).len() as u64 {
        return Err(DatabaseError::Conflict("a mail was executed by another worker"));
    }
    insert_receipts(connection, &transaction.swapped_receipts, transaction.at)?;
    Ok(())
}

/// Inserts receipts that do not exist or would soon expire; returns their number.
fn insert_receipts(
    connection: &mut Connection,
    mails: &[MailKey],
    at: Time,
) -> Result<u64, DatabaseError> {
    let mails = unique(mails);
    if mails.is_empty() {
        return Ok(0);
    }
    let (ids, contents): (Vec<&[u8]>, Vec<&[u8]>) = mails.into_iter().unzip();
    let sql = "INSERT INTO receipts (id, content, at) \
               SELECT id, content, $3::bigint FROM unnest($1::bytea[], $2::bytea[]) AS new (id, content) \
               ON CONFLICT (id, content) DO UPDATE SET at = excluded.at WHERE receipts.at < $4";
    connection.change(sql, &[&ids, &contents, &at.unix(), &lasting_since(at).unix()])
}

fn unique(mails: &[MailKey]) -> BTreeSet<(&[u8], &[u8])> {
    mails.iter().map(|mail| (&mail.id[..], &mail.content[..])).collect()
}

fn write_sent(connection: &mut Connection, transaction: &Transaction) -> Result<(), DatabaseError> {
    if transaction.sent.is_empty() {
        return Ok(());
    }
    let sent: BTreeSet<_> = transaction.sent.iter().collect();
    let (mailboxes, letters): (Vec<&[u8]>, Vec<&[u8]>) =
        sent.iter().map(|it| (&it.mailbox[..], &it.letter[..])).unzip();
    let sql = "INSERT INTO sent (mailbox, day, letter) \
               SELECT mailbox, $3::text, letter FROM unnest($1::bytea[], $2::bytea[]) \
               AS new (mailbox, letter) ON CONFLICT DO NOTHING";
    connection.change(sql, &[&mailboxes, &letters, &transaction.at.day().to_string()])?;
    Ok(())
}

fn write_indexes(
    connection: &mut Connection,
    transaction: &Transaction,
) -> Result<(), DatabaseError> {
    let updates = &transaction.index_updates;
    let boards = updates.wakeups.iter().map(|(id, at)| ((id.game, BigInt::from(id.number)), *at));
    let scans = updates.scans.iter().map(|(game, at)| ((*game, 0), *at));
    // The last update counts.
    let wakeups: BTreeMap<(&str, BigInt), Time> = boards.chain(scans).collect();
    if !wakeups.is_empty() {
        let (games, numbers): (Vec<&str>, Vec<BigInt>) = wakeups.keys().copied().unzip();
        let times: Vec<BigInt> = wakeups.values().map(|at| at.unix()).collect();
        let sql = "INSERT INTO looks (game, number, at) \
                   SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) \
                   ON CONFLICT (game, number) DO UPDATE SET at = excluded.at";
        connection.change(sql, &[&games, &numbers, &times])?;
    }
    let entered: BTreeSet<(String, &str)> =
        updates.registered.iter().map(|(of, user)| (of.name(), &**user)).collect();
    if !entered.is_empty() {
        let (registers, users): (Vec<String>, Vec<&str>) = entered.into_iter().unzip();
        let sql = "INSERT INTO registers (register, userid) \
                   SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING";
        connection.change(sql, &[&registers, &users])?;
    }
    Ok(())
}

fn write_letters(
    connection: &mut Connection,
    transaction: &Transaction,
) -> Result<(), DatabaseError> {
    let letters = &transaction.letters;
    if letters.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = letters.iter().map(|it| &*it.name).collect();
    let senders: Vec<Option<&str>> =
        letters.iter().map(|it| it.sender.as_ref().map(Address::as_str)).collect();
    let recipients: Vec<&str> = letters.iter().map(|it| it.to.as_str()).collect();
    let threads: Vec<Option<&str>> = letters.iter().map(|it| it.thread.as_deref()).collect();
    let bytes: Vec<&[u8]> = letters.iter().map(|it| &*it.bytes).collect();
    let sql = "INSERT INTO letters (name, sender, recipient, thread, bytes, at) \
               SELECT name, sender, recipient, thread, bytes, $6::bigint \
               FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[]) \
               WITH ORDINALITY AS new (name, sender, recipient, thread, bytes, place) ORDER BY place";
    let at = transaction.at.unix();
    connection.change(sql, &[&names, &senders, &recipients, &threads, &bytes, &at])?;
    Ok(())
}
