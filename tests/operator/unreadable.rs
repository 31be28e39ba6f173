//! The operator's commands in homes with folders that cannot be listed and files that cannot be
//! read: each command works as in a sound home, or names the path, exits and changes nothing.

#![expect(clippy::print_stdout, reason = "the test prints a table of the cases that it tried")]
#![expect(clippy::disallowed_types, reason = "the test runs the program")]

use crate::support::files::folder;
use crate::support::program::{self, Home, PROGRAM, Ran};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A command, its input, and whether it may leave changes when it stops, from mails that it
/// finished before.
struct Job {
    words: &'static str,
    input: &'static str,
    goes_on: bool,
}

const fn job(words: &'static str) -> Job {
    Job { words, input: "", goes_on: false }
}

/// Returns a command that processes mails or boards one by one.
const fn run_of(words: &'static str) -> Job {
    Job { words, input: "", goes_on: true }
}

/// The name of the parked mail.
const PARKED: &str = "001795000000.1.2.3";

/// The command that changes a home in several steps.
const ERASURE: &str = "user remove bob";

/// Every command that reads the home. `{b}` is the parent folder of the home.
const JOBS: [Job; 41] = [
    job("check"),
    job("check --repair"),
    job("check --json"),
    job("status"),
    job("status --json"),
    job("config"),
    job("metrics"),
    job("charts {b}/charts"),
    job("doctor"),
    job("mail list"),
    job("mail show 001795000000.1.2.3"),
    job("mail retry 001795000000.1.2.3"),
    job("mail drop 001795000000.1.2.3"),
    job("board list"),
    job("board list malaka --in-play"),
    job("board list --player alice"),
    job("board list --json"),
    job("board show malaka 1"),
    job("board undo malaka 1"),
    job("user list"),
    job("user list --json"),
    job("user show alice"),
    job("user show alice --json"),
    job("user rename alice alicia"),
    job(ERASURE),
    Job { words: "user add carol carol@pbm.test", input: "secret\n", goes_on: false },
    Job { words: "user password alice", input: "sesame\n", goes_on: false },
    job("upgrade"),
    job("backup {b}/a.tgz"),
    job("dice-report"),
    job("dice-report --json malaka --player bob"),
    job("dice-key"),
    job("dice-key --rotate"),
    job("export alice --as-operator"),
    job("malaka show 1"),
    job("malaka standings"),
    job("init"),
    run_of("remind"),
    run_of("process"),
    run_of("deliver"),
    run_of("cron"),
];

/// Makes a home with boards, an open challenge, a waiting mail, a parked mail, and letters.
fn home() -> Home {
    let home = Home::with_board();
    for words in
        ["malaka challenge bob alice", "backgammon challenge alice bob", "malaka seek alice secret"]
    {
        home.done(words);
    }
    let bad = home.path().join("spool/bad");
    fs::write(bad.join(PARKED), "From: alice@pbm.test\n\n").unwrap();
    fs::write(bad.join(format!("{PARKED}.why")), "a bug in this program\n").unwrap();
    home.receive(program::mail(1, "alice", "postboard@localhost", "help", "").as_bytes());
    // Today's reminders are sent before the walk.
    assert_eq!(home.run(&["remind"], b"").code, Some(0));
    home
}

/// Paths without data of players' games.
const PASSING: [&str; 9] =
    ["log", "runs", "line", "lock", "journal", "spare", "changes", "outbox/line", "spool/running"];

/// The contents of files, by path; several files may share a normalised path.
type State = BTreeMap<String, BTreeSet<String>>;

/// Returns the files below a folder, by path, without the parts that differ between runs.
fn state(home: &Path) -> State {
    let mut found = BTreeMap::new();
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(home).unwrap().to_str().unwrap().to_owned();
            if PASSING.contains(&&*name) || name.ends_with("/lock") {
                continue;
            }
            if path.symlink_metadata().unwrap().is_dir() {
                folders.push(path);
            } else {
                let text = fs::read(&path).unwrap_or_default();
                let in_mail = ["outbox/", "spool/", "seen/", "sent/"];
                let is_mail = in_mail.iter().any(|folder| name.starts_with(folder))
                    || name.ends_with("/looks");
                let text =
                    if is_mail { String::new() } else { String::from_utf8_lossy(&text).into() };
                found.entry(lasting(&name)).or_insert_with(BTreeSet::new).insert(lasting(&text));
            }
        }
    }
    found
}

