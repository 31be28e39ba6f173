//! Many processes share one spool, and some are killed: every mail is executed once, and other
//! processes do not wait long.

#![expect(clippy::print_stdout, reason = "the test prints how many cases it tried")]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "the test runs and kills processes")]

use crate::support::program::{Home, Mail, mail, names, program_at};
use postboard::store::spool;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The result of a run with many processes.
#[derive(Debug, Default)]
struct Came {
    /// Mails that were not executed exactly once, and other errors.
    wrong: Vec<String>,
    killed: usize,
    took: Duration,
    /// The longest waits of visitors: to send a mail, to view a board, to run a command.
    waited: [Duration; 3],
    visits: usize,
}

/// A move number that no board reaches.
const FIRST: u32 = 1_000;

/// A process that executes waiting mails.
struct Running {
    child: Child,
    view: PathBuf,
}

fn start(view: PathBuf) -> Running {
    let mut command = program_at(&view);
    command.arg("process").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Running { child: command.spawn().unwrap(), view }
}

/// Returns another path to the home with another lock file. A process on this path excludes no
/// other process, and no other process excludes it.
fn without_lock(home: &Home, number: usize) -> PathBuf {
    let view = home.base().join(format!("view{number}"));
    fs::create_dir(&view).unwrap();
    let shared = |folder: &str, own: &[&str]| {
        let all = names(&home.path().join(folder));
        for name in all.iter().filter(|name| !own.contains(&name.as_str())) {
            symlink(home.path().join(folder).join(name), view.join(folder).join(name)).unwrap();
        }
    };
    shared("", &["lock", "spool"]);
    fs::write(view.join("lock"), "").unwrap();
    fs::create_dir_all(view.join("spool/tmp")).unwrap();
    shared("spool", &["tmp"]);
    view
}

/// Runs processes on the mails, kills half as many processes, and checks every mail. Visitors use
/// the home meanwhile.
fn crowd(mails: u32, processes: usize, seed: u64, locked: bool) -> Came {
    let home = Home::new();
    home.configure("mails_a_day = 200", "mails_a_day = 1000000");
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let to = home.set_up().into_iter().find(|mail| mail.to == "bob@pbm.test");
    let to = to.and_then(|mail| mail.reply_to).unwrap();
    // A reply needs no password hash. Every mail has another text and gets an answer.
    for number in 0..mails {
        let text = format!("queue g9-g8#{}", FIRST + number);
        let raw = mail(number, "bob", &to, "Re: Malaka", &text);
        spool::put(&home.path(), raw.as_bytes()).unwrap();
    }
    let view = |number| if locked { home.path() } else { without_lock(&home, number) };
    let mut came = Came::default();
    let over = AtomicBool::new(false);
    let began = Instant::now();
    let visits = std::thread::scope(|scope| {
        let visits = scope.spawn(|| if locked { visit(&home, &over) } else { Vec::new() });
        let mut running: Vec<Running> = (0..processes).map(|number| start(view(number))).collect();
        while came.killed < processes.div_ceil(2)
            && !names(&home.path().join("spool/new")).is_empty()
        {
            std::thread::sleep(Duration::from_millis(chance.random_range(1..20)));
            // With the lock, surplus processes exit at once; new processes replace them.
            let is_at_work = |one: &mut Running| one.child.try_wait().unwrap().is_none();
            let (mut at_work, left): (Vec<_>, Vec<_>) = running
                .into_iter()
                .map(|mut one| (is_at_work(&mut one), one))
                .partition(|one| one.0);
            running = left.into_iter().map(|(_, one)| start(one.view)).collect();
            if !at_work.is_empty() {
                let victim = chance.random_range(0..at_work.len());
                let (_, Running { mut child, view }) = at_work.swap_remove(victim);
                child.kill().unwrap();
                came.killed += 1;
                child.wait().unwrap();
                running.push(start(view));
            }
            running.extend(at_work.into_iter().map(|(_, one)| one));
        }
        for Running { mut child, .. } in running {
            let ended = child.wait().unwrap();
            if !ended.success() {
                came.wrong.push(format!("a process that was not killed ended with {ended}"));
            }
        }
        over.store(true, Ordering::SeqCst);
        visits.join().unwrap()
    });
    came.took = began.elapsed();
    came.visits = visits.len();
    for (at, waited) in came.waited.iter_mut().enumerate() {
        *waited = visits.iter().map(|visit| visit[at]).max().unwrap_or_default();
    }
    came.wrong.extend(look(&home, mails));
    came
}

