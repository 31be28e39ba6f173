//! `signup`: becoming a user.

use super::words::{Proof, Words};
use super::{Command, Context, Decision, Needs, Of, Origin, Verb};
use crate::event::Event;
use crate::ids::UserId;
use crate::message::Address;
use crate::password::Hashing;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Answer;
use crate::user::User;
use crate::world::{World, user_key};
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "signup",
    aliases: &[],
    of: Of::Server,
    usage: "<userid> <password> [<address>]",
    about: "become a user; your answers go to the address you write from",
    reply: None,
    parse,
};

#[derive(Debug)]
struct Signup {
    user: UserId,
    proof: Proof,
    addresses: Vec<Address>,
}

/// Words that mean something else where a userid may stand, and the computer's opponents.
const RESERVED: &[&str] = &[
    "all", "active", "inactive", "next", "new", "off", "on", "over", "error", "board1", "board2",
    "board3", "board4",
];

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Words) -> Result<Box<dyn Command>, Refusal> {
    let user = words.userid()?;
    if RESERVED.contains(&user.folded().as_str()) {
        return Err(AccountRefusal::Taken(user).into());
    }
    let password = words.word("the password")?;
    if !Hashing::accepts(password) {
        return Err(AccountRefusal::BadPassword.into());
    }
    let address = |word: &&str| Address::parse(word).ok_or(AccountRefusal::BadAddress);
    let mut addresses: Vec<Address> = Vec::new();
    for address in words.rest().iter().map(address) {
        let address = address?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    Ok(Box::new(Signup { user, proof: Proof::Password(password.to_owned()), addresses }))
}

impl Command for Signup {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        if world.is_taken(&self.user) {
            return Err(AccountRefusal::Taken(self.user.clone()).into());
        }
        let addresses = match cx.origin {
            Origin::Shell if self.addresses.is_empty() => {
                return Err(AccountRefusal::NoAddress.into());
            }
            Origin::Shell => self.addresses.clone(),
            Origin::Mail(_) if !cx.limits.signup => return Err(AccountRefusal::Closed.into()),
            // Somebody else's address would get mail that its owner never asked for.
            Origin::Mail(sender) => {
                if let Some(other) = self.addresses.iter().find(|address| *address != sender) {
                    return Err(AccountRefusal::ForeignAddress(other.to_string()).into());
                }
                vec![sender.clone()]
            }
        };
        let Proof::Password(password) = &self.proof else {
            unreachable!("a signup always brings its password")
        };
        let mut salt = [0; 16];
        cx.chance.fill(&mut salt);
        let hash = cx.hashing.hash(password, salt);
        let user = User::new(self.user.clone(), hash, addresses, cx.now);
        let answer = Answer::Welcome(self.user.clone());
        Ok(Decision { events: vec![Event::SignedUp(user)], answer })
    }
}
