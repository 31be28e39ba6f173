//! The times that the players of a board agreed on, and how often they were reminded.

use crate::base::time::{Time, WEEK};
use serde::{Deserialize, Serialize};

/// The reminders of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnReminders {
    /// When the first was sent.
    pub first: Time,
    /// When the last was.
    pub last: Time,
}

impl TurnReminders {
    /// Whether they count: what bears a much later time than now was sent while the machine's clock
    /// was ahead.
    pub fn count(self, now: Time) -> bool {
        self.last <= now + WEEK
    }
}

/// The times that the players of a board agreed on besides the rules, in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BoardTerms {
    /// A player is reminded after so many days of one turn.
    pub nag: u32,
    /// A player forfeits after so many days of one turn.
    pub forfeit: u32,
    /// A player forfeits after so many days of all their turns together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
    /// Whether the game leaves the ratings alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
}

impl Default for BoardTerms {
    fn default() -> Self {
        Self { nag: 7, forfeit: 21, total: None, unrated: false }
    }
}

impl BoardTerms {
    /// The options of a challenge that make these.
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
