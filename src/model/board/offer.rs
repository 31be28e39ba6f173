//! Offers of players outside the rules: a draw, an undo, an analysis.

use crate::base::time::Time;
use crate::model::clock::TurnReminders;
use games::Seat;
use serde::{Deserialize, Serialize};

/// An offer of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The player who made it.
    pub by: Seat,
    /// The kind of offer.
    pub what: Proposal,
    /// When it was made.
    pub at: Time,
    /// The reminders to the opponent.
    pub nags: Option<TurnReminders>,
    /// Whether the opponent rejected it.
    pub is_refused: bool,
}

/// The kinds of offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proposal {
    /// Take back the player's last decision and everything after it.
    Undo,
    /// Agree on a draw.
    Draw,
    /// End the game without a result.
    Abort,
    /// Show both players the program's opinion of the moves before the last two.
    Analysis,
}

impl Proposal {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Draw, Self::Undo, Self::Analysis, Self::Abort];

    /// Returns the word for the offer, whose first letter is used in reply addresses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Draw => "draw",
            Self::Analysis => "analysis",
            Self::Abort => "cancel",
        }
    }
}
