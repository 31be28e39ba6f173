//! The players who welcome newcomers: a new player is offered some of them as opponents, and they are told
//! of the newcomer. The list is bounded, so a sign-up costs the same in a home of any size.

use crate::base::ids::UserId;
use crate::base::key::{Collection, Place};
use crate::base::time::{DAY, Time};
use crate::model::document::{Damage, Document, DocumentFormat, Removal, pretty_json, rename_in};
use crate::model::export::{DataSubject, Export};
use crate::model::recent_players::{ACTIVE, suits, takes_challenges};
use crate::model::user::User;
use crate::model::user::preference::WELCOME;
use crate::model::world::World;
use crate::store::Key;
use games::AnyGame;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The collection with the only document.
const COLLECTION: Collection = Collection::new("welcomers");

/// The name of the document.
const NAME: &str = "list";

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The most players of the list.
const MAX_PLAYERS: usize = 40;

/// The most players who are offered to a newcomer, and who are told of one.
pub const MOST_OFFERED: usize = 3;

/// The players who welcome newcomers, the last active at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Welcomers {
    format: DocumentFormat<FORMAT>,
    players: Vec<Welcomer>,
}

/// A player who welcomes newcomers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Welcomer {
    /// The player.
    pub user: UserId,
    /// When they were last noted as active, at most once a day.
    pub at: Time,
    /// When they were last chosen to be told of a newcomer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Time>,
    /// The newcomer about whom a mail to them is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Introduction>,
}

/// A mail to a player about a newcomer, to be written later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Introduction {
    /// The newcomer.
    pub newcomer: UserId,
    /// When the mail is due.
    pub due: Time,
}

/// One change of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum WelcomeEvent {
    /// Players who welcome newcomers were active.
    Active { users: Vec<UserId>, at: Time },
    /// A player does not welcome newcomers any longer.
    Unwilling(UserId),
    /// A player is told of a newcomer.
    Introduced {
        to: UserId,
        /// The newcomer, and when the mail is due.
        introduction: Introduction,
        at: Time,
    },
    /// These players were told of the newcomers who waited.
    Told(Vec<UserId>),
}

impl WelcomeEvent {
    /// Returns a short text for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::Active { .. } => "players who welcome newcomers were noted".into(),
            Self::Unwilling(user) => format!("{user} welcomes no newcomers"),
            Self::Introduced { to, introduction, .. } => {
                format!("{to} is told of {}", introduction.newcomer)
            }
            Self::Told(users) => format!("newcomers introduced to {} players", users.len()),
        }
    }
}

impl Welcomers {
    /// Returns all players, the last active at the end.
    pub fn players(&self) -> &[Welcomer] {
        &self.players
    }

    /// Returns whether a player is in the list.
    pub fn has(&self, user: &UserId) -> bool {
        self.players.iter().any(|player| player.user == *user)
    }

    /// Returns whether a player was noted within a day, so that it need not be done again.
    pub fn is_noted(&self, user: &UserId, now: Time) -> bool {
        self.players.iter().any(|player| player.user == *user && player.at > now - DAY)
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &WelcomeEvent) {
        match event {
            WelcomeEvent::Active { users, at } => {
                for user in users {
                    self.note(user, *at);
                }
                let gone = self.players.len().saturating_sub(MAX_PLAYERS);
                self.players.drain(..gone);
            }
            WelcomeEvent::Unwilling(user) => self.players.retain(|player| player.user != *user),
            WelcomeEvent::Introduced { to, introduction, at } => {
                let found = self.players.iter_mut().find(|player| player.user == *to);
                if let Some(player) = found {
                    player.told = Some(*at);
                    player.waiting = Some(introduction.clone());
                }
            }
            WelcomeEvent::Told(users) => {
                let told = self.players.iter_mut().filter(|player| users.contains(&player.user));
                told.for_each(|player| player.waiting = None);
            }
        }
    }

    /// Moves a player to the end of the list.
    fn note(&mut self, user: &UserId, at: Time) {
        let place = self.players.iter().position(|player| player.user == *user);
        let known = place.map(|place| self.players.remove(place));
        let new = Welcomer { user: user.clone(), at, told: None, waiting: None };
        self.players.push(known.map_or(new, |known| Welcomer { at, ..known }));
    }
}

/// Returns the key of the list.
pub fn welcomers_key() -> Key {
    Key::In(COLLECTION, NAME.to_owned())
}

impl Document for Welcomers {
    type Id = ();

    const KIND: &'static str = "welcomers";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key((): &()) -> Key {
        welcomers_key()
    }

    fn id_of(key: &Key) -> Option<()> {
        (*key == welcomers_key()).then_some(())
    }

    fn from_text((): &(), text: &str) -> Result<Self, Damage> {
        let list: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        list.format.check()?;
        Ok(list)
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    fn wakeup(&self) -> Option<Time> {
        self.players.iter().filter_map(|player| player.waiting.as_ref()).map(|it| it.due).min()
    }

    /// Any user may be in the list, as a player or as a newcomer.
    fn keys_of(_: &User) -> Vec<Key> {
        vec![welcomers_key()]
    }

    fn rename(&mut self, (): &(), old: &UserId, new: &UserId) -> bool {
        let named = |player: &mut Welcomer| {
            let newcomer = player.waiting.as_mut().map(|it| &mut it.newcomer);
            rename_in([&mut player.user].into_iter().chain(newcomer), old, new)
        };
        self.players.iter_mut().map(named).fold(false, std::ops::BitOr::bitor)
    }

    fn remove_user(&mut self, (): &(), subject: &DataSubject, _: Removal) -> bool {
        let gone = &subject.user.id;
        let before = self.clone();
        self.players.retain(|player| player.user != *gone);
        for player in &mut self.players {
            player.waiting.take_if(|it| it.newcomer == *gone);
        }
        *self != before
    }

    fn export(&self, (): &(), subject: &DataSubject, export: &mut Export) {
        let own = self.players.iter().find(|player| player.user == subject.user.id);
        if let Some(player) = own {
            export.set("welcomes", json!({ "active": player.at, "told": player.told }));
        }
    }
}

