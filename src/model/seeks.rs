//! The open challenges of a game, and the users who are notified of its new boards.

use crate::base::ids::UserId;
use crate::base::key::Place;
use crate::base::time::{Span, Time, days};
use crate::model::board::Agreement;
use crate::model::clock::BoardTerms;
use crate::model::document::{Damage, Document, DocumentFormat, Removal, pretty_json, rename_in};
use crate::model::export::{DataSubject, Export};
use crate::model::rating::Standing;
use crate::model::user::User;
use crate::store::Key;
use games::Choices;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

const FILE: &str = "seeks.json";

/// How long a challenge stays open.
const OPEN: Span = days(30);
/// How long a newcomer's challenge stays open.
const OPEN_UNPROVED: Span = days(3);

/// The open challenges of a game, at most one for each user, and the listeners for its boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeks {
    /// The game's name.
    pub game: &'static str,
    /// The challenges, oldest first, expired ones included.
    pub seeks: Vec<Seek>,
    /// The users who get a notice about every new board.
    pub listeners: Vec<UserId>,
    /// The number of the latest challenge.
    last: u32,
}

/// A challenge that anybody may accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seek {
    /// Its number, from 1 in each game.
    pub number: u32,
    /// Its author.
    pub user: UserId,
    /// The options and terms.
    pub agreed: Agreement,
    /// The ratings that an opponent may have.
    pub bounds: RatingRange,
    /// The author's seed word or commitment.
    pub seed: Option<String>,
    /// When it was made.
    pub at: Time,
    /// Whether the author was a newcomer, who had not proved to read their mail.
    pub unproved: bool,
}

/// One change of a game's open challenges or listeners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeeksEvent {
    /// A user made an open challenge.
    Sought(Seek),
    /// The challenge of this number was accepted or withdrawn.
    Ended(u32),
    /// The challenges whose time is over were removed.
    Expired {
        /// When.
        at: Time,
    },
    /// A user turned the notices about new boards on or off.
    Listened {
        /// The user.
        user: UserId,
        /// Whether the notices are on.
        wanted: bool,
    },
}

impl SeeksEvent {
    /// Returns a short text for the log.
    pub fn summary(&self, game: &str) -> String {
        match self {
            Self::Sought(seek) => {
                format!("{game}: {} made open challenge {}", seek.user, seek.number)
            }
            Self::Ended(number) => format!("{game}: open challenge {number} ended"),
            Self::Expired { .. } => format!("{game}: expired open challenges removed"),
            Self::Listened { user, wanted: true } => format!("{game}: notices to {user} turned on"),
            Self::Listened { user, wanted: false } => {
                format!("{game}: notices to {user} turned off")
            }
        }
    }
}

/// A range of ratings, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingRange {
    /// The minimum.
    pub min: Option<u32>,
    /// The maximum.
    pub max: Option<u32>,
}

impl RatingRange {
    /// Returns whether a player's rating is in the range. A player without a rating counts as 1600.
    pub fn contains(self, standing: &Standing) -> bool {
        let points = i64::from(standing.points());
        self.min.is_none_or(|min| points >= i64::from(min))
            && self.max.is_none_or(|max| points <= i64::from(max))
    }

    /// Returns whether any rating is in the range.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Returns the options that set the range.
    fn words(self) -> impl Iterator<Item = String> {
        let min = self.min.map(|min| format!("--min={min}"));
        let max = self.max.map(|max| format!("--max={max}"));
        [min, max].into_iter().flatten()
    }
}

impl Seek {
    /// Returns when the challenge expires.
    pub fn until(&self) -> Time {
        self.at + if self.unproved { OPEN_UNPROVED } else { OPEN }
    }

    /// Returns the options of the challenge as one text.
    pub fn words(&self) -> String {
        self.agreed.words().chain(self.bounds.words()).collect::<Vec<_>>().join(" ")
    }
}

/// A challenge as its document has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSeek {
    number: u32,
    user: UserId,
    at: Time,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    options: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    private: bool,
    #[serde(default)]
    terms: BoardTerms,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unproved: bool,
}

/// The whole document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSeeks {
    format: DocumentFormat<FORMAT>,
    game: String,
    last: u32,
    seeks: Vec<StoredSeek>,
    notify: Vec<UserId>,
}

impl Seeks {
    /// Builds the document of a game without challenges.
    pub fn new(game: &'static str) -> Self {
        Self { game, seeks: Vec::new(), listeners: Vec::new(), last: 0 }
    }

