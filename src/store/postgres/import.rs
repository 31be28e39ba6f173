//! Importing a home into a database. Until it is complete nobody else works at it. The position of
//! the copy is written together with what is copied.

use super::error::DatabaseError;
use super::names::{BigInt, folder};
use super::pool::{BEGIN_UNSYNCED, Connection, Database};
use super::spool::NewMail;
use super::{PostgresHome, SharedStrandsFn, schema, spool};
use crate::mail::Address;
use crate::store::quarantine::is_theirs;
use crate::store::transfer::{CopyPosition, CopyTarget, HomePart, Item};
use crate::store::{Backoff, Fault};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Takes the lock that keeps two processes from importing into a database at the same time; the number
/// is arbitrary.
const LOCK: &str = "SELECT pg_try_advisory_lock(7267654)";
const WRITING: &str = "cannot move a home into";

/// The tables of a home, without that of moves.
const TABLES: &str = "documents, receipts, sent, looks, registers, keys, workers, mails, strands, \
                   aside, letters, markers, runs";

/// A home being imported.
pub(in crate::store) struct PostgresTarget {
    database: Database,
    /// Holds the lock: while it is open nobody else imports.
    connection: Mutex<Connection>,
    token: String,
    strands: SharedStrandsFn,
}

impl PostgresHome {
    /// Begins to import into a database without a home, or continues. With `is_anew` the rest of an
    /// interrupted import of this token is removed first.
    pub(in crate::store) fn begin_import(
        &self,
        token: &str,
        place: &str,
        is_anew: bool,
    ) -> Result<PostgresTarget, Fault> {
        let database = self.connect()?.database;
        schema::migrate(&database)?;
        let begun = Connection::to(&database.address).and_then(|mut connection| {
            claim(&mut connection, token, place, is_anew)?;
            // Batches may take long, and nobody else works here yet.
            connection.client.batch_execute("SET statement_timeout = 0")?;
            Ok(connection)
        });
        let connection = begun.map_err(|failure| failure.into_fault(WRITING, &database.address))?;
        let strands = Arc::clone(&self.strands);
        Ok(PostgresTarget {
            database,
            connection: Mutex::new(connection),
            token: token.to_owned(),
            strands,
        })
    }

    /// Returns whether the import of a move is complete.
    pub(in crate::store) fn is_imported(&self, token: &str) -> Result<bool, Fault> {
        let sql = "SELECT EXISTS (SELECT FROM keys WHERE number = 0), \
                   EXISTS (SELECT FROM moves WHERE token = $1)";
        let rows = self.database()?.with_retries("cannot read", |it| it.rows(sql, &[&token]))?;
        Ok(rows[0].get::<_, bool>(0) && !rows[0].get::<_, bool>(1))
    }

    /// Removes what an interrupted import has written.
    pub(in crate::store) fn cancel_import(&self, token: &str) -> Result<(), Fault> {
        let database = self.database()?;
        database.in_transaction("cannot change", |connection| {
            let sql = "SELECT FROM moves WHERE token = $1 AND state = 'coming' FOR UPDATE";
            if !connection.rows(sql, &[&token])?.is_empty() {
                remove_home(connection)?;
            }
            Ok(())
        })
    }
}

impl PostgresTarget {
    /// Makes everything imported so far durable.
    pub(in crate::store) fn seal(&self) -> Result<(), Fault> {
        // A synced commit syncs everything that was written before.
        self.work("BEGIN", |connection| {
            let sql = "UPDATE moves SET position = position WHERE token = $1";
            connection.change(sql, &[&self.token]).map(drop)
        })
    }

