//! The cost of making a mail's changes durable, compared with `SQLite` and with the bare disk.
//!
//! `cargo bench --bench store` runs on the disk of `target/`. One mail changes a board of 6 KB,
//! sends two letters of 4 KB and leaves one receipt. Times include everything until the home is
//! closed. An argument after `--` selects benchmarks by name.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench times the disk")]
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

use postboard::base::digest::Digest;
use postboard::base::time::Time;
use postboard::mail::Address;
use postboard::store::Letter;
use postboard::store::{
    DocumentChange, Documents as _, FileStore, Key, MailKey, Store, Transaction,
};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The mails in a run of groups, and one by one.
const MAILS: u32 = 10_240;
const SINGLES: u32 = 1_000;
/// The simulated time of parsing, rules and composing for a mail, in microseconds.
const THINK: u32 = 60;
/// The number of boards.
const BOARDS: u32 = 2_000;

fn main() {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let dir = tempfile::tempdir_in(base).expect("target/tmp can be written");
    for round in 1..=3 {
        println!("round {round}: mails/s (us a mail)");
        let dir = dir.path().join(round.to_string());
        fs::create_dir_all(&dir).expect("a folder");
        let run = |what: &str, mails: u32, measure: &dyn Fn() -> Duration| {
            if what.contains(&wanted) {
                say(what, mails, measure());
            }
        };
        for group in [1, 64, 256] {
            let mails = if group == 1 { SINGLES } else { MAILS };
            let what = format!("floor, append + fsync, groups of {group}");
            run(&what, mails, &|| floor(&dir, mails, group));
        }
        let mails = SINGLES * 4;
        run("SQLite WAL FULL, a transaction a mail", mails, &|| sqlite(&dir, mails));
        run("FileStore, a commit a mail", SINGLES, &|| files(&dir, SINGLES, 1));
        run("FileStore, an opening and a commit a mail", SINGLES, &|| processes(&dir, SINGLES));
        for group in [64, 256] {
            let what = format!("FileStore, groups of {group}, a board a mail");
            run(&what, MAILS, &|| files(&dir, MAILS, group));
            let what = format!("FileStore, groups of {group}, {THINK} us of thinking");
            run(&what, MAILS, &|| thinking(&dir, MAILS, group));
        }
    }
}

fn say(what: &str, mails: u32, time: Duration) {
    let each = time / mails;
    println!("  {what:<44} {:>8.0} ({:.1})", 1.0 / each.as_secs_f64(), each.as_secs_f64() * 1e6);
}

fn board(mail: u32) -> String {
    let entry = |n| format!("  \"{n} ohs 13-7,8-7 eks 24-18,13-11 {mail}\"");
    let entries: Vec<_> = (0..140).map(entry).collect();
    format!("{{\"record\": [\n{}]}}\n", entries.join(",\n"))
}

fn letter(mail: u32, to: u32) -> Letter {
    let line = " 12 11 10  9  8  7 | 6  5  4  3  2  1 |   O O O X X X O O O X X X\r\n";
    Letter {
        name: data_encoding::HEXLOWER.encode(&Digest::of(format!("{mail} {to}"))[..20]),
        sender: Address::parse("bounces@postboard.example"),
        to: Address::parse(&format!("player{to}@example.org")).expect("an address"),
        thread: Some(format!("malaka-{}", mail % BOARDS)),
        bytes: format!("Subject: {mail}\r\n\r\n{}", line.repeat(60)).into_bytes(),
    }
}

/// Makes a group of mails. Their boards are loaded, as for real mails.
fn group(store: &FileStore, mails: std::ops::Range<u32>) -> Transaction {
    let mut transaction =
        Transaction { at: Time::from_unix(1_795_000_000), ..Transaction::default() };
    for mail in mails {
        let key = Key::Board("malaka", mail * 7 % BOARDS);
        let was = store.load(&key).expect("the disk works").version;
        transaction.changes.push(DocumentChange { key, was, text: board(mail) });
        transaction.letters.extend([letter(mail, 1), letter(mail, 2)]);
        let id = Digest::of(mail.to_string());
        transaction.receipts.push(MailKey { id, content: id });
    }
    transaction
}

fn home(dir: &Path, name: &str) -> PathBuf {
    let home = dir.join(name);
    FileStore::init(&home, &[1; 32]).expect("a new home");
    let mut store = FileStore::open(&home).expect("a home");
    for first in (0..BOARDS).step_by(250) {
        let changes = (first..first + 250).map(|number| DocumentChange {
            key: Key::Board("malaka", number),
            was: None,
            text: board(number),
        });
        let transaction = Transaction { changes: changes.collect(), ..Transaction::default() };
        store.commit(transaction).expect("the disk works");
    }
    store.close().expect("the disk works");
    home
}

