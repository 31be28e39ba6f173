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
    on.reach(seat, from)
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
    let mut plays = Search::new(on, seat, most).run(board, Dice::new(roll));
    plays.truncate(most);
    plays
}

/// The play of a roll if there is only one. Two that use all dice show that there are more.
pub(crate) fn only_play(board: &Board, on: &Geometry, seat: Seat, roll: Roll) -> Option<Play> {
    match Search::new(on, seat, 2).run(board, Dice::new(roll))[..] {
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
    let way = Way { on, seat, end, pips: known.pips() };
    way.first(board, dice, Play::default(), more).unwrap_or(*known)
}

/// A way to a board.
struct Way<'a> {
    on: &'a Geometry,
    seat: Seat,
    end: &'a Board,
    /// The pips that it takes.
    pips: u8,
}

impl Way<'_> {
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

struct Search<'a> {
    on: &'a Geometry,
    seat: Seat,
    /// The boards reached by two, three and four hops.
    reached: [Reached; 3],
    /// The most pips played so far.
    most: u8,
    /// The plays of that many pips.
    found: Vec<Play>,
    /// So many plays that use all dice are enough.
    enough: usize,
    /// Whether the plays found use all dice.
    complete: bool,
}

impl<'a> Search<'a> {
    fn new(on: &'a Geometry, seat: Seat, enough: usize) -> Self {
        let reached = Default::default();
        Self { on, seat, reached, most: 0, found: Vec::new(), enough, complete: false }
    }

    fn run(mut self, board: &Board, dice: Dice) -> Vec<Play> {
        self.explore(board, dice, Play::default());
        self.found
    }

    /// Tries every hop in order. A board reached before by as many hops was reached by an
    /// earlier sequence, and so was all that can follow.
    fn explore(&mut self, board: &Board, dice: Dice, made: Play) {
        let mut stuck = true;
        if dice.count() > 0 {
            for from in board.held(self.seat).iter() {
                for hop in hops_from(board, self.on, self.seat, dice, from) {
                    stuck = false;
                    if self.found.len() >= self.enough && self.complete {
                        return;
                    }
                    let mut after = board.clone();
                    after.hop(self.seat, hop);
                    let made = made.and(hop);
                    if self.is_new(&after, made) {
                        self.explore(&after, dice.without(hop.die()), made);
                    }
                }
            }
        }
        if stuck {
            self.complete |= dice.count() == 0;
            self.keep(made);
        }
    }

    /// Whether no earlier sequence of as many hops led to this board; single hops all differ.
    fn is_new(&mut self, board: &Board, made: Play) -> bool {
        match made.hops().len() {
            0 | 1 => true,
            hops => self.reached[hops - 2].insert(board),
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

/// A set of boards, found by their marks and compared whole.
#[derive(Default)]
struct Reached {
    boards: Vec<Board>,
    /// Indices into `boards`, from 1, each at or behind the slot that the board's mark names; a
    /// power of two of them, at most half in use.
    slots: Vec<u32>,
}

impl Reached {
    /// Adds a board; says whether it is new.
    fn insert(&mut self, board: &Board) -> bool {
        if self.slots.len() < 2 * (self.boards.len() + 1) {
            self.grow();
        }
        let slot = self.slot(board);
        let is_new = self.slots[slot] == 0;
        if is_new {
            self.boards.push(board.clone());
            self.slots[slot] = u32::try_from(self.boards.len()).expect("boards fit into memory");
        }
        is_new
    }

    /// The slot of that board, or the free one where it belongs.
    fn slot(&self, board: &Board) -> usize {
        let last = self.slots.len() - 1;
        let upper = board.mark() >> (u64::BITS - self.slots.len().trailing_zeros());
        let mut slot = usize::try_from(upper).expect("less than the slots");
        while self.slots[slot] != 0 && self.boards[self.slots[slot] as usize - 1] != *board {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(256);
        self.slots = vec![0; size];
        self.boards.reserve(size / 2 - self.boards.len());
        for number in 0..self.boards.len() {
            let slot = self.slot(&self.boards[number]);
            self.slots[slot] = u32::try_from(number + 1).expect("boards fit into memory");
        }
    }
}
