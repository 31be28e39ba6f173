//! The cost of a home in a database: mails a second with 1, 2, 4 and 8 workers, compared with
//! `pgbench` on the same database with as many clients, and with a home in files.
//!
//! `cargo bench --bench scale` runs the real binary and Debian's `PostgreSQL` with its default
//! settings, which sync to disk. `-- --challenges` measures mails that all begin boards of one game, and
//! `-- --large` compares a home of a thousand boards with one of a million.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench times the disk")]
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

mod engine;
mod town;

use benches::median;
use engine::{Engine, ticks};
use postboard::mail::Address;
use postboard::server::strands;
use postboard::store::postgres::{DatabaseConfig, PostgresHome};
use postboard::store::{FileStore, Home as _};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use town::{CONFIG, KEY, PLAYERS, fill, home};

/// The mails in a run, each for another board.
const MAILS: u32 = 4_000;
const ROUNDS: usize = 3;
/// The commands in each of the compared homes.
const COMMANDS: u32 = 150;
const SMALL: u32 = 1_000;
const LARGE: u32 = 1_000_000;
/// The scale of `pgbench`, in 100,000 rows: large enough that clients do not collide.
const SCALE: u32 = 10;
/// The duration of a `pgbench` run, in seconds.
const SECONDS: u32 = 5;

/// The real program.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| benches::program(env!("CARGO_TARGET_TMPDIR")));

fn main() {
    // The build is not part of the measured time.
    LazyLock::force(&PROGRAM);
    let engine = Engine::start();
    if std::env::args().any(|word| word == "--large") {
        return sizes(&engine);
    }
    if std::env::args().any(|word| word == "--challenges") {
        return challenges(&engine);
    }
    engine.sql("postgres", "CREATE DATABASE town");
    let folder = folder(&engine, "town");
    let replies = in_database(&engine, &folder, "town", MAILS, MAILS);
    put(&engine, &folder, &replies);
    engine.sql("postgres", "CREATE DATABASE bench");
    engine.pgbench(&format!("-i -q -s {SCALE} bench"));
    for workers in [1, 2, 4, 8] {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            engine.sql("postgres", "CHECKPOINT");
            theirs.push(simple_updates(&engine, workers));
            engine.sql("postgres", "CHECKPOINT");
            ours.push(mails(&engine, workers));
        }
        let (ours, theirs) = (median(&ours), median(&theirs));
        let ratio = ours / theirs;
        println!(
            "  {workers} workers: {ours:.0} mails/s, pgbench -N {theirs:.0} tps: {ratio:.2} x"
        );
    }
    let files: Vec<f64> = (0..ROUNDS).map(|_| in_files()).collect();
    println!("  files, one process: {:.0} mails/s", median(&files));
}

/// Puts mails into the spool of the home that each run copies.
fn put(engine: &Engine, folder: &TempDir, mails: &[Vec<u8>]) {
    let store = store(engine, folder, "town");
    for raw in mails {
        store.put(raw, None).expect("the database takes it");
    }
    // Open connections would prevent a copy of the database.
    let connected = "FROM pg_stat_activity WHERE datname = 'town'";
    engine.sql("postgres", &format!("SELECT pg_terminate_backend(pid, 5000) {connected}"));
}

/// Returns a mail by which one of the players challenges the next one.
fn challenge_mail(number: u32) -> Vec<u8> {
    let [by, to] = [number, number + 1].map(|number| format!("player{}", number % PLAYERS));
    format!(
        "Return-Path: <{by}@example.org>\r\nFrom: {by} <{by}@example.org>\r\nTo: Postboard \
         <postboard@games.example>\r\nSubject: malaka challenge {by} {to}\r\nDate: Sat, 21 Nov 2026 \
         10:00:00 +0000\r\nMessage-ID: <{number}.challenge@example.org>\r\n\r\n"
    )
    .into_bytes()
}

