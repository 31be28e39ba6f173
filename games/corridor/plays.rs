//! A generator of plays: every man is tried with every die.

use super::board::{Board, Hop};
use super::geometry::{Geometry, Point};
use crate::kit::play_search::{self, Play as _, Step as _};
use crate::kit::{Dice, Roll, Seat};
use std::fmt::{self, Debug, Display};

/// The hops of one turn, in order; no hops are a pass.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Play {
    hops: [Hop; 4],
    count: u8,
}

impl Play {
    pub(crate) fn hops(&self) -> &[Hop] {
        &self.hops[..usize::from(self.count)]
    }
}

impl play_search::Play for Play {
    type Step = Hop;

    fn steps(&self) -> &[Hop] {
        self.hops()
    }

    fn and(mut self, hop: Hop) -> Self {
        self.hops[usize::from(self.count)] = hop;
        self.count += 1;
        self
    }

    fn course(&self) -> Vec<impl Ord> {
        self.hops().to_vec()
    }
}

impl Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.hops().split_first() else { return f.write_str("pass") };
        write!(f, "{first}")?;
        rest.iter().try_for_each(|hop| write!(f, ",{hop}"))
    }
}

impl Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// Returns every hop of a side's men on one point with the dice left, ordered by its end.
pub(crate) fn hops_from<'a>(
    board: &'a Board,
    on: &'a Geometry,
    seat: Seat,
    dice: Dice,
    from: Point,
) -> impl Iterator<Item = Hop> + 'a {
    let reach = match dice.only_number() {
        Some(die) => on.reach_by(die, seat, from),
        None => on.reach(seat, from),
    };
    reach
        .iter()
        .filter(move |reach| dice.has(reach.die) && board.lets(seat, **reach))
        .map(move |reach| Hop { from, to: reach.to, kills: reach.jumps })
}

/// Returns whether a side can hop with one of these dice.
pub(crate) fn can_hop(board: &Board, on: &Geometry, seat: Seat, dice: Dice) -> bool {
    board.held(seat).iter().any(|from| hops_from(board, on, seat, dice, from).next().is_some())
}

/// Lists the first `most` plays of a roll: of all sequences of hops those of the most pips (S0,
/// S2), one for each resulting position, the first in the order of points.
pub(crate) fn plays_up_to(
    most: usize,
    board: &Board,
    on: &Geometry,
    seat: Seat,
    roll: Roll,
) -> Vec<Play> {
    let mut plays = HopSearch::new(on, seat, most).run(board, Dice::new(roll));
    plays.truncate(most);
    plays
}

/// Returns the play of a roll if there is only one. Two plays that use all dice suffice to show
/// there are more.
pub(crate) fn only_play(board: &Board, on: &Geometry, seat: Seat, roll: Roll) -> Option<Play> {
    match HopSearch::new(on, seat, 2).run(board, Dice::new(roll))[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Returns the first listed play with the same result as another play of as many pips.
pub(crate) fn first_to(
    board: &Board,
    on: &Geometry,
    seat: Seat,
    dice: Dice,
    (end, known): (&Board, &Play),
) -> Play {
    let more = known.hops().len();
    let finder = RouteFinder { on, seat, end, pips: known.pips() };
    finder.first(board, dice, Play::default(), more).unwrap_or(*known)
}

/// A search for a play with a given result.
struct RouteFinder<'a> {
    on: &'a Geometry,
    seat: Seat,
    end: &'a Board,
    /// The pips of the play.
    pips: u8,
}

impl RouteFinder<'_> {
    /// Returns the first play that leads from a board to the result in this many hops.
    fn first(&self, board: &Board, dice: Dice, made: Play, more: usize) -> Option<Play> {
        if more == 0 {
            return (board == self.end && made.pips() == self.pips).then_some(made);
        }
        // A hop changes two points.
        if board.differences(self.end) > 2 * more {
            return None;
        }
        board.held(self.seat).iter().find_map(|from| {
            hops_from(board, self.on, self.seat, dice, from).find_map(|hop| {
                let mut after = board.clone();
                after.hop(self.seat, hop);
                self.first(&after, dice.without(hop.die()), made.and(hop), more - 1)
            })
        })
    }
}

