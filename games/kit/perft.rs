//! Counting how the moves of a game branch.

use super::{AnyGame, Chance, Choices, Game, Next};

/// How many ways there are through the first moves of a game: the legal moves, each result
/// once, of every position so many moves on, summed over the rolls that differ in what they
/// show (a 1 with a 2 is one roll, in whichever order they fell). A pass is a move; nothing
/// follows the end of a game. A start that is drawn by chance is always the same one. Where dice decide who begins, seat 0 has begun.
///
/// # Examples
/// A single die of four faces opens Malaka, and each lets six men hop:
/// ```
/// let malaka = games::find("malaka").expect("Malaka is a game");
/// assert_eq!(games::perft(malaka, &games::Choices::default(), 1), 24);
/// ```
pub fn perft(game: &dyn AnyGame, options: &Choices, depth: u32) -> u64 {
    game.perft(options, depth)
}

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
