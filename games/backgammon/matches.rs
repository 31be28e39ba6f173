//! Match winning chances by score.
//!
//! The table is computed from its end: the value of a score follows from the scores after the next
//! game, with the cube of [`super::cube`]. 26 % of the wins of equal players are gammons and 1 %
//! are backgammons, as in games of our nets against themselves. After the Crawford game the
//! trailing side doubles at once, and the leader drops where that costs nothing.

use super::cube::{CubeModel, CubeOwner};
use crate::kit::Odds;
use crate::points::LONGEST;
use std::sync::LazyLock;

/// The shares of wins that are at least gammons, and that are backgammons.
const GAMMONS: f32 = 0.26;
const BACKGAMMONS: f32 = 0.01;

/// The odds of equal players before a game.
const EVEN: Odds = Odds([0.5, 0.5 * GAMMONS, 0.5 * BACKGAMMONS, 0.5 * GAMMONS, 0.5 * BACKGAMMONS]);

/// The largest number of points away.
const MOST: usize = LONGEST as usize;

/// Match winning chances, by the points away of both sides.
struct MatchEquityTable {
    /// Before and in the Crawford game.
    even: Vec<[f32; MOST + 1]>,
    /// After the Crawford game: the trailing side's chances by its points away.
    behind: [f32; MOST + 1],
}

static TABLES: LazyLock<[MatchEquityTable; 2]> =
    LazyLock::new(|| [false, true].map(MatchEquityTable::new));

/// A score as points away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AwayScore {
    pub(super) own: i64,
    pub(super) other: i64,
    /// Whether the Crawford game is over.
    pub(super) after_crawford: bool,
}

impl AwayScore {
    /// Returns the side's match winning chances.
    pub(super) fn chance(self, has_cube: bool) -> f32 {
        TABLES[usize::from(has_cube)].chance(self)
    }

    /// Returns the score after a game won by this many points; negative points are lost.
    pub(super) fn after(self, points: i64) -> Self {
        let Self { own, other, after_crawford } = self;
        Self {
            own: own - points.max(0),
            other: other - (-points).max(0),
            after_crawford: after_crawford || own == 1 || other == 1,
        }
    }
}

impl MatchEquityTable {
    fn new(has_cube: bool) -> Self {
        let mut table = Self { even: vec![[0.5; MOST + 1]; MOST + 1], behind: [0.5; MOST + 1] };
        for wanted in 2..=LONGEST {
            table.behind[index(wanted.into())] = table.after_crawford(wanted.into(), has_cube);
        }
        for both in 3..=2 * LONGEST {
            for own in 1.max(both.saturating_sub(LONGEST))..=LONGEST.min(both - 1) {
                let (own, other) = (i64::from(own), i64::from(both - own));
                let chance = if own == other { 0.5 } else { table.before(own, other, has_cube) };
                table.even[index(own)][index(other)] = chance;
            }
        }
        table
    }

    fn chance(&self, wanted: AwayScore) -> f32 {
        let AwayScore { own, other, after_crawford } = wanted;
        match (own, other) {
            (..=0, _) => 1.0,
            (_, ..=0) => 0.0,
            (_, 1) if after_crawford => self.behind[index(own)],
            (1, _) if after_crawford => 1.0 - self.behind[index(other)],
            _ => self.even[index(own)][index(other)],
        }
    }

    /// Returns the trailing side's chances after the Crawford game.
    fn after_crawford(&self, own: i64, has_cube: bool) -> f32 {
        let score = AwayScore { own, other: 1, after_crawford: true };
        let worth = |points| self.chance(score.after(points));
        let played = |cube| CubeModel::new(EVEN, &worth).dead(cube);
        if has_cube { played(2).min(worth(1)) } else { played(1) }
    }

    /// Returns the chances before or in the Crawford game.
    fn before(&self, own: i64, other: i64, has_cube: bool) -> f32 {
        let score = AwayScore { own, other, after_crawford: false };
        let worth = |points| self.chance(score.after(points));
        let is_crawford = own == 1 || other == 1;
        let holder = if has_cube && !is_crawford { CubeOwner::Both } else { CubeOwner::Nobody };
        CubeModel::new(EVEN, &worth).with(1, holder)
    }
}

/// Returns points as a table index, clamped to the last one.
fn index(points: i64) -> usize {
    usize::try_from(points).unwrap_or(0).min(MOST)
}
