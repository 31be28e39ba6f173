//! A `PostgreSQL` server for the tests, with its data and socket in a temporary folder. The server
//! stops after the last test that uses it.

#![expect(clippy::disallowed_types, reason = "the tests start a program")]

use crate::support::script::LetterStore;
use postboard::base::time::{Day, Time, TimeSlot};
use postboard::store::postgres::{DatabaseConfig, PostgresHome};
use postboard::store::{
    DocumentKind, DocumentVersion, Documents, Fault, Home, Indexes, Key, Letter, MailKey, OpenHome,
    ReceiptStatus, Receipts, Register, Store, StoredDocument, Transaction, Wakeups,
};
use rustix::process::{Pid, Signal, geteuid, kill_process};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tempfile::TempDir;

/// The folder in which Debian installs the server's programs, by version.
const PROGRAMS: &str = "/usr/lib/postgresql";

/// A running `PostgreSQL` server.
#[derive(Debug)]
pub(crate) struct PostgresServer {
    folder: TempDir,
    programs: PathBuf,
    child: Mutex<Child>,
    databases: AtomicU32,
}

static SHARED: Mutex<Weak<PostgresServer>> = Mutex::new(Weak::new());

/// Returns the server that concurrently running tests share.
pub(crate) fn shared() -> Arc<PostgresServer> {
    let mut shared = SHARED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let engine = Arc::new(PostgresServer::start());
        *shared = Arc::downgrade(&engine);
        engine
    })
}

/// Runs a test on a new home in a database.
pub(crate) fn home(story: impl FnOnce(&dyn Home)) {
    let engine = shared();
    let folder = folder();
    story(&engine.home(folder.path(), &[7; 32]));
}

/// Creates the local folder of a home in a database.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["spool/tmp", "spool/new", "spool/cur", "log"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    folder
}

/// An open home in its own database, which records the committed letters.
pub(crate) struct InDatabase {
    opened: Option<Box<dyn OpenHome>>,
    letters: Vec<Letter>,
    database: String,
    engine: Arc<PostgresServer>,
    _folder: TempDir,
}

impl InDatabase {
    pub(crate) fn new() -> Self {
        let (engine, folder) = (shared(), folder());
        let database = engine.database();
        let home =
            PostgresHome::new(folder.path(), engine.place(&database, Duration::from_mins(2)));
        assert!(home.init(&[7; 32]).unwrap());
        let opened = Some(home.open().unwrap());
        Self { opened, letters: Vec::new(), database, engine, _folder: folder }
    }

    fn opened(&self) -> &dyn OpenHome {
        self.opened.as_deref().expect("it is open until it is dropped")
    }
}

impl Drop for InDatabase {
    fn drop(&mut self) {
        self.opened = None;
        self.engine.sql("postgres", &format!("DROP DATABASE {} WITH (FORCE)", self.database));
    }
}

impl Documents for InDatabase {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        self.opened().load(key)
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        self.opened().keys(kind)
    }
}

impl Receipts for InDatabase {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        self.opened().receipt(mail, now)
    }
}

impl Indexes for InDatabase {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        self.opened().wakeups(game)
    }

    fn registered(&self, register: Register) -> Result<Vec<String>, Fault> {
        self.opened().registered(register)
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        self.opened().unproved_days(until)
    }

    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault> {
        self.opened().due_slots()
    }

    fn sent_count(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        self.opened().sent_count(mailbox, now)
    }
}

impl Store for InDatabase {
    fn remove(
        &mut self,
        documents: &[(Key, DocumentVersion)],
        register: Register,
    ) -> Result<(), Fault> {
        self.opened.as_mut().expect("it is open until it is dropped").remove(documents, register)
    }

    fn reserve_board_numbers(
        &self,
        game: &'static str,
        latest: u32,
        count: usize,
    ) -> Result<Vec<u32>, Fault> {
        self.opened().reserve_board_numbers(game, latest, count)
    }

    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.letters.extend(transaction.letters.iter().cloned());
        self.opened.as_mut().expect("it is open until it is dropped").commit(transaction)
    }
}

impl LetterStore for InDatabase {
    fn take_letters(&mut self) -> Vec<Letter> {
        std::mem::take(&mut self.letters)
    }

    fn copy(&self) -> Box<dyn LetterStore> {
        unreachable!("only scripts run in databases, each from an empty one")
    }
}

/// Returns whether a process runs; one that nobody has waited for does not.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

impl PostgresServer {
    /// Starts a server.
    pub(crate) fn start() -> Self {
        let (folder, programs) = (own_folder(), programs());
        let mut init = command(&programs.join("initdb"));
        init.args([
            "-A",
            "trust",
            "-U",
            "postboard",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C",
            "-D",
        ]);
        told(init.arg(folder.path().join("data")));
        Self::run(folder, programs)
    }

    fn run(folder: TempDir, programs: PathBuf) -> Self {
        let child = Mutex::new(start(&programs, folder.path()));
        let engine = Self { folder, programs, child, databases: AtomicU32::new(0) };
        engine.wait();
        engine
    }

    /// Starts a synchronous standby, which has every commit that this server acknowledges later.
    pub(crate) fn standby(&self) -> Self {
        let folder = own_folder();
        let mut copy = command(&self.programs.join("pg_basebackup"));
        copy.args(["-R", "--no-sync", "-c", "fast", "-U", "postboard", "-h"]);
        told(copy.arg(self.folder.path()).arg("-D").arg(folder.path().join("data")));
        let standby = Self::run(folder, self.programs.clone());
        self.set("synchronous_standby_names = '*'");
        self.await_answer(
            "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'",
            "1",
        );
        standby
    }

