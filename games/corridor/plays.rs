//! All plays of a roll: every man is tried with every die.

use super::board::{Board, Hop};
use super::geometry::{Geometry, Point};
use crate::kit::{Roll, Seat};
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

    /// This play and one hop more; there are never more than the four of a double.
    #[must_use]
    pub(crate) fn and(mut self, hop: Hop) -> Self {
        self.hops[usize::from(self.count)] = hop;
        self.count += 1;
        self
    }

    /// Its hops in whichever order, so that those of two plays can be compared.
    pub(crate) fn in_order(&self) -> Vec<Hop> {
        let mut hops = self.hops().to_vec();
        hops.sort_unstable();
        hops
    }

    /// The sum of the dice used.
    pub(crate) fn pips(&self) -> u8 {
        self.hops().iter().map(|hop| hop.die()).sum()
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

/// The dice that are left to play: each once, those of a double four times in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dice {
    shown: [u8; 2],
    left: [u8; 2],
}

impl Dice {
    pub(crate) fn new(roll: Roll) -> Self {
        match roll {
            Roll::One(die) => Self { shown: [die, 0], left: [1, 0] },
            Roll::Two(a, b) if a == b => Self { shown: [a, 0], left: [4, 0] },
            Roll::Two(a, b) => Self { shown: [a.min(b), a.max(b)], left: [1, 1] },
        }
    }

    /// The different numbers left, the smaller first.
    pub(crate) fn numbers(self) -> impl Iterator<Item = u8> {
        (0..2).filter(move |&i| self.left[i] > 0).map(move |i| self.shown[i])
    }

    pub(crate) fn has(self, die: u8) -> bool {
        self.numbers().any(|number| number == die)
    }

    /// What is left when that die has been played.
    #[must_use]
    pub(crate) fn without(mut self, die: u8) -> Self {
        let played = usize::from(self.shown[0] != die);
        self.left[played] -= 1;
        self
    }

    /// How many hops are left.
    pub(crate) fn count(self) -> u8 {
        self.left[0] + self.left[1]
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

/// All plays of a roll: of all sequences of hops those whose dice add up to the most (S0, S2),
/// one for each position they lead to, namely the first in the order of points.
pub(crate) fn plays(board: &Board, on: &Geometry, seat: Seat, roll: Roll) -> Vec<Play> {
    Search::new(on, seat, usize::MAX).run(board, Dice::new(roll))
}

/// The play of a roll if there is only one. Two that use all dice show that there are more.
pub(crate) fn only_play(board: &Board, on: &Geometry, seat: Seat, roll: Roll) -> Option<Play> {
    match Search::new(on, seat, 2).run(board, Dice::new(roll))[..] {
        [only] => Some(only),
        _ => None,
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
