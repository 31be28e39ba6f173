//! The players of a game who were active last. So an opponent is found without reading all users.

use crate::base::ids::UserId;
use crate::base::key::{Collection, Place};
use crate::base::time::{DAY, MINUTE, Span, Time, days};
use crate::model::document::{Damage, Document, DocumentFormat, Removal, pretty_json, rename_in};
use crate::model::export::{DataSubject, Export};
use crate::model::moderation::SanctionKind;
use crate::model::rating::Standing;
use crate::model::user::preference::PACE;
use crate::model::user::{Mark, User};
use crate::model::world::World;
use crate::store::Key;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;

/// The collection of these lists, each named by its game.
pub const COLLECTION: Collection = Collection::new("recent-players");

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The most players of a list.
const MAX_PLAYERS: usize = 200;

/// The most opponents that are offered.
const MOST_OFFERED: usize = 20;

/// How long a player counts as active.
pub const ACTIVE: Span = days(30);

/// The players of a game, the latest last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecentPlayers {
    format: DocumentFormat<FORMAT>,
    players: Vec<RecentPlayer>,
}

/// A player of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecentPlayer {
    /// The player.
    pub user: UserId,
    /// When they were last noted, at most once a day.
    pub at: Time,
}

/// Players of a game were active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayersActive {
    /// The players.
    pub users: Vec<UserId>,
    /// When.
    pub at: Time,
}

impl PlayersActive {
    /// Returns a short text for the log.
    pub fn summary(&self, game: &str) -> String {
        format!("{game}: active players noted")
    }
}

impl RecentPlayers {
    /// Returns the players, the latest first.
    pub fn latest(&self) -> impl Iterator<Item = &RecentPlayer> {
        self.players.iter().rev()
    }

    /// Returns whether a player was noted within a day, so that it need not be done again.
    pub fn is_noted(&self, user: &UserId, now: Time) -> bool {
        self.players.iter().any(|player| player.user == *user && player.at > now - DAY)
    }

    /// Returns whether the list is full and has changed within a minute. Then it stays as it is: else every
    /// board that begins would change it, and workers that begin boards of the game would conflict.
    pub fn is_busy(&self, now: Time) -> bool {
        let latest = self.players.last();
        self.players.len() >= MAX_PLAYERS
            && latest.is_some_and(|player| player.at > now - MINUTE && player.at <= now)
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &PlayersActive) {
        self.players.retain(|player| !event.users.contains(&player.user));
        let new = event.users.iter().map(|user| RecentPlayer { user: user.clone(), at: event.at });
        self.players.extend(new);
        let gone = self.players.len().saturating_sub(MAX_PLAYERS);
        self.players.drain(..gone);
    }
}

/// Counts the players of these lists who were noted within `span` before `now`; each counts once.
pub fn count_recent(lists: &[RecentPlayers], span: Span, now: Time) -> usize {
    let players = lists.iter().flat_map(|list| &list.players);
    let noted = players.filter(|player| player.at > now - span).map(|player| &player.user);
    noted.collect::<HashSet<_>>().len()
}

/// Returns the key of the list of a game.
pub fn recent_players_key(game: &str) -> Key {
    Key::In(COLLECTION, game.to_owned())
}

impl Document for RecentPlayers {
    type Id = &'static str;

    const KIND: &'static str = "recent-players";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(game: &&'static str) -> Key {
        recent_players_key(game)
    }

    fn id_of(key: &Key) -> Option<&'static str> {
        let Key::In(COLLECTION, name) = key else { return None };
        games::names().find(|game| game == name)
    }

    fn from_text(_: &&'static str, text: &str) -> Result<Self, Damage> {
        let recent: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        recent.format.check()?;
        Ok(recent)
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    /// A user may be in the list of any game.
    fn keys_of(_: &User) -> Vec<Key> {
        games::names().map(recent_players_key).collect()
    }

    fn rename(&mut self, _: &&'static str, old: &UserId, new: &UserId) -> bool {
        rename_in(self.players.iter_mut().map(|player| &mut player.user), old, new)
    }

    fn remove_user(&mut self, _: &&'static str, subject: &DataSubject, _: Removal) -> bool {
        let before = self.players.len();
        self.players.retain(|player| player.user != subject.user.id);
        self.players.len() < before
    }

    fn export(&self, game: &&'static str, subject: &DataSubject, export: &mut Export) {
        let own = self.players.iter().find(|player| player.user == subject.user.id);
        if let Some(player) = own {
            export.add_entry("active", (*game).to_owned(), json!(player.at));
        }
    }
}

