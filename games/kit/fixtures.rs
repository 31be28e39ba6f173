//! Boards and texts that the tests of several games share.

use super::{Chance, Choices, Game, Next, perft_by_listing};
use crate::grid::{PressGame, Square, Squares};

/// Returns the options of a board, one word each.
pub(crate) fn options<G: Game>(words: &[&str]) -> Choices {
    Choices::parse(G::SPEC.options, G::SPEC.exclusive, words.iter().copied()).unwrap()
}

/// Returns the options of a board from a line of words.
pub(crate) fn options_in<G: Game>(line: &str) -> Choices {
    options::<G>(&line.split_whitespace().collect::<Vec<_>>())
}

/// Returns the options of a mode.
pub(crate) fn options_of_mode<G: Game>(number: u8) -> Choices {
    options::<G>(&[&format!("mode={number}")])
}

/// Returns a new board with these options.
pub(crate) fn start<G: Game>(words: &[&str]) -> G {
    G::setup(&options::<G>(words))
}

/// Returns the position of a line on a board with these options.
pub(crate) fn place<G: Game>(words: &[&str], line: &str) -> Result<G, String> {
    G::place(&options::<G>(words), line)
}

/// Counts the sequences of moves on a board with these options by listing them.
pub(crate) fn sequences<G: Game>(words: &[&str], depth: u32) -> u64 {
    perft_by_listing::<G>(&options::<G>(words), depth)
}

/// Returns the position after moves that are separated by blanks.
pub(crate) fn after<G: Game>(position: &G, moves: &str) -> G {
    let mut position = position.clone();
    for text in moves.split_whitespace() {
        let m = position.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(&m);
    }
    position
}

/// Returns the position after the first moves of a board with these options.
pub(crate) fn begun<G: Game>(words: &[&str], moves: &str) -> G {
    after(&start(words), moves)
}

/// Returns why a text is not a legal move.
pub(crate) fn refused<G: Game>(position: &G, text: &str) -> String {
    position.read(text).unwrap_err().to_string()
}

/// Returns the legal moves as they are recorded.
pub(crate) fn listed<G: Game>(position: &G) -> Vec<String> {
    position.moves().iter().map(ToString::to_string).collect()
}

/// Returns the point with this name.
pub(crate) fn square(name: &str) -> Square {
    name.parse().unwrap()
}

/// Returns the points with these names.
pub(crate) fn squares(names: &str) -> Squares {
    names.split_whitespace().map(square).collect()
}

/// Lays the stones of a board that begins with a deal.
pub(crate) fn deal<P: PressGame>(mut position: P, chance: &mut Chance) -> P {
    if PressGame::next(&position) == Next::Deal {
        let stones = PressGame::deal(&position, &mut |limit| chance.below(limit));
        PressGame::lay(&mut position, stones).unwrap();
    }
    position
}
