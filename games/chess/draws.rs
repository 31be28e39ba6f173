//! Draws beside stalemate.

use super::Position;
use super::past::MOST_QUIET;
use cozy_chess::{BitBoard, Board, Piece, Rank, Square};

/// How often a position must occur for a claim, and for an end without one.
const CLAIMED: usize = 3;
const ENDED: usize = 5;

/// The moves of both sides without progress that allow a claim.
const QUIET: u8 = 100;

impl Position {
    /// Returns why the game is drawn although the side to move has a move.
    pub(super) fn drawn(&self) -> Option<&'static str> {
        if self.is_claimed {
            self.claimable()
        } else if is_dead(&self.board) {
            Some("neither side can give checkmate")
        } else if self.past.times() >= ENDED {
            Some("the position has occurred five times")
        } else if self.past.quiet >= MOST_QUIET {
            Some("75 moves without a capture or a move of a pawn")
        } else {
            None
        }
    }

    /// Returns why the side to move may claim a draw.
    pub(super) fn claimable(&self) -> Option<&'static str> {
        if self.past.times() >= CLAIMED {
            Some("the position has occurred three times")
        } else if self.past.quiet >= QUIET {
            Some("50 moves without a capture or a move of a pawn")
        } else {
            None
        }
    }
}

/// Returns whether no sequence of legal moves ends in checkmate because of the men that are left: a king
/// against a king, with one knight or with bishops of one colour at most.
pub(super) fn is_dead(board: &Board) -> bool {
    let of = |piece| board.pieces(piece);
    if !(of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen)).is_empty() {
        return false;
    }
    let (knights, bishops) = (of(Piece::Knight), of(Piece::Bishop));
    if knights.len() + bishops.len() <= 1 {
        return true;
    }
    let dark = dark_squares();
    knights.is_empty() && (bishops.is_subset(dark) || bishops.is_disjoint(dark))
}

fn dark_squares() -> BitBoard {
    let is_dark =
        |square: &Square| (square.file() as usize + square.rank() as usize).is_multiple_of(2);
    let squares = Rank::ALL.into_iter().flat_map(Rank::bitboard).filter(is_dark);
    squares.fold(BitBoard::EMPTY, |board, square| board | square.bitboard())
}
