//! The program's memory of a pattern, by level.

use super::Position;
use crate::grid::{Square, Squares};
use crate::kit::{Chance, RandomBelow, Seat};

/// The number of levels.
pub(super) const LEVELS: u8 = 4;

/// The percentage of points that a level remembers correctly.
const SURE: [usize; LEVELS as usize] = [15, 35, 58, 85];

/// The percentage of its wrong presses that a level remembers.
const MARKED: [usize; LEVELS as usize] = [0, 40, 75, 100];

/// A level's memory of a pattern.
pub(super) struct PatternMemory {
    /// The points that it believes to be of each colour.
    pub(super) takes: [Squares; 2],
    /// The wrong presses that it does not forget.
    marks: Squares,
}

impl Position {
    /// Returns a level's memory. It is a function of pattern, level and side: a forgotten point
    /// stays forgotten for the game, and is replaced by a wrong one.
    pub(super) fn memory(&self, level: u8, seat: Seat) -> PatternMemory {
        let index = usize::from(level.clamp(1, LEVELS) - 1);
        let (sure, marked) = (SURE[index], MARKED[index]);
        let hidden = self.hunt.hidden;
        let mut chance = Chance::from_text(&format!("{hidden} {level} {}", seat.0));
        let mut memory = PatternMemory { takes: [Squares::NONE; 2], marks: Squares::NONE };
        for square in Square::all() {
            let is_sure = chance.below(100) < sure;
            let mistaken = Square::all().nth(chance.below(Square::all().count()));
            let taken = if is_sure { Some(square) } else { mistaken };
            if let Some(seat) = taken.and_then(|taken| hidden.at(taken)).filter(|_| !self.blind) {
                memory.takes[seat.index()].insert(square);
            }
            if chance.below(100) < marked {
                memory.marks.insert(square);
            }
        }
        memory
    }

    /// Returns a level's press.
    pub(super) fn remembered(&self, level: u8, below: RandomBelow) -> Square {
        let seat = self.turn.unwrap_or(Seat(0));
        let memory = self.memory(level, seat);
        let dark = self.hunt.dark();
        let missed = self.missed[seat.index()];
        let own = (memory.takes[seat.index()] & dark).without(missed);
        let other = memory.takes[seat.other().index()];
        let guess = dark.without(missed & memory.marks).without(other);
        let fresh = dark.without(missed);
        // Without a new point among its guesses it would press wrong points for ever.
        let sets =
            [own, if guess.without(missed).is_empty() { fresh } else { guess }, Squares::ALL];
        let set = sets.into_iter().find(|set| !set.is_empty()).unwrap_or(Squares::ALL);
        set.any(below).expect("the board has points")
    }
}
