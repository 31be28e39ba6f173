//! The cost of one sender to the others: processor time, memory, disk space, and waiting.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs and measures processes"
)]

use crate::support::home::{seeded, setup};
use crate::support::program::{Home, mail};
use postboard::base::ids::UserId;
use postboard::base::password::Hashing;
use postboard::base::time::{Time, days};
use postboard::base::watchdog::Watchdog;
use postboard::config::{Config, SAMPLE};
use postboard::mail::Address;
use postboard::model::user::{self, User};
use postboard::server::{Server, Setup};
use postboard::store::spool::{self, Spool};
use postboard::store::{
    DocumentChange, FileStore, Key, MemoryStore, SpoolLock as _, Store as _, Transaction,
};
use postboard::store::{QuarantineAges, QuarantineLimits, expire_quarantine};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Output};
use std::time::{Duration, Instant, UNIX_EPOCH};

const OWN: &str = "postboard@localhost";
/// The environment variable with the task of a test's child process.
const TASK: &str = "POSTBOARD_TASK";
const SIGABRT: i32 = 6;
/// The memory limit in MB of a process that executes mails.
const MEGABYTES: u64 = 64;

/// Runs a task in a process of its own.
#[test]
#[ignore = "done by other tests, in a process of its own"]
fn in_a_process_of_its_own() {
    let Some(task) = std::env::var_os(TASK) else { return };
    let watchdog = Watchdog::with_limit(Duration::from_millis(300));
    match task.to_str().unwrap() {
        "passwords" => sixteen_mails(),
        "wait" => {
            watchdog.begin();
            std::thread::sleep(Duration::from_millis(1_500));
            watchdog.end();
        }
        "work" => {
            watchdog.begin();
            // The loop ends even if the watchdog fails.
            let until = Instant::now() + Duration::from_mins(1);
            while Instant::now() < until {
                std::hint::spin_loop();
            }
        }
        other => panic!("no task {other}"),
    }
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let kilobytes = |name: &str| -> u64 {
        let value = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        value.trim().trim_end_matches(" kB").parse().unwrap()
    };
    // Without the code of this program, which grows with its tests.
    let kilobytes = kilobytes("VmHWM:") - kilobytes("RssFile:");
    println!("used {} MB", kilobytes / 1024);
}

fn task(task: &str) -> (ExitStatus, String) {
    let Output { status, stdout, .. } = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "operator::resources::in_a_process_of_its_own",
            "--ignored",
            "--nocapture",
        ])
        .env(TASK, task)
        .output()
        .unwrap();
    (status, String::from_utf8(stdout).unwrap())
}

/// Time in which the machine is busy, asleep or stopped does not count for a mail.
#[test]
fn a_mail_that_waits_lives_and_one_that_works_for_ever_is_ended() {
    let (waited, out) = task("wait");
    assert!(waited.success(), "{waited}\n{out}");
    // This also detects a watchdog that never acts.
    let (worked, out) = task("work");
    assert_eq!(worked.signal(), Some(SIGABRT), "{worked}\n{out}");
}

/// Executes sixteen mails of ten commands each, every command with another user's password.
fn sixteen_mails() {
    const USERS: usize = 40;
    let hashing = Hashing::default();
    let hash = hashing.hash("secret", [7; 16]);
    let mut store = MemoryStore::new();
    let mut home = Transaction::default();
    for number in 0..USERS {
        let id = UserId::parse(&format!("user{number}")).unwrap();
        let address = Address::parse(&format!("user{number}@pbm.test")).unwrap();
        let user = User::new(id.clone(), hash.clone(), vec![address], Time::EPOCH);
        let id = id.as_str().to_owned();
        home.changes.push(DocumentChange {
            key: Key::In(user::COLLECTION, id),
            was: None,
            text: user.write(),
        });
    }
    store.commit(home).unwrap();
    let setup = Setup { hashing, ..setup(Config::read(SAMPLE).unwrap()) };
    let mut chance = seeded(7);
    let mut server = Server::new(&setup, &mut chance);
    for number in 0..16 {
        let mut lines = String::new();
        for user in (0..10).map(|at| (number as usize * 10 + at) % USERS) {
            let setting = if number < 8 { "off" } else { "on" };
            writeln!(lines, "set user{user} secret html {setting}").unwrap();
        }
        let raw = mail(number, "user1", OWN, "multiple", &lines);
        server.execute_mail(raw.as_bytes(), &store, Time::from_unix(1_795_000_000)).unwrap();
        store.commit(server.take_transaction()).unwrap();
    }
    let changed = server.log.iter().filter(|line| line.contains("changed a preference")).count();
    assert_eq!(changed, 160, "{:?}", server.log);
}

