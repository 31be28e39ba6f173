//! The latest messages of a board's players, for the page of the board. They were mailed, too.

use crate::base::ids::{BoardId, UserId};
use crate::base::key::{Collection, Place};
use crate::base::time::Time;
use crate::mail::shorten;
use crate::model::document::{Damage, Document, DocumentFormat, Removal, pretty_json};
use crate::model::export::{DataSubject, Export};
use crate::model::user::User;
use crate::store::Key;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The collection of chat logs. They belong to the players, so they are not stored beside the
/// boards.
pub const COLLECTION: Collection = Collection::at_top("talks");

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The most messages of a log.
const MAX_MESSAGES: usize = 40;

/// The most characters of a stored message.
pub const LONGEST_MESSAGE: usize = 2_000;

/// The messages of a board, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatLog {
    format: DocumentFormat<FORMAT>,
    /// The messages.
    pub said: Vec<ChatMessage>,
}

/// A message of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatMessage {
    /// When it was sent.
    pub at: Time,
    /// The seat of its author.
    pub by: u8,
    /// The text.
    pub words: String,
}

impl ChatLog {
    /// Adds a message.
    pub fn add(&mut self, said: &ChatMessage) {
        let end = said.words.char_indices().nth(LONGEST_MESSAGE);
        let most = end.map_or(said.words.len(), |(index, _)| index);
        let words = shorten(&said.words, most).into_owned();
        self.said.push(ChatMessage { words, ..said.clone() });
        let gone = self.said.len().saturating_sub(MAX_MESSAGES);
        self.said.drain(..gone);
    }
}

/// Returns the key of a board's chat log.
pub fn chat_key(board: BoardId) -> Key {
    COLLECTION.numbered(board.game, board.number)
}

impl Document for ChatLog {
    type Id = BoardId;

    const KIND: &'static str = "talks";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(board: &BoardId) -> Key {
        chat_key(*board)
    }

    fn id_of(key: &Key) -> Option<BoardId> {
        COLLECTION.game_and_number(key).map(|(game, number)| BoardId { game, number })
    }

    fn from_text(_: &BoardId, text: &str) -> Result<Self, Damage> {
        let talk: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        talk.format.check()?;
        if talk.said.iter().any(|said| said.by > 1) {
            return Err(Damage::invalid("a board has two seats"));
        }
        Ok(talk)
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    fn keys_of(user: &User) -> Vec<Key> {
        user.all_boards().map(|board| chat_key(*board)).collect()
    }

    /// Messages name seats only.
    fn rename(&mut self, _: &BoardId, _: &UserId, _: &UserId) -> bool {
        false
    }

    fn remove_user(&mut self, board: &BoardId, subject: &DataSubject, removal: Removal) -> bool {
        let Some(seat) = subject.seats.get(board).filter(|_| removal == Removal::Erased) else {
            return false;
        };
        let before = self.said.len();
        self.said.retain(|said| said.by != seat.0);
        self.said.len() < before
    }

    fn export(&self, board: &BoardId, subject: &DataSubject, export: &mut Export) {
        let Some(seat) = subject.seats.get(board) else { return };
        let own = self.said.iter().filter(|said| said.by == seat.0);
        let own: Vec<Value> = own.map(|said| json!({"at": said.at, "words": said.words})).collect();
        if !own.is_empty() {
            export.add_entry("said", board.to_string(), json!(own));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_kept_whole_up_to_the_limit_in_any_script() {
        for (letters, is_whole) in [(LONGEST_MESSAGE, true), (LONGEST_MESSAGE + 1, false)] {
            let words = "\u{448}".repeat(letters);
            let said = ChatMessage { at: Time::EPOCH, by: 0, words: words.clone() };
            let mut talk = ChatLog::default();
            talk.add(&said);
            assert_eq!(talk.said[0].words == words, is_whole, "{letters}");
        }
    }

    #[test]
    fn the_latest_messages_are_kept_and_those_of_a_player_can_be_erased() {
        let mut talk = ChatLog::default();
        for number in 0..50 {
            let words = if number == 49 { "x".repeat(9_000) } else { number.to_string() };
            let said =
                ChatMessage { at: Time::from_unix(number), by: u8::from(number % 2 == 1), words };
            talk.add(&said);
        }
        assert_eq!((talk.said.len(), &*talk.said[0].words), (MAX_MESSAGES, "10"));
        assert!(talk.said[MAX_MESSAGES - 1].words.len() <= LONGEST_MESSAGE);
        let id = BoardId { game: "malaka", number: 17 };
        assert_eq!(ChatLog::from_text(&id, &talk.to_text()).unwrap(), talk);
        let user =
            User::new(UserId::parse("alice").unwrap(), String::new(), Vec::new(), Time::EPOCH);
        let seats = [(id, games::Seat(0))].into();
        let subject = DataSubject { user, seats };
        assert!(
            !talk.remove_user(&id, &subject, Removal::SignedOff),
            "who comes back finds their words"
        );
        assert!(talk.remove_user(&id, &subject, Removal::Erased));
        assert!(talk.said.len() == MAX_MESSAGES / 2 && talk.said.iter().all(|said| said.by == 1));
        assert_eq!(ChatLog::id_of(&chat_key(id)), Some(id));
        assert_eq!(ChatLog::id_of(&Key::In(COLLECTION, "malaka-017".into())), None);
    }
}
