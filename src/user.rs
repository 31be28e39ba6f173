//! A user: who they are, where their mail goes, and on which boards they play.

use crate::board::Damage;
use crate::clock::Vacation;
use crate::ids::{BoardId, UserId};
use crate::message::Address;
use crate::rating::Standing;
use games::{AnyGame, Choices};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The newest user format this program writes and reads.
const FORMAT: u32 = 1;

/// A user as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    format: u32,
    /// The userid as typed at signup.
    pub id: UserId,
    /// The password as an Argon2id string.
    pub password: String,
    /// Where mails go: all of these.
    pub addresses: Vec<Address>,
    /// When they signed up, Unix seconds.
    pub joined: i64,
    /// Boards in progress, oldest first. An index of the boards, for speed.
    #[serde(default)]
    pub active: Vec<BoardId>,
    /// Boards that ended, oldest end first. An index of the boards, for speed.
    #[serde(default)]
    pub finished: Vec<BoardId>,
    /// What the user likes on all boards of a game, by the game's name: words such as
    /// `-sethome=ul`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Vec<String>>,
    /// Challenges sent by mail that are unanswered or less than a day old.
    #[serde(default)]
    pub challenges: Vec<Challenge>,
    /// Days on which no clock of his runs, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacations: Vec<Vacation>,
    /// How the user stands in each game, by the game's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ratings: BTreeMap<String, Standing>,
}

/// A challenge that its sender may still be held to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Challenge {
    /// The board it set up.
    pub board: BoardId,
    /// Who was challenged.
    pub to: UserId,
    /// When, Unix seconds.
    pub at: i64,
    /// Whether the one challenged has moved or declined.
    pub answered: bool,
}

impl User {
    /// A new user.
    pub fn new(id: UserId, password: String, addresses: Vec<Address>, joined: i64) -> Self {
        Self {
            format: FORMAT,
            id,
            password,
            addresses,
            joined,
            active: Vec::new(),
            finished: Vec::new(),
            settings: BTreeMap::new(),
            challenges: Vec::new(),
            vacations: Vec::new(),
            ratings: BTreeMap::new(),
        }
    }

    /// How the user stands in a game.
    pub fn standing(&self, game: &str) -> Standing {
        self.ratings.get(game).copied().unwrap_or_default()
    }

    /// What the user likes on all boards of a game.
    pub fn settings(&self, game: &'static dyn AnyGame) -> Choices {
        let spec = game.spec();
        let words = self.settings.get(spec.name).into_iter().flatten().map(String::as_str);
        // They were checked when the file was read.
        Choices::of_settings(spec.settings, words).unwrap_or_default()
    }

    /// Changes one of those settings; without a choice back to the default.
    pub fn choose(&mut self, game: &'static dyn AnyGame, setting: &str, choice: Option<&Choices>) {
        let chosen = self.settings(game).without(setting).and(&choice.cloned().unwrap_or_default());
        let words: Vec<String> = chosen.words().collect();
        let name = game.spec().name.to_owned();
        if words.is_empty() {
            self.settings.remove(&name);
        } else {
            self.settings.insert(name, words);
        }
    }

    /// How the user of a file stands in a game, and how many boards of it are in progress: for
    /// looking at many users at once, without reading all that the file has.
    ///
    /// # Errors
    /// The text is no user.
    pub fn glimpse(text: &str, game: &str) -> Result<(UserId, Option<Standing>, usize), Damage> {
        #[derive(Deserialize)]
        struct Glimpse<'a> {
            id: UserId,
            #[serde(borrow, default)]
            active: Vec<&'a str>,
            #[serde(borrow, default)]
            ratings: BTreeMap<&'a str, Standing>,
        }
        let place = |error: serde_json::Error| Damage(format!("line {}", error.line()));
        let Glimpse { id, active, ratings } = serde_json::from_str(text).map_err(place)?;
        let of_game = |board: &&&str| board.split(' ').next() == Some(game);
        Ok((id, ratings.get(game).copied(), active.iter().filter(of_game).count()))
    }

    /// Reads a user.
    ///
    /// # Errors
    /// The text is no user of this version.
    pub fn read(text: &str) -> Result<Self, Damage> {
        // The place alone: what stands there may be a password's hash.
        let place = |error: serde_json::Error| {
            Damage(format!("line {} column {} is not understood", error.line(), error.column()))
        };
        let user: Self = serde_json::from_str(text).map_err(place)?;
        if user.format > FORMAT {
            return Err(Damage(format!("format {} is newer than this program", user.format)));
        }
        let days = user.vacations.iter().flat_map(|one| [one.from, one.to.plus(1)]);
        if !days.is_sorted() {
            return Err(Damage("the vacations are not in order".into()));
        }
        for (name, words) in &user.settings {
            let game = games::find(name).ok_or_else(|| Damage(format!("no game {name}")))?;
            Choices::of_settings(game.spec().settings, words.iter().map(String::as_str))
                .map_err(|error| Damage(format!("settings of {name}: {error}")))?;
        }
        Ok(user)
    }

    /// The user as the file has it.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a user has only plain values");
        text.push('\n');
        text
    }
}
