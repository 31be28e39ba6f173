//! The tables, made and changed by numbered files that are never changed themselves.

use super::error::DatabaseError;
use super::pool::{Connection, Database};
use crate::store::Fault;
use std::io;

mod files {
    refinery::embed_migrations!("src/store/postgres/migrations");
}

const DOING: &str = "cannot make a home in";
/// The last of those files.
const LAST: i32 = 2;
/// So that two that make a home at the same time do so one after the other: any number, always this.
const TURN: &str = "SELECT pg_advisory_lock(7267653)";

/// Makes all tables, or brings them up to date; and the key of the home, if it has none. Returns
/// whether it had none.
pub(super) fn init(database: &Database, key: &[u8; 32]) -> Result<bool, Fault> {
    tables(database)?;
    database.as_one(DOING, |connection| {
        // A home on its way gets no key of its own.
        look(connection)?;
        let sql = "INSERT INTO keys (number, key) SELECT 0, $1::bytea \
                   WHERE NOT EXISTS (SELECT FROM keys WHERE number = 0)";
        Ok(connection.change(sql, &[&&key[..]])? == 1)
    })
}

/// Makes all tables, or brings them up to date.
pub(super) fn tables(database: &Database) -> Result<(), Fault> {
    let failed = |failure: DatabaseError| failure.into_fault(DOING, &database.address);
    // It is closed at the end, and with it its turn is over.
    let mut client = database.address.connect().map_err(failed)?;
    client.batch_execute(TURN).map_err(|error| failed(error.into()))?;
    // A database without tables has no list of them either.
    let sql = "SELECT to_regclass('refinery_schema_history') IS NOT NULL";
    let row = client.query_one(sql, &[]).map_err(|error| failed(error.into()))?;
    if row.get(0) {
        let sql = "SELECT max(version) FROM refinery_schema_history";
        let row = client.query_one(sql, &[]).map_err(|error| failed(error.into()))?;
        refuse_later(row.get(0)).map_err(failed)?;
    }
    files::migrations::runner().run(&mut client).map(drop).map_err(|error| {
        let place = database.address.place();
        Fault::because(DOING, place, io::ErrorKind::Other, &error.to_string())
    })
}

/// Refuses tables that a later program has made, of which the last has this number: this one would not
/// understand them, and might harm the home.
pub(super) fn refuse_later(last: Option<i32>) -> Result<(), DatabaseError> {
    match last {
        Some(last) if last > LAST => Err(DatabaseError::Refused(format!(
            "it was written by a later Postboard (tables {last}, and this one knows {LAST}): install that one"
        ))),
        _ => Ok(()),
    }
}

/// Refuses to look at what is no home any more, or not yet, or that of a later program.
pub(super) fn look(connection: &mut Connection) -> Result<(), DatabaseError> {
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
        _ => format!("a home is being moved into it from {place}, and is not whole yet"),
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
