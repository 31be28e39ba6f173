//! A home in a database that speaks the protocol of `PostgreSQL`, for any number of workers on any
//! number of machines.
//!
//! On each machine there is a folder with the configuration, the log, and the mails that arrive
//! while the database is unreachable. Everything else is in the tables (`migrations/`):
//!
//! | table | contains |
//! |---|---|
//! | `documents` | documents by file name, with SHA-256 of the text |
//! | `receipts`, `sent` | receipts of executed mails; mails sent, for the daily limits |
//! | `looks`, `registers` | indexes: when boards are due, and which numbers are reserved for boards; lists of users |
//! | `keys` | the key of the home as number 0, and keys of dice |
//! | `mails`, `strands`, `aside` | waiting mails, what keeps them in order, parked mails |
//! | `letters` | letters that wait or were given up |
//! | `workers`, `markers`, `runs` | open processes with their leases; steps of long runs; last runs of jobs |
//! | `moves` | the move of the home that is under way, or was the last |
//!
//! A process that has the home open keeps nobody out. Instead:
//!
//! * A commit is one serializable transaction that first compares the versions of all documents it
//!   changes or has read (`commit`).
//! * A worker has a lease, which every commit and claim renews. A worker whose lease has expired is
//!   fenced off: it commits nothing any more (`worker`).
//! * Mails and letters are claimed row by row (`spool`, `outbox`).
//! * A worker reserves ranges of numbers for new boards outside its commits (`board_numbers`), so that
//!   boards of the same game can begin at the same time.
//!
//! The other files: `pool`, `error`, `address` and `password_file` connect and retry; `schema`
//! creates and upgrades the tables; `notify` wakes other processes; `operator` answers the
//! operator; `snapshot`, `import` and `freeze` copy and move a home.

mod address;
mod board_numbers;
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
use self::outbox::PostgresOutbox;
use self::pool::Database;
pub use self::pool::note_connections;
use self::snapshot::HomeSnapshot;
use self::spool::NewMail;
use self::store::PostgresStore;
use crate::base::time::Time;
use crate::store::files::disk::Disk;
use crate::store::letter::{Backlog, UnsentLetter};
use crate::store::spool::file_spool as local;
use crate::store::spool::{SpoolName, Strands};
use crate::store::traits::FreeSpoolLock;
use crate::store::{ChangeListener, MailListener, Subscription};
use crate::store::{
    Fault, Home, JobRun, OpenHome, Outbox, ParkedMail, QuarantineAges, ReadOnlyHome, Remedy,
    RemedyResult, SpoolLock, SpoolStore as _, StuckItem, Traffic,
};
use ::postgres::Row;
use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The default lease: how long a silent worker counts as alive.
pub const LEASE: Duration = Duration::from_mins(2);

/// Returns the strands of a mail.
type SharedStrandsFn = Arc<dyn Fn(&[u8]) -> Strands + Send + Sync>;

/// A home in a database. Its clones are the same home.
#[derive(Clone)]
pub struct PostgresHome {
    /// The folder on this machine.
    folder: PathBuf,
    config: DatabaseConfig,
    strands: SharedStrandsFn,
}

impl Debug for PostgresHome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresHome").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// The database of a home, with the lease of its workers.
struct HomeDatabase {
    database: Database,
    lease: Duration,
}

impl PostgresHome {
    /// Returns the home of a folder in a database. All mails share a strand.
    pub fn new(folder: &Path, config: DatabaseConfig) -> Self {
        let one_strand = |_: &[u8]| Strands::from([String::new()]);
        Self { folder: folder.to_owned(), config, strands: Arc::new(one_strand) }
    }

    /// Sets the function that returns the strands of a mail.
    #[must_use]
    pub fn with_strands(
        mut self,
        strands: impl Fn(&[u8]) -> Strands + Send + Sync + 'static,
    ) -> Self {
        self.strands = Arc::new(strands);
        self
    }

    /// Creates the missing parts of a home in the database, or upgrades it; sets the key if it has
    /// none. Returns whether it is a new home.
    ///
    /// # Errors
    /// The database refuses, or a later version has written it.
    pub fn init(&self, key: &[u8; 32]) -> Result<bool, Fault> {
        schema::init(&self.connect()?.database, key)
    }

    /// Returns the configuration.
    pub(super) fn config(&self) -> &DatabaseConfig {
        &self.config
    }

    /// Returns where it is, for the operator, without secrets.
    pub(super) fn shown_location(&self) -> Result<String, Fault> {
        Ok(self.connect()?.database.address.to_string())
    }

    /// Returns its contents as they are now.
    pub(super) fn snapshot(&self) -> Result<HomeSnapshot, Fault> {
        HomeSnapshot::take(self.database()?)
    }

    /// Returns its contents as they are now, unless it is being moved or not a home of this
    /// version.
    pub(super) fn checked_snapshot(&self) -> Result<HomeSnapshot, Fault> {
        self.database()?.with_retries("cannot read", schema::check)?;
        self.snapshot()
    }

    /// Returns the database, with the connections that this process shares.
    fn connect(&self) -> Result<HomeDatabase, Fault> {
        let DatabaseConfig { url, password_file, lease } = &self.config;
        let address = DatabaseAddress::read(url, password_file.as_deref())?;
        Ok(HomeDatabase { database: Database::shared(address, url), lease: *lease })
    }

    fn database(&self) -> Result<Database, Fault> {
        Ok(self.connect()?.database)
    }

    /// Puts a mail into the database.
    fn put_into_database(
        &self,
        mail: &[u8],
        mark: Option<&str>,
        origin: Option<&str>,
    ) -> Result<(), Fault> {
        let (database, strands) = (self.database()?, (self.strands)(mail));
        database.in_transaction("cannot put a mail into", |connection| {
            spool::put(connection, &NewMail { bytes: mail, mark, origin }, &strands)
        })?;
        notify::announce_mail(&database);
        Ok(())
    }

