//! A day of `run` in simulated time: the program's own loop, doors, threads and files, with a clock that the test sets.
//!
//! The clock is ten minutes fast against the dates of the mails. Shortly before noon, when reminders, losses, a digest and
//! the nightly backup are due, it jumps an hour forward, and twenty minutes later back again, so that each time of that hour
//! comes twice.

#![expect(clippy::disallowed_types, reason = "the test runs in a process of its own")]

use super::backup::nightly_names;
use super::run::{Client, OWN};
use crate::support::program::{Home, Mail, mail, names};
use clap::Parser as _;
use postboard::base::time::{Span, Time, days, hours, minutes};
use postboard::shell::cli::Cli;
use postboard::shell::{self, Exit, Machine, ProgressOutput};
use postboard::store::{FileHome, Home as _};
use rustix::process::{Signal, getpid, kill_process};
use std::collections::BTreeSet;
use std::fs;
use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

/// 2026-11-26, the true time at which the program starts.
const START: Time = Time::from_unix(1_795_651_200);
/// The variable of the environment that says that this process may be ended.
const IS_OWN: &str = "POSTBOARD_DAY";
/// The time between two looks at the program.
const STEP: Span = minutes(20);
/// The number of looks.
const STEPS: i64 = 72;
/// The steps at which the clock jumps forward and back.
const FORWARD: i64 = 34;
const BACK: i64 = 35;
/// How far the clock is ahead.
const FAST: Span = minutes(10);

/// When clocks of boards run out, in minutes of the day: three times in the hour that comes twice.
const DUE: [i64; 8] = [20, 380, 695, 730, 765, 800, 1160, 1430];

/// The clock of the machine, and the seconds since the program started.
static CLOCK: AtomicI64 = AtomicI64::new(0);
static RUNNING: AtomicI64 = AtomicI64::new(0);

fn clock() -> Time {
    Time::from_unix(CLOCK.load(Ordering::SeqCst))
}

/// Returns what the clock shows at a step: 12:30 instead of 11:30 after the first jump, 11:50 instead of 12:50 after the
/// second.
fn shown_at(step: i64) -> Time {
    let jump = if (FORWARD..BACK).contains(&step) { hours(1) } else { Span::ZERO };
    START + step * STEP + FAST + jump
}

/// Runs the program in this process until SIGTERM.
fn run_here(home: &Path, socket: &Path) {
    let socket = format!("unix:{}", socket.display());
    let cli = Cli::try_parse_from(["postboard", "run", "--lmtp", &socket]).unwrap();
    let mut machine = Machine {
        clock: &clock,
        time: clock,
        stopwatch: &|| Duration::from_secs(RUNNING.load(Ordering::SeqCst).unsigned_abs()),
        pause: &|| (),
        warn: &|what| panic!("{what}"),
        say: |what| panic!("{what}"),
        screen: ProgressOutput::Nowhere,
        chance: crate::support::home::seeded(1),
        operator: "a test",
        edit: &|_| unreachable!("nothing is edited"),
        input: &mut &b""[..],
        terminal: None,
        out: &mut Vec::new(),
    };
    assert_eq!(shell::run(cli, home, &mut machine).unwrap(), Exit::Done);
}

/// A home whose clocks run out through the day, and what has come out of it.
struct SimulatedDay {
    home: Home,
    client: Client,
    /// The letters that were sent, each with the number of the step.
    letters: Vec<(i64, Mail)>,
    seen: BTreeSet<String>,
}

