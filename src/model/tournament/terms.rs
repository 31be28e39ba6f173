//! What a tournament is about, as its director created it.

use super::format::Format;
use crate::base::time::{Span, days};
use crate::model::board::Agreement;
use crate::model::seeks::RatingRange;
use serde::{Deserialize, Serialize};

/// How the games are decided that a round's deadline finds unfinished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Adjudication {
    /// The player with the better position wins, in the opinion of the program.
    #[default]
    Program,
    /// The player with the lower pip count wins.
    Pips,
    /// The game is drawn.
    Draw,
}

/// The terms of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentTerms {
    /// The format.
    pub format: Format,
    /// The options and clock of its games.
    pub agreed: Agreement,
    /// The ratings that an entrant may have.
    pub bounds: RatingRange,
    /// The fewest players with which it starts.
    pub least: usize,
    /// The number of players with which it is full and starts at once.
    pub most: usize,
    /// Days for a round.
    pub round_days: u32,
    /// How unfinished games are decided.
    pub adjudication: Adjudication,
    /// Whether the next season opens when this one starts.
    pub is_recurring: bool,
}

impl TournamentTerms {
    /// Returns how long a round lasts.
    pub fn round_length(&self) -> Span {
        days(self.round_days.into())
    }
}
