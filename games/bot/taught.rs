//! What a game brings with it for programs to play it.

use super::{GameNets, InputScales, Situation};
use crate::kit::{Seat, Throw};

/// The situations of a game whose nets have been taught.
pub(crate) trait TaughtSituation: Situation {
    /// The shapes of the game's nets: inputs, and hidden units where nothing else is said.
    const SHAPES: &'static [[usize; 2]];

    /// The start of a game without options, before the roll of that seat where the rules leave open
    /// which one begins.
    fn start(seat: Seat) -> Self;

    /// The throw at the start of a game, where the loser of the roll does not begin.
    fn opening(&self) -> Throw;

    /// What is much of each input of the game's nets.
    fn scales() -> Vec<InputScales>;

    /// The nets by which the levels play.
    fn nets() -> &'static GameNets;

    /// The nets that are in the program, ready to play.
    fn built_in(bytes: &[u8]) -> GameNets {
        let nets = GameNets::read(Self::SHAPES, bytes).expect("the trainer wrote it");
        nets.that_plays(&Self::scales())
    }
}