impl SimulatedDay {
    /// Sets the clock, sends these mails, and waits until all mails so far are answered and the program has done
    /// everything that is due.
    fn step(&mut self, number: i64, mails: &[String]) {
        let now = shown_at(number);
        CLOCK.store(now.unix(), Ordering::SeqCst);
        RUNNING.store((number * STEP).seconds(), Ordering::SeqCst);
        for mail in mails {
            let reply = self.client.mail(mail);
            assert!(reply.starts_with("250 2.6.0 "), "{reply}");
        }
        // The program records what it does after it has looked at mails and clocks.
        let program = FileHome::new(&self.home.path());
        let is_done =
            || program.last_runs().unwrap().iter().any(|run| run.job == "run" && run.at == now);
        let waits = ["outbox/new", "outbox/cur"];
        let is_idle = || waits.iter().all(|folder| self.home.names(folder).is_empty());
        let sent = self.home.base().join("sent");
        let mut is_over = false;
        while !is_over {
            // Letters that were sent before this moment are read below.
            is_over = is_done() && is_idle();
            let is_letter =
                |name: &String| Path::new(name).extension().is_some_and(|it| it == "eml");
            for name in names(&sent).into_iter().filter(is_letter) {
                if self.seen.insert(name.clone()) {
                    self.letters.push((number, Mail::read(&fs::read(sent.join(name)).unwrap())));
                }
            }
            is_over &= self.answers() == number + 1;
            thread::yield_now();
        }
    }

    /// Returns how many answers to mails were sent.
    fn answers(&self) -> i64 {
        let subjects = ["Welcome", "Waiting for "];
        subjects.map(|subject| self.of(subject).len()).iter().sum::<usize>().try_into().unwrap()
    }

    /// Checks that everything has come once, and as soon as the clock showed its time.
    fn check(&self) {
        let due = |plus| DUE.map(|due| first_step(START + minutes(due + plus)));
        for (number, step) in (1..).zip(due(0)) {
            let came = self.of(&format!("Reminder, your turn: Malaka {number} "));
            assert!(came.len() == 1 && came[0].0 == step, "Malaka {number}, {step}: {came:?}");
        }
        for (number, step) in (1..).zip(due(5)) {
            for ends in ["You lost", "You won"] {
                let came = self.of(&format!("{ends}: Moloko {number} "));
                assert!(came.len() == 1 && came[0].0 == step, "Moloko {number}, {step}: {came:?}");
            }
        }
        let digests: Vec<_> =
            self.letters.iter().filter(|(_, it)| it.to == "dana@pbm.test").collect();
        let steps: Vec<_> = digests.iter().map(|(step, _)| *step).collect();
        // Nothing is told twice; what bob writes after the clock went back waits for the noon that comes again.
        assert_eq!(steps, [FORWARD, BACK + 1], "{digests:?}");
        for word in (0..=BACK).filter(|number| number % 5 == 0) {
            let has = |at: usize| digests[at].1.text.matches(&format!("word {word}.")).count();
            let is_early = word < FORWARD;
            assert_eq!((has(0), has(1)), if is_early { (1, 0) } else { (0, 1) }, "{digests:?}");
        }
        for number in (0..=STEPS).filter(|number| number % 5 != 0) {
            let to = format!("player{number}@pbm.test");
            assert_eq!(self.letters.iter().filter(|(_, it)| it.to == to).count(), 1, "{to}");
        }
        let others = self.of("Reminder, your turn: Malaka").len() + self.of("You ").len();
        let answers = self.answers();
        assert_eq!((answers, others), (STEPS + 1, 3 * DUE.len()), "{:?}", self.letters);
        let known = usize::try_from(answers).unwrap() + others + digests.len();
        assert_eq!(self.letters.len(), known, "{:?}", self.letters);

        let nights =
            ["postboard-2026-11-25.tar.gz", "postboard-2026-11-26-since-2026-11-25.tar.gz"];
        assert_eq!(nightly_names(&self.home.base().join("backups")), nights);
        let log = self.home.read("log/postboard.log");
        assert_eq!(
            log.lines().filter(|line| line.contains("Z backup: ")).count(),
            nights.len(),
            "{log}"
        );
        for folder in
            ["spool/new", "spool/cur", "spool/bad", "outbox/new", "outbox/cur", "outbox/bad"]
        {
            assert_eq!(self.home.names(folder), [""; 0], "{folder}");
        }
        for run in FileHome::new(&self.home.path()).last_runs().unwrap() {
            assert_eq!(run.why, None, "{}", run.job);
        }
    }

    /// Returns the letters whose subjects begin so, with their steps.
    fn of(&self, subject: &str) -> Vec<(i64, &Mail)> {
        let all = self.letters.iter().filter(|(_, mail)| mail.subject.starts_with(subject));
        all.map(|(step, mail)| (*step, mail)).collect()
    }
}

