//! Ratings: one for each user and game, computed from rated games.
//!
//! The formulas are those of the Internet Chess Server, as the play-by-mail server pbmserv used and
//! explained them from 1994 to 2014 (`www.gamerz.net/pbmserv/ratings.html`; also
//! `chessclub.com/help/ratings`):
//!
//! * A player with fewer than 20 rated games is *provisional*; a player with none counts as 1600.
//! * A provisional rating is the average of one value a game. Against an established opponent the
//!   value is the opponent's rating plus 400 times the outcome, which is 1, 0 or -1. Against a
//!   provisional opponent it is the mean of both ratings plus 200 times the outcome. The 1600 of
//!   the beginning is no part of the average.
//! * An established rating changes by `K (w - 1 / (1 + 10^((o - r) / 400)))`, where `w` is 1, 1/2
//!   or 0. `K` is 32, times `n / 20` against a provisional opponent who has played `n` games before
//!   this one.
//!
//! pbmserv also moved provisional ratings toward an average of 1720. Players complained, so this
//! rule is omitted. Both new ratings are computed from the ratings before the game.
//!
//! A rating is stored in hundredths, so that reading it back gives the same number.

use crate::base::time::{Span, Time, days};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// The number of rated games after which a rating is established.
pub const ESTABLISHED: u32 = 20;

/// How long after the last rated game a player counts as inactive.
const INACTIVE: Span = days(365);

/// The most points that one game changes an established rating.
const K: f64 = 32.0;

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
}

/// The lists of a game's rated players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RatingList {
    /// Players with at least [`ESTABLISHED`] rated games.
    Established,
    /// Players with fewer.
    Provisional,
    /// Players without a finished rated game for a year.
    Inactive,
}

impl RatingList {
    /// All lists, in the order of the standings.
    pub const ALL: [Self; 3] = [Self::Established, Self::Provisional, Self::Inactive];
}

/// A user's standing in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The rating.
    pub rating: Rating,
    /// Rated games won.
    pub won: u32,
    /// Rated games lost.
    pub lost: u32,
    /// Rated games drawn.
    pub tied: u32,
    /// When the last rated game ended.
    pub last: Time,
}

impl Default for Standing {
    fn default() -> Self {
        Self { rating: Rating::START, won: 0, lost: 0, tied: 0, last: Time::EPOCH }
    }
}

impl Standing {
    /// Returns the number of rated games.
    pub fn games(&self) -> u32 {
        self.won.saturating_add(self.lost).saturating_add(self.tied)
    }