/// A player who is offered to a newcomer.
#[derive(Clone, Debug)]
pub struct OfferedPlayer {
    /// The player.
    pub user: UserId,
    /// The game that they play.
    pub game: &'static dyn AnyGame,
}

/// Returns the players who welcome a newcomer, those first who have waited longest for one; of these
/// the last active. The newcomer may not have signed up yet. The list and its players must be loaded.
pub fn welcomers_for(world: &World, newcomer: Option<&User>, now: Time) -> Vec<OfferedPlayer> {
    let players = world.welcomers().map_or(&[][..], Welcomers::players).iter().rev();
    let active = players.filter(|player| player.at > now - ACTIVE);
    let fitting =
        active.filter_map(|player| Some((player.told, offer(world, player, newcomer, now)?)));
    let mut fitting: Vec<(Option<Time>, OfferedPlayer)> = fitting.collect();
    fitting.sort_by_key(|(told, _)| *told);
    fitting.into_iter().map(|(_, offered)| offered).take(MOST_OFFERED).collect()
}

/// Returns a player with the game to which a newcomer could challenge them; `None` if the player would not
/// want it, or the two do not fit.
pub fn offer(
    world: &World,
    player: &Welcomer,
    newcomer: Option<&User>,
    now: Time,
) -> Option<OfferedPlayer> {
    let user = world.user(&player.user).filter(|user| user.preferences.is_on(&WELCOME))?;
    let game = usual_game(user)?;
    let have_met = |it: &User| it.all_boards().any(|board| user.active.contains(board));
    let suits_both = newcomer.is_none_or(|it| suits(user, it) && !have_met(it));
    (suits_both && takes_challenges(user, game.spec().name, now))
        .then(|| OfferedPlayer { user: user.id.clone(), game })
}

/// Returns the game of a user's latest board that two people can play.
fn usual_game(user: &User) -> Option<&'static dyn AnyGame> {
    let boards = user.active.iter().rev().chain(user.finished.iter().rev());
    let mut games = boards.filter_map(|board| games::find(board.game));
    games.find(|game| !game.spec().manner.is_solo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const NOW: Time = Time::from_unix(1_795_238_400);

    fn id(name: &str) -> UserId {
        UserId::parse(name).unwrap()
    }

    #[test]
    fn the_last_active_are_kept_and_stay_told() {
        let mut list = Welcomers::default();
        list.apply(&WelcomeEvent::Active { users: vec![id("alice")], at: NOW });
        let introduction = Introduction { newcomer: id("dora"), due: NOW + DAY };
        list.apply(&WelcomeEvent::Introduced { to: id("alice"), introduction, at: NOW });
        assert_eq!(list.wakeup(), Some(NOW + DAY));
        for number in 0..60 {
            let users = vec![id(&format!("u{number}")), id("alice")];
            list.apply(&WelcomeEvent::Active { users, at: NOW });
        }
        let last = list.players.last().unwrap();
        assert_eq!((last.user.as_str(), last.told), ("alice", Some(NOW)));
        assert_eq!((list.players.len(), list.players[0].user.as_str()), (MAX_PLAYERS, "u21"));
        assert!(list.is_noted(&id("u59"), NOW) && !list.is_noted(&id("u59"), NOW + DAY));
        assert_eq!(Welcomers::from_text(&(), &list.to_text()).unwrap(), list);
        list.apply(&WelcomeEvent::Told(vec![id("alice")]));
        assert_eq!(list.wakeup(), None);
        list.apply(&WelcomeEvent::Unwilling(id("alice")));
        assert!(!list.players.iter().any(|player| player.user == id("alice")));
    }

    #[test]
    fn a_newcomer_who_waits_is_renamed_and_removed() {
        let mut list = Welcomers::default();
        list.apply(&WelcomeEvent::Active { users: vec![id("alice"), id("bob")], at: NOW });
        let introduction = Introduction { newcomer: id("dora"), due: NOW };
        list.apply(&WelcomeEvent::Introduced { to: id("bob"), introduction, at: NOW });
        assert!(
            list.rename(&(), &id("dora"), &id("zoe")) && list.rename(&(), &id("bob"), &id("ben"))
        );
        assert!(!list.rename(&(), &id("dora"), &id("zoe")));
        let waiting = list.players[1].waiting.clone().unwrap();
        assert_eq!((list.players[1].user.clone(), waiting.newcomer), (id("ben"), id("zoe")));
        let gone = |name| {
            let user = User::new(id(name), String::new(), Vec::new(), NOW);
            DataSubject { user, seats: HashMap::default() }
        };
        assert!(list.remove_user(&(), &gone("zoe"), Removal::Erased));
        assert!(list.players.len() == 2 && list.wakeup().is_none());
        assert!(list.remove_user(&(), &gone("ben"), Removal::SignedOff) && list.players.len() == 1);
        assert!(!list.remove_user(&(), &gone("ben"), Removal::Erased));
    }
}
