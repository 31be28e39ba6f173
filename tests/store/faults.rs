//! The real program, killed at each system call or with each call failing (see tests/README.md).

#![expect(clippy::print_stdout, reason = "the test prints how many cases it tried")]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the benchmark is a separate program, and the test times it"
)]

use crate::store::every_verb::{Does, SITUATIONS, Situation, prepare};
use crate::support::files::memory;
use crate::support::home::setup;
use crate::support::program::{self, Home, PROGRAM};
use postboard::shell::settings;
use postboard::store::FileStore;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Instant, SystemTime};

/// A mail, and copies of the home before the mail arrived, while it waits, and after its execution.
struct Material {
    home: Home,
}

/// A reply with a move; its token needs no password hash.
const A_MOVE: Situation =
    ("move", Does::Change, &["malaka challenge alice bob", "<mover>< <play>"]);

impl Material {
    fn new(situation: &Situation) -> Self {
        let home = Home::new();
        let mut files = FileStore::open(&home.path()).unwrap();
        let setup = setup(settings::load(&home.path()).unwrap());
        let now = SystemTime::now().into();
        let raw = prepare(&mut files, &setup, situation, now);
        files.close().unwrap();
        home.delivered();
        fs::write(home.base().join("mail"), &raw).unwrap();
        let material = Self { home };
        material.copy("before");
        material.home.receive(raw.as_bytes());
        material.copy("waiting");
        material
    }

    /// Builds the material and executes the mail with the random bytes of the bench.
    fn executed(situation: &Situation) -> Self {
        let material = Self::new(situation);
        let run = format!("{PROGRAM} --home {{w}}/home process");
        let keep = format!("cp -a {{w}}/home {}", material.at("after").display());
        assert!(material.bench("none", "waiting", &run, Path::new("/dev/null"), &keep));
        material
    }

    fn at(&self, name: &str) -> PathBuf {
        self.home.base().join(name)
    }

    /// Copies the home to a folder of this name.
    fn copy(&self, name: &str) {
        let mut cp = Command::new("cp");
        cp.arg("-a").arg(self.home.path()).arg(self.at(name));
        assert_eq!(program::run(&mut cp, b"").code, Some(0));
    }

    /// Runs the bench; returns whether it found no error. A number after the mode limits the
    /// points: `EIO 20`.
    fn bench(&self, mode: &str, from: &str, run: &str, stdin: &Path, check: &str) -> bool {
        let began = Instant::now();
        let (mode, most) = mode.split_once(' ').unwrap_or((mode, "0"));
        let mut bench = Command::new(benches().join("sysfault.py"));
        bench.args(["--mode", mode, "--max", most, "--from", "{w}/home", "--seeded"]);
        // The first run of each bench creates the expected result.
        let _ = fs::remove_file(self.at("expected"));
        bench.env("TMPDIR", memory());
        // Each copy of the home delivers into its own folder.
        let own = "sed -i 's#^path = .*#path = \"{w}/sent\"#' {w}/home/postboard.toml";
        let setup = format!("cp -a {} {{w}}/home && {own}", self.at(from).display());
        bench.args(["--setup", &setup]);
        bench.args(["--run", run, "--check", check]).arg("--stdin").arg(stdin);
        let ran = program::run(&mut bench, b"");
        let seconds = began.elapsed().as_secs();
        let name = run.split(' ').next().and_then(|path| path.rsplit('/').next());
        let last = ran.out.lines().rfind(|line| line.starts_with(mode)).unwrap_or_default();
        println!(
            "{} {}: {last}; {seconds} s",
            name.unwrap_or_default(),
            run.rsplit(' ').next().unwrap()
        );
        match ran.code {
            Some(0) => true,
            Some(1) => {
                println!("{}", ran.out.lines().take(10).collect::<Vec<_>>().join("\n"));
                false
            }
            _ => panic!("the bench does not work: {} {}", ran.out, ran.err),
        }
    }

    /// Sets the hour of the rate limits in the material to the current hour. Strangers are counted
    /// by the hour; a new hour during the bench would look like a wrong state.
    fn begin_hour(&self, name: &str) {
        let script = "grep -rl '\"hour\":' \"$0\" | xargs -r sed -i \
                      \"s/\\\"hour\\\":[0-9]*/\\\"hour\\\":$(date +%s)/\"";
        let mut sh = Command::new("sh");
        sh.args(["-c", script]).arg(self.at(name).join("mailboxes"));
        assert_eq!(program::run(&mut sh, b"").code, Some(0));
    }

