//! Games of stones in a row in the Smart Game Format: points have two letters, as in Go, and words of the
//! opening are moves. A program that knows no swap shows the first stones in the colours that they had
//! before it.
//!
//! Names of points are read, too, and several stones in one node: `W[j9l11]` is a turn of Connect6 of Little
//! Golem.

use super::{Cell, FREESTYLE, PLAIN, Position, RowGame, RowMove};
use crate::kit::sgf::{self, SgfGame, SgfMove, SgfRecord};
use crate::kit::text::presses;
use crate::kit::{Game, MoveError, Seat};

/// The rules of a board with the opening.
const SWAP2: &str = "swap2";

impl<G: RowGame> Position<G> {
    /// Reads points of two letters each.
    fn points(&self, letters: &str) -> Option<Vec<RowMove>> {
        let size = self.rules.size;
        let pairs = letters.as_bytes().chunks(2).map(|pair| {
            let [file, row] = sgf::place(std::str::from_utf8(pair).ok()?, size)?;
            Some(RowMove::Stone(Cell { file: file + 1, rank: size - row }))
        });
        pairs.collect()
    }
}

impl<G: RowGame> SgfGame for Position<G> {
    const NUMBER: Option<i64> = G::SGF_NUMBER;

    fn sgf_root(&self) -> String {
        let is_freestyle = G::HAS_SWAP2 && !self.rules.exact;
        let words = [(self.rules.swap2, SWAP2), (is_freestyle, FREESTYLE)];
        let words: Vec<&str> =
            words.into_iter().filter(|(is_meant, _)| *is_meant).map(|(_, word)| word).collect();
        let rules =
            if words.is_empty() { String::new() } else { format!("RU[{}]", words.join(", ")) };
        format!("{rules}SZ[{}]", self.rules.size)
    }

    fn sgf_move(&self, m: &RowMove) -> Option<String> {
        Some(match m {
            RowMove::Stone(cell) => sgf::letters([cell.file - 1, self.rules.size - cell.rank]),
            word => word.to_string(),
        })
    }

    fn sgf_colour(&self, m: &RowMove) -> Option<Seat> {
        matches!(m, RowMove::Stone(_)).then(|| self.colour())
    }

    fn sgf_options(record: &SgfRecord) -> Vec<String> {
        if !G::HAS_SWAP2 {
            return Vec::new();
        }
        let has = |word| record.rules.split(", ").any(|rule| rule == word);
        let words = [(!has(SWAP2), PLAIN), (has(FREESTYLE), FREESTYLE)];
        words.into_iter().filter(|(is_meant, _)| *is_meant).map(|(_, word)| word.into()).collect()
    }

    fn read_sgf(&self, m: &SgfMove) -> Result<Vec<RowMove>, MoveError> {
        // `keep` could be two points, too.
        if let Ok(m) = Self::spell(&m.value) {
            return Ok(vec![m]);
        }
        if let Some(stones) = self.points(&m.value) {
            return Ok(stones);
        }
        let words = presses(&m.value, |word| Self::spell(word).is_ok());
        words.into_iter().map(|(_, word)| Self::spell(word)).collect()
    }
}
