//! `settings`: what a user has chosen.

use super::proof::UserProof;
use super::words::Arguments;
use super::{Command, Context, Decision, Needs, ReplyScope, Verb, VerbScope, authenticate};
use crate::base::ids::UserId;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "settings",
    aliases: &["preferences"],
    of: VerbScope::Server,
    usage: "<userid> <password>",
    about: "what you have chosen with `set`, and your vacations",
    reply: Some(ReplyScope::User),
    parse,
};

#[derive(Debug)]
struct SettingsCommand {
    user: UserId,
    proof: UserProof,
}

fn parse(
    _: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let (user, proof) = words.player()?;
    words.end()?;
    Ok(Box::new(SettingsCommand { user, proof }))
}

impl Command for SettingsCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, self.proof.board(), cx)?;
        let user = world.user(&self.user).ok_or(AccountRefusal::WrongPassword)?;
        Ok(AccountAnswer::Settings(user.id.clone()).into())
    }
}
