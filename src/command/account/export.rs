//! `export`: everything stored about a user, as JSON.

use crate::base::ids::UserId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, Verb, VerbScope,
    authenticate,
};
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "export",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid> <password>",
    about: "get everything stored about you, as JSON, at your registered address",
    reply: None,
    parse,
};

#[derive(Debug)]
struct ExportCommand {
    user: UserId,
    proof: UserProof,
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(ExportCommand { user, proof }))
}

impl Command for ExportCommand {
    fn needs(&self) -> Needs {
        Needs::DocumentsOf(self.user.clone())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate(world, &self.user, &self.proof, None, cx)?;
        let text = world.export(user).text();
        let user = user.id.clone();
        Ok(AccountAnswer::Export { user, text }.into())
    }
}
