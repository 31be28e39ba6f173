//! How many boards of a game have ever been set up: the number of the latest one.

use crate::model::document::{Damage, Document};
use crate::store::Key;

const FILE: &str = "count";

/// The number of the latest board of a game; none was set up if it is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardCount(pub u32);

impl BoardCount {
    /// The number that the next board gets, if there is one.
    pub fn next(self) -> Option<u32> {
        self.0.checked_add(1)
    }
}

/// The key of a game's count.
pub const fn count_key(game: &'static str) -> Key {
    Key::OfGame(game, FILE)
}

impl Document for BoardCount {
    type Id = &'static str;

    fn key(game: &&'static str) -> Key {
        count_key(game)
    }

    fn named(key: &Key) -> Option<&'static str> {
        match key {
            Key::OfGame(game, FILE) => Some(game),
            _ => None,
        }
    }

    fn find(file: &str) -> Option<Key> {
        Key::find_of_game(file, FILE)
    }

    fn from_text(_: &&'static str, text: &str) -> Result<Self, Damage> {
        text.trim().parse().map(Self).map_err(|_| Damage::untrue("it is no number"))
    }

    fn to_text(&self) -> String {
        format!("{}\n", self.0)
    }
}
