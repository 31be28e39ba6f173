//! Ratings: one for each user and game, computed from rated games.
//!
//! A rating is a strength by Glicko-2 (`glicko`), updated in rating periods of thirty days
//! (`period`, which also says which games count, and how much). The rating of the original server
//! (`original`) is kept beside it. Both follow from the finished boards of a game in the order of
//! their ends.
//!
//! Numbers are stored as rounded decimal numbers, so that reading them back gives the same numbers.

mod glicko;
mod original;
mod period;
#[cfg(test)]
mod tests;

pub use period::{
    Curve, MIN_DECISIONS, PlayerRating, RatedGame, RatingEffect, RatingPeriod, effects,
};

use crate::base::time::{Span, Time, days};
use crate::model::document::is_default;
use glicko::Strength;
use original::OriginalRating;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// How long after the last rated game a player counts as inactive.
const INACTIVE: Span = days(365);

/// A rating, in hundredths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rating(i32);

impl Rating {
    /// The rating of a player without rated games.
    pub const START: Self = Self(160_000);

    /// Returns the rating in whole points, as players see it.
    pub fn points(self) -> i32 {
        (self.0 + 50).div_euclid(100)
    }

    /// Returns the difference of two ratings in hundredths of a point.
    pub fn distance(self, other: Self) -> u32 {
        self.0.abs_diff(other.0)
    }

    /// Returns the rating in points.
    fn value(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates at the bounds of the type")]
    fn near(value: f64) -> Self {
        Self((value * 100.0).round() as i32)
    }
}

impl Display for Rating {
    /// Formats the rating for documents: `1612.35`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02}", self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100)
    }
}

impl TryFrom<String> for Rating {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let read = |word: &str| {
            let (whole, part) = word.split_once('.')?;
            let digits = part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
            let negative = whole.starts_with('-');
            let whole = whole.parse::<i32>().ok()?.checked_mul(100)?;
            let part = part.parse::<i32>().ok().filter(|_| digits)?;
            whole.checked_add(if negative { -part } else { part }).map(Self)
        };
        read(&word).ok_or_else(|| format!("`{word}` is not a rating such as 1612.35"))
    }
}

impl From<Rating> for String {
    fn from(rating: Rating) -> Self {
        rating.to_string()
    }
}

/// A player's result in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The player won.
    Won,
    /// The player lost.
    Lost,
    /// The game was drawn.
    Tied,
}

impl Score {
    /// Returns 1, 0 or -1.
    fn outcome(self) -> f64 {
        match self {
            Self::Won => 1.0,
            Self::Tied => 0.0,
            Self::Lost => -1.0,
        }
    }

    /// Returns 1, 1/2 or 0.
    fn value(self) -> f64 {
        f64::midpoint(self.outcome(), 1.0)
    }
}

/// The lists of a game's rated players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RatingList {
    /// Players whose rating is certain enough.
    Established,
    /// Players whose rating is provisional.
    Provisional,
    /// Players without a finished rated game for a year.
    Inactive,
}

impl RatingList {
    /// All lists, in the order of the standings.
    pub const ALL: [Self; 3] = [Self::Established, Self::Provisional, Self::Inactive];
}

/// A player's strength in a game, as far as their games show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// The rating that players see.
    pub rating: Rating,
    /// The standard deviation of the rating.
    pub deviation: Rating,
    /// The volatility of Glicko-2, in millionths.
    pub volatility: u32,
    /// The number of games that have counted.
    pub games: u32,
    /// Whether the rating is still provisional.
    #[serde(rename = "provisional")]
    pub is_provisional: bool,
}

impl Skill {
    /// The skill of a player without games that count.
    pub const START: Self = Self {
        rating: Rating::START,
        deviation: Rating(35_000),
        volatility: 60_000,
        games: 0,
        is_provisional: true,
    };

    fn is_start(&self) -> bool {
        *self == Self::START
    }

    fn strength(self) -> Strength {
        Strength {
            rating: self.rating.value(),
            deviation: self.deviation.value(),
            volatility: f64::from(self.volatility) / 1e6,
        }
    }

