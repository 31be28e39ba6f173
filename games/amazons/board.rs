//! Queens and arrows as sets of bits, and how far a queen or an arrow goes.

use super::Square;
use crate::kit::tile::{DIRECTIONS, TileSet};
use crate::kit::{Next, Outcome, Seat};

/// What is on the board, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The number of files, equal to the number of ranks.
    pub(super) size: u8,
    pub(super) queens: [TileSet; 2],
    pub(super) arrows: TileSet,
    pub(super) turn: Seat,
}

impl Board {
    /// Returns the start: two queens of each side on the side's first rank, and two on the outer files.
    pub(super) fn start(size: u8) -> Self {
        let near = size / 2 - 2;
        let far = size - 1;
        let of = |home: u8, outer: u8| {
            let squares = [(near, home), (far - near, home), (0, outer), (far, outer)];
            squares.into_iter().fold(0, |set, (file, rank)| set | Square::at(file, rank).bit())
        };
        Self { size, queens: [of(0, near), of(far, far - near)], arrows: 0, turn: Seat(0) }
    }

    /// Returns the squares of the board.
    pub(super) const fn squares(&self) -> TileSet {
        let rank = (1 << self.size) - 1;
        let (mut squares, mut above) = (0, 0);
        while above < self.size {
            squares |= rank << (10 * above);
            above += 1;
        }
        squares
    }

    /// Returns the squares of queens and arrows.
    pub(super) const fn taken(&self) -> TileSet {
        self.queens[0] | self.queens[1] | self.arrows
    }

    pub(super) const fn own(&self) -> TileSet {
        self.queens[self.turn.0 as usize]
    }

    /// Returns the squares that a queen reaches from a square if these are taken.
    pub(super) fn reach(&self, from: Square, taken: TileSet) -> TileSet {
        let free = |step| from.ray(step, self.size).take_while(|at| !at.is_in(taken));
        DIRECTIONS.into_iter().flat_map(free).fold(0, |set, at| set | at.bit())
    }

    /// Returns the squares that an arrow reaches from where a queen has moved.
    pub(super) fn shots(&self, [from, to]: [Square; 2]) -> TileSet {
        self.reach(to, self.taken() & !from.bit())
    }

    /// Returns all moves: start, end and arrow.
    pub(super) fn moves(&self) -> impl Iterator<Item = [Square; 3]> + use<> {
        let board = *self;
        Square::all_in(board.own()).flat_map(move |from| {
            Square::all_in(board.reach(from, board.taken())).flat_map(move |to| {
                Square::all_in(board.shots([from, to])).map(move |arrow| [from, to, arrow])
            })
        })
    }

    /// Returns whether the side to move has a move: a queen that can move can shoot back.
    pub(super) fn can_move(&self) -> bool {
        let free = |from: Square| {
            let beside = DIRECTIONS.into_iter().filter_map(|step| from.beside(step, self.size));
            beside.into_iter().any(|next| !next.is_in(self.taken()))
        };
        Square::all_in(self.own()).any(free)
    }

    /// Returns the end of the game where the side to move cannot move.
    pub(super) const fn lost(&self) -> Next {
        let reason = "by making the last move";
        Next::Over(Outcome::Won { by: self.turn.other(), points: 1, reason })
    }

    /// Makes a move and gives the turn to the other side.
    pub(super) fn play(&mut self, [from, to, arrow]: [Square; 3]) {
        self.queens[self.turn.index()] ^= from.bit() | to.bit();
        self.arrows |= arrow.bit();
        self.turn = self.turn.other();
    }
}
