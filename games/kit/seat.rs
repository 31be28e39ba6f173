//! Who sits where.

/// A place at the board, counted from 0: seat 0 moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

impl Seat {
    /// The two seats of a board, first mover first.
    pub const BOTH: [Self; 2] = [Self(0), Self(1)];

    /// The seat across the board.
    #[must_use]
    pub const fn other(self) -> Self {
        Self(1 - self.0)
    }

    /// The seat as an index into what exists once a seat.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
