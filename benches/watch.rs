//! The cost of monitoring: `status`, `doctor` and `metrics`, which should take as long for a
//! million boards as for a hundred, and `check`, which reads all boards.
//!
//! `cargo bench --bench watch` runs the real binary on homes of a hundred and of a million boards
//! on the disk of `target/`. `-- 1000 /mnt/small-blocks` makes a home with that many boards in a
//! folder: a million need 4 GB with blocks of 4 kB, and 1.5 GB with 1 kB.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench times the disk")]
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

use benches::large::make;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 9;

fn main() {
    let program = benches::program(env!("CARGO_TARGET_TMPDIR"));
    let words: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let number = words.iter().find_map(|word| word.parse().ok());
    let base = words.iter().find(|word| word.starts_with('/')).map(PathBuf::from);
    let base = base.unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").into());
    for boards in number.map_or_else(|| vec![100, 1_000_000], |number| vec![number]) {
        let dir = tempfile::tempdir_in(&base).expect("the folder can be written");
        let home = dir.path().join("home");
        make(&home, boards);
        let _ = Command::new("sync").status();
        for words in [&["status"][..], &["doctor"], &["metrics"]] {
            let mut times: Vec<_> = (0..ROUNDS).map(|_| run(&program, &home, words)).collect();
            times.sort();
            let (median, worst) = (times[ROUNDS / 2], times[ROUNDS - 1]);
            println!("  {boards} boards, {}: {median:?}, at worst {worst:?}", words[0]);
        }
        println!("  {boards} boards, check: {:?}", run(&program, &home, &["check"]));
    }
}

/// Returns the time of a command, whatever it finds.
fn run(program: &Path, home: &Path, words: &[&str]) -> Duration {
    let start = Instant::now();
    let mut command = Command::new(program);
    command.arg("--home").arg(home).args(words).stdout(Stdio::null()).stderr(Stdio::null());
    let ended = command.status().expect("the binary runs");
    assert!(matches!(ended.code(), Some(0 | 65)), "{words:?}: {ended}");
    start.elapsed()
}