#[test]
fn sixteen_mails_with_passwords_take_the_memory_of_one_hash() {
    let (ended, out) = task("passwords");
    assert!(ended.success(), "{ended}\n{out}");
    let used = out.lines().find_map(|line| line.strip_prefix("used ")?.strip_suffix(" MB"));
    let used: u64 = used.unwrap().parse().unwrap();
    println!("{used} MB");
    assert!(used < MEGABYTES, "{used} MB");
}

/// Makes a home where alice has a number of boards against the highest level.
fn against_the_program(game: &str, boards: usize) -> Home {
    let home = Home::new();
    home.configure("mails_a_day = 200", "mails_a_day = 1000");
    home.done("signup alice secret alice@pbm.test");
    for _ in 0..boards {
        home.done(&format!("{game} challenge alice board4"));
    }
    home.delivered();
    home
}

/// Counts the boards on which a move was played and answered.
fn played(home: &Home, game: &str, boards: usize) -> usize {
    let path = |number| format!("boards/{game}/0/{number}.json");
    (1..=boards).filter(|number| home.read(&path(*number)).matches("\"move\"").count() > 1).count()
}

#[test]
fn fifty_moves_against_the_highest_level_are_played_and_answered_in_one_run() {
    let home = against_the_program("fillit", 50);
    let lines: Vec<String> =
        (1..=50).map(|number| format!("fillit move {number} alice secret e5")).collect();
    home.receive(mail(1, "alice", OWN, "multiple", &lines.join("\n")).as_bytes());
    home.process();
    assert_eq!(played(&home, "fillit", 50), 50);
    assert_eq!(home.delivered().len(), 50, "a mail a board");
    home.assert_tidy();
}

#[test]
fn what_is_more_than_the_program_thinks_for_a_mail_is_answered_and_sent_again() {
    let home = against_the_program("fillit", 5);
    home.configure("program_moves = 50", "program_moves = 3");
    let moves = |boards: std::ops::RangeInclusive<usize>| {
        let line = |number| format!("fillit move {number} alice secret e5");
        boards.map(line).collect::<Vec<_>>().join("\n")
    };
    let lines = moves(1..=5) + "\nfillit show 5\nmalaka help";
    home.receive(mail(1, "alice", OWN, "multiple", &lines).as_bytes());
    home.process();
    assert_eq!(played(&home, "fillit", 5), 3);
    let mails = home.delivered();
    let told = mails.iter().find(|mail| mail.text.contains("another mail")).unwrap();
    let told = told.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("fillit move 4 alice <password> <move>"), "{told}");
    assert!(!told.contains("secret"), "{told}");
    // The other commands of the mail are executed.
    let has = |words: &str| mails.iter().any(|mail| mail.text.contains(words));
    assert!(has("FillIt board 5, move 1") && has("connected"), "{mails:#?}");
    home.receive(mail(2, "alice", OWN, "multiple", &moves(4..=5)).as_bytes());
    home.process();
    assert_eq!(played(&home, "fillit", 5), 5);
}

/// Parks mails whose fault is ours or their senders'; returns the kept mails and the notes for the
/// operator.
fn parked(
    home: &Path,
    mails: &[(&str, bool)],
    bounds: QuarantineLimits,
) -> (Vec<String>, Vec<String>) {
    for (text, _) in mails {
        spool::put(home, text.as_bytes()).unwrap();
    }
    let files = FileStore::open(home).unwrap();
    let mut spool = Spool::open(&files).unwrap().with_limits(bounds);
    while let Some(mail) = spool.take().unwrap() {
        let text = String::from_utf8(mail.bytes.clone()).unwrap();
        let (_, is_ours) = mails.iter().find(|(known, _)| *known == text).unwrap();
        if *is_ours { spool.park(mail, "why") } else { spool.park_malformed(mail, "why") }.unwrap();
    }
    let mut kept = crate::support::program::names(&home.join("spool/bad"));
    let is_reason = |name: &String| Path::new(name).extension().is_some_and(|it| it == "why");
    let reasons = kept.iter().filter(|name| is_reason(name)).count();
    kept.retain(|name| !is_reason(name));
    assert_eq!(reasons, kept.len(), "each has its reason");
    let text = |name: &String| fs::read_to_string(home.join("spool/bad").join(name)).unwrap();
    (kept.iter().map(text).collect(), spool.take_notes())
}

