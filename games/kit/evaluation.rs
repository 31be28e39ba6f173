//! A program's evaluation of a position.

/// The unit of a program's evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationUnit {
    /// Average points won, in multiples of the cube where there is one.
    Points,
    /// Probability of winning minus probability of losing, from -1 to 1.
    Chances,
}

/// A program's evaluation of a position for one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The probabilities of the results.
    pub odds: Odds,
    /// The value of the position, in an [`EvaluationUnit`].
    pub value: f32,
}

/// The depth of a program's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchDepth {
    /// Only the position after the move.
    ZeroPly,
    /// Every next roll with its best play.
    OnePly,
}

/// The number of positions that a program may still judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationBudget(u32);

impl EvaluationBudget {
    /// Creates a budget.
    pub const fn new(positions: u32) -> Self {
        Self(positions)
    }

    /// Spends budget on judged positions.
    pub(crate) fn spend(&mut self, positions: u32) {
        self.0 = self.0.saturating_sub(positions);
    }

    /// Returns whether this many positions may still be judged.
    pub const fn allows(self, positions: u32) -> bool {
        self.0 >= positions
    }
}

/// The probabilities of the side to roll: of a win, of a gammon or backgammon won, of a backgammon
/// won, of a gammon or backgammon lost, of a backgammon lost. A draw is half a win.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Odds(pub [f32; 5]);

impl Odds {
    /// The number of probabilities.
    pub const COUNT: usize = 5;

    /// Returns the odds after the end of a game: `points` won, or lost if negative.
    pub(crate) fn certain(points: i8) -> Self {
        let more = |least: i8| f32::from(u8::from(points >= least));
        let less = |least: i8| f32::from(u8::from(points <= -least));
        match points {
            0 => Self([0.5, 0.0, 0.0, 0.0, 0.0]),
            _ => Self([more(1), more(2), more(3), less(2), less(3)]),
        }
    }

    /// Returns the probability of a win.
    #[must_use]
    pub const fn win(self) -> f32 {
        self.0[0]
    }

    /// Returns the odds of the other side.
    #[must_use]
    pub fn turned(self) -> Self {
        let [win, gammon, backgammon, lost, lost_three] = self.0;
        Self([1.0 - win, lost, lost_three, gammon, backgammon])
    }

    /// Clamps the odds to what is possible: every gammon is a win, every backgammon a gammon.
    pub(crate) fn bounded(self) -> Self {
        let [win, gammon, backgammon, lost, lost_three] = self.0;
        let (gammon, lost) = (gammon.min(win), lost.min(1.0 - win));
        Self([win, gammon, backgammon.min(gammon), lost, lost_three.min(lost)])
    }

    /// Returns the average points won, where a gammon counts two and a backgammon three.
    pub fn equity(self) -> f32 {
        let [win, gammon, backgammon, lost, lost_three] = self.0;
        (2.0 * win - 1.0) + (gammon - lost) + (backgammon - lost_three)
    }

    /// Returns the average points won, with the given values of gammons and backgammons.
    pub(crate) fn worth(self, worth: GammonValue) -> f32 {
        let [win, gammon, backgammon, lost, lost_three] = self.0;
        let GammonValue { won: [two, three], lost: [minus_two, minus_three] } = worth;
        (2.0 * win - 1.0)
            + (gammon * two - lost * minus_two)
            + (backgammon * three - lost_three * minus_three)
    }

    /// Adds the weighted odds of a roll.
    pub fn add(&mut self, odds: Self, weight: f32) {
        self.0.iter_mut().zip(odds.0).for_each(|(sum, one)| *sum += one * weight);
    }
}

/// The value of a gammon above a single game and of a backgammon above a gammon, for wins and
/// losses of the side to roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GammonValue {
    pub(crate) won: [f32; 2],
    pub(crate) lost: [f32; 2],
}

impl GammonValue {
    /// One point each.
    pub(crate) const MONEY: Self = Self { won: [1.0; 2], lost: [1.0; 2] };

    /// One point for a gammon, none more for a backgammon.
    pub(crate) const DOUBLE: Self = Self { won: [1.0, 0.0], lost: [1.0, 0.0] };

    /// Returns the values for the other side.
    #[must_use]
    pub(crate) fn turned(self) -> Self {
        Self { won: self.lost, lost: self.won }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_worth_its_points_to_both_sides() {
        for points in -3..=3 {
            let odds = Odds::certain(points);
            assert!((odds.equity() - f32::from(points)).abs() < 1e-6, "{points}");
            assert!((odds.turned().equity() + f32::from(points)).abs() < 1e-6, "{points}");
            assert_eq!(odds.bounded(), odds);
        }
        let wild = Odds([0.4, 0.5, 0.6, 0.7, 0.1]);
        assert_eq!(wild.bounded(), Odds([0.4, 0.4, 0.4, 0.6, 0.1]));
    }
}