/// Times the store alone, without making up the mails' content.
fn files(dir: &Path, mails: u32, size: u32) -> Duration {
    let home = home(dir, &format!("files-{size}"));
    let mut store = FileStore::open(&home).expect("a home");
    let mut time = Duration::ZERO;
    let mut commits = Duration::ZERO;
    for first in (0..mails).step_by(size as usize) {
        let transaction = group(&store, first..first + size);
        let start = Instant::now();
        for change in &transaction.changes {
            store.load(&change.key).expect("the disk works");
        }
        let commit = Instant::now();
        store.commit(transaction).expect("the disk works");
        commits += commit.elapsed();
        time += start.elapsed();
    }
    let start = Instant::now();
    store.close().expect("the disk works");
    let close = start.elapsed();
    println!("    a commit took {:?}, closing {close:?}", commits / (mails / size));
    time + close
}

/// Times runs with `begin` and `finish`: loading, thinking and committing, without making up the
/// mails.
fn thinking(dir: &Path, mails: u32, size: u32) -> Duration {
    let home = home(dir, &format!("thinking-{size}"));
    let mut store = FileStore::open(&home).expect("a home");
    let mut time = Duration::ZERO;
    for first in (0..mails).step_by(size as usize) {
        let transaction = group(&store, first..first + size);
        let start = Instant::now();
        for change in &transaction.changes {
            store.load(&change.key).expect("the disk works");
            let think = Instant::now();
            while think.elapsed() < Duration::from_micros(THINK.into()) {
                std::hint::spin_loop();
            }
        }
        store.begin_commit(transaction).expect("the disk works");
        time += start.elapsed();
    }
    let start = Instant::now();
    store.close().expect("the disk works");
    time + start.elapsed()
}

fn processes(dir: &Path, mails: u32) -> Duration {
    let home = home(dir, "processes");
    let mut time = Duration::ZERO;
    for mail in 0..mails {
        let start = Instant::now();
        let mut store = FileStore::open(&home).expect("a home");
        let opened = start.elapsed();
        let transaction = group(&store, mail..mail + 1);
        let start = Instant::now();
        store.commit(transaction).expect("the disk works");
        store.close().expect("the disk works");
        time += opened + start.elapsed();
    }
    time
}

/// Appends and syncs the same bytes, the lower bound of anything durable.
fn floor(dir: &Path, mails: u32, size: u32) -> Duration {
    let mut file = File::create(dir.join(format!("floor-{size}"))).expect("a file");
    let mut bytes = board(1).into_bytes();
    bytes.extend(letter(1, 1).bytes);
    bytes.extend(letter(1, 2).bytes);
    let bytes = bytes.repeat(size as usize);
    let start = Instant::now();
    for _ in 0..mails / size {
        file.write_all(&bytes).and_then(|()| file.sync_data()).expect("the disk works");
    }
    start.elapsed()
}

fn sqlite(dir: &Path, mails: u32) -> Duration {
    let sql = rusqlite::Connection::open(dir.join("sqlite")).expect("a database");
    sql.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
         CREATE TABLE board (game TEXT, number INTEGER, text TEXT, PRIMARY KEY (game, number));
         CREATE TABLE letter (name TEXT PRIMARY KEY, recipient TEXT, thread TEXT, bytes BLOB);
         CREATE TABLE seen (id BLOB PRIMARY KEY, content BLOB, at INTEGER) WITHOUT ROWID;
         BEGIN;",
    )
    .expect("tables");
    for number in 0..BOARDS {
        sql.execute("INSERT INTO board VALUES ('malaka', ?, ?)", (number, board(number)))
            .expect("a row");
    }
    sql.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);").expect("a checkpoint");
    let work: Vec<_> = (0..mails).map(|m| (m, board(m), [letter(m, 1), letter(m, 2)])).collect();
    let start = Instant::now();
    for (mail, text, letters) in &work {
        let number = mail * 7 % BOARDS;
        let prepared = |text: &str, values: &[&dyn rusqlite::ToSql]| {
            sql.prepare_cached(text).and_then(|mut s| s.execute(values)).expect("a row");
        };
        prepared("BEGIN IMMEDIATE", &[]);
        sql.prepare_cached("SELECT text FROM board WHERE game = 'malaka' AND number = ?")
            .and_then(|mut s| s.query_row([number], |row| row.get::<_, String>(0)))
            .expect("the board");
        prepared(
            "UPDATE board SET text = ? WHERE game = 'malaka' AND number = ?",
            &[text, &number],
        );
        for letter in letters {
            prepared(
                "INSERT INTO letter VALUES (?, ?, ?, ?)",
                &[&letter.name, &letter.to.as_str(), &letter.thread, &letter.bytes],
            );
        }
        let id = Digest::of(mail.to_string()).to_vec();
        prepared("INSERT INTO seen VALUES (?, ?, ?)", &[&id, &id, &1_795_000_000]);
        prepared("COMMIT", &[]);
    }
    drop(sql);
    start.elapsed()
}
