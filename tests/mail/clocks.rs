//! Reminders and losses on time, in a home on disk: interrupted at every step, late, run twice, and
//! repaired.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test damages a home")]

use crate::support::faults::{ENOSPC, Trouble, troubled};
use crate::support::files::{copy, empty_outbox, folder};
use crate::support::home::{self, KEY};
use crate::support::letters::{sent_text, waiting};
use crate::support::program::{self, Home, Ran};
use games::{Roll, Scripted};
use postboard::base::chance::ScriptedRandom;
use postboard::base::time::{DAY, Span, Time, days, minutes};
use postboard::config::{Config, SAMPLE};
use postboard::model::user;
use postboard::server::check::check;
use postboard::server::remind;
use postboard::server::{Server, Setup, ShellAnswer, shell_request};
use postboard::store::Letter;
use postboard::store::disk::Disk;
use postboard::store::{Documents as _, Fault, FileStore, Indexes as _, Key, MemoryStore, Store};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use tempfile::TempDir;

const START: Time = Time::from_unix(1_093_003_200);

/// Returns dice that give the same roll every time.
fn ones() -> ScriptedRandom {
    ScriptedRandom::new(Scripted::falling(0, |throw, _| match throw.dice {
        1 => Roll::One(1),
        _ => Roll::Two(2, 1),
    }))
}

fn setup() -> Setup {
    home::setup(Config::read(SAMPLE).unwrap())
}

/// Executes a command of the operator's shell.
fn say(store: &mut dyn Store, line: &str, now: Time) -> String {
    let (setup, mut chance) = (setup(), ones());
    let mut server = Server::new(&setup, &mut chance);
    let operator = !line.starts_with("signup");
    let request = shell_request(line.into(), operator, "hello".into());
    let ShellAnswer { text, is_done } = server.execute_shell_command(&request, store, now).unwrap();
    assert!(is_done, "{line}: {text}");
    store.commit(server.take_transaction()).unwrap();
    text
}

fn run(store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    let (setup, mut chance) = (setup(), ones());
    let mut server = Server::new(&setup, &mut chance);
    remind::run(&mut server, store, None, now, &mut |_| true).map(drop)
}

/// Sets up three boards for alice and bob; on the second board both have moved.
fn boards(store: &mut dyn Store) {
    for user in ["alice", "bob"] {
        say(store, &format!("signup {user} secret {user}@example.org"), START);
    }
    for _ in 0..3 {
        say(store, "moloko challenge alice bob --nagtime=2 --forfeittime=4", START);
    }
    let first = |text: &str| {
        let (_, list) = text.split_once("legal plays").unwrap();
        list.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
    };
    let shown = say(store, "moloko chat 2 alice", START);
    say(store, &format!("moloko move 2 alice {}", first(&shown)), START);
    let shown = say(store, "moloko chat 2 bob", START);
    say(store, &format!("moloko move 2 bob {}", first(&shown)), START);
}

/// A process that runs only when the last run said so does everything at its time.
#[test]
fn runs_at_the_next_wakeup_alone_are_enough() {
    let mut store = MemoryStore::new();
    boards(&mut store);
    store.take_letters();
    let (mut now, mut acts, mut runs) = (START, Vec::new(), 0);
    while now < START + days(5) {
        run(&mut store, now).unwrap();
        if !store.take_letters().is_empty() {
            acts.push(now - START);
        }
        let next = remind::next_run(&store, now).unwrap();
        assert!(next > now, "{now}");
        (now, runs) = (next, runs + 1);
    }
    // Two reminders, then the ends of the boards.
    assert_eq!(acts, [2, 3, 4].map(days));
    assert!(runs < 5 * 24 + 60, "{runs} runs");
    // A document that stays due does not make runs follow each other at once.
    assert_eq!(remind::next_look(START, START), START + minutes(1));
    assert_eq!(remind::next_look(START + minutes(9), START), START + minutes(9));
}

fn home() -> TempDir {
    let dir = folder();
    FileStore::init(dir.path(), &KEY).unwrap();
    let mut files = FileStore::open(dir.path()).unwrap();
    boards(&mut files);
    files.close().unwrap();
    empty_outbox(dir.path());
    dir
}

