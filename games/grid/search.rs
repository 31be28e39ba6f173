//! Looking ahead, for the program's own moves: alpha-beta with a table of positions seen.
//!
//! A game says in [`Searchable`] what a position is worth that it looks at no further. How far a level
//! looks is counted in positions, never in time, so a level moves alike on every machine.

use super::{Press, PressGame, SIZE, Square, Squares, Stones};
use crate::kit::{Next, Outcome, RandomBelow, Seat};

/// The value of a win, more than any position of a game that goes on. The margin of the win is
/// added to it.
const WIN: i32 = 1 << 24;

/// No line is looked at any further than this.
const PLIES: usize = 128;

/// The points of the board and the pass.
const PRESSES: usize = SIZE as usize * SIZE as usize + 1;

/// Positions that the table can hold.
const TABLE: usize = 1 << 15;

/// How hard a level thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// How many moves it looks ahead; passes to which there is no choice are not counted.
    pub(crate) depth: u8,
    /// At most so many positions are looked at.
    pub(crate) nodes: u32,
    /// How many moves of a hundred it makes without thinking.
    pub(crate) careless: u8,
}

impl Budget {
    /// The efforts of levels 1 to 4 of a game unless it sets others in [`Searchable::EFFORTS`].
    pub(crate) const LEVELS: [Self; 4] = [
        Self { depth: 1, nodes: 1_000, careless: 25 },
        Self { depth: 2, nodes: 10_000, careless: 0 },
        Self { depth: 4, nodes: 40_000, careless: 0 },
        Self { depth: 64, nodes: 200_000, careless: 0 },
    ];
}

/// A game that can be thought about. Positions are copied for every move looked at, so they should
/// be small and own nothing.
pub(crate) trait Searchable: PressGame {
    /// The efforts of levels 1 to 4; level 4 should need no more than half a second for a move.
    const EFFORTS: [Budget; 4] = Budget::LEVELS;

    /// How good the position of a game that goes on is for that seat: as bad for the other one, and
    /// below 2^20 both ways.
    fn value(&self, seat: Seat) -> i32;

    /// How far a seat is ahead where the game is over, below 2^12 both ways: a larger win is better.
    fn margin(&self, _seat: Seat) -> i32 {
        0
    }

    /// How good a press looks before it is tried: good ones first make the search short.
    fn promise(&self, _square: Square) -> i32 {
        0
    }

    /// The legal points worth thinking about: by default all.
    fn candidates(&self) -> Squares {
        self.legal()
    }

    /// Whether to think about a pass, too: by default wherever it is allowed.
    fn considers_pass(&self) -> bool {
        self.may_pass()
    }

    /// A number that positions from which play goes on in different ways do not share, such as
    /// [`key`] makes; none if a position reached in several ways must be thought about each time.
    fn key(&self) -> Option<u64> {
        None
    }
}

/// A number for these stones with that seat to move, and what else must be told apart.
pub(crate) fn key(stones: &Stones, turn: Seat, more: u64) -> u64 {
    let mut key = more << 1 | u64::from(turn.0);
    for seat in Seat::BOTH {
        for half in stones[seat].halves() {
            // As in SplitMix64.
            key = key.wrapping_add(half).wrapping_add(0x9e37_79b9_7f4a_7c15);
            key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            key ^= key >> 31;
        }
    }
    key
}

/// The move that the program makes at that level, from 1 to 4; none where it is nobody's turn.
pub(crate) fn choose<P: Searchable>(position: &P, level: u8, below: RandomBelow) -> Option<Press> {
    best(position, P::EFFORTS[usize::from(level.clamp(1, 4)) - 1], below)
}

/// The best move that so much effort finds, any of several that seem as good; none where nobody is
/// to move.
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

/// A move to be looked at, with what it promises.
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

    /// The most promising of those from that place on, which it takes.
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

/// The table's entry for a position.
#[derive(Clone, Copy)]
struct Memo {
    key: u64,
    value: i32,
    depth: u8,
    bound: Bound,
    /// The move that was best, as [`place`] counts them.
    best: u8,
}

impl Memo {
    fn new(key: u64, depth: u32, value: i32, bound: Bound, best: Press) -> Self {
        let best = u8::try_from(place(best)).expect("the board has few points");
        Self { key, value, depth: u8::try_from(depth).unwrap_or(u8::MAX), bound, best }
    }

    /// Whether a search so deep, between those bounds, can find nothing else.
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

/// The meaning of a value in the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// Nothing: nobody was here.
    Free,
    /// It is the value.
    Exact,
    /// The value is no less.
    Least,
    /// The value is no more.
    Most,
}

impl Bound {
    /// The meaning of a value that was found between those bounds.
    fn for_value(value: i32, [alpha, beta]: [i32; 2]) -> Self {
        match value {
            _ if value >= beta => Self::Least,
            _ if value > alpha => Self::Exact,
            _ => Self::Most,
        }
    }
}

/// A move as a number below [`PRESSES`].
fn place(press: Press) -> usize {
    match press {
        Press::At(square) => square.index(),
        Press::Pass => PRESSES - 1,
    }
}

struct AlphaBetaSearch {
    nodes: u32,
    limit: u32,
    /// Whether a line was left off before its game was over.
    open: bool,
    table: Vec<Memo>,
    /// At each ply, the moves that last proved another move wrong.
    killers: [[u8; 2]; PLIES],
    /// How often a move of a seat did so anywhere.
    history: [[i32; PRESSES]; 2],
}

impl AlphaBetaSearch {
    const NOBODY: u8 = u8::MAX;

    fn new(effort: Budget) -> Self {
        let free = Memo { key: 0, value: 0, depth: 0, bound: Bound::Free, best: Self::NOBODY };
        // So little is not worth a table.
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

    /// The best of these moves, looked at in this order; none if the effort was spent before it
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

    /// The value for a seat of making that move; of a `late` one it is at first only asked
    /// whether it is better than what is known.
    #[expect(clippy::too_many_arguments, reason = "all of it differs from call to call")]
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

    /// The value of a position for a seat, no matter which side moves next.
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

    /// The value of a position for the seat that moves next. A value that is not above `alpha` or
    /// not below `beta` is only a bound.
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
        // There is nothing to choose, so it does not count as looking ahead.
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

    /// The value of a position that is looked at no further.
    fn left_open<P: Searchable>(&mut self, position: &P, seat: Seat) -> i32 {
        self.open = true;
        position.value(seat)
    }

    /// The key of a position, and where the table has room for it.
    fn slot<P: Searchable>(&self, position: &P) -> Option<(u64, usize)> {
        let key = position.key().filter(|_| !self.table.is_empty())?;
        Some((key, usize::try_from(key >> 32).expect("it has 32 bits") % TABLE))
    }

    /// The table's entry for the position with that key.
    fn known(&self, (key, index): (u64, usize)) -> Option<Memo> {
        Some(self.table[index]).filter(|seen| seen.bound != Bound::Free && seen.key == key)
    }

    /// The move that is probably best comes first: the best one of the shallower search, then those
    /// that refuted other moves.
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

/// The value of a finished game for a seat: a sooner win is better, and so is a later loss.
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
