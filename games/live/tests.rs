//! What holds for every game of the console.

use super::*;
use crate::kit::Chance;

/// Presses by chance, about that many a second.
fn random(chance: &mut Chance, of_hundred: usize) -> Vec<(Seat, Press)> {
    if chance.below(100) >= of_hundred {
        return Vec::new();
    }
    let seat = Seat::BOTH[chance.below(2)];
    let at = Square::all().nth(chance.below(81)).unwrap();
    vec![(seat, if chance.below(20) == 0 { Press::Pass } else { Press::At(at) })]
}

/// A tape of a game pressed at by chance.
fn played(game: &'static LiveGame, sitting: Sitting, ticks: u64) -> (Tape, Box<dyn Live>) {
    let mut tape = Tape::new(game, sitting).unwrap();
    let mut live = tape.start();
    let mut chance = Chance::new(sitting.seed ^ 0xfeed);
    for _ in 0..ticks {
        let presses = random(&mut chance, 8);
        tape.step(&mut *live, &presses);
    }
    tape.seal(&*live);
    (tape, live)
}

#[test]
fn a_tape_plays_the_same_game_again() {
    for game in CONSOLE {
        for mode in 0..game.modes {
            let level = if game.uses_level { mode % 3 } else { 0 };
            let sitting = Sitting { mode, level, seed: 7, time: 0, ..Sitting::default() };
            let (tape, live) = played(game, sitting, 3_000);
            let read: Tape = tape.to_string().parse().unwrap();
            let again = read.replay().unwrap();
            assert_eq!(again.digest(), live.digest(), "{} {mode}", game.name);
            assert_eq!(again.scene(), live.scene(), "{} {mode}", game.name);
        }
    }
}