    /// Returns whether two skills differ at most as two machines round differently.
    fn is_near(self, other: Self) -> bool {
        self.rating.distance(other.rating) <= ROUNDING
            && self.deviation.distance(other.deviation) <= ROUNDING
            && self.volatility.abs_diff(other.volatility) <= ROUNDING
            && self.games == other.games
    }
}

/// The greatest difference of two stored numbers that is explained by the rounding of machines.
const ROUNDING: u32 = 5;

impl Default for Skill {
    fn default() -> Self {
        Self::START
    }
}

/// A user's standing in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The rating as the original server computed it.
    #[serde(rename = "rating")]
    pub original: Rating,
    /// Rated games won.
    pub won: u32,
    /// Rated games lost.
    pub lost: u32,
    /// Rated games drawn.
    pub tied: u32,
    /// When the last rated game ended.
    pub last: Time,
    /// The strength by which players are ranked.
    #[serde(default, skip_serializing_if = "Skill::is_start")]
    pub skill: Skill,
}

impl Default for Standing {
    fn default() -> Self {
        Self {
            original: Rating::START,
            won: 0,
            lost: 0,
            tied: 0,
            last: Time::EPOCH,
            skill: Skill::START,
        }
    }
}

impl Standing {
    /// Returns the rating in whole points.
    pub fn points(&self) -> i32 {
        self.skill.rating.points()
    }

    /// Returns the rating in whole points, with a question mark while it is provisional: `1662?`.
    pub fn marked_points(&self) -> String {
        let mark = if self.is_provisional() { "?" } else { "" };
        format!("{}{mark}", self.points())
    }

    /// Returns the number of rated games, those included that were too short to count.
    pub fn games(&self) -> u32 {
        self.won.saturating_add(self.lost).saturating_add(self.tied)
    }

    /// Returns whether the rating is provisional.
    pub fn is_provisional(&self) -> bool {
        self.skill.is_provisional
    }

    /// Returns the list in which the player is ranked.
    pub fn list(&self, now: Time) -> RatingList {
        if self.inactive_from() <= now {
            RatingList::Inactive
        } else if self.is_provisional() {
            RatingList::Provisional
        } else {
            RatingList::Established
        }
    }

    /// Returns when the player counts as inactive unless they finish another rated game.
    pub fn inactive_from(&self) -> Time {
        self.last + INACTIVE
    }

    /// Returns the standing after a game, with an unchanged skill.
    fn counted(&self, opponent: &Self, score: Score, at: Time) -> Self {
        let of =
            |standing: &Self| OriginalRating { rating: standing.original, games: standing.games() };
        let count = |of: Score, count: u32| count.saturating_add(u32::from(of == score));
        Self {
            original: of(self).after(of(opponent), score),
            won: count(Score::Won, self.won),
            lost: count(Score::Lost, self.lost),
            tied: count(Score::Tied, self.tied),
            last: at,
            skill: self.skill,
        }
    }

    /// Returns whether two standings differ at most as two machines round differently.
    fn is_near(self, other: Self) -> bool {
        self.original.distance(other.original) <= 1
            && self.skill.is_near(other.skill)
            && Self { original: other.original, skill: other.skill, ..self } == other
    }
}

/// A player's standing before and after a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingChange {
    /// Before the board ended.
    pub before: Standing,
    /// After the board ended.
    pub after: Standing,
    /// The divisor of the board's weight: it counts as `1 / share` of a game; 0 if it does not
    /// count.
    #[serde(default, skip_serializing_if = "is_default")]
    pub share: u32,
}

impl RatingChange {
    /// Returns the change of the rating in whole points, as players see it.
    pub fn points(&self) -> i32 {
        self.after.points() - self.before.points()
    }

    /// Returns whether two changes differ at most as two machines round differently.
    pub fn is_near(&self, other: &Self) -> bool {
        self.before.is_near(other.before)
            && self.after.is_near(other.after)
            && self.share == other.share
    }
}
