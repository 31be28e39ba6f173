//! Games of Lines of Action in the Smart Game Format (D. Dyer, *SGF for Lines of Action*): `b1-h1`, and
//! `c1:a3` where a man is taken.

use super::{DRAW, LoaMove, Position};
use crate::kit::sgf::{SgfGame, SgfMove, SgfRecord};
use crate::kit::{Game, MoveError};

/// The rules under which a move that joins the men of both sides is a draw.
const BOTH_DRAW: &str = "simultaneous connection draws";

impl SgfGame for Position {
    const NUMBER: Option<i64> = Some(9);

    fn sgf_root(&self) -> String {
        let rules = if self.both_draw { format!("RU[{BOTH_DRAW}]") } else { String::new() };
        format!("{rules}SZ[{}]", self.board.size)
    }

    fn sgf_move(&self, m: &LoaMove) -> Option<String> {
        Some(match m {
            LoaMove::Man { from, to, takes: true } => format!("{from}:{to}"),
            m => m.to_string(),
        })
    }

    fn sgf_options(record: &SgfRecord) -> Vec<String> {
        if record.rules == BOTH_DRAW { vec![DRAW.into()] } else { Vec::new() }
    }

    fn read_sgf(&self, m: &SgfMove) -> Result<Vec<LoaMove>, MoveError> {
        // Marks for human readers may follow, as in `C2:C5++`.
        let value = m.value.trim_end_matches(['+', '!', '?', '#']);
        self.read(value).map(|m| vec![m])
    }
}
