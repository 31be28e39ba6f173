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

/// A game played by the board alone, level by level; whether green has won, and none for a draw.
fn match_of(name: &str, sitting: Sitting) -> (Option<Seat>, u64, Scene) {
    let mut live = (console(name).unwrap().set_up)(&sitting);
    while live.over().is_none() {
        live.step(&[]);
        assert!(live.ticks() < 4_000_000, "{name} {sitting:?} does not end: {live:?}");
    }
    let by = match live.over() {
        Some(Outcome::Won { by, .. }) => Some(by),
        _ => None,
    };
    (by, live.ticks(), live.scene())
}

/// Of so many games of two levels, each green in every other one: won by the higher, drawn, lost,
/// and the ticks of all.
fn strength(name: &str, mode: u8, speed: u8, higher: u8, games: u64) -> ([u64; 3], u64) {
    let (mut counts, mut total) = ([0; 3], 0);
    for seed in 0..games {
        let is_green = seed % 2 == 0;
        let [green, level] = if is_green { [higher, higher - 1] } else { [higher - 1, higher] };
        let sitting = Sitting { mode, speed, green, level, seed, ..Sitting::default() };
        let (by, ticks, _) = match_of(name, sitting);
        total += ticks;
        counts[match by {
            None => 1,
            Some(by) if (by == Seat(0)) == is_green => 0,
            Some(_) => 2,
        }] += 1;
    }
    (counts, total)
}

/// How strong the levels are: prints the tables of `docs/strength.md`.
#[test]
#[ignore = "a measurement: cargo test -p games live::tests::levels -- --ignored --nocapture"]
fn levels_of_all_real_time_games() {
    for name in ["ghost", "life", "touchit", "findthem"] {
        let game = console(name).unwrap();
        for mode in 0..game.modes {
            for speed in [2, 5, 8] {
                print!("{name} {mode} speed {speed}:");
                for higher in 2..=4 {
                    let ([won, drawn, lost], ticks) = strength(name, mode, speed, higher, 200);
                    print!("  {higher}: {won}-{drawn}-{lost} ({} s)", ticks / 200 / TICKS);
                }
                println!();
            }
        }
    }
}
