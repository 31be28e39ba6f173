//! Games of Hex in the Smart Game Format (R, *Red Bean, SGF for Hex*), as `HexGui` writes them.
//!
//! Two other spellings are read. Little Golem's files do not say their game, name cells by two letters, and
//! call the first mover's stones white. `swap-sides` leaves the first stone where it is and exchanges the
//! sides of the players; the moves after it are read as after a swap of pieces, mirrored.

use super::Position;
use crate::connection::CellMove;
use crate::kit::cell::Cell;
use crate::kit::sgf::{self, SgfRecord};
use crate::kit::{Game, MAX_FILES, Seat};

pub(super) const SWAP_PIECES: &str = "swap-pieces";
const SWAP_SIDES: &str = "swap-sides";

/// Translates both other spellings.
pub(super) fn translate(record: &mut SgfRecord) {
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
    record.exchange_result();
    for m in &mut record.moves[swap + 1..] {
        m.seat = m.seat.other();
        if let Ok(CellMove::Stone(cell)) = Position::spell(&m.value) {
            m.value = Position::swapped(cell).to_string();
        }
    }
}
