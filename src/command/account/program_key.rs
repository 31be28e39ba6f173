//! Keys for programs, which send one with each request. The commands have no verb; the settings
//! page has forms for them.

use crate::base::ids::UserId;
use crate::command::{Command, Context, Decision, LastingAct, Needs, unknown_user};
use crate::model::user::{ProgramKey, UserEvent, Warning};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;

/// The most keys of a user.
const MAX_KEYS: usize = 10;

/// Adds a key.
#[derive(Debug)]
pub struct MakeKeyCommand {
    /// The user, already authenticated.
    pub user: UserId,
    /// The stored part of the key. The key itself is shown once, to the user.
    pub key: ProgramKey,
    /// Whether a password alone authenticated the user, so that a mail warns them.
    pub is_told: bool,
}

/// Revokes a key.
#[derive(Debug)]
pub struct RevokeKeyCommand {
    /// The user, already authenticated.
    pub user: UserId,
    /// The name of the key.
    pub name: String,
}

impl Command for MakeKeyCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.user).ok_or_else(|| unknown_user(&self.user))?;
        if user.keys.len() >= MAX_KEYS {
            return Err(AccountRefusal::TooManyKeys(MAX_KEYS).into());
        }
        let mut key = self.key.clone();
        while user.keys.iter().any(|known| known.name == key.name) {
            key.name.push('+');
        }
        let of = Warning::about(&format!("key {} {}", key.name, cx.now.unix()));
        let is_warned = self.is_told && user.may_be_warned_of(&of, cx.now);
        let warned = is_warned.then(|| (user.id.clone(), key.name.clone()));
        let mut events = vec![Event::User(user.id.clone(), UserEvent::KeyMade(key))];
        if is_warned {
            let warning = UserEvent::Warned(Warning { of, at: cx.now });
            events.push(Event::User(user.id.clone(), warning));
        }
        Ok(Decision { events, answer: AccountAnswer::KeyMade { warned }.into() })
    }
}

impl Command for RevokeKeyCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        Some(LastingAct::RevokeKey(self.name.clone()))
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.user).ok_or_else(|| unknown_user(&self.user))?;
        let events = vec![Event::User(user.id.clone(), UserEvent::KeyRevoked(self.name.clone()))];
        Ok(Decision { events, answer: AccountAnswer::KeyRevoked.into() })
    }
}
