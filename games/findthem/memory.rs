//! How well the program remembers a pattern.

use super::Position;
use crate::grid::{Square, Squares};
use crate::kit::{Chance, RandomBelow, Seat};

/// How many levels there are.
pub(super) const LEVELS: u8 = 4;

/// Of a hundred points, how many a level remembers as they were.
const SURE: [usize; LEVELS as usize] = [15, 35, 58, 85];

/// Of a hundred points that it has pressed in vain, how many a level has in mind.
const MARKED: [usize; LEVELS as usize] = [0, 40, 75, 100];

/// A level's memory of a pattern.
pub(super) struct PatternMemory {
    /// The points of each colour, as it takes them to be.
    pub(super) takes: [Squares; 2],
    /// Points of which it will not forget that it has pressed them in vain.
    marks: Squares,
}

impl Position {
    /// The memory of that level. It follows from the pattern, the level and the side alone: a point
    /// forgotten once is forgotten for this game. A forgotten point is not blank, it is mistaken
    /// for another one.
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

    /// The press of that level.
    pub(super) fn remembered(&self, level: u8, below: RandomBelow) -> Square {
        let seat = self.turn.unwrap_or(Seat(0));
        let memory = self.memory(level, seat);
        let silent = self.hunt.silent.map_or(Squares::NONE, Squares::from);
        let dark = (!self.hunt.found).without(silent);
        let missed = self.missed[seat.index()];
        let own = (memory.takes[seat.index()] & dark).without(missed);
        let other = memory.takes[seat.other().index()];
        let guess = dark.without(missed & memory.marks).without(other);
        let fresh = dark.without(missed);
        // Without a fresh point among its guesses it would press in vain for ever.
        let sets =
            [own, if guess.without(missed).is_empty() { fresh } else { guess }, Squares::ALL];
        let set = sets.into_iter().find(|set| !set.is_empty()).unwrap_or(Squares::ALL);
        set.any(below).expect("the board has points")
    }
}
