//! A home in a database that speaks the protocol of `PostgreSQL`, at which any number of workers work on any
//! number of machines.
//!
//! On each machine it is a folder with its configuration, in which mails wait that come while the
//! database is away. All else is in the database. A process that has it open keeps no other out:
//! `commit`, `worker` and `tray` say what keeps them from getting in each other's way.

mod address;
mod commit;
mod config;
mod error;
mod freeze;
mod import;
mod names;
mod notify;
mod operator;
mod outbox;
mod password_file;
mod pool;
mod schema;
mod snapshot;
mod spool;
mod store;
mod worker;

use self::address::DatabaseAddress;
pub use self::config::DatabaseConfig;
use self::import::PostgresTarget;
use self::outbox::PostgresLetters;
use self::pool::Database;
use self::snapshot::HomeSnapshot;
use self::store::PostgresStore;
use crate::store::letter::{Backlog, UnsentLetter};
use crate::store::spool::file_spool as local;
use crate::store::spool::name::Strands;
use crate::store::{ChangeListener, Subscription};
use crate::store::{
    Fault, Home, JobRun, Letters, OpenHome, ParkedMail, ReadOnlyHome, Remedy, RemedyResult,
    SpoolLock, StuckItem, Traffic,
};

use crate::base::time::{Span, Time};
use ::postgres::Row;
use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a worker is believed to be alive that was not heard of, where nothing is said.
pub const LEASE: Duration = Duration::from_mins(2);

/// Tells the strands of a mail.
type SharedStrandsFn = Arc<dyn Fn(&[u8]) -> Strands + Send + Sync>;

/// A home in a database. Its clones are the same home.
#[derive(Clone)]
pub struct PostgresHome {
    /// The folder on this machine.
    folder: PathBuf,
    place: DatabaseConfig,
    strands: SharedStrandsFn,
}

impl Debug for PostgresHome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresHome").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// The database of a home.
struct HomeDatabase {
    database: Database,
    lease: Duration,
}

impl PostgresHome {
    /// The home of a folder, in that database. All mails share a strand.
    pub fn new(folder: &Path, place: DatabaseConfig) -> Self {
        let alike = |_: &[u8]| Strands::from([String::new()]);
        Self { folder: folder.to_owned(), place, strands: Arc::new(alike) }
    }

    /// The same, with a function that tells which mails may overtake each other.
    #[must_use]
    pub fn with_strands(
        mut self,
        strands: impl Fn(&[u8]) -> Strands + Send + Sync + 'static,
    ) -> Self {
        self.strands = Arc::new(strands);
        self
    }

    /// Makes the missing parts of a home in the database, or brings it up to this version of the
    /// program; with that key if it has none. Returns whether it is a new home.
    ///
    /// # Errors
    /// The database does not let us, or is of a later version.
    pub fn init(&self, key: &[u8; 32]) -> Result<bool, Fault> {
        schema::init(&self.at()?.database, key)
    }

    /// As its configuration says it.
    pub(super) fn place(&self) -> &DatabaseConfig {
        &self.place
    }

    /// Where it is, for people: nothing secret.
    pub(super) fn shown(&self) -> Result<String, Fault> {
        Ok(self.at()?.database.address.to_string())
    }

    /// All that it holds, as it is now.
    pub(super) fn snapshot(&self) -> Result<HomeSnapshot, Fault> {
        HomeSnapshot::take(self.database()?)
    }

    /// The same, if it is a home to be worked at.
    pub(super) fn home_snapshot(&self) -> Result<HomeSnapshot, Fault> {
        self.database()?.with_retries("cannot read", schema::look)?;
        self.snapshot()
    }

    /// Forbids changes, and waits for the workers at it: it is about to be moved.
    pub(super) fn freeze(&self, token: &str, place: &str) -> Result<(), Fault> {
        freeze::freeze(self, (token, place))
    }

    /// It was moved.
    pub(super) fn leave(&self, token: &str) -> Result<(), Fault> {
        freeze::leave(self, token)
    }

    /// It is not moved after all.
    pub(super) fn stay(&self, token: &str) -> Result<(), Fault> {
        freeze::stay(self, token)
    }

    /// Begins to take in a home, or goes on with that; anew where that is what the place says.
    pub(super) fn begin_to_come(
        &self,
        token: &str,
        place: &str,
        is_anew: bool,
    ) -> Result<PostgresTarget, Fault> {
        PostgresTarget::begin(self, (token, place), is_anew)
    }

    /// Whether the home has come that this move was about.
    pub(super) fn has_come(&self, token: &str) -> Result<bool, Fault> {
        PostgresTarget::has_come(self, token)
    }

    /// Takes away what has come of it.
    pub(super) fn drop_coming(&self, token: &str) -> Result<(), Fault> {
        PostgresTarget::drop_all(self, token)
    }

    fn at(&self) -> Result<HomeDatabase, Fault> {
        let DatabaseConfig { url, password_file, lease } = &self.place;
        let address = DatabaseAddress::read(url, password_file.as_deref())?;
        Ok(HomeDatabase { database: Database::at(address, url), lease: *lease })
    }

    fn database(&self) -> Result<Database, Fault> {
        Ok(self.at()?.database)
    }

