//! Which men are where, each side's men by their own points: 25 the bar, 24 to 1 the pips still to
//! go, 0 off. A side's men only ever go down.

use crate::kit::Seat;
use std::fmt::{self, Debug};

/// A set of own points: bit `p` is point `p`.
pub(crate) type PointMask = u32;

/// The own point of men who have been borne off.
pub(crate) const OFF: u8 = 0;

/// The own point of men on the bar.
pub(crate) const BAR: u8 = 25;

/// The 24 points of the board.
pub(crate) const POINTS: PointMask = between(1, 24);

/// The last quadrant, from which men are borne off.
pub(crate) const LAST: PointMask = between(1, 6);

/// The own points from one number to another, both included.
pub(crate) const fn between(low: u8, high: u8) -> PointMask {
    (2 << high) - (1 << low)
}

/// The points of a set, the furthest from home first.
pub(crate) fn down(mut set: PointMask) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = highest(set)?;
        set ^= 1 << point;
        Some(point)
    })
}

/// The points of a set, the nearest to home first.
pub(crate) fn up(mut set: PointMask) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = set.trailing_zeros();
        set &= set.checked_sub(1)?;
        u8::try_from(point).ok()
    })
}

/// The point of a set that is furthest from home.
pub(crate) fn highest(set: PointMask) -> Option<u8> {
    u8::try_from(set.checked_ilog2()?).ok()
}

/// How the ways of the two sides lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// They go against each other: each starts where the other ends.
    Opposed,
    /// They go round in the same sense, half the board apart.
    Parallel,
}

impl Course {
    /// The other side's number of a point of the board.
    pub(crate) const fn across(self, point: u8) -> u8 {
        match self {
            Self::Opposed => 25 - point,
            Self::Parallel if point > 12 => point - 12,
            Self::Parallel => point + 12,
        }
    }

    /// The other side's numbers of those points of a set that are on the board.
    pub(crate) const fn turned(self, set: PointMask) -> PointMask {
        let set = set & POINTS;
        match self {
            // Bit 25 - p, as bit p goes to bit 31 - p.
            Self::Opposed => set.reverse_bits() >> 6,
            Self::Parallel => (set << 12 | set >> 12) & POINTS,
        }
    }
}

/// How many men a side has on each of its own points.
///
/// Bit `p` of number `k` is the binary digit `k` of the count on point `p`: whole sets of points
/// come out of a few operations, and there is room for the 15 men of a side on any point.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Men([PointMask; 4]);

impl Men {
    /// The men of a side in all.
    pub(crate) const ALL: u8 = 15;

    /// How many are on a point.
    pub(crate) fn on(self, point: u8) -> u8 {
        let digit = |k: usize| u8::from(self.0[k] >> point & 1 == 1) << k;
        digit(0) | digit(1) | digit(2) | digit(3)
    }

    /// The points with men, the bar and off among them.
    pub(crate) const fn any(self) -> PointMask {
        let [a, b, c, d] = self.0;
        a | b | c | d
    }

    /// The points with two men or more.
    pub(crate) const fn many(self) -> PointMask {
        let [_, b, c, d] = self.0;
        b | c | d
    }

    /// The points with exactly one man.
    pub(crate) const fn single(self) -> PointMask {
        self.0[0] & !self.many()
    }

    /// The points with men who are still in play, the bar among them.
    pub(crate) const fn in_play(self) -> PointMask {
        self.any() & !(1 << OFF)
    }

    /// One man more on a point.
    pub(crate) fn add(&mut self, point: u8) {
        let mut carry = 1 << point;
        for digit in &mut self.0 {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// One man less on a point that has some.
    pub(crate) fn take(&mut self, point: u8) {
        let mut borrow = 1 << point;
        for digit in &mut self.0 {
            (*digit, borrow) = (*digit ^ borrow, !*digit & borrow);
        }
    }

    /// How many there are on points of a set.
    pub(crate) fn within(self, set: PointMask) -> u32 {
        let [a, b, c, d] = self.0.map(|digit| (digit & set).count_ones());
        a + (b << 1) + (c << 2) + (d << 3)
    }

    /// The sum of the men on points of a set, each weighed by its number.
    pub(crate) fn pips_within(self, set: PointMask) -> u32 {
        /// The points whose number has each binary digit.
        const WITH: [PointMask; 5] =
            [0xaaaa_aaaa, 0xcccc_cccc, 0xf0f0_f0f0, 0xff00_ff00, 0xffff_0000];
        WITH.iter().rev().fold(0, |sum, digit| 2 * sum + self.within(set & digit))
    }

    /// The sum of the men over points, each weighed by its number: 167 at Backgammon's start.
    pub(crate) fn pips(self) -> u32 {
        self.pips_within(self.in_play())
    }

    /// How many men there are, those off among them.
    pub(crate) fn count(self) -> u32 {
        self.within(PointMask::MAX)
    }

    /// Whether every man is off.
    pub(crate) const fn are_off(self) -> bool {
        self.in_play() == 0
    }
}

impl Debug for Men {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(down(self.any()).map(|point| (point, self.on(point)))).finish()
    }
}

/// Which men are where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    /// The men of each seat, pinned ones among them, by its own points.
    pub(crate) men: [Men; 2],
    /// The own points on which each seat's man lies pinned; it is the only one of its side there.
    pub(crate) pinned: [PointMask; 2],
}

impl Board {
    /// Both sides' men on the same own points.
    pub(crate) fn start(men: &[(u8, u8)]) -> Self {
        let mut side = Men::default();
        for &(point, count) in men {
            (0..count).for_each(|_| side.add(point));
        }
        Self { men: [side; 2], pinned: [0; 2] }
    }

    /// A seat's men.
    pub(crate) const fn men_of(&self, seat: Seat) -> Men {
        self.men[seat.index()]
    }

    /// How many men of a seat have been borne off.
    pub(crate) fn off(&self, seat: Seat) -> u8 {
        self.men_of(seat).on(OFF)
    }

    /// Whether the sides can still get into each other's way.
    pub(crate) fn has_contact(&self, course: Course) -> bool {
        let [a, b] = self.men.map(|men| highest(men.in_play()).unwrap_or(OFF));
        match course {
            // A pinned man is level with the men above it.
            Course::Opposed => a + b >= 25,
            // Each has the half of the board before its start to itself.
            Course::Parallel => a > 12 || b > 12,
        }
    }
}
