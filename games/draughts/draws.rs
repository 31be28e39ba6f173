//! Draws by rule: repetition, kings that move alone, and a king against few men.

use super::board::{Board, CountedDraw, Step};
use super::{Position, Variant};
use crate::kit::Seat;

/// The most endings that rules may count.
pub(super) const ENDINGS: usize = 2;

impl CountedDraw {
    /// Returns whether a side has a king alone against few men, a king among them.
    pub(super) fn is_ending(&self, board: &Board) -> bool {
        let is_alone = |seat: Seat| {
            let (men, king) = (board.men[seat.index()], board.kings[seat.index()]);
            men == 0 && king.is_power_of_two()
        };
        let is_few =
            |seat: Seat| board.kings[seat.index()] != 0 && board.all(seat).count_ones() <= self.men;
        Seat::BOTH.into_iter().any(|seat| is_alone(seat) && is_few(seat.other()))
    }

    /// Returns whether the moves of both sides are enough for the draw.
    fn is_due(&self, moves: usize) -> bool {
        moves >= 2 * self.moves
    }
}

impl<V: Variant> Position<V> {
    /// Returns the moves of both sides since a man was moved or taken.
    fn quiet_moves(&self) -> usize {
        self.past.len().saturating_sub(1)
    }

    /// Counts a move for the draws.
    pub(super) fn count(&mut self, before: &Board, step: Step) {
        let is_quiet = step.taken == 0 && step.from.is_in(before.kings[before.turn.index()]);
        if is_quiet {
            if self.past.is_empty() {
                self.past.add_hash(before.hash());
            }
            self.past.add_hash(self.board.hash());
        } else {
            self.past.clear();
        }
        for (ending, count) in V::RULES.endings.iter().zip(&mut self.endings) {
            let goes_on = ending.is_ending(before) && ending.is_ending(&self.board);
            *count = if goes_on { *count + 1 } else { 0 };
        }
    }

    /// Returns why the game is drawn although the side to move has a move.
    pub(super) fn drawn(&self) -> Option<&'static str> {
        if self.past.repeats() {
            return Some("the position has come for the third time");
        }
        let (draw, moves) = self.counted_draws().find(|(draw, moves)| draw.is_due(*moves))?;
        debug_assert!(moves > 0, "a game goes on before it is counted");
        Some(draw.reason)
    }

    /// Returns the draws of the rules, each with the moves that count for it.
    pub(super) fn counted_draws(&self) -> impl Iterator<Item = (&'static CountedDraw, usize)> {
        let endings = V::RULES.endings.iter().zip(self.endings.map(usize::from));
        let board = self.board;
        endings
            .filter(move |(ending, _)| ending.is_ending(&board))
            .chain([(&V::RULES.quiet, self.quiet_moves())])
    }

    /// Returns whether these counts are possible in the position.
    pub(super) fn has_possible_counts(&self) -> bool {
        let is_short = |(draw, moves): (&CountedDraw, usize)| moves <= 2 * draw.moves;
        let counted = V::RULES
            .endings
            .iter()
            .zip(self.endings)
            .all(|(ending, count)| count == 0 || ending.is_ending(&self.board));
        counted && self.counted_draws().all(is_short)
    }

    /// Returns how near a counted draw is, once half of its moves are made.
    pub(super) fn draw_note(&self) -> Option<String> {
        let left = |(draw, moves): (&CountedDraw, usize)| (2 * draw.moves).saturating_sub(moves);
        let is_near = |(draw, moves): &(&CountedDraw, usize)| *moves >= draw.moves;
        let left = self.counted_draws().filter(is_near).map(left).min().filter(|left| *left > 0)?;
        let moves = if left == 1 { "move" } else { "moves" };
        Some(format!("The game is a draw after {left} more {moves} like the last ones"))
    }
}
