//! `signup`: creates a user, or brings back one who has left.

use crate::base::ids::UserId;
use crate::base::password::Hashing;
use crate::command::account::confirm_address::{
    AddressChange, plan_address_change, read_addresses,
};
use crate::command::account::guest::hand_over_boards;
use crate::command::moderation::{check_bans, check_sanction};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, Origin, ParsedCommand, Verb, VerbScope,
    check_password, hash_password,
};
use crate::mail::Address;
use crate::model::correspondent::{
    Correspondent, CorrespondentEvent, LimitedAction, StrangerAction,
};
use crate::model::moderation::SanctionKind;
use crate::model::user::{User, UserEvent, is_reserved};
use crate::model::user_index;
use crate::model::welcomers::welcomers_for;
use crate::model::world::event::Event;
use crate::model::world::{World, counted_key, mailbox_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "signup",
    aliases: &["add", "register"],
    scope: VerbScope::Server,
    usage: "<userid> <password> [<address> ...]",
    about: "become a user; without an address your mails go where you write from",
    reply: None,
    parse,
};

#[derive(Debug)]
struct SignupCommand {
    user: UserId,
    password: String,
    addresses: Vec<Address>,
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let user = words.userid()?;
    if is_reserved(&user) {
        return Err(AccountRefusal::Taken(user).into());
    }
    let password = words.password("the password")?;
    if Address::parse(password).is_some() {
        return Err(AccountRefusal::AddressAsPassword.into());
    }
    words.claim(&user);
    if !Hashing::accepts(password) {
        return Err(AccountRefusal::BadPassword.into());
    }
    let addresses = read_addresses(words)?;
    Ok(Box::new(SignupCommand { user, password: password.to_owned(), addresses }))
}

impl Command for SignupCommand {
    fn needs(&self) -> Needs {
        let mailboxes = self.addresses.iter().map(mailbox_key);
        let own = [user_key(&self.user), user_index::look_entry(&self.user)].into_iter();
        let own = own.chain(Correspondent::stranger_names().map(counted_key));
        let keys = Needs::Keys(mailboxes.chain(own).collect());
        let bans = Needs::Bans(self.addresses.clone());
        let others = [Needs::FromSender, Needs::BoardsOfGuest, Needs::Welcomers];
        Needs::All([keys, bans].into_iter().chain(others).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        // A user who has left may come back. An erased user has no password left to prove it with.
        let back = world.any_user(&self.user).filter(|user| user.left.is_some());
        if back.is_some() {
            check_password(world, &self.user, &self.password, cx).map_err(|refusal| {
                let wrong = refusal == AccountRefusal::WrongPassword.into();
                if wrong { AccountRefusal::Taken(self.user.clone()).into() } else { refusal }
            })?;
        } else {
            self.check_new(world, cx.origin.address())?;
        }
        if let Some(back) = back {
            check_sanction(back, SanctionKind::Ban, cx)?;
        }
        if *cx.origin != Origin::Shell {
            check_bans(world, &self.addresses, cx)?;
        }
        self.check_origin(world, cx, back.is_some())?;
        let AddressChange { now, asked, mut events } =
            plan_address_change(world, cx, &self.user, &self.addresses)?;
        if let Some(back) = back {
            let (user, was) = (back.id.clone(), back.addresses.clone());
            let change = |change| Event::User(user.clone(), change);
            events.splice(0..0, [change(UserEvent::CameBack), change(UserEvent::Addresses(now))]);
            events.extend(hand_over_boards(world, cx, &user));
            let answer = AccountAnswer::Returned { user, old: was, pending: asked };
            return Ok(Decision { events, answer: answer.into() });
        }
        events.insert(0, self.join(now, cx));
        events.extend(count_signup(cx));
        events.extend(hand_over_boards(world, cx, &self.user));
        let welcomers = welcomers_for(world, None, cx.now);
        let answer = AccountAnswer::Joined { user: self.user.clone(), pending: asked, welcomers };
        Ok(Decision { events, answer: answer.into() })
    }
}

/// Returns whether nothing proves yet that the user reads their mail.
fn is_stranger(cx: &Context) -> bool {
    cx.origin.address().is_some() || cx.origin.browser().is_some()
}

/// Returns the name of the counts of all strangers by mail, or in browsers.
fn stranger_counter(cx: &Context) -> String {
    let [by_mail, in_browsers] = Correspondent::stranger_names();
    if cx.origin.browser().is_some() { in_browsers } else { by_mail }
}

/// Returns the events that count a signup for the limits.
fn count_signup(cx: &Context) -> Vec<Event> {
    let mut events = Vec::new();
    if is_stranger(cx) {
        let what = StrangerAction::SignedUp;
        let counted = CorrespondentEvent::Stranger { what, at: cx.now };
        events.push(Event::Correspondents(vec![stranger_counter(cx)], counted));
    }
    if let (Some(place), Origin::Web(_)) = (cx.origin.counter_name(), cx.origin) {
        let counted = CorrespondentEvent::Begun { what: LimitedAction::Signup, at: cx.now };
        events.push(Event::Correspondents(vec![place], counted));
    }
    events
}

impl SignupCommand {
    /// Creates the user.
    fn join(&self, addresses: Vec<Address>, cx: &mut Context) -> Event {
        let hash = hash_password(&self.password, cx);
        let from = cx.origin.address().cloned();
        let mut user = User::joining(self.user.clone(), hash, addresses, cx.now);
        // Anybody can write a From.
        user.unproved = is_stranger(cx);
        if user.unproved {
            user.start_generations(cx.now);
        }
        Event::SignedUp { user: Box::new(user), from }
    }

