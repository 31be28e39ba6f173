//! A home that goes from a database to another place. From its first step on nobody changes it: the
//! engine itself refuses that, whichever program asks, and says where the home is.

use super::error::DatabaseError;
use super::names::BigInt;
use super::pool::{Connection, Database};
use super::worker::sweep;
use super::{HomeDatabase, PostgresHome};
use crate::store::Fault;
use std::thread;
use std::time::{Duration, Instant};

const DOING: &str = "cannot move a home out of";
/// How often it is looked whether workers have come to their end.
const GLANCE: Duration = Duration::from_millis(100);
/// How much longer than its lease a worker is waited for.
const SLACK: Duration = Duration::from_secs(10);

/// Tables that change.
const TABLES: [&str; 12] = [
    "workers",
    "documents",
    "receipts",
    "sent",
    "looks",
    "registers",
    "keys",
    "mails",
    "strands",
    "aside",
    "letters",
    "runs",
];

/// The answer to a change. The first letters of the code are of no class of the engine's own.
const ANSWER: &str = "CREATE OR REPLACE FUNCTION postboard_moves() RETURNS trigger LANGUAGE plpgsql AS $$ \
    DECLARE it moves%ROWTYPE; BEGIN SELECT * INTO it FROM moves; \
    IF it.state = 'gone' THEN \
      RAISE EXCEPTION USING MESSAGE = 'this home was moved to ' || it.place, ERRCODE = 'PB002'; \
    END IF; \
    RAISE EXCEPTION USING MESSAGE = 'this home is being moved to ' || it.place, ERRCODE = 'PB001'; \
    END $$";

/// Forbids all changes of a home, and waits until the workers at it have come to their end.
pub(super) fn freeze(home: &PostgresHome, (token, place): (&str, &str)) -> Result<(), Fault> {
    let HomeDatabase { database, lease } = home.at()?;
    database.as_one(DOING, |connection| {
        let sql = "INSERT INTO moves (token, state, place) VALUES ($1, 'going', $2) \
                   ON CONFLICT (one) DO NOTHING";
        connection.change(sql, &[&token, &place])?;
        let rows = connection.rows("SELECT token, state, place FROM moves FOR UPDATE", &[])?;
        let row = &rows[0];
        let (known, state): (&str, &str) = (row.get(0), row.get(1));
        if known != token || state == "coming" {
            let place: &str = row.get(2);
            return Err(DatabaseError::Refused(format!(
                "another move of it is not ended: {place}"
            )));
        }
        connection.client.batch_execute(ANSWER)?;
        // Nobody begins to work any more.
        refuse(connection, "workers", "INSERT")
    })?;
    await_workers(&database, lease + SLACK)?;
    database.as_one(DOING, |connection| {
        TABLES.iter().try_for_each(|table| refuse(connection, table, "INSERT OR UPDATE OR DELETE"))
    })
}

/// Has the engine refuse a kind of change. It waits for those that are under way.
fn refuse(connection: &mut Connection, table: &str, what: &str) -> Result<(), DatabaseError> {
    let sql = format!(
        "CREATE OR REPLACE TRIGGER postboard_moves BEFORE {what} ON {table} \
         FOR EACH STATEMENT EXECUTE FUNCTION postboard_moves()"
    );
    Ok(connection.client.batch_execute(&sql)?)
}

#[expect(clippy::disallowed_methods, reason = "how long others are waited for changes nothing")]
fn await_workers(database: &Database, most: Duration) -> Result<(), Fault> {
    let begun = Instant::now();
    loop {
        let working = database.as_one(DOING, |connection| {
            // Those that have died are swept away.
            sweep(connection)?;
            let rows = connection.rows("SELECT count(*) FROM workers", &[])?;
            Ok(rows[0].get::<_, BigInt>(0))
        });
        match working {
            Ok(0) => return Ok(()),
            Ok(_) if begun.elapsed() < most => thread::sleep(GLANCE),
            Ok(working) => {
                let why = format!("{working} of its workers do not come to an end; try again");
                return Err(DatabaseError::Refused(why).into_fault(DOING, &database.address));
            }
            // This was done before by a process that was killed.
            Err(fault) if fault.is_moving() => return Ok(()),
            Err(fault) => return Err(fault),
        }
    }
}

/// It is elsewhere now.
pub(super) fn leave(home: &PostgresHome, token: &str) -> Result<(), Fault> {
    home.database()?.as_one(DOING, |connection| {
        let sql = "UPDATE moves SET state = 'gone' WHERE token = $1";
        connection.change(sql, &[&token]).map(drop)
    })
}

/// It stays.
pub(super) fn stay(home: &PostgresHome, token: &str) -> Result<(), Fault> {
    home.database()?.as_one(DOING, |connection| {
        let sql = "DELETE FROM moves WHERE token = $1 AND state = 'going'";
        if connection.change(sql, &[&token])? == 1 {
            for table in TABLES {
                let sql = format!("DROP TRIGGER IF EXISTS postboard_moves ON {table}");
                connection.client.batch_execute(&sql)?;
            }
        }
        Ok(())
    })
}