/// Returns a text without times, numbers, digests and disk space.
fn lasting(text: &str) -> String {
    let is_passing = |line: &&str| {
        ["ago", "oldest", "_timestamp_", "_duration_", "_free_", "MB"]
            .iter()
            .any(|word| line.contains(word))
    };
    // A password's hash contains characters of every kind.
    let parts: Vec<&str> = text.split('"').filter(|part| !part.starts_with('$')).collect();
    let text = parts.join("\"");
    let lines = text.lines().filter(|line| !is_passing(line));
    let word = |word: &str| {
        if word.len() >= 20 {
            String::new()
        } else {
            word.replace(|c: char| c.is_ascii_digit(), "")
        }
    };
    let words =
        |line: &str| line.split([' ', '"', ',', ':', '/']).map(word).collect::<Vec<_>>().join("/");
    lines.map(words).collect::<Vec<_>>().join("\n")
}

/// A home whose files and folders become unreadable one at a time, with the results of the commands.
struct Walk {
    original: Home,
    sound: State,
    dir: tempfile::TempDir,
    tried: usize,
    stopped: usize,
    wrong: Vec<String>,
}

impl Walk {
    fn new() -> Self {
        let original = home();
        let dir = folder();
        let sound = BTreeMap::new();
        let mut walk = Self { original, sound, dir, tried: 0, stopped: 0, wrong: Vec::new() };
        walk.renew();
        walk.sound = state(&walk.path());
        walk
    }

    fn base(&self) -> PathBuf {
        self.dir.path().join("w")
    }

    fn path(&self) -> PathBuf {
        self.base().join("home")
    }

    /// Restores the original home.
    fn renew(&self) {
        let _ = fs::remove_dir_all(self.base());
        fs::create_dir(self.base()).unwrap();
        let mut cp = Command::new("cp");
        cp.arg("-a").arg(self.original.path()).arg(self.path());
        assert_eq!(program::run(&mut cp, b"").code, Some(0));
        let text = fs::read_to_string(self.path().join("postboard.toml")).unwrap();
        let sent = self.original.base().join("sent");
        let text = text.replace(sent.to_str().unwrap(), self.base().join("sent").to_str().unwrap());
        fs::write(self.path().join("postboard.toml"), text).unwrap();
    }

    fn words(&self, job: &Job) -> Vec<String> {
        let base = self.base();
        let words = job.words.split(' ');
        words.map(|word| word.replace("{b}", base.to_str().unwrap())).collect()
    }

    fn run(&self, job: &Job) -> Ran {
        let mut command = program::program_at(&self.path());
        program::run(command.args(self.words(job)), job.input.as_bytes())
    }

    /// Runs a command in a sound home; returns its result and the home afterwards.
    fn undisturbed(&self, job: &Job) -> (Ran, State) {
        self.renew();
        let ran = self.run(job);
        assert!(matches!(ran.code, Some(0 | 65)) || job.words == "init", "{}: {ran:?}", job.words);
        (ran, state(&self.path()))
    }

