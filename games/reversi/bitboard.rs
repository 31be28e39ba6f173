//! Reversi on bitboards: shifts of the whole board follow all rays of a direction at once.
//!
//! A run is followed by parallel prefix doubling (Kogge and Stone): one, two and four more points
//! after the neighbour, eight points in all, enough for any line of nine.

use crate::grid::SIZE;

/// The number of bits in a line.
const STRIDE: u32 = SIZE as u32;

/// The points of a board and the rules of its mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardRules {
    board: u128,
    /// The points that a shift to the right, or to the left, can reach.
    right: u128,
    left: u128,
    mode: u8,
}

/// The boards of eight and nine lines, each in all modes.
static FIELDS: [[BoardRules; 6]; 2] = {
    let mut fields = [[BoardRules::part(8, 0); 6], [BoardRules::part(SIZE, 0); 6]];
    let mut mode = 0;
    while mode < 6 {
        fields[0][mode as usize].mode = mode;
        fields[1][mode as usize].mode = mode;
        mode += 1;
    }
    fields
};

impl BoardRules {
    /// Returns the board of a size and mode.
    pub(super) fn for_mode(size: u8, mode: u8) -> &'static Self {
        &FIELDS[usize::from(size == SIZE)][usize::from(mode)]
    }

    /// Returns the four corners.
    pub(super) fn corners(&self) -> u128 {
        let sides = self.board & !(self.left & self.right);
        sides & !(sides << STRIDE & sides >> STRIDE)
    }

    /// Returns the points of the edge.
    pub(super) fn edges(&self) -> u128 {
        let Self { board, left, right, .. } = *self;
        board & !(left & right & board << STRIDE & board >> STRIDE)
    }

    /// Returns the dark points.
    pub(super) fn dark(&self, own: u128, enemy: u128) -> u128 {
        self.board & !(own | enemy)
    }

    /// Creates the lower left part of the large board.
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

    /// Shifts points down or up the board; `to` are the points that can be reached.
    #[inline]
    fn step<const DOWN: bool>(from: u128, by: u32, to: u128) -> u128 {
        (if DOWN { from << by } else { from >> by }) & to
    }

    /// Returns the runs of points in `through` next to `from`, in one direction.
    #[inline]
    fn runs<const DOWN: bool>(from: u128, by: u32, mut through: u128) -> u128 {
        let mut run = Self::step::<DOWN>(from, by, through);
        run = run | Self::step::<DOWN>(run, by, through);
        through = through & Self::step::<DOWN>(through, by, through);
        run = run | Self::step::<DOWN>(run, 2 * by, through);
        through = through & Self::step::<DOWN>(through, 2 * by, through);
        run | Self::step::<DOWN>(run, 4 * by, through)
    }

    /// Returns the points where a press would capture, in one direction away from the stones that
    /// hold the other end.
    #[inline]
    fn catching_along<const DOWN: bool>(&self, own: u128, enemy: u128, by: u32, to: u128) -> u128 {
        let through = enemy & to;
        let mut runs = Self::runs::<DOWN>(own, by, through);
        if self.catches_at_rim() {
            let rim = enemy & !Self::step::<DOWN>(self.board, by, to);
            runs = runs | rim | Self::runs::<DOWN>(rim, by, through);
        }
        Self::step::<DOWN>(runs, by, to)
    }

    /// Returns the enemy stones that a press captures in one direction.
    #[inline]
    fn caught_along<const DOWN: bool>(
        &self,
        at: u128,
        own: u128,
        enemy: u128,
        by: u32,
        to: u128,
    ) -> u128 {
        let run = Self::runs::<DOWN>(at, by, enemy & to);
        let beyond = Self::step::<DOWN>(run | at, by, to) & !run;
        let held = beyond & own != 0 || beyond == 0 && self.catches_at_rim();
        if held { run } else { 0 }
    }

    const fn catches_at_rim(&self) -> bool {
        self.mode % 2 == 1
    }

    /// Returns the dark points where a press captures.
    #[inline]
    pub(super) fn catching(&self, own: u128, enemy: u128) -> u128 {
        let Self { board, right, left, .. } = *self;
        let dark = board & !(own | enemy);
        let line = STRIDE;
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

    /// Returns the enemy stones that a press captures: on each ray the unbroken run next to the
    /// point, if it ends at an own stone, or in odd modes at the edge.
    #[inline]
    pub(super) fn caught(&self, at: u128, own: u128, enemy: u128) -> u128 {
        let Self { board, right, left, .. } = *self;
        let line = STRIDE;
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

    /// Returns the neighbours of points in eight directions, the points included.
    #[inline]
    pub(super) fn around(&self, of: u128) -> u128 {
        let row =
            Self::step::<true>(of, 1, self.right) | Self::step::<false>(of, 1, self.left) | of;
        let beyond = Self::step::<true>(row, STRIDE, self.board)
            | Self::step::<false>(row, STRIDE, self.board);
        row | beyond
    }

    /// Returns the points that may be pressed by the side with these stones.
    #[inline]
    pub(super) fn legal(&self, own: u128, enemy: u128) -> u128 {
        match self.mode {
            0 | 1 => self.catching(own, enemy),
            2 | 3 => self.around(own | enemy) & self.board & !(own | enemy),
            _ => self.board & !(own | enemy),
        }
    }

    /// Counts move sequences of at least one move. A pass is a move; nothing follows the end of a
    /// game.
    pub(super) fn ways(&self, own: u128, enemy: u128, depth: u32) -> u64 {
        let mut legal = self.legal(own, enemy);
        if legal == 0 {
            return match depth {
                _ if self.legal(enemy, own) == 0 => 0,
                1 => 1,
                _ => self.ways(enemy, own, depth - 1),
            };
        }
        if depth == 1 {
            return legal.count_ones().into();
        }
        let mut sum = 0;
        while legal != 0 {
            let at = legal & legal.wrapping_neg();
            let caught = self.caught(at, own, enemy);
            sum += self.ways(enemy & !caught, own | caught | at, depth - 1);
            legal &= legal - 1;
        }
        sum
    }
}
