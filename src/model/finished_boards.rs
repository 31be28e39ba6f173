//! The finished boards of a game in the order of their ends, so that the latest are found without
//! reading the others.
//!
//! The list of a game is in parts. The part without a number has the boards that ended last, and
//! changes with each end. When it is twice as long as a page, its older half becomes the next page.
//! A list exists since the first board of its game; `upgrade` makes that of an older home.

use crate::base::ids::BoardId;
use crate::base::key::{Collection, Place};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::document::{
    Damage, Document, DocumentFormat, compact_json, is_default, names_no_users,
};
use crate::store::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The collection of parts: `malaka` has the latest boards, `0-malaka` is the first page.
const COLLECTION: Collection = Collection::new("finished");

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The number of boards of a page.
pub const PAGE: usize = 50;

/// A part of a game's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FinishedPart {
    /// The game's name.
    pub game: &'static str,
    /// The number of the page, from 0; `None` for the latest boards.
    pub page: Option<u32>,
}

/// A finished board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinishedBoard {
    /// When it ended.
    pub at: Time,
    /// Its number.
    pub number: u32,
    /// Whether only its players may see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

/// The boards of a part, the latest last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinishedBoards {
    format: DocumentFormat<FORMAT>,
    /// The number of pages before the latest boards; 0 in a page.
    #[serde(default, skip_serializing_if = "is_default")]
    pages: u32,
    boards: Vec<FinishedBoard>,
}

impl FinishedPart {
    /// Returns the latest boards of a game.
    pub const fn latest(game: &'static str) -> Self {
        Self { game, page: None }
    }

    /// Returns a page of a game, by its number from 0.
    pub const fn page(game: &'static str, page: u32) -> Self {
        Self { game, page: Some(page) }
    }

    /// Returns the key of the part.
    pub fn key(self) -> Key {
        let name = match self.page {
            Some(page) => format!("{page}-{}", self.game),
            None => self.game.to_owned(),
        };
        Key::In(COLLECTION, name)
    }
}

impl FinishedBoard {
    /// Returns how a board is listed, if it is over.
    pub fn of(board: &Board) -> Option<Self> {
        let at = board.ended_at()?;
        Some(Self { at, number: board.id.number, private: board.private })
    }

    /// Returns the id of the board, which is of this game.
    pub fn id(&self, game: &'static str) -> BoardId {
        BoardId { game, number: self.number }
    }
}

impl FinishedBoards {
    fn of(boards: Vec<FinishedBoard>) -> Self {
        Self { boards, ..Self::default() }
    }

    /// Returns the boards, the latest last.
    pub fn boards(&self) -> &[FinishedBoard] {
        &self.boards
    }

    /// Returns the number of pages before the latest boards.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// Returns the page that the next board fills, if it fills one.
    pub fn next_page(&self, game: &'static str) -> Option<FinishedPart> {
        let is_filled = self.boards.len() + 1 >= 2 * PAGE;
        is_filled.then_some(FinishedPart::page(game, self.pages))
    }

    /// Adds a board to the latest ones. Returns the [next page](Self::next_page) if it is full.
    pub fn add(&mut self, board: FinishedBoard) -> Option<Self> {
        let place = self.boards.partition_point(|other| *other < board);
        self.boards.insert(place, board);
        (self.boards.len() >= 2 * PAGE).then(|| {
            self.pages += 1;
            Self::of(self.boards.drain(..PAGE).collect())
        })
    }

    /// Removes a board. Returns whether it was there.
    pub fn remove(&mut self, number: u32) -> bool {
        let before = self.boards.len();
        self.boards.retain(|board| board.number != number);
        self.boards.len() < before
    }
}

/// Builds the whole list of a game. The latest boards are the last part, so that a list with them
/// is complete.
pub fn build(game: &'static str, mut boards: Vec<FinishedBoard>) -> BTreeMap<Key, FinishedBoards> {
    boards.sort_unstable();
    let (mut latest, mut parts) = (FinishedBoards::default(), BTreeMap::new());
    for board in boards {
        let part = latest.next_page(game);
        if let (Some(part), Some(page)) = (part, latest.add(board)) {
            parts.insert(part.key(), page);
        }
    }
    parts.insert(FinishedPart::latest(game).key(), latest);
    parts
}

