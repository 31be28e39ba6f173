//! The formulas of Glicko-2, from Mark E. Glickman, "Example of the Glicko-2 system"
//! (`www.glicko.net/glicko/glicko2.pdf`), with its step numbers.
//!
//! A new rating depends on the results of a rating period only through two sums: the paper's
//! `sum g (s - E)` and `1/v = sum g^2 E (1 - E)`. So a period is kept as these sums, whatever its
//! number of games, and games of less weight are fractions of a game in both.
//!
//! The paper's games follow one logistic curve. A game in which luck decides more has a flatter
//! curve, by a factor `slope` of the difference of ratings: the sums then have the factors `slope`
//! and `slope^2`, as the derivatives of the likelihood have. The curve of FIBS, the First Internet
//! Backgammon Server (its `help formula`), gives the stronger of two players `D` points apart the
//! chance `1 / (1 + 10^(-D sqrt(n) / 2000))` in a match to `n` points. That is the slope `sqrt(n) /
//! 5`, and the gain of a match is proportional to `sqrt(n)`, as on FIBS.

use std::f64::consts::PI;

/// The points of a unit of the internal scale: `400 / ln 10`.
const SCALE: f64 = 173.717_792_761_3;

/// How much volatilities change from period to period: the paper's `tau`.
const TAU: f64 = 0.5;

/// The accuracy of a new volatility, and the limit on the steps of its search. The search halves its
/// range at least every other step, so the limit is never reached.
const ACCURACY: f64 = 0.000_001;
const MAX_STEPS: usize = 200;

/// The greatest deviation: of a player without games.
pub(super) const MAX_DEVIATION: f64 = 350.0;

/// A player's strength, as far as it is known. The rating and its deviation are in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Strength {
    /// The expected strength.
    pub(super) rating: f64,
    /// The standard deviation of the strength.
    pub(super) deviation: f64,
    /// How much the strength varies from period to period.
    pub(super) volatility: f64,
}

/// A result against an opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GameResult {
    /// The opponent at the beginning of the rating period.
    pub(super) opponent: Strength,
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    pub(super) score: f64,
    /// The slope of the curve of the game.
    pub(super) slope: f64,
    /// The weight: 1 for a whole game.
    pub(super) weight: f64,
}

/// What the games of a period say about a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Evidence {
    /// The score above the expected one: the paper's `sum g (s - E)`.
    pub(super) gain: f64,
    /// The paper's `1/v`.
    pub(super) information: f64,
}

impl Evidence {
    /// Returns the evidence with one more.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self { gain: self.gain + other.gain, information: self.information + other.information }
    }
}

impl Strength {
    /// Returns the player's expected score in a game: the paper's `E`.
    pub(super) fn expected_score(self, opponent: Self, slope: f64) -> f64 {
        let difference = (self.rating - opponent.rating) / SCALE;
        1.0 / (1.0 + (-slope * attenuation(opponent, slope) * difference).exp())
    }

    /// Returns what a game says about the player (step 3).
    pub(super) fn evidence(self, game: GameResult) -> Evidence {
        let GameResult { opponent, score, slope, weight } = game;
        let expected = self.expected_score(opponent, slope);
        let factor = slope * attenuation(opponent, slope);
        Evidence {
            gain: weight * factor * (score - expected),
            information: weight * factor * factor * expected * (1.0 - expected),
        }
    }

    /// Returns the strength after a period with games (steps 4 to 8).
    #[must_use]
    pub(super) fn after(self, evidence: Evidence) -> Self {
        let Evidence { gain, information } = evidence;
        if information <= 0.0 {
            return self;
        }
        let phi = self.deviation / SCALE;
        let volatility = self.new_volatility(evidence);
        let before = phi * phi + volatility * volatility;
        let after = 1.0 / (1.0 / before + information);
        Self {
            rating: self.rating + SCALE * after * gain,
            deviation: (SCALE * after.sqrt()).min(MAX_DEVIATION),
            volatility,
        }
    }

    /// Returns the strength after periods without games (step 6 alone).
    #[must_use]
    pub(super) fn after_idle(self, periods: f64) -> Self {
        let grown = (self.deviation / SCALE).powi(2) + periods * self.volatility.powi(2);
        Self { deviation: (SCALE * grown.sqrt()).min(MAX_DEVIATION), ..self }
    }