#[test]
fn the_quarantine_is_bounded_and_strangers_mails_push_out_no_others() {
    let bounds = QuarantineLimits { count: 3, bytes: 1_000 };
    let home = Home::new();
    let mails = [("one", false), ("two", true), ("three", false), ("four", false), ("five", true)];
    let (kept, notes) = parked(&home.path(), &mails, bounds);
    assert_eq!(kept, ["two", "four", "five"], "the oldest of others went away");
    assert_eq!(notes.len(), 2, "{notes:?}");
    // Mails that failed by our fault push out no other such mails: the first mail shows the cause.
    let (kept, _) = parked(&home.path(), &[("six", true)], bounds);
    assert_eq!(kept, ["two", "five", "six"]);
    let (kept, notes) = parked(&home.path(), &[("seven", true), ("eight", false)], bounds);
    assert_eq!(kept, ["two", "five", "six"]);
    assert!(notes.iter().all(|note| note.contains("is not kept")), "{notes:?}");
    assert_eq!(home.names("spool/new"), [""; 0]);
    let home = Home::new();
    let long = "x".repeat(600);
    let (kept, _) = parked(&home.path(), &[(&long, false), ("y", false)], bounds);
    assert_eq!(kept.len(), 2);
    let longer = "z".repeat(500);
    let (kept, _) = parked(&home.path(), &[(&longer, false)], bounds);
    assert_eq!(kept, ["y", &longer], "its bytes are bounded as well");
}

#[test]
fn quarantined_mails_of_strangers_expire_and_mails_with_our_faults_stay_for_a_year() {
    let home = Home::new();
    let (kept, _) =
        parked(&home.path(), &[("ours", true), ("theirs", false)], QuarantineLimits::default());
    assert_eq!(kept.len(), 2);
    fs::write(home.path().join("outbox/bad/001795000000.3f.eml"), "a letter").unwrap();
    let names = home.names("spool/bad");
    let came = Time::from_digits(names[0].split('.').next().unwrap()).unwrap();
    let first = Time::from_unix(1_795_000_000);
    let ages = QuarantineAges { theirs: days(30), ours: days(365) };
    assert_eq!(expire_quarantine(&home.path(), first + days(30), ages).unwrap(), 0);
    assert_eq!(expire_quarantine(&home.path(), came + days(31), ages).unwrap(), 2);
    let left = home.names("spool/bad");
    assert!(left.len() == 2 && left.iter().all(|name| !name.contains("unfit")), "{left:?}");
    assert_eq!(home.names("outbox/bad"), [""; 0]);
    assert_eq!(expire_quarantine(&home.path(), came + days(366), ages).unwrap(), 1);
    assert_eq!(home.names("spool/bad"), [""; 0]);
}

#[test]
fn folders_in_quarantine_are_left_alone() {
    let home = Home::new();
    let folders = ["spool/bad", "outbox/bad", "journal/bad"];
    let folders = folders.map(|folder| home.path().join(folder).join("001795000000.3f.eml"));
    for folder in &folders {
        fs::create_dir(folder).unwrap();
        fs::File::open(folder).unwrap().set_modified(UNIX_EPOCH).unwrap();
    }
    let now = Time::from_unix(1_795_000_000) + days(366);
    let ages = QuarantineAges { theirs: days(30), ours: days(365) };
    assert_eq!(expire_quarantine(&home.path(), now, ages).unwrap(), 0);
    assert!(folders.iter().all(|folder| folder.is_dir()));
}

#[test]
fn a_flood_of_mails_that_nobody_is_told_of_leaves_nothing() {
    let home = Home::new();
    for number in 0..20 {
        home.receive(format!("Subject: {number}\n\nno sender\n").as_bytes());
    }
    home.process();
    assert_eq!(home.names("spool/bad"), [""; 0]);
    let log = home.read("log/postboard.log");
    assert_eq!(log.matches("no sender's address; it is not kept").count(), 20, "{log}");
    // A sender who gets an answer may ask about the mail, so it is kept for a time.
    let large = "x".repeat(1_100_000);
    home.receive(mail(1, "alice", OWN, "help", &large).as_bytes());
    home.process();
    assert_eq!(home.names("spool/bad").len(), 2);
}

