//! The time that each level of a program takes for a move, in the games without dice.
//!
//! The positions are those of games of level 2 against itself, with the defaults of each game.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures time, and prints its results"
)]

use games::{AnyGame, AnyPosition, Chance, Choices, GAMES, Next};
use std::time::{Duration, Instant};

/// The number of positions of a game, and of games from which they come.
const POSITIONS: usize = 120;
const PLAYED: u64 = 8;

/// Returns the positions of games in which somebody is to move.
fn positions(game: &dyn AnyGame) -> Vec<Box<dyn AnyPosition>> {
    let mut found = Vec::new();
    for seed in 0..PLAYED {
        let mut chance = Chance::new(seed);
        let mut position = game.setup(&Choices::default());
        loop {
            match position.next() {
                Next::Over(_) => break,
                Next::Roll(_) | Next::Ready(..) => return Vec::new(),
                Next::Deal => {
                    let stones = position.deal(&mut |limit| chance.below(limit));
                    position.lay(stones).expect("these stones were asked for");
                }
                Next::Move(_) => {
                    found.push(position.copy());
                    let chosen = position.choose(2, &mut |limit| chance.below(limit));
                    position.play(&chosen.expect("it has levels")).expect("it is legal");
                }
            }
        }
    }
    // Evenly from all of them, openings and endings.
    let every = found.len().div_ceil(POSITIONS).max(1);
    found.into_iter().step_by(every).collect()
}

fn main() {
    for game in GAMES.iter().filter(|game| game.spec().manner.levels > 0) {
        let positions = positions(*game);
        if positions.is_empty() {
            continue;
        }
        println!("{}, {} positions:", game.spec().name, positions.len());
        for level in 1..=game.spec().manner.levels {
            let mut chance = Chance::new(2);
            let mut took: Vec<Duration> = Vec::new();
            for position in &positions {
                let began = Instant::now();
                std::hint::black_box(position.choose(level, &mut |limit| chance.below(limit)));
                took.push(began.elapsed());
            }
            took.sort();
            let at = |percent: usize| {
                took[(took.len() * percent / 100).min(took.len() - 1)].as_secs_f64() * 1e3
            };
            let (half, most) = (at(50), at(100));
            println!(
                "  level {level}: {half:.2} ms, 95 of 100 within {:.2}, most {most:.2}",
                at(95)
            );
        }
    }
}
