//! Games of Amazons in the Smart Game Format (M. Müller, *SGF for Amazons*): a move is the letters of its
//! three squares, `djddgd`.
//!
//! The side that moves first is White here and Black there; it starts at the lower edge in both.

use super::{AmazonsMove, Position, Square};
use crate::kit::sgf::{self, SgfGame, SgfMove};
use crate::kit::{Game, MoveError, Seat};

impl Position {
    /// Writes a square by two letters.
    fn letters(&self, square: Square) -> String {
        let [file, rank] = square.place().map(|part| u8::try_from(part).unwrap_or(0));
        sgf::letters([file, self.board.size - 1 - rank])
    }

    /// Reads three squares of two letters each.
    fn squares(&self, letters: &str) -> Option<[Square; 3]> {
        let size = self.board.size;
        let square = |at: usize| {
            let [file, row] = sgf::place(letters.get(at..at + 2)?, size)?;
            Some(Square::at(file, size - 1 - row))
        };
        let squares = [square(0)?, square(2)?, square(4)?];
        (letters.len() == 6).then_some(squares)
    }
}

impl SgfGame for Position {
    const NUMBER: Option<i64> = Some(18);

    fn sgf_root(&self) -> String {
        format!("SZ[{}]", self.board.size)
    }

    fn sgf_setup(&self) -> [Vec<String>; 2] {
        Seat::BOTH.map(|seat| {
            let queens = Square::all_in(self.board.queens[seat.index()]);
            queens.map(|square| self.letters(square)).collect()
        })
    }

    fn sgf_move(&self, m: &AmazonsMove) -> Option<String> {
        Some(m.0.map(|square| self.letters(square)).concat())
    }

    fn read_sgf(&self, m: &SgfMove) -> Result<Vec<AmazonsMove>, MoveError> {
        match self.squares(&m.value) {
            Some(squares) => Ok(vec![AmazonsMove(squares)]),
            None => Self::spell(&m.value).map(|m| vec![m]),
        }
    }
}
