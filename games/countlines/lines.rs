//! Lines of four points, in all directions at once for a set of points.

use crate::grid::Squares;

/// The four directions of a line, as lines down and columns to the right.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Counts the lines of four points in a set; five in a row are two lines.
pub(super) fn fours(set: Squares) -> u32 {
    let in_direction = |(down, right): (i8, i8)| {
        let twos = set & set.shifted(-down, -right);
        (twos & twos.shifted(-2 * down, -2 * right)).len()
    };
    DIRECTIONS.into_iter().map(in_direction).sum()
}

/// Counts the rows of four without enemy points, by the number of own points in them: none to four.
pub(super) fn held(own: Squares, enemy: Squares) -> [u32; 5] {
    let mut held = [0; 5];
    for (down, right) in DIRECTIONS {
        let part = |of: Squares, far: i8| of.shifted(-far * down, -far * right);
        let [a, b, c, d] = [own, part(own, 1), part(own, 2), part(own, 3)];
        let spoiled = enemy | part(enemy, 1) | part(enemy, 2) | part(enemy, 3);
        let rows = part(Squares::ALL, 3).without(spoiled);
        // The four sets are added in binary.
        let (even, odd) = (a ^ b ^ c ^ d, (a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d)));
        let all = a & b & c & d;
        let of_count = [!(even | odd | all), even.without(odd), odd.without(even), even & odd, all];
        for (count, of) in held.iter_mut().zip(of_count) {
            *count += (rows & of).len();
        }
    }
    held
}
