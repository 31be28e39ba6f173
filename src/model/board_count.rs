//! The number of the latest board of a game, from which the next board gets its number.

use crate::model::document::{Damage, Document};
use crate::store::Key;

const FILE: &str = "count";

/// The number of the latest board of a game; 0 before the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardCount(pub u32);

impl BoardCount {
    /// Returns the number of the next board, or `None` if all numbers are used up.
    pub fn next(self) -> Option<u32> {
        self.0.checked_add(1)
    }
}

/// Returns the key of a game's board count.
pub const fn count_key(game: &'static str) -> Key {
    Key::OfGame(game, FILE)
}

impl Document for BoardCount {
    type Id = &'static str;

    fn key(game: &&'static str) -> Key {
        count_key(game)
    }

    fn id_of(key: &Key) -> Option<&'static str> {
        match key {
            Key::OfGame(game, FILE) => Some(game),
            _ => None,
        }
    }

    fn key_of_file(file: &str) -> Option<Key> {
        Key::find_of_game(file, FILE)
    }

    fn from_text(_: &&'static str, text: &str) -> Result<Self, Damage> {
        text.trim().parse().map(Self).map_err(|_| Damage::invalid("not a number"))
    }

    fn to_text(&self) -> String {
        format!("{}\n", self.0)
    }
}
