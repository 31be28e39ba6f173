//! How long it takes to list all plays of a position of Malaka.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use games::{AnyPosition, Choices, Next, Roll};

fn main() {
    divan::main();
}

/// Numbers that look drawn by chance and are the same on every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % limit as u64).expect("less than a limit")
    }

    fn die(&mut self, faces: u8) -> u8 {
        u8::try_from(self.below(usize::from(faces)) + 1).expect("a face")
    }
}

/// A thousand positions from random games, each with two dice to play: equal ones or not.
fn positions(options: &str, double: bool) -> Vec<Box<dyn AnyPosition>> {
    let game = games::find("malaka").expect("Malaka is a game");
    let spec = game.spec();
    let options = Choices::parse(spec.options, spec.exclusive, options.split_whitespace())
        .expect("the options are Malaka's");
    let mut chance = Chance(1);
    let mut positions: Vec<Box<dyn AnyPosition>> = Vec::new();
    let mut position = game.setup(&options);
    while positions.len() < 1_000 {
        match position.next() {
            Next::Over(_) => position = game.setup(&options),
            Next::Deal => unreachable!("no stones are laid here"),
            Next::Roll(throw) | Next::Ready(_, throw) => {
                let mut die = || chance.die(throw.faces);
                let roll = if throw.dice == 1 { Roll::One(die()) } else { Roll::Two(die(), die()) };
                position.roll(roll).expect("these dice were asked for");
                if matches!(roll, Roll::Two(a, b) if (a == b) == double) {
                    positions.push(position.copy());
                }
            }
            Next::Move(_) => {
                let moves = position.moves();
                let text = &moves[chance.below(moves.len())];
                position.recall(text).expect("a listed move can be carried out");
            }
        }
    }
    positions
}

/// Lists the plays of all positions once an iteration: the figure an item is a position.
fn all_plays(bencher: Bencher, options: &str, double: bool) {
    let positions = positions(options, double);
    bencher
        .counter(ItemsCount::new(positions.len()))
        .with_inputs(|| positions.iter().map(|position| position.copy()).collect::<Vec<_>>())
        .bench_local_refs(|positions| {
            for position in positions {
                black_box(position.count());
            }
        });
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
