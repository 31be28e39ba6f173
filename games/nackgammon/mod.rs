//! Nackgammon: Backgammon in which two more men start far back.
//!
//! Source: B5 is <https://www.bkgm.com/variants/Nackgammon.html>. All other rules are those of
//! Backgammon.

#[cfg(test)]
mod tests;

use crate::backgammon::{Backgammon, CubePosition, CubeRace, declared, outcome};
use crate::bot::GameNets;
use crate::kit::{Outcome, Seat, Spec};
use crate::points::{Board, Course, Landing, NetRace, Numbers, Race};

/// A position of Nackgammon: a match, or a money game.
pub(crate) type Position = CubePosition<Nackgammon>;

/// The rules of Nackgammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Nackgammon;

/// One man each from the mid-point and the six point stands on the 23 point (B5).
impl Race for Nackgammon {
    const COURSE: Course = Backgammon::COURSE;
    const LANDING: Landing = Backgammon::LANDING;
    const START: &'static [(u8, u8)] = &[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)];
    const NUMBERS: [Numbers; 2] = Backgammon::NUMBERS;
}

impl NetRace for Nackgammon {
    const PLAIN: Self = Self;
    const OVERLOOKED: &'static [f32] = Backgammon::OVERLOOKED;

    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome> {
        outcome(after, mover)
    }

    /// Its positions are positions of Backgammon.
    fn nets() -> &'static GameNets {
        Backgammon::nets()
    }
}

impl CubeRace for Nackgammon {
    const SPEC: Spec = declared::<Self>([
        "nackgammon",
        "Nackgammon",
        "Backgammon with four men far back",
        include_str!("../../help/nackgammon.md"),
    ]);
    const XGID: &'static str = "XGID=-bb---D-C---dD---c-d---BB-:1:1:-1:00:3:1:0:5:10";
    const TURNS: u16 = 30;
}
