//! Keys for programs: a user's program shows one with each request. These have no words; the page
//! of settings has forms for them.

use crate::base::ids::UserId;
use crate::command::{Command, Context, Decision, LastingAct, Needs};
use crate::model::user::{ProgramKey, UserEvent, Warning};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;

/// Keys that a user has at most.
const MOST: usize = 10;

/// Keeps a new key.
#[derive(Debug)]
pub struct MakeKeyCommand {
    /// The user it is for. They have shown that it is them.
    pub user: UserId,
    /// What is kept of it. The key itself is shown to them, and to nobody else.
    pub key: ProgramKey,
    /// Whether a password alone has shown that it is them, so that they are warned by a mail.
    pub is_told: bool,
}

/// Makes a key void.
#[derive(Debug)]
pub struct RevokeKeyCommand {
    /// Whose. They have shown that it is them.
    pub user: UserId,
    /// What they call it.
    pub name: String,
}

impl Command for MakeKeyCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user =
            world.user(&self.user).ok_or_else(|| AccountRefusal::NoUser(self.user.clone()))?;
        if user.keys.len() >= MOST {
            return Err(AccountRefusal::TooManyKeys(MOST).into());
        }
        let mut key = self.key.clone();
        while user.keys.iter().any(|known| known.name == key.name) {
            key.name.push('+');
        }
        let of = Warning::about(&format!("key {} {}", key.name, cx.now.unix()));
        let is_warned = self.is_told && user.is_warned_of(&of, cx.now);
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
        let user =
            world.user(&self.user).ok_or_else(|| AccountRefusal::NoUser(self.user.clone()))?;
        let events = vec![Event::User(user.id.clone(), UserEvent::KeyRevoked(self.name.clone()))];
        Ok(Decision { events, answer: AccountAnswer::KeyRevoked.into() })
    }
}
