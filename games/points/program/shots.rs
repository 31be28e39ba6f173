//! Features of race games, computed with bit operations on sets of points.
//!
//! All sets are in the own points of the side that is looked at: its men move down.

use crate::points::{BAR, POINTS, PointMask, down, highest};
use std::sync::LazyLock;

/// The men of a side and the points before them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShotBoard {
    /// The points with men that can move, the bar included.
    pub(super) men: PointMask,
    /// The number of men on the bar.
    pub(super) bar: u32,
    /// The points where a man may land.
    pub(super) open: PointMask,
    /// The points with a man of the other side that can be hit or pinned.
    pub(super) targets: PointMask,
}

/// The shots of a side with its next roll, in cases of 36.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shots {
    /// Rolls that hit.
    pub(super) rolls: u32,
    /// The sum over these rolls of the furthest point hit.
    pub(super) reach: u32,
    /// Rolls that hit on the side's first point.
    pub(super) first: u32,
    /// Rolls that can hit two men or more.
    pub(super) both: u32,
    /// Rolls that hit each man.
    each: [u8; 25],
}

impl Shots {
    /// Returns the rolls that hit on a point.
    pub(super) fn on(&self, point: u8) -> u32 {
        self.each[usize::from(point)].into()
    }

    fn count(&mut self, reached: PointMask, rolls: u8) {
        if let Some(furthest) = highest(reached) {
            down(reached).for_each(|point| self.each[usize::from(point)] += rolls);
            let rolls = u32::from(rolls);
            self.rolls += rolls;
            self.reach += rolls * u32::from(furthest);
            self.first += rolls * (reached >> 1 & 1);
            self.both += rolls * u32::from(reached.count_ones() > 1);
        }
    }
}

impl ShotBoard {
    /// Returns where the men of a set can be after a step by this die.
    fn step(&self, men: PointMask, die: u8) -> PointMask {
        men >> die & self.open & POINTS
    }

    /// Returns the points that these men can hit or pin.
    pub(super) fn shots(&self) -> Shots {
        let mut shots = Shots::default();
        if self.targets == 0 {
            return shots;
        }
        let first = if self.bar == 0 { self.men } else { 1 << BAR };
        let once = [1, 2, 3, 4, 5, 6].map(|die| self.step(first, die));
        for (a, by_a) in (1..).zip(once) {
            shots.count(self.doubled(a), 1);
            for (b, by_b) in (1..a).zip(once) {
                let by_both = self.after(by_a, b) | self.after(by_b, a);
                shots.count((by_a | by_b | by_both) & self.targets, 2);
            }
        }
        shots
    }

    /// Returns where a man can be after a second die.
    fn after(&self, once: PointMask, die: u8) -> PointMask {
        match self.bar {
            0 => self.step(once, die),
            1 if once != 0 => self.step(once | self.men & !(1 << BAR), die),
            _ => 0,
        }
    }

    /// Returns the targets that a double reaches.
    fn doubled(&self, die: u8) -> PointMask {
        let (mut men, mut reached, mut left) = (self.men, 0, 4);
        if self.bar > 0 {
            reached = self.step(1 << BAR, die);
            if reached == 0 {
                return 0;
            }
            men = self.men & !(1 << BAR) | reached;
            left = 4 - self.bar.min(4);
        }
        for _ in 0..left {
            men = self.step(men, die);
            reached |= men;
        }
        reached & self.targets
    }

    /// Returns, summed over the points with men, how many of the six dice can be played.
    pub(super) fn mobility(&self) -> u32 {
        (1..=6).map(|die| (self.men >> die & self.open & POINTS).count_ones()).sum()
    }
}

/// The rolls, in cases of 36, with which a man escapes: it moves seven points or more, by both dice
/// or as far as a double goes, past closed points among the next twelve. Bit `i` of the index is
/// the point `i + 1` ahead.
static ESCAPES: LazyLock<Vec<u8>> = LazyLock::new(|| (0..1 << 12).map(escapes_past).collect());

fn escapes_past(closed: u32) -> u8 {
    let is_open = |pips: u8| pips > 12 || closed >> (pips - 1) & 1 == 0;
    let mut rolls = 0;
    for a in 1..=6_u8 {
        let steps = (1..=4).take_while(|&steps| is_open(a * steps)).count();
        rolls += u8::from(usize::from(a) * steps >= 7);
        for b in 1..a {
            let leaves = a + b >= 7 && is_open(a + b) && (is_open(a) || is_open(b));
            rolls += 2 * u8::from(leaves);
        }
    }
    rolls
}