/// Under `ulimit -f`, writing a file that is too long fails, as on a full disk, and the mail waits.
#[test]
fn a_file_that_may_not_get_so_long_is_a_full_disk() {
    let home = Home::with_board();
    home.receive(mail(1, "alice", OWN, "malaka chat 1 alice secret", "Hello").as_bytes());
    let limited = |blocks: u32| {
        Command::new("sh")
            .args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")])
            .arg(crate::support::program::PROGRAM)
            .arg("--home")
            .arg(home.path())
            .arg("process")
            .output()
            .unwrap()
    };
    for _ in 0..4 {
        let ran = limited(1);
        assert_eq!(ran.status.code(), Some(75), "{ran:?}");
    }
    assert_eq!(home.names("spool/bad"), [""; 0], "nothing is held against the mail");
    home.process();
    assert_eq!(home.delivered().len(), 2);
    home.assert_tidy();
}

/// A mail that still waits is not copied from the mbox again.
#[test]
fn an_mbox_is_copied_once_however_long_its_mails_wait() {
    let home = Home::with_board();
    let mbox = home.base().join("mbox");
    let from = "From alice@pbm.test Sat Nov 21 10:00:00 2026\n";
    let one = |number| format!("{from}{}\n", mail(number, "alice", OWN, "malaka show 1", ""));
    fs::write(&mbox, (1..=100).map(one).collect::<String>()).unwrap();
    // One process holds the spool and another process waits, so the mails are only collected.
    let shift = spool::FileSpoolLock::begin(&home.path()).unwrap();
    let (path, ended) = (home.path(), std::sync::mpsc::channel());
    let second = std::thread::spawn(move || {
        // A process that checks for waiting processes may briefly hold the lock.
        let shift =
            std::iter::repeat_with(|| spool::FileSpoolLock::begin(&path)).find_map(|shift| shift);
        ended.1.recv().unwrap();
        drop(shift);
    });
    while !shift.is_awaited() {
        std::thread::yield_now();
    }
    for _ in 0..3 {
        home.done(&format!("process --mbox {}", mbox.display()));
        assert_eq!(home.names("spool/new").len(), 100);
    }
    drop(shift);
    ended.0.send(()).unwrap();
    second.join().unwrap();
    home.process();
    let log = home.read("log/postboard.log");
    assert!(!log.contains("executed before"), "{log}");
}

/// Runs verbs of every kind at once; returns the longest time and the count of each verb.
fn mixed(
    home: &Home,
    processes: usize,
    rounds: usize,
) -> BTreeMap<&'static str, (Duration, usize)> {
    let verbs: [(&str, &[&str]); 6] = [
        ("look", &["malaka", "show", "1"]),
        ("check", &["check"]),
        ("cron", &["cron"]),
        ("command", &["set", "alice", "secret", "html", "off"]),
        ("process", &["process"]),
        ("receive", &["receive"]),
    ];
    let one = |process: usize| {
        let mut waited = Vec::new();
        for round in 0..rounds {
            let (verb, words) = verbs[(process + round) % verbs.len()];
            let number = u32::try_from(process * 1_000 + round).unwrap();
            let raw = mail(number, "alice", OWN, "multiple", &"malaka show 1\n".repeat(50));
            let began = Instant::now();
            let ran = home.run(words, raw.as_bytes());
            waited.push((verb, began.elapsed()));
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{verb}: {}", ran.out);
        }
        waited
    };
    let mut longest = BTreeMap::new();
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> =
            (0..processes).map(|process| scope.spawn(move || one(process))).collect();
        for (verb, waited) in threads.into_iter().flat_map(|thread| thread.join().unwrap()) {
            let entry: &mut (Duration, usize) = longest.entry(verb).or_default();
            *entry = (entry.0.max(waited), entry.1 + 1);
        }
    });
    longest
}

#[test]
fn verbs_of_all_kinds_get_their_turn() {
    let home = Home::with_board();
    home.configure("mails_a_day = 200", "mails_a_day = 1000000");
    let longest = mixed(&home, 8, 6);
    println!("{longest:?}");
    assert_eq!(longest.values().map(|(_, count)| count).sum::<usize>(), 48);
    home.process();
    assert_eq!(home.names("line"), [""; 0], "nobody stands in line any more");
}

#[test]
#[ignore = "takes a minute: `cargo test --test postboard sixteen_verbs -- --ignored --nocapture`"]
fn sixteen_verbs_at_once() {
    let home = Home::with_board();
    home.configure("mails_a_day = 200", "mails_a_day = 1000000");
    for (verb, (waited, count)) in mixed(&home, 16, 60) {
        println!("{verb}: {count} times, the longest {:.1} s", waited.as_secs_f32());
    }
}
