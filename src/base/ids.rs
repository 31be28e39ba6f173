//! Userids and board numbers.

use super::stored_as_words;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Display};
use std::hash::{Hash, Hasher};

/// A userid, stored as typed and compared without case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UserId(String);

impl UserId {
    /// The longest userid, in characters.
    pub const MAX: usize = 32;

    /// Parses a userid: a letter, followed by at most 31 letters, digits, `_`, `.` or `-`.
    pub fn parse(word: &str) -> Option<Self> {
        let mut bytes = word.bytes();
        let good = word.len() <= Self::MAX
            && bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
            && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'));
        good.then(|| Self(word.to_owned()))
    }

    /// Returns the userid as its owner typed it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the lower-case form, by which userids are compared and filed.
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

/// Returns the shape of a userid at a glance. People could mix up two userids of equal shape, at
/// least in some fonts. Letters and digits that look alike become equal, and so do `_`, `.` and
/// `-`; these are dropped at the end.
pub fn look(user: &UserId) -> String {
    let mut look = String::with_capacity(user.0.len());
    for letter in user.0.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).chars() {
        match letter.to_ascii_lowercase() {
            '0' => look.push('o'),
            '1' | 'i' => look.push('l'),
            // `rn` looks like `m`, `vv` like `w`.
            'n' if look.ends_with('r') => {
                look.pop();
                look.push('m');
            }
            'v' if look.ends_with('v') => {
                look.pop();
                look.push('w');
            }
            '_' | '.' | '-' if look.ends_with('-') => {}
            '_' | '.' | '-' => look.push('-'),
            other => look.push(other),
        }
    }
    look
}

impl Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl PartialEq for UserId {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for UserId {}

impl Hash for UserId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.folded().hash(state);
    }
}

stored_as_words!(UserId, UserId::parse, "is no userid");

/// A board: its game and its number, counted from 1 in each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardId {
    /// The game's name.
    pub game: &'static str,
    /// The board's number.
    pub number: u32,
}

impl Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.number)
    }
}

impl Serialize for BoardId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BoardId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parts = text.split_once(' ').and_then(|(game, number)| {
            Some(Self { game: games::find(game)?.spec().name, number: number.parse().ok()? })
        });
        parts.ok_or_else(|| D::Error::custom(format!("`{text}` is no board")))
    }
}

/// A tournament: its game and its number, counted from 1 in each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TournamentId {
    /// The game's name.
    pub game: &'static str,
    /// The tournament's number.
    pub number: u32,
}

impl TournamentId {
    /// Returns the name that players read: `Malaka tournament 3`.
    pub fn title(self) -> String {
        format!("{} tournament {}", games::title(self.game), self.number)
    }
}

impl Display for TournamentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tournament {}", self.game, self.number)
    }
}

/// Stored like a board: `malaka 3`.
impl Serialize for TournamentId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { game, number } = *self;
        BoardId { game, number }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TournamentId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let BoardId { game, number } = BoardId::deserialize(deserializer)?;
        Ok(Self { game, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn userids_that_could_be_taken_for_one_another_look_alike() {
        let look = |word: &str| look(&UserId::parse(word).unwrap());
        for (one, other) in [
            ("alice", "aIice"),
            ("alice", "al1ce"),
            ("alice", "Alice_"),
            ("bob", "b0b"),
            ("mary", "rnary"),
            ("owen", "ovven"),
            ("bob.jones", "bob__jones"),
            ("board1", "b0ardI"),
        ] {
            assert_eq!(look(one), look(other), "{one} {other}");
        }
        for (one, other) in [
            ("alice", "alicia"),
            ("anna", "hanna"),
            ("tom2", "tom3"),
            ("bob", "bobby"),
            ("ann", "anne"),
        ] {
            assert_ne!(look(one), look(other), "{one} {other}");
        }
    }

    #[test]
    fn userids_are_checked_and_compared_without_case() {
        for good in ["a", "Alice", "bob.the-3rd_", &"x".repeat(32)] {
            assert!(UserId::parse(good).is_some(), "{good}");
        }
        for bad in ["", "1a", ".a", "a b", "a/b", "ä", "a\n", &"x".repeat(33)] {
            assert!(UserId::parse(bad).is_none(), "{bad}");
        }
        assert_eq!(UserId::parse("ALICE"), UserId::parse("alice"));
        assert_eq!(UserId::parse("ALICE").unwrap().as_str(), "ALICE");
    }
}
