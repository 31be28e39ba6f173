//! The evaluation of a position of `CountLines`.

use super::{Position, lines};
use crate::grid::search::{Budget, Searchable, key};
use crate::grid::{Square, Squares, leaps};
use crate::kit::Seat;

/// The value of a row of four without enemy points, by its number of own points.
const WORTH: [u32; 5] = [0, 1, 5, 25, 120];

/// The points that can share a line of four with each.
static IN_LINE: [Squares; 81] = leaps(&[(0, 1), (0, 2), (0, 3), (1, 1), (2, 2), (3, 3)]);

impl Position {
    /// Returns the value of a side's rows that are full or can still be filled.
    fn worth(&self, seat: Seat) -> i32 {
        let held = lines::held(self.stones[seat], self.stones[seat.other()]);
        let worth: u32 = held.into_iter().zip(WORTH).map(|(rows, worth)| rows * worth).sum();
        worth.cast_signed()
    }
}

impl Searchable for Position {
    const EFFORTS: [Budget; 4] = [
        Budget { depth: 1, nodes: 1_000, careless: 60 },
        Budget { depth: 1, nodes: 1_000, careless: 20 },
        Budget { depth: 3, nodes: 8_000, careless: 8 },
        Budget { depth: 64, nodes: 100_000, careless: 0 },
    ];

    fn value(&self, seat: Seat) -> i32 {
        self.worth(seat) - self.worth(seat.other())
    }

    fn margin(&self, seat: Seat) -> i32 {
        let lines = self.lines();
        lines[seat.index()].cast_signed() - lines[seat.other().index()].cast_signed()
    }

    /// A point on lines with many lit points makes or spoils many rows.
    fn promise(&self, square: Square) -> i32 {
        (IN_LINE[square.index()] & self.stones.lit()).len().cast_signed()
    }

    /// Presses far from all lit points change nothing.
    fn candidates(&self) -> Squares {
        let open = self.open();
        let near = open & self.stones.lit().around().around();
        if near.is_empty() { open } else { near }
    }

    fn key(&self) -> Option<u64> {
        let last = |seat: usize| self.last[seat].map_or(0, |at| at.index() as u64 + 1);
        let shunned = if self.mode & 2 == 0 { last(0) << 7 | last(1) } else { 0 };
        Some(key(&self.stones, self.turn, shunned))
    }
}