    /// Puts a mail into the database.
    fn put_there(
        &self,
        mail: &[u8],
        mark: Option<&str>,
        origin: Option<&str>,
    ) -> Result<(), Fault> {
        let (database, strands) = (self.database()?, (self.strands)(mail));
        database.as_one("cannot put a mail into", |connection| {
            spool::put(connection, (mail, mark, origin), &strands)
        })?;
        notify::tell_of_mail(&database);
        Ok(())
    }

    /// Takes the mails into the database that came while it was away.
    fn take_in(&self) -> Result<(), Fault> {
        for name in local::left_in(&self.folder)? {
            let Some(bytes) = local::read_left(&self.folder, &name)? else { continue };
            let mark = local::mark_of(&name);
            let origin = format!("{} {name}", self.folder.display());
            self.put_there(&bytes, mark, Some(&origin))?;
            local::take_away(&self.folder, &name)?;
        }
        Ok(())
    }
}

impl Home for PostgresHome {
    fn place(&self) -> String {
        self.shown().unwrap_or_else(|_| "a database".to_owned())
    }

    fn open(&self) -> Result<Box<dyn OpenHome>, Fault> {
        Ok(Box::new(PostgresStore::begin(self)?))
    }

    fn read(&self) -> Result<ReadOnlyHome, Fault> {
        Ok(ReadOnlyHome(Box::new(PostgresStore::look(self)?)))
    }

    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault> {
        // Mails that came on this machine while the database was away came before.
        let put = match self.take_in() {
            Err(fault) if fault.is_away() => Err(fault),
            _ => self.put_there(mail, mark, None),
        };
        match put {
            // It is taken in by the next run that finds the database.
            Err(fault) if fault.is_away() => match mark {
                Some(mark) => local::put_marked(&self.folder, mail, mark),
                None => local::put(&self.folder, mail),
            },
            put => put,
        }
    }

    fn waiting(&self) -> Result<Vec<String>, Fault> {
        let mut waiting = local::waiting_mails(&self.folder)?;
        let sql =
            "SELECT number, mark, extract(epoch FROM came)::bigint FROM mails ORDER BY number";
        let rows = self.database()?.with_retries("cannot read mails of", |it| it.rows(sql, &[]))?;
        // As in files, the names that are told begin with when the mails came.
        let name = |row: &Row| {
            let came = Time::from_unix(row.get(2)).digits();
            format!("{came}.{}", names::mail(row.get(0), row.get(1)))
        };
        waiting.extend(rows.iter().map(name));
        Ok(waiting)
    }

    fn marks(&self) -> Result<HashSet<String>, Fault> {
        let mut marks = local::marks(&self.folder)?;
        let sql = "SELECT mark FROM mails WHERE mark IS NOT NULL";
        let rows = self.database()?.with_retries("cannot read mails of", |it| it.rows(sql, &[]))?;
        marks.extend(rows.iter().map(|row| row.get::<_, String>(0)));
        Ok(marks)
    }

    fn shift(&self) -> Option<Box<dyn SpoolLock>> {
        // Where the database is away the opening tells.
        let _ = self.take_in();
        Some(Box::new(SharedSpoolLock))
    }

    fn await_mail(&self, most: Duration) -> bool {
        // Nobody tells when the lease of a worker is over.
        let most = most.min(self.place.lease);
        let waited = |database: Database| spool::await_mail(&database, most).is_ok();
        self.database().is_ok_and(waited)
    }

    fn listen(&self, tell: ChangeListener) -> Result<Box<dyn Subscription>, Fault> {
        notify::listen(&self.database()?, tell)
    }

    fn is_awaited(&self) -> bool {
        false
    }

    fn collecting(&self) -> Option<Box<dyn Debug>> {
        // A mailbox is on one machine.
        local::CollectLock::begin(&self.folder).map(|it| Box::new(it) as Box<dyn Debug>)
    }

    fn letters(&self) -> Result<Option<Box<dyn Letters>>, Fault> {
        let HomeDatabase { database, lease } = self.at()?;
        Ok(Some(Box::new(PostgresLetters::new(database, lease))))
    }

    fn backlog(&self) -> Result<Backlog, Fault> {
        operator::backlog(&self.database()?)
    }

    fn unsent(&self) -> Result<Vec<UnsentLetter>, Fault> {
        operator::unsent(&self.database()?)
    }

    fn parked(&self) -> Result<Vec<ParkedMail>, Fault> {
        operator::parked(&self.database()?)
    }

    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        operator::parked_mail(&self.database()?, name)
    }

    fn remedy(&self, stuck: StuckItem, remedy: Remedy) -> Result<RemedyResult, Fault> {
        operator::remedy(&self.database()?, stuck, remedy, &*self.strands)
    }

    fn note_run(&self, run: &JobRun) -> Result<(), Fault> {
        operator::note_run(&self.database()?, run)
    }

    fn runs(&self) -> Result<Vec<JobRun>, Fault> {
        operator::runs(&self.database()?)
    }

    fn traffic(&self) -> Result<Traffic, Fault> {
        operator::traffic(&self.database()?)
    }

    fn expire(&self, now: Time) -> Result<(), Fault> {
        operator::expire(&self.database()?, now)
    }

    fn clear_aside(&self, now: Time, after: Span) -> Result<usize, Fault> {
        operator::clear_aside(&self.database()?, now, after)
    }
}

/// One of many processes that execute mails.
#[derive(Debug)]
struct SharedSpoolLock;

impl SpoolLock for SharedSpoolLock {
    fn is_awaited(&self) -> bool {
        false
    }
}
