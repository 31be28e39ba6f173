//! The number of the latest board of a game.

use crate::base::ids::UserId;
use crate::base::key::{BOARD_COUNT, Place};
use crate::base::time::Time;
use crate::model::document::{Damage, Document, Removal};
use crate::model::export::{DataSubject, Export};
use crate::model::user::User;
use crate::store::Key;

/// The greatest number of a board of a game; 0 before the first one. Some lower numbers may have no board
/// if several processes have worked on the home.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardCount(pub u32);

/// Returns the key of a game's board count.
pub const fn count_key(game: &'static str) -> Key {
    Key::OfGame(game, BOARD_COUNT)
}

impl Document for BoardCount {
    type Id = &'static str;

    const KIND: &'static str = "counts";
    const PLACE: Place = Place::OfGame(BOARD_COUNT);
    const FORMAT: Option<u32> = None;

    fn key(game: &&'static str) -> Key {
        count_key(game)
    }

    fn id_of(key: &Key) -> Option<&'static str> {
        match key {
            Key::OfGame(game, BOARD_COUNT) => Some(game),
            _ => None,
        }
    }

    fn from_text(_: &&'static str, text: &str) -> Result<Self, Damage> {
        text.trim().parse().map(Self).map_err(|_| Damage::invalid("not a number"))
    }

    fn to_text(&self) -> String {
        format!("{}\n", self.0)
    }

    fn wakeup(&self) -> Option<Time> {
        None
    }

    fn keys_of(_: &User) -> Vec<Key> {
        Vec::new()
    }

    fn rename(&mut self, _: &&'static str, _: &UserId, _: &UserId) -> bool {
        false
    }

    fn remove_user(&mut self, _: &&'static str, _: &DataSubject, _: Removal) -> bool {
        false
    }

    fn export(&self, _: &&'static str, _: &DataSubject, _: &mut Export) {}
}
