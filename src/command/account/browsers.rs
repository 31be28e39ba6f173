//! Browsers that are told when it is a user's turn. The commands have no verb: the settings have forms for
//! them.

use crate::base::ids::UserId;
use crate::command::{Command, Context, Decision, Needs, unknown_user};
use crate::model::user::{PushBrowser, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;

/// Adds a browser.
#[derive(Debug)]
pub struct AddBrowserCommand {
    /// The user, already authenticated.
    pub user: UserId,
    /// The browser; `None` if its subscription cannot be used.
    pub browser: Option<PushBrowser>,
}

/// Removes a browser.
#[derive(Debug)]
pub struct RemoveBrowserCommand {
    /// The user: already authenticated, or the owner of a browser that its push service no longer
    /// knows.
    pub user: UserId,
    /// The id of the browser.
    pub id: String,
}

impl Command for AddBrowserCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.user).ok_or_else(|| unknown_user(&self.user))?;
        let browser = self.browser.clone().ok_or(AccountRefusal::BadBrowser)?;
        let events = vec![Event::User(user.id.clone(), UserEvent::BrowserAdded(browser))];
        Ok(Decision { events, answer: AccountAnswer::BrowserChanged { is_added: true }.into() })
    }
}

impl Command for RemoveBrowserCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.user).ok_or_else(|| unknown_user(&self.user))?;
        let is_there = user.browsers.iter().any(|browser| browser.id() == self.id);
        let removed = UserEvent::BrowserRemoved(self.id.clone());
        let events = is_there.then(|| Event::User(user.id.clone(), removed)).into_iter().collect();
        Ok(Decision { events, answer: AccountAnswer::BrowserChanged { is_added: false }.into() })
    }
}
