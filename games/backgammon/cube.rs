//! The value of a game with a cube.
//!
//! The model is Rick Janowski's (*Take-points in money games*, 1993), in the form that also fits
//! matches (as GNU Backgammon's manual has it): the truth lies between a cube that nobody ever
//! turns again and one that is always turned at the very point where it can just be taken. With
//! such a live cube the worth of a game is a straight line between the points where each side would
//! double the other out. The caller gives the value of points: points themselves where a game is
//! played for money, chances to win where it is one of a match.

use crate::kit::Odds;

/// How live a cube is: Janowski finds two thirds and a bit more for most positions.
pub(super) const LIVE: f32 = 0.68;

/// So often the cube is thought to be turned at most: after that it is dead.
const TURNS: u32 = 8;

/// The least difference between two results.
const SAME: f32 = 1e-6;

/// The side that may turn the cube: the one whose odds are told, the other, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CubeOwner {
    Own,
    Other,
    Both,
    /// The cube is out of play.
    Nobody,
}

/// A game as one side sees it: how it may end, and what each end is worth.
pub(super) struct CubeModel<'a> {
    win: f32,
    /// The shares of wins that are gammons or more, and backgammons; then those of losses.
    more: [[f32; 2]; 2],
    /// The cube with which every win is a single one.
    single: i64,
    /// The value of so many points to the side; less than 0 if they are lost.
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

    /// The same where gammons do not count with such a cube, as Jacoby's rule has it.
    pub(super) fn single_with(self, cube: i64) -> Self {
        Self { single: cube, ..self }
    }

    /// The value of so many points.
    fn points(&self, points: i64) -> f32 {
        (self.worth)(points)
    }

    /// The average value of a win with such a cube; of a loss, if the cube is less than 0.
    fn ended(&self, cube: i64) -> f32 {
        if cube.abs() == self.single {
            return self.points(cube);
        }
        let [two, three] = self.more[usize::from(cube < 0)];
        let (one, second, third) =
            (self.points(cube), self.points(2 * cube), self.points(3 * cube));
        (1.0 - two) * one + (two - three) * second + three * third
    }

    /// Whether to have won with twice that cube is worth more than with that one, to the side that
    /// wins if it is greater than 0, or to the other.
    fn gains(&self, cube: i64) -> bool {
        (self.points(2 * cube) - self.points(cube)).abs() > SAME
    }

    /// The value of the game if nobody ever turns the cube again.
    pub(super) fn dead(&self, cube: i64) -> f32 {
        self.win * self.ended(cube) + (1.0 - self.win) * self.ended(-cube)
    }

    /// How likely the side must win so that the other can just drop a double from such a cube,
    /// which would be live in the taker's hands. A cube less than 0 is one that the other turns:
    /// then, so that the side can just drop.
    fn cash(&self, cube: i64, turns: u32) -> f32 {
        // All of it as the side sees it that turns the cube.
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

    /// The value of the game with a live cube.
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

    /// The value of the game.
    pub(super) fn with(&self, cube: i64, holder: CubeOwner) -> f32 {
        let dead = self.dead(self.forced(cube, holder));
        (1.0 - LIVE) * dead + LIVE * self.live(cube, holder)
    }

    /// The cube that is in fact played for: a side that has nothing more to lose turns its cube at
    /// once.
    fn forced(&self, cube: i64, holder: CubeOwner) -> i64 {
        let is_free = match holder {
            CubeOwner::Own => self.gains(cube) && !self.gains(-cube),
            CubeOwner::Other => self.gains(-cube) && !self.gains(cube),
            CubeOwner::Both | CubeOwner::Nobody => false,
        };
        if is_free { 2 * cube } else { cube }
    }
}

/// How far a number is on the way between two others.
fn part(number: f32, from: f32, to: f32) -> f32 {
    if (to - from).abs() > SAME { (number - from) / (to - from) } else { 0.0 }
}