    /// Completes the import: from now on this is a home.
    pub(in crate::store) fn finish(&self) -> Result<(), Fault> {
        self.work("BEGIN", |connection| {
            connection.change("DELETE FROM moves WHERE token = $1", &[&self.token]).map(drop)
        })?;
        // The planner has no statistics of new tables. Without them it is a home all the same, and the database makes them
        // by itself later.
        let _ = self.work("BEGIN", |connection| Ok(connection.client.batch_execute("ANALYZE")?));
        Ok(())
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work<T>(
        &self,
        begin: &str,
        work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        let done = self.connection().in_transaction(begin, work);
        done.map_err(|failure| failure.into_fault(WRITING, &self.database.address))
    }
}

/// Removes everything that belongs to a home.
fn remove_home(connection: &mut Connection) -> Result<(), DatabaseError> {
    connection.client.batch_execute(&format!("TRUNCATE {TABLES}"))?;
    connection.change("DELETE FROM moves", &[]).map(drop)
}

/// Takes the lock of the import, and notes the move in an empty database or finds its note there.
fn claim(
    connection: &mut Connection,
    token: &str,
    place: &str,
    is_anew: bool,
) -> Result<(), DatabaseError> {
    // The database may not have noticed yet that a process was killed.
    let mut tries = Backoff::new();
    while !connection.rows(LOCK, &[])?[0].get::<_, bool>(0) {
        if !tries.wait() {
            return Err(DatabaseError::Refused("another process is importing a home".into()));
        }
    }
    connection.in_transaction("BEGIN", |connection| {
        // Forget imports of others that have not copied anything yet.
        let sql = "DELETE FROM moves WHERE state = 'coming' AND position = '' AND token <> $1";
        connection.change(sql, &[&token])?;
        let rows = connection.rows("SELECT token, state FROM moves FOR UPDATE", &[])?;
        match rows.first().map(|row| (row.get::<_, &str>(0), row.get::<_, &str>(1))) {
            Some((known, "coming")) if known == token && !is_anew => return Ok(()),
            Some((known, "coming")) if known == token => remove_home(connection)?,
            Some((_, "coming")) => {
                let why = "it contains a part of another home; remove it with `move-home --cancel`, or \
                           name an empty database";
                return Err(DatabaseError::Refused(why.into()));
            }
            _ => {}
        }
        let sql = "SELECT EXISTS (SELECT FROM keys) OR EXISTS (SELECT FROM documents) \
                   OR EXISTS (SELECT FROM mails) OR EXISTS (SELECT FROM letters) \
                   OR EXISTS (SELECT FROM moves)";
        if connection.rows(sql, &[])?[0].get::<_, bool>(0) {
            let why = "there is a home already; name an empty database";
            return Err(DatabaseError::Refused(why.into()));
        }
        let sql = "INSERT INTO moves (token, state, place) VALUES ($1, 'coming', $2)";
        connection.change(sql, &[&token, &place]).map(drop)
    })
}

impl CopyTarget for PostgresTarget {
    fn position(&self) -> Result<CopyPosition, Fault> {
        self.work("BEGIN", |connection| {
            let sql = "SELECT position FROM moves WHERE token = $1";
            let rows = connection.rows(sql, &[&self.token])?;
            Ok(rows
                .first()
                .map_or_else(CopyPosition::default, |row| CopyPosition::parse(row.get(0))))
        })
    }

