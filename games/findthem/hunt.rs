//! The finds of a press of `FindThem`.
//!
//! Source: S4, *Playing Maldoo*.

use crate::grid::{Square, Squares, Stones};
use crate::kit::{Outcome, RandomBelow, Seat};

/// How many hidden points each colour has in that mode.
pub(crate) const fn points(mode: u8) -> u32 {
    [24, 30, 15, 21][mode as usize % 4]
}

/// How many of them win in that mode.
pub(crate) const fn goal(mode: u8) -> u32 {
    [9, 15, 9, 15][mode as usize % 4]
}

/// Points for that mode, drawn by chance: all patterns are as likely as each other.
pub(crate) fn pattern(mode: u8, below: RandomBelow) -> Stones {
    let mut hidden = Stones::default();
    for seat in Seat::BOTH {
        for _ in 0..points(mode) {
            let square = (!hidden.lit()).any(below).expect("60 points fit on the board");
            hidden[seat].insert(square);
        }
    }
    hidden
}

/// Hidden points, and how far they have been found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hunt {
    /// The points of each colour.
    pub(crate) hidden: Stones,
    /// Those of them that are lit.
    pub(crate) found: Squares,
    /// A point on which the next press has no effect.
    pub(crate) silent: Option<Square>,
}

impl Hunt {
    /// A press of that side: whether a point has been found.
    ///
    /// A dark point that is not its own stays dark and is silent for one move. A press on a lit
    /// point or a silent one does nothing.
    pub(crate) fn press(&mut self, seat: Seat, square: Square) -> bool {
        let was_silent = self.silent.take() == Some(square);
        if was_silent || self.found.contains(square) {
            return false;
        }
        let finds = self.hidden[seat].contains(square);
        if finds {
            self.found.insert(square);
        } else {
            self.silent = Some(square);
        }
        finds
    }

    /// The points that are lit, which everybody sees.
    pub(crate) fn lit(&self) -> Stones {
        Stones::new(self.hidden[Seat(0)] & self.found, self.hidden[Seat(1)] & self.found)
    }

    /// The state of the game after a move of red: over as soon as a side has found enough.
    pub(crate) fn verdict(&self, goal: u32) -> Option<Outcome> {
        let has = self.lit().count().map(|finds| finds >= goal);
        match has {
            [false, false] => None,
            [true, true] => Some(Outcome::Drawn { reason: "both have found enough points" }),
            [green, _] => Some(Outcome::Won {
                by: Seat(u8::from(!green)),
                points: 1,
                reason: "by finding enough points first",
            }),
        }
    }
}
