//! The processor time that each level of a program takes for a move, in the games without dice.
//!
//! The positions are those of games of level 2 against itself: of every game with its defaults, or of one game with the
//! options after its name, as in `cargo bench --bench levels -- go -size=9`.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures time, and prints its results"
)]

use benches::processor_time;
use games::{AnyGame, AnyPosition, Chance, Choices, GAMES, Next, find};
use std::time::Duration;

/// The number of positions of a game, and of games from which they come.
const POSITIONS: usize = 120;
const PLAYED: u64 = 8;

/// Returns the positions of games in which somebody is to move.
fn positions(game: &dyn AnyGame, options: &Choices) -> Vec<Box<dyn AnyPosition>> {
    let mut found = Vec::new();
    for seed in 0..PLAYED {
        let mut chance = Chance::new(seed);
        let mut position = game.setup(options);
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

/// Prints the times of the levels of a game, if it has levels and no dice.
fn measure(game: &dyn AnyGame, options: &Choices) {
    let positions = positions(game, options);
    if positions.is_empty() {
        return;
    }
    println!("{}, {} positions:", game.spec().name, positions.len());
    for level in 1..=game.spec().manner.levels {
        let mut chance = Chance::new(2);
        let mut took: Vec<Duration> = Vec::new();
        for position in &positions {
            let began = processor_time();
            std::hint::black_box(position.choose(level, &mut |limit| chance.below(limit)));
            took.push(processor_time().saturating_sub(began));
        }
        took.sort();
        let at = |percent: usize| {
            took[(took.len() * percent / 100).min(took.len() - 1)].as_secs_f64() * 1e3
        };
        let (half, most) = (at(50), at(100));
        println!("  level {level}: {half:.2} ms, 95 of 100 within {:.2}, most {most:.2}", at(95));
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    if let [name, options @ ..] = &words[..] {
        let game = find(name).expect("it is the name of a game");
        let spec = game.spec();
        let options = options.iter().map(String::as_str);
        let options = Choices::parse(spec.options, spec.exclusive, options);
        measure(game, &options.expect("the game has these options"));
    } else {
        for game in GAMES.iter().filter(|game| game.spec().manner.levels > 0) {
            measure(*game, &Choices::default());
        }
    }
}