/// Returns the first step at which the clock shows that a time has come.
fn first_step(due: Time) -> i64 {
    (0..=STEPS).find(|number| shown_at(*number) >= due).unwrap()
}

#[test]
#[ignore = "takes 20 s: `cargo test --test postboard a_day_with_a_wrong_clock -- --ignored`"]
fn a_day_with_a_wrong_clock_that_jumps_doubles_and_skips_nothing() {
    // The signal that ends the program is for a whole process.
    let this = "operator::run_day::in_a_process_of_its_own";
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", this, "--ignored", "--nocapture"])
        .env(IS_OWN, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    assert!(ran.status.success() && said.contains("1 passed"), "{said}");
}

/// Makes a home whose clocks run out through the day.
fn home_of_the_day() -> Home {
    let home = Home::new();
    let folder = home.base().join("backups");
    fs::create_dir(&folder).unwrap();
    let lines = format!("folder = \"{}\"\nhour = 12\nwhole_every = 7", folder.display());
    home.configure("[backup]", &format!("[backup]\n{lines}"));
    let long_ago = START - days(9);
    for user in ["alice", "bob", "dana"] {
        home.done_at(long_ago, &format!("signup {user} secret {user}@pbm.test"));
    }
    home.done_at(long_ago, "set dana secret digesthour 12");
    home.done_at(long_ago, "set dana secret mails daily");
    // The loser was reminded a day earlier. A board on which both have moved is lost, any other is closed.
    for (number, due) in (1..).zip(DUE.map(|due| START + minutes(due + 5) - days(3))) {
        home.done_at(due, "moloko challenge alice bob --nagtime=2 --forfeittime=3");
        for user in ["alice", "bob"] {
            let shown =
                home.done_at(due, &format!("--message hello moloko chat {number} {user} secret"));
            let (_, play) = shown.split_once("<password> ").unwrap();
            let play = play.split_whitespace().next().unwrap();
            home.done_at(due, &format!("moloko move {number} {user} secret {play}"));
        }
    }
    for due in DUE.map(|due| START + minutes(due)) {
        home.done_at(due - days(1), "malaka challenge alice bob --nagtime=1 --forfeittime=9");
        home.done_at(due + minutes(5) - days(1), "cron");
    }
    home.done_at(START - hours(1), "reversi challenge dana bob");
    home.delivered();
    home
}

/// Returns the mail of a step: of bob, who chats with dana, or of somebody new.
fn mail_of(number: i64) -> String {
    let id = u32::try_from(number).unwrap();
    let raw = if number % 5 == 0 {
        mail(id, "bob", OWN, "reversi chat 1 bob secret", &format!("word {number}."))
    } else {
        let name = format!("player{number}");
        mail(id, &name, OWN, &format!("signup {name} secret"), "")
    };
    raw.replace("Sat, 21 Nov 2026 12:00:00 +0000", &(START + number * STEP).rfc2822())
}

#[test]
#[ignore = "a part of `a_day_with_a_wrong_clock_that_jumps_doubles_and_skips_nothing`"]
fn in_a_process_of_its_own() {
    if std::env::var_os(IS_OWN).is_none() {
        return;
    }
    let home = home_of_the_day();
    let (socket, path) = (home.base().join("lmtp"), home.path());
    CLOCK.store(shown_at(0).unix(), Ordering::SeqCst);
    let of_program = socket.clone();
    let program = thread::spawn(move || run_here(&path, &of_program));
    let stream = loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => break stream,
            Err(_) => assert!(!program.is_finished(), "the program has ended"),
        }
        thread::yield_now();
    };
    let mut client = Client(BufReader::new(stream));
    assert!(client.reply().starts_with("220 "));
    assert!(client.says("LHLO mx.example.org").starts_with("250 "));
    let mut day = SimulatedDay { home, client, letters: Vec::new(), seen: BTreeSet::new() };
    for number in 0..=STEPS {
        // A mail server sends each third mail twice, the second time with the next mail.
        let again = (number % 3 == 1).then(|| mail_of(number - 1));
        day.step(number, &again.into_iter().chain([mail_of(number)]).collect::<Vec<_>>());
    }
    kill_process(getpid(), Signal::TERM).unwrap();
    program.join().unwrap();
    day.check();
}
