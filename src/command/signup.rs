//! `signup`: becoming a user, or being one again.

use super::addresses::{Plan, listed, plan};
use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Origin, Verb, check_password, hashed};
use crate::event::{Change, Event};
use crate::ids::UserId;
use crate::message::Address;
use crate::password::Hashing;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Account;
use crate::user::User;
use crate::world::{World, mailbox_key, user_key};
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "signup",
    aliases: &["add"],
    of: Of::Server,
    usage: "<userid> <password> [<address> ...]",
    about: "become a user; without an address your mails go where you write from",
    reply: None,
    parse,
};

#[derive(Debug)]
struct Signup {
    user: UserId,
    password: String,
    addresses: Vec<Address>,
}

/// Words that mean something else where a userid may stand, the computer's opponents, and names of
/// those whom players believe.
const RESERVED: &[&str] = &[
    "all",
    "active",
    "inactive",
    "next",
    "new",
    "off",
    "on",
    "over",
    "error",
    "board1",
    "board2",
    "board3",
    "board4",
    "operator",
    "postmaster",
    "postboard",
    "mailer-daemon",
    "root",
    "admin",
];

/// Whether a userid is one that nobody can have.
pub(crate) fn is_reserved(user: &UserId) -> bool {
    RESERVED.contains(&user.folded().as_str())
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Words) -> Result<Box<dyn Command>, Refusal> {
    let user = words.userid()?;
    if is_reserved(&user) {
        return Err(AccountRefusal::Taken(user).into());
    }
    let password = words.word("the password")?;
    if Address::parse(password).is_some() {
        return Err(AccountRefusal::AddressAsPassword.into());
    }
    words.claim(&user);
    if !Hashing::accepts(password) {
        return Err(AccountRefusal::BadPassword.into());
    }
    let addresses = listed(words)?;
    Ok(Box::new(Signup { user, password: password.to_owned(), addresses }))
}

impl Command for Signup {
    fn needs(&self) -> Needs {
        let mailboxes = self.addresses.iter().map(mailbox_key);
        Needs::WithSender(mailboxes.chain([user_key(&self.user)]).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        // Who has left may come back; who is erased has no password to show it with.
        let back = world.known(&self.user).filter(|user| user.left.is_some());
        if back.is_some() {
            check_password(world, &self.user, &self.password, cx).map_err(|refusal| {
                let wrong = refusal == AccountRefusal::WrongPassword.into();
                if wrong { AccountRefusal::Taken(self.user.clone()).into() } else { refusal }
            })?;
        }
        if back.is_none() && world.is_taken(&self.user) {
            return Err(AccountRefusal::Taken(self.user.clone()).into());
        }
        match cx.origin {
            Origin::Shell if self.addresses.is_empty() => {
                return Err(AccountRefusal::NoAddress.into());
            }
            // Who left was promised that he may come back.
            Origin::Mail(_) | Origin::Doubted(_) if back.is_some() => {}
            Origin::Mail(sender) | Origin::Doubted(sender) => {
                if !cx.limits.signup {
                    return Err(AccountRefusal::Closed.into());
                }
                if world.signups(sender, cx.now)? >= AccountRefusal::SIGNUPS {
                    return Err(AccountRefusal::TooManySignups.into());
                }
            }
            Origin::Shell => {}
        }
        let Plan { now, asked, mut events } = plan(world, cx, &self.user, &self.addresses)?;
        if let Some(back) = back {
            let (user, was) = (back.id.clone(), back.addresses.clone());
            let change = |change| Event::Account { user: user.clone(), change };
            events.splice(0..0, [change(Change::CameBack), change(Change::Addresses(now))]);
            return Ok(Decision { events, answer: Account::Returned { user, was, asked }.into() });
        }
        let user = User::new(self.user.clone(), hashed(&self.password, cx), now, cx.now);
        let from = cx.origin.address().cloned();
        events.insert(0, Event::SignedUp { user: Box::new(user), from });
        let answer = Account::Joined { user: self.user.clone(), asked };
        Ok(Decision { events, answer: answer.into() })
    }
}