    /// Returns the volatility after a period (step 5, the Illinois algorithm).
    fn new_volatility(self, Evidence { gain, information }: Evidence) -> f64 {
        let variance = 1.0 / information;
        let square = |x: f64| x * x;
        let (delta, phi) = (variance * gain, self.deviation / SCALE);
        let start = square(self.volatility).ln();
        let f = |x: f64| {
            let spread = phi * phi + variance + x.exp();
            x.exp() * (delta * delta - spread) / (2.0 * spread * spread) - (x - start) / (TAU * TAU)
        };
        let surprise = delta * delta - phi * phi - variance;
        let mut low = start;
        let mut high = if surprise > 0.0 {
            surprise.ln()
        } else {
            let steps =
                (1..MAX_STEPS).map(|k| start - f64::from(u32::try_from(k).unwrap_or(1)) * TAU);
            let mut below = steps.skip_while(|x| f(*x) < 0.0);
            below.next().unwrap_or(start)
        };
        let (mut f_low, mut f_high) = (f(low), f(high));
        for _ in 0..MAX_STEPS {
            if (high - low).abs() <= ACCURACY {
                break;
            }
            let middle = low + (low - high) * f_low / (f_high - f_low);
            let f_middle = f(middle);
            if f_middle * f_high <= 0.0 {
                (low, f_low) = (high, f_high);
            } else {
                f_low /= 2.0;
            }
            (high, f_high) = (middle, f_middle);
        }
        (low / 2.0).exp()
    }
}

/// Returns how much an opponent's uncertain strength weakens a result: the paper's `g`.
fn attenuation(opponent: Strength, slope: f64) -> f64 {
    let phi = slope * opponent.deviation / SCALE;
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(rating: f64, deviation: f64) -> Strength {
        Strength { rating, deviation, volatility: 0.06 }
    }

    fn result(opponent: Strength, score: f64) -> GameResult {
        GameResult { opponent, score, slope: 1.0, weight: 1.0 }
    }

    fn is_near(got: f64, expected: f64, within: f64) {
        assert!((got - expected).abs() < within, "{got}, not {expected}");
    }

    fn evidence(of: Strength, games: impl IntoIterator<Item = GameResult>) -> Evidence {
        games.into_iter().fold(Evidence::default(), |sum, game| sum.and(of.evidence(game)))
    }

    /// The example of the paper. Its numbers are rounded in between: the rating is 1464.0507.
    #[test]
    fn the_published_example_is_reproduced() {
        let own = player(1500.0, 200.0);
        let games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)];
        let games =
            games.map(|(rating, deviation, score)| result(player(rating, deviation), score));
        let expected: Vec<f64> =
            games.iter().map(|game| own.expected_score(game.opponent, 1.0)).collect();
        for (got, printed) in expected.into_iter().zip([0.639, 0.432, 0.303]) {
            is_near(got, printed, 0.0006);
        }
        let evidence = evidence(own, games);
        is_near(1.0 / evidence.information, 1.7785, 0.001);
        is_near(evidence.gain / evidence.information, -0.4834, 0.001);
        let after = own.after(evidence);
        is_near(after.rating, 1464.06, 0.01);
        is_near(after.deviation, 151.52, 0.005);
        is_near(after.volatility, 0.05999, 0.00001);
        is_near(after.rating, 1464.0507, 0.00005);
        is_near(after.deviation, 151.5165, 0.00005);
    }

    #[test]
    fn an_idle_period_only_adds_uncertainty() {
        let idle = player(1700.0, 50.0).after_idle(1.0);
        is_near(idle.rating, 1700.0, 1e-9);
        is_near(idle.deviation, (50.0_f64.powi(2) + (0.06 * SCALE).powi(2)).sqrt(), 1e-9);
        is_near(player(1700.0, 50.0).after_idle(1e9).deviation, MAX_DEVIATION, 1e-9);
    }

    #[test]
    fn half_a_game_twice_is_a_whole_game() {
        let (own, game) = (player(1500.0, 200.0), result(player(1620.0, 80.0), 1.0));
        let half = GameResult { weight: 0.5, ..game };
        let (one, two) = (evidence(own, [game]), evidence(own, [half, half]));
        is_near(one.gain, two.gain, 1e-12);
        is_near(one.information, two.information, 1e-12);
    }

    /// The chances that FIBS prints, and gains proportional to the square root of the length.
    #[test]
    fn the_slope_of_a_match_is_that_of_fibs() {
        let exact = |rating| Strength { rating, deviation: 0.0, volatility: 0.06 };
        for length in [1.0_f64, 5.0, 9.0, 25.0] {
            let fibs = 1.0 / (1.0 + 10.0_f64.powf(-200.0 * length.sqrt() / 2000.0));
            let slope = length.sqrt() / 5.0;
            is_near(exact(1800.0).expected_score(exact(1600.0), slope), fibs, 1e-9);
            let game = GameResult { opponent: exact(1600.0), score: 1.0, slope, weight: 1.0 };
            let gain = exact(1600.0).evidence(game).gain;
            is_near(gain, 0.1 * length.sqrt(), 1e-9);
        }
    }
}
