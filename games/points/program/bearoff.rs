//! Bearoff databases: positions in which all men of both sides are in their last quadrants.
//!
//! The one-sided tables hold the distribution of the number of rolls that a side needs if it always
//! minimizes the average. That is nearly optimal; only with few men on both sides can other risks
//! be better, so a two-sided table covers those positions exactly.
//!
//! Each table is computed at its first use, all of them in about 0.2 s.

use std::sync::LazyLock;

/// The number of points in the last quadrant.
const PLACES: usize = 6;

/// The number of a side's men.
const MEN: u8 = 15;

/// The maximum number of rolls. More rolls are rarer than one game in ten million.
const ROLLS: usize = 24;
type RollDistribution = [f32; ROLLS];

/// The men on each point, the nearest first.
pub(super) type HomeBoard = [u8; PLACES];

/// The distribution of the rolls until all men are off: for home boards of few men, which are
/// looked up most, and for all.
static FEW: LazyLock<BearoffTable> = LazyLock::new(|| BearoffTable::new(1, up_to(FEW_MEN)));
static ALL: LazyLock<BearoffTable> = LazyLock::new(|| BearoffTable::new(1, up_to(MEN)));
const FEW_MEN: u8 = 9;

/// The distribution of the rolls until a side with all its men bears off the first.
static FIRST: LazyLock<BearoffTable> =
    LazyLock::new(|| BearoffTable::new(up_to(MEN - 1), up_to(MEN)));

/// The winning probabilities for home boards of few men on both sides.
static TOGETHER: LazyLock<TwoSidedTable> =
    LazyLock::new(|| TwoSidedTable::new(up_to(TOGETHER_MEN)));
const TOGETHER_MEN: u8 = 6;

/// Returns the probabilities that the side to roll wins, wins a gammon and loses a gammon.
pub(super) fn odds(homes: [HomeBoard; 2]) -> [f32; 3] {
    let most = homes.into_iter().map(men).max().unwrap_or(0);
    if most <= TOGETHER_MEN {
        return [TOGETHER.wins(homes), 0.0, 0.0];
    }
    let table: &BearoffTable = if most <= FEW_MEN { &FEW } else { &ALL };
    let [own, other] = homes.map(|home| table.rolls(home));
    let first = |home: HomeBoard| (men(home) == MEN).then(|| FIRST.rolls(home));
    [
        // The other side has had one roll less than this one.
        earlier(own, other, 0),
        first(homes[1]).map_or(0.0, |first| earlier(own, first, 0)),
        first(homes[0]).map_or(0.0, |first| earlier(other, first, 1)),
    ]
}

/// Returns the probability that one number of rolls plus a delay is at most another.
fn earlier(one: &RollDistribution, other: &RollDistribution, less: usize) -> f32 {
    let (mut sum, mut later) = (0.0, 0.0);
    for (rolls, likely) in one.iter().enumerate().rev() {
        later += other.get(rolls + less).copied().unwrap_or(0.0);
        sum += likely * later;
    }
    sum.clamp(0.0, 1.0)
}

fn men(home: HomeBoard) -> u8 {
    home.iter().sum()
}

/// Returns the number of home boards with at most this many men.
const fn up_to(men: u8) -> usize {
    choose(men as usize + PLACES, PLACES)
}

const fn choose(of: usize, chosen: usize) -> usize {
    let (mut ways, mut k) = (1, 0);
    while k < chosen {
        ways = ways * (of - k) / (k + 1);
        k += 1;
    }
    ways
}

/// For each point the number of men on it or further back, the nearest first. A step subtracts one
/// from some of these.
type CumulativeMen = [u8; PLACES];

fn heap(home: HomeBoard) -> CumulativeMen {
    let mut heap = home;
    (1..PLACES).rev().for_each(|place| heap[place - 1] += heap[place]);
    heap
}

/// The number of home boards that precede those with this many men on a point or further back and
/// the same men on nearer points. Home boards are ordered by the number of all men, then of those
/// beyond the first point, and so on: so every step leads to an earlier one.
#[expect(clippy::cast_possible_truncation, reason = "there are 54,264 home boards")]
const BEFORE: [[u16; MEN as usize + 1]; PLACES] = {
    let mut before = [[0; MEN as usize + 1]; PLACES];
    let mut place = 0;
    while place < PLACES {
        let mut men = 0;
        while men <= MEN as usize {
            before[place][men] = choose(men + PLACES - 1 - place, PLACES - place) as u16;
            men += 1;
        }
        place += 1;
    }
    before
};

fn before(place: usize, men: u8) -> u16 {
    BEFORE[place][usize::from(men)]
}

