//! The board as bits: a line between two dots, and a box among four lines, has a number each.

use crate::kit::cell::Cell;
use crate::kit::{Outcome, Seat};

/// A set of lines or of boxes, one bit for each.
pub(super) type Bits = u128;

/// The boxes and lines of a position.
///
/// Boxes are counted from 0 from the lower left one, row by row. Horizontal lines come first, counted
/// likewise, and then the vertical ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The boxes of a row, equal to the number of rows.
    pub(super) size: u8,
    pub(super) lines: Bits,
    /// The boxes of each side.
    pub(super) boxes: [Bits; 2],
    pub(super) turn: Seat,
}

/// Returns the members of a set, the lowest first.
pub(super) fn members(mut set: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = usize::try_from(set.trailing_zeros()).ok().filter(|_| set != 0)?;
        set &= set - 1;
        Some(first)
    })
}

impl Board {
    pub(super) const fn new(size: u8) -> Self {
        Self { size, lines: 0, boxes: [0; 2], turn: Seat(0) }
    }

    const fn side(&self) -> usize {
        self.size as usize
    }

    /// Returns the number of horizontal lines, equal to that of vertical ones.
    const fn half(&self) -> usize {
        self.side() * (self.side() + 1)
    }

    /// Returns all lines.
    pub(super) const fn all(&self) -> Bits {
        (1 << (2 * self.half())) - 1
    }

    /// Returns the lines that nobody has drawn.
    pub(super) const fn free(&self) -> Bits {
        self.all() & !self.lines
    }

    /// Returns the number of boxes.
    pub(super) const fn count(&self) -> usize {
        self.side() * self.side()
    }

    /// Returns the number of the line on an edge; `None` beside the board.
    pub(super) fn line(&self, edge: Cell) -> Option<usize> {
        let [file, rank] = [edge.file, edge.rank].map(|number| usize::from(number) - 1);
        let most = 2 * self.side();
        let is_on_board = file <= most && rank <= most && (file + rank) % 2 == 1;
        is_on_board.then(|| {
            if rank % 2 == 0 {
                rank / 2 * self.side() + file / 2
            } else {
                self.half() + rank / 2 * (self.side() + 1) + file / 2
            }
        })
    }

    /// Returns the edge of a line.
    pub(super) fn edge(&self, line: usize) -> Cell {
        let [file, rank] = match line.checked_sub(self.half()) {
            None => [line % self.side() * 2 + 1, line / self.side() * 2],
            Some(line) => [line % (self.side() + 1) * 2, line / (self.side() + 1) * 2 + 1],
        };
        let [file, rank] = [file, rank].map(|number| u8::try_from(number + 1).unwrap_or(u8::MAX));
        Cell { file, rank }
    }

    /// Returns the four sides of a box.
    pub(super) const fn sides(&self, at: usize) -> Bits {
        let (column, row) = (at % self.side(), at / self.side());
        let (lower, left) = (row * self.side() + column, row * (self.side() + 1) + column);
        1 << lower | 1 << (lower + self.side()) | 0b11 << (self.half() + left)
    }

    /// Returns the boxes beside a line.
    pub(super) fn beside(&self, line: usize) -> [Option<usize>; 2] {
        let side = self.side();
        match line.checked_sub(self.half()) {
            None => [line.checked_sub(side), Some(line).filter(|line| *line < self.count())],
            Some(line) => {
                let (column, row) = (line % (side + 1), line / (side + 1));
                let right = Some(row * side + column);
                [
                    right.filter(|_| column > 0).map(|right| right - 1),
                    right.filter(|_| column < side),
                ]
            }
        }
    }

    /// Returns how many sides of a box are drawn.
    pub(super) const fn drawn(&self, at: usize) -> u32 {
        (self.lines & self.sides(at)).count_ones()
    }

    /// Returns the only free side of a box of three sides.
    pub(super) fn last_side(&self, at: usize) -> Option<usize> {
        let mut free = members(self.sides(at) & !self.lines);
        free.next().filter(|_| free.next().is_none())
    }

    /// Draws a line for the side to move, which goes on if that closes a box.
    pub(super) fn draw(&mut self, line: usize) {
        self.lines |= 1 << line;
        let mut closes = false;
        for at in self.beside(line).into_iter().flatten() {
            if self.drawn(at) == 4 {
                self.boxes[self.turn.index()] |= 1 << at;
                closes = true;
            }
        }
        if !closes {
            self.turn = self.turn.other();
        }
    }

    /// Returns the boxes of a side.
    pub(super) const fn score(&self, seat: Seat) -> u32 {
        self.boxes[seat.index()].count_ones()
    }

    /// Returns how the game has ended.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        if self.free() != 0 {
            return None;
        }
        let scores = Seat::BOTH.map(|seat| self.score(seat));
        let equal = "both sides have closed as many boxes";
        Some(Outcome::of_scores(scores, "by closing more boxes", equal))
    }
}
