//! The documents of ladders: a head for each game, its sections, and its journals.

use super::journal::LadderJournal;
use super::rung::{Ladder, LadderSection};
use crate::base::ids::{BoardId, UserId};
use crate::base::key::{Collection, Place};
use crate::base::time::Time;
use crate::model::document::{
    Damage, Document, DocumentFormat, Removal, compact_json, names_no_users, rename_in,
};
use crate::model::export::{DataSubject, Export};
use crate::model::user::User;
use crate::store::Key;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use std::collections::HashSet;

/// The newest format that this program reads and writes.
pub(super) const FORMAT: u32 = 1;

/// The collection of sections, named by game and number.
pub const SECTIONS: Collection = Collection::new("ladders");

/// The collection of journals, named by game and number.
pub const JOURNALS: Collection = Collection::new("ladder-journals");

/// The file of a game's head.
const HEAD: &str = "ladder.json";

/// A section or a journal of a ladder: its game and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LadderPartId {
    /// The game's name.
    pub game: &'static str,
    /// The number.
    pub number: u32,
}

/// Stored like a board: `malaka 3`.
impl Serialize for LadderPartId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { game, number } = *self;
        BoardId { game, number }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LadderPartId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let BoardId { game, number } = BoardId::deserialize(deserializer)?;
        Ok(Self { game, number })
    }
}

impl LadderPartId {
    fn key(self, collection: Collection) -> Key {
        collection.numbered(self.game, self.number)
    }

    fn of_key(key: &Key, collection: Collection) -> Option<Self> {
        collection.game_and_number(key).map(|(game, number)| Self { game, number })
    }

    /// Checks that a document is the one with this id.
    fn expect(self, found: Self) -> Result<(), Damage> {
        let name = || format!("{} {}", found.game, found.number);
        if self == found { Ok(()) } else { Err(Damage::OtherDocument(name())) }
    }
}

/// Returns the key of the head of a game's ladder.
pub const fn ladder_key(game: &'static str) -> Key {
    Key::OfGame(game, HEAD)
}

/// Returns the key of a section.
pub fn ladder_section_key(game: &'static str, number: u32) -> Key {
    LadderPartId { game, number }.key(SECTIONS)
}

/// Returns the key of a journal.
pub fn ladder_journal_key(game: &'static str, number: u32) -> Key {
    LadderPartId { game, number }.key(JOURNALS)
}

impl Ladder {
    /// Builds the ladder of a game without players.
    pub fn new(game: &str) -> Self {
        let (format, game) = (DocumentFormat::default(), game.to_owned());
        Self { format, game, sections: Vec::new(), members: 0, journal: 1 }
    }

    /// Returns the name of the game.
    pub fn game_name(&self) -> Option<&'static str> {
        Some(games::find(&self.game)?.spec().name)
    }
}

impl LadderSection {
    /// Builds a section without players.
    pub fn new(section: LadderPartId) -> Self {
        Self { format: DocumentFormat::default(), section, rungs: Vec::new() }
    }

    /// Returns the id.
    pub fn id(&self) -> LadderPartId {
        self.section
    }
}

impl LadderJournal {
    /// Builds a journal without entries.
    pub fn new(journal: LadderPartId) -> Self {
        Self { format: DocumentFormat::default(), journal, entries: Vec::new() }
    }
}

impl Document for Ladder {
    type Id = &'static str;

    const KIND: &'static str = "ladders";
    const PLACE: Place = Place::OfGame(HEAD);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(game: &&'static str) -> Key {
        ladder_key(game)
    }

    fn id_of(key: &Key) -> Option<&'static str> {
        match key {
            Key::OfGame(game, HEAD) => Some(game),
            _ => None,
        }
    }

    fn from_text(game: &&'static str, text: &str) -> Result<Self, Damage> {
        let head: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        head.format.check()?;
        if head.game != **game {
            return Err(Damage::invalid(format!("it belongs to {}", head.game)));
        }
        let mut numbers = HashSet::new();
        match head.sections.iter().find(|[number, _]| !numbers.insert(*number)) {
            Some([twice, _]) => Err(Damage::invalid(format!("it names section {twice} twice"))),
            None => Ok(head),
        }
    }

    fn to_text(&self) -> String {
        compact_json(self)
    }

    names_no_users!();

    fn absent(game: &&'static str) -> Option<Self> {
        Some(Self::new(game))
    }
}

impl Document for LadderSection {
    type Id = LadderPartId;

    const KIND: &'static str = "ladder-sections";
    const PLACE: Place = Place::In(SECTIONS);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(id: &LadderPartId) -> Key {
        id.key(SECTIONS)
    }

    fn id_of(key: &Key) -> Option<LadderPartId> {
        LadderPartId::of_key(key, SECTIONS)
    }

    fn from_text(id: &LadderPartId, text: &str) -> Result<Self, Damage> {
        let found: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        found.format.check()?;
        id.expect(found.section)?;
        let mut users = HashSet::new();
        match found.rungs.iter().find(|rung| !users.insert(&rung.user)) {
            Some(twice) => Err(Damage::invalid(format!("it names {} twice", twice.user))),
            None => Ok(found),
        }
    }

    fn to_text(&self) -> String {
        compact_json(self)
    }

    fn keys_of(user: &User) -> Vec<Key> {
        let known = user.ladders.iter();
        let known = known.filter_map(|(game, number)| Some((games::find(game)?, *number)));
        known.map(|(game, number)| ladder_section_key(game.spec().name, number)).collect()
    }

    fn rename(&mut self, _: &LadderPartId, old: &UserId, new: &UserId) -> bool {
        rename_in(self.rungs.iter_mut().map(|rung| &mut rung.user), old, new)
    }

    /// The first player who would drop.
    fn wakeup(&self) -> Option<Time> {
        self.rungs.iter().filter_map(super::Rung::drops_at).min()
    }

    /// A reaction to the departure takes the player off the ladder.
    fn remove_user(&mut self, _: &LadderPartId, _: &DataSubject, _: Removal) -> bool {
        false
    }

    fn export(&self, id: &LadderPartId, subject: &DataSubject, export: &mut Export) {
        let own = self.rungs.iter().find(|rung| rung.user == subject.user.id);
        if let Some(rung) = own {
            let games: Vec<u32> = rung.games.iter().map(|game| game.board).collect();
            let entry = json!({ "game": id.game, "since": rung.since, "boards": games });
            export.add_item("ladders", entry);
        }
    }
}

impl Document for LadderJournal {
    type Id = LadderPartId;

    const KIND: &'static str = "ladder-journals";
    const PLACE: Place = Place::In(JOURNALS);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(id: &LadderPartId) -> Key {
        id.key(JOURNALS)
    }

    fn id_of(key: &Key) -> Option<LadderPartId> {
        LadderPartId::of_key(key, JOURNALS)
    }

    fn from_text(id: &LadderPartId, text: &str) -> Result<Self, Damage> {
        let found: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        found.format.check()?;
        id.expect(found.journal)?;
        Ok(found)
    }

    fn to_text(&self) -> String {
        compact_json(self)
    }

    // It names memberships, not users.
    names_no_users!();

    fn absent(id: &LadderPartId) -> Option<Self> {
        Some(Self::new(*id))
    }
}
