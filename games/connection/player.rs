//! The program: playouts that fill the board, or that end with the first winner.

use super::chains::Chains;
use super::{CellMove, ConnectionGame, Position};
use crate::kit::playout_search::Playout;
use crate::kit::{Chance, Seat};

/// The number of levels, and the playouts of each for a move on a board of eleven by eleven cells.
pub(crate) const LEVELS: u8 = 4;
const PLAYOUTS: [usize; LEVELS as usize] = [15, 60, 240, 2_000];

/// The cells of that board.
const USUAL: usize = 11 * 11;

impl<G: ConnectionGame> Position<G> {
    /// Returns the playouts of a level. A playout takes as long as the board has cells, so a larger
    /// board has fewer of them.
    pub(super) fn playouts(&self, level: u8) -> u32 {
        let usual = PLAYOUTS[usize::from(level.clamp(1, LEVELS) - 1)];
        let cells = self.geometry().cells.len();
        u32::try_from(usual * USUAL / cells.max(USUAL)).unwrap_or(u32::MAX)
    }
}

impl<G: ConnectionGame> Playout for Position<G> {
    /// Plays to the end. Where each full board has exactly one winner the rest is filled, too: stones beyond
    /// the one that wins say as much as those before it.
    fn play_out(&mut self, chance: &mut Chance) -> Option<Seat> {
        let geometry = self.geometry();
        let mut chains = Chains::of(geometry, &self.stones);
        let cells = geometry.cells.iter().map(|(_, at)| *at);
        let mut free: Vec<usize> = cells.filter(|at| self.stones[*at].is_none()).collect();
        let (mut seat, mut winner) = (self.turn, None);
        while !free.is_empty() {
            let at = free.swap_remove(chance.below(free.len()));
            self.stones[at] = Some(seat);
            if winner.is_none() {
                let touched = chains.add(&self.stones, at);
                winner = G::way_to_win(seat, touched).map(|_| seat);
            }
            if winner.is_some() && G::SPEC.manner.has_draws {
                break;
            }
            seat = seat.other();
        }
        winner
    }

    fn has_played(&self, seat: Seat, m: &CellMove) -> bool {
        match *m {
            CellMove::Stone(cell) => self.at(cell) == Some(seat),
            CellMove::Swap => false,
        }
    }
}