    /// Checks that the sender may sign up, or come back, from where the request came from.
    fn check_origin(&self, world: &World, cx: &Context, comes_back: bool) -> Result<(), Refusal> {
        match cx.origin {
            Origin::Shell | Origin::Web(_) if self.addresses.is_empty() => {
                return Err(AccountRefusal::NoAddress.into());
            }
            Origin::Shell => {}
            // Users who left were promised that they may come back.
            _ if comes_back => {}
            Origin::Unnamed => return Err(AccountRefusal::NotAuthenticated.into()),
            Origin::Mail(sender) | Origin::Doubted(sender) => {
                if !cx.limits.signup {
                    return Err(AccountRefusal::Closed.into());
                }
                let name = Correspondent::mailbox_name(sender);
                if world.actions_today(LimitedAction::Signup, &name, cx.now)?
                    >= AccountRefusal::SIGNUPS
                {
                    return Err(AccountRefusal::TooManySignups.into());
                }
            }
            Origin::Web(_) => self.check_web(world, cx)?,
        }
        if !comes_back && is_stranger(cx) && cx.limits.rate_limits.newcomers {
            let (what, all) = (StrangerAction::SignedUp, stranger_counter(cx));
            if world.strangers_at_limit(what, &all, cx.now)? {
                return Err(AccountRefusal::TooManyNewcomers.into());
            }
        }
        Ok(())
    }

    /// Checks that one more user may sign up from this browser.
    fn check_web(&self, world: &World, cx: &Context) -> Result<(), Refusal> {
        if !cx.limits.signup {
            return Err(AccountRefusal::Closed.into());
        }
        let mut most = 0;
        let mailboxes = self.addresses.iter().map(Correspondent::mailbox_name);
        for name in mailboxes.chain(cx.origin.counter_name()) {
            most = most.max(world.actions_today(LimitedAction::Signup, &name, cx.now)?);
        }
        if most >= AccountRefusal::SIGNUPS {
            return Err(AccountRefusal::TooManySignups.into());
        }
        Ok(())
    }

    /// Checks that the userid is free. Only a sender who is that user learns so, since the answer
    /// goes to their own address.
    fn check_new(&self, world: &World, from: Option<&Address>) -> Result<(), Refusal> {
        let fellows = from.map(|from| world.users_at(from)).unwrap_or_default();
        if let Some(user) = fellows.iter().find(|user| user.id == self.user) {
            return Err(AccountRefusal::AlreadySignedUp(user.id.clone()).into());
        }
        if world.is_taken(&self.user) {
            return Err(AccountRefusal::Taken(self.user.clone()).into());
        }
        if world.is_confusable(&self.user) {
            return Err(AccountRefusal::LooksLikeAnother(self.user.clone()).into());
        }
        match from {
            Some(from) if self.addresses.is_empty() && !fellows.is_empty() => {
                let users = fellows.iter().map(|user| user.id.clone()).collect();
                let (wanted, address) = (self.user.clone(), from.clone());
                Err(AccountRefusal::SignedUpAs { users, wanted, address }.into())
            }
            _ => Ok(()),
        }
    }
}