struct HopSearch<'a> {
    on: &'a Geometry,
    seat: Seat,
    /// The boards reached by two, three and four hops.
    reached: [BoardSet; 3],
    /// The most pips played so far.
    most: u8,
    /// The plays of that many pips.
    found: Vec<Play>,
    /// The number of plays using all dice after which the search may stop.
    enough: usize,
    /// Whether the plays found use all dice.
    is_complete: bool,
}

impl<'a> HopSearch<'a> {
    fn new(on: &'a Geometry, seat: Seat, enough: usize) -> Self {
        let reached = Default::default();
        Self { on, seat, reached, most: 0, found: Vec::new(), enough, is_complete: false }
    }

    fn run(mut self, board: &Board, dice: Dice) -> Vec<Play> {
        self.explore(board, dice, Play::default());
        self.found
    }

    /// Tries every hop in order. A board reached before by as many hops is skipped, and so is
    /// everything that follows it; most of these are two independent hops in the other order.
    fn explore(&mut self, board: &Board, dice: Dice, made: Play) {
        let mut is_stuck = true;
        for from in board.held(self.seat).iter() {
            for hop in hops_from(board, self.on, self.seat, dice, from) {
                is_stuck = false;
                if self.found.len() >= self.enough && self.is_complete {
                    return;
                }
                if made.hops().last().is_some_and(|last| hop < *last && last.is_apart_from(hop)) {
                    continue;
                }
                let made = made.and(hop);
                if !self.is_new(board.hash_after(self.seat, hop), made) {
                    continue;
                }
                let left = dice.without(hop.die());
                if left.count() == 0 {
                    self.is_complete = true;
                    self.keep(made);
                } else {
                    let mut after = board.clone();
                    after.hop(self.seat, hop);
                    self.explore(&after, left, made);
                }
            }
        }
        if is_stuck {
            self.keep(made);
        }
    }

    /// Returns whether a board, given by its hash, is new for this number of hops; single hops always
    /// differ.
    fn is_new(&mut self, hash: u128, made: Play) -> bool {
        match made.hops().len() {
            0 | 1 => true,
            hops => self.reached[hops - 2].insert(hash),
        }
    }

    fn keep(&mut self, play: Play) {
        let pips = play.pips();
        if pips > self.most {
            self.most = pips;
            self.found.clear();
        }
        if pips == self.most {
            self.found.push(play);
        }
    }
}

/// A set of boards, by their hashes.
#[derive(Default)]
struct BoardSet {
    count: usize,
    /// An open-addressing table: each hash is at or after the slot of its upper bits; 0 is free.
    /// The size is a power of two, at most half of it used.
    slots: Vec<u128>,
}

impl BoardSet {
    /// Adds a board and returns whether it is new.
    fn insert(&mut self, hash: u128) -> bool {
        if self.slots.len() < 2 * (self.count + 1) {
            self.grow();
        }
        let slot = self.slot(hash);
        let is_new = self.slots[slot] == 0;
        if is_new {
            self.slots[slot] = hash;
            self.count += 1;
        }
        is_new
    }

    /// Returns the slot of a board, or the free slot for it.
    fn slot(&self, hash: u128) -> usize {
        let last = self.slots.len() - 1;
        let upper = hash >> (u128::BITS - self.slots.len().trailing_zeros());
        let mut slot = usize::try_from(upper).expect("less than the slots");
        while self.slots[slot] != 0 && self.slots[slot] != hash {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(128);
        let hashes = std::mem::replace(&mut self.slots, vec![0; size]);
        for hash in hashes.into_iter().filter(|&hash| hash != 0) {
            let slot = self.slot(hash);
            self.slots[slot] = hash;
        }
    }
}
