//! `profile`: a user's ratings, results and boards in progress.

use crate::base::ids::UserId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
};
use crate::model::world::World;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Listing;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "profile",
    aliases: &["finger"],
    scope: VerbScope::Server,
    usage: "<player>",
    about: "a player's ratings, results and boards in progress",
    reply: Some(ReplyScope::Game),
    parse,
};

#[derive(Debug)]
struct ProfileCommand(UserId);

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let user = words.userid()?;
    words.expect_end()?;
    Ok(Box::new(ProfileCommand(user)))
}

impl Command for ProfileCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::ActiveBoardsOf(self.0.clone())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.0).ok_or(AccountRefusal::NoPlayer)?;
        let boards = user.active.iter().filter_map(|id| world.board(*id).ok());
        let shown = boards.filter(|board| !board.private || cx.may_see(world, board));
        let boards = shown.map(|board| board.id).collect();
        Ok(Listing::Profile { user: user.id.clone(), boards }.into())
    }
}
