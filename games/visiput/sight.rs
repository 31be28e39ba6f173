//! What all dark points see of each side, computed at once.

use crate::grid::{Square, Squares, Stones};
use crate::kit::Seat;

/// The eight directions, as lines down and columns to the right.
const DIRECTIONS: [(i8, i8); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// For every dark point the number of green points it sees minus the red ones; a lit point hides
/// what is behind it.
pub(super) struct SightBalance {
    dark: Squares,
    /// The difference plus eight, from 0 to 16, in binary: the lowest digit of all points first.
    digits: [Squares; 5],
}

impl SightBalance {
    /// Computes a whole board.
    pub(super) fn from_stones(stones: &Stones) -> Self {
        let mut sight = Self { dark: !stones.lit(), digits: [Squares::NONE; 5] };
        for direction in DIRECTIONS {
            // A direction adds 2 if it sees green, 1 if nothing, 0 if red.
            let [green, red] = sight.seeing(stones, direction);
            sight.add(green);
            sight.add(!red);
        }
        sight
    }

    /// Returns the dark points whose first lit point in a direction is green, and is red.
    fn seeing(&self, stones: &Stones, (down, right): (i8, i8)) -> [Squares; 2] {
        let back = |of: Squares, far: i8| of.shifted(-far * down, -far * right);
        // Sight spreads backwards through dark points: by one, two, four, and one more.
        let (mut seeing, mut through) = (Seat::BOTH.map(|seat| stones[seat]), self.dark);
        for far in [1, 2, 4] {
            seeing = seeing.map(|of| of | through & back(of, far));
            through = through & back(through, far);
        }
        seeing.map(|of| self.dark & back(of, 1))
    }

    /// Adds one to the counts of points.
    fn add(&mut self, points: Squares) {
        let mut carry = points;
        for digit in &mut self.digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// Returns the dark points whose count is at least this.
    fn at_least(&self, count: u8) -> Squares {
        let (mut more, mut same) = (Squares::NONE, self.dark);
        for (place, &digit) in self.digits.iter().enumerate().rev() {
            if count >> place & 1 == 0 {
                more = more | same & digit;
                same = same.without(digit);
            } else {
                same = same & digit;
            }
        }
        more | same
    }

    /// Returns the dark points that see this many more points of one side than of the other, for
    /// green and for red.
    pub(super) fn legal(&self, threshold: i8) -> [Squares; 2] {
        let green = self.at_least(8_u8.saturating_add_signed(threshold));
        let red = self.dark.without(self.at_least(9_u8.saturating_add_signed(-threshold)));
        [green, red]
    }
}

/// Counts the points of a side that a point sees.
pub(super) fn seen_from(square: Square, stones: &Stones, seat: Seat) -> usize {
    let first = |(down, right)| {
        std::iter::successors(square.moved(down, right), |at| at.moved(down, right))
            .find_map(|at| stones.at(at))
    };
    DIRECTIONS.into_iter().filter(|&direction| first(direction) == Some(seat)).count()
}