    /// Returns the number of the next challenge.
    pub fn next_number(&self) -> u32 {
        self.last.saturating_add(1)
    }

    /// Returns whether a challenge of this number was ever made.
    pub fn existed(&self, number: u32) -> bool {
        (1..=self.last).contains(&number)
    }

    /// Returns the challenges that can be accepted now.
    pub fn open(&self, now: Time) -> impl Iterator<Item = &Seek> {
        self.seeks.iter().filter(move |seek| seek.until() > now)
    }

    /// Returns the challenge of this number, even if it has expired.
    pub fn get(&self, number: u32) -> Option<&Seek> {
        self.seeks.iter().find(|seek| seek.number == number)
    }

    /// Returns whether a user has a challenge or is a listener.
    pub fn mentions(&self, user: &UserId) -> bool {
        self.seeks.iter().any(|seek| seek.user == *user) || self.listeners.contains(user)
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &SeeksEvent) {
        match event {
            // A new challenge replaces the user's older one.
            SeeksEvent::Sought(new) => {
                self.seeks.retain(|seek| seek.user != new.user && seek.until() > new.at);
                self.last = new.number;
                self.seeks.push(new.clone());
            }
            SeeksEvent::Ended(number) => self.seeks.retain(|seek| seek.number != *number),
            SeeksEvent::Expired { at } => self.seeks.retain(|seek| seek.until() > *at),
            SeeksEvent::Listened { user, wanted } => {
                self.listeners.retain(|listener| listener != user);
                if *wanted {
                    self.listeners.push(user.clone());
                }
            }
        }
    }

    /// Removes a user's challenge and notices.
    pub fn forget(&mut self, user: &UserId) {
        self.seeks.retain(|seek| seek.user != *user);
        self.listeners.retain(|listener| listener != user);
    }

    /// Reads the open challenges of a game.
    ///
    /// # Errors
    /// The text is damaged or of a newer format, or names a user twice.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let file: StoredSeeks = serde_json::from_str(text).map_err(Damage::from_json)?;
        file.format.check()?;
        let game = games::find(&file.game);
        let game = game.ok_or_else(|| Damage::invalid("it belongs to an unknown game"))?;
        let spec = game.spec();
        let mut seeks = Vec::with_capacity(file.seeks.len());
        for one in file.seeks {
            let words = one.options.iter().map(String::as_str);
            let options = Choices::parse(spec.options, spec.exclusive, words)
                .map_err(|error| Damage::invalid(format!("challenge {}: {error}", one.number)))?;
            let agreed = Agreement { options, private: one.private, terms: one.terms };
            let bounds = RatingRange { min: one.min, max: one.max };
            let StoredSeek { number, user, seed, at, unproved, .. } = one;
            seeks.push(Seek { number, user, agreed, bounds, seed, at, unproved });
        }
        let numbers = seeks.iter().map(|seek| seek.number).chain([file.last.saturating_add(1)]);
        if !numbers.is_sorted_by(|a, b| a < b) {
            return Err(Damage::invalid("the numbers of the challenges are not in order"));
        }
        let mut makers = HashSet::new();
        let mut listeners = HashSet::new();
        let twice = seeks.iter().map(|seek| &seek.user).find(|user| !makers.insert(*user));
        let twice = twice.or_else(|| file.notify.iter().find(|user| !listeners.insert(*user)));
        if let Some(user) = twice {
            return Err(Damage::invalid(format!("it names {user} twice")));
        }
        Ok(Self { game: spec.name, seeks, listeners: file.notify, last: file.last })
    }
}

/// Returns the key of a game's open challenges.
pub const fn seeks_key(game: &'static str) -> Key {
    Key::OfGame(game, FILE)
}

impl Document for Seeks {
    type Id = &'static str;

    const KIND: &'static str = "seeks";
    const PLACE: Place = Place::OfGame(FILE);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(game: &&'static str) -> Key {
        seeks_key(game)
    }

