//! Counting how the moves of a game branch.

use super::{Chance, Choices, Game, Next};

/// The count of a game that can be asked for nothing but its moves.
pub(crate) fn by_listing<G: Game>(options: &Choices, depth: u32) -> u64 {
    ways(&G::setup(options), depth)
}

/// The count of what follows a position.
pub(crate) fn ways<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.next() {
        Next::Over(_) => 0,
        Next::Deal => {
            let mut chance = Chance::new(0);
            let mut dealt = position.clone();
            dealt
                .lay(position.deal(&mut |limit| chance.below(limit)))
                .expect("what is dealt can be laid");
            ways(&dealt, depth)
        }
        Next::Roll(throw) | Next::Ready(_, throw) => throw
            .rolls()
            .map(|roll| {
                let mut rolled = position.clone();
                rolled.roll(roll);
                ways(&rolled, depth)
            })
            .sum(),
        Next::Move(_) if depth == 1 => position.moves().len() as u64,
        Next::Move(_) => position
            .moves()
            .iter()
            .map(|m| {
                let mut after = position.clone();
                after.play(m);
                ways(&after, depth - 1)
            })
            .sum(),
    }
}
