//! Unconditional life: chains that live even if their side only passes, and the regions that they
//! enclose.
//!
//! Source: David B. Benson, *Life in the game of Go*, Information Sciences 10 (1976).

use super::board::reach;
use crate::grid::{Square, Squares, Stones};
use crate::kit::Seat;

/// The maximum number of chains or regions of one side, since two of them never touch.
const MOST: usize = 41;

/// With more points than this away from living stones there is always room for two eyes.
const NARROW: u32 = 20;

/// A list of point sets with a fixed capacity.
struct PointSets {
    parts: [Squares; MOST],
    count: usize,
}

impl PointSets {
    /// Returns the connected parts of a set.
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

    /// Keeps those that pass a test, and returns whether any was removed.
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

/// The stones and territory that a side holds for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SafeTerritory {
    /// The stones that cannot be captured even if the side only passes.
    pub(super) alive: Squares,
    /// The regions enclosed by such stones in which no enemy can live: enemy stones there are dead;
    /// the side's own may be captured, but not for good.
    pub(super) land: Squares,
}

impl SafeTerritory {
    pub(super) fn all(self) -> Squares {
        self.alive | self.land
    }
}

/// Returns the stones and territory that a side holds for good.
///
/// From all chains and all regions of points without its stones, repeatedly remove each chain with
/// fewer than two vital regions, and each region beside a removed chain. The remaining chains are
/// alive. A region is vital to a chain if each of its dark points is a liberty of the chain.
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

/// Returns whether no enemy can live in a region enclosed only by the living stones `alive`.
///
/// The enemy would need two eyes that these stones do not touch. If it can live at all, it can also
/// live after filling all of the region except two points, since a filled eye joins the chains
/// around it and two eyes can always be kept. So it suffices to test pairs of points. A stone of
/// this side leaves no eye there unless it is captured, which the enemy cannot force.
fn is_shut(region: Squares, alive: Squares, stones: Stones, seat: Seat) -> bool {
    let apart = region.without(alive.beside() | stones[seat.other()]);
    let prey = PointSets::connected(region & stones[seat]);
    let pairs = || apart.iter().flat_map(|one| apart.iter().map(move |other| (one, other)));
    !alive.is_empty()
        && apart.len() <= NARROW
        && !pairs().any(|(one, other)| one < other && are_eyes(region, &prey, one, other))
}

/// Returns whether an enemy that fills a region except two points lives there: the points are
/// apart, and all of its chains that touch one point have both as liberties.
///
/// It captures what is in the region, except chains with one of the points as a liberty, which stay
/// and are part of the eye.
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

/// Returns whether every point is decided: it is held for good by one side, and no enemy stones,
/// which would count for the enemy, are there.
///
/// So each dark region is bordered by one side only. Ours: a chain also lives where no enemy can
/// live, and a region must leave the enemy no room to live.
pub(super) fn is_settled(stones: Stones) -> bool {
    let [green, red] = Seat::BOTH.map(|seat| stones[seat]);
    let dark = !stones.lit();
    // In almost all positions this test decides.
    if !(green.beside() & red.beside() & dark).is_empty() {
        return false;
    }
    let [greens, reds] = Seat::BOTH.map(|seat| safe_territory(stones, seat).all());
    (greens & red).is_empty() && (reds & green).is_empty() && (greens | reds) == Squares::ALL
}