    fn process(&self, mode: &str) -> bool {
        self.begin_hour("waiting");
        let run = format!("{PROGRAM} --home {{w}}/home process");
        self.bench(mode, "waiting", &run, Path::new("/dev/null"), &self.comparison())
    }

    fn deliver(&self, mode: &str) {
        self.begin_hour("after");
        let run = format!("{PROGRAM} --home {{w}}/home deliver");
        let right = self.bench(mode, "after", &run, Path::new("/dev/null"), &self.comparison());
        assert!(right, "{mode} leaves a wrong state behind `deliver`");
    }

    /// Returns the command that compares the home with the result of an undisturbed run.
    fn comparison(&self) -> String {
        let script = benches().join("same-home.py");
        let expected = self.at("expected");
        format!(
            "{{python}} {} {PROGRAM} {{w}}/home {} '{{seed}}'",
            script.display(),
            expected.display()
        )
    }

    /// Checks that a second `init` completes an interrupted `init`.
    fn init(&self, mode: &str) {
        let run = format!("{PROGRAM} --home {{w}}/home/new init");
        let home = "--home {w}/home/new";
        let check =
            format!("{PROGRAM} {home} init; {PROGRAM} {home} check && {PROGRAM} {home} list");
        let right = self.bench(mode, "before", &run, Path::new("/dev/null"), &check);
        assert!(right, "{mode} leaves a wrong state behind `init`");
    }

    /// Checks that an interrupted `backup` leaves a complete file or no file, and that the next
    /// `backup` is complete.
    fn backup(&self, mode: &str) {
        let run = format!("{PROGRAM} --home {{w}}/home backup {{w}}/a.tgz");
        let whole = format!(
            "{{ rm -rf {{w}}/new; {PROGRAM} --home {{w}}/new restore {{w}}/a.tgz && \
             diff -r -x log -x runs -x lock -x journal -x spare {{w}}/home {{w}}/new; }}"
        );
        let check = format!("{{ [ ! -e {{w}}/a.tgz ] || {whole}; }} && {run} && {whole}");
        let right = self.bench(mode, "waiting", &run, Path::new("/dev/null"), &check);
        assert!(right, "{mode} leaves a wrong state behind `backup`");
    }

    /// Checks that an interrupted `restore` leaves the old home or the new home.
    fn restore(&self, mode: &str) {
        let from = self.at("after");
        let file = self.at("a.tgz");
        let mut backup = Command::new(PROGRAM);
        backup.arg("--home").arg(&from).arg("backup").arg(&file);
        assert_eq!(program::run(&mut backup, b"").code, Some(0));
        let run = format!("{PROGRAM} --home {{w}}/home restore --replace {}", file.display());
        // Each copy of the home delivers into its own folder, so the configurations differ.
        let is = "diff -r -q -x log -x runs -x lock -x journal -x spare -x postboard.toml -x running -x restoring >/dev/null";
        let (new, old) = (from.display(), self.at("waiting"));
        let old = old.display();
        let check = format!(
            "{{ {is} {old} {{w}}/home || {is} {new} {{w}}/home; }} && {run} && \
             {is} {new} {{w}}/home && n=0 && for home in {{w}}/home.aside*; do \
             if {is} {old} $home; then n=$((n + 1)); fi; done && [ $n = 1 ] && \
             [ ! -e {{w}}/home.restoring ]"
        );
        let right = self.bench(mode, "waiting", &run, Path::new("/dev/null"), &check);
        assert!(right, "{mode} leaves a wrong state behind `restore`");
    }

    fn receive(&self, mode: &str) {
        let (run, mail) = (format!("{PROGRAM} --home {{w}}/home receive"), self.at("mail"));
        let script = benches().join("check-receive.sh");
        let check = format!("{} {PROGRAM} {{w}}/home {} {{rc}}", script.display(), mail.display());
        let right = self.bench(mode, "before", &run, &mail, &check);
        assert!(right, "{mode} leaves a wrong state behind `receive`");
    }
}

fn benches() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/store/faults"))
}

const MODES: [&str; 6] = ["kill", "EIO", "ENOSPC", "EDQUOT", "EINTR", "EMFILE"];

