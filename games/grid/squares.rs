//! Points of the square board, and sets of points.

use crate::kit::Spot;
use std::fmt::{self, Display};
use std::ops::{BitAnd, BitOr, BitXor, Not};
use std::str::FromStr;

/// The number of columns and lines of the board.
pub const SIZE: u8 = 9;

/// A point of the board, numbered line by line from the top left. A smaller board is the lower left
/// part, so points have the same names on both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// Returns the point on a line, counted from 0 at the top, and a column, from 0 at the left.
    #[must_use]
    pub const fn at(line: u8, column: u8) -> Option<Self> {
        if line < SIZE && column < SIZE { Some(Self(line * SIZE + column)) } else { None }
    }

    /// Returns every point, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SIZE * SIZE).map(Self)
    }

    /// Returns its line, from 0 at the top.
    #[must_use]
    pub const fn line(self) -> u8 {
        self.0 / SIZE
    }

    /// Returns its column, from 0 at the left.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % SIZE
    }

    /// Returns its index in the order of points: 0 to 80.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the point after a half turn of the board.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(SIZE * SIZE - 1 - self.0)
    }

    /// Returns the point some lines down and columns to the right, if it is on the board.
    #[must_use]
    pub fn moved(self, lines: i8, columns: i8) -> Option<Self> {
        let line = self.line().checked_add_signed(lines)?;
        Self::at(line, self.column().checked_add_signed(columns)?)
    }
}

/// Writes the column letter, and the line counted from below.
impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), SIZE - self.line())
    }
}

impl FromStr for Square {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.as_bytes() {
            [column @ b'a'..=b'i', line @ b'1'..=b'9'] => {
                Ok(Self((SIZE - (line - b'0')) * SIZE + column - b'a'))
            }
            _ => Err("a point such as e5"),
        }
    }
}

impl From<Square> for Spot {
    fn from(of: Square) -> Self {
        Self::Square(of.column() + 1, SIZE - of.line())
    }
}

/// A set of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Squares(u128);

impl Squares {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All points of the board.
    pub const ALL: Self = Self((1 << (SIZE * SIZE)) - 1);
    /// The leftmost column.
    const FIRST: Self = Self::column(0);
    /// The rightmost column.
    const LAST: Self = Self::column(SIZE - 1);

    /// The leftmost columns, by their number.
    const LEFT: [u128; SIZE as usize + 1] = {
        let mut left = [0; SIZE as usize + 1];
        let mut column = 0;
        while column < SIZE {
            left[column as usize + 1] = left[column as usize] | Self::column(column).0;
            column += 1;
        }
        left
    };

    const fn column(column: u8) -> Self {
        let (mut set, mut line) = (0, 0);
        while line < SIZE {
            set |= 1 << (line * SIZE + column);
            line += 1;
        }
        Self(set)
    }

    /// Returns the lower left part of the board with this many lines and columns.
    #[must_use]
    pub fn corner(size: u8) -> Self {
        Square::all()
            .filter(|square| square.line() >= SIZE - size && square.column() < size)
            .collect()
    }

    /// Returns whether the set contains a point.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Adds a point.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    /// Removes a point.
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.0);
    }

    /// Returns the number of points.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the points that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the points in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the points in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the points in exactly one of the sets.
    #[must_use]
    pub const fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// Returns the points one column to the left, without those that leave the board.
    #[must_use]
    pub const fn left(self) -> Self {
        Self(self.without(Self::FIRST).0 >> 1)
    }

    /// Returns the points one column to the right.
    #[must_use]
    pub const fn right(self) -> Self {
        Self(self.without(Self::LAST).0 << 1)
    }

    /// Returns the points one line up.
    #[must_use]
    pub const fn up(self) -> Self {
        Self(self.0 >> SIZE)
    }

    /// Returns the points one line down.
    #[must_use]
    pub const fn down(self) -> Self {
        Self(self.0 << SIZE & Self::ALL.0)
    }

    /// Returns the orthogonal neighbours of all points. A point is included only if it is a
    /// neighbour of another.
    #[must_use]
    pub const fn beside(self) -> Self {
        let left = self.without(Self::FIRST).0 >> 1;
        let right = self.without(Self::LAST).0 << 1;
        Self((left | right | self.0 >> SIZE | self.0 << SIZE) & Self::ALL.0)
    }

    /// Returns the neighbours of all points in eight directions. A point is included only if it is
    /// a neighbour of another.
    #[must_use]
    pub const fn around(self) -> Self {
        let sideways = self.without(Self::FIRST).0 >> 1 | self.without(Self::LAST).0 << 1;
        let row = sideways | self.0;
        Self((sideways | row >> SIZE | row << SIZE) & Self::ALL.0)
    }

    /// Returns the points some lines down and columns to the right, without those that leave the
    /// board.
    #[must_use]
    pub const fn shifted(self, lines: i8, columns: i8) -> Self {
        if lines.unsigned_abs() >= SIZE || columns.unsigned_abs() >= SIZE {
            return Self::NONE;
        }
        let wide = columns.unsigned_abs() as usize;
        let stay = if columns > 0 { Self::LEFT[SIZE as usize - wide] } else { !Self::LEFT[wide] };
        let by = lines * SIZE.cast_signed() + columns;
        let moved = if by < 0 {
            (self.0 & stay) >> by.unsigned_abs()
        } else {
            (self.0 & stay) << by.unsigned_abs()
        };
        Self(moved & Self::ALL.0)
    }

    /// Returns the points after a half turn of the board.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(self.0.reverse_bits() >> (128 - SIZE * SIZE))
    }

    /// Returns the set as a number with one bit a point.
    #[must_use]
    pub(crate) const fn bits(self) -> u128 {
        self.0
    }

    /// Returns the set as two numbers, for hash tables.
    #[must_use]
    pub(crate) const fn halves(self) -> [u64; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "each half has 64 bits")]
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// Creates a set from bits, without those outside the board.
    #[must_use]
    pub(crate) const fn of_bits(bits: u128) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Returns the points in order.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let index = u8::try_from(left.trailing_zeros()).ok().filter(|_| left != 0)?;
            left &= left - 1;
            Some(Square(index))
        })
    }

    /// Returns a random point; `None` if the set is empty.
    pub fn any(self, below: crate::RandomBelow) -> Option<Square> {
        (!self.is_empty()).then(|| self.iter().nth(below(self.len() as usize)))?
    }
}

