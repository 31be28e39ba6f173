//! The lines of a record.

use super::{Roll, Seat};
use crate::grid::Stones;

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Dice came up.
    Rolled(Roll),
    /// Stones were laid by chance.
    Laid(Stones),
    /// A player moved, or the server moved for them.
    Moved {
        /// The player.
        seat: Seat,
        /// The move in canonical notation.
        text: String,
        /// Whether the server played it because nothing else could be played.
        auto: bool,
    },
    /// A player gave up for a stake; see [`super::Game::resign`].
    Resigned {
        /// The player.
        seat: Seat,
        /// For what, as an index into the game's stakes, from 1.
        stake: u8,
    },
}

impl Entry {
    /// Whether nobody decided it: dice or stones.
    pub const fn is_chance(&self) -> bool {
        matches!(self, Self::Rolled(_) | Self::Laid(_))
    }

    /// Whether it is what that seat decided itself: nothing of chance, and nothing that was played for it.
    pub fn is_decision_of(&self, of: Seat) -> bool {
        match self {
            Self::Rolled(_) | Self::Laid(_) => false,
            Self::Moved { seat, auto, .. } => *seat == of && !auto,
            Self::Resigned { seat, .. } => *seat == of,
        }
    }
}
