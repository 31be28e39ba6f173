//! Players who welcome newcomers are noted while they are active, and told of a newcomer: who has
//! signed up and shown that they read their mails.

use crate::base::ids::UserId;
use crate::base::time::{DAY, Time};
use crate::command::Needs;
use crate::command::reactions::{Cause, Consequence, Reaction};
use crate::model::service::ServiceContext;
use crate::model::user::preference::WELCOME;
use crate::model::user::{User, UserEvent};
use crate::model::welcomers::{
    Introduction, OfferedPlayer, WelcomeEvent, Welcomer, Welcomers, offer, welcomers_for,
    welcomers_key,
};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::reply::AccountAnswer;

pub(super) struct Welcomes;

/// What concerns the players who welcome newcomers.
enum Concern<'a> {
    /// These players, who welcome newcomers, were active.
    Active(Vec<UserId>),
    /// A player does not welcome newcomers any longer.
    Unwilling(&'a UserId),
    /// A newcomer has shown that they read their mails.
    Newcomer(&'a UserId),
    /// Somebody is to be told of a newcomer now.
    Due,
}

fn concern<'a>(cause: &'a Cause, world: &World) -> Option<Concern<'a>> {
    let is_willing = |user: &UserId| {
        world.user(user).is_some_and(|user| user.preferences.is_on(&WELCOME) && !user.guest)
    };
    match cause {
        Cause::Event(Event::PlayersActive(_, active)) => {
            let users = active.users.iter().filter(|user| is_willing(user));
            let users: Vec<UserId> = users.cloned().collect();
            (!users.is_empty()).then_some(Concern::Active(users))
        }
        Cause::Event(Event::User(user, UserEvent::Prefers(choice))) => {
            let is_welcome = *choice.preference == WELCOME;
            is_welcome.then(|| {
                if is_willing(user) {
                    Concern::Active(vec![user.clone()])
                } else {
                    Concern::Unwilling(user)
                }
            })
        }
        Cause::Event(Event::SignedUp { user, .. }) => {
            (!user.unproved && !user.guest).then_some(Concern::Newcomer(&user.id))
        }
        Cause::Event(Event::User(user, UserEvent::Proved)) => Some(Concern::Newcomer(user)),
        Cause::Due(key) => (*key == welcomers_key()).then_some(Concern::Due),
        Cause::Event(_) => None,
    }
}

impl Reaction for Welcomes {
    fn needs(&self, cause: &Cause, world: &World) -> Option<Needs> {
        Some(match concern(cause, world)? {
            Concern::Active(_) | Concern::Unwilling(_) => Needs::Keys(vec![welcomers_key()]),
            Concern::Newcomer(user) => {
                Needs::All(vec![Needs::Keys(vec![user_key(user)]), Needs::Welcomers])
            }
            Concern::Due => Needs::Welcomers,
        })
    }

    fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence> {
        match concern(cause, world) {
            Some(Concern::Active(users)) => note(world, users, cx.now),
            Some(Concern::Unwilling(user)) => {
                let known = world.welcomers().is_some_and(|list| list.has(user));
                let event = Event::Welcomers(WelcomeEvent::Unwilling(user.clone()));
                known.then(|| Consequence::silent(event)).into_iter().collect()
            }
            Some(Concern::Newcomer(user)) => {
                let newcomer = world.user(user);
                newcomer.map_or_else(Vec::new, |newcomer| choose(world, newcomer, cx.now))
            }
            Some(Concern::Due) => tell(world, cx.now).into_iter().collect(),
            None => Vec::new(),
        }
    }
}

/// Notes that players were active, each once a day.
fn note(world: &World, mut users: Vec<UserId>, at: Time) -> Vec<Consequence> {
    let list = world.welcomers();
    users.retain(|user| list.is_none_or(|list| !list.is_noted(user, at)));
    if users.is_empty() {
        return Vec::new();
    }
    let event = Event::Welcomers(WelcomeEvent::Active { users, at });
    vec![Consequence::silent(event)]
}

/// Chooses who is told of a newcomer. A player is told of one newcomer a day at most, so that many
/// sign-ups cost nobody more.
fn choose(world: &World, newcomer: &User, now: Time) -> Vec<Consequence> {
    let Some(list) = world.welcomers() else { return Vec::new() };
    let is_free = |offered: &OfferedPlayer| {
        let player = list.players().iter().find(|player| player.user == offered.user);
        player.is_some_and(|player| player.told.is_none_or(|told| told <= now - DAY))
    };
    let chosen = welcomers_for(world, Some(newcomer), now).into_iter().filter(is_free);
    let introduced = chosen.filter_map(|OfferedPlayer { user, game }| {
        let due = world.user(&user)?.mail_due(now);
        let (to, newcomer) = (user.clone(), newcomer.id.clone());
        let introduction = Introduction { newcomer: newcomer.clone(), due: due.unwrap_or(now) };
        let event = WelcomeEvent::Introduced { to, introduction, at: now };
        let mut events = vec![Event::Welcomers(event)];
        let news = due.is_none().then(|| {
            events.push(Event::Welcomers(WelcomeEvent::Told(vec![user.clone()])));
            AccountAnswer::Newcomers(vec![(OfferedPlayer { user, game }, newcomer)]).into()
        });
        Some(Consequence { events, news })
    });
    introduced.collect()
}

/// Tells the players whose mail is due of their newcomers, if they still want to know.
fn tell(world: &World, now: Time) -> Option<Consequence> {
    let players = world.welcomers().map_or(&[][..], Welcomers::players);
    let is_due =
        |player: &&Welcomer| player.waiting.as_ref().is_some_and(|waiting| waiting.due <= now);
    let due: Vec<&Welcomer> = players.iter().filter(is_due).collect();
    let told = due.iter().filter_map(|player| {
        let newcomer = world.user(&player.waiting.as_ref()?.newcomer)?;
        Some((offer(world, player, Some(newcomer), now)?, newcomer.id.clone()))
    });
    let told: Vec<(OfferedPlayer, UserId)> = told.collect();
    let users: Vec<UserId> = due.iter().map(|player| player.user.clone()).collect();
    (!users.is_empty()).then(|| Consequence {
        events: vec![Event::Welcomers(WelcomeEvent::Told(users))],
        news: (!told.is_empty()).then(|| AccountAnswer::Newcomers(told).into()),
    })
}
