//! The numbers of the boards that decisions begin.

use super::{MissingDocument, World, board_key};
use crate::base::ids::BoardId;
use crate::store::{Fault, Key, Store};

/// The numbers for new boards of a game.
#[derive(Debug)]
pub(super) struct NewNumbers {
    /// The number of the latest board when the first numbers were reserved.
    latest: u32,
    /// The numbers that the store has reserved, in the order of their use.
    numbers: Vec<u32>,
    /// How many of them belong to boards that were begun since.
    used: usize,
}

impl NewNumbers {
    /// Notes that a board was begun.
    pub(super) fn note_begun(&mut self, number: u32) {
        let place = self.numbers.iter().position(|reserved| *reserved == number);
        self.used = self.used.max(place.map_or(0, |place| place + 1));
    }
}

impl World {
    /// Reserves the numbers of the next `count` boards of a game, and loads these boards, which must not
    /// exist. The count must be loaded. Returns a line for each damaged document.
    ///
    /// # Errors
    /// The store failed.
    pub fn load_new_boards(
        &mut self,
        game: &'static str,
        count: u32,
        store: &dyn Store,
    ) -> Result<Vec<String>, Fault> {
        let Some(latest) = self.latest_number(game) else { return Ok(Vec::new()) };
        let begun = || NewNumbers { latest, numbers: Vec::new(), used: 0 };
        let new = self.new_numbers.entry(game).or_insert_with(begun);
        let wanted = new.used + count as usize;
        if new.numbers.len() < wanted {
            new.numbers = store.reserve_board_numbers(game, new.latest, wanted)?;
        }
        let next = new.numbers.iter().take(wanted).skip(new.used);
        let boards: Vec<BoardId> = next.map(|&number| BoardId { game, number }).collect();
        let keys: Vec<Key> = boards.iter().copied().map(board_key).collect();
        let mut damaged = self.load(&keys, store)?;
        // A count that was lost or lowered must not reuse a number.
        let existing = boards.iter().filter(|id| !self.caches.boards.is_absent(id));
        damaged
            .extend(existing.map(|id| format!("the count of {game} boards is wrong: {id} exists")));
        Ok(damaged)
    }

    /// Returns the number of the board of a game that is begun after `begun` others in the same
    /// decision.
    ///
    /// # Errors
    /// The count is damaged or too low, or too few numbers were [reserved](Self::load_new_boards).
    pub fn free_number(&self, game: &'static str, begun: u32) -> Result<u32, MissingDocument> {
        let new = self.new_numbers.get(game);
        let number = new.and_then(|new| new.numbers.get(new.used + begun as usize)).copied();
        let is_free = |&number: &u32| self.caches.boards.is_absent(&BoardId { game, number });
        number.filter(is_free).ok_or(MissingDocument::Damaged)
    }

    /// Returns the number of the latest board of a game, 0 before the first one; `None` if the count is
    /// damaged. The count must be loaded.
    pub fn latest_number(&self, game: &'static str) -> Option<u32> {
        Some(self.caches.counts.content(&game).ok()?.copied().unwrap_or_default().0)
    }
}