    fn id_of(key: &Key) -> Option<&'static str> {
        match key {
            Key::OfGame(game, FILE) => Some(game),
            _ => None,
        }
    }

    fn from_text(game: &&'static str, text: &str) -> Result<Self, Damage> {
        let seeks = Self::read(text)?;
        let other = |game| Damage::invalid(format!("it belongs to {game}"));
        if seeks.game == *game { Ok(seeks) } else { Err(other(seeks.game)) }
    }

    fn to_text(&self) -> String {
        let file = StoredSeeks {
            format: DocumentFormat::default(),
            game: self.game.to_owned(),
            last: self.last,
            seeks: self.seeks.iter().map(stored).collect(),
            notify: self.listeners.clone(),
        };
        pretty_json(&file)
    }

    /// The first challenge expires.
    fn wakeup(&self) -> Option<Time> {
        self.seeks.iter().map(Seek::until).min()
    }

    /// A user may have a challenge or be a listener in any game.
    fn keys_of(_: &User) -> Vec<Key> {
        games::names().map(seeks_key).collect()
    }

    fn rename(&mut self, _: &&'static str, old: &UserId, new: &UserId) -> bool {
        let makers = self.seeks.iter_mut().map(|seek| &mut seek.user);
        rename_in(makers.chain(&mut self.listeners), old, new)
    }

    fn remove_user(&mut self, _: &&'static str, subject: &DataSubject, _: Removal) -> bool {
        let is_named = self.mentions(&subject.user.id);
        self.forget(&subject.user.id);
        is_named
    }

    fn export(&self, game: &&'static str, subject: &DataSubject, export: &mut Export) {
        let user = &subject.user.id;
        if let Some(own) = self.seeks.iter().find(|seek| seek.user == *user) {
            let value = serde_json::to_value(stored(own)).expect("a seek has plain values");
            export.add_entry("seeks", (*game).to_owned(), value);
        }
        if self.listeners.contains(user) {
            export.add_item("notify", (*game).into());
        }
    }

    fn absent(game: &&'static str) -> Option<Self> {
        Some(Self::new(game))
    }
}

fn stored(seek: &Seek) -> StoredSeek {
    let Seek { number, user, agreed, bounds, seed, at, unproved } = seek;
    StoredSeek {
        number: *number,
        user: user.clone(),
        at: *at,
        options: agreed.options.words().collect(),
        private: agreed.private,
        terms: agreed.terms,
        min: bounds.min,
        max: bounds.max,
        seed: seed.clone(),
        unproved: *unproved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::{MINUTE, seconds};
    use crate::model::rating::{Rating, Skill};

    fn rated(rating: &str) -> Standing {
        let rating = Rating::try_from(rating.to_owned()).unwrap();
        Standing { skill: Skill { rating, ..Skill::START }, ..Standing::default() }
    }

    #[test]
    fn bounds_include_their_ends_and_unrated_players_count_as_1600() {
        let bounds = |min, max| RatingRange { min, max };
        let new = Standing::default();
        assert!(bounds(Some(1600), Some(1600)).contains(&new));
        assert!(!bounds(Some(1601), None).contains(&new));
        assert!(!bounds(None, Some(1599)).contains(&new));
        assert!(bounds(None, None).contains(&rated("-20.00")));
        assert!(!bounds(Some(0), None).contains(&rated("-20.00")));
        // Ranges are compared with whole points.
        assert!(bounds(Some(1613), None).contains(&rated("1612.50")));
        assert!(!bounds(Some(1613), None).contains(&rated("1612.49")));
        // The rating of the original server does not matter.
        let winner = Standing { original: Rating::try_from("1800.00".to_owned()).unwrap(), ..new };
        assert!(bounds(None, Some(1600)).contains(&winner));
    }

    #[test]
    fn a_user_has_one_challenge_open_for_thirty_days() {
        let seek = |number, user, at| Seek {
            number,
            user: UserId::parse(user).unwrap(),
            agreed: Agreement::default(),
            bounds: RatingRange::default(),
            seed: None,
            at,
            unproved: false,
        };
        let numbers =
            |seeks: &Seeks, now| seeks.open(now).map(|seek| seek.number).collect::<Vec<_>>();
        let mut seeks = Seeks::new("malaka");
        seeks.apply(&SeeksEvent::Sought(seek(seeks.next_number(), "alice", Time::EPOCH)));
        seeks.apply(&SeeksEvent::Sought(seek(seeks.next_number(), "bob", Time::from_unix(60))));
        seeks.apply(&SeeksEvent::Sought(seek(seeks.next_number(), "ALICE", Time::from_unix(120))));
        assert_eq!(numbers(&seeks, Time::from_unix(120)), [2, 3]);
        assert_eq!(numbers(&seeks, Time::EPOCH + days(30) + seconds(59)), [2, 3]);
        assert_eq!(numbers(&seeks, Time::EPOCH + days(30) + MINUTE), [3]);
        assert!(seeks.existed(1) && !seeks.existed(0) && !seeks.existed(4));
        assert_eq!(Seeks::read(&seeks.to_text()).unwrap(), seeks);
    }
}
