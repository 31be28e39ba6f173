//! The program's search: alpha-beta with a transposition table.
//!
//! A game evaluates its positions in [`Searchable`]. Search limits count positions, not time, so a
//! level plays the same on every machine.

use super::{Press, PressGame, SIZE, Square, Squares, Stones};
use crate::kit::{Next, Outcome, RandomBelow, Seat};

/// The value of a win, higher than any evaluation. The margin of the win is added.
const WIN: i32 = 1 << 24;

/// The maximum depth of a line.
const PLIES: usize = 128;

/// The number of moves: the points and the pass.
const PRESSES: usize = SIZE as usize * SIZE as usize + 1;

/// The number of entries in the transposition table.
const TABLE: usize = 1 << 15;

/// The search limits of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// The depth in moves; forced passes are not counted.
    pub(crate) depth: u8,
    /// The maximum number of positions.
    pub(crate) nodes: u32,
    /// The percentage of moves made at random.
    pub(crate) careless: u8,
}

impl Budget {
    /// The default limits of levels 1 to 4.
    pub(crate) const LEVELS: [Self; 4] = [
        Self { depth: 1, nodes: 1_000, careless: 25 },
        Self { depth: 2, nodes: 10_000, careless: 0 },
        Self { depth: 4, nodes: 40_000, careless: 0 },
        Self { depth: 64, nodes: 200_000, careless: 0 },
    ];
}

/// A game that can be searched. Positions are copied for every move, so they should be small and
/// own no memory.
pub(crate) trait Searchable: PressGame {
    /// The limits of levels 1 to 4; level 4 should take at most half a second for a move.
    const EFFORTS: [Budget; 4] = Budget::LEVELS;

    /// Evaluates the position of an unfinished game for a seat: antisymmetric, and below 2^20 in
    /// magnitude.
    fn value(&self, seat: Seat) -> i32;

    /// Returns a seat's margin after the end, below 2^12 in magnitude: a larger win is better.
    fn margin(&self, _seat: Seat) -> i32 {
        0
    }

    /// Returns the move ordering score of a press.
    fn promise(&self, _square: Square) -> i32 {
        0
    }

    /// Returns the legal points worth searching: by default all.
    fn candidates(&self) -> Squares {
        self.legal()
    }

    /// Returns whether to search a pass: by default wherever it is legal.
    fn considers_pass(&self) -> bool {
        self.may_pass()
    }

    /// Returns a hash of the position, such as [`key`]'s, that includes all that affects the rest
    /// of the game; `None` disables the table.
    fn key(&self) -> Option<u64> {
        None
    }
}

/// Returns a hash of stones, the seat to move, and a salt.
pub(crate) fn key(stones: &Stones, turn: Seat, more: u64) -> u64 {
    let mut key = more << 1 | u64::from(turn.0);
    for seat in Seat::BOTH {
        for half in stones[seat].halves() {
            // The mixing step of SplitMix64.
            key = key.wrapping_add(half).wrapping_add(0x9e37_79b9_7f4a_7c15);
            key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            key ^= key >> 31;
        }
    }
    key
}

/// Returns the program's move at a level from 1 to 4; `None` if nobody is to move.
pub(crate) fn choose<P: Searchable>(position: &P, level: u8, below: RandomBelow) -> Option<Press> {
    best(position, P::EFFORTS[usize::from(level.clamp(1, 4)) - 1], below)
}

/// Returns the best move within a budget, a random one of equals; `None` if nobody is to move.
pub(crate) fn best<P: Searchable>(
    position: &P,
    effort: Budget,
    below: RandomBelow,
) -> Option<Press> {
    let Next::Move(_) = PressGame::next(position) else { return None };
    if effort.careless > 0 && below(100) < usize::from(effort.careless) {
        let square = position.legal().any(below);
        return Some(square.map_or(Press::Pass, Press::At));
    }
    let mut moves = Ranking::from_position(position);
    if moves.len == 0 {
        let square = position.legal().any(below);
        return Some(square.map_or(Press::Pass, Press::At));
    }
    for index in (1..moves.len).rev() {
        moves.list.swap(index, below(index + 1));
    }
    let mut best = moves.list[0].press;
    if moves.len == 1 {
        return Some(best);
    }
    let mut search = AlphaBetaSearch::new(effort);
    for depth in 1..=u32::from(effort.depth) {
        search.open = false;
        let found = search.root(position, &mut moves, depth);
        if let Some(found) = found {
            best = found;
        }
        if search.is_spent() || !search.open {
            break;
        }
        let of_best = |known: &RankedPress| known.press == best;
        let place = moves.list[..moves.len].iter().position(of_best).expect("it was looked at");
        moves.list[..=place].rotate_right(1);
    }
    Some(best)
}

/// A move with its ordering score.
#[derive(Clone, Copy)]
struct RankedPress {
    press: Press,
    promise: i32,
}