    /// Returns whether the rating is provisional.
    pub fn is_provisional(&self) -> bool {
        self.games() < ESTABLISHED
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

    /// Returns the standing after a game, from both standings before it.
    #[must_use]
    pub fn after(&self, opponent: &Self, score: Score, at: Time) -> Self {
        let (own, other) = (self.rating.value(), opponent.rating.value());
        let (games, outcome) = (f64::from(self.games()), score.outcome());
        let rating = if self.is_provisional() {
            let value = if opponent.is_provisional() {
                f64::midpoint(own, other) + 200.0 * outcome
            } else {
                other + 400.0 * outcome
            };
            (own * games + value) / (games + 1.0)
        } else {
            let weight = f64::from(opponent.games().min(ESTABLISHED)) / f64::from(ESTABLISHED);
            let expected = 1.0 / (1.0 + 10_f64.powf((other - own) / 400.0));
            own + K * weight * (f64::midpoint(outcome, 1.0) - expected)
        };
        let count = |of: Score, count: u32| count.saturating_add(u32::from(of == score));
        Self {
            rating: Rating::near(rating),
            won: count(Score::Won, self.won),
            lost: count(Score::Lost, self.lost),
            tied: count(Score::Tied, self.tied),
            last: at,
        }
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
}

/// Returns the rating changes of both players, seat 0 first.
pub fn effects(before: [Standing; 2], scores: [Score; 2], at: Time) -> [RatingChange; 2] {
    [0, 1].map(|seat: usize| RatingChange {
        before: before[seat],
        after: before[seat].after(&before[1 - seat], scores[seat], at),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(rating: f64, games: u32) -> Standing {
        Standing { rating: Rating::near(rating), won: games, ..Standing::default() }
    }

    fn after(own: (f64, u32), other: (f64, u32), score: Score) -> f64 {
        standing(own.0, own.1)
            .after(&standing(other.0, other.1), score, Time::from_unix(7))
            .rating
            .value()
    }

    #[expect(clippy::float_cmp, reason = "the test compares whole hundredths")]
    fn is(own: (f64, u32), other: (f64, u32), score: Score, rating: f64) {
        let got = after(own, other, score);
        assert!(Rating::near(got) == Rating::near(rating) && got == rating, "{got}, not {rating}");
    }

    #[test]
    fn a_provisional_rating_is_the_average_of_its_games() {
        // The first game between two newcomers: the mean of 1600 and 1600, plus or minus 200.
        is((1600.0, 0), (1600.0, 0), Score::Won, 1800.0);
        is((1600.0, 0), (1600.0, 0), Score::Tied, 1600.0);
        is((1600.0, 0), (1600.0, 0), Score::Lost, 1400.0);
        // Against an established player, that player's rating plus or minus 400; 1600 does not
        // count.
        is((1600.0, 0), (1900.0, 20), Score::Won, 2300.0);
        is((1600.0, 0), (1900.0, 20), Score::Lost, 1500.0);
        is((1600.0, 0), (1900.0, 20), Score::Tied, 1900.0);
        // (1800 * 3 + (1800 + 1500) / 2 - 200) / 4
        is((1800.0, 3), (1500.0, 19), Score::Lost, 1712.5);
        // (1700 * 19 + 2000 + 400) / 20
        is((1700.0, 19), (2000.0, 40), Score::Won, 1735.0);
    }

    #[test]
    fn an_established_rating_moves_by_at_most_32() {
        is((1600.0, 20), (1600.0, 20), Score::Won, 1616.0);
        is((1600.0, 20), (1600.0, 99), Score::Tied, 1600.0);
        is((1600.0, 20), (1600.0, 20), Score::Lost, 1584.0);
        // 1 / (1 + 10) and 10 / 11 of 32.
        is((2000.0, 50), (1600.0, 50), Score::Won, 2002.91);
        is((2000.0, 50), (1600.0, 50), Score::Lost, 1970.91);
        is((1600.0, 50), (2000.0, 50), Score::Won, 1629.09);
        // Between established players, one gains what the other loses.
        let (up, down) = (after((1750.0, 30), (1600.0, 30), Score::Won), 1750.0);
        let other = after((1600.0, 30), (1750.0, 30), Score::Lost);
        assert_eq!(Rating::near(up - down), Rating::near(1600.0 - other));
    }

    #[test]
    fn against_a_provisional_opponent_less_is_at_stake() {
        is((1600.0, 20), (1600.0, 0), Score::Lost, 1600.0);
        is((1600.0, 20), (1600.0, 5), Score::Won, 1604.0);
        is((1600.0, 20), (1600.0, 19), Score::Won, 1615.2);
    }

    #[test]
    fn games_are_counted_and_both_changes_use_the_former_ratings() {
        let [won, lost] =
            effects([standing(1600.0, 0); 2], [Score::Won, Score::Lost], Time::from_unix(9));
        assert_eq!(
            (won.after.won, won.after.lost, won.after.games(), won.after.last),
            (1, 0, 1, Time::from_unix(9))
        );
        assert_eq!((lost.after.lost, lost.after.rating), (1, Rating(140_000)));
        let tied = effects([standing(1600.0, 0); 2], [Score::Tied; 2], Time::from_unix(9));
        assert!(tied.iter().all(|effect| effect.after.tied == 1));
        assert!(standing(1.0, 19).is_provisional() && !standing(1.0, 20).is_provisional());
    }

    #[test]
    fn a_rating_reads_back_as_it_was_written() {
        for (hundredths, text) in
            [(161_235, "1612.35"), (100, "1.00"), (5, "0.05"), (-5, "-0.05"), (-12_345, "-123.45")]
        {
            assert_eq!(Rating(hundredths).to_string(), text);
            assert_eq!(Rating::try_from(text.to_owned()), Ok(Rating(hundredths)));
        }
        for bad in ["1612", "1612.3", "1612.355", "x.00", "1.-5", "", "99999999999.00"] {
            assert!(Rating::try_from(bad.to_owned()).is_err(), "{bad}");
        }
        assert_eq!([149, 150, -150].map(|hundredths| Rating(hundredths).points()), [1, 2, -1]);
    }
}
