//! The program: playouts that fill the board.

use super::{HexMove, Position, chains};
use crate::kit::playout_search::Playout;
use crate::kit::{Chance, Seat};

/// The number of levels, and the playouts of each for a move on the usual board.
pub(super) const LEVELS: u8 = 4;
const PLAYOUTS: [usize; LEVELS as usize] = [15, 60, 240, 2_000];

/// The cells of the usual board.
const USUAL: usize = 11 * 11;

impl Position {
    /// Returns the playouts of a level. A playout takes as long as the board has cells, so a larger
    /// board has fewer of them.
    pub(super) fn playouts(&self, level: u8) -> u32 {
        let usual = PLAYOUTS[usize::from(level.clamp(1, LEVELS) - 1)];
        u32::try_from(usual * USUAL / self.stones.len().max(USUAL)).unwrap_or(u32::MAX)
    }
}

impl Playout for Position {
    /// Fills the board: a chain that wins earlier is still there at the end.
    fn play_out(&mut self, chance: &mut Chance) -> Option<Seat> {
        let free = self.stones.iter().enumerate().filter(|(_, stone)| stone.is_none());
        let mut free: Vec<usize> = free.map(|(index, _)| index).collect();
        let mut seat = self.turn;
        while !free.is_empty() {
            let cell = free.swap_remove(chance.below(free.len()));
            self.stones[cell] = Some(seat);
            seat = seat.other();
        }
        chains::winner(self.size, &self.stones)
    }

    fn has_played(&self, seat: Seat, m: &HexMove) -> bool {
        match *m {
            HexMove::Stone(cell) => self.at(cell) == Some(seat),
            HexMove::Swap => false,
        }
    }
}
