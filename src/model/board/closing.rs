//! How a board is ended from outside the rules of its game.

use crate::base::time::Time;
use games::Seat;
use serde::{Deserialize, Serialize};

/// An end that no position shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// When.
    pub at: Time,
    /// The player who ended it.
    pub seat: u8,
    /// In which way.
    pub by: ClosedBy,
}

/// The ways to end a board that no position shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClosedBy {
    /// The player resigned.
    Resigning,
    /// The player resigned before their first move: the challenge was not taken.
    Declining,
    /// The player accepted a draw.
    Agreeing,
    /// The player left the offer of a draw unanswered until it counted as accepted.
    Assenting,
    /// The player's time was up.
    Forfeiting,
    /// The player's time was up before their first move: the challenge was never answered.
    Lapsing,
}

impl ClosedBy {
    /// Whether the game ended so as a draw.
    pub fn is_draw(self) -> bool {
        matches!(self, Self::Agreeing | Self::Assenting)
    }
}

impl Closing {
    /// The player who won by it; none where the game had not really begun.
    pub fn winner(self) -> Option<Seat> {
        match self.by {
            ClosedBy::Resigning | ClosedBy::Forfeiting => Some(Seat(self.seat).other()),
            ClosedBy::Declining | ClosedBy::Lapsing | ClosedBy::Agreeing | ClosedBy::Assenting => {
                None
            }
        }
    }
}