    /// Judges a run during which `fault` could not be read.
    fn judge(&mut self, job: &Job, sound: &(Ran, State), fault: &str, ran: &Ran) {
        self.tried += 1;
        let after = state(&self.path());
        // The read with a given number may differ between runs; then the message names another
        // path.
        let is_told = |text: &str| {
            text.contains(fault)
                || fault.split_once("home/").is_some_and(|(_, file)| text.contains(file))
                || ["/home/", "/home:"].iter().any(|home| text.contains(home))
                    && text.contains("Input/output error")
        };
        let is_unchanged = after == self.sound;
        let is_same = ran.code == sound.0.code
            && lasting(&ran.out) == lasting(&sound.0.out)
            && after == sound.1;
        let lines = ran.err.lines().count();
        let stops = ran.code == Some(75)
            && (lines == 1 || job.goes_on)
            && (is_told(&ran.err) || ran.err.contains("cannot rename"));
        // `doctor` reports it among other faults.
        let refuses = job.words == "doctor" && ran.code == Some(65) && is_told(&ran.out);
        // Everything is committed, and the next command moves it into place.
        let is_committed = ran.code == Some(0)
            && is_told(&ran.err)
            && lasting(&ran.out) == lasting(&sound.0.out)
            && ["cannot create", "cannot open", "cannot read"]
                .iter()
                .any(|what| ran.err.contains(what));
        // The names may not be durable either: the work is done, and may be done again.
        let is_perhaps_done = stops && ran.err.contains("cannot make durable");
        // An erasure is several steps. After a failure the same command finishes it.
        let can_be_finished = job.words == ERASURE
            && !is_unchanged
            && ran.code == Some(75)
            && is_told(&ran.err)
            && matches!(self.run(job).code, Some(0 | 65))
            && state(&self.path()) == sound.1;
        // The C library could not be loaded.
        let is_no_run = ran.code == Some(127);
        if (stops || refuses) && (is_unchanged || job.goes_on)
            || is_committed
            || is_perhaps_done
            || can_be_finished
            || is_no_run
        {
            self.stopped += 1;
        } else if !is_same {
            let Ran { code, out, err } = ran;
            let changed: Vec<&String> = after
                .iter()
                .filter(|(name, text)| self.sound.get(*name) != Some(text))
                .map(|(name, _)| name)
                .chain(self.sound.keys().filter(|name| !after.contains_key(*name)))
                .collect();
            let out: String = out.chars().take(300).collect();
            self.wrong.push(format!(
                "{} without {fault}: {code:?} {out:?} {err:?}; changed: {changed:?}",
                job.words
            ));
        }
        if !is_unchanged || is_committed || self.base().join("a.tgz").exists() {
            self.renew();
        }
    }

