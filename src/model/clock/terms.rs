//! The clock and rating terms of a board, and the reminders of a turn.

use crate::base::time::{Time, WEEK};
use games::Seat;
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
    /// Returns whether the times are plausible. A time far in the future is from a wrong clock of the
    /// machine, and then the reminders do not count.
    pub fn are_plausible(self, now: Time) -> bool {
        self.last <= now + WEEK
    }
}

/// The terms of a board besides the rules of its game; times in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BoardTerms {
    /// Days of a turn before the first reminder.
    #[serde(rename = "nag")]
    pub nag_days: u32,
    /// Days of a turn before the game is forfeited.
    #[serde(rename = "forfeit")]
    pub forfeit_days: u32,
    /// Days of all turns of a player before the game is forfeited.
    #[serde(rename = "total", skip_serializing_if = "Option::is_none")]
    pub total_days: Option<u32>,
    /// The bank of each player, which their turns use up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank: Option<Bank>,
    /// Whether the board does not count for the ratings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
}

/// A bank of time, as Fischer proposed it: it pays for all turns and gets an increment after each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    /// Days at the beginning.
    #[serde(rename = "start")]
    pub start_days: u32,
    /// Hours that are added after each turn.
    #[serde(rename = "increment")]
    pub increment_hours: u32,
    /// Days above which nothing is added.
    #[serde(rename = "cap")]
    pub cap_days: u32,
}

/// Time that a player gave to the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gift {
    /// When.
    pub at: Time,
    /// The seat that got it.
    pub to: u8,
    /// The days.
    pub days: u32,
}

impl Gift {
    /// Returns the seat that got it.
    pub fn to(self) -> Seat {
        Seat(self.to)
    }
}

impl Bank {
    /// Days of a bank where only its increment or its cap is chosen.
    pub const START: u32 = 10;
    /// Hours of the increment where none is chosen.
    pub const INCREMENT: u32 = 24;
    /// The forfeit time of a board with banks, which leaves the limit to them.
    const LONGEST_TURN: u32 = 365;
}

impl Default for BoardTerms {
    fn default() -> Self {
        Self { nag_days: 7, forfeit_days: 21, total_days: None, bank: None, unrated: false }
    }
}

impl BoardTerms {
    /// Returns the usual forfeit time beside a bank, or without one.
    pub fn usual_forfeit(bank: Option<Bank>) -> u32 {
        bank.map_or(Self::default().forfeit_days, |_| Bank::LONGEST_TURN)
    }

    /// Returns the days that a player has at most for a turn.
    pub fn turn(&self) -> u32 {
        self.bank.map_or(self.forfeit_days, |bank| self.forfeit_days.min(bank.cap_days))
    }

    /// Returns the options of a challenge that set these terms.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let usual = Self::default();
        let days =
            |name: &str, days: u32, usual: u32| (days != usual).then(|| format!("--{name}={days}"));
        let nag = days("nagtime", self.nag_days, usual.nag_days);
        let forfeit = days("forfeittime", self.forfeit_days, Self::usual_forfeit(self.bank));
        let bank = self.bank.into_iter().flat_map(|bank| {
            let Bank { start_days, increment_hours, cap_days } = bank;
            let cap = (cap_days != start_days).then(|| format!("--cap={cap_days}"));
            let bank = format!("--bank={start_days}");
            [bank, format!("--increment={increment_hours}")].into_iter().chain(cap)
        });
        let total = self.total_days.map(|days| format!("--totaltime={days}"));
        let unrated = self.unrated.then(|| "--unrated".to_owned());
        [nag, forfeit, total].into_iter().flatten().chain(bank).chain(unrated)
    }
}
