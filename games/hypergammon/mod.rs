//! Hypergammon: Backgammon with three men a side.
//!
//! Source: B6 is <https://www.bkgm.com/variants/Hypergammon.html>. All other rules are those of
//! Backgammon.

#[cfg(test)]
mod tests;

use crate::backgammon::{Backgammon, CubePosition, CubeRace, declared, outcome};
use crate::bot::built_in_nets;
use crate::kit::{Outcome, Seat, Spec};
use crate::points::{Board, Course, Landing, NetRace, Numbers, Race, RaceSituation};

/// A position of Hypergammon: a match, or a money game.
pub(crate) type Position = CubePosition<Hypergammon>;

/// The rules of Hypergammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hypergammon;

/// One man each stands on the 24, the 23 and the 22 point (B6).
impl Race for Hypergammon {
    const COURSE: Course = Backgammon::COURSE;
    const LANDING: Landing = Backgammon::LANDING;
    const START: &'static [(u8, u8)] = &[(24, 1), (23, 1), (22, 1)];
    const NUMBERS: [Numbers; 2] = Backgammon::NUMBERS;
}

impl NetRace for Hypergammon {
    const PLAIN: Self = Self;
    /// Much more than in Backgammon, since luck hides all but great differences: not even a search wins
    /// more than the net alone, so level 3 overlooks losses, too.
    const OVERLOOKED: &'static [f32] = &[2.0, 0.75, 0.3];

    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome> {
        outcome(after, mover)
    }

    built_in_nets!(RaceSituation<Hypergammon>, "hypergammon.net");
}

impl CubeRace for Hypergammon {
    const SPEC: Spec = declared::<Self>([
        "hypergammon",
        "Hypergammon",
        "Backgammon with three men a side",
        include_str!("../../help/hypergammon.md"),
    ]);
    const XGID: &'static str = "XGID=-aaa----A------------A-A--:1:1:-1:00:3:1:0:5:10";
    const TURNS: u16 = 10;
}
