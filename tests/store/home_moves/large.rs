//! Homes with many boards, whose moves between stores are killed at random times.

#![expect(clippy::print_stdout, reason = "the test prints how long it took")]

use super::{All, assert_in_database, at, checked};
use crate::store::many_boards::{add_board, begun_board};
use crate::support::files::folder;
use crate::support::postgres::PostgresServer;
use crate::support::program::{self, program_at};
use postboard::base::digest::Digest;
use postboard::base::ids::UserId;
use postboard::base::time::Time;
use postboard::mail::Address;
use postboard::model::board::Board;
use postboard::model::user::{self, User};
use postboard::model::world::count_key;
use postboard::store::{
    DocumentChange, FileStore, Key, Letter, MailKey, SentRecord, Store as _, Transaction,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The number of boards in one commit.
const GROUP: usize = 500;

/// Returns a transaction with these boards and the traces of their mails: receipts, counts, times,
/// and letters for some boards.
fn group(boards: Vec<Board>, at: Time) -> Transaction {
    let mut all = Transaction { at, ..Transaction::default() };
    for board in boards {
        let id = board.id;
        let digest = |what: &str| Digest::of(format!("{what} {id}"));
        let mail = MailKey { id: digest("id"), content: digest("content") };
        all.receipts.push(mail);
        all.swapped_receipts.push(mail.swapped());
        let short = |what| std::array::from_fn(|at| digest(what)[at]);
        all.sent.push(SentRecord { mailbox: short("mailbox"), letter: short("letter") });
        all.index_updates.wakeups.push((id, Time::from_unix(i64::from(id.number))));
        if id.number.is_multiple_of(100) {
            all.letters.push(Letter {
                name: digest("letter").short(),
                sender: None,
                to: Address::parse("a@b.example").unwrap(),
                thread: Some(id.to_string()),
                bytes: format!("Subject: {id}\n\n").into_bytes(),
            });
        }
        let key = Key::Board("malaka", id.number);
        all.changes.push(DocumentChange { key, was: None, text: board.write() });
    }
    all
}

/// Creates a home with `boards` boards; each pair of players has two boards.
fn fill(home: &Path, boards: u32) {
    FileStore::init(home, &[7; 32]).unwrap();
    fs::write(home.join("postboard.toml"), "address = \"postboard@games.example\"\n").unwrap();
    let mut files = FileStore::open(home).unwrap();
    let mut players: HashMap<UserId, User> = HashMap::new();
    let now = Time::from_unix(1_795_238_400);
    let numbers: Vec<u32> = (1..=boards).collect();
    for numbers in numbers.chunks(GROUP) {
        let group_of: Vec<Board> =
            numbers.iter().map(|number| begun_board(*number, boards)).collect();
        for board in &group_of {
            add_board(&mut players, board);
        }
        files.commit(group(group_of, now)).unwrap();
    }
    let change = |key, text| DocumentChange { key, was: None, text };
    let count = change(count_key("malaka"), format!("{boards}\n"));
    files.commit(Transaction { changes: vec![count], at: now, ..Transaction::default() }).unwrap();
    let players: Vec<_> = players.values().collect();
    for players in players.chunks(GROUP) {
        let user = |it: &&User| change(Key::In(user::COLLECTION, it.id.folded()), it.write());
        let changes = players.iter().map(user).collect();
        files.commit(Transaction { changes, at: now, ..Transaction::default() }).unwrap();
    }
    files.close().unwrap();
}

/// Runs `move-home` until it succeeds, and kills the first `kills` runs at a random time below
/// `most` milliseconds. Returns the number of kills.
fn move_killed(home: &Path, to: &str, (kills, most): (u32, u64), chance: &mut ChaCha20Rng) -> u32 {
    for killed in 0..kills {
        let mut command = program_at(home);
        command.args(["move-home", "--to", to]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        let end = Duration::from_millis(chance.random_range(0..most));
        while begun.elapsed() < end && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        // It may end just before it is killed.
        child.kill().unwrap();
        let ran = program::ended(child);
        if ran.code.is_some() {
            assert_eq!(ran.code, Some(0), "{ran:?}");
            return killed;
        }
    }
    let ran = super::moved(home, to);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
    kills
}

/// Moves a home of `boards` boards into a database and back.
fn there_and_back(base: &Path, boards: u32, kills: (u32, u64), seed: u64) {
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let engine = PostgresServer::start();
    let dir = tempfile::tempdir_in(base).unwrap();
    let home = dir.path().join("home");
    fill(&home, boards);
    // With this many players, the home needs the index that `check --repair` builds.
    assert!(at(&home, &["check", "--repair"]).code.is_some());
    let before = All::of(&home);
    assert!(before.documents.len() > boards as usize * 2);
    assert_eq!(before.looks.len(), boards as usize);
    assert_eq!(before.receipts.len(), boards as usize * 2);
    let silent = |home: &Path| assert_eq!((checked(home).code, &*checked(home).out), (Some(0), ""));
    let database = engine.database();
    let begun = Instant::now();
    let killed = move_killed(&home, &engine.url(&database), kills, &mut chance);
    let there = begun.elapsed();
    assert_in_database(&engine, &database, &before);
    let begun = Instant::now();
    silent(&home);
    let check = begun.elapsed();
    let begun = Instant::now();
    let again = move_killed(&home, "files", kills, &mut chance);
    let back = begun.elapsed();
    All::of(&home).assert_is(&before);
    silent(&home);
    assert_eq!(at(&home, &["malaka", "show", "1"]).code, Some(0));
    println!(
        "{boards} boards: there in {there:.1?}, killed {killed} times; `check` twice in {check:.1?}; \
         back in {back:.1?}, killed {again} times"
    );
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_move_that_is_killed_at_random_moments_goes_on_in_a_database() {
    for seed in 1..=3 {
        there_and_back(folder().path(), 2_000, (12, 700), seed);
    }
}

#[test]
#[ignore = "minutes; needs PostgreSQL, and a build with `--profile dist`"]
fn a_home_of_a_hundred_thousand_boards_moves_there_and_back() {
    there_and_back(Path::new(env!("CARGO_TARGET_TMPDIR")), 100_000, (5, 20_000), 1);
}
