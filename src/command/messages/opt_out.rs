//! Opting out of reminders or broadcasts, by the link in such a mail. The command has no verb.

use crate::base::ids::UserId;
use crate::command::{Command, Context, Decision, Needs, unknown_user};
use crate::model::user::{OptOut, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::Refusal;
use crate::reply::AccountAnswer;

/// Opts out of a kind of mail. The tag in the link has authenticated the user.
#[derive(Debug)]
pub struct OptOutCommand {
    /// The user.
    pub user: UserId,
    /// The kind of mail.
    pub what: OptOut,
}

impl Command for OptOutCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.user).ok_or_else(|| unknown_user(&self.user))?;
        let events = vec![Event::User(user.id.clone(), UserEvent::Prefers(self.what.choice()))];
        Ok(Decision { events, answer: AccountAnswer::OptedOut(user.id.clone(), self.what).into() })
    }
}