/// The moves of a position.
struct Ranking {
    list: [RankedPress; PRESSES],
    len: usize,
}

impl Ranking {
    fn from_position<P: Searchable>(position: &P) -> Self {
        let none = RankedPress { press: Press::Pass, promise: i32::MIN };
        let mut moves = Self { list: [none; PRESSES], len: 0 };
        for square in position.candidates().iter() {
            moves.push(Press::At(square), position.promise(square));
        }
        if position.considers_pass() {
            moves.push(Press::Pass, 0);
        }
        moves
    }

    fn push(&mut self, press: Press, promise: i32) {
        self.list[self.len] = RankedPress { press, promise };
        self.len += 1;
    }

    /// Selects the move with the highest score from an index on.
    fn pick(&mut self, place: usize) -> Press {
        let ahead = &self.list[place..self.len];
        let (offset, _) = (0..)
            .zip(ahead)
            .reduce(|a: (usize, &RankedPress), b| if b.1.promise > a.1.promise { b } else { a })
            .expect("the place is one of the list");
        self.list.swap(place, place + offset);
        self.list[place].press
    }
}

/// An entry of the transposition table.
#[derive(Clone, Copy)]
struct Memo {
    key: u64,
    value: i32,
    depth: u8,
    bound: Bound,
    /// The best move, as an index of [`place`].
    best: u8,
}

impl Memo {
    fn new(key: u64, depth: u32, value: i32, bound: Bound, best: Press) -> Self {
        let best = u8::try_from(place(best)).expect("the board has few points");
        Self { key, value, depth: u8::try_from(depth).unwrap_or(u8::MAX), bound, best }
    }

    /// Returns whether the entry decides a search of this depth and window.
    fn settles(self, depth: u32, [alpha, beta]: [i32; 2]) -> bool {
        u32::from(self.depth) >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Least => self.value >= beta,
                Bound::Most => self.value <= alpha,
                Bound::Free => false,
            }
    }
}

/// The kind of a value in the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// An empty entry.
    Free,
    /// An exact value.
    Exact,
    /// A lower bound.
    Least,
    /// An upper bound.
    Most,
}

impl Bound {
    /// Returns the kind of a value found within a window.
    fn for_value(value: i32, [alpha, beta]: [i32; 2]) -> Self {
        match value {
            _ if value >= beta => Self::Least,
            _ if value > alpha => Self::Exact,
            _ => Self::Most,
        }
    }
}

/// Returns a move as an index below [`PRESSES`].
fn place(press: Press) -> usize {
    match press {
        Press::At(square) => square.index(),
        Press::Pass => PRESSES - 1,
    }
}

struct AlphaBetaSearch {
    nodes: u32,
    limit: u32,
    /// Whether a line was cut off before its game was over.
    open: bool,
    table: Vec<Memo>,
    /// The killer moves at each ply.
    killers: [[u8; 2]; PLIES],
    /// The history heuristic: cutoffs by seat and move.
    history: [[i32; PRESSES]; 2],
}

impl AlphaBetaSearch {
    const NOBODY: u8 = u8::MAX;

    fn new(effort: Budget) -> Self {
        let free = Memo { key: 0, value: 0, depth: 0, bound: Bound::Free, best: Self::NOBODY };
        // A small search does not need a table.
        let table = if effort.depth > 2 { vec![free; TABLE] } else { Vec::new() };
        Self {
            nodes: 0,
            limit: effort.nodes,
            open: false,
            table,
            killers: [[Self::NOBODY; 2]; PLIES],
            history: [[0; PRESSES]; 2],
        }
    }

    const fn is_spent(&self) -> bool {
        self.nodes >= self.limit
    }

    /// Searches the moves in this order and returns the best; `None` if the budget was spent first.
    /// was known of any.
    fn root<P: Searchable>(&mut self, at: &P, moves: &mut Ranking, depth: u32) -> Option<Press> {
        let Next::Move(seat) = PressGame::next(at) else { return None };
        let mut best = None;
        let mut alpha = -i32::MAX;
        for index in 0..moves.len {
            let press = moves.list[index].press;
            let value = self.after(at, seat, press, depth, 0, [alpha, i32::MAX], index > 0);
            if self.is_spent() {
                break;
            }
            if value > alpha {
                (alpha, best) = (value, Some(press));
            }
        }
        best
    }

    /// Evaluates a move for a seat. A `late` move is first searched with a null window.
    #[expect(clippy::too_many_arguments, reason = "all arguments differ between calls")]
    fn after<P: Searchable>(
        &mut self,
        position: &P,
        seat: Seat,
        press: Press,
        depth: u32,
        ply: usize,
        [alpha, beta]: [i32; 2],
        late: bool,
    ) -> i32 {
        let mut next = position.clone();
        match press {
            Press::At(square) => next.press(square),
            Press::Pass => next.pass(),
        }
        if late && alpha > -i32::MAX {
            let value = self.seen_by(seat, &next, depth - 1, ply + 1, [alpha, alpha + 1]);
            if value <= alpha || value >= beta {
                return value;
            }
        }
        self.seen_by(seat, &next, depth - 1, ply + 1, [alpha, beta])
    }

