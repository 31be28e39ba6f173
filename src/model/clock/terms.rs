//! The clock and rating terms of a board, and the reminders of a turn.

use crate::base::time::{Time, WEEK};
use serde::{Deserialize, Serialize};

/// The reminders of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnReminders {
    /// When the first reminder was sent.
    pub first: Time,
    /// When the last reminder was sent.
    pub last: Time,
}

impl TurnReminders {
    /// Returns whether the reminders count. A time far in the future is from a wrong clock of the
    /// machine.
    pub fn count(self, now: Time) -> bool {
        self.last <= now + WEEK
    }
}

/// The terms of a board besides the rules of its game; times in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BoardTerms {
    /// Days of a turn before the first reminder.
    pub nag: u32,
    /// Days of a turn before the game is forfeited.
    pub forfeit: u32,
    /// Days of all turns of a player before the game is forfeited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
    /// Whether the board does not count for the ratings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
}

impl Default for BoardTerms {
    fn default() -> Self {
        Self { nag: 7, forfeit: 21, total: None, unrated: false }
    }
}

impl BoardTerms {
    /// Returns the options of a challenge that set these terms.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let usual = Self::default();
        let days =
            |name: &str, days: u32, usual: u32| (days != usual).then(|| format!("--{name}={days}"));
        let nag = days("nagtime", self.nag, usual.nag);
        let forfeit = days("forfeittime", self.forfeit, usual.forfeit);
        let total = self.total.map(|days| format!("--totaltime={days}"));
        let unrated = self.unrated.then(|| "--unrated".to_owned());
        [nag, forfeit, total, unrated].into_iter().flatten()
    }
}
