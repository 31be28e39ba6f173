//! The notes that players keep on a board for themselves. Nobody else ever sees them.

use crate::base::ids::{BoardId, UserId};
use crate::base::key::{Collection, Place};
use crate::model::document::{Damage, Document, DocumentFormat, Removal, pretty_json};
use crate::model::export::{DataSubject, Export};
use crate::model::user::User;
use crate::store::Key;
use games::Seat;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The collection of notes. They belong to the players, so they are not stored beside the boards.
pub const COLLECTION: Collection = Collection::new("notes");

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The most characters of a note.
pub const LONGEST_NOTE: usize = 2_000;

/// The notes on a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardNotes {
    format: DocumentFormat<FORMAT>,
    /// The note of each seat; empty if the player has none.
    notes: [String; 2],
}

impl BoardNotes {
    /// Returns the note of a seat; `None` if the player has none.
    pub fn of(&self, seat: Seat) -> Option<&str> {
        Some(self.notes[seat.index()].as_str()).filter(|words| !words.is_empty())
    }

    /// Replaces the note of a seat; without words it is removed.
    pub fn write(&mut self, seat: Seat, words: &str) {
        words.clone_into(&mut self.notes[seat.index()]);
    }
}

/// Returns the key of the notes on a board.
pub fn notes_key(board: BoardId) -> Key {
    COLLECTION.numbered(board.game, board.number)
}

impl Document for BoardNotes {
    type Id = BoardId;

    const KIND: &'static str = "notes";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(board: &BoardId) -> Key {
        notes_key(*board)
    }

    fn id_of(key: &Key) -> Option<BoardId> {
        COLLECTION.game_and_number(key).map(|(game, number)| BoardId { game, number })
    }

    fn from_text(_: &BoardId, text: &str) -> Result<Self, Damage> {
        let notes: Self = serde_json::from_str(text).map_err(Damage::from_secret_json)?;
        notes.format.check()?;
        Ok(notes)
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    fn keys_of(user: &User) -> Vec<Key> {
        user.all_boards().map(|board| notes_key(*board)).collect()
    }

    /// Notes name seats only.
    fn rename(&mut self, _: &BoardId, _: &UserId, _: &UserId) -> bool {
        false
    }

    fn remove_user(&mut self, board: &BoardId, subject: &DataSubject, removal: Removal) -> bool {
        let seat = subject.seats.get(board).filter(|_| removal == Removal::Erased);
        let words = seat.map(|seat| std::mem::take(&mut self.notes[seat.index()]));
        words.is_some_and(|words| !words.is_empty())
    }

    fn export(&self, board: &BoardId, subject: &DataSubject, export: &mut Export) {
        let own = subject.seats.get(board).and_then(|seat| self.of(*seat));
        if let Some(words) = own {
            export.add_entry("notes", board.to_string(), json!(words));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::Time;

    const ID: BoardId = BoardId { game: "malaka", number: 17 };

    #[test]
    fn a_player_has_their_own_note_alone() {
        let mut notes = BoardNotes::default();
        notes.write(Seat(0), "attack on the left");
        notes.write(Seat(1), "wait");
        assert_eq!(notes.of(Seat(0)), Some("attack on the left"));
        notes.write(Seat(1), "");
        assert_eq!(notes.of(Seat(1)), None);
        assert_eq!(BoardNotes::from_text(&ID, &notes.to_text()).unwrap(), notes);
        assert_eq!(BoardNotes::id_of(&notes_key(ID)), Some(ID));
        assert_eq!(BoardNotes::id_of(&Key::In(COLLECTION, "malaka-017".into())), None);
    }

    #[test]
    fn the_note_of_an_erased_player_goes_and_that_of_the_other_stays() {
        let mut notes = BoardNotes::default();
        notes.write(Seat(0), "mine");
        notes.write(Seat(1), "theirs");
        let user =
            User::new(UserId::parse("alice").unwrap(), String::new(), Vec::new(), Time::EPOCH);
        let subject = DataSubject { user, seats: [(ID, Seat(0))].into() };
        assert!(
            !notes.remove_user(&ID, &subject, Removal::SignedOff),
            "who comes back finds their note"
        );
        assert!(notes.remove_user(&ID, &subject, Removal::Erased));
        assert_eq!((notes.of(Seat(0)), notes.of(Seat(1))), (None, Some("theirs")));
        assert!(!notes.remove_user(&ID, &subject, Removal::Erased));
    }
}
