//! How likely each way to win and to lose is.

/// How likely the side to roll is to win, and how: the probabilities of winning at all, of
/// winning a gammon or more, a backgammon, of losing a gammon or more, and a backgammon. A draw is
/// half a win.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Odds(pub [f32; 5]);

impl Odds {
    /// How many numbers they are.
    pub const COUNT: usize = 5;

    /// Certain odds for a side that has won so many points; less than 0 if it has lost them.
    pub(crate) fn certain(points: i8) -> Self {
        let more = |least: i8| f32::from(u8::from(points >= least));
        let less = |least: i8| f32::from(u8::from(points <= -least));
        match points {
            0 => Self([0.5, 0.0, 0.0, 0.0, 0.0]),
            _ => Self([more(1), more(2), more(3), less(2), less(3)]),
        }
    }

    /// The same as the other side sees it.
    #[must_use]
    pub fn turned(self) -> Self {
        let [win, gammon, backgammon, lost, lost_three] = self.0;
        Self([1.0 - win, lost, lost_three, gammon, backgammon])
    }

    /// The same without what cannot be: a gammon is a win, and a backgammon a gammon.
    pub(crate) fn bounded(self) -> Self {
        let [win, gammon, backgammon, lost, lost_three] = self.0;
        let (gammon, lost) = (gammon.min(win), lost.min(1.0 - win));
        Self([win, gammon, backgammon.min(gammon), lost, lost_three.min(lost)])
    }

    /// The points that are won on average, where a gammon counts two and a backgammon three.
    pub fn equity(self) -> f32 {
        let [win, gammon, backgammon, lost, lost_three] = self.0;
        (2.0 * win - 1.0) + (gammon - lost) + (backgammon - lost_three)
    }

    /// The points that are won on average, as gammons and backgammons count on a board.
    pub(crate) fn worth(self, worth: GammonValue) -> f32 {
        let [win, gammon, backgammon, lost, lost_three] = self.0;
        let GammonValue { won: [two, three], lost: [minus_two, minus_three] } = worth;
        (2.0 * win - 1.0)
            + (gammon * two - lost * minus_two)
            + (backgammon * three - lost_three * minus_three)
    }

    /// Adds the odds after a roll, which has so much weight.
    pub fn add(&mut self, odds: Self, weight: f32) {
        self.0.iter_mut().zip(odds.0).for_each(|(sum, one)| *sum += one * weight);
    }
}

/// The value of a gammon beyond a single game, and of a backgammon beyond a gammon, to the side to
/// roll and to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GammonValue {
    pub(crate) won: [f32; 2],
    pub(crate) lost: [f32; 2],
}

impl GammonValue {
    /// A point each.
    pub(crate) const MONEY: Self = Self { won: [1.0; 2], lost: [1.0; 2] };

    /// The same as the other side sees it.
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