impl Document for FinishedBoards {
    type Id = FinishedPart;

    const KIND: &'static str = "finished";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(part: &FinishedPart) -> Key {
        part.key()
    }

    fn id_of(key: &Key) -> Option<FinishedPart> {
        let Key::In(COLLECTION, name) = key else { return None };
        let (page, game) = match name.split_once('-') {
            Some((page, game)) => (Some(page.parse().ok()?), game),
            None => (None, name.as_str()),
        };
        let part = FinishedPart { game: games::find(game)?.spec().name, page };
        (part.key() == *key).then_some(part)
    }

    fn from_text(part: &FinishedPart, text: &str) -> Result<Self, Damage> {
        let found: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        found.format.check()?;
        if !found.boards.is_sorted_by(|one, next| one < next) {
            return Err(Damage::invalid("its boards are not in the order of their ends"));
        }
        if part.page.is_some() && found.pages > 0 {
            return Err(Damage::invalid("it is a page, and counts pages"));
        }
        Ok(found)
    }

    fn to_text(&self) -> String {
        compact_json(self)
    }

    names_no_users!();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(number: u32, at: i64) -> FinishedBoard {
        FinishedBoard { at: Time::from_unix(at), number, private: false }
    }

    #[test]
    fn the_older_half_of_the_latest_boards_becomes_a_page() {
        let (mut latest, mut pages) = (FinishedBoards::default(), Vec::new());
        for number in 1..=230 {
            pages.extend(latest.add(ended(number, i64::from(number))));
        }
        let numbers = |part: &FinishedBoards| {
            let all: Vec<u32> = part.boards().iter().map(|board| board.number).collect();
            [all[0], all[all.len() - 1]]
        };
        assert_eq!(pages.iter().map(numbers).collect::<Vec<_>>(), [[1, 50], [51, 100], [101, 150]]);
        assert_eq!((latest.pages(), numbers(&latest)), (3, [151, 230]));
        let all = (1..=230).rev().map(|number| ended(number, i64::from(number))).collect();
        let built: Vec<FinishedBoards> = build("malaka", all).into_values().collect();
        assert_eq!(built, [pages, vec![latest]].concat(), "in the same parts");
    }

    #[test]
    fn boards_are_in_the_order_of_their_ends() {
        let mut latest = FinishedBoards::default();
        for (number, at) in [(5, 20), (7, 10), (2, 20), (9, 30), (1, 15)] {
            assert_eq!(latest.add(ended(number, at)), None);
        }
        let numbers = |part: &FinishedBoards| {
            part.boards.iter().map(|board| board.number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(&latest), [7, 1, 2, 5, 9]);
        assert!(latest.remove(2) && !latest.remove(2));
        assert_eq!(numbers(&latest), [7, 1, 5, 9]);
        let part = FinishedPart::latest("malaka");
        assert_eq!(FinishedBoards::from_text(&part, &latest.to_text()).unwrap(), latest);
        latest.boards.reverse();
        assert!(FinishedBoards::from_text(&part, &latest.to_text()).is_err());
    }

    #[test]
    fn a_part_is_found_by_its_key() {
        for part in [FinishedPart::latest("malaka"), FinishedPart::page("malaka", 17)] {
            assert_eq!(FinishedBoards::id_of(&part.key()), Some(part));
        }
        for odd in ["ludo", "017-malaka", "-malaka", "1-ludo", "malaka-1"] {
            assert_eq!(FinishedBoards::id_of(&Key::In(COLLECTION, odd.into())), None, "{odd}");
        }
        let file = FinishedPart::page("malaka", 17).key().file();
        assert_eq!(file.as_deref(), Some("documents/finished/17/17-malaka.json"));
    }
}