/// Repeatedly sends a mail, views a board and runs a shell command. Returns the duration of each.
fn visit(home: &Home, over: &AtomicBool) -> Vec<[Duration; 3]> {
    let mut visits = Vec::new();
    for number in 0.. {
        if over.load(Ordering::SeqCst) {
            break;
        }
        let raw = mail(number, "nobody", "postboard@localhost", "", "");
        let raw = format!("Auto-Submitted: auto-replied\n{raw}");
        let ways: [(&[&str], &str); 3] = [
            (&["receive"], &raw),
            (&["malaka", "show", "1"], ""),
            (&["set", "alice", "secret", "html", "off"], ""),
        ];
        visits.push(ways.map(|(words, input)| {
            let began = Instant::now();
            let ran = home.run(words, input.as_bytes());
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words:?}: {}", ran.out);
            began.elapsed()
        }));
    }
    visits
}

/// Returns the errors of a home that must have executed each of these mails once.
fn look(home: &Home, mails: u32) -> Vec<String> {
    let mut wrong = Vec::new();
    for words in ["process", "check", "deliver"] {
        let ran = home.run(&[words], b"");
        if (ran.code, &*ran.out, &*ran.err) != (Some(0), "", "") {
            wrong.push(format!("{words}: {ran:?}"));
        }
    }
    let folders = ["spool/new", "spool/cur", "spool/bad", "outbox/new", "outbox/cur", "outbox/bad"];
    // An interrupted write of a commit goes to `journal/bad`; it was not acknowledged.
    for folder in folders {
        if !home.names(folder).is_empty() {
            wrong.push(format!("{folder} holds {:?}", home.names(folder)));
        }
    }
    let mut said: BTreeMap<u32, usize> = (0..mails).map(|number| (FIRST + number, 0)).collect();
    for sent in delivered(&home.base().join("sent")) {
        let text = sent.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let number = text.split("tried as move ").nth(1).and_then(|rest| rest.split(',').next());
        if let Some(times) = number.and_then(|number| said.get_mut(&number.parse().ok()?)) {
            *times += 1;
        }
    }
    let times = |wanted: fn(usize) -> bool| said.values().filter(|times| wanted(**times)).count();
    let (lost, doubled) = (times(|times| times < 1), times(|times| times > 1));
    if lost + doubled > 0 {
        wrong.push(format!("{lost} mails lost, {doubled} doubled"));
    }
    wrong
}

fn delivered(sent: &Path) -> impl Iterator<Item = Mail> {
    names(sent).into_iter().map(|name| Mail::read(&fs::read(sent.join(name)).unwrap()))
}

fn assert_each_executed_once(mails: u32, processes: usize, seed: u64) -> Came {
    let came = crowd(mails, processes, seed, true);
    assert_eq!(came.wrong, Vec::<String>::new());
    assert!(came.killed > 0, "nobody was killed");
    println!(
        "{mails} mails, {processes} processes, {} killed: {:.1} s; {} visits, the longest with a \
         mail {:.2?}, with a look {:.2?}, with a command {:.2?}",
        came.killed,
        came.took.as_secs_f32(),
        came.visits,
        came.waited[0],
        came.waited[1],
        came.waited[2]
    );
    came
}

#[test]
fn a_crowd_executes_every_mail_once() {
    assert_each_executed_once(300, 10, 1);
}

/// Control: without the lock, the test detects mails that are lost or executed twice. On a busy machine
/// processes may happen to work one after the other, so there are several crowds.
#[test]
fn a_crowd_without_the_lock_is_caught() {
    let wrong = (1..=8).map(|seed| crowd(300, 10, seed, false).wrong);
    let seen = wrong.into_iter().find(|wrong| !wrong.is_empty());
    println!("without the lock: {:?}", seen.expect("something is seen"));
}

#[test]
#[ignore = "takes a minute: `cargo test --test postboard crowd -- --ignored --nocapture`"]
fn a_crowd_of_sixty_four_executes_ten_thousand_mails_once() {
    for seed in 1..=3 {
        let came = assert_each_executed_once(10_000, 64, seed);
        let longest = came.waited.iter().max();
        assert!(longest < Some(&Duration::from_secs(5)), "somebody waits: {came:?}");
    }
}