/// Returns the index of a home board in this order.
fn number(heap: CumulativeMen) -> u16 {
    heap.iter().enumerate().map(|(place, &men)| before(place, men)).sum()
}

/// Advances to the next home board.
fn next(mut heap: CumulativeMen) -> CumulativeMen {
    let grows = (1..PLACES).rev().find(|&place| heap[place] < heap[place - 1]).unwrap_or(0);
    heap[grows] += 1;
    heap[grows + 1..].fill(0);
    heap
}

/// Returns the home boards after a step by this die, by the point of the man. If no man can move,
/// one entry stands for the others.
fn steps(heap: CumulativeMen, number: u16, die: usize) -> [u16; PLACES] {
    let beyond = |place: usize| heap.get(place + 1).copied().unwrap_or(0);
    let mut found = [None; PLACES];
    for (place, found) in found.iter_mut().enumerate() {
        let is_last = beyond(place) == 0;
        if heap[place] > beyond(place) && (place + 1 >= die || is_last) {
            let passed = (place + 1).saturating_sub(die)..=place;
            let less: u16 = passed.map(|at| before(at, heap[at]) - before(at, heap[at] - 1)).sum();
            *found = Some(number - less);
        }
    }
    let any = found.iter().flatten().next().copied().expect("there are men");
    found.map(|home| home.unwrap_or(any))
}

/// The number of wins of the side to roll, for each pair of home boards.
struct TwoSidedTable {
    homes: usize,
    wins: Vec<f32>,
}

impl TwoSidedTable {
    fn new(homes: usize) -> Self {
        let mut table = Self { homes, wins: vec![0.0; homes * homes] };
        let ends = all_ends(homes);
        for own in 1..homes {
            // A side without men has won: these results are known.
            for other in 1..own {
                table.wins[own * homes + other] = table.rolled(&ends[own], other);
            }
            for (other, ends) in ends.iter().enumerate().take(own + 1).skip(1) {
                table.wins[other * homes + own] = table.rolled(ends, own);
            }
        }
        table
    }

    /// Averages the wins of a side over its rolls.
    fn rolled(&self, ends: &[Vec<u16>], other: usize) -> f32 {
        let against = &self.wins[other * self.homes..][..self.homes];
        let mut sum = 0.0;
        for (ends, cases) in ends.iter().zip(CASES) {
            let least = |least: f32, end: &u16| least.min(against[usize::from(*end)]);
            sum += cases * (1.0 - ends.iter().fold(1.0, least));
        }
        sum / 36.0
    }

    fn wins(&self, homes: [HomeBoard; 2]) -> f32 {
        let [own, other] = homes.map(|home| usize::from(number(heap(home))));
        self.wins[own * self.homes + other]
    }
}

/// The number of the 36 cases of each roll, in the order 11, 21, 22, 31 and so on.
const CASES: [f32; 21] = {
    let mut cases = [2.0; 21];
    let (mut die, mut at) = (1, 0);
    while die <= 6 {
        cases[at] = 1.0;
        die += 1;
        at += die;
    }
    cases
};

/// The results of each roll for each of the first home boards.
fn all_ends(homes: usize) -> Vec<[Vec<u16>; 21]> {
    let mut by_die: Vec<[Vec<u16>; 6]> = Vec::with_capacity(homes);
    let mut heap = CumulativeMen::default();
    for home in (0..=u16::MAX).take(homes) {
        by_die.push(DICE.map(|die| match home {
            0 => vec![0],
            _ => distinct(steps(heap, home, die).to_vec()),
        }));
        heap = next(heap);
    }
    let further = |from: &[u16], die: usize| {
        distinct(from.iter().flat_map(|home| by_die[usize::from(*home)][die - 1].clone()).collect())
    };
    let ends = |by_die: &[Vec<u16>; 6]| {
        let mut rolls = rolls();
        [(); 21].map(|()| {
            let (a, b) = rolls.next().expect("there are 21 rolls");
            let once = further(&by_die[a - 1], b);
            if a == b {
                return further(&further(&once, a), a);
            }
            distinct([once, further(&by_die[b - 1], a)].concat())
        })
    };
    by_die.iter().map(ends).collect()
}

const DICE: [usize; 6] = [1, 2, 3, 4, 5, 6];

/// Returns every roll once, the larger die first.
fn rolls() -> impl Iterator<Item = (usize, usize)> {
    DICE.into_iter().flat_map(|a| (1..=a).map(move |b| (a, b)))
}

fn distinct(mut homes: Vec<u16>) -> Vec<u16> {
    homes.sort_unstable();
    homes.dedup();
    homes
}

/// A table of the rolls needed from each home board to one of the first.
struct BearoffTable {
    /// The number of home boards that are finished.
    done: u16,
    rolls: Vec<RollDistribution>,
}

