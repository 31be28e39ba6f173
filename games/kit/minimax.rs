//! A search for games of two sides without chance: alpha-beta with a transposition table, deepened
//! move by move, and a search of captures where a line ends.
//!
//! A game evaluates its positions in [`Searched`]. Limits count positions, not time, so a level plays
//! the same on every machine.

use super::{Next, Outcome, RandomBelow, Seat};

/// The value of a win, higher than any evaluation. The margin of the win is added.
pub(crate) const WIN: i32 = 1 << 24;

/// The maximum depth of a line.
const PLIES: usize = 128;

/// The number of entries in the transposition table.
const TABLE: usize = 1 << 15;

/// The search limits of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// The depth in moves; forced moves are not counted.
    pub(crate) depth: u8,
    /// The maximum number of positions.
    pub(crate) nodes: u32,
    /// The percentage of moves made at random.
    pub(crate) careless: u8,
}

/// A position that can be searched: a game's own, or a smaller one made for the search. It is copied
/// for every move, so it should be small and own no memory.
pub(crate) trait Searched: Clone {
    /// A move, cheap to make and to compare. A pass is a move.
    type Move: Copy + Eq;

    /// The number of [`Searched::slot`]s.
    const SLOTS: usize;

    /// Returns a number below [`Searched::SLOTS`] that moves on the same places share. The search
    /// remembers by it which moves were good elsewhere.
    fn slot(m: Self::Move) -> usize;

    /// Returns what the position waits for. The search ends its lines at dice and deals.
    fn next(&self) -> Next;

    /// Lists the moves worth searching, often all legal ones.
    fn moves(&self) -> Vec<Self::Move>;

    /// Lists the moves to try where a line ends, so that a position is not evaluated in the middle of
    /// an exchange: captures, for example. They must come to an end.
    fn captures(&self) -> Vec<Self::Move> {
        Vec::new()
    }