    fn tell(self, began: Instant) {
        println!("{} runs, {} stopped, {} s", self.tried, self.stopped, began.elapsed().as_secs());
        assert!(self.wrong.is_empty(), "{} wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert!(self.stopped > self.tried / 10, "the faults were not met");
    }
}

/// A link to itself takes the place of a folder that the disk cannot read, because it gives an
/// error even to root.
#[test]
fn a_folder_that_cannot_be_listed_never_counts_as_empty() {
    let began = Instant::now();
    let mut walk = Walk::new();
    for job in &JOBS {
        let sound = walk.undisturbed(job);
        walk.renew();
        for folder in [
            "boards",
            "boards/malaka",
            "boards/malaka/0",
            "users",
            "users/al",
            "spool/new",
            "spool/bad",
            "outbox/new",
            "runs",
        ] {
            let (path, aside) = (walk.path().join(folder), walk.base().join("aside"));
            if !path.is_dir() {
                continue;
            }
            fs::rename(&path, &aside).unwrap();
            symlink(&path, &path).unwrap();
            let ran = walk.run(job);
            fs::remove_file(&path).unwrap();
            fs::rename(&aside, &path).unwrap();
            walk.judge(job, &sound, path.to_str().unwrap(), &ran);
        }
    }
    walk.tell(began);
}

/// Replaces a file by a link to itself while `work` runs, then restores the file.
fn without<T>(path: &Path, work: impl FnOnce() -> T) -> T {
    let aside = path.with_extension("aside");
    fs::rename(path, &aside).unwrap();
    symlink(path, path).unwrap();
    let done = work();
    fs::remove_file(path).unwrap();
    fs::rename(&aside, path).unwrap();
    done
}

#[test]
fn a_document_that_cannot_be_read_is_neither_damaged_nor_absent() {
    let home = Home::with_board();
    for (file, words) in [
        ("boards/malaka/0/1.json", "check"),
        ("boards/malaka/0/1.json", "check --repair"),
        ("boards/malaka/0/1.json", "board show malaka 1"),
        ("boards/malaka/0/1.json", "board show malaka 1 --json"),
        ("boards/malaka/0/1.json", "malaka show 1"),
        ("boards/malaka/count", "check --repair"),
        ("boards/malaka/count", "malaka challenge bob alice"),
        ("users/al/alice.json", "check --repair"),
        ("users/al/alice.json", "user show alice"),
        ("users/al/alice.json", "signup alice secret new@pbm.test"),
    ] {
        let path = home.path().join(file);
        let before = fs::read(&path).unwrap();
        let ran = without(&path, || home.run(&words.split(' ').collect::<Vec<_>>(), b""));
        let is_told = ran.err.contains(&format!("cannot read {}: ", path.display()));
        assert!(ran.code == Some(75) && is_told, "{words} without {file}: {ran:?}");
        assert_eq!(fs::read(&path).unwrap(), before, "{words}");
    }
}

#[test]
fn a_mail_waits_while_its_receipts_cannot_be_read_and_is_executed_once() {
    let home = Home::with_board();
    let help = program::mail(1, "bob", "postboard@localhost", "help", "");
    home.receive(help.as_bytes());
    home.process();
    home.delivered();
    let month = home.path().join("seen").join(home.names("seen").pop().unwrap());
    let receipts: Vec<PathBuf> =
        program::names(&month).into_iter().map(|name| month.join(name)).collect();
    let hide = |all: &[PathBuf]| {
        for path in all {
            fs::rename(path, path.with_extension("aside")).unwrap();
            symlink(path, path).unwrap();
        }
    };
    // The same mail comes again while no receipt can be read.
    hide(&receipts);
    home.receive(help.as_bytes());
    for words in ["process", "cron"] {
        let ran = home.run(&[words], b"");
        let is_told = ran.err.contains(&format!("cannot read {}", month.display()));
        assert!(ran.code == Some(75) && is_told, "{ran:?}");
        let waits = [home.names("spool/new"), home.names("spool/cur")].concat();
        assert_eq!(waits.len(), 1, "the mail is kept");
    }
    for path in &receipts {
        fs::remove_file(path).unwrap();
        fs::rename(path.with_extension("aside"), path).unwrap();
    }
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    assert_eq!(home.delivered().len(), 0, "it was executed before");
    home.assert_tidy();
}

/// A letter with an unreadable file.
#[test]
fn a_letter_that_cannot_be_read_holds_up_no_other() {
    let home = Home::with_board();
    for user in ["bob", "alice"] {
        let mail = program::mail(1, user, "postboard@localhost", "help", user);
        home.receive(mail.as_bytes());
        assert_eq!(home.run(&["process"], b"").code, Some(0));
    }
    let new = home.path().join("outbox/new");
    let mut letters = program::names(&new);
    letters.sort();
    let [first, _] = &letters[..] else { panic!("{letters:?}") };
    let path = new.join(first);
    let aside = home.base().join("letter");
    fs::rename(&path, &aside).unwrap();
    symlink(&path, &path).unwrap();
    let ran = home.run(&["deliver"], b"");
    assert!(ran.code == Some(75) && ran.err.contains("cannot read "), "{ran:?}");
    assert_eq!(program::names(&home.base().join("sent")).len(), 1, "the other one leaves");
    // The letter waits for its next try.
    let [kept] = &program::names(&new)[..] else { panic!("{:?}", program::names(&new)) };
    fs::remove_file(new.join(kept)).unwrap();
    fs::rename(&aside, new.join(first)).unwrap();
    assert_eq!(home.run(&["deliver"], b"").code, Some(0));
    assert_eq!(program::names(&home.base().join("sent")).len(), 2);
}

/// The unreadable part of the configuration might have named a database.
#[test]
fn a_configuration_that_cannot_be_read_is_no_home_in_files() {
    let home = Home::with_board();
    let file = home.base().join("a.tgz").display().to_string();
    assert_eq!(home.run(&["backup", &file], b"").code, Some(0));
    let text = fs::read_to_string(home.path().join("postboard.toml")).unwrap();
    let path = home.path().join("postboard.toml");
    let files = |home: &Home| {
        let mut names = program::names(&home.path());
        names.sort();
        (names, home.names("runs"), home.names("spool/new"))
    };
    let break_off = [("odd", format!("{text}\nodd = 1\n")), ("link", String::new())];
    for (kind, text) in break_off {
        let aside = home.base().join("postboard.toml");
        fs::rename(&path, &aside).unwrap();
        if kind == "link" {
            symlink(home.base().join("nowhere"), &path).unwrap();
        } else {
            fs::write(&path, text).unwrap();
        }
        let before = files(&home);
        for (words, code) in [
            ("init", 75),
            ("cron", 75),
            ("receive", 75),
            ("process", 75),
            ("deliver", 75),
            ("check", 75),
            ("serve --demo", 75),
            (&format!("restore {file} --replace"), 64),
        ] {
            let ran = home.run(&words.split(' ').collect::<Vec<_>>(), b"");
            let is_told = ran.err.contains(path.to_str().unwrap());
            assert!(ran.code == Some(code) && is_told, "{kind}: {words}: {ran:?}");
        }
        assert_eq!(files(&home), before, "{kind}");
        fs::remove_file(&path).unwrap();
        fs::rename(&aside, &path).unwrap();
    }
    let mut command = home.command();
    let odd = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff");
    command.arg("check").env("POSTBOARD_STORE_URL", odd);
    let ran = program::run(&mut command, b"");
    assert!(ran.code == Some(75) && ran.err.contains("$POSTBOARD_STORE_URL"), "{ran:?}");
}

/// The system calls by which a program reads files and folders.
const CALLS: &str = "openat,read,pread64,getdents64,statx,newfstatat,fstat,readlink,lseek";

/// Returns the calls of a run under strace that read a file of the home: the call, its number among
/// the calls of its kind, and the path.
fn points(trace: &str, home: &str) -> Vec<(String, usize, String)> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut points = Vec::new();
    for line in trace.lines() {
        let Some((process, rest)) = line.split_once(' ') else { continue };
        let Some((call, arguments)) = rest.trim_start().split_once('(') else { continue };
        if !CALLS.split(',').any(|known| known == call) {
            continue;
        }
        let count = counts.entry((process.to_owned(), call.to_owned())).or_default();
        *count += 1;
        let Some(at) = arguments.find(home) else { continue };
        // Creating a file is no read.
        if arguments.contains("O_CREAT") {
            continue;
        }
        let path = arguments[at..].split(['"', '>']).next().unwrap_or_default().to_owned();
        let inside = path.strip_prefix(home).unwrap_or_default().trim_start_matches('/');
        let is_passing = PASSING.iter().any(|name| inside.starts_with(name));
        if !is_passing && !inside.is_empty() {
            points.push((call.to_owned(), *count, path));
        }
    }
    points.dedup();
    points
}

