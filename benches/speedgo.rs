//! Random games of `SpeedGo` compared with `OpenSpiel`'s `go(board_size=9)`, on one core.
//!
//! Both play from the empty board to the end with uniform random legal moves, passes included. Each
//! figure is processor time, the best of alternating rounds. `OpenSpiel` needs a `python3` with the
//! package `open_spiel`; `$PYTHON` names another Python.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark prints its results, and starts another program"
)]

use games::{Chance, Choices};
use std::process::Command;

/// Our random games in a round.
const GAMES: u32 = 20_000;
/// The number of rounds.
const ROUNDS: usize = 5;

/// Returns the processor time of this thread in seconds.
fn spent() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.expect("its first word is a number") / 1e9
}

/// Returns games a second, and moves a game.
fn ours() -> (f64, f64) {
    let game = games::find("speedgo").expect("it is a game");
    let options = Choices::parse(game.spec().options, &[], ["mode=1"]).expect("it has that mode");
    let start = game.setup(&options);
    let mut chance = Chance::new(1);
    let mut moves = 0;
    let began = spent();
    for _ in 0..GAMES {
        let made = benches::random_game(&mut *start.copy(), &mut chance);
        moves += u32::try_from(made).expect("a game has fewer moves");
    }
    let games = f64::from(GAMES);
    (games / (spent() - began), f64::from(moves) / games)
}

/// Returns the same figures of the peer.
fn theirs() -> Option<(f64, f64)> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/openspiel_go.py");
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let ran = Command::new(python).arg(script).output().ok()?;
    let text = String::from_utf8(ran.stdout).ok()?;
    let (games, moves) = text.trim().split_once(' ')?;
    Some((games.parse().ok()?, moves.parse().ok()?))
}

fn main() {
    let faster = |one: (f64, f64), other: (f64, f64)| if other.0 > one.0 { other } else { one };
    let (mut best, mut peer) = ((0.0, 0.0), None);
    for _ in 0..ROUNDS {
        best = faster(best, ours());
        if let Some(theirs) = theirs() {
            peer = Some(faster(peer.unwrap_or(theirs), theirs));
        }
    }
    println!("random games of SpeedGo: {:.0}/s, {:.1} moves a game", best.0, best.1);
    match peer {
        Some((games, moves)) => println!(
            "OpenSpiel, inside C++: {games:.0}/s, {moves:.1} moves a game: ours {:.1} x",
            best.0 / games
        ),
        None => println!("OpenSpiel is not here: pip install open_spiel"),
    }
}
