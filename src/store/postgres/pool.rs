//! Connections to a database, shared by all callers that ask the same one, and how it is asked.

use super::address::DatabaseAddress;
use super::error::{DatabaseError, RetryAction};
use crate::store::{Backoff, Fault};
use ::postgres::types::ToSql;
use ::postgres::{Client, Row, Statement};
use r2d2::{ManageConnection, Pool, PooledConnection};
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The values beside the text of a question.
pub(super) type SqlParams<'v> = &'v [&'v (dyn ToSql + Sync)];

/// Connections that one process keeps at most.
const MOST: u32 = 32;
/// For how long one is tried to be made, again and again, or waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// A connection that nobody used for so long is closed.
const IDLE: Duration = Duration::from_mins(1);

/// Every connection begins with this: nothing waits without end for a table that somebody has
/// locked, or for an answer.
const BOUNDS: &str = "SET lock_timeout = '1500ms'; SET statement_timeout = '60s'";

/// Every connection goes on with this. Documents are found by their names even where there are few
/// of them: else two commits that have nothing to do with each other would get in each other's way.
/// The costs that the engine then expects must not have it compile the question first. A commit is
/// on the disk, whatever the engine's default is.
const FIRST: &str = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
    SET jit = off; SET max_parallel_workers_per_gather = 0; \
    SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit') = 'off'";

/// A connection with the questions that it knows.
pub(super) struct Connection {
    pub(super) client: Client,
    prepared: HashMap<&'static str, Statement>,
    /// Set while a transaction is open: nobody else may get the connection then.
    is_busy: bool,
}

impl Connection {
    /// One of its own, which no pool gives to others.
    pub(super) fn to(address: &DatabaseAddress) -> Result<Self, DatabaseError> {
        let mut client = address.connect()?;
        client.batch_execute(BOUNDS)?;
        client.batch_execute(FIRST)?;
        Ok(Self { client, prepared: HashMap::new(), is_busy: false })
    }

    /// The rows that answer a question.
    pub(super) fn rows(
        &mut self,
        sql: &'static str,
        values: SqlParams,
    ) -> Result<Vec<Row>, DatabaseError> {
        let statement = self.prepared(sql)?;
        Ok(self.client.query(&statement, values)?)
    }

    /// Has something changed; how many rows.
    pub(super) fn change(
        &mut self,
        sql: &'static str,
        values: SqlParams,
    ) -> Result<u64, DatabaseError> {
        let statement = self.prepared(sql)?;
        Ok(self.client.execute(&statement, values)?)
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement, DatabaseError> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }

    /// Begins a transaction in these words.
    pub(super) fn begin(&mut self, words: &str) -> Result<(), DatabaseError> {
        self.is_busy = true;
        Ok(self.client.batch_execute(words)?)
    }

    /// Ends the transaction, and keeps what was changed.
    pub(super) fn commit(&mut self) -> Result<(), DatabaseError> {
        self.client.batch_execute("COMMIT")?;
        self.is_busy = false;
        Ok(())
    }

    /// Ends the transaction; nothing was changed. Where that fails the connection is closed, which
    /// comes to the same.
    pub(super) fn rollback(&mut self) {
        self.is_busy = self.client.batch_execute("ROLLBACK").is_err();
    }

    /// Does several things as one.
    pub(super) fn in_transaction<T>(
        &mut self,
        begin: &str,
        work: impl FnOnce(&mut Self) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        self.begin(begin)?;
        match work(self) {
            Ok(done) => self.commit().map(|()| done),
            Err(failure) => {
                self.rollback();
                Err(failure)
            }
        }
    }
}

/// Makes connections to a database.
#[derive(Debug)]
pub(super) struct Connector(DatabaseAddress);

impl ManageConnection for Connector {
    type Connection = Connection;
    type Error = ConnectError;

    fn connect(&self) -> Result<Connection, ConnectError> {
        let told = |failure: DatabaseError| {
            ConnectError(failure.into_fault("cannot reach", &self.0).source.to_string())
        };
        Connection::to(&self.0).map_err(told)
    }

    fn is_valid(&self, connection: &mut Connection) -> Result<(), ConnectError> {
        connection.client.batch_execute("").map_err(|error| ConnectError(error.to_string()))
    }

    fn has_broken(&self, connection: &mut Connection) -> bool {
        connection.is_busy || connection.client.is_closed()
    }
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct ConnectError(String);

/// A database, and the connections to it.
#[derive(Clone)]
pub(super) struct Database {
    pub(super) address: DatabaseAddress,
    pool: Pool<Connector>,
}

impl Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)
    }
}

/// The databases that this process uses: a home that is opened again finds its connections.
static KNOWN: Mutex<Vec<(String, Database)>> = Mutex::new(Vec::new());

impl Database {
    /// The database of that name in this process.
    pub(super) fn at(address: DatabaseAddress, name: &str) -> Self {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, database)) = known.iter().find(|(of, _)| of == name) {
            return database.clone();
        }
        let builder = Pool::builder().max_size(MOST).min_idle(Some(0)).idle_timeout(Some(IDLE));
        // A connection that is gone is found out by what is asked, which costs nothing.
        let builder = builder.connection_timeout(PATIENCE).test_on_check_out(false);
        let pool = builder.build_unchecked(Connector(address.clone()));
        let database = Self { address, pool };
        known.push((name.to_owned(), database.clone()));
        database
    }

    /// A connection.
    pub(super) fn connection(&self) -> Result<PooledConnection<Connector>, DatabaseError> {
        Ok(self.pool.get()?)
    }

    /// Does what may be done twice without harm, again where the connection was lost or others were
    /// in the way.
    pub(super) fn with_retries<T>(
        &self,
        doing: &'static str,
        mut work: impl FnMut(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        let mut tries = Backoff::new();
        loop {
            let failure = match self.connection().and_then(|mut connection| work(&mut connection)) {
                Ok(done) => return Ok(done),
                Err(failure) => failure,
            };
            if failure.cure() == RetryAction::None || !tries.wait() {
                return Err(failure.into_fault(doing, &self.address));
            }
        }
    }

    /// [`with_retries`](Self::with_retries) in one transaction, which need not outlive a power cut.
    pub(super) fn loosely<T>(
        &self,
        doing: &'static str,
        mut work: impl FnMut(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        self.with_retries(doing, |connection| connection.in_transaction(LOOSELY, &mut work))
    }

    /// [`with_retries`](Self::with_retries) in one transaction.
    pub(super) fn as_one<T>(
        &self,
        doing: &'static str,
        mut work: impl FnMut(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        self.with_retries(doing, |connection| connection.in_transaction("BEGIN", &mut work))
    }
}

const LOOSELY: &str = "BEGIN; SET LOCAL synchronous_commit = off";
