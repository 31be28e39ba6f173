//! What repetitions and the moves without progress need of a game's past, and its last move.

use super::san;
use cozy_chess::{Board, Color, Move, Piece, Rank, Square, get_pawn_attacks};

/// The positions since the last move that cannot be taken back: a capture, a move of a pawn, or one
/// that ends a right to castle. No earlier position can come again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Past {
    /// The move to the first of the positions, if it is known.
    first: Option<Move>,
    /// The moves between the positions.
    moves: Vec<Move>,
    /// A key of each position; see [`key`].
    keys: Vec<u64>,
    /// The moves of both sides since the last capture or move of a pawn, up to [`MOST_QUIET`].
    pub(super) quiet: u8,
}

/// The moves of both sides without a capture or a move of a pawn that end a game.
pub(super) const MOST_QUIET: u8 = 150;

/// Returns a hash of what makes two positions one for article 9.2.3: the men, the side to move, the
/// rights to castle, and the captures in passing that are possible.
pub(super) fn key(board: &Board) -> u64 {
    let color = board.side_to_move();
    let passing = board.en_passant().is_some_and(|file| {
        let to = Square::new(file, Rank::Sixth.relative_to(color));
        let pawns = get_pawn_attacks(to, !color) & board.colored_pieces(color, Piece::Pawn);
        pawns.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None }))
    });
    if passing { board.hash() } else { board.hash_without_ep() }
}

impl Past {
    /// Creates the past of a position before which nothing is known.
    pub(super) fn new(board: &Board) -> Self {
        let quiet = board.halfmove_clock();
        Self { first: None, moves: Vec::new(), keys: vec![key(board)], quiet }
    }

    /// Adds a move between two positions.
    pub(super) fn add(&mut self, before: &Board, m: Move, after: &Board) {
        let is_progress = after.halfmove_clock() == 0;
        self.quiet = if is_progress { 0 } else { (self.quiet + 1).min(MOST_QUIET) };
        let rights =
            |board: &Board| [Color::White, Color::Black].map(|color| *board.castle_rights(color));
        if is_progress || rights(before) != rights(after) {
            (self.first, self.moves, self.keys) = (Some(m), Vec::new(), Vec::new());
        } else {
            self.moves.push(m);
        }
        self.keys.push(key(after));
    }

    /// Returns how often the position has occurred.
    pub(super) fn times(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|key| Some(*key) == now).count()
    }

    /// Returns the keys of the positions.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Returns where the last move began and ended.
    pub(super) fn last(&self) -> Option<[Square; 2]> {
        let last = self.moves.last().or(self.first.as_ref())?;
        Some([last.from, last.to])
    }

    /// Writes the moves, the first one as `-` if it is not known; nothing if no move is.
    pub(super) fn write(&self) -> String {
        if self.first.is_none() && self.moves.is_empty() {
            return String::new();
        }
        let first = self.first.map_or_else(|| "-".to_owned(), |m| m.to_string());
        let words = self.moves.iter().map(ToString::to_string);
        let words: Vec<String> = std::iter::once(first).chain(words).collect();
        format!(" moves={}", words.join(","))
    }

    /// Reads what [`Past::write`] wrote, before a position with these moves without progress.
    pub(super) fn read(words: &str, board: &Board, quiet: u8) -> Option<Self> {
        let mut words = words.split(',');
        let first = match words.next()? {
            "-" => None,
            word => Some(word.parse().ok()?),
        };
        let moves: Vec<Move> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        if moves.len() > usize::from(quiet) {
            return None;
        }
        // The men go back move by move.
        let (mut keys, mut at) = (vec![key(board)], board.clone());
        for (index, m) in moves.iter().enumerate().rev() {
            let passing = first.filter(|first: &Move| index == 0 && is_double(*first));
            at = san::taken_back(&at, *m, passing.map(|first| first.to))?;
            keys.push(key(&at));
        }
        keys.reverse();
        Some(Self { first, moves, keys, quiet })
    }
}

/// Returns whether a move may be answered by a capture in passing if it is a pawn's.
fn is_double(m: Move) -> bool {
    m.from.file() == m.to.file() && (m.from.rank() as usize).abs_diff(m.to.rank() as usize) == 2
}