/// A player who could be challenged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PossibleOpponent {
    /// The player.
    pub user: UserId,
    /// Their standing in the game.
    pub standing: Standing,
    /// When they were last active in the game.
    pub at: Time,
    /// Whether they are a favourite of the reader.
    pub is_favourite: bool,
}

/// Returns the players of a game who could be challenged: active lately, at the reader's pace, and
/// willing. The reader's favourites come first, then those whose ratings are nearest; without a reader
/// the latest come first. The list of the game, its players and the reader must be loaded.
pub fn possible_opponents(
    world: &World,
    game: &'static str,
    reader: Option<&User>,
    now: Time,
) -> Vec<PossibleOpponent> {
    let recent = world.recent_players(game).into_iter().flat_map(RecentPlayers::latest);
    let recent = recent.filter(|player| player.at > now - ACTIVE);
    let fits = |user: &&User| {
        takes_challenges(user, game, now) && reader.is_none_or(|reader| suits(user, reader))
    };
    let found = recent.filter_map(|player| {
        let user = world.user(&player.user).filter(fits)?;
        let is_favourite = reader.is_some_and(|it| it.has_marked(&user.id, Mark::Favourite));
        let standing = user.standing(game);
        Some(PossibleOpponent { user: user.id.clone(), standing, at: player.at, is_favourite })
    });
    let mut found: Vec<PossibleOpponent> = found.collect();
    if let Some(reader) = reader {
        let own = reader.standing(game).points();
        let distance = |it: &PossibleOpponent| it.standing.points().abs_diff(own);
        found.sort_by_key(|it| (!it.is_favourite, distance(it)));
    }
    found.truncate(MOST_OFFERED);
    found
}

/// Returns whether a user could be challenged to a game.
pub fn takes_challenges(user: &User, game: &str, now: Time) -> bool {
    let today = user.day(now);
    !user.guest
        && !user.unproved
        && user.sanction(SanctionKind::Suspension, now).is_none()
        && user.reached_limit(game).is_none()
        && !user.vacations.iter().any(|vacation| vacation.has(today))
}

/// Returns whether a user could be an opponent of the reader: neither has blocked the other, and both
/// play at the same pace, if they tell theirs.
pub fn suits(user: &User, reader: &User) -> bool {
    let is_blocked = |by: &User, other: &User| by.has_marked(&other.id, Mark::Blocked);
    let [own, other] = [reader, user].map(|one| one.preferences.chosen(&PACE));
    let any = PACE.default_value();
    user.id != reader.id
        && !is_blocked(user, reader)
        && !is_blocked(reader, user)
        && (own == other || own == any || other == any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> UserId {
        UserId::parse(name).unwrap()
    }

    const NOW: Time = Time::from_unix(1_795_238_400);

    #[test]
    fn the_latest_players_are_kept_each_once() {
        let mut recent = RecentPlayers::default();
        for number in 0..250 {
            let users = vec![id(&format!("u{number}")), id("alice")];
            recent.apply(&PlayersActive { users, at: NOW });
        }
        let latest: Vec<&str> = recent.latest().map(|player| player.user.as_str()).collect();
        assert_eq!(latest[..2], ["alice", "u249"]);
        assert_eq!((latest.len(), *latest.last().unwrap()), (MAX_PLAYERS, "u51"));
        assert_eq!(latest.iter().filter(|name| **name == "alice").count(), 1);
        assert!(recent.is_noted(&id("ALICE"), NOW) && !recent.is_noted(&id("alice"), NOW + DAY));
        assert!(recent.is_busy(NOW) && !recent.is_busy(NOW + MINUTE));
        assert!(!recent.is_busy(NOW - DAY), "a clock that was ahead does not keep it");
        let mut short = RecentPlayers::default();
        short.apply(&PlayersActive { users: vec![id("alice")], at: NOW });
        assert!(!short.is_busy(NOW), "a short list grows");
        assert_eq!(RecentPlayers::from_text(&"malaka", &recent.to_text()).unwrap(), recent);
        assert_eq!(RecentPlayers::id_of(&recent_players_key("malaka")), Some("malaka"));
        assert_eq!(RecentPlayers::id_of(&recent_players_key("ludo")), None);
    }

    #[test]
    fn a_player_of_several_games_counts_once() {
        let list = |players: &[(&str, i64)]| {
            let mut list = RecentPlayers::default();
            for (name, ago) in players {
                list.apply(&PlayersActive { users: vec![id(name)], at: NOW - days(*ago) });
            }
            list
        };
        let lists = [list(&[("carol", 8), ("alice", 3)]), list(&[("Alice", 0), ("bob", 1)])];
        let count = |span| count_recent(&lists, span, NOW);
        assert_eq!([1, 2, 7, 9].map(|span| count(days(span))), [1, 2, 2, 3]);
    }
}
