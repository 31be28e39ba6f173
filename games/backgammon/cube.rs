//! Equity of a position with a doubling cube.
//!
//! The model is Rick Janowski's (*Take-points in money games*, 1993), generalized to matches as in
//! GNU Backgammon's manual. It interpolates between a dead cube, which is never turned again, and a
//! live cube, which is turned exactly at the cash point. With a live cube the equity is linear
//! between the cash points of the two sides. The caller defines the value of points: points
//! themselves in a money game, match winning chances in a match.

use crate::kit::Odds;

/// The cube efficiency. Janowski finds a little over two thirds for most positions.
pub(super) const LIVE: f32 = 0.68;

/// The number of redoubles that the model considers; after that the cube is dead.
const TURNS: u32 = 8;

/// Results closer than this are equal.
const SAME: f32 = 1e-6;

/// The side that may turn the cube, from the point of view of the odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CubeOwner {
    Own,
    Other,
    Both,
    /// The cube is out of play.
    Nobody,
}

/// A game from one side's point of view: the probabilities of its results and their values.
pub(super) struct CubeModel<'a> {
    win: f32,
    /// The shares of wins that are at least gammons, and that are backgammons; then those of
    /// losses.
    more: [[f32; 2]; 2],
    /// The cube value at which every win is single.
    single: i64,
    /// Returns the value of points won; negative points are lost.
    worth: &'a dyn Fn(i64) -> f32,
}

impl<'a> CubeModel<'a> {
    pub(super) fn new(odds: Odds, worth: &'a dyn Fn(i64) -> f32) -> Self {
        let Odds([win, gammon, backgammon, lost, lost_three]) = odds;
        let share = |part: f32, of: f32| if of > SAME { (part / of).clamp(0.0, 1.0) } else { 0.0 };
        let own = [share(gammon, win), share(backgammon, win)];
        let other = [share(lost, 1.0 - win), share(lost_three, 1.0 - win)];
        Self { win, more: [own, other], single: 0, worth }
    }

    /// Makes gammons count as single games at this cube value, as the Jacoby rule does.
    pub(super) fn single_with(self, cube: i64) -> Self {
        Self { single: cube, ..self }
    }

    /// Returns the value of points.
    fn points(&self, points: i64) -> f32 {
        (self.worth)(points)
    }

    /// Returns the average value of a win at this cube value; of a loss, if it is negative.
    fn ended(&self, cube: i64) -> f32 {
        if cube.abs() == self.single {
            return self.points(cube);
        }
        let [two, three] = self.more[usize::from(cube < 0)];
        let (one, second, third) =
            (self.points(cube), self.points(2 * cube), self.points(3 * cube));
        (1.0 - two) * one + (two - three) * second + three * third
    }

    /// Returns whether a win at twice the cube value is worth more than one at the cube value, for
    /// the side if it is positive, else for the opponent.
    fn gains(&self, cube: i64) -> bool {
        (self.points(2 * cube) - self.points(cube)).abs() > SAME
    }

    /// Returns the equity with a dead cube.
    pub(super) fn dead(&self, cube: i64) -> f32 {
        self.win * self.ended(cube) + (1.0 - self.win) * self.ended(-cube)
    }

    /// Returns the side's winning probability at which the opponent can just drop a double. A
    /// negative cube is turned by the opponent: then it is the probability at which the side can
    /// just drop.
    fn cash(&self, cube: i64, turns: u32) -> f32 {
        // Everything is from the point of view of the side that doubles.
        let (worth, dropped) = (|points| self.points(points), self.points(cube));
        let won = (1.0, self.ended(2 * cube));
        let back = if turns > 0 && self.gains(-2 * cube) {
            let point = self.cash(-2 * cube, turns - 1);
            (if cube > 0 { point } else { 1.0 - point }, worth(-2 * cube))
        } else {
            (0.0, self.ended(-2 * cube))
        };
        let likely = (back.0 + (won.0 - back.0) * part(dropped, back.1, won.1)).clamp(0.0, 1.0);
        if cube > 0 { likely } else { 1.0 - likely }
    }

    /// Returns the equity with a live cube.
    fn live(&self, cube: i64, holder: CubeOwner) -> f32 {
        let mut points = vec![(0.0, self.ended(-cube))];
        if matches!(holder, CubeOwner::Other | CubeOwner::Both) && self.gains(-cube) {
            points.push((self.cash(-cube, TURNS), self.points(-cube)));
        }
        if matches!(holder, CubeOwner::Own | CubeOwner::Both) && self.gains(cube) {
            points.push((self.cash(cube, TURNS), self.points(cube)));
        }
        points.push((1.0, self.ended(cube)));
        let line = points.windows(2).find(|ends| self.win <= ends[1].0);
        let [(from, low), (to, high)] =
            line.and_then(|ends| ends.try_into().ok()).unwrap_or_else(|| {
                let last = points.len() - 1;
                [points[last - 1], points[last]]
            });
        low + (high - low) * part(self.win, from, to)
    }

    /// Returns the equity.
    pub(super) fn with(&self, cube: i64, holder: CubeOwner) -> f32 {
        let dead = self.dead(self.forced(cube, holder));
        (1.0 - LIVE) * dead + LIVE * self.live(cube, holder)
    }

    /// Returns the effective cube value: a side with nothing more to lose turns its cube at once.
    fn forced(&self, cube: i64, holder: CubeOwner) -> i64 {
        let is_free = match holder {
            CubeOwner::Own => self.gains(cube) && !self.gains(-cube),
            CubeOwner::Other => self.gains(-cube) && !self.gains(cube),
            CubeOwner::Both | CubeOwner::Nobody => false,
        };
        if is_free { 2 * cube } else { cube }
    }
}

/// Returns the fraction of the way from `from` to `to`.
fn part(number: f32, from: f32, to: f32) -> f32 {
    if (to - from).abs() > SAME { (number - from) / (to - from) } else { 0.0 }
}
