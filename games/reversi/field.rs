//! Rays of stones as shifts of whole boards: all points of a direction at once.
//!
//! A run is followed in three doublings (Kogge and Stone's way to add): next to the start, then one,
//! two and four points farther, so eight points in all. That is enough for any line of nine.

use crate::grid::{SIZE, Squares};
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// A board as a number, a bit a point, line by line.
pub(super) trait Bitboard:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No point.
    const NONE: Self;
    /// How many bits a line takes.
    const STRIDE: u32;

    /// How many points it has.
    fn len(self) -> u32;

    /// Its first point, and the others.
    fn split(self) -> Option<(Self, Self)>;
}

/// Eight by eight points without a gap.
impl Bitboard for u64 {
    const NONE: Self = 0;
    const STRIDE: u32 = 8;

    fn len(self) -> u32 {
        self.count_ones()
    }

    fn split(self) -> Option<(Self, Self)> {
        (self != 0).then(|| (self & self.wrapping_neg(), self & (self - 1)))
    }
}

/// Nine by nine points, as [`Squares`] has them, or a part of them.
impl Bitboard for u128 {
    const NONE: Self = 0;
    const STRIDE: u32 = SIZE as u32;

    fn len(self) -> u32 {
        self.count_ones()
    }

    fn split(self) -> Option<(Self, Self)> {
        (self != 0).then(|| (self & self.wrapping_neg(), self & (self - 1)))
    }
}

/// A board with its rules: where its points are, what may be pressed and where runs end.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardRules<W> {
    board: W,
    /// The points that something comes to when it moves to the right, or to the left.
    right: W,
    left: W,
    mode: u8,
}

impl BoardRules<u64> {
    /// Eight by eight points.
    pub(super) const fn eight(mode: u8) -> Self {
        Self { board: !0, right: 0xfefe_fefe_fefe_fefe, left: 0x7f7f_7f7f_7f7f_7f7f, mode }
    }

    /// Those points of the large board on the small one.
    pub(super) fn narrow(squares: Squares) -> u64 {
        squares.iter().fold(0, |word, square| {
            word | 1 << (u64::from(square.line() - 1) * 8 + u64::from(square.column()))
        })
    }
}

/// The boards that are played on, eight wide and nine wide, each in all modes.
static FIELDS: [[BoardRules<u128>; 6]; 2] = {
    let mut fields = [[BoardRules::part(8, 0); 6], [BoardRules::part(SIZE, 0); 6]];
    let mut mode = 0;
    while mode < 6 {
        fields[0][mode as usize].mode = mode;
        fields[1][mode as usize].mode = mode;
        mode += 1;
    }
    fields
};

impl BoardRules<u128> {
    /// The board of that size and mode.
    pub(super) fn for_mode(size: u8, mode: u8) -> &'static Self {
        &FIELDS[usize::from(size == SIZE)][usize::from(mode)]
    }

    /// The four points that lie in two lines of the rim.
    pub(super) fn corners(&self) -> u128 {
        let sides = self.board & !(self.left & self.right);
        sides & !(sides << u128::STRIDE & sides >> u128::STRIDE)
    }

    /// The points of the rim.
    pub(super) fn edges(&self) -> u128 {
        let Self { board, left, right, .. } = *self;
        board & !(left & right & board << u128::STRIDE & board >> u128::STRIDE)
    }

    /// The points that are lit by neither.
    pub(super) fn dark(&self, own: u128, enemy: u128) -> u128 {
        self.board & !(own | enemy)
    }

    /// The lower left part of the large board, so many points wide and high.
    const fn part(size: u8, mode: u8) -> Self {
        let (mut board, mut right, mut left) = (0, 0, 0);
        let mut index = 0;
        while index < SIZE * SIZE {
            let (line, column) = (index / SIZE, index % SIZE);
            if line >= SIZE - size && column < size {
                board |= 1 << index;
                right |= if column > 0 { 1 << index } else { 0 };
                left |= if column < size - 1 { 1 << index } else { 0 };
            }
            index += 1;
        }
        Self { board, right, left, mode }
    }
}

impl<W: Bitboard> BoardRules<W> {
    /// The points one further on, down or up the board; `to` are those that can be come to.
    #[inline]
    fn step<const DOWN: bool>(from: W, by: u32, to: W) -> W {
        (if DOWN { from << by } else { from >> by }) & to
    }

    /// The runs of such points, next to those, in one direction.
    #[inline]
    fn runs<const DOWN: bool>(from: W, by: u32, mut through: W) -> W {
        let mut run = Self::step::<DOWN>(from, by, through);
        run = run | Self::step::<DOWN>(run, by, through);
        through = through & Self::step::<DOWN>(through, by, through);
        run = run | Self::step::<DOWN>(run, 2 * by, through);
        through = through & Self::step::<DOWN>(through, 2 * by, through);
        run | Self::step::<DOWN>(run, 4 * by, through)
    }