/// Returns the recipient and the Subject of each letter in the outbox, in order.
fn outbox(home: &Path) -> Vec<String> {
    let mut mails = Vec::new();
    for text in waiting(home) {
        let mut to = "";
        for line in text.lines() {
            to = line.strip_prefix("To: ").unwrap_or(to);
            if let Some(subject) = line.strip_prefix("Subject: ") {
                mails.push(format!("{to}: {subject}"));
            }
        }
    }
    mails.sort();
    mails
}

/// Returns the documents that reminders may change.
fn documents(home: &Path) -> Vec<Option<String>> {
    let files = FileStore::read(home).unwrap();
    let boards = (1..=3).map(|number| Key::Board("moloko", number));
    let users = ["alice", "bob"].map(|user| Key::In(user::COLLECTION, user.into()));
    boards.chain(users).map(|key| files.load(&key).unwrap().text).collect()
}

#[track_caller]
fn assert_sound(home: &Path, now: Time) {
    home::assert_sound(&*FileStore::read(home).unwrap(), now);
}

#[test]
fn a_stop_at_any_step_leaves_each_reminder_sent_once() {
    let ended = stopped_at_any_step(&home());
    assert!(ended[1].as_ref().unwrap().contains("\"forfeiting\""), "{ended:?}");
}

/// The player whose turn it is on the second board has offered a draw.
#[test]
fn a_stop_at_any_step_leaves_a_draw_agreed_once() {
    let home = home();
    let mut files = FileStore::open(home.path()).unwrap();
    say(&mut files, "moloko propose 2 alice", START);
    files.close().unwrap();
    empty_outbox(home.path());
    assert_sound(home.path(), START);
    let ended = stopped_at_any_step(&home);
    let board = ended[1].as_ref().unwrap();
    assert!(board.contains("\"assenting\"") && board.contains("\"rated\""), "{board}");
}

/// Interrupts reminders at every step and checks that the home always ends in the same state.
fn stopped_at_any_step(original: &TempDir) -> Vec<Option<String>> {
    let days = [2, 3, 4, 5].map(|day| START + day * DAY);
    // The result of an uninterrupted run.
    let calm = tempfile::tempdir_in(original.path().parent().unwrap()).unwrap();
    copy(original.path(), calm.path());
    for now in days {
        let mut files = FileStore::open(calm.path()).unwrap();
        run(&mut files, now).unwrap();
        files.close().unwrap();
        assert_sound(calm.path(), now);
    }
    let (mails, texts) = (outbox(calm.path()), documents(calm.path()));
    assert_eq!(mails.len(), 12, "two reminders and an end for both, on three boards: {mails:?}");
    for trouble in [Trouble::Stop, Trouble::Once(ENOSPC)] {
        for at in 0.. {
            let dir = tempfile::tempdir_in(original.path().parent().unwrap()).unwrap();
            copy(original.path(), dir.path());
            let (disk, count) = troubled(at, trouble);
            for now in days {
                let stopped = FileStore::open_on(dir.path(), disk.clone()).and_then(|mut files| {
                    run(&mut files, now)?;
                    files.close()
                });
                if stopped.is_err() || trouble == Trouble::Stop {
                    // After any interruption, no board has its next wakeup too late.
                    assert_sound(dir.path(), now);
                    let mut files = FileStore::open(dir.path()).unwrap();
                    run(&mut files, now).unwrap();
                    files.close().unwrap();
                }
                assert_sound(dir.path(), now);
            }
            assert_eq!(outbox(dir.path()), mails, "{trouble:?} at step {at}");
            assert_eq!(documents(dir.path()), texts, "{trouble:?} at step {at}");
            if count.load(Ordering::SeqCst) <= at {
                assert!(at > 20, "{at} steps only: is it watched?");
                break;
            }
        }
    }
    texts
}