/// A table in the making.
#[derive(Default)]
struct BearoffBuilder {
    /// The average number of rolls that each needs.
    means: Vec<f32>,
    /// The best home board after one, two and three steps by each die.
    after: Vec<[[u16; 3]; 6]>,
}

impl BearoffBuilder {
    fn mean(&self, home: u16) -> f32 {
        self.means[usize::from(home)]
    }

    /// Returns the best of these home boards after more steps by a die.
    fn best(&self, homes: [u16; PLACES], die: usize, count: usize) -> u16 {
        let after = |home: u16| match count.checked_sub(1) {
            None => home,
            Some(count) => self.after[usize::from(home)][die - 1][count],
        };
        let [first, rest @ ..] = homes.map(after);
        rest.into_iter().fold(first, |best, home| self.better(best, home))
    }

    fn better(&self, one: u16, other: u16) -> u16 {
        if self.mean(other) < self.mean(one) { other } else { one }
    }

    /// Returns the best home board after each roll.
    fn rolled(&self, steps: &[[u16; PLACES]; 6]) -> [u16; 21] {
        let by = |a: usize, b: usize, count: usize| self.best(steps[a - 1], b, count);
        let best = |(a, b)| {
            if a == b { by(a, a, 3) } else { self.better(by(a, b, 1), by(b, a, 1)) }
        };
        let mut all = rolls().map(best);
        [(); 21].map(|()| all.next().expect("there are 21 rolls"))
    }
}

impl BearoffTable {
    fn new(done: usize, all: usize) -> Self {
        let done = u16::try_from(done).expect("there are 54,264 homes");
        let mut table = Self { done, rolls: Vec::with_capacity(all - usize::from(done)) };
        let mut known = BearoffBuilder::default();
        let mut heap = CumulativeMen::default();
        for home in (0..=u16::MAX).take(all) {
            if home < done {
                known.means.push(0.0);
                known.after.push([[home; 3]; 6]);
            } else {
                let steps = DICE.map(|die| steps(heap, home, die));
                let mut rolls = [0.0; ROLLS];
                let mut mean = 36.0;
                for (home, cases) in known.rolled(&steps).into_iter().zip(CASES) {
                    mean += known.mean(home) * cases;
                    table.add(home, cases, &mut rolls);
                }
                let of = |die: usize| [0, 1, 2].map(|more| known.best(steps[die - 1], die, more));
                let after = DICE.map(of);
                known.means.push(mean / 36.0);
                known.after.push(after);
                table.rolls.push(rolls.map(|cases| cases / 36.0));
            }
            heap = next(heap);
        }
        table
    }

    /// Adds the distribution of a home board after one roll.
    fn add(&self, home: u16, cases: f32, rolls: &mut RollDistribution) {
        match home.checked_sub(self.done) {
            None => rolls[1] += cases,
            Some(home) => rolls[1..]
                .iter_mut()
                .zip(&self.rolls[usize::from(home)])
                .for_each(|(sum, likely)| *sum += likely * cases),
        }
    }

    fn rolls(&self, home: HomeBoard) -> &RollDistribution {
        &self.rolls[usize::from(number(heap(home)) - self.done)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_numbered_in_their_order() {
        let mut home = CumulativeMen::default();
        for expected in 0..up_to(MEN) {
            assert_eq!(usize::from(number(home)), expected, "{home:?}");
            home = next(home);
        }
    }

    /// A single man on points 1 to 6 is off with the first roll in 36, 36, 36, 34, 31 and 27 cases.
    #[test]
    fn a_man_alone_goes_by_the_rolls_of_the_books() {
        for (place, off) in [36.0, 36.0, 36.0, 34.0, 31.0, 27.0].into_iter().enumerate() {
            let mut home = HomeBoard::default();
            home[place] = 1;
            let rolls = FEW.rolls(home);
            assert!((rolls[1] * 36.0 - off).abs() < 1e-4, "{place}: {rolls:?}");
            assert!((rolls.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
        let two = FEW.rolls([1, 0, 0, 0, 0, 1]);
        assert!((two[1] * 36.0 - 15.0).abs() < 1e-4, "a man on 6 and one on 1: {two:?}");
    }
    /// Fifteen men on the sixth point against one man on the first: a gammon is lost unless a man
    /// moves six pips, which 17 of 36 rolls allow.
    #[test]
    fn a_gammon_is_lost_by_who_bears_off_none_in_time() {
        let [won, gammon, lost] = odds([[0, 0, 0, 0, 0, 15], [1, 0, 0, 0, 0, 0]]);
        assert!(won < 1e-6 && gammon < 1e-6);
        assert!((lost * 36.0 - 19.0).abs() < 1e-4, "{lost}");
    }
}
