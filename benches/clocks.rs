//! The cost of clocks and ratings in a large home.
//!
//! `cargo bench --bench clocks` runs the real binary on the disk of `target/`: `remind` over a
//! million boards of which a thousand are due, and `standings` of ten thousand rated players.
//! Making the home takes minutes; `-- 10000` makes a home with that many boards.
//!
//! `-- --tournaments` compares two homes of a million boards, in one of which 45,000 belong to a
//! thousand running tournaments: `remind`, `cron`, and moves by mail, in turn in both homes.
//!
//! `-- --ends` compares the end of a board, and the list of finished boards, in a home of a thousand boards
//! with one where a hundred times as many have ended.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench times the disk")]
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

use benches::large::{DUE, GAMES, USERS, add_tournaments, board, make, user};
use benches::median;
use games::{AnyGame, Next};
use postboard::base::time::{Time, days, seconds};
use postboard::model::board::Board;
use postboard::model::document::Document as _;
use postboard::model::finished_boards::{FinishedBoard, FinishedBoards, build};
use postboard::model::token::{Generation, TokenKey};
use postboard::store::{DocumentChange, FileStore, Key, Store as _, Transaction};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

/// The running tournaments of `-- --tournaments`, and the boards of a game that are theirs.
const TOURNAMENTS: u32 = 1_000;
const OF_TOURNAMENTS: u32 = TOURNAMENTS / 5 * GAMES;
/// The rounds of measurements, and the moves of a round.
const ROUNDS: u32 = 15;
const MOVES: u32 = 100;

/// The real program.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| benches::program(env!("CARGO_TARGET_TMPDIR")));

fn main() {
    let number = std::env::args().find_map(|word| word.parse().ok());
    let boards: u32 = number.unwrap_or(1_000_000);
    let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let dir = tempfile::tempdir_in(base).expect("target/tmp can be written");
    if std::env::args().any(|word| word == "--tournaments") {
        return tournaments(dir.path(), boards);
    }
    if std::env::args().any(|word| word == "--ends") {
        return ends(dir.path(), boards);
    }
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

/// A job that is measured in both homes.
struct Job {
    what: &'static str,
    /// Prepares a round in a home.
    prepare: fn(&Path, u32),
    words: &'static [&'static str],
}

const JOBS: [Job; 4] = [
    Job { what: "remind", prepare: |_, _| (), words: &["remind"] },
    Job { what: "cron", prepare: |_, _| (), words: &["cron"] },
    Job {
        what: "100 moves on other boards",
        prepare: |home, round| spool(home, OF_TOURNAMENTS + 1 + round * MOVES),
        words: &["process"],
    },
    Job {
        what: "100 moves on boards of tournaments",
        prepare: |home, round| spool(home, 1 + round * MOVES),
        words: &["process"],
    },
];

/// The boards of the small home, and those that end in each home.
const SMALL: u32 = 1_000;
const ENDED: u32 = 200;

/// Compares the end of a board in a small home, and in one with as many boards and finished boards as given.
fn ends(dir: &Path, boards: u32) {
    let homes = [SMALL, boards].map(|boards| {
        let home = dir.join(boards.to_string());
        make(&home, boards);
        list_finished(&home, ENDED + 1..=boards);
        home
    });
    let _ = Command::new("sync").status();
    let mut times: [[Vec<Duration>; 2]; 2] = Default::default();
    for number in 1..=ENDED {
        let (board, player) = (number.to_string(), user(number % USERS).to_string());
        for (home, times) in homes.iter().zip(&mut times) {
            let words = ["--as-operator", "malaka", "resign", &board, &player];
            times[0].push(run(home, &words));
            times[1].push(run(home, &["malaka", "history"]));
        }
    }
    for (index, what) in ["a board ends", "the boards that ended last"].iter().enumerate() {
        let [small, large] = times.each_ref().map(|times| median(&times[index]));
        let ratio = large.as_secs_f64() / small.as_secs_f64();
        println!("  {what}: {small:.1?} of {SMALL} boards, {large:.1?} of {boards}: {ratio:.2} x");
    }
}

