//! Signing in with a browser: by a password, or by a link in a mail to the registered address. These
//! have no words; a browser has forms for them.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::command::{Command, Context, Decision, LastingAct, Needs, check_password};
use crate::mail::Address;
use crate::model::code::{CodePurpose, OneTimeCode, PendingCode, holder};
use crate::model::correspondent::CorrespondentEvent;
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, failures_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use std::fmt;

/// Links that are mailed to one user in a day at most.
const LINKS: usize = 10;

/// Links that one place of the net may ask for in a day.
const LINKS_ASKED: usize = 20;

/// A user who wants to sign in, as they say who they are.
#[derive(Debug)]
pub enum UserOrAddress {
    /// By their userid.
    User(UserId),
    /// By their address.
    At(Address),
}

impl UserOrAddress {
    /// Reads a userid or an address.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let user = UserId::parse(text).map(Self::User);
        user.or_else(|| Address::parse(text).map(Self::At))
    }
}

/// Asks for a link to sign in with.
#[derive(Debug)]
pub struct RequestLinkCommand(pub UserOrAddress);

impl Command for RequestLinkCommand {
    fn needs(&self) -> Needs {
        let who = match &self.0 {
            UserOrAddress::User(user) => Needs::Keys(vec![user_key(user)]),
            UserOrAddress::At(address) => Needs::At(address.clone()),
        };
        Needs::All(vec![who, Needs::WithSender(Vec::new())])
    }

    /// Whether there is such a user does not show in the answer, nor that there are links enough.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let place = cx.origin.counted();
        if let Some(place) = &place {
            check_links(world, place, cx.now)?;
        }
        let takes = |user: &&User| user.codes_mailed(&CodePurpose::SignIn, cx.now) < LINKS;
        let users: Vec<UserId> = match &self.0 {
            UserOrAddress::User(user) => {
                world.user(user).into_iter().filter(takes).collect::<Vec<_>>()
            }
            UserOrAddress::At(address) => {
                world.users_at(address).into_iter().filter(takes).collect()
            }
        }
        .into_iter()
        .map(|user| user.id.clone())
        .collect();
        let counted = CorrespondentEvent::CodeMailed { at: cx.now };
        let mut events = vec![Event::Correspondents(place.into_iter().collect(), counted)];
        let mut links = Vec::new();
        for id in users {
            let code = OneTimeCode::new(&id, cx.chance);
            let pending = PendingCode::new(&code, &id, CodePurpose::SignIn, cx.now);
            events.push(Event::User(id.clone(), UserEvent::CodeMailed(pending)));
            links.push((id, code));
        }
        let site = cx.origin.browser().and_then(|browser| browser.site.clone());
        let answer = AccountAnswer::SignInLinks { links, site: site.unwrap_or_default() };
        Ok(Decision { events, answer: answer.into() })
    }
}

/// Checks that more links may be asked for by what is counted under that name.
///
/// # Errors
/// Enough were asked for from there today.
pub fn check_links(world: &World, place: &String, now: Time) -> Result<(), Refusal> {
    if world.mailed_for(place, now)? >= LINKS_ASKED {
        return Err(AccountRefusal::TooManyLinks.into());
    }
    Ok(())
}

/// Signs in with a password.
pub struct PasswordSignInCommand {
    /// The user.
    pub user: UserId,
    /// The password, as typed.
    pub password: String,
    /// With which hash it was compared before the home was opened, and whether it was right.
    pub tried: Option<(Option<String>, bool)>,
}

impl fmt::Debug for PasswordSignInCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordSignInCommand").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Command for PasswordSignInCommand {
    fn needs(&self) -> Needs {
        Needs::WithSender(vec![user_key(&self.user), failures_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let source = cx.origin.password_source(cx.limits.rate_limits.passwords);
        let pause = source.and_then(|source| world.pause(&self.user, &source, cx.now));
        if let (Some((stored, right)), None) = (&self.tried, pause) {
            cx.tried.record(&self.user, &self.password, stored.as_deref(), *right);
        }
        check_password(world, &self.user, &self.password, cx)?;
        let user = world.user(&self.user).ok_or(AccountRefusal::WrongPassword)?;
        Ok(AccountAnswer::SignedIn(user.id.clone()).into())
    }
}

/// Signs in with the code of a link.
pub struct LinkSignInCommand(pub String);

impl fmt::Debug for LinkSignInCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByLink(..)")
    }
}

impl LinkSignInCommand {
    /// The user that it would have been made for.
    pub fn user(&self) -> Option<UserId> {
        holder(&self.0)
    }
}

impl Command for LinkSignInCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(self.user().iter().map(user_key).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = self.user().and_then(|id| world.user(&id));
        let user = user.filter(|user| user.has_code(&self.0, &CodePurpose::SignIn, cx.now));
        let user = user.ok_or(AccountRefusal::UsedLink)?;
        let mut events = vec![Event::User(user.id.clone(), UserEvent::SignedIn)];
        if user.unproved {
            events.push(Event::User(user.id.clone(), UserEvent::Proved));
        }
        Ok(Decision { events, answer: AccountAnswer::SignedIn(user.id.clone()).into() })
    }
}

/// Signs a user out of one browser.
#[derive(Debug)]
pub struct EndSessionCommand {
    /// The user.
    pub user: UserId,
    /// When the browser's cookie would have ended.
    pub until: Time,
}

impl Command for EndSessionCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.user);
        let user = user.ok_or_else(|| AccountRefusal::NoUser(self.user.clone()))?;
        let ended = UserEvent::SessionEnded { until: self.until, at: cx.now };
        let events = vec![Event::User(user.id.clone(), ended)];
        Ok(Decision { events, answer: AccountAnswer::SignedOut(user.id.clone()).into() })
    }
}

/// Signs a user out of all browsers.
#[derive(Debug)]
pub struct SignOutCommand(pub UserId);

impl Command for SignOutCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.0)])
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        Some(LastingAct::SignOut)
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.0).ok_or_else(|| AccountRefusal::NoUser(self.0.clone()))?;
        let events = vec![Event::User(user.id.clone(), UserEvent::SignedOut)];
        Ok(Decision { events, answer: AccountAnswer::SignedOut(user.id.clone()).into() })
    }
}
