//! Hidden points of `FindThem`, and how they are found.
//!
//! Source: S4, *Playing Maldoo*.

use crate::grid::{Square, Squares, Stones};
use crate::kit::{Outcome, RandomBelow, Seat};

/// Returns the number of hidden points of each colour in a mode.
pub(crate) const fn points(mode: u8) -> u32 {
    [24, 30, 15, 21][mode as usize % 4]
}

/// Returns the number of finds that wins in a mode.
pub(crate) const fn goal(mode: u8) -> u32 {
    [9, 15, 9, 15][mode as usize % 4]
}

/// Draws random points for a mode; all patterns are equally likely.
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

/// Hidden points and finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hunt {
    /// The points of each colour.
    pub(crate) hidden: Stones,
    /// The points that are found, and lit.
    pub(crate) found: Squares,
    /// The silent point: the next press on it has no effect.
    pub(crate) silent: Option<Square>,
}

impl Hunt {
    /// Presses a point and returns whether it was found.
    ///
    /// A dark point that is not the side's own stays dark and is silent for one move. A press on a
    /// lit or silent point has no effect.
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

    /// Returns the points that neither have been found nor are silent.
    pub(crate) fn dark(&self) -> Squares {
        (!self.found).without(self.silent.map_or(Squares::NONE, Squares::from))
    }

    /// Returns the lit points, which everybody sees.
    pub(crate) fn lit(&self) -> Stones {
        Stones::new(self.hidden[Seat(0)] & self.found, self.hidden[Seat(1)] & self.found)
    }

    /// Returns the result after a move of red: the game is over once a side has found enough.
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
