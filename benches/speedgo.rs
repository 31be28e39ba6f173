//! Random games of `SpeedGo` compared with `OpenSpiel`'s `go(board_size=9)`, on one core.
//!
//! Both play from the empty board to the end with uniform random legal moves, passes included. Each
//! figure is processor time, the best of alternating rounds. `OpenSpiel` needs a `python3` with the
//! package `open_spiel`; `$PYTHON` names another Python.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use benches::{processor_time, python};
use games::{Chance, Choices};

/// Our random games in a round.
const GAMES: u32 = 20_000;
/// The number of rounds.
const ROUNDS: usize = 5;

/// Returns games a second, and moves a game.
fn ours() -> (f64, f64) {
    let game = games::find("speedgo").expect("it is a game");
    let options = Choices::parse(game.spec().options, &[], ["mode=1"]).expect("it has that mode");
    let start = game.setup(&options);
    let mut chance = Chance::new(1);
    let mut moves = 0;
    let began = processor_time();
    for _ in 0..GAMES {
        let made = benches::random_game(&mut *start.copy(), &mut chance);
        moves += u32::try_from(made).expect("a game has fewer moves");
    }
    let games = f64::from(GAMES);
    let spent = processor_time().saturating_sub(began);
    (games / spent.as_secs_f64(), f64::from(moves) / games)
}

/// Returns the same figures of the peer.
fn theirs() -> Option<(f64, f64)> {
    let ran = python("openspiel_go.py").output().ok()?;
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
