//! Signing in and out with a browser: by password, or by a link that is mailed to the registered
//! address. The commands have no verb; the web has forms for them.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::command::account::guest::hand_over_boards;
use crate::command::moderation::{check_bans, check_sanction};
use crate::command::{Command, Context, Decision, LastingAct, Needs, check_password, unknown_user};
use crate::mail::Address;
use crate::model::correspondent::{CorrespondentEvent, LimitedAction};
use crate::model::moderation::SanctionKind;
use crate::model::one_time_code::{CodePurpose, OneTimeCode, code_holder};
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, failures_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use std::fmt;

/// The most links that are mailed to a user in a day.
const LINKS: usize = 10;

/// The most links that a network may request in a day.
const LINKS_ASKED: usize = 20;

/// The user who wants to sign in, or who has forgotten something.
#[derive(Debug)]
pub enum UserOrAddress {
    /// A userid.
    User(UserId),
    /// An address.
    At(Address),
}

impl UserOrAddress {
    /// Parses a userid or an address.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let user = UserId::parse(text).map(Self::User);
        user.or_else(|| Address::parse(text).map(Self::At))
    }

    /// Returns the documents of the user, or of all users at the address.
    pub(super) fn needs(&self) -> Needs {
        match self {
            Self::User(user) => Needs::Keys(vec![user_key(user)]),
            Self::At(address) => Needs::UsersAt(address.clone()),
        }
    }
}

/// Mails a code to each of these users, except guests and users who got `most` codes for this purpose
/// today.
pub(super) fn mail_codes(
    users: Vec<&User>,
    purpose: &CodePurpose,
    most: usize,
    cx: &mut Context,
) -> (Vec<Event>, Vec<(UserId, OneTimeCode)>) {
    let (mut events, mut codes) = (Vec::new(), Vec::new());
    for user in users {
        if user.guest || user.codes_mailed(purpose, cx.now) >= most {
            continue;
        }
        let (code, mailed) = cx.make_code(&user.id, purpose.clone());
        events.push(mailed);
        codes.push((user.id.clone(), code));
    }
    (events, codes)
}

/// Requests a link to sign in with.
#[derive(Debug)]
pub struct RequestLinkCommand(pub UserOrAddress);

impl Command for RequestLinkCommand {
    fn needs(&self) -> Needs {
        Needs::All(vec![self.0.needs(), Needs::WithSender(Vec::new())])
    }

    /// The answer shows neither whether the user exists nor whether enough links were mailed today.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let place = cx.origin.counter_name();
        if let Some(place) = &place {
            check_links(world, place, cx.now)?;
        }
        let users = match &self.0 {
            UserOrAddress::User(user) => world.user(user).into_iter().collect(),
            UserOrAddress::At(address) => world.users_at(address),
        };
        let (mut events, links) = mail_codes(users, &CodePurpose::SignIn, LINKS, cx);
        let counted = CorrespondentEvent::Begun { what: LimitedAction::Code, at: cx.now };
        events.insert(0, Event::Correspondents(place.into_iter().collect(), counted));
        let site = cx.origin.browser().and_then(|browser| browser.site.clone());
        let answer = AccountAnswer::SignInLinks { links, site: site.unwrap_or_default() };
        Ok(Decision { events, answer: answer.into() })
    }
}

/// Checks that the network may request more links today. `place` is the name of its counts.
///
/// # Errors
/// It has requested too many.
pub fn check_links(world: &World, place: &String, now: Time) -> Result<(), Refusal> {
    if world.actions_today(LimitedAction::Code, place, now)? >= LINKS_ASKED {
        return Err(AccountRefusal::TooManyLinks.into());
    }
    Ok(())
}

/// The result of a password check before the home was locked.
pub struct CheckedPassword {
    /// The hash that the password was compared with; `None` for an unknown user.
    pub hash: Option<String>,
    /// Whether the password was right.
    pub is_right: bool,
}

/// Signs in with a password.
pub struct PasswordSignInCommand {
    /// The user.
    pub user: UserId,
    /// The password, as typed.
    pub password: String,
    /// The result of a check before the home was locked.
    pub checked: Option<CheckedPassword>,
    /// Whether the boards of the guest in this browser become the user's.
    pub takes_boards: bool,
}

