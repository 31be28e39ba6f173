//! The program: a tree search whose playouts draw safe lines at random, and count the chains when none are left. The
//! highest level tries everything at the end.
//!
//! Source: E. Berlekamp, *The Dots and Boxes Game* (2000): a line is safe if no box has three sides after it;
//! boxes of two sides form chains and loops; who is not forced to open the next one keeps the control by
//! leaving two boxes of a chain, or four of a loop, to the other side.

use super::Position;
use super::board::{Bits, Board, members};
use crate::kit::cell::Cell;
use crate::kit::playout_search::{self, Playout};
use crate::kit::{Chance, RandomBelow, Seat};
use std::collections::HashMap;

/// The number of levels, and the playouts of those above the first one.
pub(super) const LEVELS: u8 = 4;
const PLAYOUTS: [u32; LEVELS as usize - 1] = [4, 160, 1_500];

/// The moves in a hundred that the first level draws anywhere.
const CARELESS: usize = 35;

/// The free lines from which on the highest level tries everything.
const ENDING: u32 = 14;

/// The most safe lines beside which a short chain may be worth giving away.
const FEW: usize = 8;

/// The fewest boxes of a chain and of a loop that are worth leaving some, and how many are left.
const CHAIN: i32 = 3;
const LEFT_OF_CHAIN: i32 = 2;
const LEFT_OF_LOOP: i32 = 4;

/// Boxes of two sides that are joined by free lines.
struct Chain {
    boxes: i32,
    is_loop: bool,
    /// A line that opens it.
    opening: usize,
}

