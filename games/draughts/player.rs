//! The program: it counts men and kings, how far men have come, and who holds the middle and the own last
//! row. The values are our own.

use super::Square;
use super::board::{Board, Step};
use crate::kit::history::PositionHistory;
use crate::kit::minimax::{self, Budget, Searched};
use crate::kit::tile::TileSet;
use crate::kit::{Next, Outcome, RandomBelow, Seat};

/// The number of levels, and the limits of each.
pub(crate) const LEVELS: u8 = 4;
const BUDGETS: [Budget; LEVELS as usize] = [
    Budget { depth: 1, nodes: 1_000, careless: 35 },
    Budget { depth: 2, nodes: 4_000, careless: 10 },
    Budget { depth: 64, nodes: 1_200, careless: 0 },
    Budget { depth: 64, nodes: 10_000, careless: 0 },
];

/// The values of a man, and of a king that walks and of one that flies.
const MAN: i32 = 100;
const KING: [i32; 2] = [140, 300];

/// The worth of each row that a man has come forward, of a man on the own last row, and of a man or king
/// in the middle.
const ROW: i32 = 3;
const GUARD: i32 = 7;
const MIDDLE: i32 = 4;

/// The worth of the move.
const TURN: i32 = 3;

/// The parts of a man's worth that a lead gains by each man that is off the board: with fewer men it
/// counts more.
const LEAD: i32 = 4;

/// Returns the program's step at a level.
pub(super) fn choose(
    board: &Board,
    past: &PositionHistory,
    level: u8,
    below: RandomBelow,
) -> Option<Step> {
    let root = SearchedBoard { board: *board, past, is_root: true };
    minimax::best(&root, BUDGETS[usize::from(level.clamp(1, LEVELS)) - 1], below)
}

/// A board within a search.
#[derive(Clone, Copy)]
struct SearchedBoard<'a> {
    board: Board,
    /// The positions that can be repeated.
    past: &'a PositionHistory,
    /// Whether it is the position to find a move for.
    is_root: bool,
}

impl Searched for SearchedBoard<'_> {
    type Move = Step;

    const SLOTS: usize = 100 * 100;

    fn slot(m: Step) -> usize {
        m.from.index() * 100 + m.to.index()
    }

    fn next(&self) -> Next {
        let turn = self.board.turn;
        if !self.board.can_move() {
            return Next::Over(Outcome::Won { by: turn.other(), points: 1, reason: "" });
        }
        // A position of the game that comes again leads nowhere.
        if !self.is_root && !self.past.is_empty() && self.past.contains(self.board.hash()) {
            return Next::Over(Outcome::Drawn { reason: "" });
        }
        Next::Move(turn)
    }

    fn moves(&self) -> Vec<Step> {
        self.board.steps()
    }

    fn promise(&self, m: Step) -> i32 {
        let seat = self.board.turn;
        let is_man = m.from.is_in(self.board.men[seat.index()]);
        let is_crowned = is_man && m.to.is_in(self.board.rules.last_row(seat));
        i32::try_from(m.taken.count_ones()).unwrap_or(0) << 21 | i32::from(is_crowned) << 20
    }

    /// Captures are forced, so a line never ends before one.
    fn is_urgent(&self) -> bool {
        self.board.must_take()
    }

    fn make(&mut self, m: Step) {
        self.board.make(m);
        self.is_root = false;
    }

    fn value(&self, seat: Seat) -> i32 {
        let Board { rules, turn, .. } = self.board;
        let [own, other] = [seat, seat.other()];
        let worth = |of: Seat| worth(&self.board, of);
        let lead = material(&self.board, own) - material(&self.board, other);
        let men = self.board.all(own).count_ones() + self.board.all(other).count_ones();
        let gone = i32::try_from(2 * rules.men() - men).unwrap_or(0);
        let move_worth = if turn == seat { TURN } else { -TURN };
        let value = lead + lead * gone * LEAD / MAN + worth(own) - worth(other) + move_worth;
        // A king alone can hardly be caught by two that fly.
        let is_held = rules.endings.iter().any(|ending| ending.is_ending(&self.board));
        if is_held { value / 8 } else { value }
    }

    fn key(&self) -> Option<u64> {
        Some(self.board.hash())
    }
}

fn count(set: TileSet) -> i32 {
    i32::try_from(set.count_ones()).unwrap_or(0)
}

/// Returns the worth of a side's men and kings wherever they are.
fn material(board: &Board, seat: Seat) -> i32 {
    let king = KING[usize::from(board.rules.kings_fly)];
    MAN * count(board.men[seat.index()]) + king * count(board.kings[seat.index()])
}

/// Returns the worth of where a side's men and kings are.
fn worth(board: &Board, seat: Seat) -> i32 {
    let (rules, men, kings) = (board.rules, board.men[seat.index()], board.kings[seat.index()]);
    let rows: i32 = Square::all_in(men)
        .map(|square| {
            let [_, rank] = square.place();
            if seat == rules.black { i32::from(rules.size) - 1 - rank } else { rank }
        })
        .sum();
    let guards = count(men & rules.last_row(seat.other()));
    ROW * rows + GUARD * guards + MIDDLE * count((men | kings) & rules.middle())
}
