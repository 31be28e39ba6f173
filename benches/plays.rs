//! The time to list all plays of a position, and to read the play that a player wrote.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use games::{AnyPosition, Chance, Choices, Next, Roll};

fn main() {
    divan::main();
}

/// Returns a thousand positions of random games with two dice to play, equal ones or not.
fn positions(game: &str, options: &str, double: bool) -> Vec<Box<dyn AnyPosition>> {
    let game = games::find(game).expect("it is a game");
    let spec = game.spec();
    let options = Choices::parse(spec.options, spec.exclusive, options.split_whitespace())
        .expect("the options are the game's");
    let mut chance = Chance::new(1);
    let mut positions: Vec<Box<dyn AnyPosition>> = Vec::new();
    let mut position = game.setup(&options);
    while positions.len() < 1_000 {
        match position.next() {
            Next::Over(_) => position = game.setup(&options),
            Next::Deal => unreachable!("no stones are laid here"),
            Next::Roll(throw) | Next::Ready(_, throw) => {
                let roll = chance.roll(throw);
                position.roll(roll).expect("these dice were asked for");
                if matches!(roll, Roll::Two(a, b) if (a == b) == double) {
                    positions.push(position.copy());
                }
            }
            Next::Move(_) => {
                let moves = position.moves();
                let text = &moves[chance.below(moves.len())];
                position.play_recorded(text).expect("a listed move can be carried out");
            }
        }
    }
    positions
}

/// Lists the plays of all positions; one item is one position.
fn all_plays(bencher: Bencher, options: &str, double: bool) {
    let positions = positions("malaka", options, double);
    bencher
        .counter(ItemsCount::new(positions.len()))
        .with_inputs(|| positions.iter().map(|position| position.copy()).collect::<Vec<_>>())
        .bench_local_refs(|positions| {
            for position in positions {
                black_box(position.count());
            }
        });
}

/// Reads and makes one play in each position.
fn one_play(bencher: Bencher, game: &str, options: &str) {
    let mut chance = Chance::new(2);
    let mut written = |position: &dyn AnyPosition| {
        let moves = position.moves();
        moves[chance.below(moves.len())].clone()
    };
    let positions = positions(game, options, false);
    let texts: Vec<String> = positions.iter().map(|position| written(&**position)).collect();
    bencher
        .counter(ItemsCount::new(positions.len()))
        .with_inputs(|| positions.iter().map(|position| position.copy()).collect::<Vec<_>>())
        .bench_local_refs(|positions| {
            for (position, text) in positions.iter_mut().zip(&texts) {
                black_box(position.play(text).expect("a listed play is legal"));
            }
        });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn one_of_nine_d4(bencher: Bencher) {
    one_play(bencher, "malaka", "");
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn one_of_twelve_d6(bencher: Bencher) {
    one_play(bencher, "malaka", "large");
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn one_of_backgammon(bencher: Bencher) {
    one_play(bencher, "backgammon", "");
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn nine_d4_different(bencher: Bencher) {
    all_plays(bencher, "", false);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn nine_d4_double(bencher: Bencher) {
    all_plays(bencher, "", true);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn twelve_d6_different(bencher: Bencher) {
    all_plays(bencher, "large", false);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn twelve_d6_double(bencher: Bencher) {
    all_plays(bencher, "large", true);
}
