//! What nobody can change any more: chains that live though their side only passes, and the regions
//! that they enclose.
//!
//! Source: David B. Benson, *Life in the game of Go*, Information Sciences 10 (1976).

use super::board::reach;
use crate::grid::{Squares, Stones};
use crate::kit::Seat;

/// More chains or regions of one side than a board has room for: two of a kind never touch.
const MOST: usize = 41;

/// Sets of points, so many of them.
struct Parts {
    parts: [Squares; MOST],
    count: usize,
}

impl Parts {
    /// The connected parts of a set.
    fn of(mut set: Squares) -> Self {
        let mut found = Self { parts: [Squares::NONE; MOST], count: 0 };
        while let Some(first) = set.iter().next() {
            let part = reach(first.into(), set);
            found.parts[found.count] = part;
            found.count += 1;
            set = set.without(part);
        }
        found
    }

    fn iter(&self) -> impl Iterator<Item = Squares> {
        self.parts[..self.count].iter().copied()
    }

    fn any(&self, matches: impl FnMut(Squares) -> bool) -> bool {
        self.iter().any(matches)
    }

    /// Keeps those that fit; returns whether some did not.
    fn keep(&mut self, mut fits: impl FnMut(Squares) -> bool) -> bool {
        let before = self.count;
        self.count = 0;
        for at in 0..before {
            if fits(self.parts[at]) {
                self.parts[self.count] = self.parts[at];
                self.count += 1;
            }
        }
        self.count < before
    }

    fn all(&self) -> Squares {
        self.iter().fold(Squares::NONE, |all, part| all | part)
    }
}

/// What a side holds for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// Its stones that cannot be taken though it only passes.
    pub(super) alive: Squares,
    /// Regions round which such stones stand and in which no enemy can live, with the enemy stones
    /// in them: those are dead.
    pub(super) land: Squares,
}

/// What that side holds for good.
///
/// Of all chains and of all regions of points that it does not have, take away each chain that has
/// fewer than two vital regions left, and each region beside a chain taken away, until nothing
/// changes: what is left is alive. A region is vital to a chain if each of its dark points is a
/// liberty of the chain.
pub(super) fn held(stones: Stones, seat: Seat) -> Held {
    let own = stones[seat];
    let dark = !stones.lit();
    let mut chains = Parts::of(own);
    let mut regions = Parts::of(!own);
    loop {
        let fewer = chains.keep(|chain| {
            let liberties = chain.beside();
            let is_vital = |region: &Squares| (*region & dark).without(liberties).is_empty();
            regions.iter().filter(is_vital).count() >= 2
        });
        let alive = chains.all();
        let lost = own.without(alive);
        if !fewer && !regions.any(|region| !(region.beside() & lost).is_empty()) {
            let shut = regions.iter().filter(|&region| is_shut(region, alive));
            return Held { alive, land: shut.fold(Squares::NONE, |all, region| all | region) };
        }
        regions.keep(|region| (region.beside() & lost).is_empty());
    }
}

/// Whether no enemy can live in a region that only living stones enclose.
///
/// For two eyes he would need two points that lie apart from each other and from those stones,
/// which he cannot take: an eye that such a stone touches is open to it.
fn is_shut(region: Squares, alive: Squares) -> bool {
    let apart = region.without(alive.beside());
    match apart.len() {
        0 | 1 => !alive.is_empty(),
        2 => apart.beside() & apart == apart,
        _ => false,
    }
}

/// Whether it is clear what belongs to whom: all stones live for good, and each dark region is
/// enclosed by one side, with no room for the other to live in.
pub(super) fn is_settled(stones: Stones) -> bool {
    let [green, red] = Seat::BOTH.map(|seat| stones[seat]);
    let dark = !stones.lit();
    // This alone answers nearly always.
    if !(green.beside() & red.beside() & dark).is_empty() {
        return false;
    }
    let both = Seat::BOTH.map(|seat| held(stones, seat));
    both[0].alive == green
        && both[1].alive == red
        && dark.without(both[0].land | both[1].land).is_empty()
}