/// Executes mails that all begin boards of one game.
fn challenges(engine: &Engine) {
    engine.sql("postgres", "CREATE DATABASE town");
    let folder = folder(engine, "town");
    in_database(engine, &folder, "town", SMALL, 0);
    put(engine, &folder, &(0..MAILS).map(challenge_mail).collect::<Vec<_>>());
    for workers in [1, 2, 4] {
        let rates: Vec<f64> = (0..ROUNDS).map(|_| mails(engine, workers)).collect();
        let begun = "SELECT count(*) FROM documents WHERE name LIKE 'boards/malaka/%/%.json'";
        assert_eq!(engine.sql("run", begun), (SMALL + MAILS).to_string(), "each began a board");
        println!("  {workers} workers: {:.0} challenges/s", median(&rates));
    }
}

/// Returns the transactions a second of `pgbench` with some clients.
fn simple_updates(engine: &Engine, clients: usize) -> f64 {
    let threads = clients.min(2);
    let words = format!("-N -n -M prepared -c {clients} -j {threads} -T {SECONDS} bench");
    let said = engine.pgbench(&words);
    let line = said.lines().find_map(|line| line.strip_prefix("tps = ")).expect("it tells");
    line.split(' ').next().and_then(|word| word.parse().ok()).expect("a number")
}

/// Makes the folder of a home in a database.
fn folder(engine: &Engine, database: &str) -> TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    FileStore::create_local_folders(folder.path()).expect("the disk works");
    configure(folder.path(), engine, database);
    folder
}

fn configure(folder: &Path, engine: &Engine, database: &str) {
    let config = format!("{CONFIG}[store]\nurl = \"{}\"\n", engine.url(database));
    fs::write(folder.join("postboard.toml"), config).expect("a configuration");
}

fn store(engine: &Engine, folder: &TempDir, database: &str) -> PostgresHome {
    let lease = Duration::from_mins(2);
    let place = DatabaseConfig { url: engine.url(database), password_file: None, lease };
    let own = Address::parse("postboard@games.example").expect("an address");
    PostgresHome::new(folder.path(), place).with_strands(move |raw| strands(raw, &own))
}

/// Makes a home with boards, and replies for some of them.
fn in_database(
    engine: &Engine,
    folder: &TempDir,
    database: &str,
    boards: u32,
    mails: u32,
) -> Vec<Vec<u8>> {
    let store = store(engine, folder, database);
    assert!(store.init(&KEY).expect("the database is there"), "it is new");
    let mut opened = store.open().expect("a home");
    let replies = fill(&mut *opened, boards, mails);
    opened.close().expect("the database works");
    replies
}

/// Executes the spool with concurrent workers and returns the mails a second.
fn mails(engine: &Engine, workers: usize) -> f64 {
    engine.sql("postgres", "DROP DATABASE IF EXISTS run; ");
    engine.sql("postgres", "CREATE DATABASE run TEMPLATE town");
    let folder = folder(engine, "run");
    engine.sql("run", "VACUUM ANALYZE");
    let me = std::process::id();
    let written = "SELECT pg_current_wal_lsn() - '0/0'";
    let before = (engine.number("run", written), engine.seconds(), ticks(me, 4));
    let start = Instant::now();
    let begun: Vec<Child> = (0..workers).map(|_| begin(folder.path(), &["process"])).collect();
    for mut child in begun {
        assert!(child.wait().expect("a child can be waited for").success());
    }
    let time = start.elapsed();
    let (wal, server, client) = (
        engine.number("run", written) - before.0,
        engine.seconds() - before.1,
        ticks(me, 4) - before.2,
    );
    assert_eq!(engine.sql("run", "SELECT count(*) FROM mails"), "0", "all were executed");
    // Each mail leaves one receipt for its Message-ID and one for its content.
    assert_eq!(engine.sql("run", "SELECT count(*) FROM receipts"), (2 * MAILS).to_string());
    let of = "FROM pg_stat_database WHERE datname = 'run'";
    let tried =
        engine.sql("run", &format!("SELECT xact_commit || ', given up ' || xact_rollback {of}"));
    let each = |seconds: f64| seconds * 1e6 / f64::from(MAILS);
    println!(
        "    {workers}: {time:.2?}; a mail: {:.0} us in workers, {:.0} us in the engine, {:.0} bytes of WAL; \
         transactions {tried}",
        each(client),
        each(server),
        wal / f64::from(MAILS)
    );
    f64::from(MAILS) / time.as_secs_f64()
}

