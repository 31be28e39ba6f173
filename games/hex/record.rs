//! Games of Hex in the Smart Game Format (R, *Red Bean, SGF for Hex*), as `HexGui` writes them.
//!
//! Two other spellings are read. Little Golem's files do not say their game, name cells by two letters, and
//! call the first mover's stones white. `swap-sides` leaves the first stone where it is and exchanges the
//! sides of the players; the moves after it are read as after a swap of pieces, mirrored.

use super::{Cell, HexMove, Position};
use crate::kit::sgf::{self, SgfGame, SgfMove, SgfRecord};
use crate::kit::{Game, MAX_FILES, MoveError, Seat};

const SWAP_PIECES: &str = "swap-pieces";
const SWAP_SIDES: &str = "swap-sides";

/// The rules of a board on which nobody may swap.
const NO_SWAP: &str = "no swap";

impl SgfGame for Position {
    const NUMBER: i64 = 11;

    fn sgf_root(&self) -> String {
        let rules = if self.may_swap { String::new() } else { format!("RU[{NO_SWAP}]") };
        format!("{rules}SZ[{}]", self.size)
    }

    fn sgf_move(&self, m: &HexMove) -> Option<String> {
        Some(match m {
            HexMove::Stone(cell) => cell.to_string(),
            HexMove::Swap => SWAP_PIECES.into(),
        })
    }

    fn sgf_options(record: &SgfRecord) -> Vec<String> {
        if record.rules == NO_SWAP { vec!["noswap".into()] } else { Vec::new() }
    }

    fn sgf_translate(record: &mut SgfRecord) {
        let first = record.moves.first().map(|m| m.seat);
        let size = record.size.map_or(MAX_FILES, |[files, _]| files.min(MAX_FILES));
        if record.number.is_none() && first == Some(Seat(1)) {
            for m in &mut record.moves {
                m.seat = m.seat.other();
                if let Some([file, row]) = sgf::place(&m.value, size) {
                    m.value = Cell { file: file + 1, rank: row + 1 }.to_string();
                }
            }
        }
        let swap = record.moves.iter().position(|m| m.value.eq_ignore_ascii_case(SWAP_SIDES));
        let Some(swap) = swap else { return };
        SWAP_PIECES.clone_into(&mut record.moves[swap].value);
        for m in &mut record.moves[swap + 1..] {
            m.seat = m.seat.other();
            if let Ok(HexMove::Stone(cell)) = Self::spell(&m.value) {
                m.value = cell.mirrored().to_string();
            }
        }
    }

    fn read_sgf(&self, m: &SgfMove) -> Result<Vec<HexMove>, MoveError> {
        if m.value.eq_ignore_ascii_case(SWAP_PIECES) {
            return Ok(vec![HexMove::Swap]);
        }
        Self::spell(&m.value).map(|m| vec![m])
    }
}
