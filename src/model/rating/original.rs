//! The ratings of the original server.
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
//! rule is omitted. Both new ratings are computed from the ratings before the game. The server knew
//! neither short games nor repeated opponents: every game counts in full.

use super::{Rating, Score};

/// The number of rated games after which a rating is established.
const ESTABLISHED: u32 = 20;

/// The most points that one game changes an established rating.
const K: f64 = 32.0;

/// A player's rating, and their number of rated games.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginalRating {
    pub(super) rating: Rating,
    pub(super) games: u32,
}

impl OriginalRating {
    fn is_provisional(self) -> bool {
        self.games < ESTABLISHED
    }

    /// Returns the rating after a game, from both ratings before it.
    pub(super) fn after(self, opponent: Self, score: Score) -> Rating {
        let (own, other) = (self.rating.value(), opponent.rating.value());
        let (games, outcome) = (f64::from(self.games), score.outcome());
        let rating = if self.is_provisional() {
            let value = if opponent.is_provisional() {
                f64::midpoint(own, other) + 200.0 * outcome
            } else {
                other + 400.0 * outcome
            };
            (own * games + value) / (games + 1.0)
        } else {
            let weight = f64::from(opponent.games.min(ESTABLISHED)) / f64::from(ESTABLISHED);
            let expected = 1.0 / (1.0 + 10_f64.powf((other - own) / 400.0));
            own + K * weight * (score.value() - expected)
        };
        Rating::near(rating)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(own: (f64, u32), other: (f64, u32), score: Score) -> f64 {
        let of = |(rating, games)| OriginalRating { rating: Rating::near(rating), games };
        of(own).after(of(other), score).value()
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
}
