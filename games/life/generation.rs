//! One generation of Life1 and of Life2, for the whole board at once.
//!
//! Source: S4. Outside the board nothing lives (ours).

use crate::grid::{Counts, Square, Squares, Stones};
use crate::kit::Seat;

/// How many generations a point of Life1 lives at most.
pub(crate) const LIFETIME: usize = 5;

/// Which points of Life1 live, by their age: first those of age 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct AgedPoints(pub(crate) [Squares; LIFETIME]);

impl AgedPoints {
    /// These points, just born.
    pub(crate) fn born(points: Squares) -> Self {
        let mut aged = Self::default();
        aged.0[0] = points;
        aged
    }

    /// The points that live.
    pub(crate) fn living(&self) -> Squares {
        self.0.into_iter().fold(Squares::NONE, Squares::or)
    }

    /// The age of a point, from 1; none of a dead one.
    pub(crate) fn age(&self, square: Square) -> Option<usize> {
        Some(1 + self.0.iter().position(|points| points.contains(square))?)
    }

    /// Presses each of these points: the living die, the dead are born.
    pub(crate) fn toggle(&mut self, points: Squares) {
        let born = points.without(self.living());
        self.0 = self.0.map(|of_age| of_age.without(points));
        self.0[0] = self.0[0] | born;
    }

    /// The next generation: a point with two or three neighbours grows a generation older and dies
    /// of the sixth, all others die; where three neighbours live a point is born.
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

/// When a dark point of Life2 is born, of the colour that has more neighbours of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Birth {
    /// The colours differ by two neighbours. S4's words are broken here: "is 2 a, the point becomes
    /// alive"; this is what is left of them.
    Two,
    /// The colours differ by two neighbours or more, which makes for longer games.
    TwoOrMore,
}

impl Birth {
    /// The next generation of Life2: neighbours of its own colour count one each, those of the
    /// other colour take away two each, and a point that is left with two or three lives on.
    #[must_use]
    pub(crate) fn next(self, stones: &Stones) -> Stones {
        let counts = Seat::BOTH.map(|seat| Counts::around(stones[seat]));
        let stays = |own: &Counts, other: &Counts| {
            let alone = other.are(0) & (own.are(2) | own.are(3));
            let one = other.are(1) & (own.are(4) | own.are(5));
            // Three are too many: there are eight neighbours in all.
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

/// The board after a press of that side in Life2 on each of these points: lit points become dark,
/// and dark ones its own.
pub(crate) fn pressed(mut stones: Stones, seat: Seat, squares: Squares) -> Stones {
    let lit = squares & stones.lit();
    stones.take(lit);
    stones.give(squares.without(lit), seat);
    stones
}
