//! The board of a race game. Each side's men are counted on its own points: 25 is the bar, 24 to 1
//! are the pips still to go, 0 is off. A side's men only move down.

use crate::kit::Seat;
use std::fmt::{self, Debug};

/// A set of own points: bit `p` is point `p`.
pub(crate) type PointMask = u32;

/// The own point of men who are borne off.
pub(crate) const OFF: u8 = 0;

/// The own point of men on the bar.
pub(crate) const BAR: u8 = 25;

/// The 24 points of the board.
pub(crate) const POINTS: PointMask = between(1, 24);

/// The last quadrant (home board), from which men are borne off.
pub(crate) const LAST: PointMask = between(1, 6);

/// Returns the points from one number to another, both included.
pub(crate) const fn between(low: u8, high: u8) -> PointMask {
    (2 << high) - (1 << low)
}

/// Returns the points of a set, the furthest from home first.
pub(crate) fn down(mut set: PointMask) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = highest(set)?;
        set ^= 1 << point;
        Some(point)
    })
}

/// Returns the points of a set, the nearest to home first.
pub(crate) fn up(mut set: PointMask) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = set.trailing_zeros();
        set &= set.checked_sub(1)?;
        u8::try_from(point).ok()
    })
}

/// Returns the point of a set that is furthest from home.
pub(crate) fn highest(set: PointMask) -> Option<u8> {
    u8::try_from(set.checked_ilog2()?).ok()
}

/// How the paths of the two sides relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// In opposite directions: each starts where the other ends.
    Opposed,
    /// In the same direction, half the board apart.
    Parallel,
}

impl Course {
    /// Converts a point of the board to the other side's number.
    pub(crate) const fn across(self, point: u8) -> u8 {
        match self {
            Self::Opposed => 25 - point,
            Self::Parallel if point > 12 => point - 12,
            Self::Parallel => point + 12,
        }
    }

    /// Converts a set of points to the other side's numbers, without bar and off.
    pub(crate) const fn turned(self, set: PointMask) -> PointMask {
        let set = set & POINTS;
        match self {
            // Bit p becomes bit 25 - p: reversal moves it to bit 31 - p.
            Self::Opposed => set.reverse_bits() >> 6,
            Self::Parallel => (set << 12 | set >> 12) & POINTS,
        }
    }
}

/// The number of a side's men on each of its own points.
///
/// Bit `p` of number `k` is binary digit `k` of the count on point `p`. So a few operations test
/// whole sets of points, and any point can hold all 15 men.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Men([PointMask; 4]);

impl Men {
    /// The greatest number of a side's men, which is that of most games.
    pub(crate) const ALL: u8 = 15;

    /// Returns the number of men on a point.
    pub(crate) fn on(self, point: u8) -> u8 {
        let digit = |k: usize| u8::from(self.0[k] >> point & 1 == 1) << k;
        digit(0) | digit(1) | digit(2) | digit(3)
    }

    /// Returns the points with men, bar and off included.
    pub(crate) const fn any(self) -> PointMask {
        let [a, b, c, d] = self.0;
        a | b | c | d
    }

    /// Returns the points with two men or more.
    pub(crate) const fn many(self) -> PointMask {
        let [_, b, c, d] = self.0;
        b | c | d
    }

    /// Returns the points with exactly one man.
    pub(crate) const fn single(self) -> PointMask {
        self.0[0] & !self.many()
    }

    /// Returns the points with men in play, the bar included.
    pub(crate) const fn in_play(self) -> PointMask {
        self.any() & !(1 << OFF)
    }

    /// Adds a man to a point.
    pub(crate) fn add(&mut self, point: u8) {
        let mut carry = 1 << point;
        for digit in &mut self.0 {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// Removes a man from a point that has some.
    pub(crate) fn take(&mut self, point: u8) {
        let mut borrow = 1 << point;
        for digit in &mut self.0 {
            (*digit, borrow) = (*digit ^ borrow, !*digit & borrow);
        }
    }

    /// Returns the number of men on a set of points.
    pub(crate) fn within(self, set: PointMask) -> u32 {
        let [a, b, c, d] = self.0.map(|digit| (digit & set).count_ones());
        a + (b << 1) + (c << 2) + (d << 3)
    }

    /// Returns the sum of point numbers over the men on a set of points.
    pub(crate) fn pips_within(self, set: PointMask) -> u32 {
        /// The points whose number has each binary digit.
        const WITH: [PointMask; 5] =
            [0xaaaa_aaaa, 0xcccc_cccc, 0xf0f0_f0f0, 0xff00_ff00, 0xffff_0000];
        WITH.iter().rev().fold(0, |sum, digit| 2 * sum + self.within(set & digit))
    }

    /// Returns the pip count: 167 at Backgammon's start.
    pub(crate) fn pips(self) -> u32 {
        self.pips_within(self.in_play())
    }

    /// Returns the number of men, those off included.
    pub(crate) fn count(self) -> u32 {
        self.within(PointMask::MAX)
    }

    /// Returns whether all men are off.
    pub(crate) const fn are_off(self) -> bool {
        self.in_play() == 0
    }
}

impl Debug for Men {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(down(self.any()).map(|point| (point, self.on(point)))).finish()
    }
}

/// The men of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    /// Each seat's men by own points, pinned ones included.
    pub(crate) men: [Men; 2],
    /// The own points where each seat's man is pinned. It is the only one of its side there.
    pub(crate) pinned: [PointMask; 2],
}

impl Board {
    /// Returns a board with both sides' men on the same own points.
    pub(crate) fn start(men: &[(u8, u8)]) -> Self {
        let mut side = Men::default();
        for &(point, count) in men {
            (0..count).for_each(|_| side.add(point));
        }
        Self { men: [side; 2], pinned: [0; 2] }
    }

    /// Returns a seat's men.
    pub(crate) const fn men_of(&self, seat: Seat) -> Men {
        self.men[seat.index()]
    }

    /// Returns the number of men that a seat has borne off.
    pub(crate) fn off(&self, seat: Seat) -> u8 {
        self.men_of(seat).on(OFF)
    }

    /// Returns whether the sides are still in contact.
    pub(crate) fn has_contact(&self, course: Course) -> bool {
        let [a, b] = self.men.map(|men| highest(men.in_play()).unwrap_or(OFF));
        match course {
            // A pinned man is level with the men above it.
            Course::Opposed => a + b >= 25,
            // Each side is alone on the half of the board before its start.
            Course::Parallel => a > 12 || b > 12,
        }
    }
}
