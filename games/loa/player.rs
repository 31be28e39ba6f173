//! The program: it likes men close together, and away from the edges.
//!
//! Source: M. Winands, *Informed Search in Complex Games* (2004), for the concentration of men and the worth
//! of squares.

use super::Square;
use super::board::{Board, groups};
use crate::kit::minimax::{Budget, Searched};
use crate::kit::tile::TileSet;
use crate::kit::{Next, Seat};

/// The number of levels, and the limits of each.
pub(super) const LEVELS: u8 = 4;
const BUDGETS: [Budget; LEVELS as usize] = [
    Budget { depth: 1, nodes: 1_000, careless: 30 },
    Budget { depth: 2, nodes: 5_000, careless: 10 },
    Budget { depth: 3, nodes: 10_000, careless: 0 },
    Budget { depth: 64, nodes: 20_000, careless: 0 },
];

/// The worth of a man on the outermost squares, and on those further inside.
const RINGS: [i32; 4] = [-40, -10, 10, 20];

/// The cost of each step by which men are further from their centre than they have to be, and of each
/// group beside the first.
const STEP: i32 = 300;
const GROUP: i32 = 15;

pub(super) fn budget(level: u8) -> Budget {
    BUDGETS[usize::from(level.clamp(1, LEVELS) - 1)]
}

/// A position without its past.
#[derive(Clone, Copy)]
pub(super) struct SearchedBoard {
    pub(super) board: Board,
    pub(super) both_draw: bool,
}

impl Searched for SearchedBoard {
    /// A man's start and end; `None` is a pass.
    type Move = Option<[Square; 2]>;

    const SLOTS: usize = 64 * 64;

    fn slot(m: Self::Move) -> usize {
        m.map_or(0, |[from, to]| from.index() * 64 + to.index())
    }

    fn next(&self) -> Next {
        let over = |end: super::End| Next::Over(end.outcome(self.both_draw));
        self.board.ending().map_or(Next::Move(self.board.turn), over)
    }

    fn moves(&self) -> Vec<Self::Move> {
        let moves: Vec<_> = self.board.steps().map(Some).collect();
        if moves.is_empty() { vec![None] } else { moves }
    }

    fn is_free(m: Self::Move) -> bool {
        m.is_none()
    }

    fn make(&mut self, m: Self::Move) {
        match m {
            Some(step) => self.board.step(step),
            None => self.board.turn = self.board.turn.other(),
        }
    }

    fn value(&self, seat: Seat) -> i32 {
        let [own, other] =
            [seat, seat.other()].map(|seat| self.worth(self.board.men[seat.index()]));
        own - other
    }

    fn key(&self) -> Option<u64> {
        Some(self.board.hash())
    }
}

impl SearchedBoard {
    /// Returns the worth of a side's men, of which there is at least one.
    fn worth(&self, men: TileSet) -> i32 {
        let places = || Square::all_in(men).map(Square::place);
        let count = i32::try_from(men.count_ones()).expect("a side has a few men");
        let middle = |of: fn([i32; 2]) -> i32| (places().map(of).sum::<i32>() + count / 2) / count;
        let middle = [middle(|[file, _]| file), middle(|[_, rank]| rank)];
        let last = i32::from(self.board.size) - 1;
        let (mut steps, mut squares) = (0, 0);
        for [file, rank] in places() {
            steps += (file - middle[0]).abs().max((rank - middle[1]).abs());
            let ring = file.min(last - file).min(rank.min(last - rank));
            squares += usize::try_from(ring).map_or(0, |ring| RINGS[ring]);
        }
        // Eight men fit around the centre, and sixteen around these.
        let fewest = (count - 1).max(2 * count - 10);
        let groups = i32::try_from(groups(men)).expect("a side has a few men");
        (squares - STEP * (steps - fewest)) / count - GROUP * (groups - 1)
    }
}
