//! Tiles of boards that a game keeps as sets of bits: at most 128 tiles, in ranks of `SIDE` tiles.

use super::chance::{SPLIT_MIX_STEP, split_mix};
use super::{MoveError, Spot};
use std::fmt::{self, Display};

/// A set of tiles, one bit for each.
pub(crate) type TileSet = u128;

/// A step from tile to tile: to the right, and upwards.
pub(crate) type TileStep = [i8; 2];

/// The eight directions of a queen, each followed by the next one to the left.
pub(crate) const DIRECTIONS: [TileStep; 8] =
    [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// A tile: its rank from 0, times `SIDE`, plus its file from 0. A board may have fewer files and ranks
/// than the largest one, and then uses the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile<const SIDE: u8>(u8);

impl<const SIDE: u8> Tile<SIDE> {
    /// Returns the tile of a file and a rank, each from 0.
    pub(crate) const fn at(file: u8, rank: u8) -> Self {
        Self(rank * SIDE + file)
    }

    /// Returns its place among all tiles.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns its file and its rank, each from 0.
    pub(crate) fn place(self) -> [i32; 2] {
        [self.0 % SIDE, self.0 / SIDE].map(i32::from)
    }

    /// Returns the set of this tile alone.
    pub(crate) const fn bit(self) -> TileSet {
        1 << self.0
    }

    pub(crate) const fn is_in(self, set: TileSet) -> bool {
        set & self.bit() != 0
    }

    /// Returns the tiles of a set, from a1 rank by rank.
    pub(crate) fn all_in(mut set: TileSet) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let first = u8::try_from(set.trailing_zeros()).ok().filter(|_| set != 0)?;
            set &= set - 1;
            Some(Self(first))
        })
    }

    /// Returns whether a board of this size has the tile.
    pub(crate) const fn is_on(self, size: u8) -> bool {
        self.0 % SIDE < size && self.0 / SIDE < size
    }

    /// Returns the tile beside this one on a board of this size.
    pub(crate) fn beside(self, [right, up]: TileStep, size: u8) -> Option<Self> {
        let file = (self.0 % SIDE).checked_add_signed(right)?;
        let rank = (self.0 / SIDE).checked_add_signed(up)?;
        (file < size && rank < size).then(|| Self::at(file, rank))
    }

    /// Returns the tiles in a direction, the nearest first.
    pub(crate) fn ray(self, step: TileStep, size: u8) -> impl Iterator<Item = Self> {
        std::iter::successors(self.beside(step, size), move |at| at.beside(step, size))
    }

    /// Returns the direction of another tile on a common file, rank or diagonal.
    pub(crate) fn direction(self, to: Self) -> Option<TileStep> {
        let part = |of: fn(u8) -> u8| i16::from(of(to.0)) - i16::from(of(self.0));
        let [right, up] = [part(|at| at % SIDE), part(|at| at / SIDE)];
        let is_line = self != to && (right == 0 || up == 0 || right.abs() == up.abs());
        is_line.then(|| [right, up].map(|part| i8::try_from(part.signum()).unwrap_or(0)))
    }

    /// Parses the name of a tile of the largest board.
    ///
    /// # Errors
    /// No board has it.
    pub(crate) fn named(name: &str) -> Result<Self, MoveError> {
        match name.parse() {
            Ok(Spot::Square(file, rank)) if file <= SIDE && (1..=SIDE).contains(&rank) => {
                Ok(Self::at(file - 1, rank - 1))
            }
            _ => Err(MoveError::Illegal(format!("there is no square {name}"))),
        }
    }

    /// Explains which of some tiles a board of this size does not have.
    pub(crate) fn explain_outside(tiles: &[Self], size: u8) -> Option<String> {
        let outside = tiles.iter().find(|tile| !tile.is_on(size))?;
        let end = Self::at(size - 1, size - 1);
        Some(format!("there is no square {outside}: this board ends at {end}"))
    }
}

impl<const SIDE: u8> From<Tile<SIDE>> for Spot {
    fn from(tile: Tile<SIDE>) -> Self {
        Self::Square(tile.0 % SIDE + 1, tile.0 / SIDE + 1)
    }
}

impl<const SIDE: u8> Display for Tile<SIDE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Spot::from(*self).fmt(f)
    }
}

/// Returns a hash of sets of tiles and of what else matters.
pub(crate) fn hash_of(sets: &[TileSet], more: u64) -> u64 {
    let mut key = more;
    let halves = |set: &TileSet| [set >> 64, set & u128::from(u64::MAX)];
    for half in sets.iter().flat_map(halves).flat_map(u64::try_from) {
        key = split_mix(key.wrapping_add(half).wrapping_add(SPLIT_MIX_STEP));
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_read_as_it_is_written_and_knows_its_lines() {
        let tile = |name: &str| Tile::<10>::named(name).unwrap();
        let all: Vec<Tile<10>> = Tile::all_in((1 << 100) - 1).collect();
        assert_eq!(all.len(), 100);
        assert!(all.iter().all(|each| tile(&each.to_string()) == *each));
        for wrong in ["a0", "a11", "k1", "a", "1"] {
            Tile::<10>::named(wrong).unwrap_err();
        }
        assert_eq!(tile("d1").direction(tile("d7")), Some([0, 1]));
        assert_eq!(tile("d7").direction(tile("g4")), Some([1, -1]));
        assert_eq!(tile("d1").direction(tile("e3")), None);
        assert_eq!(tile("d1").direction(tile("d1")), None);
        let ray = |size| tile("d4").ray([1, 1], size).map(|at| at.to_string()).collect::<Vec<_>>();
        assert_eq!(ray(6), ["e5", "f6"]);
        assert_eq!(ray(10).len(), 6);
        let outside = Tile::explain_outside(&[tile("a1"), tile("g7")], 6).unwrap();
        assert_eq!(outside, "there is no square g7: this board ends at f6");
        assert_eq!(Tile::explain_outside(&[tile("a1"), tile("f6")], 6), None);
    }
}