    /// Those that a press of the dark points would have to lie on to catch something, walking in
    /// one direction away from the stones that must hold the other end.
    #[inline]
    fn catching_along<const DOWN: bool>(&self, own: W, enemy: W, by: u32, to: W) -> W {
        let through = enemy & to;
        let mut runs = Self::runs::<DOWN>(own, by, through);
        if self.catches_at_rim() {
            let rim = enemy & !Self::step::<DOWN>(self.board, by, to);
            runs = runs | rim | Self::runs::<DOWN>(rim, by, through);
        }
        Self::step::<DOWN>(runs, by, to)
    }

    /// The enemy stones that a press on that point catches in one direction.
    #[inline]
    fn caught_along<const DOWN: bool>(&self, at: W, own: W, enemy: W, by: u32, to: W) -> W {
        let run = Self::runs::<DOWN>(at, by, enemy & to);
        let beyond = Self::step::<DOWN>(run | at, by, to) & !run;
        let held = beyond & own != W::NONE || beyond == W::NONE && self.catches_at_rim();
        if held { run } else { W::NONE }
    }

    const fn catches_at_rim(&self) -> bool {
        self.mode % 2 == 1
    }

    /// The dark points where a press catches something.
    #[inline]
    pub(super) fn catching(&self, own: W, enemy: W) -> W {
        let Self { board, right, left, .. } = *self;
        let dark = board & !(own | enemy);
        let line = W::STRIDE;
        let down = self.catching_along::<true>(own, enemy, 1, right)
            | self.catching_along::<true>(own, enemy, line - 1, left)
            | self.catching_along::<true>(own, enemy, line, board)
            | self.catching_along::<true>(own, enemy, line + 1, right);
        let up = self.catching_along::<false>(own, enemy, 1, left)
            | self.catching_along::<false>(own, enemy, line - 1, right)
            | self.catching_along::<false>(own, enemy, line, board)
            | self.catching_along::<false>(own, enemy, line + 1, left);
        (down | up) & dark
    }

    /// The enemy stones that a press on that one point catches: on each ray the unbroken run next
    /// to the point, if it ends at an own stone, or in odd modes at the rim.
    #[inline]
    pub(super) fn caught(&self, at: W, own: W, enemy: W) -> W {
        let Self { board, right, left, .. } = *self;
        let line = W::STRIDE;
        let down = self.caught_along::<true>(at, own, enemy, 1, right)
            | self.caught_along::<true>(at, own, enemy, line - 1, left)
            | self.caught_along::<true>(at, own, enemy, line, board)
            | self.caught_along::<true>(at, own, enemy, line + 1, right);
        let up = self.caught_along::<false>(at, own, enemy, 1, left)
            | self.caught_along::<false>(at, own, enemy, line - 1, right)
            | self.caught_along::<false>(at, own, enemy, line, board)
            | self.caught_along::<false>(at, own, enemy, line + 1, left);
        down | up
    }

    /// The points next to those in all eight directions.
    #[inline]
    pub(super) fn around(&self, of: W) -> W {
        let row =
            Self::step::<true>(of, 1, self.right) | Self::step::<false>(of, 1, self.left) | of;
        let beyond = Self::step::<true>(row, W::STRIDE, self.board)
            | Self::step::<false>(row, W::STRIDE, self.board);
        row | beyond
    }

    /// The points that may be pressed by the side with those stones.
    #[inline]
    pub(super) fn legal(&self, own: W, enemy: W) -> W {
        match self.mode {
            0 | 1 => self.catching(own, enemy),
            2 | 3 => self.around(own | enemy) & self.board & !(own | enemy),
            _ => self.board & !(own | enemy),
        }
    }

    /// How many ways there are through so many moves, at least one; a pass is a move, and a game
    /// that is over has no further ways.
    pub(super) fn ways(&self, own: W, enemy: W, depth: u32) -> u64 {
        let mut legal = self.legal(own, enemy);
        if legal == W::NONE {
            return match depth {
                _ if self.legal(enemy, own) == W::NONE => 0,
                1 => 1,
                _ => self.ways(enemy, own, depth - 1),
            };
        }
        if depth == 1 {
            return legal.len().into();
        }
        let mut sum = 0;
        while let Some((at, others)) = legal.split() {
            let caught = self.caught(at, own, enemy);
            sum += self.ways(enemy & !caught, own | caught | at, depth - 1);
            legal = others;
        }
        sum
    }
}
