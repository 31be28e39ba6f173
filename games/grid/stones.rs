//! Stones of two colours.

use super::{SIZE, Square, Squares};
use crate::kit::{Deal, Seat};
use std::fmt::{self, Display};
use std::ops::{Index, IndexMut};
use std::str::FromStr;

/// The points of each colour, which are disjoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stones([Squares; 2]);

impl Stones {
    /// Creates stones from green and red points; a point in both is green.
    #[must_use]
    pub const fn new(green: Squares, red: Squares) -> Self {
        Self([green, red.without(green)])
    }

    /// Returns the seat whose stone is on a point.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self[seat].contains(square))
    }

    /// Gives points to a seat, whoever had them.
    pub fn give(&mut self, squares: Squares, seat: Seat) {
        self.take(squares);
        self[seat] = self[seat] | squares;
    }

    /// Removes stones.
    pub fn take(&mut self, squares: Squares) {
        self.0 = self.0.map(|of| of.without(squares));
    }

    /// Returns the points of both colours.
    #[must_use]
    pub fn lit(&self) -> Squares {
        self.0[0] | self.0[1]
    }

    /// Returns the number of stones of each colour.
    #[must_use]
    pub fn count(&self) -> [u32; 2] {
        self.0.map(Squares::len)
    }

    /// Returns the board after a half turn with exchanged colours.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self([self.0[1].turned(), self.0[0].turned()])
    }

    /// Deals a fair random start: `each` points of each colour, symmetric under a half turn that
    /// exchanges the colours. The centre stays dark.
    ///
    /// # Panics
    /// Panics if there are too few points.
    pub fn drawn(each: u32, below: crate::RandomBelow) -> Self {
        let mut stones = Self::default();
        for _ in 0..each {
            let free = Square::all()
                .filter(|&square| square != square.turned() && stones.at(square).is_none());
            let squares: Squares = free.collect();
            let green = squares.any(below).expect("the board has room for both");
            stones[Seat(0)].insert(green);
            stones[Seat(1)].insert(green.turned());
        }
        stones
    }

    /// Returns whether [`Stones::drawn`] could have dealt these stones.
    #[must_use]
    pub fn are_fair(&self, each: u32) -> bool {
        self.count() == [each; 2] && *self == self.turned()
    }

    /// Four points of each colour around the centre, symmetric under a quarter turn that exchanges
    /// the colours. The start of several games.
    #[must_use]
    pub fn eight() -> Self {
        let at = |of: [(u8, u8); 4]| of.into_iter().filter_map(|(l, c)| Square::at(l, c)).collect();
        Self::new(at([(2, 2), (6, 6), (4, 2), (4, 6)]), at([(2, 6), (6, 2), (2, 4), (6, 4)]))
    }

    /// Returns the rows of the lower left part of the board from the top, with a letter for each
    /// point: `G`, `R`, or `.` if it is dark.
    #[must_use]
    pub fn rows(&self, size: u8) -> Vec<String> {
        let mark = |line, column| match Square::at(line, column).and_then(|square| self.at(square))
        {
            Some(Seat(0)) => 'G',
            Some(_) => 'R',
            None => '.',
        };
        let row = |line| (0..size).map(|column| mark(line, column)).collect();
        (SIZE - size..SIZE).map(row).collect()
    }

    /// Parses rows; the inverse of [`Stones::rows`]. Returns the size as well.
    ///
    /// # Errors
    /// The rows are not square, too large, or have other letters.
    pub fn of_rows(text: &str) -> Result<(Self, u8), &'static str> {
        const EXPECTED: &str = "rows such as ..G/.R./... with a letter for each point";
        let rows: Vec<&str> = text.split('/').collect();
        let size = u8::try_from(rows.len()).ok().filter(|size| (2..=SIZE).contains(size));
        let size = size.ok_or(EXPECTED)?;
        let mut stones = Self::default();
        for (line, row) in (SIZE - size..).zip(&rows) {
            if row.len() != usize::from(size) {
                return Err(EXPECTED);
            }
            for (column, mark) in (0..).zip(row.bytes()) {
                let square = Square::at(line, column).ok_or(EXPECTED)?;
                match mark {
                    b'G' => stones[Seat(0)].insert(square),
                    b'R' => stones[Seat(1)].insert(square),
                    b'.' => {}
                    _ => return Err(EXPECTED),
                }
            }
        }
        Ok((stones, size))
    }
}

impl Index<Seat> for Stones {
    type Output = Squares;

    fn index(&self, seat: Seat) -> &Squares {
        &self.0[seat.index()]
    }
}

impl IndexMut<Seat> for Stones {
    fn index_mut(&mut self, seat: Seat) -> &mut Squares {
        &mut self.0[seat.index()]
    }
}

/// Writes the nine rows from the top, separated by `/`.
impl Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rows(SIZE).join("/"))
    }
}

/// Stones are dealt as they are written.
impl From<Stones> for Deal {
    fn from(stones: Stones) -> Self {
        stones.to_string().parse().expect("nine rows are one word")
    }
}

impl FromStr for Stones {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match Self::of_rows(text)? {
            (stones, SIZE) => Ok(stones),
            _ => Err("nine rows of nine points"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::Chance;

    #[test]
    fn rows_read_back_as_the_stones_they_were() {
        let mut chance = Chance::new(3);
        let stones = Stones::drawn(20, &mut |limit| chance.below(limit));
        assert_eq!(stones.to_string().parse(), Ok(stones));
        assert_eq!(stones.count(), [20, 20]);
        assert_eq!(stones.turned(), stones);
        assert_eq!(
            Stones::of_rows("G./.R").map(|(stones, size)| stones.rows(size).join("/")),
            Ok("G./.R".into())
        );
        let (small, _) = Stones::of_rows("G./.R").unwrap();
        assert_eq!(small.at("a2".parse().unwrap()), Some(Seat(0)));
        for wrong in ["", "G", "G./R", "GG/xR", "G./.R/..", "........./..", "G.R/é"] {
            Stones::of_rows(wrong).unwrap_err();
        }
    }

    #[test]
    fn fair_stones_are_as_many_and_lie_opposite_each_other() {
        let mut chance = Chance::new(8);
        let drawn = Stones::drawn(9, &mut |limit| chance.below(limit));
        assert!(drawn.are_fair(9) && !drawn.are_fair(8));
        let mut moved = drawn;
        let green = drawn[Seat(0)].iter().next().unwrap();
        moved.take(green.into());
        moved.give((!drawn.lit()).iter().next().unwrap().into(), Seat(0));
        assert!(moved.count() == [9, 9] && !moved.are_fair(9), "{moved}");
        let mut centre = drawn;
        centre.give("e5".parse::<Square>().unwrap().into(), Seat(0));
        assert!(!centre.are_fair(9) && !centre.are_fair(10));
        // This start needs a quarter turn to exchange the colours.
        assert!(Stones::eight().count() == [4, 4] && !Stones::eight().are_fair(4));
        assert_eq!(
            Stones::eight().to_string(),
            "........./........./..G.R.R../........./..G...G../........./..R.R.G../........./........."
        );
    }

    #[test]
    fn a_point_has_one_colour() {
        let e5: Squares = Squares::from("e5".parse::<Square>().unwrap());
        let mut stones = Stones::default();
        stones.give(e5, Seat(1));
        stones.give(e5, Seat(0));
        assert_eq!((stones.count(), stones.lit()), ([1, 0], e5));
        stones.take(e5);
        assert_eq!(stones, Stones::default());
    }
}
