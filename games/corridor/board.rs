//! The board with its men, single hops, and connection.

use super::geometry::{Geometry, POINTS, Point, PointSet, PossibleHop};
use crate::kit::chance::{SPLIT_MIX_STEP, split_mix};
use crate::kit::play_search::Step;
use crate::kit::{Pile, Seat};
use std::fmt::{self, Debug};

/// The men on one point: at most one pinned man, and above it the holder's men.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Stack(u8);

impl Stack {
    /// The largest number of one side's men in a stack.
    pub(crate) const ROOM: u8 = Self::PINS - 1;

    const PINS: u8 = 1 << 6;
    const SECOND: u8 = 1 << 7;

    /// Creates a stack of a side's men, with or without a pinned enemy.
    pub(crate) fn new(holder: Seat, men: u8, pins: bool) -> Self {
        Self((holder.0 * Self::SECOND) | (u8::from(pins) * Self::PINS) | men)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the side that holds the point.
    pub(crate) fn holder(self) -> Option<Seat> {
        (!self.is_empty()).then_some(Seat(self.0 / Self::SECOND))
    }

    /// Returns the number of the holder's men.
    pub(crate) fn men(self) -> u8 {
        self.0 & Self::ROOM
    }

    /// Returns whether a man of the other side is pinned.
    pub(crate) fn pins(self) -> bool {
        self.0 & Self::PINS != 0
    }

    pub(crate) fn is_held_by(self, seat: Seat) -> bool {
        self.holder() == Some(seat)
    }

    /// Returns whether the stack is exactly one man of this side.
    pub(crate) fn is_single(self, seat: Seat) -> bool {
        self == Self::new(seat, 1, false)
    }

    /// Returns the number of this side's men, pinned or not.
    pub(crate) fn men_of(self, seat: Seat) -> u8 {
        if self.is_held_by(seat) { self.men() } else { u8::from(self.pins()) }
    }

    /// Returns whether a step of this side may end here: not where the other side holds the point
    /// with two men, or with one that pins (S0).
    pub(crate) fn admits(self, seat: Seat) -> bool {
        self.is_empty() || self.is_held_by(seat) || self.is_single(seat.other())
    }

    /// Returns the stack after a man of this side steps onto it: a single enemy is pinned.
    fn with(self, seat: Seat) -> Self {
        if self.is_held_by(seat) { Self(self.0 + 1) } else { Self::new(seat, 1, !self.is_empty()) }
    }

    /// Returns the stack after its top man leaves: a pinned man is free again.
    fn without_top(self, seat: Seat) -> Self {
        match (self.men(), self.pins()) {
            (1, true) => Self::new(seat.other(), 1, false),
            (1, false) => Self::default(),
            _ => Self(self.0 - 1),
        }
    }
}

impl Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&Pile::from(*self), f)
    }
}

impl From<Stack> for Pile {
    fn from(stack: Stack) -> Self {
        Self { holder: stack.holder(), men: stack.men(), pins: stack.pins() }
    }
}

/// A move of one man by one die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Hop {
    pub(crate) from: Point,
    pub(crate) to: Point,
    /// Whether it jumps onto an enemy man, who is removed.
    pub(crate) kills: bool,
}

impl Hop {
    /// Returns whether two hops touch different points, so that their order does not matter.
    pub(crate) fn is_apart_from(self, other: Self) -> bool {
        self.from != other.from
            && self.from != other.to
            && self.to != other.from
            && self.to != other.to
    }
}

impl Step for Hop {
    type Place = Point;

    fn to(self) -> Point {
        self.to
    }

    fn die(self) -> u8 {
        self.from.apart(self.to)
    }

    fn takes(self) -> bool {
        self.kills
    }
}

impl fmt::Display for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.kills { 'x' } else { '-' }, self.to)
    }
}

/// A board.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Board {
    /// A hash of all stacks, compared first.
    hash: u128,
    held: [PointSet; 2],
    /// The points where each side's man is pinned.
    pinned: PointSet,
    /// The [`Stack`] on each point, as bytes for fast comparison.
    stacks: [u8; POINTS],
}

impl Board {
    /// A board without men.
    pub(crate) const EMPTY: Self =
        Self { hash: 0, held: [PointSet::NONE; 2], pinned: PointSet::NONE, stacks: [0; POINTS] };

    pub(crate) fn stack(&self, point: Point) -> Stack {
        Stack(self.stacks[point.index()])
    }

    /// Returns the number of points that differ from another board.
    pub(crate) fn differences(&self, other: &Self) -> usize {
        self.stacks.iter().zip(&other.stacks).filter(|(here, there)| here != there).count()
    }

    /// Returns the points that a side holds.
    pub(crate) fn held(&self, seat: Seat) -> PointSet {
        self.held[seat.index()]
    }

    /// Returns the points where a side pins a man.
    pub(crate) fn pins(&self, seat: Seat) -> PointSet {
        self.held(seat).intersection(self.pinned)
    }

