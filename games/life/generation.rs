//! Generations of Life1 and Life2, computed for the whole board at once.
//!
//! Source: S4. There is no life outside the board (ours).

use crate::grid::{Counts, Square, Squares, Stones};
use crate::kit::Seat;

/// The maximum age of a point in Life1.
pub(crate) const LIFETIME: usize = 5;

/// The living points of Life1 by age, starting with age 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct AgedPoints(pub(crate) [Squares; LIFETIME]);

impl AgedPoints {
    /// Creates points of age 1.
    pub(crate) fn born(points: Squares) -> Self {
        let mut aged = Self::default();
        aged.0[0] = points;
        aged
    }

    /// Returns the living points.
    pub(crate) fn living(&self) -> Squares {
        self.0.into_iter().fold(Squares::NONE, Squares::or)
    }

    /// Returns the age of a point, from 1; `None` if it is dead.
    pub(crate) fn age(&self, square: Square) -> Option<usize> {
        Some(1 + self.0.iter().position(|points| points.contains(square))?)
    }

    /// Presses points: the living die, the dead are born.
    pub(crate) fn toggle(&mut self, points: Squares) {
        let born = points.without(self.living());
        self.0 = self.0.map(|of_age| of_age.without(points));
        self.0[0] = self.0[0] | born;
    }

    /// Computes the next generation: a point with two or three neighbours grows one generation
    /// older and dies of the sixth; all others die; a point with three living neighbours is born.
    #[must_use]
    pub(crate) fn next(&self) -> Self {
        let (living, counts) = (self.living(), Counts::around(self.living()));
        let (two, three) = (counts.are(2), counts.are(3));
        let stays = two | three;
        let mut next = Self::born(three.without(living));
        for age in 1..LIFETIME {
            next.0[age] = self.0[age - 1] & stays;
        }
        next
    }
}

/// The condition for a birth in Life2, in the colour with more neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Birth {
    /// The colours differ by exactly two neighbours. S4's sentence is incomplete: "is 2 a, the
    /// point becomes alive"; this is the reading of what is left.
    Two,
    /// The colours differ by two neighbours or more, which makes games longer.
    TwoOrMore,
}

impl Birth {
    /// Computes the next generation of Life2: neighbours of a point's own colour count one each,
    /// enemy neighbours minus two each, and a point with two or three lives on.
    #[must_use]
    pub(crate) fn next(self, stones: &Stones) -> Stones {
        let counts = Seat::BOTH.map(|seat| Counts::around(stones[seat]));
        let stays = |own: &Counts, other: &Counts| {
            let alone = other.are(0) & (own.are(2) | own.are(3));
            let one = other.are(1) & (own.are(4) | own.are(5));
            // A sum of three is impossible with eight neighbours.
            alone | one | other.are(2) & own.are(6)
        };
        let [green, red] = &counts;
        let less = green.less(red);
        let born = match self {
            Self::Two => less.twos(),
            Self::TwoOrMore => less.two_or_more(),
        };
        let lit = stones.lit();
        Stones::new(
            stones[Seat(0)] & stays(green, red) | born[0].without(lit),
            stones[Seat(1)] & stays(red, green) | born[1].without(lit),
        )
    }
}

/// Presses points for a side in Life2: lit points become dark, dark points its own.
pub(crate) fn pressed(mut stones: Stones, seat: Seat, squares: Squares) -> Stones {
    let lit = squares & stones.lit();
    stones.take(lit);
    stones.give(squares.without(lit), seat);
    stones
}
