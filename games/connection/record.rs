//! Games of connection in the Smart Game Format: cells have the names that the board shows.

use super::{CellMove, ConnectionGame, Position};
use crate::kit::sgf::{SgfGame, SgfMove, SgfRecord};
use crate::kit::{Game, MoveError};

/// The rules of a board on which nobody may swap.
const RULES: &str = "no swap";

impl<G: ConnectionGame> SgfGame for Position<G> {
    const NUMBER: Option<i64> = G::SGF_NUMBER;

    fn sgf_root(&self) -> String {
        let rules = if self.may_swap { String::new() } else { format!("RU[{RULES}]") };
        format!("{rules}SZ[{}]", self.side())
    }

    fn sgf_move(&self, m: &CellMove) -> Option<String> {
        Some(match m {
            CellMove::Stone(cell) => cell.to_string(),
            CellMove::Swap => G::SGF_SWAP.into(),
        })
    }

    fn sgf_options(record: &SgfRecord) -> Vec<String> {
        if record.rules == RULES { vec!["noswap".into()] } else { Vec::new() }
    }

    fn sgf_translate(record: &mut SgfRecord) {
        G::sgf_translate(record);
    }

    fn read_sgf(&self, m: &SgfMove) -> Result<Vec<CellMove>, MoveError> {
        if m.value.eq_ignore_ascii_case(G::SGF_SWAP) {
            return Ok(vec![CellMove::Swap]);
        }
        Self::spell(&m.value).map(|m| vec![m])
    }
}
