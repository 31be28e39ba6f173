//! Neighbour counts of all points at once.

use super::Squares;

/// The number of points of a set around each point of the board, as binary digits, lowest first:
/// each digit is the set of points where it is 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts([Squares; 4]);

/// The difference of two counts, from -8 to 8, in two's complement: digits as in [`Counts`], and
/// the points where it is negative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difference {
    bits: [Squares; 4],
    negative: Squares,
}

/// Returns the two binary digits of a sum of three.
const fn sum(a: Squares, b: Squares, c: Squares) -> [Squares; 2] {
    let odd = a.xor(b);
    [odd.xor(c), a.and(b).or(odd.and(c))]
}

impl Counts {
    /// Counts the points of a set among the eight neighbours of each point.
    pub(crate) const fn around(set: Squares) -> Self {
        let (left, right) = (set.left(), set.right());
        let beside = [left.xor(right), left.and(right)];
        let row = sum(left, set, right);
        let (above, below) = ([row[0].down(), row[1].down()], [row[0].up(), row[1].up()]);
        let ones = sum(above[0], below[0], beside[0]);
        let twos = sum(above[1], below[1], beside[1]);
        let carried = twos[0].and(ones[1]);
        Self([ones[0], twos[0].xor(ones[1]), twos[1].xor(carried), twos[1].and(carried)])
    }

    /// Returns the points with this count.
    pub(crate) const fn are(&self, number: u8) -> Squares {
        let mut found = Squares::ALL;
        let mut bit = 0;
        while bit < 4 {
            found = if number >> bit & 1 == 1 {
                found.and(self.0[bit])
            } else {
                found.without(self.0[bit])
            };
            bit += 1;
        }
        found
    }

    /// Subtracts counts.
    pub(crate) const fn less(&self, those: &Self) -> Difference {
        let mut bits = self.0;
        let mut borrow = Squares::NONE;
        let mut bit = 0;
        while bit < 4 {
            let (a, b) = (self.0[bit], those.0[bit]);
            bits[bit] = a.xor(b).xor(borrow);
            borrow = b.without(a).or(borrow.without(a)).or(b.and(borrow));
            bit += 1;
        }
        Difference { bits, negative: borrow }
    }
}

impl Difference {
    /// Returns the points where the difference is exactly 2, and exactly -2.
    pub(crate) const fn twos(&self) -> [Squares; 2] {
        let [one, two, four, eight] = self.bits;
        let two = two.without(one);
        [
            two.without(four).without(eight).without(self.negative),
            two.and(four).and(eight).and(self.negative),
        ]
    }

    /// Returns the points where the difference is at least 2, and at most -2.
    pub(crate) const fn two_or_more(&self) -> [Squares; 2] {
        let [one, two, four, eight] = self.bits;
        let minus_one = one.and(two).and(four).and(eight);
        [two.or(four).or(eight).without(self.negative), self.negative.without(minus_one)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Square;
    use crate::kit::Chance;

    #[test]
    fn all_points_are_counted_as_one_by_one() {
        let mut chance = Chance::new(11);
        for _ in 0..200 {
            let mut draw = || {
                let thin = 1 + chance.below(3);
                Square::all().filter(|_| chance.below(4) < thin).collect::<Squares>()
            };
            let (one, other) = (draw(), draw());
            let (counts, others) = (Counts::around(one), Counts::around(other));
            let difference = counts.less(&others);
            for square in Square::all() {
                let around = Squares::from(square).around();
                let (mine, theirs) = ((around & one).len(), (around & other).len());
                for number in 0..9 {
                    let is = u32::from(number) == mine;
                    assert_eq!(counts.are(number).contains(square), is, "{square} {mine}");
                }
                let less = mine.cast_signed() - theirs.cast_signed();
                let has = |sets: [Squares; 2]| sets.map(|set| set.contains(square));
                assert_eq!(has(difference.twos()), [less == 2, less == -2], "{less}");
                assert_eq!(has(difference.two_or_more()), [less >= 2, less <= -2], "{less}");
            }
        }
    }
}
