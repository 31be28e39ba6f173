//! The tables, created and upgraded by numbered migrations, which are never changed.

use super::error::DatabaseError;
use super::pool::{Connection, Database};
use crate::store::Fault;
use std::error::Error;
use std::io;

mod files {
    refinery::embed_migrations!("src/store/postgres/migrations");
}

const DOING: &str = "cannot make a home in";
/// The number of the last migration.
const LAST: i32 = 2;
/// Lets two processes that create a home do so one after the other; the number is arbitrary.
const LOCK: &str = "SELECT pg_advisory_lock(7267653)";

/// Creates or upgrades all tables, and sets the key of the home if it has none. Returns whether it
/// had none.
pub(super) fn init(database: &Database, key: &[u8; 32]) -> Result<bool, Fault> {
    migrate(database)?;
    database.in_transaction(DOING, |connection| {
        // A home that is being imported brings its own key.
        check(connection)?;
        let sql = "INSERT INTO keys (number, key) SELECT 0, $1::bytea \
                   WHERE NOT EXISTS (SELECT FROM keys WHERE number = 0)";
        Ok(connection.change(sql, &[&&key[..]])? == 1)
    })
}

/// Creates or upgrades all tables.
pub(super) fn migrate(database: &Database) -> Result<(), Fault> {
    let failed = |failure: DatabaseError| failure.into_fault(DOING, &database.address);
    // Closing the connection releases the lock.
    let mut client = database.address.connect().map_err(failed)?;
    client.batch_execute(LOCK).map_err(|error| failed(error.into()))?;
    // An empty database has no list of migrations either.
    let sql = "SELECT to_regclass('refinery_schema_history') IS NOT NULL";
    let row = client.query_one(sql, &[]).map_err(|error| failed(error.into()))?;
    if row.get(0) {
        let sql = "SELECT max(version) FROM refinery_schema_history";
        let row = client.query_one(sql, &[]).map_err(|error| failed(error.into()))?;
        refuse_later(row.get(0)).map_err(failed)?;
    }
    // In one transaction: a process that is killed leaves all of the tables or none.
    let runner = files::migrations::runner().set_grouped(true);
    runner.run(&mut client).map(drop).map_err(|error| {
        let why = first_cause(&error).to_string();
        Fault::because(DOING, &database.address, io::ErrorKind::Other, &why)
    })
}

/// Returns the error at the end of the chain of sources: what the database said.
fn first_cause(error: &dyn Error) -> &dyn Error {
    error.source().map_or(error, first_cause)
}

/// Refuses tables that a later program has migrated to the version `last`, because this one could
/// harm the home.
pub(super) fn refuse_later(last: Option<i32>) -> Result<(), DatabaseError> {
    match last {
        Some(last) if last > LAST => Err(DatabaseError::Refused(format!(
            "it was written by a later version (tables {last}, and this one knows {LAST}): install that one"
        ))),
        _ => Ok(()),
    }
}

/// Refuses a home that was moved, is being imported, or was written by a later program.
pub(super) fn check(connection: &mut Connection) -> Result<(), DatabaseError> {
    let sql = "SELECT last, state, place FROM \
               (SELECT max(version) AS last FROM refinery_schema_history) AS tables \
               LEFT JOIN moves ON state <> 'going'";
    let rows = connection.rows(sql, &[])?;
    let Some(row) = rows.first() else { return Ok(()) };
    refuse_later(row.get(0))?;
    let (Some(state), Some(place)) = (row.get::<_, Option<&str>>(1), row.get::<_, Option<&str>>(2))
    else {
        return Ok(());
    };
    Err(DatabaseError::Refused(match state {
        "gone" => format!("this home was moved to {place}"),
        _ => format!("a home is being moved into it from {place}, and is not complete yet"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tables_are_known() {
        let runner = files::migrations::runner();
        let last = runner.get_migrations().iter().map(refinery::Migration::version).max();
        assert_eq!(last, Some(LAST));
    }
}
