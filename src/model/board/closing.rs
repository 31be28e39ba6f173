//! Ends of a board outside the rules of its game: resignation, agreement, time.

use crate::base::time::Time;
use games::Seat;
use serde::{Deserialize, Serialize};

/// An end of a board that its position does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// When the board ended.
    pub at: Time,
    /// The seat that ended it.
    pub seat: u8,
    /// The way it ended.
    pub by: ClosedBy,
}

/// The ways to end a board outside the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClosedBy {
    /// The player resigned.
    Resigning,
    /// The player resigned before their first move, and so declined the challenge.
    Declining,
    /// The player accepted a draw.
    Agreeing,
    /// The player agreed to end the game without a result.
    Aborting,
    /// The player left the offer of a draw unanswered until time made it an agreement.
    Assenting,
    /// The player ran out of time.
    Forfeiting,
    /// The player ran out of time before their first move; the challenge lapsed.
    Lapsing,
    /// The player left the tournament of the board.
    Withdrawing,
    /// The deadline of a tournament's round passed, and the player was judged to be behind.
    Adjudicating,
    /// The deadline of a tournament's round passed, and neither player was judged to be behind.
    #[serde(rename = "adjudicated-draw")]
    AdjudicatedDraw,
}

impl ClosedBy {
    /// Returns whether the game was drawn.
    pub fn is_draw(self) -> bool {
        matches!(self, Self::Agreeing | Self::Assenting | Self::AdjudicatedDraw)
    }
}

impl Closing {
    /// Returns the winner; `None` for draws, and for challenges that were declined or lapsed.
    pub fn winner(self) -> Option<Seat> {
        match self.by {
            ClosedBy::Resigning
            | ClosedBy::Forfeiting
            | ClosedBy::Withdrawing
            | ClosedBy::Adjudicating => Some(Seat(self.seat).other()),
            ClosedBy::Declining
            | ClosedBy::Lapsing
            | ClosedBy::Agreeing
            | ClosedBy::Aborting
            | ClosedBy::Assenting
            | ClosedBy::AdjudicatedDraw => None,
        }
    }
}
