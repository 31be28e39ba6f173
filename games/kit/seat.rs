//! Seats of a board.

/// A seat of a board, counted from 0: seat 0 moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

impl Seat {
    /// Both seats, first mover first.
    pub const BOTH: [Self; 2] = [Self(0), Self(1)];

    /// Returns the other seat.
    #[must_use]
    pub const fn other(self) -> Self {
        Self(1 - self.0)
    }

    /// Returns the seat as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