#[test]
#[ignore = "needs strace, and takes minutes: see docs/reliability.md"]
fn a_read_that_fails_is_told_and_concludes_nothing() {
    let began = Instant::now();
    let mut walk = Walk::new();
    for job in &JOBS {
        let sound = walk.undisturbed(job);
        walk.renew();
        let trace = walk.dir.path().join("trace");
        let strace = |walk: &Walk, options: &[String]| {
            let mut command = Command::new("strace");
            command.args(["-f", "-qq", "-y", "-e", "signal=none", "-o"]).arg(&trace);
            command.args(["-e", &format!("trace={CALLS}")]).args(options).arg("--").arg(PROGRAM);
            command.arg("--home").arg(walk.path()).args(walk.words(job));
            command.env_remove("POSTBOARD_HOME");
            program::run(&mut command, job.input.as_bytes())
        };
        strace(&walk, &[]);
        let home = walk.path();
        let points = points(&fs::read_to_string(&trace).unwrap(), home.to_str().unwrap());
        let (tried, stopped) = (walk.tried, walk.stopped);
        walk.renew();
        for (call, number, path) in points {
            let inject = format!("inject={call}:error=EIO:when={number}");
            let ran = strace(&walk, &["-e".to_owned(), inject]);
            walk.judge(job, &sound, &path, &ran);
        }
        let (tried, stopped) = (walk.tried - tried, walk.stopped - stopped);
        println!("{:<45} {tried:>4} reads failed, {stopped:>4} stopped it", job.words);
    }
    walk.tell(began);
}