/// Executes the same mails in a home in files.
fn in_files() -> f64 {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let path = dir.path().join("home");
    for (index, raw) in home(&path, MAILS, MAILS).iter().enumerate() {
        fs::write(path.join(format!("spool/new/{index:09}.1.1.0")), raw).expect("a mail");
    }
    let _ = Command::new("sync").status();
    let start = Instant::now();
    assert!(begin(&path, &["process"]).wait().expect("a child can be waited for").success());
    f64::from(MAILS) / start.elapsed().as_secs_f64()
}

fn begin(home: &Path, words: &[&str]) -> Child {
    let mut command = Command::new(&*PROGRAM);
    command.arg("--home").arg(home).args(words).stdin(Stdio::null()).stdout(Stdio::null());
    command.spawn().expect("the binary runs")
}

/// Returns the time of a command in milliseconds.
fn timed(home: &Path, words: &[&str], input: &[u8]) -> f64 {
    let start = Instant::now();
    let mut command = Command::new(&*PROGRAM);
    command.arg("--home").arg(home).args(words).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("the binary runs");
    child.stdin.take().expect("it was piped").write_all(input).expect("it reads");
    assert!(child.wait().expect("a child can be waited for").success(), "{words:?}");
    start.elapsed().as_secs_f64() * 1e3
}

/// Runs the same commands alternately in a small home and in a very large one.
fn sizes(engine: &Engine) {
    let homes = ["small", "large"].map(|database| {
        engine.sql("postgres", &format!("CREATE DATABASE {database}"));
        let folder = folder(engine, database);
        let replies = in_database(engine, &folder, database, SMALL, COMMANDS);
        (folder, replies)
    });
    let start = Instant::now();
    grow(engine);
    for database in ["small", "large"] {
        engine.sql(database, "VACUUM ANALYZE");
    }
    engine.sql("postgres", "CHECKPOINT");
    println!("    a million boards were made in {:.1?}", start.elapsed());
    let mut times: [[Vec<f64>; 2]; 2] = Default::default();
    for index in 0..COMMANDS as usize {
        for ((folder, replies), times) in homes.iter().zip(&mut times) {
            let move_made = timed(folder.path(), &["receive"], &replies[index]);
            times[0].push(move_made + timed(folder.path(), &["process"], b""));
            let board = (index + 1).to_string();
            times[1].push(timed(folder.path(), &["malaka", "show", &board], b""));
        }
    }
    for (kind, what) in ["a reply, received and executed", "a board is shown"].iter().enumerate() {
        let [small, large] = times.each_ref().map(|times| median(&times[kind]));
        println!("  {what}: {small:.1} ms, of a million {large:.1} ms: {:.2} x", large / small);
    }
}

/// Copies existing boards under new numbers.
fn grow(engine: &Engine) {
    engine.sql(
        "large",
        &format!(
            "INSERT INTO documents (name, folder, version, text) \
             SELECT 'boards/malaka/' || number / 1000 || '/' || number || '.json', 'boards/malaka', \
             sha256(convert_to(board, 'UTF8')), board FROM (SELECT number, \
             regexp_replace(text, '\"board\":\"malaka[^\"]*\"', '\"board\":\"malaka ' || number || '\"') \
             AS board FROM generate_series({SMALL} + 1, {LARGE}) AS number \
             JOIN documents ON name = 'boards/malaka/0/' || number % 500 + {COMMANDS} + 1 || '.json') AS boards; \
             UPDATE documents SET text = '{LARGE}' || chr(10), \
             version = sha256(convert_to('{LARGE}' || chr(10), 'UTF8')) \
             WHERE name = 'boards/malaka/count'; \
             INSERT INTO looks SELECT 'malaka', number, extract(epoch FROM now())::bigint + 1000000 \
             FROM generate_series({SMALL} + 1, {LARGE}) AS number"
        ),
    );
}
