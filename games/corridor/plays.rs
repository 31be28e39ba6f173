//! All plays of a roll: every man is tried with every die.

use super::board::{Board, Hop};
use super::geometry::{Geometry, Point};
use crate::kit::march::{self, Play as _, Step as _};
use crate::kit::{Dice, Roll, Seat};
use std::fmt::{self, Debug, Display};

/// The hops of one turn, in order; none is a pass.
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

impl march::Play for Play {
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

/// Every hop of a side's men on one point with the dice left, ordered by where it ends.
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

/// Whether a side can hop at all with one of these dice.
pub(crate) fn can_hop(board: &Board, on: &Geometry, seat: Seat, dice: Dice) -> bool {
    board.held(seat).iter().any(|from| hops_from(board, on, seat, dice, from).next().is_some())
}

/// The plays of a roll, so many at most: of all sequences of hops those whose dice add up to the
/// most (S0, S2), one for each position they lead to, namely the first in the order of points.
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

/// The play of a roll if there is only one. Two that use all dice show that there are more.
pub(crate) fn only_play(board: &Board, on: &Geometry, seat: Seat, roll: Roll) -> Option<Play> {
    match HopSearch::new(on, seat, 2).run(board, Dice::new(roll))[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The first of the listed plays that lead to a board, to which another play of as many pips does.
pub(crate) fn first_to(
    board: &Board,
    on: &Geometry,
    seat: Seat,
    dice: Dice,
    (end, known): (&Board, &Play),
) -> Play {
    let more = known.hops().len();
    let way = RouteFinder { on, seat, end, pips: known.pips() };
    way.first(board, dice, Play::default(), more).unwrap_or(*known)
}

/// A way to a board.
struct RouteFinder<'a> {
    on: &'a Geometry,
    seat: Seat,
    end: &'a Board,
    /// The pips that it takes.
    pips: u8,
}

impl RouteFinder<'_> {
    /// The first play that goes on from a board by so many hops and comes to the end.
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
    /// So many plays that use all dice are enough.
    enough: usize,
    /// Whether the plays found use all dice.
    complete: bool,
}

impl<'a> HopSearch<'a> {
    fn new(on: &'a Geometry, seat: Seat, enough: usize) -> Self {
        let reached = Default::default();
        Self { on, seat, reached, most: 0, found: Vec::new(), enough, complete: false }
    }

    fn run(mut self, board: &Board, dice: Dice) -> Vec<Play> {
        self.explore(board, dice, Play::default());
        self.found
    }

    /// Tries every hop in order. A board reached before by as many hops was reached by an
    /// earlier sequence, and so was all that can follow: above all by two hops that are apart, made
    /// in their order.
    fn explore(&mut self, board: &Board, dice: Dice, made: Play) {
        let mut stuck = true;
        for from in board.held(self.seat).iter() {
            for hop in hops_from(board, self.on, self.seat, dice, from) {
                stuck = false;
                if self.found.len() >= self.enough && self.complete {
                    return;
                }
                if made.hops().last().is_some_and(|last| hop < *last && last.is_apart_from(hop)) {
                    continue;
                }
                let made = made.and(hop);
                if !self.is_new(board.mark_after(self.seat, hop), made) {
                    continue;
                }
                let left = dice.without(hop.die());
                if left.count() == 0 {
                    self.complete = true;
                    self.keep(made);
                } else {
                    let mut after = board.clone();
                    after.hop(self.seat, hop);
                    self.explore(&after, left, made);
                }
            }
        }
        if stuck {
            self.keep(made);
        }
    }

    /// Whether no earlier sequence of as many hops led to the board of that mark; single hops all
    /// differ.
    fn is_new(&mut self, mark: u128, made: Play) -> bool {
        match made.hops().len() {
            0 | 1 => true,
            hops => self.reached[hops - 2].insert(mark),
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

/// A set of boards, known by their marks.
#[derive(Default)]
struct BoardSet {
    count: usize,
    /// Each mark at or behind the slot that its upper bits name, 0 where there is none; a power
    /// of two of them, at most half in use.
    slots: Vec<u128>,
}

impl BoardSet {
    /// Adds a board; says whether it is new.
    fn insert(&mut self, mark: u128) -> bool {
        if self.slots.len() < 2 * (self.count + 1) {
            self.grow();
        }
        let slot = self.slot(mark);
        let is_new = self.slots[slot] == 0;
        if is_new {
            self.slots[slot] = mark;
            self.count += 1;
        }
        is_new
    }

    /// The slot of that board, or the free one where it belongs.
    fn slot(&self, mark: u128) -> usize {
        let last = self.slots.len() - 1;
        let upper = mark >> (u128::BITS - self.slots.len().trailing_zeros());
        let mut slot = usize::try_from(upper).expect("less than the slots");
        while self.slots[slot] != 0 && self.slots[slot] != mark {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(128);
        let marks = std::mem::replace(&mut self.slots, vec![0; size]);
        for mark in marks.into_iter().filter(|&mark| mark != 0) {
            let slot = self.slot(mark);
            self.slots[slot] = mark;
        }
    }
}
