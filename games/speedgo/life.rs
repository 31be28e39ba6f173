//! Chains that live though their side only passes, and the regions that they enclose: nobody can
//! change these any more.
//!
//! Source: David B. Benson, *Life in the game of Go*, Information Sciences 10 (1976).

use super::board::reach;
use crate::grid::{Square, Squares, Stones};
use crate::kit::Seat;

/// More chains or regions of one side than a board has room for: two of a kind never touch.
const MOST: usize = 41;

/// With more points than this that no living stone touches there is always room for two eyes.
const NARROW: u32 = 20;

/// Sets of points, so many of them.
struct PointSets {
    parts: [Squares; MOST],
    count: usize,
}

impl PointSets {
    /// The connected parts of a set.
    fn connected(mut set: Squares) -> Self {
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

/// The stones and land that a side holds for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SafeTerritory {
    /// Its stones that cannot be taken though it only passes.
    pub(super) alive: Squares,
    /// The regions that only such stones enclose, where no enemy can live: enemy stones there are
    /// dead, and its own may be taken, but not for good.
    pub(super) land: Squares,
}

impl SafeTerritory {
    pub(super) fn all(self) -> Squares {
        self.alive | self.land
    }
}

/// The stones and land that that side holds for good.
///
/// Of all chains and of all regions of points that it does not have, take away each chain that has
/// fewer than two vital regions left, and each region beside a chain taken away, until nothing
/// changes: the rest is alive. A region is vital to a chain if each of its dark points is a
/// liberty of the chain.
pub(super) fn safe_territory(stones: Stones, seat: Seat) -> SafeTerritory {
    let own = stones[seat];
    let dark = !stones.lit();
    let mut chains = PointSets::connected(own);
    let mut regions = PointSets::connected(!own);
    loop {
        let fewer = chains.keep(|chain| {
            let liberties = chain.beside();
            let is_vital = |region: &Squares| (*region & dark).without(liberties).is_empty();
            regions.iter().filter(is_vital).count() >= 2
        });
        let alive = chains.all();
        let lost = own.without(alive);
        if !fewer && !regions.any(|region| !(region.beside() & lost).is_empty()) {
            let mut land = PointSets::connected(!alive);
            land.keep(|region| is_shut(region, alive, stones, seat));
            return SafeTerritory { alive, land: land.all() };
        }
        regions.keep(|region| (region.beside() & lost).is_empty());
    }
}

/// Whether no enemy can live in a region that only living stones enclose; `alive` are these.
///
/// The enemy would need two eyes that those stones do not touch. Whatever living shape it has, it
/// can fill all of the region but two points of it and still lives: an eye filled makes one chain
/// of those round it, and two of the eyes can always be left. So it is enough to try pairs of
/// points. Where it has a stone it has no eye, unless that is taken, which it cannot bring about.
fn is_shut(region: Squares, alive: Squares, stones: Stones, seat: Seat) -> bool {
    let apart = region.without(alive.beside() | stones[seat.other()]);
    let prey = PointSets::connected(region & stones[seat]);
    let pairs = || apart.iter().flat_map(|one| apart.iter().map(move |other| (one, other)));
    !alive.is_empty()
        && apart.len() <= NARROW
        && !pairs().any(|(one, other)| one < other && are_eyes(region, &prey, one, other))
}

/// Whether an enemy who fills a region but for two points lives there: they are apart, and all of
/// its chains that touch the eye of one have both points as liberties.
///
/// It takes what it finds in the region, but a chain with one of the points as a liberty is there
/// to stay, and is part of the eye.
fn are_eyes(region: Squares, prey: &PointSets, one: Square, other: Square) -> bool {
    let points = Squares::from(one) | other.into();
    let stays = |chain: &Squares| !(chain.beside().without(*chain) & points).is_empty();
    let hollow = prey.iter().filter(stays).fold(points, |hollow, chain| hollow | chain);
    let mut touching = PointSets::connected(region.without(hollow));
    touching.keep(|chain| !(chain.beside() & hollow).is_empty());
    !reach(one.into(), hollow).contains(other)
        && touching.count > 0
        && touching.iter().all(|chain| points.without(chain.beside()).is_empty())
}

/// Whether it is clear which points belong to which side: each point is held for good by one side,
/// and no stones of the enemy, which would count for the enemy, are there.
///
/// So each dark region is bordered by one side only. Ours: a chain may also live by standing where
/// no enemy can, and a region must leave the enemy no room to live in.
pub(super) fn is_settled(stones: Stones) -> bool {
    let [green, red] = Seat::BOTH.map(|seat| stones[seat]);
    let dark = !stones.lit();
    // This alone answers nearly always.
    if !(green.beside() & red.beside() & dark).is_empty() {
        return false;
    }
    let [greens, reds] = Seat::BOTH.map(|seat| safe_territory(stones, seat).all());
    (greens & red).is_empty() && (reds & green).is_empty() && (greens | reds) == Squares::ALL
}
