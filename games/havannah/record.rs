//! Games of Havannah of Little Golem in the Smart Game Format. They do not say their game, White begins, and
//! the ranks of each file are counted from its lowest cell: `G1` of a board of four is our g4.

use super::Position;
use crate::connection::CellMove;
use crate::kit::sgf::SgfRecord;
use crate::kit::{Game, Seat};

/// Translates a game in which White begins.
pub(super) fn translate(record: &mut SgfRecord) {
    if record.game.is_some() || record.moves.first().map(|m| m.seat) != Some(Seat(1)) {
        return;
    }
    let side = record.size.map_or(0, |[side, _]| side);
    record.players.swap(0, 1);
    for m in &mut record.moves {
        m.seat = m.seat.other();
        if let Ok(CellMove::Stone(mut cell)) = Position::spell(&m.value) {
            cell.rank = cell.rank.saturating_add(cell.file.saturating_sub(side));
            m.value = cell.to_string();
        }
    }
}
