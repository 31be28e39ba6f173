//! The cost of a mail from end to end: spooled, parsed, executed, recorded and answered, durably.
//!
//! `cargo bench --bench mail` runs the real binary on the disk of `target/`, compared with `SQLite`
//! storing the same documents and with a bare program that does only the disk work. `-- --large`
//! compares a small home with one of a million boards, which takes minutes to make. `--
//! --passwords` executes 16 mails of 50 commands, each with another user's password.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench times the disk")]
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

mod town;

use benches::durable;
use postboard::base::digest::Digest;
use postboard::base::ids::UserId;
use postboard::base::password::Hashing;
use postboard::base::time::Time;
use postboard::mail::Address;
use postboard::model::board::Board;
use postboard::model::user::{self, User};
use postboard::store::{DocumentChange, FileStore, Key, Store, Transaction};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use town::{CONFIG, KEY, board, home};

const MAILS: u32 = 10_000;
const SINGLES: u32 = 300;
/// The argument that makes this program the bare one.
const BARE: &str = "bare-disk-work";

/// The real program.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| benches::program(env!("CARGO_TARGET_TMPDIR")));

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).is_some_and(|word| word == BARE) {
        return bare(Path::new(&args[2]));
    }
    if let Some(place) = args.iter().position(|word| word == "--prepare") {
        return waiting(Path::new(&args[place + 1]));
    }
    // The build is not part of the first batch's time.
    LazyLock::force(&PROGRAM);
    let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let dir = tempfile::tempdir_in(base).expect("target/tmp can be written");
    if args.iter().any(|word| word == "--large") {
        return sizes(dir.path());
    }
    if args.iter().any(|word| word == "--passwords") {
        return passwords(dir.path());
    }
    for round in 1..=3 {
        println!("round {round}");
        let dir = dir.path().join(round.to_string());
        fs::create_dir_all(&dir).expect("a folder");
        batch(&dir);
        singles(&dir);
    }
}

/// Executes 10,000 replies to different boards in one `process`.
fn batch(dir: &Path) {
    let path = dir.join("batch");
    waiting(&path);
    let (time, peak) = watched(&path);
    assert_eq!(moved(&path), MAILS, "every mail moved on its board");
    say("process, 10,000 replies, a board each", MAILS, time);
    println!("    peak memory {} MB", peak / 1024);

    let documents: Vec<String> = (1..=MAILS)
        .map(|n| fs::read_to_string(path.join(format!("boards/malaka/{}/{n}.json", n / 1000))))
        .map(|text| text.expect("a board"))
        .collect();
    let sqlite = sqlite(dir, &documents);
    say("SQLite, WAL, FULL, a transaction a mail", MAILS / 2, sqlite);
    let floor = floor(dir, &documents, 64);
    say("floor: append and sync groups of 64", MAILS, floor);
    let ours = f64::from(MAILS) / time.as_secs_f64();
    let theirs = f64::from(MAILS / 2) / sqlite.as_secs_f64();
    println!("    {:.2} x SQLite", ours / theirs);
}

/// Executes the spool; returns the time, and the peak memory in KB.
fn watched(home: &Path) -> (Duration, u64) {
    let start = Instant::now();
    let mut child = Command::new(&*PROGRAM)
        .args(["--home".as_ref(), home.as_os_str(), "process".as_ref()])
        .spawn()
        .expect("the binary runs");
    let mut peak = 0;
    let status = format!("/proc/{}/status", child.id());
    while child.try_wait().expect("a child can be waited for").is_none() {
        peak = peak.max(peak_memory(&status));
        std::thread::sleep(Duration::from_millis(5));
    }
    (start.elapsed(), peak)
}

/// Executes 16 small mails with 50 passwords each.
fn passwords(dir: &Path) {
    const USERS: u32 = 50;
    let path = dir.join("passwords");
    FileStore::init(&path, &KEY).expect("a home");
    fs::write(path.join("postboard.toml"), CONFIG).expect("a configuration");
    let hash = Hashing::default().hash("secret", [7; 16]);
    let mut store = FileStore::open(&path).expect("a home");
    let change = |number| {
        let id = UserId::parse(&format!("user{number}")).expect("a userid");
        let address = Address::parse(&format!("user{number}@example.org")).expect("an address");
        let user = User::new(id, hash.clone(), vec![address], Time::EPOCH);
        DocumentChange {
            key: Key::In(user::COLLECTION, user.id.folded()),
            was: None,
            text: user.write(),
        }
    };
    let changes = (1..=USERS).map(change).collect();
    store.commit(Transaction { changes, ..Transaction::default() }).expect("the disk works");
    store.close().expect("the disk works");
    for mail in 0..16 {
        let command = |user| format!("set user{user} secret html off\n");
        let raw = format!(
            "From: user1@example.org\nSubject: multiple\nMessage-ID: <{mail}@example.org>\n\n{}",
            (1..=USERS).map(command).collect::<String>()
        );
        fs::write(path.join(format!("spool/new/{mail:09}.1.1.0")), raw).expect("a mail");
    }
    let (time, peak) = watched(&path);
    say("process, 16 mails of 50 passwords", 16, time);
    println!("    peak memory {} MB", peak / 1024);
}

/// Makes a home whose spool holds 10,000 replies. `-- --prepare DIR` makes one for a profiler.
fn waiting(path: &Path) {
    // The spool is written without syncs: only `process` is measured.
    for (index, raw) in home(path, MAILS, MAILS).iter().enumerate() {
        fs::write(path.join(format!("spool/new/{index:09}.1.1.0")), raw).expect("a mail");
    }
    sync();
}