/// Lists boards as finished, each of which ended a second after the one before.
fn list_finished(home: &Path, numbers: RangeInclusive<u32>) {
    let begun = Time::from(SystemTime::now()) - days(60);
    let ended = |number: u32| FinishedBoard {
        at: begun + seconds(i64::from(number)),
        number,
        private: false,
    };
    let parts = build("malaka", numbers.map(ended).collect()).into_iter();
    let change = |(key, part): (Key, FinishedBoards)| DocumentChange {
        key,
        was: None,
        text: part.to_text(),
    };
    let changes: Vec<DocumentChange> = parts.map(change).collect();
    let mut store = FileStore::open(home).expect("a home");
    for batch in changes.chunks(500) {
        let changes = batch.to_vec();
        store.commit(Transaction { changes, ..Transaction::default() }).expect("the disk works");
    }
    store.close().expect("the disk works");
}

/// Compares a home without tournaments with one where many are running.
fn tournaments(dir: &Path, boards: u32) {
    let homes = [dir.join("without"), dir.join("with")];
    for (home, are_running) in homes.iter().zip([false, true]) {
        make(home, boards);
        add_tournaments(home, TOURNAMENTS, are_running);
        let sent = dir.join("sent").display().to_string();
        let config = home.join("postboard.toml");
        let text = fs::read_to_string(&config).expect("a configuration");
        let by = format!("plus = true\n[deliver]\nby = \"folder\"\npath = \"{sent}\"\n");
        fs::write(&config, text + &by).expect("a configuration");
        // The boards that are due get their reminders now.
        run(home, &["cron"]);
    }
    let _ = Command::new("sync").status();
    for Job { what, prepare, words } in JOBS {
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..ROUNDS {
            for (home, times) in homes.iter().zip(&mut times) {
                prepare(home, round);
                times.push(run(home, words));
            }
        }
        let [without, with] = times.map(|times| median(&times));
        let ratio = with.as_secs_f64() / without.as_secs_f64();
        println!("  {what}: without {without:?}, with {with:?}, {ratio:.2} x");
        for home in &homes {
            let waiting = fs::read_dir(home.join("spool/new")).expect("a spool").count();
            assert_eq!(waiting, 0, "every mail was executed");
            run(home, &["deliver"]);
        }
    }
    for home in &homes {
        let moved = (1..=ROUNDS * MOVES).filter(|number| has_moved(home, *number)).count();
        assert_eq!(moved, (ROUNDS * MOVES) as usize, "every mail moved on its board");
    }
}

fn malaka() -> &'static dyn AnyGame {
    games::find("malaka").expect("Malaka is a game")
}

/// Returns the text of a board in a home.
fn text(home: &Path, number: u32) -> String {
    let path = home.join(format!("boards/malaka/{}/{number}.json", number / 1000));
    fs::read_to_string(path).expect("a board")
}

/// Returns whether a board has one more move than when it was made.
fn has_moved(home: &Path, number: u32) -> bool {
    let made = board(malaka(), number, Time::from(SystemTime::now()));
    let now = Board::read(&text(home, number)).expect("a sound board");
    now.next_move() > made.next_move()
}

/// Puts replies with a move on some boards into the spool, without syncs.
fn spool(home: &Path, first: u32) {
    let key = TokenKey::new([1; 32]);
    for number in first..first + MOVES {
        let board = Board::read(&text(home, number)).expect("a sound board");
        let Next::Move(seat) = board.position().next() else { unreachable!("it waits") };
        let (player, play) = (board.player(seat), board.position().nth_move(0));
        let tag = key.tag(board.id, board.next_move(), None, player, Generation::default());
        let mail = format!(
            "From: {player}@example.org\nTo: postboard+{tag}@games.example\nSubject: Re: your turn\n\
             Message-ID: <{number}.mail@example.org>\n\n{}\n",
            play.expect("a legal play")
        );
        fs::write(home.join(format!("spool/new/{number:012}.1.1.0")), mail).expect("a mail");
    }
}