    /// Evaluates a position for a seat, whoever moves next.
    fn seen_by<P: Searchable>(
        &mut self,
        seat: Seat,
        position: &P,
        depth: u32,
        ply: usize,
        [alpha, beta]: [i32; 2],
    ) -> i32 {
        self.nodes += 1;
        match PressGame::next(position) {
            Next::Over(outcome) => ended(position, outcome, seat, ply),
            Next::Move(due) if due == seat => self.value(position, seat, depth, ply, [alpha, beta]),
            Next::Move(due) => -self.value(position, due, depth, ply, [-beta, -alpha]),
            Next::Roll(_) | Next::Deal | Next::Ready(..) => self.left_open(position, seat),
        }
    }

    /// Evaluates a position for the seat that moves next. A value outside the window is only a
    /// bound.
    fn value<P: Searchable>(
        &mut self,
        position: &P,
        seat: Seat,
        depth: u32,
        ply: usize,
        [alpha, beta]: [i32; 2],
    ) -> i32 {
        if depth == 0 || ply + 1 >= PLIES || self.is_spent() {
            return self.left_open(position, seat);
        }
        let slot = self.slot(position);
        let known = slot.and_then(|slot| self.known(slot));
        if let Some(seen) = known
            && seen.settles(depth, [alpha, beta])
        {
            self.open |= seen.value.abs() < WIN / 2;
            return seen.value;
        }
        let mut moves = Ranking::from_position(position);
        if moves.len == 0 {
            return self.left_open(position, seat);
        }
        // A forced pass does not count as depth.
        let must_pass = moves.len == 1 && moves.list[0].press == Press::Pass;
        let depth = depth + u32::from(must_pass);
        self.order(&mut moves, seat, ply, known.map(|seen| seen.best));
        let (mut best, mut found, mut bar) = (-i32::MAX, Press::Pass, alpha);
        for index in 0..moves.len {
            let press = moves.pick(index);
            let value = self.after(position, seat, press, depth, ply, [bar, beta], index > 0);
            if self.is_spent() {
                return best.max(value);
            }
            if value > best {
                (best, found) = (value, press);
            }
            bar = bar.max(value);
            if bar >= beta {
                self.refuted_by(press, seat, depth, ply);
                break;
            }
        }
        if let Some((key, index)) = slot {
            let bound = Bound::for_value(best, [alpha, beta]);
            self.table[index] = Memo::new(key, depth, best, bound, found);
        }
        best
    }

    /// Evaluates a leaf.
    fn left_open<P: Searchable>(&mut self, position: &P, seat: Seat) -> i32 {
        self.open = true;
        position.value(seat)
    }

    /// Returns the key of a position and its slot in the table.
    fn slot<P: Searchable>(&self, position: &P) -> Option<(u64, usize)> {
        let key = position.key().filter(|_| !self.table.is_empty())?;
        Some((key, usize::try_from(key >> 32).expect("it has 32 bits") % TABLE))
    }

    /// Returns the table's entry for a key.
    fn known(&self, (key, index): (u64, usize)) -> Option<Memo> {
        Some(self.table[index]).filter(|seen| seen.bound != Bound::Free && seen.key == key)
    }

    /// Orders the moves: the best move of the shallower search first, then killer moves.
    fn order(&self, moves: &mut Ranking, seat: Seat, ply: usize, before: Option<u8>) {
        for known in &mut moves.list[..moves.len] {
            let place = place(known.press);
            known.promise += match u8::try_from(place).ok() {
                of if of == before => 1 << 28,
                Some(of) if self.killers[ply].contains(&of) => 1 << 27,
                _ => self.history[seat.index()][place],
            };
        }
    }

    fn refuted_by(&mut self, press: Press, seat: Seat, depth: u32, ply: usize) {
        let place = place(press);
        let of = u8::try_from(place).expect("the board has few points");
        let killers = &mut self.killers[ply];
        if killers[0] != of {
            *killers = [of, killers[0]];
        }
        let count = &mut self.history[seat.index()][place];
        *count = (*count + i32::try_from(depth * depth).unwrap_or(0)).min(1 << 20);
    }
}

/// Returns the value of a finished game for a seat: sooner wins and later losses are better.
fn ended<P: Searchable>(position: &P, outcome: Outcome, seat: Seat, ply: usize) -> i32 {
    let late = i32::try_from(ply).expect("a line is short");
    match outcome {
        Outcome::Won { by, .. } => {
            let worth = WIN + (position.margin(by) << 8) - late;
            if by == seat { worth } else { -worth }
        }
        Outcome::Drawn { .. } => 0,
    }
}

#[cfg(test)]
mod tests;
