//! The sides that are seen from the dark points, for all of them at once.

use crate::grid::{Square, Squares, Stones};
use crate::kit::Seat;

/// The eight directions, as lines down and columns to the right.
const DIRECTIONS: [(i8, i8); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// For every dark point the green points that it sees less the red ones, a lit point hiding what
/// lies behind it.
pub(super) struct SightBalance {
    dark: Squares,
    /// That difference plus eight, which is at least none and at most 16, in binary: the lowest
    /// digit of all points first.
    digits: [Squares; 5],
}

impl SightBalance {
    /// The sight of a whole board.
    pub(super) fn from_stones(stones: &Stones) -> Self {
        let mut sight = Self { dark: !stones.lit(), digits: [Squares::NONE; 5] };
        for direction in DIRECTIONS {
            // A direction adds 2 where green is seen, 1 where nobody is, 0 where red is.
            let [green, red] = sight.seeing(stones, direction);
            sight.add(green);
            sight.add(!red);
        }
        sight
    }

    /// The dark points from which the first lit point in that direction is green, and is red.
    fn seeing(&self, stones: &Stones, (down, right): (i8, i8)) -> [Squares; 2] {
        let back = |of: Squares, far: i8| of.shifted(-far * down, -far * right);
        // Sight goes back from the points through the dark: by one, two, four, and one more.
        let (mut seeing, mut through) = (Seat::BOTH.map(|seat| stones[seat]), self.dark);
        for far in [1, 2, 4] {
            seeing = seeing.map(|of| of | through & back(of, far));
            through = through & back(through, far);
        }
        seeing.map(|of| self.dark & back(of, 1))
    }

    /// Adds one to the count of those points.
    fn add(&mut self, points: Squares) {
        let mut carry = points;
        for digit in &mut self.digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// The dark points whose count is at least that.
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

    /// The dark points from which a side is seen from so many points more than the other, for
    /// green and for red.
    pub(super) fn legal(&self, threshold: i8) -> [Squares; 2] {
        let green = self.at_least(8_u8.saturating_add_signed(threshold));
        let red = self.dark.without(self.at_least(9_u8.saturating_add_signed(-threshold)));
        [green, red]
    }
}

/// How many points of a side are seen from a point.
pub(super) fn seen_from(square: Square, stones: &Stones, seat: Seat) -> usize {
    let first = |(down, right)| {
        std::iter::successors(square.moved(down, right), |at| at.moved(down, right))
            .find_map(|at| stones.at(at))
    };
    DIRECTIONS.into_iter().filter(|&direction| first(direction) == Some(seat)).count()
}
