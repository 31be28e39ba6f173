//! Pooled connections to a database, and the ways to run statements: once, with retries, in a
//! transaction.

use super::address::DatabaseAddress;
use super::error::{DatabaseError, RetryAction};
use crate::base::meters;
use crate::base::stopwatch::Stopwatch;
use crate::store::{Backoff, Fault};
use ::postgres::types::ToSql;
use ::postgres::{Client, Row, Statement};
use r2d2::{ManageConnection, Pool, PooledConnection};
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The parameters of a statement.
pub(super) type SqlParams<'v> = &'v [&'v (dyn ToSql + Sync)];

/// The most connections of a process.
const MAX_CONNECTIONS: u32 = 32;
/// The longest wait for a connection, with all tries to make it.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);
/// The time after which an unused connection is closed.
const IDLE: Duration = Duration::from_mins(1);

/// The first settings of every connection: nothing waits without end for a locked table or an
/// answer.
const TIMEOUTS: &str = "SET lock_timeout = '1500ms'; SET statement_timeout = '60s'";

/// Further settings of every connection. Documents are found by index even when there are few, else
/// unrelated commits would conflict in the serializable mode. The high costs that the planner then
/// expects must not trigger the JIT compiler. A commit is synced to disk, whatever the default.
const PLANNER: &str = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
    SET jit = off; SET max_parallel_workers_per_gather = 0; \
    SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit') = 'off'";

/// A connection with its prepared statements.
pub(super) struct Connection {
    pub(super) client: Client,
    prepared: HashMap<&'static str, Statement>,
    /// Whether a transaction is open: then the pool must not reuse the connection.
    in_transaction: bool,
}

impl Connection {
    /// Opens a connection outside the pool.
    pub(super) fn to(address: &DatabaseAddress) -> Result<Self, DatabaseError> {
        let mut client = address.connect()?;
        client.batch_execute(TIMEOUTS)?;
        client.batch_execute(PLANNER)?;
        Ok(Self { client, prepared: HashMap::new(), in_transaction: false })
    }

    /// Runs a query and returns its rows.
    pub(super) fn rows(
        &mut self,
        sql: &'static str,
        values: SqlParams,
    ) -> Result<Vec<Row>, DatabaseError> {
        let statement = self.prepared(sql)?;
        Ok(self.client.query(&statement, values)?)
    }

    /// Runs a statement and returns the number of changed rows.
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

    /// Begins a transaction with these statements.
    pub(super) fn begin(&mut self, sql: &str) -> Result<(), DatabaseError> {
        self.in_transaction = true;
        Ok(self.client.batch_execute(sql)?)
    }

    /// Commits the transaction.
    pub(super) fn commit(&mut self) -> Result<(), DatabaseError> {
        self.client.batch_execute("COMMIT")?;
        self.in_transaction = false;
        Ok(())
    }

    /// Rolls the transaction back. If that fails the pool closes the connection, which has the same
    /// effect.
    pub(super) fn rollback(&mut self) {
        self.in_transaction = self.client.batch_execute("ROLLBACK").is_err();
    }

    /// Bounds, until the transaction ends, how long it waits for locks, and how long its own hold up others
    /// if this process stops or loses its connection.
    pub(super) fn limit_waits(&mut self) -> Result<(), DatabaseError> {
        let sql =
            "SET LOCAL idle_in_transaction_session_timeout = '5s'; SET LOCAL lock_timeout = '10s'";
        Ok(self.client.batch_execute(sql)?)
    }

    /// Runs `work` in a transaction.
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

/// Opens connections for the pool.
#[derive(Debug)]
pub(super) struct Connector(DatabaseAddress);

impl ManageConnection for Connector {
    type Connection = Connection;
    type Error = ConnectError;

    fn connect(&self) -> Result<Connection, ConnectError> {
        let failed = |failure: DatabaseError| {
            ConnectError(failure.into_fault("cannot reach", &self.0).source.to_string())
        };
        Connection::to(&self.0).map_err(failed)
    }

    fn is_valid(&self, connection: &mut Connection) -> Result<(), ConnectError> {
        connection.client.batch_execute("").map_err(|error| ConnectError(error.to_string()))
    }

    fn has_broken(&self, connection: &mut Connection) -> bool {
        connection.in_transaction || connection.client.is_closed()
    }
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct ConnectError(String);

/// A database with its connections.
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

/// The databases of this process: a home that is opened again reuses its connections.
static DATABASES: Mutex<Vec<(String, Database)>> = Mutex::new(Vec::new());

/// Notes for the metrics how many connections this process has to databases, if it uses any.
pub fn note_connections() {
    let databases = DATABASES.lock().unwrap_or_else(PoisonError::into_inner);
    let states: Vec<_> =
        databases.iter().map(|(_, it)| (it.pool.state(), it.pool.max_size())).collect();
    drop(databases);
    if !states.is_empty() {
        let idle = states.iter().map(|(state, _)| state.idle_connections).sum();
        let open: u32 = states.iter().map(|(state, _)| state.connections).sum();
        let limit = states.iter().map(|(_, most)| most).sum();
        meters::set_connections(open.saturating_sub(idle), idle, limit);
    }
}

impl Database {
    /// Returns the database of a URL, shared within this process.
    pub(super) fn shared(address: DatabaseAddress, url: &str) -> Self {
        let mut databases = DATABASES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, database)) = databases.iter().find(|(known, _)| known == url) {
            return database.clone();
        }
        let builder =
            Pool::builder().max_size(MAX_CONNECTIONS).min_idle(Some(0)).idle_timeout(Some(IDLE));
        // A lost connection shows in the next statement, so no check is needed.
        let builder = builder.connection_timeout(CONNECTION_TIMEOUT).test_on_check_out(false);
        let pool = builder.build_unchecked(Connector(address.clone()));
        let database = Self { address, pool };
        databases.push((url.to_owned(), database.clone()));
        database
    }

    /// Takes a connection from the pool.
    pub(super) fn connection(&self) -> Result<PooledConnection<Connector>, DatabaseError> {
        let stopwatch = Stopwatch::start();
        let connection = self.pool.get();
        meters::count_connection_wait(stopwatch.took());
        Ok(connection?)
    }

    /// Runs idempotent `work`, again after a lost connection or a conflict with others.
    pub(super) fn with_retries<T>(
        &self,
        doing: &'static str,
        mut work: impl FnMut(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        self.retry(doing, |mut connection| work(&mut connection))
    }

    /// Begins a snapshot, with retries, and runs `first` on its connection. The first query decides
    /// which moment the snapshot shows.
    pub(super) fn begin_snapshot(
        &self,
        doing: &'static str,
        first: impl Fn(&mut Connection) -> Result<(), DatabaseError>,
    ) -> Result<PooledConnection<Connector>, Fault> {
        self.retry(doing, |mut connection| {
            connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
            match first(&mut connection) {
                Ok(()) => Ok(connection),
                Err(failure) => {
                    connection.rollback();
                    Err(failure)
                }
            }
        })
    }

    /// Runs `work` on a connection, and again on another one after errors that may pass.
    fn retry<T>(
        &self,
        doing: &'static str,
        mut work: impl FnMut(PooledConnection<Connector>) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        let mut tries = Backoff::new();
        loop {
            let failure = match self.connection().and_then(&mut work) {
                Ok(done) => return Ok(done),
                Err(failure) => failure,
            };
            if failure.retry_action() == RetryAction::None || !tries.wait() {
                return Err(failure.into_fault(doing, &self.address));
            }
        }
    }

    /// Runs idempotent `work` in a transaction that is not synced, with retries.
    pub(super) fn in_unsynced_transaction<T>(
        &self,
        doing: &'static str,
        mut work: impl FnMut(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        self.with_retries(doing, |connection| connection.in_transaction(BEGIN_UNSYNCED, &mut work))
    }

    /// Runs idempotent `work` in a transaction, with retries.
    pub(super) fn in_transaction<T>(
        &self,
        doing: &'static str,
        mut work: impl FnMut(&mut Connection) -> Result<T, DatabaseError>,
    ) -> Result<T, Fault> {
        self.with_retries(doing, |connection| connection.in_transaction("BEGIN", &mut work))
    }
}

/// Begins a transaction whose commit does not wait for the disk: a power cut may lose it.
pub(super) const BEGIN_UNSYNCED: &str = "BEGIN; SET LOCAL synchronous_commit = off";
