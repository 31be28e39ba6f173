//! Places of boards that have more of them than a set of bits: a file and a rank.

use super::{MoveError, Spot};
use std::fmt::{self, Display};

/// A place by its file and rank, both counted from 1. A game keeps what is on its places in a list, rank by
/// rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub(crate) file: u8,
    pub(crate) rank: u8,
}

impl From<Cell> for Spot {
    fn from(cell: Cell) -> Self {
        Self::Square(cell.file, cell.rank)
    }
}

impl Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Spot::from(*self).fmt(f)
    }
}

impl Cell {
    /// Parses the name of a place of the largest board.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name.parse() {
            Ok(Spot::Square(file, rank)) if rank > 0 => Some(Self { file, rank }),
            _ => None,
        }
    }

    /// Parses the name of a place of the largest board; `place` is the word for one.
    ///
    /// # Errors
    /// No board has it.
    pub(crate) fn named(name: &str, place: &str) -> Result<Self, MoveError> {
        Self::parse(name).ok_or_else(|| MoveError::Illegal(format!("there is no {place} {name}")))
    }

    /// Returns all places of a board of this size, rank by rank.
    pub(crate) fn all(size: u8) -> impl Iterator<Item = Self> {
        (1..=size).flat_map(move |rank| (1..=size).map(move |file| Self { file, rank }))
    }

    /// Returns the number of places before this one on a board of this size; `None`
    /// beside the board.
    pub(crate) fn index(self, size: u8) -> Option<usize> {
        let is_on_board = (1..=size).contains(&self.file) && (1..=size).contains(&self.rank);
        is_on_board
            .then(|| usize::from(self.rank - 1) * usize::from(size) + usize::from(self.file - 1))
    }

    /// Returns the place so many files to the right and ranks up, on a board of this size.
    pub(crate) fn beside(self, [right, up]: [i8; 2], size: u8) -> Option<Self> {
        let file = self.file.checked_add_signed(right)?;
        let rank = self.rank.checked_add_signed(up)?;
        let sizes = 1..=size;
        (sizes.contains(&file) && sizes.contains(&rank)).then_some(Self { file, rank })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_rank_by_rank_and_read_as_they_are_written() {
        for (index, cell) in Cell::all(19).enumerate() {
            assert_eq!(cell.index(19), Some(index));
            assert_eq!(Cell::parse(&cell.to_string()), Some(cell));
        }
        let cell = Cell { file: 3, rank: 5 };
        assert_eq!(cell.to_string(), "c5");
        assert_eq!((cell.index(4), cell.index(5)), (None, Some(22)));
        assert_eq!(cell.beside([1, -1], 5), Some(Cell { file: 4, rank: 4 }));
        assert_eq!((cell.beside([0, 1], 5), cell.beside([-3, 0], 5)), (None, None));
        for wrong in ["a0", "a1000", "3", "bar", ""] {
            assert!(Cell::named(wrong, "point").is_err(), "{wrong}");
        }
    }
}
