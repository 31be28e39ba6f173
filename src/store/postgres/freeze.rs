//! Freezing a home that is moved out of a database: from the first step on the database refuses
//! every change, whichever program asks, and says where the home is.

use super::error::DatabaseError;
use super::names::BigInt;
use super::pool::{Connection, Database};
use super::worker::remove_expired;
use super::{HomeDatabase, PostgresHome};
use crate::store::Fault;
use std::thread;
use std::time::{Duration, Instant};

const MOVING_OUT: &str = "cannot move a home out of";
/// How often workers are looked for.
const POLL: Duration = Duration::from_millis(100);
/// How much longer than its lease a worker is waited for.
const WAIT_AFTER_LEASE: Duration = Duration::from_secs(10);

/// The tables that change.
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

/// The trigger function that refuses a change. The class `PB` of its error codes is not used by the
/// database.
const REFUSAL: &str = "CREATE OR REPLACE FUNCTION postboard_moves() RETURNS trigger LANGUAGE plpgsql AS $$ \
    DECLARE it moves%ROWTYPE; BEGIN SELECT * INTO it FROM moves; \
    IF it.state = 'gone' THEN \
      RAISE EXCEPTION USING MESSAGE = 'this home was moved to ' || it.place, ERRCODE = 'PB002'; \
    END IF; \
    RAISE EXCEPTION USING MESSAGE = 'this home is being moved to ' || it.place, ERRCODE = 'PB001'; \
    END $$";

impl PostgresHome {
    /// Forbids all changes of a home, and waits until its workers have ended.
    pub(in crate::store) fn freeze(&self, token: &str, place: &str) -> Result<(), Fault> {
        let HomeDatabase { database, lease } = self.connect()?;
        database.in_transaction(MOVING_OUT, |connection| {
            let sql = "INSERT INTO moves (token, state, place) VALUES ($1, 'going', $2) \
                       ON CONFLICT (one) DO NOTHING";
            connection.change(sql, &[&token, &place])?;
            let rows = connection.rows("SELECT token, state, place FROM moves FOR UPDATE", &[])?;
            let row = &rows[0];
            let (known, state): (&str, &str) = (row.get(0), row.get(1));
            if known != token || state == "coming" {
                let place: &str = row.get(2);
                return Err(DatabaseError::Refused(format!(
                    "another move is not finished: {place}"
                )));
            }
            connection.client.batch_execute(REFUSAL)?;
            // From here on no worker starts.
            refuse(connection, "workers", "INSERT")
        })?;
        await_workers(&database, lease + WAIT_AFTER_LEASE)?;
        database.in_transaction(MOVING_OUT, |connection| {
            TABLES
                .iter()
                .try_for_each(|table| refuse(connection, table, "INSERT OR UPDATE OR DELETE"))
        })
    }

    /// Marks the home as moved.
    pub(in crate::store) fn mark_moved(&self, token: &str) -> Result<(), Fault> {
        self.database()?.in_transaction(MOVING_OUT, |connection| {
            let sql = "UPDATE moves SET state = 'gone' WHERE token = $1";
            connection.change(sql, &[&token]).map(drop)
        })
    }

    /// Allows changes again.
    pub(in crate::store) fn unfreeze(&self, token: &str) -> Result<(), Fault> {
        self.database()?.in_transaction(MOVING_OUT, |connection| {
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
}

/// Creates the trigger that refuses a kind of change. Waits for changes under way.
fn refuse(connection: &mut Connection, table: &str, operations: &str) -> Result<(), DatabaseError> {
    let sql = format!(
        "CREATE OR REPLACE TRIGGER postboard_moves BEFORE {operations} ON {table} \
         FOR EACH STATEMENT EXECUTE FUNCTION postboard_moves()"
    );
    Ok(connection.client.batch_execute(&sql)?)
}

#[expect(clippy::disallowed_methods, reason = "the clock limits only how long this waits")]
fn await_workers(database: &Database, limit: Duration) -> Result<(), Fault> {
    let begun = Instant::now();
    loop {
        let working = database.in_transaction(MOVING_OUT, |connection| {
            // Workers that have died are removed.
            remove_expired(connection)?;
            let rows = connection.rows("SELECT count(*) FROM workers", &[])?;
            Ok(rows[0].get::<_, BigInt>(0))
        });
        match working {
            Ok(0) => return Ok(()),
            Ok(_) if begun.elapsed() < limit => thread::sleep(POLL),
            Ok(working) => {
                let why = format!("{working} workers have not ended; try again");
                return Err(DatabaseError::Refused(why).into_fault(MOVING_OUT, &database.address));
            }
            // A process that was killed has frozen the home already.
            Err(fault) if fault.is_moving() => return Ok(()),
            Err(fault) => return Err(fault),
        }
    }
}
