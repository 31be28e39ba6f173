//! Games of `TwixT` in the Smart Game Format. Its number there is 21; no standard says how a move is
//! written, so places are two letters, as Little Golem writes them, file and row from the upper left corner.
//!
//! Little Golem names moves `b` and `r` in turn, and may add words behind a bar:
//! `b[pl|draw]`. Its swap is `r[swap]`, and the peg is mirrored as here.

use super::{Cell, Position, TwixtMove};
use crate::kit::sgf::{self, SgfGame, SgfMove, SgfRecord};
use crate::kit::{Game, MAX_FILES, MoveError};

/// The rules of boards on which nobody may swap, and on which no links may cross.
const RULES: [(&str, &str); 2] = [("no swap", "noswap"), ("no crossing", "nocross")];

impl SgfGame for Position {
    const NUMBER: Option<i64> = Some(21);

    fn sgf_root(&self) -> String {
        let is_so = [!self.may_swap, !self.board.own_may_cross];
        let rules = RULES.into_iter().zip(is_so).filter(|(_, is_so)| *is_so);
        let rules: Vec<&str> = rules.map(|((words, _), _)| words).collect();
        let rules = rules.join(", ");
        let rules = if rules.is_empty() { rules } else { format!("RU[{rules}]") };
        format!("{rules}SZ[{}]", self.board.size)
    }

    fn sgf_move(&self, m: &TwixtMove) -> Option<String> {
        Some(match m {
            TwixtMove::Peg(Cell { file, rank }) => sgf::letters([file - 1, rank - 1]),
            TwixtMove::Swap => m.to_string(),
        })
    }

    fn sgf_options(record: &SgfRecord) -> Vec<String> {
        let rules: Vec<&str> = record.rules.split(',').map(str::trim).collect();
        let options = RULES.into_iter().filter(|(words, _)| rules.contains(words));
        options.map(|(_, option)| option.to_owned()).collect()
    }

    fn read_sgf(&self, m: &SgfMove) -> Result<Vec<TwixtMove>, MoveError> {
        let value = m.value.split('|').next().unwrap_or_default();
        let m = match sgf::place(value, MAX_FILES) {
            Some([file, row]) => Ok(TwixtMove::Peg(Cell { file: file + 1, rank: row + 1 })),
            None => Self::spell(value),
        };
        m.map(|m| vec![m])
    }
}
