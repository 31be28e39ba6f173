//! The program's search for press games: what [`crate::kit::minimax`] asks of a position, from what a
//! game says in [`Searchable`].

pub(crate) use crate::kit::minimax::Budget;

use super::{Press, PressGame, SIZE, Square, Squares, Stones};
use crate::kit::chance::{SPLIT_MIX_STEP, split_mix};
use crate::kit::minimax::{self, Searched};
use crate::kit::{Next, RandomBelow, Seat};

/// A game that can be searched. Positions are copied for every move, so they should be small and
/// own no memory.
pub(crate) trait Searchable: PressGame {
    /// The limits of levels 1 to 4; level 4 should take at most half a second for a move.
    const EFFORTS: [Budget; 4];

    /// Evaluates the position of an unfinished game for a seat: antisymmetric, and below 2^20 in
    /// magnitude.
    fn value(&self, seat: Seat) -> i32;

    /// Returns a seat's margin after the end, below 2^12 in magnitude: a larger win is better.
    fn margin(&self, _seat: Seat) -> i32 {
        0
    }

    /// Returns the move ordering score of a press.
    fn promise(&self, _square: Square) -> i32 {
        0
    }

    /// Returns the legal points worth searching: by default all.
    fn candidates(&self) -> Squares {
        self.legal()
    }

    /// Returns a hash of the position, such as [`key`]'s, that includes all that affects the rest
    /// of the game; `None` disables the table.
    fn key(&self) -> Option<u64>;
}

/// Returns a hash of stones, the seat to move, and a salt.
pub(crate) fn key(stones: &Stones, turn: Seat, more: u64) -> u64 {
    let mut key = more << 1 | u64::from(turn.0);
    for seat in Seat::BOTH {
        for half in stones[seat].halves() {
            key = split_mix(key.wrapping_add(half).wrapping_add(SPLIT_MIX_STEP));
        }
    }
    key
}

/// Returns the program's move at a level from 1 to 4; `None` if nobody is to move.
pub(crate) fn choose<P: Searchable>(position: &P, level: u8, below: RandomBelow) -> Option<Press> {
    minimax::best(position, P::EFFORTS[usize::from(level.clamp(1, 4)) - 1], below)
}

impl<P: Searchable> Searched for P {
    type Move = Press;

    const SLOTS: usize = SIZE as usize * SIZE as usize + 1;

    fn slot(press: Press) -> usize {
        match press {
            Press::At(square) => square.index(),
            Press::Pass => Self::SLOTS - 1,
        }
    }

    fn next(&self) -> Next {
        PressGame::next(self)
    }

    fn moves(&self) -> Vec<Press> {
        let points = self.candidates().iter().map(Press::At);
        points.chain(self.may_pass().then_some(Press::Pass)).collect()
    }

    fn promise(&self, press: Press) -> i32 {
        match press {
            Press::At(square) => Searchable::promise(self, square),
            Press::Pass => 0,
        }
    }

    fn is_free(press: Press) -> bool {
        press == Press::Pass
    }

    fn make(&mut self, press: Press) {
        match press {
            Press::At(square) => self.press(square),
            Press::Pass => self.pass(),
        }
    }

    fn value(&self, seat: Seat) -> i32 {
        Searchable::value(self, seat)
    }

    fn margin(&self, seat: Seat) -> i32 {
        Searchable::margin(self, seat)
    }

    fn key(&self) -> Option<u64> {
        Searchable::key(self)
    }

    fn any_move(&self, below: RandomBelow) -> Option<Press> {
        Some(self.legal().any(below).map_or(Press::Pass, Press::At))
    }
}

#[cfg(test)]
mod tests;
