//! Lines of four points, all directions at once for a whole set of points.

use crate::grid::Squares;

/// The four directions of a line, as lines down and columns to the right.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// How many lines of four points a set holds: five in a row are two.
pub(super) fn fours(set: Squares) -> u32 {
    let in_direction = |(down, right): (i8, i8)| {
        let twos = set & set.shifted(-down, -right);
        (twos & twos.shifted(-2 * down, -2 * right)).len()
    };
    DIRECTIONS.into_iter().map(in_direction).sum()
}
