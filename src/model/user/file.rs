//! The document of a user.

use super::{FORMAT, User};
use crate::base::ids::UserId;
use crate::base::key::{Collection, Place};
use crate::base::time::Time;
use crate::model::document::{Damage, Document, Removal, pretty_json, rename_in};
use crate::model::export::{DataSubject, Export};
use crate::model::rating::{RatingPeriod, Standing};
use crate::store::Key;
use games::{Choices, Scope};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The collection of users, named by their userids in lower case.
pub const COLLECTION: Collection = Collection::at_top("users");

/// Returns the key of a user.
pub fn user_key(id: &UserId) -> Key {
    Key::In(COLLECTION, id.folded())
}

impl Document for User {
    type Id = UserId;

    const KIND: &'static str = "users";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(id: &UserId) -> Key {
        user_key(id)
    }

    fn id_of(key: &Key) -> Option<UserId> {
        match key {
            Key::In(COLLECTION, folded) => UserId::parse(folded),
            _ => None,
        }
    }

    fn from_text(id: &UserId, text: &str) -> Result<Self, Damage> {
        let user = Self::read(text)?;
        if user.id == *id { Ok(user) } else { Err(Damage::OtherDocument(user.id.to_string())) }
    }

    fn to_text(&self) -> String {
        self.write()
    }

    /// A mail about several boards is due.
    fn wakeup(&self) -> Option<Time> {
        self.held.iter().map(|held| held.due).min()
    }

    fn keys_of(user: &User) -> Vec<Key> {
        vec![user_key(&user.id)]
    }

    fn rename(&mut self, _: &UserId, old: &UserId, new: &UserId) -> bool {
        let challenged = self.challenges.iter_mut().map(|challenge| &mut challenge.to);
        let spoken = self.spoken.iter_mut().map(|spoken| &mut spoken.to);
        let met = self.periods.values_mut().flat_map(RatingPeriod::opponents_mut);
        let marked = self.muted.iter_mut().chain(&mut self.blocked).chain(&mut self.favourites);
        let named = challenged.chain(spoken).chain(marked).chain(&mut self.renamed);
        let named = named.chain(met);
        rename_in(named, old, new)
    }

    fn remove_user(&mut self, _: &UserId, _: &DataSubject, _: Removal) -> bool {
        false
    }

    fn export(&self, _: &UserId, _: &DataSubject, export: &mut Export) {
        export.set("user", self.without_secrets());
    }
}

/// A user with a rating in a game.
#[derive(Clone, Debug)]
pub struct RatedUser {
    /// The userid.
    pub user: UserId,
    /// The standing in the game.
    pub standing: Standing,
    /// The number of boards of the game in progress.
    pub active: usize,
}

/// What everybody may know of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUser {
    /// The userid.
    pub id: UserId,
    /// When they signed up.
    pub joined: Time,
    /// The standing in each game with a finished rated board, by the game's name.
    pub ratings: BTreeMap<&'static str, Standing>,
}

impl User {
    /// Reads what everybody may know of a user, without reading their whole document; `None` if the
    /// user has left, or has not yet shown that they read their mail.
    ///
    /// # Errors
    /// The text is damaged.
    pub fn public(text: &str) -> Result<Option<PublicUser>, Damage> {
        #[derive(Deserialize)]
        struct StoredUser<'a> {
            id: UserId,
            joined: Time,
            #[serde(borrow, default)]
            ratings: BTreeMap<&'a str, Standing>,
            #[serde(default)]
            unproved: bool,
            #[serde(default)]
            left: Option<serde::de::IgnoredAny>,
        }
        let stored = serde_json::from_str(text).map_err(Damage::from_secret_json)?;
        let StoredUser { id, joined, ratings, unproved, left } = stored;
        if unproved || left.is_some() {
            return Ok(None);
        }
        let known = |name: &str| games::names().find(|known| *known == name);
        let ratings =
            ratings.into_iter().filter_map(|(name, standing)| Some((known(name)?, standing)));
        Ok(Some(PublicUser { id, joined, ratings: ratings.collect() }))
    }

    /// Reads only a user's standing and number of boards in a game, to list many users without
    /// reading their whole documents; `None` if the user has left or has no rating in the game.
    ///
    /// # Errors
    /// The text is damaged.
    pub fn rated(text: &str, game: &str) -> Result<Option<RatedUser>, Damage> {
        #[derive(Deserialize)]
        struct StoredRating<'a> {
            id: UserId,
            #[serde(borrow, default)]
            active: Vec<&'a str>,
            #[serde(borrow, default)]
            ratings: BTreeMap<&'a str, Standing>,
            #[serde(default)]
            left: Option<serde::de::IgnoredAny>,
        }
        let stored = serde_json::from_str(text).map_err(Damage::from_secret_json)?;
        let StoredRating { id, active, ratings, left } = stored;
        let of_game = |board: &&&str| board.split(' ').next() == Some(game);
        let active = active.iter().filter(of_game).count();
        let standing = ratings.get(game).copied().filter(|_| left.is_none());
        Ok(standing.map(|standing| RatedUser { user: id, standing, active }))
    }

    /// Reads a user.
    ///
    /// # Errors
    /// The text is damaged or of a newer format.
    pub fn read(text: &str) -> Result<Self, Damage> {
        // The damaged part may be the hash of the password.
        let user: Self = serde_json::from_str(text).map_err(Damage::from_secret_json)?;
        user.format.check()?;
        let days = user.vacations.iter().flat_map(|one| [one.from, one.to.plus(1)]);
        if !days.is_sorted() {
            return Err(Damage::invalid("the vacations are not in order"));
        }
        if !user.rests.is_sorted_by_key(|rest| rest.since) {
            return Err(Damage::invalid("the rests are not in order"));
        }
        for (name, words) in &user.settings {
            // Settings of an unknown game are kept for a program that knows it.
            let Some(game) = games::find(name).filter(|game| game.spec().name == name) else {
                continue;
            };
            let wrong = |why: String| Damage::invalid(format!("settings of {name}: {why}"));
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

    /// Returns the document without the password hash, the tags of codes, keys and the raised session, and
    /// the keys of browsers.
    pub fn without_secrets(&self) -> Value {
        let mut value = serde_json::to_value(self).expect("a user has only plain values");
        if let Some(fields) = value.as_object_mut() {
            fields.remove("password");
            fields.remove("raised");
        }
        for (field, secret_parts) in
            [("words", &["tag"][..]), ("keys", &["tag"]), ("browsers", &["key", "secret"])]
        {
            let secrets = value.get_mut(field).and_then(Value::as_array_mut);
            for secret in secrets.into_iter().flatten().filter_map(Value::as_object_mut) {
                for part in secret_parts {
                    secret.remove(*part);
                }
            }
        }
        value
    }

    /// Returns the text of the document.
    pub fn write(&self) -> String {
        pretty_json(self)
    }
}
