//! How likely a side is to win a match, by its score alone.
//!
//! The table is our own. It is built from its end: the value of a score follows from those that a
//! game can lead to, with the cube of [`super::cube`]. Of the wins of equal players 26 in a hundred
//! are gammons and one is a backgammon: so often they are in games of our own nets against
//! themselves. After the Crawford game the side that is behind doubles at once, and the other drops
//! where that costs nothing.

use super::cube::{CubeModel, CubeOwner};
use super::stakes::LONGEST;
use crate::kit::Odds;
use std::sync::LazyLock;

/// The shares of wins that are gammons or more, and backgammons.
const GAMMONS: f32 = 0.26;
const BACKGAMMONS: f32 = 0.01;

/// The first game of equal players.
const EVEN: Odds = Odds([0.5, 0.5 * GAMMONS, 0.5 * BACKGAMMONS, 0.5 * GAMMONS, 0.5 * BACKGAMMONS]);

/// As many points can be wanted at most.
const MOST: usize = LONGEST as usize;

/// Chances to win a match, by the points that the side wants and by those that the other wants.
struct MatchEquityTable {
    /// Before the Crawford game, and in it.
    even: Vec<[f32; MOST + 1]>,
    /// After it: the chances of the side that wants more than a point, by how many it wants.
    behind: [f32; MOST + 1],
}

static TABLES: LazyLock<[MatchEquityTable; 2]> =
    LazyLock::new(|| [false, true].map(MatchEquityTable::new));

/// A score: the points that the side wants, and those that the other wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AwayScore {
    pub(super) own: i64,
    pub(super) other: i64,
    /// Whether a side wanted a single point before: then the Crawford game is over.
    pub(super) after_crawford: bool,
}

impl AwayScore {
    /// How likely the side is to win the match.
    pub(super) fn chance(self, has_cube: bool) -> f32 {
        TABLES[usize::from(has_cube)].chance(self)
    }

    /// The score after a game that won so many points, or lost them.
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

    /// The chance of a side that wants so many points, of which the other wants one, after the
    /// Crawford game.
    fn after_crawford(&self, own: i64, has_cube: bool) -> f32 {
        let score = AwayScore { own, other: 1, after_crawford: true };
        let worth = |points| self.chance(score.after(points));
        let played = |cube| CubeModel::new(EVEN, &worth).dead(cube);
        if has_cube { played(2).min(worth(1)) } else { played(1) }
    }

    /// The chance before the Crawford game, or in it.
    fn before(&self, own: i64, other: i64, has_cube: bool) -> f32 {
        let score = AwayScore { own, other, after_crawford: false };
        let worth = |points| self.chance(score.after(points));
        let is_crawford = own == 1 || other == 1;
        let holder = if has_cube && !is_crawford { CubeOwner::Both } else { CubeOwner::Nobody };
        CubeModel::new(EVEN, &worth).with(1, holder)
    }
}

/// A number of points as a place in a table, at most the last one.
fn index(points: i64) -> usize {
    usize::try_from(points).unwrap_or(0).min(MOST)
}
