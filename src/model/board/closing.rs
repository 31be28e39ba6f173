//! Ends of a board outside the rules of its game: resignation, agreement, time.

use crate::base::time::Time;
use games::{Ending, Seat};
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
    /// Builds the closing of a board that ended elsewhere.
    pub fn of_ending(ending: Ending, at: Time) -> Self {
        let (seat, by) = match ending {
            Ending::Resigned(seat) => (seat, ClosedBy::Resigning),
            Ending::OutOfTime(seat) => (seat, ClosedBy::Forfeiting),
            Ending::Drawn => (Seat(0), ClosedBy::Agreeing),
        };
        Self { at, seat: seat.0, by }
    }

    /// Returns the end as files of other programs have it; `None` if the game was not played to a result.
    pub fn ending(self) -> Option<Ending> {
        let seat = Seat(self.seat);
        match self.by {
            ClosedBy::Resigning | ClosedBy::Withdrawing | ClosedBy::Adjudicating => {
                Some(Ending::Resigned(seat))
            }
            ClosedBy::Forfeiting => Some(Ending::OutOfTime(seat)),
            ClosedBy::Agreeing | ClosedBy::Assenting | ClosedBy::AdjudicatedDraw => {
                Some(Ending::Drawn)
            }
            ClosedBy::Declining | ClosedBy::Lapsing | ClosedBy::Aborting => None,
        }
    }

    /// Returns the winner; `None` for draws, and for challenges that were declined or lapsed.
    pub fn winner(self) -> Option<Seat> {
        match self.ending()? {
            Ending::Resigned(loser) | Ending::OutOfTime(loser) => Some(loser.other()),
            Ending::Drawn => None,
        }
    }
}
