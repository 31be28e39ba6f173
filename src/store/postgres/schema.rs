//! The tables, made and changed by numbered files that are never changed themselves.

use super::failure::Failure;
use super::pool::Database;
use crate::store::Fault;
use std::io;

mod files {
    refinery::embed_migrations!("src/store/postgres/migrations");
}

/// So that two that make a home at the same time do so one after the other: any number, always this.
const TURN: &str = "SELECT pg_advisory_lock(7267653)";

/// Makes all tables, or brings them up to date; and the key of the home, if it has none. Returns
/// whether it had none.
pub(super) fn init(database: &Database, key: &[u8; 32]) -> Result<bool, Fault> {
    let failed = |failure: Failure| failure.told("cannot make a home in", &database.address);
    // It is closed at the end, and with it its turn is over.
    let mut client = database.address.connect().map_err(failed)?;
    client.batch_execute(TURN).map_err(|error| failed(error.into()))?;
    files::migrations::runner().run(&mut client).map_err(|error| {
        let why = error.to_string();
        let place = database.address.place();
        Fault::because("cannot make a home in", place, io::ErrorKind::Other, &why)
    })?;
    let sql = "INSERT INTO keys (number, key) VALUES (0, $1) ON CONFLICT DO NOTHING";
    let made = client.execute(sql, &[&&key[..]]).map_err(|error| failed(error.into()))?;
    Ok(made == 1)
}
