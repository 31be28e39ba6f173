//! Shared support of the benchmarks.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench runs cargo")]

#[cfg(feature = "peers")]
pub mod large;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

/// The real program as it is released, built now if it was not. `tmp` is the folder in `target/`
/// that cargo gives to benchmarks.
pub fn program(tmp: &str) -> PathBuf {
    let target = Path::new(tmp).parent().expect("`tmp` is a folder of `target/`");
    let mut build = Command::new(env!("CARGO"));
    build.args([
        "build",
        "--profile",
        "dist",
        "--locked",
        "--package",
        "postboard",
        "--bin",
        "postboard",
    ]);
    build.arg("--target-dir").arg(target);
    build.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    // Cargo's variables for this package would rebuild other packages that look at them.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_")) {
        if !matches!(&*name, "CARGO_HOME" | "CARGO_TARGET_DIR") {
            build.env_remove(name);
        }
    }
    assert!(build.status().expect("cargo runs").success(), "the program is built");
    target.join("dist/postboard")
}

/// Returns a figure of the memory of a running process, as `/proc/PID/status` names it, in KB.
pub fn memory(process: &Child, figure: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id()));
    let status = status.expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix(figure)).expect("a line");
    line.trim_matches([':', ' ', '\t', 'k', 'B']).parse().expect("a number")
}

/// Returns the processor time of this thread, as Linux accounts it.
pub fn processor_time() -> Duration {
    // The account is brought up to date when the thread gives way.
    std::thread::yield_now();
    let account = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    let first = account.split(' ').next().and_then(|it| it.parse().ok());
    Duration::from_nanos(first.expect("it begins with nanoseconds"))
}

/// Returns the upper median of at least one measurement.
pub fn median<T: Copy + PartialOrd>(values: &[T]) -> T {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).expect("a measurement is a number"));
    sorted[sorted.len() / 2]
}

/// Returns a command that runs a Python script of this folder; `$PYTHON` names another Python.
pub fn python(script: &str) -> Command {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let mut command = Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script));
    command
}

/// Makes a file durable under a name.
pub fn durable(dir: &Path, name: &str, bytes: &[u8]) {
    let new = dir.join("new");
    let mut file = File::create(&new).expect("a file");
    file.write_all(bytes).and_then(|()| file.sync_all()).expect("the disk works");
    fs::rename(&new, dir.join(name)).expect("the disk works");
    File::open(dir).and_then(|folder| folder.sync_all()).expect("the disk works");
}

/// Plays random legal moves to the end of the game and returns their number, passes included.
#[cfg(feature = "peers")]
pub fn random_game(position: &mut dyn games::AnyPosition, chance: &mut games::Chance) -> usize {
    let mut moves = 0;
    loop {
        match position.next() {
            games::Next::Over(_) => return moves,
            games::Next::Roll(throw) | games::Next::Ready(_, throw) => {
                position.roll(chance.roll(throw)).expect("this roll was asked for");
            }
            games::Next::Deal => {
                let stones = position.deal(&mut |limit| chance.below(limit));
                position.lay(stones).expect("these stones were asked for");
            }
            games::Next::Move(_) => {
                let chosen = chance.below(position.count());
                let text = position.nth_move(chosen).expect("the index is below the count");
                position.play_recorded(&text).expect("a listed move is legal");
                moves += 1;
            }
        }
    }
}
