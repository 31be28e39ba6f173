//! The operator's announcements: each is on the home page until its last day, and once in a mail to each
//! player.

use crate::base::key::{Collection, Place};
use crate::base::time::{Day, Time};
use crate::model::document::{Damage, Document, DocumentFormat, names_no_users, pretty_json};
use crate::store::Key;
use serde::{Deserialize, Serialize};

/// The collection with the only document.
const COLLECTION: Collection = Collection::new("announcements");

/// The name of the document.
const NAME: &str = "board";

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The announcements that are shown, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcements {
    format: DocumentFormat<FORMAT>,
    /// The number of the latest announcement.
    latest: u32,
    all: Vec<Announcement>,
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// Its number, from 1.
    pub number: u32,
    /// When it was made.
    pub at: Time,
    /// The last day on which it is shown.
    pub until: Day,
    /// The text.
    pub words: String,
}

/// One change of the announcements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnnouncementEvent {
    /// The operator made an announcement. Those whose last day is past are dropped.
    Made(Announcement),
    /// The announcement of this number was withdrawn.
    Withdrawn(u32),
}

impl AnnouncementEvent {
    /// Returns a short text for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::Made(new) => format!("announcement {} made", new.number),
            Self::Withdrawn(number) => format!("announcement {number} withdrawn"),
        }
    }
}

impl Announcements {
    /// The most announcements that are shown at a time.
    pub const MOST: usize = 5;
    /// The most characters of an announcement.
    pub const LONGEST: usize = 1_000;

    /// Returns the number of the next announcement.
    pub fn next_number(&self) -> u32 {
        self.latest.saturating_add(1)
    }

    /// Returns the announcements that are shown on a day, oldest first.
    pub fn shown(&self, today: Day) -> impl Iterator<Item = &Announcement> {
        self.all.iter().filter(move |one| one.until >= today)
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &AnnouncementEvent) {
        match event {
            AnnouncementEvent::Made(new) => {
                let today = new.at.day();
                self.all.retain(|old| old.until >= today);
                self.all.push(new.clone());
                self.latest = new.number;
            }
            AnnouncementEvent::Withdrawn(number) => self.all.retain(|one| one.number != *number),
        }
    }
}

/// Returns the key of the announcements.
pub fn announcements_key() -> Key {
    Key::In(COLLECTION, NAME.to_owned())
}

impl Document for Announcements {
    type Id = ();

    const KIND: &'static str = "announcements";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key((): &()) -> Key {
        announcements_key()
    }

    fn id_of(key: &Key) -> Option<()> {
        (*key == announcements_key()).then_some(())
    }

    fn from_text((): &(), text: &str) -> Result<Self, Damage> {
        let found: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        found.format.check()?;
        let numbers = found.all.iter().map(|one| one.number);
        if !numbers.chain([found.next_number()]).is_sorted_by(|a, b| a < b) {
            return Err(Damage::invalid("the announcements are not in order"));
        }
        Ok(found)
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    names_no_users!();

    fn absent((): &()) -> Option<Self> {
        Some(Self::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_announcement_is_shown_until_its_last_day_or_its_withdrawal() {
        let day = |word: &str| Day::parse(word).unwrap();
        let mut board = Announcements::default();
        let make = |board: &mut Announcements, from: &str, until: &str| {
            let (number, at, words) = (board.next_number(), day(from).start(), from.to_owned());
            let new = Announcement { number, at, until: day(until), words };
            board.apply(&AnnouncementEvent::Made(new));
        };
        make(&mut board, "2026-11-01", "2026-11-10");
        make(&mut board, "2026-11-02", "2026-11-20");
        let numbers = |board: &Announcements, today: &str| -> Vec<u32> {
            board.shown(day(today)).map(|one| one.number).collect()
        };
        assert_eq!(numbers(&board, "2026-11-10"), [1, 2]);
        assert_eq!(numbers(&board, "2026-11-11"), [2]);
        make(&mut board, "2026-11-11", "2026-11-12");
        assert_eq!(board.all.len(), 2, "the first one is dropped");
        board.apply(&AnnouncementEvent::Withdrawn(2));
        assert_eq!(numbers(&board, "2026-11-11"), [3]);
        assert_eq!(board.next_number(), 4);
        assert_eq!(Announcements::from_text(&(), &board.to_text()).unwrap(), board);
    }
}
