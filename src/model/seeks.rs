//! The open challenges of a game, which anybody may accept, and the users who hear of new boards.

use crate::base::ids::UserId;
use crate::base::time::{Span, Time, days};
use crate::model::board::Agreement;
use crate::model::clock::BoardTerms;
use crate::model::document::{Damage, Document, check_format};
use crate::model::rating::Standing;
use crate::store::Key;
use games::Choices;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The newest format this program writes and reads.
const FORMAT: u32 = 1;

const FILE: &str = "seeks.json";

/// How long a challenge stays open.
const OPEN: Span = days(30);
/// The same for a user who has not shown that they read their mails.
const OPEN_UNPROVED: Span = days(3);

/// The open challenges of a game, at most one a user, and the users who want to hear of its boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeks {
    /// The game's name.
    pub game: &'static str,
    /// The challenges, oldest first; some may be open no longer.
    pub seeks: Vec<Seek>,
    /// The users who get a notice of every new board.
    pub listeners: Vec<UserId>,
    /// The number of the latest challenge there ever was.
    last: u32,
}

/// A challenge that anybody may accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seek {
    /// Its number, counted from 1 in each game.
    pub number: u32,
    /// The user who made it.
    pub user: UserId,
    /// The game and its terms.
    pub agreed: Agreement,
    /// The ratings that a player who accepts it may have.
    pub bounds: RatingRange,
    /// The word that its maker mixes into the dice.
    pub seed: Option<String>,
    /// When it was made.
    pub at: Time,
    /// Whether the user who made it had not shown that they read their mails.
    pub unproved: bool,
}

/// One change to the open challenges of a game, or to the users who hear of its boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeeksEvent {
    /// A challenge is open to everybody.
    Sought(Seek),
    /// An open challenge was accepted or withdrawn: its number.
    Ended(u32),
    /// A user wants to hear of every new board, or does not want to any more.
    Listened {
        /// The user.
        user: UserId,
        /// Whether they want to.
        wanted: bool,
    },
}

impl SeeksEvent {
    /// The event in a few words, for the log.
    pub fn summary(&self, game: &str) -> String {
        match self {
            Self::Sought(seek) => {
                format!("{} made open challenge {} to {game}", seek.user, seek.number)
            }
            Self::Ended(number) => format!("open challenge {number} to {game} ended"),
            Self::Listened { user, wanted: true } => format!("{user} hears of {game} boards"),
            Self::Listened { user, wanted: false } => {
                format!("{user} no longer hears of {game} boards")
            }
        }
    }
}

/// Ratings from one to another, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingRange {
    /// At least.
    pub min: Option<u32>,
    /// At most.
    pub max: Option<u32>,
}

impl RatingRange {
    /// Whether a player with that standing is within them. A player without a rating counts as
    /// 1600.
    pub fn hold(self, standing: &Standing) -> bool {
        let points = i64::from(standing.rating.points());
        self.min.is_none_or(|min| points >= i64::from(min))
            && self.max.is_none_or(|max| points <= i64::from(max))
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The options that make these.
    fn words(self) -> impl Iterator<Item = String> {
        let min = self.min.map(|min| format!("--min={min}"));
        let max = self.max.map(|max| format!("--max={max}"));
        [min, max].into_iter().flatten()
    }
}

impl Seek {
    /// When it ends by itself.
    pub fn until(&self) -> Time {
        self.at + if self.unproved { OPEN_UNPROVED } else { OPEN }
    }

    /// The options that it was made with, as one text.
    pub fn words(&self) -> String {
        self.agreed.words().chain(self.bounds.words()).collect::<Vec<_>>().join(" ")
    }
}

/// A challenge as the file has it.
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

/// The whole file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSeeks {
    format: u32,
    game: String,
    last: u32,
    seeks: Vec<StoredSeek>,
    notify: Vec<UserId>,
}

impl Seeks {
    /// Nothing yet.
    pub fn new(game: &'static str) -> Self {
        Self { game, seeks: Vec::new(), listeners: Vec::new(), last: 0 }
    }

    /// The number that the next challenge gets.
    pub fn next(&self) -> u32 {
        self.last.saturating_add(1)
    }

    /// Whether there ever was a challenge of that number.
    pub fn has_been(&self, number: u32) -> bool {
        (1..=self.last).contains(&number)
    }

    /// The challenges that can be accepted now.
    pub fn open(&self, now: Time) -> impl Iterator<Item = &Seek> {
        self.seeks.iter().filter(move |seek| seek.until() > now)
    }

    /// The challenge of that number, even if it is open no longer.
    pub fn get(&self, number: u32) -> Option<&Seek> {
        self.seeks.iter().find(|seek| seek.number == number)
    }

    /// Whether a user is named here.
    pub fn names(&self, user: &UserId) -> bool {
        self.seeks.iter().any(|seek| seek.user == *user) || self.listeners.contains(user)
    }

    /// Carries out an event that was decided for it.
    pub fn apply(&mut self, event: &SeeksEvent) {
        match event {
            // In the place of an older one of the same user.
            SeeksEvent::Sought(new) => {
                self.seeks.retain(|seek| seek.user != new.user && seek.until() > new.at);
                self.last = new.number;
                self.seeks.push(new.clone());
            }
            SeeksEvent::Ended(number) => self.seeks.retain(|seek| seek.number != *number),
            SeeksEvent::Listened { user, wanted } => {
                self.listeners.retain(|listener| listener != user);
                if *wanted {
                    self.listeners.push(user.clone());
                }
            }
        }
    }

    /// A user has another userid.
    pub fn rename(&mut self, old: &UserId, new: &UserId) {
        let makers = self.seeks.iter_mut().map(|seek| &mut seek.user);
        for user in makers.chain(&mut self.listeners).filter(|user| *user == old) {
            user.clone_from(new);
        }
    }