    /// Disconnects a standby; commits no longer wait for it.
    pub(crate) fn leave_behind(&self, standby: &Self) {
        self.set("synchronous_standby_names = ''");
        standby.set("primary_conninfo = ''");
        self.await_answer("SELECT count(*) FROM pg_stat_replication", "0");
    }

    fn set(&self, setting: &str) {
        self.sql("postgres", &format!("ALTER SYSTEM SET {setting}"));
        self.sql("postgres", "SELECT pg_reload_conf()");
    }

    fn await_answer(&self, question: &str, answer: &str) {
        while self.sql("postgres", question) != answer {
            std::thread::yield_now();
        }
    }

    /// Makes a standby the primary.
    pub(crate) fn promote(&self) {
        assert_eq!(self.sql("postgres", "SELECT pg_promote()"), "t");
    }

    fn wait(&self) {
        // The socket exists before the server accepts connections.
        let ready = || {
            let mut ask = command(&self.programs.join("pg_isready"));
            ask.args(["-q", "-h"]).arg(self.folder.path());
            ask.status().unwrap().success()
        };
        while !ready() {
            let ended = self.child.lock().unwrap().try_wait().unwrap();
            assert!(ended.is_none(), "{}", self.log());
            std::thread::yield_now();
        }
    }

    /// Returns the folder of the server's socket.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Kills the server, and waits until its child processes have noticed its death: until then its
    /// memory is in use, and it cannot start again.
    pub(crate) fn stop(&self) {
        let mut child = self.child.lock().unwrap();
        let pid = child.id();
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        let children = children.unwrap_or_default();
        child.kill().unwrap();
        child.wait().unwrap();
        for pid in children.split_whitespace() {
            while is_running(pid) {
                std::thread::yield_now();
            }
        }
    }

    /// Starts a killed server again on its data.
    pub(crate) fn start_again(&self) {
        let left = [".s.PGSQL.5432.lock", ".s.PGSQL.5432", "data/postmaster.pid"];
        for name in left {
            let _ = fs::remove_file(self.folder.path().join(name));
        }
        let started = start(&self.programs, self.folder.path());
        *self.child.lock().unwrap() = started;
        self.wait();
    }

    /// Kills the server and starts it again.
    pub(crate) fn kill_and_start(&self) {
        self.stop();
        self.start_again();
    }

    /// Executes SQL statements and returns their output.
    pub(crate) fn sql(&self, database: &str, words: &str) -> String {
        let mut psql = command(Path::new("psql"));
        psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", "postboard", "-d", database, "-h"]);
        let output = told(psql.arg(self.folder.path()).args(["-c", words]));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Creates a database and returns its name.
    pub(crate) fn database(&self) -> String {
        let name = format!("d{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        name
    }

    /// Returns the URL of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postboard@/{database}?host={}", self.folder.path().display())
    }

    /// Returns the URL of a database on this server or on the standby that replaces it.
    pub(crate) fn url_or(&self, standby: &Self, database: &str) -> String {
        let (first, second) = (self.folder.path().display(), standby.folder.path().display());
        format!(
            "postgres://postboard@/{database}?host={first},{second}&target_session_attrs=read-write"
        )
    }

    /// Returns the configuration of a home in a database.
    pub(crate) fn place(&self, database: &str, lease: Duration) -> DatabaseConfig {
        DatabaseConfig { url: self.url(database), password_file: None, lease }
    }

    /// Creates a home in a new database.
    pub(crate) fn home(&self, folder: &Path, key: &[u8; 32]) -> PostgresHome {
        let home = PostgresHome::new(folder, self.place(&self.database(), Duration::from_mins(2)));
        let home = home.with_strands(|_| BTreeSet::new());
        assert!(home.init(key).unwrap(), "it was none");
        assert!(!home.init(key).unwrap(), "it is one");
        home
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        if child.try_wait().is_ok_and(|ended| ended.is_some()) {
            return;
        }
        // SIGINT makes the server stop without waiting for clients.
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).unwrap();
        let _ = kill_process(pid, Signal::INT);
        let _ = child.wait();
    }
}

/// Creates a folder that the user `nobody` can use.
fn own_folder() -> TempDir {
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    if geteuid().is_root() {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let (uid, gid) = nobody();
        chown(folder.path(), Some(uid), Some(gid)).unwrap();
    }
    folder
}

/// Returns the program folder of the newest installed version.
fn programs() -> PathBuf {
    let versions = fs::read_dir(PROGRAMS).unwrap().map(|entry| entry.unwrap().path());
    versions.max().expect("the package postgresql is installed").join("bin")
}

fn start(programs: &Path, folder: &Path) -> Child {
    let mut engine = command(&programs.join("postgres"));
    engine.arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
    engine.args(["-c", "listen_addresses=", "-c", "max_connections=200"]);
    // Nothing waits for the disk; after a kill, all written data are still there.
    engine.args(["-c", "fsync=off"]);
    let log = File::options().create(true).append(true).open(folder.join("log")).unwrap();
    engine.stdout(Stdio::null()).stderr(log).spawn().unwrap()
}

/// Returns a command that runs as `nobody` if the tests run as root, because `PostgreSQL` refuses
/// root.
fn command(program: &Path) -> Command {
    if !geteuid().is_root() {
        return Command::new(program);
    }
    let (uid, gid) = nobody();
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".into()]);
    command.arg(program).current_dir("/");
    command
}

/// Returns the user and group numbers of `nobody`.
fn nobody() -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let line = users.lines().find(|line| line.starts_with("nobody:")).unwrap();
    let mut numbers = line.split(':').skip(2).map(|word| word.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

fn told(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}