    /// Returns the move ordering score of a move: a promising one is tried first.
    fn promise(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Returns whether the answer to this position is forced, such as one to a check, so that it does
    /// not count as depth.
    fn is_urgent(&self) -> bool {
        false
    }

    /// Returns whether a move that is the only one does not count as depth, such as a pass.
    fn is_free(_m: Self::Move) -> bool {
        false
    }

    /// Makes a listed move.
    fn make(&mut self, m: Self::Move);

    /// Evaluates the position of an unfinished game for a seat: antisymmetric, and below 2^20 in
    /// magnitude.
    fn value(&self, seat: Seat) -> i32;

    /// Returns a seat's margin after the end, below 2^12 in magnitude: a larger win is better.
    fn margin(&self, _seat: Seat) -> i32 {
        0
    }

    /// Returns a hash of all that affects the rest of the game; `None` disables the table.
    fn key(&self) -> Option<u64>;

    /// Returns a random legal move; `None` if there is none.
    fn any_move(&self, below: RandomBelow) -> Option<Self::Move> {
        let moves = self.moves();
        (!moves.is_empty()).then(|| moves[below(moves.len())])
    }
}

/// Returns the best move within a budget, a random one of equals; `None` if nobody is to move.
pub(crate) fn best<P: Searched>(
    position: &P,
    budget: Budget,
    below: RandomBelow,
) -> Option<P::Move> {
    let Next::Move(_) = position.next() else { return None };
    if budget.careless > 0 && below(100) < usize::from(budget.careless) {
        return position.any_move(below);
    }
    let mut moves = position.moves();
    if moves.is_empty() {
        return position.any_move(below);
    }
    for index in (1..moves.len()).rev() {
        moves.swap(index, below(index + 1));
    }
    let mut best = moves[0];
    if moves.len() == 1 {
        return Some(best);
    }
    let mut search = AlphaBetaSearch::<P>::new(budget);
    for depth in 1..=u32::from(budget.depth) {
        search.is_open = false;
        if let Some(found) = search.root(position, &moves, depth) {
            best = found;
        }
        if search.is_spent() || !search.is_open {
            break;
        }
        let place = moves.iter().position(|m| *m == best).expect("it was looked at");
        moves[..=place].rotate_right(1);
    }
    Some(best)
}

/// Where a line is searched from: the side to move there, the depth that is left, the moves since the
/// root, and the window of values that matter.
#[derive(Clone, Copy)]
struct Line {
    seat: Seat,
    depth: u32,
    ply: usize,
    window: [i32; 2],
}

/// The moves of a position with their ordering scores, the best taken first.
struct Ranking<M>(Vec<(M, i32)>);

impl<M: Copy> Ranking<M> {
    /// Selects the move with the highest score from an index on.
    fn pick(&mut self, place: usize) -> M {
        let (offset, _) = (0..)
            .zip(&self.0[place..])
            .reduce(|a: (usize, &(M, i32)), b| if b.1.1 > a.1.1 { b } else { a })
            .expect("the place is one of the list");
        self.0.swap(place, place + offset);
        self.0[place].0
    }
}

/// An entry of the transposition table.
#[derive(Clone, Copy)]
struct Memo<M> {
    key: u64,
    value: i32,
    depth: u8,
    bound: Bound,
    best: Option<M>,
}

impl<M> Memo<M> {
    /// Returns whether the entry decides a search of this depth and window.
    fn settles(&self, depth: u32, [alpha, beta]: [i32; 2]) -> bool {
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

struct AlphaBetaSearch<P: Searched> {
    nodes: u32,
    limit: u32,
    /// Whether a line was cut off before its game was over.
    is_open: bool,
    table: Vec<Memo<P::Move>>,
    /// The killer moves at each ply.
    killers: [[Option<P::Move>; 2]; PLIES],
    /// The history heuristic: cutoffs by seat and slot.
    history: [Vec<i32>; 2],
}

impl<P: Searched> AlphaBetaSearch<P> {
    fn new(budget: Budget) -> Self {
        let free = Memo { key: 0, value: 0, depth: 0, bound: Bound::Free, best: None };
        // A small search does not need a table.
        let table = if budget.depth > 2 { vec![free; TABLE] } else { Vec::new() };
        Self {
            nodes: 0,
            limit: budget.nodes,
            is_open: false,
            table,
            killers: [[None; 2]; PLIES],
            history: [vec![0; P::SLOTS], vec![0; P::SLOTS]],
        }
    }

    const fn is_spent(&self) -> bool {
        self.nodes >= self.limit
    }

    /// Searches the moves in this order and returns the best; `None` if the budget was spent before
    /// the value of any was known.
    fn root(&mut self, at: &P, moves: &[P::Move], depth: u32) -> Option<P::Move> {
        let Next::Move(seat) = at.next() else { return None };
        let (mut best, mut alpha) = (None, -i32::MAX);
        for (index, m) in moves.iter().enumerate() {
            let line = Line { seat, depth, ply: 0, window: [alpha, i32::MAX] };
            let value = self.after(at, *m, line, index > 0);
            if self.is_spent() {
                break;
            }
            if value > alpha {
                (alpha, best) = (value, Some(*m));
            }
        }
        best
    }

    /// Evaluates a move for the side that makes it. A move that `is_late` in the order is first searched with a null
    /// window.
    fn after(&mut self, position: &P, m: P::Move, line: Line, is_late: bool) -> i32 {
        let mut next = position.clone();
        next.make(m);
        let Line { depth, ply, window: [alpha, beta], .. } = line;
        let line = Line { depth: depth - 1, ply: ply + 1, ..line };
        if is_late && alpha > -i32::MAX {
            let value = self.seen(&next, Line { window: [alpha, alpha + 1], ..line });
            if value <= alpha || value >= beta {
                return value;
            }
        }
        self.seen(&next, line)
    }

    /// Evaluates a position for the side of the line, whoever moves next.
    fn seen(&mut self, position: &P, line: Line) -> i32 {
        self.nodes += 1;
        let Line { seat, ply, window: [alpha, beta], .. } = line;
        match position.next() {
            Next::Over(outcome) => ended(position, outcome, seat, ply),
            Next::Move(due) if due == seat => self.value(position, line),
            Next::Move(due) => {
                -self.value(position, Line { seat: due, window: [-beta, -alpha], ..line })
            }
            Next::Roll(_) | Next::Deal | Next::Ready(..) => {
                self.is_open = true;
                position.value(seat)
            }
        }
    }

    /// Evaluates a position for the side that moves next. A value outside the window is only a bound.
    fn value(&mut self, position: &P, line: Line) -> i32 {
        let Line { seat, ply, window: [alpha, beta], .. } = line;
        let depth = line.depth + u32::from(position.is_urgent());
        if depth == 0 || ply + 1 >= PLIES || self.is_spent() {
            return self.end_of_line(position, line);
        }
        let slot = self.slot(position);
        let known = slot.and_then(|slot| self.known(slot));
        if let Some(seen) = known
            && seen.settles(depth, line.window)
        {
            self.is_open |= seen.value.abs() < WIN / 2;
            return seen.value;
        }
        let moves = position.moves();
        if moves.is_empty() {
            return self.end_of_line(position, line);
        }
        let is_free = matches!(moves[..], [only] if P::is_free(only));
        let depth = depth + u32::from(is_free);
        let mut moves = self.rank(position, &moves, line, known.and_then(|seen| seen.best));
        let (mut best, mut found, mut bar) = (-i32::MAX, None, alpha);
        for index in 0..moves.0.len() {
            let m = moves.pick(index);
            let value =
                self.after(position, m, Line { depth, window: [bar, beta], ..line }, index > 0);
            if self.is_spent() {
                return best.max(value);
            }
            if value > best {
                (best, found) = (value, Some(m));
            }
            bar = bar.max(value);
            if bar >= beta {
                self.refuted_by(m, seat, depth, ply);
                break;
            }
        }
        if let Some((key, index)) = slot {
            let bound = Bound::for_value(best, line.window);
            let depth = u8::try_from(depth).unwrap_or(u8::MAX);
            self.table[index] = Memo { key, value: best, depth, bound, best: found };
        }
        best
    }

    /// Evaluates the end of a line for the side to move: the position as it is, or after captures.
    fn end_of_line(&mut self, position: &P, line: Line) -> i32 {
        self.is_open = true;
        let Line { seat, ply, window: [alpha, beta], .. } = line;
        let mut best = position.value(seat);
        if best >= beta || ply + 1 >= PLIES || self.is_spent() {
            return best;
        }
        let moves = position.captures();
        let ranked = moves.into_iter().map(|m| (m, position.promise(m)));
        let mut moves = Ranking(ranked.collect());
        let mut bar = alpha.max(best);
        for index in 0..moves.0.len() {
            let m = moves.pick(index);
            let line = Line { depth: 1, window: [bar, beta], ..line };
            best = best.max(self.after(position, m, line, false));
            bar = bar.max(best);
            if bar >= beta || self.is_spent() {
                break;
            }
        }
        best
    }

    /// Returns the key of a position and its slot in the table.
    fn slot(&self, position: &P) -> Option<(u64, usize)> {
        let key = position.key().filter(|_| !self.table.is_empty())?;
        Some((key, usize::try_from(key >> 32).expect("it has 32 bits") % TABLE))
    }

    /// Returns the table's entry for a key.
    fn known(&self, (key, index): (u64, usize)) -> Option<Memo<P::Move>> {
        Some(self.table[index]).filter(|seen| seen.bound != Bound::Free && seen.key == key)
    }

    /// Scores the moves: the best move of the shallower search first, then killer moves.
    fn rank(
        &self,
        position: &P,
        moves: &[P::Move],
        Line { seat, ply, .. }: Line,
        before: Option<P::Move>,
    ) -> Ranking<P::Move> {
        let bonus = |m: P::Move| match Some(m) {
            of if of == before => 1 << 28,
            of if self.killers[ply].contains(&of) => 1 << 27,
            _ => self.history[seat.index()][P::slot(m)],
        };
        Ranking(moves.iter().map(|&m| (m, position.promise(m) + bonus(m))).collect())
    }

    fn refuted_by(&mut self, m: P::Move, seat: Seat, depth: u32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let count = &mut self.history[seat.index()][P::slot(m)];
        *count = (*count + i32::try_from(depth * depth).unwrap_or(0)).min(1 << 20);
    }
}

/// Returns the value of a finished game for a seat: sooner wins and later losses are better.
pub(crate) fn ended<P: Searched>(position: &P, outcome: Outcome, seat: Seat, ply: usize) -> i32 {
    let delay = i32::try_from(ply).expect("a line is short");
    match outcome {
        Outcome::Won { by, .. } => {
            let worth = WIN + (position.margin(by) << 8) - delay;
            if by == seat { worth } else { -worth }
        }
        Outcome::Drawn { .. } => 0,
    }
}

#[cfg(test)]
mod tests;
