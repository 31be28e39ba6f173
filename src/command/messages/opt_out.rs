//! Turning off mails of a kind by the page that such a mail names. It has no words.

use crate::base::ids::UserId;
use crate::command::{Command, Context, Decision, Needs};
use crate::model::user::{OptOut, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;

/// Turns mails off. The tag of the page has shown that the mail was the user's.
#[derive(Debug)]
pub struct OptOutCommand {
    /// The user.
    pub user: UserId,
    /// Which mails.
    pub what: OptOut,
}

impl Command for OptOutCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.user);
        let user = user.ok_or_else(|| AccountRefusal::NoUser(self.user.clone()))?;
        let events = vec![Event::User(user.id.clone(), UserEvent::Prefers(self.what.choice()))];
        Ok(Decision { events, answer: AccountAnswer::OptedOut(user.id.clone(), self.what).into() })
    }
}
