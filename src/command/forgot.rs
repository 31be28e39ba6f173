//! `forgot`: a new password for who can read the mails to the registered address.

use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Verb};
use crate::event::{Change, Event};
use crate::ids::UserId;
use crate::once::{Pending, Purpose, Word};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Account;
use crate::world::{World, user_key};
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "forgot",
    aliases: &[],
    of: Of::Server,
    usage: "<userid>",
    about: "get a word by mail that serves once as your old password",
    reply: None,
    parse,
};

#[derive(Debug)]
struct Forgot(UserId);

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Words) -> Result<Box<dyn Command>, Refusal> {
    let user = words.userid()?;
    words.end()?;
    Ok(Box::new(Forgot(user)))
}

impl Command for Forgot {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.0)])
    }

    /// Whether there is such a user does not show in the answer, nor that he has words enough.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let purpose = Purpose::Password;
        let user = world
            .kept(&self.0)
            .filter(|user| user.words_mailed(&purpose, cx.now) < AccountRefusal::WORDS);
        let Some(user) = user else { return Ok(Account::Forgot(None).into()) };
        let (id, word) = (user.id.clone(), Word::new(&user.id, cx.chance));
        let change = Change::Mailed(Pending::new(&word, &id, purpose, cx.now));
        let events = vec![Event::Account { user: id.clone(), change }];
        Ok(Decision { events, answer: Account::Forgot(Some((id, word))).into() })
    }
}
