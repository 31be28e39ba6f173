//! What players offer each other besides what the rules of their game allow.

use crate::base::time::Time;
use crate::model::clock::TurnReminders;
use games::Seat;
use serde::{Deserialize, Serialize};

/// What a player offers the opponent besides what the rules of the game allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Whose offer it is.
    pub by: Seat,
    /// The kind of offer.
    pub what: Proposal,
    /// Since when.
    pub at: Time,
    /// The reminders that were sent to the player who is asked.
    pub nags: Option<TurnReminders>,
    /// Whether the player who was asked has refused it.
    pub is_refused: bool,
}

/// The kinds of offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proposal {
    /// That the last decision of the player who offers is taken back, and all that followed.
    Undo,
    /// That nobody wins.
    Draw,
    /// That both are told what the program thinks of the moves before the last two.
    Analysis,
}

impl Proposal {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Draw, Self::Undo, Self::Analysis];

    /// The word for it. A reply address has its first letter.
    pub fn word(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Draw => "draw",
            Self::Analysis => "analysis",
        }
    }
}