    /// A user is gone.
    pub fn forget(&mut self, user: &UserId) {
        self.seeks.retain(|seek| seek.user != *user);
        self.listeners.retain(|listener| listener != user);
    }

    /// The data of a user, as an export shows it: their challenge, and whether they hear of
    /// boards.
    pub fn export(&self, user: &UserId) -> (Option<serde_json::Value>, bool) {
        let own = self.seeks.iter().find(|seek| seek.user == *user);
        let value = |seek| serde_json::to_value(written(seek)).expect("a seek has plain values");
        (own.map(value), self.listeners.contains(user))
    }

    /// Reads the open challenges of a game.
    ///
    /// # Errors
    /// The text is not of this version, or says something twice.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let file: StoredSeeks = serde_json::from_str(text).map_err(Damage::of_json)?;
        check_format(file.format, FORMAT)?;
        let game = games::find(&file.game);
        let game = game.ok_or_else(|| Damage::untrue("it is of a game that is not known"))?;
        let spec = game.spec();
        let mut seeks = Vec::with_capacity(file.seeks.len());
        for one in file.seeks {
            let words = one.options.iter().map(String::as_str);
            let options = Choices::parse(spec.options, spec.exclusive, words)
                .map_err(|error| Damage::untrue(format!("challenge {}: {error}", one.number)))?;
            let agreed = Agreement { options, private: one.private, terms: one.terms };
            let bounds = RatingRange { min: one.min, max: one.max };
            let StoredSeek { number, user, seed, at, unproved, .. } = one;
            seeks.push(Seek { number, user, agreed, bounds, seed, at, unproved });
        }
        let numbers = seeks.iter().map(|seek| seek.number).chain([file.last.saturating_add(1)]);
        if !numbers.is_sorted_by(|a, b| a < b) {
            return Err(Damage::untrue("the numbers of the challenges are not in order"));
        }
        let mut makers = HashSet::new();
        let mut listeners = HashSet::new();
        let twice = seeks.iter().map(|seek| &seek.user).find(|user| !makers.insert(*user));
        let twice = twice.or_else(|| file.notify.iter().find(|user| !listeners.insert(*user)));
        if let Some(user) = twice {
            return Err(Damage::untrue(format!("{user} stands there twice")));
        }
        Ok(Self { game: spec.name, seeks, listeners: file.notify, last: file.last })
    }

    /// The open challenges, as the file has them.
    pub fn write(&self) -> String {
        let file = StoredSeeks {
            format: FORMAT,
            game: self.game.to_owned(),
            last: self.last,
            seeks: self.seeks.iter().map(written).collect(),
            notify: self.listeners.clone(),
        };
        serde_json::to_string_pretty(&file).expect("it has only plain values") + "\n"
    }
}

/// The key of a game's open challenges.
pub const fn seeks_key(game: &'static str) -> Key {
    Key::OfGame(game, FILE)
}

impl Document for Seeks {
    type Id = &'static str;

    fn key(game: &&'static str) -> Key {
        seeks_key(game)
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

    fn from_text(game: &&'static str, text: &str) -> Result<Self, Damage> {
        let seeks = Self::read(text)?;
        let other = |game| Damage::untrue(format!("it is of {game}"));
        if seeks.game == *game { Ok(seeks) } else { Err(other(seeks.game)) }
    }

    fn to_text(&self) -> String {
        self.write()
    }

    fn absent(game: &&'static str) -> Option<Self> {
        Some(Self::new(game))
    }
}

fn written(seek: &Seek) -> StoredSeek {
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
    use crate::model::rating::{Rating, Score};

    fn rated(rating: &str) -> Standing {
        Standing { rating: Rating::try_from(rating.to_owned()).unwrap(), ..Standing::default() }
    }

    #[test]
    fn bounds_take_in_their_ends_and_who_has_no_rating_counts_as_1600() {
        let bounds = |min, max| RatingRange { min, max };
        let new = Standing::default();
        assert!(bounds(Some(1600), Some(1600)).hold(&new));
        assert!(!bounds(Some(1601), None).hold(&new));
        assert!(!bounds(None, Some(1599)).hold(&new));
        assert!(bounds(None, None).hold(&rated("-20.00")));
        assert!(!bounds(Some(0), None).hold(&rated("-20.00")));
        // In points as they are shown.
        assert!(bounds(Some(1613), None).hold(&rated("1612.50")));
        assert!(!bounds(Some(1613), None).hold(&rated("1612.49")));
        let winner = new.after(&new, Score::Won, Time::from_unix(1));
        assert!(!bounds(None, Some(1799)).hold(&winner), "{}", winner.rating);
    }

    #[test]
    fn one_a_user_is_open_until_thirty_days_are_over() {
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
        seeks.apply(&SeeksEvent::Sought(seek(seeks.next(), "alice", Time::EPOCH)));
        seeks.apply(&SeeksEvent::Sought(seek(seeks.next(), "bob", Time::from_unix(60))));
        seeks.apply(&SeeksEvent::Sought(seek(seeks.next(), "ALICE", Time::from_unix(120))));
        assert_eq!(numbers(&seeks, Time::from_unix(120)), [2, 3]);
        assert_eq!(numbers(&seeks, Time::EPOCH + days(30) + seconds(59)), [2, 3]);
        assert_eq!(numbers(&seeks, Time::EPOCH + days(30) + MINUTE), [3]);
        assert!(seeks.has_been(1) && !seeks.has_been(0) && !seeks.has_been(4));
        assert_eq!(Seeks::read(&seeks.write()).unwrap(), seeks);
    }
}
