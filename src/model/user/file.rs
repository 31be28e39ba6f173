//! A user as the file has them.

use super::{FORMAT, User};
use crate::base::ids::UserId;
use crate::base::key::Collection;
use crate::model::document::{Damage, Document, check_format};
use crate::model::rating::Standing;
use crate::store::Key;
use games::{Choices, Scope};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Where users lie, by their folded (lower-case) userids.
pub const DRAWER: Collection = Collection::new("users");

/// The key of a user's document.
pub fn user_key(id: &UserId) -> Key {
    Key::In(DRAWER, id.folded())
}

impl Document for User {
    type Id = UserId;

    fn key(id: &UserId) -> Key {
        user_key(id)
    }

    fn named(key: &Key) -> Option<UserId> {
        match key {
            Key::In(DRAWER, folded) => UserId::parse(folded),
            _ => None,
        }
    }

    fn find(file: &str) -> Option<Key> {
        DRAWER.find(file)
    }

    fn from_text(id: &UserId, text: &str) -> Result<Self, Damage> {
        let user = Self::read(text)?;
        if user.id == *id { Ok(user) } else { Err(Damage::Other(user.id.to_string())) }
    }

    fn to_text(&self) -> String {
        self.write()
    }
}

impl User {
    /// The standing of a file's user in a game, and how many boards of it are in progress: for
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
            #[serde(default)]
            left: Option<serde::de::IgnoredAny>,
        }
        let glimpse = serde_json::from_str(text).map_err(Damage::of_secrets)?;
        let Glimpse { id, active, ratings, left } = glimpse;
        let of_game = |board: &&&str| board.split(' ').next() == Some(game);
        // A user who has left is in the boards of others, but is ranked no more.
        let standing = ratings.get(game).copied().filter(|_| left.is_none());
        Ok((id, standing, active.iter().filter(of_game).count()))
    }

    /// Reads a user.
    ///
    /// # Errors
    /// The text is no user of this version.
    pub fn read(text: &str) -> Result<Self, Damage> {
        // The damaged text may be a password's hash.
        let user: Self = serde_json::from_str(text).map_err(Damage::of_secrets)?;
        check_format(user.format, FORMAT)?;
        let days = user.vacations.iter().flat_map(|one| [one.from, one.to.plus(1)]);
        if !days.is_sorted() {
            return Err(Damage::untrue("the vacations are not in order"));
        }
        for (name, words) in &user.settings {
            // Settings of a game that this program does not know are kept for one that does.
            let Some(game) = games::find(name).filter(|game| game.spec().name == name) else {
                continue;
            };
            let wrong = |why: String| Damage::untrue(format!("settings of {name}: {why}"));
            let settings = game.spec().settings;
            let chosen = Choices::of_settings(settings, words.iter().map(String::as_str))
                .map_err(|error| wrong(error.to_string()))?;
            let of_board = settings.iter().filter(|setting| setting.scope == Scope::Board);
            if let Some(setting) = of_board.map(|s| s.switch.name).find(|name| chosen.has(name)) {
                return Err(wrong(format!("`{setting}` is chosen for one board")));
            }
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