#[test]
fn an_offer_and_its_end_are_known_to_the_index() {
    let mut memory = MemoryStore::new();
    boards(&mut memory);
    let well = |memory: &MemoryStore, now: Time| {
        home::assert_sound(memory, now);
        memory.wakeups("moloko").unwrap().board(2).unwrap() - START
    };
    assert_eq!(well(&memory, START), 2 * DAY, "a reminder to move");
    say(&mut memory, "moloko propose 2 bob", START + DAY);
    assert_eq!(well(&memory, START + DAY), 3 * DAY, "a reminder to answer");
    // Alice is on vacation until the fifth day. When she returns earlier, the board is due at once.
    say(&mut memory, "vacation alice 2004-08-25", START + DAY);
    run(&mut memory, START + 3 * DAY).unwrap();
    assert!(well(&memory, START + 3 * DAY) > 5 * DAY);
    say(&mut memory, "vacation alice off", START + 3 * DAY);
    assert_eq!(well(&memory, START + 3 * DAY), Time::EPOCH - START, "at once");
    run(&mut memory, START + 4 * DAY).unwrap();
    well(&memory, START + 4 * DAY);
    say(&mut memory, "moloko reject 2 alice", START + 4 * DAY);
    assert!(well(&memory, START + 4 * DAY) <= 6 * DAY);
}

#[test]
fn a_look_that_becomes_earlier_is_written_before_the_commit() {
    let original = home();
    let vacation = |home: &Path, words: &str, disk: Disk| -> Result<(), Fault> {
        let (setup, mut chance) = (setup(), ones());
        let mut files = FileStore::open_on(home, disk)?;
        let mut server = Server::new(&setup, &mut chance);
        let request = shell_request(format!("vacation alice {words}"), true, String::new());
        server.execute_shell_command(&request, &files, START).unwrap();
        files.commit(server.take_transaction())?;
        files.close()
    };
    vacation(original.path(), "2004-09-20", Disk::default()).unwrap();
    let mut files = FileStore::open(original.path()).unwrap();
    // A run during the vacation postpones the boards to the end of the vacation.
    run(&mut files, START + 9 * DAY).unwrap();
    let looks = files.wakeups("moloko").unwrap();
    assert!(looks.board(1).unwrap() > START + 30 * DAY, "{looks:?}");
    files.close().unwrap();
    for at in 0.. {
        let dir = tempfile::tempdir_in(original.path().parent().unwrap()).unwrap();
        copy(original.path(), dir.path());
        let (disk, count) = troubled(at, Trouble::Stop);
        let ended = vacation(dir.path(), "off", disk);
        assert_sound(dir.path(), START);
        if ended.is_ok() {
            let mut files = FileStore::open(dir.path()).unwrap();
            run(&mut files, START + 3 * DAY).unwrap();
            files.close().unwrap();
            assert_eq!(outbox(dir.path()).len(), 3, "three boards wait for alice");
        }
        if count.load(Ordering::SeqCst) <= at {
            break;
        }
    }
}

#[test]
fn a_move_that_shortens_the_wait_is_known_to_the_index() {
    let mut memory = MemoryStore::new();
    boards(&mut memory);
    say(&mut memory, "vacation bob 2004-09-20", START);
    let count = |memory: &mut MemoryStore| {
        let letters: Vec<Letter> = memory.take_letters();
        letters.len()
    };
    count(&mut memory);
    run(&mut memory, START + 2 * DAY).unwrap();
    assert_eq!(count(&mut memory), 3);
    let plays = say(&mut memory, "moloko chat 1 alice", START + 2 * DAY);
    assert!(plays.contains("reminder 2004-08-23, forfeit 2004-08-24"), "{plays}");
}