    /// Returns the hash of the board after a hop: a search identifies boards by it. It is a random
    /// number for each stack on a point (Zobrist); two of a million boards collide in one of 10^26
    /// cases.
    pub(crate) fn hash_after(&self, seat: Seat, hop: Hop) -> u128 {
        let [from, to] = self.changes(seat, hop);
        self.hash ^ self.hash_change(hop.from, from) ^ self.hash_change(hop.to, to)
    }

    /// Returns a hash of one side's men, pinned ones included, whatever they pin.
    pub(crate) fn hash_of_men(&self, seat: Seat) -> u128 {
        let men = |point| {
            Stack::new(seat, self.stack(point).men_of(seat), !self.stack(point).is_held_by(seat))
        };
        self.manned(seat).iter().fold(0, |hash, point| hash ^ hash_of(point, men(point)))
    }

    /// Returns the change of the hash when a stack is replaced.
    fn hash_change(&self, point: Point, stack: Stack) -> u128 {
        hash_of(point, self.stack(point)) ^ hash_of(point, stack)
    }

    /// Returns the stacks at the start and end of a hop after it.
    fn changes(&self, seat: Seat, hop: Hop) -> [Stack; 2] {
        let target = if hop.kills { Stack::default() } else { self.stack(hop.to) };
        [self.stack(hop.from).without_top(seat), target.with(seat)]
    }

    /// Replaces the stack on a point.
    pub(crate) fn put(&mut self, point: Point, stack: Stack) {
        let before = self.stack(point);
        if let Some(seat) = before.holder() {
            self.held[seat.index()].remove(point);
        }
        if let Some(seat) = stack.holder() {
            self.held[seat.index()].insert(point);
        }
        if stack.pins() {
            self.pinned.insert(point);
        } else {
            self.pinned.remove(point);
        }
        self.hash ^= self.hash_change(point, stack);
        self.stacks[point.index()] = stack.0;
    }

    /// Returns whether the men at its end allow a side's hop. A jump ends only on exactly one enemy
    /// man, never on an empty point, never to pin (S0).
    pub(crate) fn lets(&self, seat: Seat, reach: PossibleHop) -> bool {
        let target = self.stack(reach.to);
        if reach.jumps { target.is_single(seat.other()) } else { target.admits(seat) }
    }

    /// Moves a side's top man.
    pub(crate) fn hop(&mut self, seat: Seat, hop: Hop) {
        let [from, to] = self.changes(seat, hop);
        self.put(hop.from, from);
        self.put(hop.to, to);
    }

    /// Returns the points where a side has men, free, pinning or pinned.
    pub(crate) fn manned(&self, seat: Seat) -> PointSet {
        self.held(seat).union(self.pins(seat.other()))
    }

    /// Returns the points with a side's men that are on its goal edge or linked to it by a chain of
    /// adjacent points with its men. Several groups may touch the edge (S1).
    pub(crate) fn connected(&self, on: &Geometry, seat: Seat) -> PointSet {
        let manned = self.manned(seat);
        let (mut connected, mut found) = (PointSet::NONE, manned.intersection(on.goal(seat)));
        while found != PointSet::NONE {
            connected = connected.union(found);
            let beside = found.iter().map(|point| on.neighbours(point));
            found = beside
                .fold(PointSet::NONE, PointSet::union)
                .intersection(manned)
                .without(connected);
        }
        connected
    }

    /// Returns whether all remaining men of a side are connected to its goal edge; a side without
    /// men is connected (S2).
    pub(crate) fn is_connected(&self, on: &Geometry, seat: Seat) -> bool {
        self.manned(seat) == self.connected(on, seat)
    }

    /// Returns the distance to connection: the sum of the steps of a side's unconnected men to
    /// their goal edge. It is 0 exactly when the side is connected (S0's numbers beside the board,
    /// 228 at the start).
    pub(crate) fn distance(&self, on: &Geometry, seat: Seat) -> u32 {
        self.distance_without(on, seat, self.connected(on, seat))
    }

    /// Returns the distance to connection, given the connected points.
    pub(crate) fn distance_without(&self, on: &Geometry, seat: Seat, connected: PointSet) -> u32 {
        self.manned(seat)
            .without(connected)
            .iter()
            .map(|point| {
                u32::from(self.stack(point).men_of(seat)) * u32::from(on.distance(seat, point))
            })
            .sum()
    }

    /// Returns the number of a side's men.
    pub(crate) fn men(&self, seat: Seat) -> u32 {
        self.manned(seat).iter().map(|point| u32::from(self.stack(point).men_of(seat))).sum()
    }
}

impl Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = self.held(Seat(0)).iter().chain(self.held(Seat(1)).iter());
        f.debug_map().entries(held.map(|point| (point, self.stack(point)))).finish()
    }
}

/// Returns a well-mixed number for a stack on a point: two outputs of `SplitMix64`.
fn hash_of(point: Point, stack: Stack) -> u128 {
    let number = (point.index() as u64) << 8 | u64::from(stack.0);
    let first = (2 * number + 1).wrapping_mul(SPLIT_MIX_STEP);
    u128::from(split_mix(first)) << 64 | u128::from(split_mix(first.wrapping_add(SPLIT_MIX_STEP)))
}
