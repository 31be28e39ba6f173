//! The cost of clocks and ratings in a large home.
//!
//! `cargo bench --bench clocks` runs the real binary on the disk of `target/`: `remind` over a
//! million boards of which a thousand are due, and `standings` of ten thousand rated players.
//! Making the home takes minutes; `-- 10000` makes a home with that many boards.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench times the disk")]
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

use benches::large::{DUE, USERS, make};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The real program.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| benches::program(env!("CARGO_TARGET_TMPDIR")));

fn main() {
    let number = std::env::args().find_map(|word| word.parse().ok());
    let boards: u32 = number.unwrap_or(1_000_000);
    let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let dir = tempfile::tempdir_in(base).expect("target/tmp can be written");
    let home = dir.path().join("home");
    make(&home, boards);
    let _ = Command::new("sync").status();
    for round in 1..=3 {
        let time = run(&home, &["malaka", "standings"]);
        println!("  standings of {USERS} rated players, round {round}: {time:?}");
    }
    let time = run(&home, &["remind"]);
    let mails = letters(&home);
    println!("  remind, {} of {boards} boards due: {time:?}, {mails} reminders", boards / DUE);
    for round in 1..=3 {
        let time = run(&home, &["remind"]);
        println!("  remind, none of {boards} boards due, round {round}: {time:?}");
    }
    assert_eq!(letters(&home), mails, "nobody is reminded twice");
}

fn run(home: &Path, words: &[&str]) -> Duration {
    let start = Instant::now();
    let mut command = Command::new(&*PROGRAM);
    command.arg("--home").arg(home).args(words).stdout(Stdio::null());
    assert!(command.status().expect("the binary runs").success());
    start.elapsed()
}

/// Counts the mails in the outbox.
fn letters(home: &Path) -> usize {
    let entries = fs::read_dir(home.join("outbox/new")).expect("an outbox");
    let texts = entries.map(|entry| fs::read_to_string(entry.expect("a file").path()));
    texts.map(|text| text.expect("a mail").matches("\nMessage-ID: ").count()).sum()
}
