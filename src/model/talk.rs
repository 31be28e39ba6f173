//! The latest words of a board's players to each other, for the page of the board. Mails have told
//! them already.

use crate::base::ids::BoardId;
use crate::base::key::Collection;
use crate::base::time::Time;
use crate::mail::shorten;
use crate::model::document::{Damage, Document, check_format};
use crate::store::Key;
use games::Seat;
use serde::{Deserialize, Serialize};

/// Where what was said lies. It is the players' own, and so no file beside the boards.
pub const DRAWER: Collection = Collection::new("talks");

/// The newest format this program writes and reads.
pub const FORMAT: u32 = 1;

/// So many messages are kept.
const MOST: usize = 40;

/// Bytes of each that are kept.
const LONGEST: usize = 2_000;

/// The messages of a board, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Talk {
    format: u32,
    /// The messages.
    pub said: Vec<ChatMessage>,
}

/// That a player said something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatMessage {
    /// When.
    pub at: Time,
    /// Their seat.
    pub by: u8,
    /// The words.
    pub words: String,
}

/// One change of what is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TalkEvent {
    /// A player said something.
    Said(ChatMessage),
    /// The messages of the player of a seat are forgotten.
    Forgotten(Seat),
}

impl TalkEvent {
    /// The event in a few words, for the log.
    pub fn summary(&self, board: BoardId) -> String {
        match self {
            Self::Said(_) => format!("{board}: something was said"),
            Self::Forgotten(_) => format!("{board}: what a player said is forgotten"),
        }
    }
}

impl Default for Talk {
    fn default() -> Self {
        Self { format: FORMAT, said: Vec::new() }
    }
}

impl Talk {
    /// Carries out an event.
    pub fn apply(&mut self, event: &TalkEvent) {
        match event {
            TalkEvent::Said(said) => {
                let words = shorten(&said.words, LONGEST).into_owned();
                self.said.push(ChatMessage { words, ..said.clone() });
                let gone = self.said.len().saturating_sub(MOST);
                self.said.drain(..gone);
            }
            TalkEvent::Forgotten(seat) => self.said.retain(|said| said.by != seat.0),
        }
    }
}

/// The key of what was said on a board.
pub fn talk_key(board: BoardId) -> Key {
    Key::In(DRAWER, format!("{}-{}", board.game, board.number))
}

impl Document for Talk {
    type Id = BoardId;

    fn key(board: &BoardId) -> Key {
        talk_key(*board)
    }

    fn named(key: &Key) -> Option<BoardId> {
        let Key::In(DRAWER, name) = key else { return None };
        let (game, number) = name.split_once('-')?;
        let id = BoardId { game: games::find(game)?.spec().name, number: number.parse().ok()? };
        (talk_key(id) == *key).then_some(id)
    }

    fn find(file: &str) -> Option<Key> {
        DRAWER.find(file)
    }

    fn from_text(_: &BoardId, text: &str) -> Result<Self, Damage> {
        let talk: Self = serde_json::from_str(text).map_err(Damage::of_json)?;
        check_format(talk.format, FORMAT)?;
        if talk.said.iter().any(|said| said.by > 1) {
            return Err(Damage::untrue("a board has two seats"));
        }
        Ok(talk)
    }

    fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).expect("words and numbers are JSON") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_words_are_kept_and_those_of_a_player_can_be_forgotten() {
        let mut talk = Talk::default();
        for number in 0..50 {
            let words = if number == 49 { "x".repeat(9_000) } else { number.to_string() };
            let said =
                ChatMessage { at: Time::from_unix(number), by: u8::from(number % 2 == 1), words };
            talk.apply(&TalkEvent::Said(said));
        }
        assert_eq!((talk.said.len(), &*talk.said[0].words), (MOST, "10"));
        assert!(talk.said[MOST - 1].words.len() <= LONGEST + 100);
        let id = BoardId { game: "malaka", number: 17 };
        assert_eq!(Talk::from_text(&id, &talk.to_text()).unwrap(), talk);
        talk.apply(&TalkEvent::Forgotten(Seat(0)));
        assert!(talk.said.len() == MOST / 2 && talk.said.iter().all(|said| said.by == 1));
        assert_eq!(Talk::named(&talk_key(id)), Some(id));
        assert_eq!(Talk::named(&Key::In(DRAWER, "malaka-017".into())), None);
    }
}