impl Board {
    /// Returns the boxes of three sides.
    fn nearly_closed(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).filter(|at| self.drawn(*at) == 3)
    }

    /// Returns the lines after which no box has three sides.
    fn safe(&self) -> Bits {
        let unsafe_sides = (0..self.count()).filter(|at| self.drawn(*at) >= 2);
        self.free() & !unsafe_sides.fold(0, |sides, at| sides | self.sides(at))
    }

    /// Returns the box on the other side of a line.
    fn behind(&self, line: usize, at: usize) -> Option<usize> {
        self.beside(line).into_iter().flatten().find(|other| *other != at)
    }

    /// Returns the line that leaves a box of three sides and the one behind it to the other side, if they are
    /// the last two of a chain or the last four of a loop.
    fn leaving(&self, at: usize) -> Option<usize> {
        let last = self.last_side(at)?;
        let next = self.behind(last, at).filter(|next| self.drawn(*next) == 2)?;
        let leaving = members(self.sides(next) & self.free()).find(|line| *line != last)?;
        let ends = match self.behind(leaving, next) {
            None => true,
            Some(third) if self.drawn(third) == 2 => {
                let far = members(self.sides(third) & self.free()).find(|line| *line != leaving)?;
                self.behind(far, third).is_some_and(|end| end != at && self.drawn(end) == 3)
            }
            Some(third) => self.drawn(third) < 2,
        };
        ends.then_some(leaving)
    }

    /// Lists the chains and loops.
    fn chains(&self) -> Vec<Chain> {
        let mut unseen: Bits =
            (0..self.count()).filter(|at| self.drawn(*at) == 2).fold(0, |set, at| set | 1 << at);
        let mut chains = Vec::new();
        while let Some(first) = members(unseen).next() {
            let (mut open, mut boxes, mut joints) = (vec![first], 0, 0);
            let mut opening = None;
            unseen &= !(1 << first);
            let mut all: Bits = 1 << first;
            while let Some(at) = open.pop() {
                boxes += 1;
                for line in members(self.sides(at) & self.free()) {
                    let next = self.behind(line, at).filter(|next| self.drawn(*next) == 2);
                    if let Some(next) = next {
                        joints += 1;
                        // Between two boxes, so that two boxes cannot be left behind.
                        opening = Some(line);
                        if all & 1 << next == 0 {
                            all |= 1 << next;
                            unseen &= !(1 << next);
                            open.push(next);
                        }
                    } else if opening.is_none() {
                        opening = Some(line);
                    }
                }
            }
            if let Some(opening) = opening {
                chains.push(Chain { boxes, is_loop: joints == 2 * boxes, opening });
            }
        }
        chains
    }

    /// Returns how many boxes more the side to move gets than the other, where each line opens a chain and
    /// both sides open the smallest first.
    fn worth_of_chains(&self) -> i32 {
        let mut chains = self.chains();
        chains.sort_by_key(|chain| (chain.boxes, chain.is_loop));
        let opened = |rest: i32, chain: &Chain| {
            let left = if chain.is_loop { LEFT_OF_LOOP } else { LEFT_OF_CHAIN };
            let takes_all = chain.boxes + rest;
            let keeps_control = chain.boxes - 2 * left - rest;
            -if chain.boxes < CHAIN { takes_all } else { takes_all.max(keeps_control) }
        };
        chains.iter().rev().fold(0, opened)
    }

    /// Lists the lines that close a box, or leave it with the rest of its chain. A box that cannot be left so
    /// comes first, and alone: closing it costs nothing.
    fn closing(&self) -> Vec<usize> {
        let mut first = None;
        for at in self.nearly_closed() {
            match (self.last_side(at), self.leaving(at)) {
                (Some(last), None) => return vec![last],
                (last, leaving) => first = first.or(Some([last, leaving])),
            }
        }
        first.into_iter().flatten().flatten().collect()
    }

    /// Lists the lines worth drawing: those of [`Board::closing`]; otherwise safe ones, and where few of
    /// them are left, one for each short chain, which gives it away to change who must open the long ones;
    /// and at last one for each chain.
    pub(super) fn candidates(&self) -> Vec<usize> {
        let closing = self.closing();
        if !closing.is_empty() {
            return closing;
        }
        let safe = self.safe();
        let mut lines: Vec<usize> = members(safe).collect();
        if lines.len() <= FEW {
            let chains = self.chains();
            let short = chains.iter().filter(|chain| lines.is_empty() || chain.boxes < CHAIN);
            let openings: Vec<usize> = short.map(|chain| chain.opening).collect();
            lines.extend(openings);
        }
        if lines.is_empty() { members(self.free()).collect() } else { lines }
    }

    /// Returns how many boxes more the side to move gets than the other, if both play best. Boards with
    /// the same lines are worth the same.
    pub(super) fn worth(&self, known: &mut HashMap<Bits, i32>) -> i32 {
        if let Some(worth) = known.get(&self.lines) {
            return *worth;
        }
        let closing = self.closing();
        let lines = if closing.is_empty() { members(self.free()).collect() } else { closing };
        let worth = lines.into_iter().map(|line| self.worth_of(line, known)).max().unwrap_or(0);
        known.insert(self.lines, worth);
        worth
    }

    /// Returns the same after a line of the side to move, for that side.
    fn worth_of(&self, line: usize, known: &mut HashMap<Bits, i32>) -> i32 {
        let mut next = *self;
        next.draw(line);
        let closed = i32::try_from(next.score(self.turn) - self.score(self.turn)).unwrap_or(0);
        let rest = next.worth(known);
        closed + if next.turn == self.turn { rest } else { -rest }
    }

    /// Returns the line that is worth most, the first of several.
    fn best(&self) -> Option<usize> {
        let mut known = HashMap::new();
        let worth = |line: &usize| self.worth_of(*line, &mut known);
        // `max_by_key` returns the last of several.
        members(self.free()).collect::<Vec<_>>().into_iter().rev().max_by_key(worth)
    }

    /// Plays on at random and returns the side that has more boxes.
    fn play_out(mut self, chance: &mut Chance) -> Option<Seat> {
        loop {
            let nearly_closed = self.nearly_closed().next();
            if let Some(at) = nearly_closed {
                let line = self.leaving(at).filter(|_| self.safe() == 0 && chance.below(2) == 0);
                let Some(line) = line.or_else(|| self.last_side(at)) else { break };
                self.draw(line);
                continue;
            }
            let safe = self.safe();
            if safe == 0 {
                break;
            }
            let index = chance.below(usize::try_from(safe.count_ones()).unwrap_or(1));
            let Some(line) = members(safe).nth(index) else { break };
            self.draw(line);
        }
        let [own, other] = [self.turn, self.turn.other()].map(|seat| i64::from(self.score(seat)));
        match own - other + i64::from(self.worth_of_chains()) {
            0 => None,
            more if more > 0 => Some(self.turn),
            _ => Some(self.turn.other()),
        }
    }

    /// Returns the move of the first level: it closes boxes, and avoids most lines that are not safe.
    fn simple(&self, below: RandomBelow) -> Option<usize> {
        let is_careless = below(100) < CARELESS;
        let lines = if is_careless { members(self.free()).collect() } else { self.candidates() };
        (!lines.is_empty()).then(|| lines[below(lines.len())])
    }
}

/// Returns a level's move.
pub(super) fn choose(position: &Position, level: u8, below: RandomBelow) -> Option<Cell> {
    let board = &position.board;
    match usize::from(level.clamp(1, LEVELS)).checked_sub(2) {
        _ if level >= LEVELS && board.free().count_ones() <= ENDING => {
            board.best().map(|line| board.edge(line))
        }
        None => board.simple(below).map(|line| board.edge(line)),
        Some(index) => playout_search::choose(position, PLAYOUTS[index], below),
    }
}

impl Playout for Position {
    fn candidates(&self) -> Vec<Cell> {
        self.board.candidates().into_iter().map(|line| self.board.edge(line)).collect()
    }

    fn play_out(&mut self, chance: &mut Chance) -> Option<Seat> {
        self.board.play_out(chance)
    }

    /// Lines do not tell who has drawn them.
    fn has_played(&self, _seat: Seat, _m: &Cell) -> bool {
        false
    }
}
