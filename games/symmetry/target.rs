//! The patterns of Symmetry and their partners.

use crate::grid::{SIZE, Square, Squares};
use crate::kit::RandomBelow;

/// The lines of the pattern: the upper ones.
const LINES: u8 = 4;

/// The lines on which no press is legal: those of the pattern, and the axis below it.
pub(crate) fn shown() -> Squares {
    Square::all().filter(|square| square.line() <= LINES).collect()
}

/// Returns the lines of the pattern.
pub(crate) fn upper() -> Squares {
    Square::all().filter(|square| square.line() < LINES).collect()
}

/// Returns the number of points of a mode's pattern.
pub(crate) const fn points(mode: u8) -> u32 {
    if mode < 4 { 12 } else { 16 }
}

/// Draws a random pattern.
pub(crate) fn pattern(mode: u8, below: RandomBelow) -> Squares {
    let mut pattern = Squares::NONE;
    for _ in 0..points(mode) {
        let square = upper().without(pattern).any(below).expect("36 points are enough");
        pattern.insert(square);
    }
    pattern
}

/// Returns the points to press for a pattern: mirrored at the middle line, moved down by five
/// lines, after a half turn, or moved and mirrored at the middle column (modes 0 to 3; 4 to 7 are
/// the same with more points).
pub(crate) fn targets(mode: u8, pattern: Squares) -> Squares {
    let last = SIZE - 1;
    let target = |of: Square| {
        let (line, column) = (of.line(), of.column());
        let (line, column) = match mode % 4 {
            0 => (last - line, column),
            1 => (line + LINES + 1, column),
            2 => (last - line, last - column),
            _ => (line + LINES + 1, last - column),
        };
        Square::at(line, column).expect("the lower lines have room for the upper ones")
    };
    pattern.iter().map(target).collect()
}