    /// Moves the mails into the database that arrived while it was unreachable, the oldest first.
    fn move_local_mails(&self) -> Result<(), Fault> {
        let arrived = local::FileSpool::new(&self.folder, &Disk::default());
        let mut names = arrived.fresh()?;
        names.sort();
        for name in names {
            let origin = format!("{} {name}", self.folder.display());
            let name = SpoolName { name, begun: None };
            let Some(bytes) = arrived.read(&name)? else { continue };
            self.put_into_database(&bytes, local::mark_of(&name.name), Some(&origin))?;
            arrived.remove(&name)?;
        }
        Ok(())
    }
}

impl Home for PostgresHome {
    fn location(&self) -> String {
        self.shown_location().unwrap_or_else(|_| "a database".to_owned())
    }

    fn open(&self) -> Result<Box<dyn OpenHome>, Fault> {
        Ok(Box::new(PostgresStore::open(self)?))
    }

    fn read(&self) -> Result<ReadOnlyHome, Fault> {
        Ok(ReadOnlyHome(Box::new(PostgresStore::open_read_only(self)?)))
    }

    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault> {
        // Mails that arrived while the database was unreachable came before.
        let put = match self.move_local_mails() {
            Err(fault) if fault.is_unreachable() => Err(fault),
            _ => self.put_into_database(mail, mark, None),
        };
        match put {
            // The next run that reaches the database moves it there.
            Err(fault) if fault.is_unreachable() => {
                local::put_on(&Disk::default(), &self.folder, mail, mark)
            }
            put => put,
        }
    }

    fn waiting_mails(&self) -> Result<Vec<String>, Fault> {
        let mut waiting = local::waiting_mails(&self.folder)?;
        let sql =
            "SELECT number, mark, extract(epoch FROM came)::bigint FROM mails ORDER BY number";
        let rows = self.database()?.with_retries("cannot read mails of", |it| it.rows(sql, &[]))?;
        // As in files, the names shown begin with the time of arrival.
        let name = |row: &Row| {
            let came = Time::from_unix(row.get(2)).digits();
            format!("{came}.{}", names::mail_name(row.get(0), row.get(1)))
        };
        waiting.extend(rows.iter().map(name));
        Ok(waiting)
    }

    fn waiting_marks(&self) -> Result<HashSet<String>, Fault> {
        let mut marks = local::marks(&self.folder)?;
        let sql = "SELECT mark FROM mails WHERE mark IS NOT NULL";
        let rows = self.database()?.with_retries("cannot read mails of", |it| it.rows(sql, &[]))?;
        marks.extend(rows.iter().map(|row| row.get::<_, String>(0)));
        Ok(marks)
    }

    fn spool_lock(&self) -> Option<Box<dyn SpoolLock>> {
        // If the database is unreachable, opening the home reports it.
        let _ = self.move_local_mails();
        Some(Box::new(FreeSpoolLock))
    }

    fn wait_for_mail(&self, limit: Duration) -> bool {
        // Nothing announces the end of a worker's lease.
        let limit = limit.min(self.config.lease);
        let waited = |database: Database| spool::wait_for_mail(&database, limit).is_ok();
        self.database().is_ok_and(waited)
    }

    fn subscribe(&self, listener: ChangeListener) -> Result<Box<dyn Subscription>, Fault> {
        notify::subscribe(&self.database()?, notify::CHANGES, listener)
    }

    fn subscribe_to_mails(&self, listener: MailListener) -> Result<Box<dyn Subscription>, Fault> {
        notify::subscribe(&self.database()?, notify::MAILS, Box::new(move |_| listener()))
    }

    fn is_awaited(&self) -> bool {
        false
    }

    fn collect_lock(&self) -> Option<Box<dyn Debug>> {
        // A mailbox is on one machine, so the lock is, too.
        local::CollectLock::begin(&self.folder).map(|it| Box::new(it) as Box<dyn Debug>)
    }

    fn outbox(&self) -> Result<Option<Box<dyn Outbox>>, Fault> {
        let HomeDatabase { database, lease } = self.connect()?;
        Ok(Some(Box::new(PostgresOutbox::new(database, lease))))
    }

    fn backlog(&self) -> Result<Backlog, Fault> {
        operator::backlog(&self.database()?)
    }

    fn unsent_letters(&self) -> Result<Vec<UnsentLetter>, Fault> {
        operator::unsent_letters(&self.database()?)
    }

    fn parked_mails(&self) -> Result<Vec<ParkedMail>, Fault> {
        operator::parked_mails(&self.database()?)
    }

    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        operator::parked_mail(&self.database()?, name)
    }

    fn apply_remedy(&self, stuck: StuckItem, remedy: Remedy) -> Result<RemedyResult, Fault> {
        operator::apply_remedy(&self.database()?, stuck, remedy, &*self.strands)
    }

    fn record_run(&self, run: &JobRun) -> Result<(), Fault> {
        operator::record_run(&self.database()?, run)
    }

    fn last_runs(&self) -> Result<Vec<JobRun>, Fault> {
        operator::last_runs(&self.database()?)
    }

    fn traffic(&self) -> Result<Traffic, Fault> {
        operator::traffic(&self.database()?)
    }

    fn expire(&self, now: Time) -> Result<(), Fault> {
        operator::expire(&self.database()?, now)
    }

    fn expire_quarantine(&self, now: Time, ages: QuarantineAges) -> Result<usize, Fault> {
        operator::expire_quarantine(&self.database()?, now, ages)
    }
}