/// Runs the bench on `process` for each situation, in the modes that `modes` returns for its
/// number.
pub(crate) fn verbs<'a>(
    situations: impl Iterator<Item = &'a Situation>,
    modes: impl Fn(usize) -> Vec<String>,
) {
    let mut wrong = Vec::new();
    for (number, situation) in situations.enumerate() {
        let last = situation.2.last().unwrap();
        println!("{}: {last}", situation.0);
        let material = Material::new(situation);
        for mode in modes(number) {
            if !material.process(&mode) {
                wrong.push(format!("{mode}: {last}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Returns every mode with its maximum number of points, for kills and for errors; 0 means all
/// points.
pub(crate) fn modes(killed: usize, failed: usize) -> Vec<String> {
    let most = |mode: &str| if mode == "kill" { killed } else { failed };
    MODES.iter().map(|mode| format!("{mode} {}", most(mode))).collect()
}

/// The four verbs that differ most in their writes; `every_verb::the_program_...` tries all verbs.
#[test]
#[ignore = "needs strace: .ci/run installs it and runs this by name"]
fn faults_of_some_verbs_leave_what_an_undisturbed_run_leaves() {
    let some = ["signup", "accept-seek", "accept", "delete"];
    let one = |verb: &&str| {
        let mut of = SITUATIONS.iter().filter(|(of, ..)| of == verb);
        // The last situation of a verb has the longest history.
        of.next_back()
    };
    verbs(some.iter().filter_map(one), |_| modes(40, 12));
}

#[test]
#[ignore = "needs strace: .ci/run installs it and runs this by name"]
fn faults_lose_and_double_nothing() {
    fail_a_move(|mode| match mode {
        "EIO" | "ENOSPC" => 0,
        // The program treats other errors like these two; `every_call` tries them everywhere.
        _ => 60,
    });
}

/// Lets the calls of `process` and `receive` fail with each error, at the number of points that
/// `most` returns; 0 means all points.
fn fail_a_move(most: impl Fn(&str) -> usize) {
    let material = Material::executed(&A_MOVE);
    for mode in &MODES[1..] {
        let process = format!("{mode} {}", most(mode));
        assert!(material.process(&process), "{mode} leaves a wrong state behind `process`");
        material.receive(mode);
    }
}

#[test]
#[ignore = "takes ten minutes: `cargo test --test postboard every_call_of -- --ignored --nocapture`"]
fn every_call_of_a_move_and_of_copies_fails_with_every_error() {
    fail_a_move(|_| 0);
    fail_copies(0);
}

#[test]
#[ignore = "needs strace: .ci/run installs it and runs this by name"]
fn faults_that_kill_it_lose_and_double_nothing() {
    let material = Material::executed(&A_MOVE);
    assert!(material.process("kill"), "kill leaves a wrong state behind `process`");
    material.receive("kill");
    // On other errors, `deliver` keeps the mails for a later retry.
    material.deliver("kill");
    material.init("kill");
}

#[test]
#[ignore = "needs strace: .ci/run installs it and runs this by name"]
fn faults_leave_backups_and_homes_whole() {
    fail_copies(150);
}

/// Kills `backup` and `restore`, and fills their disk, at most at this many points; 0 means all.
fn fail_copies(most: usize) {
    let material = Material::executed(&A_MOVE);
    for mode in ["kill", "ENOSPC"] {
        material.backup(&format!("{mode} {most}"));
        material.restore(&format!("{mode} {most}"));
    }
}

#[test]
#[ignore = "needs strace: .ci/run installs it and runs this by name"]
fn faults_of_a_careless_restore_are_seen() {
    let material = Material::executed(&A_MOVE);
    let run = format!("cp -aT {} {{w}}/home", material.at("after").display());
    let is = "diff -r -q -x log -x runs -x lock -x journal -x spare -x postboard.toml >/dev/null";
    let (old, new) = (material.at("before"), material.at("after"));
    let check = format!("{is} {} {{w}}/home || {is} {} {{w}}/home", old.display(), new.display());
    let right = material.bench("kill 100", "before", &run, Path::new("/dev/null"), &check);
    assert!(!right, "the bench sees nothing");
}

#[test]
#[ignore = "needs strace: .ci/run installs it and runs this by name"]
fn faults_of_a_careless_program_are_seen() {
    let material = Material::executed(&A_MOVE);
    let careless = benches().join("careless.py");
    let run = format!("{} {{w}}/home {}", careless.display(), material.at("after").display());
    let right =
        material.bench("kill 60", "waiting", &run, Path::new("/dev/null"), &material.comparison());
    assert!(!right, "the bench sees nothing");
}