/// Returns a table of the points at these distances of lines and columns from each point, in every
/// direction and with lines and columns exchanged.
pub(crate) const fn leaps(distances: &[(i8, i8)]) -> [Squares; 81] {
    let mut table = [Squares::NONE; 81];
    let mut index = 0;
    while index < table.len() {
        let mut point = Squares::NONE;
        point.0 = 1 << index;
        let mut pair = 0;
        while pair < distances.len() {
            let (a, b) = distances[pair];
            let ways = [(a, b), (a, -b), (-a, b), (-a, -b), (b, a), (b, -a), (-b, a), (-b, -a)];
            let mut way = 0;
            while way < ways.len() {
                table[index].0 |= point.shifted(ways[way].0, ways[way].1).0;
                way += 1;
            }
            pair += 1;
        }
        index += 1;
    }
    table
}

impl From<Square> for Squares {
    fn from(square: Square) -> Self {
        Self(1 << square.0)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Self::NONE, |set, square| set | square.into())
    }
}

impl BitAnd for Squares {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Squares {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Squares {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fixtures::squares;

    #[test]
    fn points_are_written_as_people_say_them() {
        let corners = [Square::at(0, 0), Square::at(0, 8), Square::at(8, 0), Square::at(8, 8)];
        assert_eq!(corners.map(|square| square.unwrap().to_string()), ["a9", "i9", "a1", "i1"]);
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.turned().turned(), square);
        }
        for wrong in ["", "a", "a0", "j1", "a10", "A1", "1a"] {
            wrong.parse::<Square>().unwrap_err();
        }
        assert_eq!(Square::at(9, 0).or(Square::at(0, 9)), None);
    }

    #[test]
    fn neighbours_stay_on_the_board() {
        let of = |name: &str| squares(name);
        assert_eq!(of("e5").beside(), squares("d5 f5 e4 e6"));
        assert_eq!(of("e5").around(), squares("d4 d5 d6 e4 e6 f4 f5 f6"));
        assert_eq!(of("a9").around(), squares("b9 b8 a8"));
        assert_eq!(of("i1").beside(), squares("h1 i2"));
        assert_eq!(of("i5").around(), squares("i4 i6 h4 h5 h6"));
        assert_eq!(of("a5").beside(), squares("a4 a6 b5"));
        for square in Square::all() {
            let near = |other: &Square| {
                let far = |a: u8, b: u8| a.abs_diff(b);
                far(other.line(), square.line()).max(far(other.column(), square.column())) == 1
            };
            assert_eq!(Squares::from(square).around(), Square::all().filter(near).collect());
        }
    }

    #[test]
    fn a_shift_moves_every_point_that_stays_on_the_board() {
        let set = squares("a1 e5 i9 h1 b9 c4");
        for (lines, columns) in (-10..=10).flat_map(|l| (-10..=10).map(move |c| (l, c))) {
            let moved = set.iter().filter_map(|square| square.moved(lines, columns)).collect();
            assert_eq!(set.shifted(lines, columns), moved, "{lines} {columns}");
        }
    }

    #[test]
    fn leaps_go_every_way() {
        const KNIGHT: [Squares; 81] = leaps(&[(1, 2)]);
        const NEAR: [Squares; 81] = leaps(&[(0, 1), (1, 1)]);
        let of = |name: &str| KNIGHT[name.parse::<Square>().unwrap().index()];
        assert_eq!(of("e5"), squares("d7 f7 g6 g4 f3 d3 c4 c6"));
        assert_eq!((of("a1"), of("h9")), (squares("b3 c2"), squares("f8 g7 i7")));
        for square in Square::all() {
            assert_eq!(NEAR[square.index()], Squares::from(square).around());
        }
    }

    #[test]
    fn sets_hold_what_was_put_into_them() {
        let mut set = squares("a1 e5 i9");
        assert_eq!(set.turned(), set);
        assert_eq!(squares("a9 b9").turned(), squares("h1 i1"));
        set.remove("e5".parse().unwrap());
        assert_eq!((set.len(), (!set).len()), (2, 79));
        let words: Vec<String> = set.iter().map(|square| square.to_string()).collect();
        assert_eq!(words, ["i9", "a1"]);
        assert_eq!(Squares::corner(8).len(), 64);
        assert!(Squares::corner(8).contains("h8".parse().unwrap()));
        assert_eq!(set.any(&mut |limit| limit - 1), "a1".parse().ok());
        assert_eq!(Squares::NONE.any(&mut |_| 0), None);
    }
}