/// Derived data of the boards is lost or wrong, and `remind` restores it.
#[test]
fn damaged_indexes_counts_and_ratings_are_mended_at_once() {
    let dir = home();
    let path = dir.path();
    let now = START + 5 * DAY;
    let mut files = FileStore::open(path).unwrap();
    for day in [2, 3, 4] {
        run(&mut files, START + day * DAY).unwrap();
    }
    say(&mut files, "moloko challenge bob alice", now);
    let standings = say(&mut files, "moloko standings", now);
    files.close().unwrap();
    assert_sound(path, now);
    let alice = path.join("users/al/alice.json");
    let good = fs::read_to_string(&alice).unwrap();
    let board = path.join("boards/moloko/0/2.json");
    let rated = fs::read_to_string(&board).unwrap();
    let count = path.join("boards/moloko/count");
    let looks = path.join("boards/moloko/looks");
    let names = path.join("boards/moloko/rated");
    let edit = |path: &Path, from: &str, to: &str| {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains(from), "{from} in {text}");
        fs::write(path, text.replace(from, to)).unwrap();
    };
    let far = || {
        let mut bytes = fs::read(&looks).unwrap();
        bytes[32..40].copy_from_slice(&i64::MAX.to_le_bytes());
        fs::write(&looks, bytes).unwrap();
    };
    let damages: [(&dyn Fn(), &str); 8] = [
        (&|| edit(&alice, "\"1400.00\"", "\"1900.00\""), "the moloko rating of alice differs"),
        (&|| edit(&alice, "\"lost\": 1", "\"lost\": 4"), "the moloko rating of alice differs"),
        (&|| edit(&alice, "\"moloko 4\"", "\"moloko 1\""), "active boards of alice differs"),
        (&|| edit(&board, "\"1800.00\"", "\"1850.00\""), "has changed ratings by what it should"),
        (&|| edit(&board, "\"rated\"", "\"rated\":null,\"nags\""), "cannot be read"),
        (&|| fs::write(&count, "2\n").unwrap(), "the count of moloko boards is below board 4"),
        (&far, "look at moloko 4 later"),
        (&|| fs::write(&names, "\nbob").unwrap(), "the index of moloko ratings lacks alice"),
    ];
    for (damage, said) in damages {
        damage();
        let report = check(&*FileStore::read(path).unwrap(), now).unwrap();
        let lines = [report.wrong.clone(), report.mended.clone()].concat();
        assert!(lines.iter().any(|line| line.contains(said)), "{said}: {lines:?}");
        if report.wrong.is_empty() {
            let mut files = FileStore::open(path).unwrap();
            files.commit(report.repair).unwrap();
            files.close().unwrap();
        } else {
            fs::write(&board, &rated).unwrap();
        }
        assert_sound(path, now);
        assert_eq!(fs::read_to_string(&alice).unwrap(), good, "{said}");
        assert_eq!(fs::read_to_string(&board).unwrap(), rated, "{said}");
    }
    let mut files = FileStore::open(path).unwrap();
    assert_eq!(say(&mut files, "moloko standings", now), standings);
    files.close().unwrap();
    // Without a wakeup index, every board is checked and nothing is lost.
    fs::remove_file(&looks).unwrap();
    let mut files = FileStore::open(path).unwrap();
    run(&mut files, now).unwrap();
    assert_eq!(files.wakeups("moloko").unwrap().boards.len(), 4);
    files.close().unwrap();
    assert_sound(path, now);
}

#[test]
fn a_board_taken_back_by_hand_takes_its_ratings_back() {
    let dir = home();
    let mut files = FileStore::open(dir.path()).unwrap();
    for day in [2, 4] {
        run(&mut files, START + day * DAY).unwrap();
    }
    files.close().unwrap();
    fs::remove_file(dir.path().join("boards/moloko/0/2.json")).unwrap();
    let mut files = FileStore::open(dir.path()).unwrap();
    let report = check(&files, START).unwrap();
    assert!(report.mended.iter().any(|line| line.contains("rating of bob")), "{report:?}");
    files.commit(report.repair).unwrap();
    assert!(say(&mut files, "malaka standings", START).contains("Nobody"));
    files.close().unwrap();
    assert_sound(dir.path(), START);
}

#[test]
fn the_program_reminds_and_repairs() {
    let home = Home::new();
    home.set_up();
    let silent = Ran::silent(0);
    for _ in 0..2 {
        assert_eq!(home.run(&["remind"], b""), silent, "nobody has waited for long");
    }
    assert_eq!(home.run(&["check", "--repair"], b""), silent);
    fs::write(home.path().join("boards/malaka/count"), "0\n").unwrap();
    let line = "the count of malaka boards is below board 1\n";
    let found = Ran { code: Some(65), out: line.to_owned(), err: String::new() };
    assert_eq!(home.run(&["check"], b""), found);
    let mended = Ran { code: Some(0), out: format!("mended: {line}"), err: String::new() };
    assert_eq!(home.run(&["check", "--repair"], b""), mended);
    assert_eq!(home.run(&["check"], b""), silent);
    let log = fs::read_to_string(home.path().join("log/postboard.log")).unwrap();
    assert!(log.contains(&format!("mended: {line}")), "{log}");
}

