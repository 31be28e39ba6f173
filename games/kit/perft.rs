//! Counting of move sequences.

use super::{Chance, Choices, Game, Next};

/// Counts sequences by listing moves.
pub(crate) fn perft_by_listing<G: Game>(options: &Choices, depth: u32) -> u64 {
    count_from(&G::setup(options), depth)
}

/// Counts the sequences from a position.
pub(crate) fn count_from<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.next() {
        Next::Over(_) => 0,
        Next::Deal => {
            let mut chance = Chance::new(0);
            let mut dealt = position.clone();
            dealt
                .lay(&position.deal(&mut |limit| chance.below(limit)))
                .expect("what is dealt can be laid");
            count_from(&dealt, depth)
        }
        Next::Roll(throw) | Next::Ready(_, throw) => throw
            .rolls()
            .map(|roll| {
                let mut rolled = position.clone();
                rolled.roll(roll);
                count_from(&rolled, depth)
            })
            .sum(),
        Next::Move(_) if depth == 1 => position.moves().len() as u64,
        Next::Move(_) => position
            .moves()
            .iter()
            .map(|m| {
                let mut after = position.clone();
                after.play(m);
                count_from(&after, depth - 1)
            })
            .sum(),
    }
}