/// Counts the boards that have the requested move.
fn moved(home: &Path) -> u32 {
    let count = |number: &u32| {
        let game = games::find("malaka").expect("Malaka is a game");
        let path = home.join(format!("boards/malaka/{}/{number}.json", number / 1000));
        let now = Board::read(&fs::read_to_string(path).expect("a board")).expect("a sound board");
        now.next_move() > board(game, *number).0.next_move()
    };
    u32::try_from((1..=MAILS).filter(count).count()).expect("few")
}

fn peak_memory(status: &str) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The approximate length of a mail's letters.
fn letter(number: u32, to: u32) -> String {
    format!("Subject: {number} {to}\r\n\r\n{}", " +----+----+----#----+----+\r\n".repeat(140))
}

/// Stores the same documents in `SQLite`, one transaction a mail.
fn sqlite(dir: &Path, documents: &[String]) -> Duration {
    let sql = rusqlite::Connection::open(dir.join("sqlite")).expect("a database");
    sql.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
         CREATE TABLE board (game TEXT, number INTEGER, text TEXT, PRIMARY KEY (game, number));
         CREATE TABLE letter (name TEXT PRIMARY KEY, bytes TEXT);
         CREATE TABLE seen (id BLOB PRIMARY KEY, at INTEGER) WITHOUT ROWID;
         BEGIN;",
    )
    .expect("tables");
    for (number, text) in (1..).zip(documents) {
        sql.execute("INSERT INTO board VALUES ('malaka', ?, ?)", (number, text)).expect("a row");
    }
    sql.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);").expect("a checkpoint");
    let start = Instant::now();
    for (number, text) in (1..=MAILS / 2).zip(documents) {
        let run = |text: &str, values: &[&dyn rusqlite::ToSql]| {
            sql.prepare_cached(text).and_then(|mut s| s.execute(values)).expect("a row");
        };
        run("BEGIN IMMEDIATE", &[]);
        sql.prepare_cached("SELECT text FROM board WHERE game = 'malaka' AND number = ?")
            .and_then(|mut s| s.query_row([number], |row| row.get::<_, String>(0)))
            .expect("the board");
        run("UPDATE board SET text = ? WHERE game = 'malaka' AND number = ?", &[text, &number]);
        for to in 0..2 {
            let name = format!("{number}-{to}");
            run("INSERT INTO letter VALUES (?, ?)", &[&name, &letter(number, to)]);
        }
        let id = Digest::of(number.to_le_bytes()).to_vec();
        run("INSERT INTO seen VALUES (?, ?)", &[&id, &1_795_000_000]);
        run("COMMIT", &[]);
    }
    drop(sql);
    start.elapsed()
}

/// Appends the same bytes to one file and syncs them in groups, the lower bound of anything
/// durable.
fn floor(dir: &Path, documents: &[String], group: usize) -> Duration {
    let mut file = File::create(dir.join("floor")).expect("a file");
    let start = Instant::now();
    for (number, texts) in (0..).zip(documents.chunks(group)) {
        let mut bytes = Vec::new();
        for text in texts {
            bytes.extend(text.as_bytes());
            bytes.extend(letter(number, 0).as_bytes());
            bytes.extend(letter(number, 1).as_bytes());
        }
        file.write_all(&bytes).and_then(|()| file.sync_data()).expect("the disk works");
    }
    start.elapsed()
}

/// Executes mails one by one, each in its own processes.
fn singles(dir: &Path) {
    let path = dir.join("singles");
    let replies = home(&path, 1_000, SINGLES);
    sync();
    let ours = one_by_one(&path, &replies);
    say("receive and process, two processes a mail", SINGLES, ours);
    let bare = dir.join("bare");
    fs::create_dir_all(&bare).expect("a folder");
    let me = std::env::current_exe().expect("a running program");
    let start = Instant::now();
    for raw in &replies {
        run(Command::new(&me).arg(BARE).arg(&bare), raw);
    }
    let bare = start.elapsed();
    say("floor: a bare process, mail, board, reply durable", SINGLES, bare);
    println!("    {:.2} x the floor", ours.as_secs_f64() / bare.as_secs_f64());
}

fn one_by_one(home: &Path, replies: &[Vec<u8>]) -> Duration {
    let start = Instant::now();
    for raw in replies {
        let postboard = || {
            let mut command = Command::new(&*PROGRAM);
            command.arg("--home").arg(home);
            command
        };
        run(postboard().arg("receive"), raw);
        run(postboard().arg("process"), &[]);
    }
    let time = start.elapsed();
    assert_eq!(fs::read_dir(home.join("spool/new")).expect("a spool").count(), 0);
    time
}

fn run(command: &mut Command, input: &[u8]) {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program runs");
    child.stdin.take().expect("it was piped").write_all(input).expect("it reads");
    assert!(child.wait().expect("a child can be waited for").success());
}

/// Does only the disk work of one mail.
fn bare(dir: &Path) {
    let mut raw = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin(), &mut raw).expect("a mail");
    for name in ["mail", "board", "reply"] {
        durable(dir, name, &raw);
    }
}

/// Executes the same mails in a small home and in a very large one.
fn sizes(dir: &Path) {
    for boards in [100, 1_000_000] {
        let path = dir.join(format!("home-{boards}"));
        let replies = home(&path, boards, 100);
        sync();
        say(&format!("receive and process, home of {boards}"), 100, one_by_one(&path, &replies));
    }
}

fn sync() {
    let _ = Command::new("sync").status();
}

fn say(what: &str, mails: u32, time: Duration) {
    let each = time / mails;
    println!(
        "  {what:<50} {:>8.0}/s {:>9.1} us",
        1.0 / each.as_secs_f64(),
        each.as_secs_f64() * 1e6
    );
}