/// Replaces a board's file by a named pipe, so that opening the file blocks.
fn poison(board: &Path) {
    fs::remove_file(board).unwrap();
    let made = program::run(Command::new("mkfifo").arg(board), b"");
    assert_eq!(made.code, Some(0));
}

/// Runs `remind` and kills the process once it has opened the board's file, as a watchdog does.
fn killed_at(home: &Home, board: &Path) {
    let mut child = program::start(home.command().arg("remind"), b"");
    // Opening the pipe for writing blocks until the program opens the pipe for reading.
    let end = fs::OpenOptions::new().write(true).open(board).unwrap();
    child.kill().unwrap();
    drop(end);
    assert_eq!(program::ended(child).code, None);
}

#[test]
fn a_board_at_which_runs_end_holds_up_no_other() {
    let home = Home::new();
    home.done("signup alice secret alice@pbm.test");
    home.done("signup bob secret bob@pbm.test");
    for _ in 0..3 {
        home.done("--as-operator malaka challenge alice bob --nagtime=1 --forfeittime=90");
    }
    home.delivered();
    for number in 1..=3 {
        let path = home.path().join(format!("boards/malaka/0/{number}.json"));
        let text = fs::read_to_string(&path).unwrap();
        let mut board: serde_json::Value = serde_json::from_str(&text).unwrap();
        age(&mut board, days(2));
        fs::write(&path, serde_json::to_string(&board).unwrap()).unwrap();
    }
    fs::remove_file(home.path().join("boards/malaka/looks")).unwrap();
    let board = home.path().join("boards/malaka/0/2.json");
    poison(&board);

    killed_at(&home, &board);
    let marker = home.path().join("boards/running");
    assert_eq!(fs::read_to_string(&marker).unwrap(), r#"[1,["malaka 1","malaka 2","malaka 3"]]"#);
    killed_at(&home, &board);
    assert_eq!(fs::read_to_string(&marker).unwrap(), r#"[2,["malaka 2"]]"#);
    killed_at(&home, &board);
    assert_eq!(fs::read_to_string(&marker).unwrap(), r#"[3,["malaka 2"]]"#);
    home.done("remind");
    assert!(!marker.exists());
    assert!(home.read("log/postboard.log").contains("malaka 2: 3 runs died at it"));
    let told = home.delivered();
    let about: Vec<_> = told.iter().map(|mail| &mail.subject).collect();
    assert_eq!(told.len(), 2, "{about:?}");
    assert!(about[0].contains("Malaka 1") && about[1].contains("Malaka 3"), "{about:?}");
    home.done("remind");
    assert!(home.delivered().is_empty(), "put off for a day");
}

/// Moves every time in a document back by a span.
fn age(value: &mut serde_json::Value, span: Span) {
    match value {
        serde_json::Value::Array(all) => all.iter_mut().for_each(|value| age(value, span)),
        serde_json::Value::Object(all) => all.values_mut().for_each(|value| age(value, span)),
        serde_json::Value::Number(number) => {
            if let Some(at) = number.as_i64().filter(|at| *at > 1_000_000_000) {
                *value = (at - span.seconds()).into();
            }
        }
        _ => {}
    }
}

#[test]
fn reminders_of_one_turn_are_different_mails() {
    let mut memory = MemoryStore::new();
    boards(&mut memory);
    memory.take_letters();
    let ids: Vec<String> = [2, 3]
        .into_iter()
        .flat_map(|day| {
            run(&mut memory, START + day * DAY).unwrap();
            let letters = memory.take_letters();
            assert_eq!(letters.len(), 3, "a reminder a board");
            letters.into_iter().map(|letter| {
                let text = sent_text(&letter);
                let id = text.lines().find_map(|line| line.strip_prefix("Message-ID: "));
                id.unwrap().to_owned()
            })
        })
        .collect();
    let different: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!(different.len(), 6, "{ids:?}");
}

#[test]
fn boards_are_looked_at_though_their_count_is_lost() {
    let home = home();
    let count = home.path().join("boards/moloko/count");
    assert!(count.is_file());
    fs::remove_file(&count).unwrap();
    let files = FileStore::read(home.path()).unwrap();
    let due = remind::due(&*files, None, START + 5 * DAY).unwrap();
    assert_eq!(due, [1, 2, 3].map(|number| Key::Board("moloko", number)));
}