    fn take(
        &mut self,
        part: HomePart,
        items: &[Item],
        position: &CopyPosition,
    ) -> Result<(), Fault> {
        self.work(BEGIN_UNSYNCED, |connection| {
            match part {
                HomePart::Keys => insert_keys(connection, items)?,
                HomePart::Documents => insert_documents(connection, items)?,
                HomePart::Receipts => insert_receipts(connection, items)?,
                HomePart::Sent => insert_sent(connection, items)?,
                HomePart::Wakeups => insert_wakeups(connection, items)?,
                HomePart::Registers => insert_registers(connection, items)?,
                HomePart::Mails => insert_mails(connection, items, &self.strands)?,
                HomePart::Parked => insert_parked(connection, items)?,
                HomePart::Letters => insert_letters(connection, items)?,
            }
            let sql = "UPDATE moves SET position = $2 WHERE token = $1 AND state = 'coming'";
            match connection.change(sql, &[&self.token, &position.text()])? {
                1 => Ok(()),
                _ => Err(DatabaseError::Refused("another process has cancelled this move".into())),
            }
        })
    }
}

fn insert_keys(connection: &mut Connection, items: &[Item]) -> Result<(), DatabaseError> {
    for item in items {
        if let Item::Key { number, key } = item {
            let sql = "INSERT INTO keys (number, key) VALUES ($1, $2)";
            connection.change(sql, &[&BigInt::from(*number), &&key[..]])?;
        }
    }
    Ok(())
}

fn insert_documents(connection: &mut Connection, items: &[Item]) -> Result<(), DatabaseError> {
    let (mut names, mut folders) = (Vec::new(), Vec::new());
    let (mut texts, mut times) = (Vec::<&str>::new(), Vec::new());
    for item in items {
        if let Item::Document { name, text, changed } = item {
            if text.contains('\0') {
                let why = format!(
                    "{name} contains NUL, which the database cannot store; repair it first"
                );
                return Err(DatabaseError::Refused(why));
            }
            names.push(&**name);
            folders.push(folder(name));
            texts.push(text);
            times.push(changed.unix());
        }
    }
    let sql = "INSERT INTO documents (name, folder, version, text, changed) \
               SELECT name, folder, sha256(convert_to(text, 'UTF8')), text, to_timestamp(changed) \
               FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) \
               AS new (name, folder, text, changed)";
    connection.change(sql, &[&names, &folders, &texts, &times]).map(drop)
}

fn insert_receipts(connection: &mut Connection, items: &[Item]) -> Result<(), DatabaseError> {
    let (mut ids, mut contents, mut times) = (Vec::<&[u8]>::new(), Vec::<&[u8]>::new(), Vec::new());
    for item in items {
        if let Item::Receipt { id, content, at } = item {
            ids.push(id);
            contents.push(content);
            times.push(at.unix());
        }
    }
    let sql = "INSERT INTO receipts (id, content, at) \
               SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bigint[])";
    connection.change(sql, &[&ids, &contents, &times]).map(drop)
}

fn insert_sent(connection: &mut Connection, items: &[Item]) -> Result<(), DatabaseError> {
    let (mut mailboxes, mut days) = (Vec::<&[u8]>::new(), Vec::<&str>::new());
    let mut letters = Vec::<&[u8]>::new();
    for item in items {
        if let Item::Sent { mailbox, day, letter } = item {
            mailboxes.push(mailbox);
            days.push(day);
            letters.push(letter);
        }
    }
    let sql = "INSERT INTO sent (mailbox, day, letter) \
               SELECT * FROM unnest($1::bytea[], $2::text[], $3::bytea[])";
    connection.change(sql, &[&mailboxes, &days, &letters]).map(drop)
}

fn insert_wakeups(connection: &mut Connection, items: &[Item]) -> Result<(), DatabaseError> {
    let (mut games, mut numbers, mut times) = (Vec::<&str>::new(), Vec::new(), Vec::new());
    for item in items {
        if let Item::Wakeup { game, number, at } = item {
            games.push(game);
            numbers.push(BigInt::from(*number));
            times.push(at.unix());
        }
    }
    let sql = "INSERT INTO looks (game, number, at) \
               SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])";
    connection.change(sql, &[&games, &numbers, &times]).map(drop)
}

fn insert_registers(connection: &mut Connection, items: &[Item]) -> Result<(), DatabaseError> {
    let (mut registers, mut users) = (Vec::<&str>::new(), Vec::<&str>::new());
    for item in items {
        if let Item::Registered { register, user } = item {
            registers.push(register);
            users.push(user);
        }
    }
    let sql =
        "INSERT INTO registers (register, userid) SELECT * FROM unnest($1::text[], $2::text[])";
    connection.change(sql, &[&registers, &users]).map(drop)
}

/// Inserts mails one by one, so that they keep their order.
fn insert_mails(
    connection: &mut Connection,
    items: &[Item],
    strands: &SharedStrandsFn,
) -> Result<(), DatabaseError> {
    for item in items {
        let Item::Mail { name, mark, came, begun, bytes } = item else { continue };
        let mail = NewMail { bytes, mark: mark.as_deref(), origin: Some(name) };
        spool::put(connection, &mail, &strands(bytes))?;
        let begun = i32::try_from(*begun).unwrap_or(i32::MAX);
        let sql = "UPDATE mails SET came = to_timestamp($2::bigint), begun = $3 WHERE origin = $1";
        connection.change(sql, &[name, &came.unix(), &begun])?;
    }
    Ok(())
}

fn insert_parked(connection: &mut Connection, items: &[Item]) -> Result<(), DatabaseError> {
    for item in items {
        let Item::Parked { name, at, why, bytes } = item else { continue };
        let sql = "INSERT INTO aside (name, at, theirs, why, bytes) \
                   VALUES ($1, to_timestamp($2::bigint), $3, $4, $5)";
        connection.change(sql, &[name, &at.unix(), &is_theirs(name), &plain(why), bytes])?;
    }
    Ok(())
}

/// Replaces NUL, which the database keeps in no text.
fn plain(text: &str) -> String {
    text.replace('\0', " ")
}

fn insert_letters(connection: &mut Connection, items: &[Item]) -> Result<(), DatabaseError> {
    for item in items {
        let Item::Letter { letter, at, tries, not_before, why } = item else { continue };
        let tries = i32::try_from(*tries).unwrap_or(i32::MAX);
        let sender = letter.sender.as_ref().map(Address::as_str);
        let why = why.as_deref().map(plain);
        let sql = "INSERT INTO letters \
                   (name, sender, recipient, thread, bytes, at, tries, not_before, why, gone_aside) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, \
                           CASE WHEN $9::text IS NULL THEN NULL ELSE to_timestamp($6::bigint) END)";
        connection.change(
            sql,
            &[
                &letter.name,
                &sender,
                &letter.to.as_str(),
                &letter.thread,
                &letter.bytes,
                &at.unix(),
                &tries,
                &not_before.unix(),
                &why,
            ],
        )?;
    }
    Ok(())
}
