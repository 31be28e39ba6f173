//! The program: it counts the pegs that each side needs, and looks at the holes where they would be.

use super::board::Chains;
use super::{Position, TwixtMove};
use crate::kit::cell::Cell;
use crate::kit::minimax::{Budget, Searched};
use crate::kit::{Game, MAX_FILES, Next, RandomBelow, Seat};

/// The number of levels, and the limits of each.
pub(super) const LEVELS: u8 = 4;
const BUDGETS: [Budget; LEVELS as usize] = [
    Budget { depth: 1, nodes: 100, careless: 30 },
    Budget { depth: 1, nodes: 100, careless: 0 },
    Budget { depth: 2, nodes: 400, careless: 0 },
    Budget { depth: 64, nodes: 2_000, careless: 0 },
];

/// The most moves looked at in a position.
const WIDTH: usize = 16;

/// The worth of a peg that the other side needs more, and of a hole that is on one more shortest chain.
const NEED: i32 = 1_000;
const CHOICE: i32 = 12;
/// The most such holes that count.
const CHOICES: usize = 60;
/// What a side needs that cannot join its edges any more.
const NEVER: usize = 60;

pub(super) fn budget(level: u8) -> Budget {
    BUDGETS[usize::from(level.clamp(1, LEVELS) - 1)]
}

impl Position {
    /// Returns how far a hole is from the centre of the board, in halves.
    fn eccentricity(&self, cell: Cell) -> u16 {
        let middle = u16::from(self.board.size) + 1;
        [cell.file, cell.rank]
            .map(|number| (2 * u16::from(number)).abs_diff(middle))
            .into_iter()
            .sum()
    }
}

impl Searched for Position {
    type Move = TwixtMove;

    const SLOTS: usize = MAX_FILES as usize * MAX_FILES as usize + 1;

    fn slot(m: TwixtMove) -> usize {
        match m {
            TwixtMove::Peg(cell) => cell.index(MAX_FILES).unwrap_or(Self::SLOTS - 1),
            TwixtMove::Swap => Self::SLOTS - 1,
        }
    }

    fn next(&self) -> Next {
        Game::next(self)
    }

    /// Lists the holes that are on short chains of both sides first, then those of one, and of equals those
    /// near the last pegs or the centre.
    fn moves(&self) -> Vec<TwixtMove> {
        let last = self.last.filter(|_| self.swappable().is_none());
        let score = |cell: Cell| {
            let detour = |chains: &Chains| {
                let among = chains.detours.iter().position(|holes| holes.contains(cell));
                among.unwrap_or(chains.detours.len())
            };
            let detour: usize = self.chains.iter().map(detour).sum();
            let away = last.map_or(0, |last| {
                u16::from(last.file.abs_diff(cell.file) + last.rank.abs_diff(cell.rank))
            });
            (detour, 2 * away + self.eccentricity(cell), cell)
        };
        let mut ranked: Vec<(usize, u16, Cell)> = self.board.free(self.turn).map(score).collect();
        ranked.sort_unstable();
        ranked.truncate(WIDTH);
        let swap = self.swappable().map(|_| TwixtMove::Swap);
        ranked.into_iter().map(|(.., cell)| TwixtMove::Peg(cell)).chain(swap).collect()
    }

    fn make(&mut self, m: TwixtMove) {
        self.play(&m);
    }

    fn value(&self, seat: Seat) -> i32 {
        let worth = |seat: Seat| {
            let Chains { needs, detours } = &self.chains[seat.index()];
            let numbers = [detours[0].count().min(CHOICES), needs.unwrap_or(NEVER)];
            let [choices, needs] = numbers.map(|number| i32::try_from(number).unwrap_or(0));
            CHOICE * choices - NEED * needs
        };
        // The side to move is half a peg ahead.
        let turn = if self.turn == seat { NEED / 2 } else { -NEED / 2 };
        worth(seat) - worth(seat.other()) + turn
    }

    fn key(&self) -> Option<u64> {
        None
    }

    fn any_move(&self, below: RandomBelow) -> Option<TwixtMove> {
        let moves = Game::moves(self);
        (!moves.is_empty()).then(|| moves[below(moves.len())])
    }
}