/// Returns the rolls with which a man on a point escapes.
pub(super) fn escapes(closed: PointMask, from: u8) -> u32 {
    let ahead = closed.reverse_bits() >> (32 - u32::from(from)) & 0xfff;
    ESCAPES[ahead as usize].into()
}

/// Returns the length of the longest prime in a set, and its lowest point.
pub(super) fn longest_row(set: PointMask) -> (u32, u8) {
    let (mut length, mut row) = (0, set & POINTS);
    let mut ends = row;
    while row != 0 {
        length += 1;
        ends = row;
        row &= row >> 1;
    }
    (length, u8::try_from(ends.trailing_zeros().min(25)).expect("it is a point"))
}

/// Returns the most points of a set within six consecutive points.
pub(super) fn best_six(set: PointMask) -> u32 {
    /// The number of points in each set of six.
    const HELD: [u8; 64] = {
        let (mut held, mut six) = ([0; 64], 1);
        while six < 64 {
            held[six] = held[six / 2] + if six % 2 == 1 { 1 } else { 0 };
            six += 1;
        }
        held
    };
    (1..=19).map(|low| HELD[(set >> low & 0x3f) as usize]).max().unwrap_or(0).into()
}

/// Returns the escaping rolls of the worst man of a set, and the number of men that escape with a
/// third of all rolls at most.
pub(super) fn caught(closed: PointMask, men: PointMask, on: impl Fn(u8) -> u32) -> (u32, u32) {
    down(men).fold((36, 0), |(least, stuck), from| {
        let rolls = escapes(closed, from);
        (least.min(rolls), stuck + if rolls <= 12 { on(from) } else { 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::between;

    /// The published numbers: a direct shot at six pips hits with 17 rolls, one at one pip with 11,
    /// an indirect shot at seven with 6.
    #[test]
    fn shots_are_those_of_the_books() {
        for (distance, rolls) in [
            (1, 11),
            (2, 12),
            (3, 14),
            (4, 15),
            (5, 15),
            (6, 17),
            (7, 6),
            (8, 6),
            (9, 5),
            (10, 3),
            (11, 2),
            (12, 3),
            (15, 1),
            (16, 1),
            (18, 1),
            (20, 1),
            (13, 0),
        ] {
            let field =
                ShotBoard { men: 1 << 24, bar: 0, open: POINTS, targets: 1 << (24 - distance) };
            assert_eq!(field.shots().rolls, rolls, "{distance}");
        }
        let entering = ShotBoard { men: 1 << BAR, bar: 1, open: POINTS, targets: 1 << 21 };
        assert_eq!(entering.shots().rolls, 15);
        let two = ShotBoard { bar: 2, ..entering };
        let Shots { rolls, reach, first, both, .. } = two.shots();
        assert_eq!([rolls, reach, first, both], [11 + 1, 12 * 21, 0, 0]);
        assert_eq!(two.shots().on(21), 12);
        // A man on the bar enters first: here with a 6, and then another man is hit with a 3.
        let waits =
            ShotBoard { men: 1 << BAR | 1 << 8, bar: 1, open: 1 << 19 | 1 << 5, targets: 1 << 5 };
        assert_eq!(waits.shots().rolls, 2);
    }

    #[test]
    fn nobody_leaves_from_behind_a_full_prime() {
        assert_eq!(escapes(0, 24), 21 + 2);
        assert_eq!(escapes(between(18, 23), 24), 0);
        assert_eq!(escapes(between(19, 23), 24), 11);
        assert_eq!(escapes(between(19, 24), 25), 0);
    }

    #[test]
    fn rows_are_found() {
        assert_eq!(longest_row(0), (0, 25));
        assert_eq!(longest_row(1 << 24), (1, 24));
        assert_eq!(longest_row(between(4, 8) | between(10, 12)), (5, 4));
        assert_eq!(best_six(between(4, 8) | 1 << 9 | 1 << 20), 6);
        assert_eq!(best_six(between(4, 6) | 1 << 9), 4);
    }
}