impl fmt::Debug for PasswordSignInCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PasswordSignInCommand").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Command for PasswordSignInCommand {
    fn needs(&self) -> Needs {
        let keys = Needs::WithSender(vec![user_key(&self.user), failures_key(&self.user)]);
        let boards = boards_to_take(self.takes_boards, Some(&self.user));
        Needs::All(vec![keys, boards, Needs::Bans(Vec::new())])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let source = cx.origin.password_source(cx.limits.rate_limits.passwords);
        let pause = source.and_then(|source| world.password_pause(&self.user, &source, cx.now));
        if let (Some(CheckedPassword { hash, is_right }), None) = (&self.checked, pause) {
            cx.password_cache.record(&self.user, &self.password, hash.as_deref(), *is_right);
        }
        check_password(world, &self.user, &self.password, cx)?;
        check_bans(world, [], cx)?;
        let user = world.any_user(&self.user).ok_or(AccountRefusal::WrongPassword)?;
        check_sanction(user, SanctionKind::Ban, cx)?;
        if user.left.is_some() {
            return Err(AccountRefusal::WrongPassword.into());
        }
        let answer = AccountAnswer::SignedIn(user.id.clone()).into();
        let events =
            if self.takes_boards { hand_over_boards(world, cx, &user.id) } else { Vec::new() };
        Ok(Decision { events, answer })
    }
}

/// Returns the documents that are needed to hand a guest's boards over to a user.
fn boards_to_take(takes_boards: bool, user: Option<&UserId>) -> Needs {
    let of_user = user.map(|user| Needs::ActiveBoardsOf(user.clone()));
    match of_user.filter(|_| takes_boards) {
        Some(of_user) => Needs::All(vec![of_user, Needs::BoardsOfGuest]),
        None => Needs::Keys(Vec::new()),
    }
}

/// Signs in with the code of a link.
pub struct LinkSignInCommand {
    /// The code.
    pub code: String,
    /// Whether the boards of the guest in this browser become the user's.
    pub takes_boards: bool,
}

impl fmt::Debug for LinkSignInCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkSignInCommand").finish_non_exhaustive()
    }
}

impl LinkSignInCommand {
    /// Returns the user whom the code names.
    pub fn user(&self) -> Option<UserId> {
        code_holder(&self.code)
    }
}

impl Command for LinkSignInCommand {
    fn needs(&self) -> Needs {
        let user = self.user();
        let key = Needs::Keys(user.iter().map(user_key).collect());
        let boards = boards_to_take(self.takes_boards, user.as_ref());
        Needs::All(vec![key, boards, Needs::Bans(Vec::new())])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = self.user().and_then(|id| world.user(&id));
        let user = user.filter(|user| user.has_code(&self.code, &CodePurpose::SignIn, cx.now));
        let user = user.ok_or(AccountRefusal::UsedLink)?;
        check_bans(world, [], cx)?;
        let mut events = vec![Event::User(user.id.clone(), UserEvent::SignedIn)];
        if user.unproved {
            events.push(Event::User(user.id.clone(), UserEvent::Proved));
        }
        if self.takes_boards {
            events.extend(hand_over_boards(world, cx, &user.id));
        }
        Ok(Decision { events, answer: AccountAnswer::SignedIn(user.id.clone()).into() })
    }
}

/// Signs a user out.
#[derive(Debug)]
pub struct SignOutCommand {
    /// The user.
    pub user: UserId,
    /// What ends.
    pub scope: SignOutScope,
}

/// What ends when a user signs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignOutScope {
    /// The session of one browser, whose cookie expires at this time.
    Browser(Time),
    /// The sessions of all browsers.
    Everywhere,
    /// The session of a guest, who cannot sign in again.
    Guest,
}

impl Command for SignOutCommand {
    fn is_open_to_guests(&self) -> bool {
        self.scope != SignOutScope::Everywhere
    }

    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        match self.scope {
            SignOutScope::Browser(_) => None,
            SignOutScope::Everywhere => Some(LastingAct::SignOut),
            SignOutScope::Guest => Some(LastingAct::LeaveAsGuest),
        }
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.user);
        let user = user.filter(|user| user.guest || self.scope != SignOutScope::Guest);
        let user = user.ok_or_else(|| unknown_user(&self.user))?;
        let ended = match self.scope {
            SignOutScope::Browser(until) => UserEvent::SessionEnded { until, at: cx.now },
            SignOutScope::Everywhere | SignOutScope::Guest => UserEvent::SignedOut,
        };
        let events = vec![Event::User(user.id.clone(), ended)];
        Ok(Decision { events, answer: AccountAnswer::SignedOut(user.id.clone()).into() })
    }
}
