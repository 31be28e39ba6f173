//! `profile`: what a user tells about themselves, with their ratings, results and boards in progress; or
//! a change of one's own.

use crate::base::ids::UserId;
use crate::command::account::preferences;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Trust, UserProof,
    Verb, VerbScope, authenticate_in_any_reply,
};
use crate::model::user::ProfileField;
use crate::model::user::preference::{PROFILE_PREFERENCES, Preference};
use crate::model::world::World;
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Listing;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "profile",
    aliases: &["finger"],
    scope: VerbScope::Server,
    usage: "<userid> [<password>] [about|country|languages|pace <words>|none]",
    about: "a player's page: about them, their ratings, results and boards; or write your own",
    reply: Some(ReplyScope::User),
    parse,
};

#[derive(Debug)]
struct ShowCommand {
    shown: UserId,
    /// The proof of a user who asks for their own profile.
    own: Option<UserProof>,
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let is_own = match (words.trust(), words.remaining()) {
        (Trust::Token(..) | Trust::Session(_), []) => true,
        (_, [] | [_]) => false,
        // The operator writes no password.
        (Trust::Operator, [_, second, ..]) => is_field(second),
        _ => true,
    };
    if !is_own {
        let shown = words.userid()?;
        words.expect_end()?;
        return Ok(Box::new(ShowCommand { shown, own: None }));
    }
    let (user, proof) = words.player()?;
    match words.peek() {
        None => Ok(Box::new(ShowCommand { shown: user, own: Some(proof) })),
        Some(word) if is_field(word) => preferences::parse(user, proof, words),
        Some(_) => Err(words.usage_error("a profile has no such part")),
    }
}

/// Returns whether a word names a part of a profile.
fn is_field(word: &str) -> bool {
    let preference = Preference::find(word);
    ProfileField::find(word).is_some()
        || preference.is_some_and(|found| PROFILE_PREFERENCES.contains(&found))
}

impl Command for ShowCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::ActiveBoardsOf(self.shown.clone())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        if let Some(proof) = &self.own {
            authenticate_in_any_reply(world, &self.shown, proof, cx)?;
        }
        let user = world.user(&self.shown).ok_or(AccountRefusal::NoPlayer)?;
        let boards = user.active.iter().filter_map(|id| world.board(*id).ok());
        let shown = boards.filter(|board| !board.private || cx.may_see(world, board));
        let boards = shown.map(|board| board.id).collect();
        Ok(Listing::Profile { user: user.id.clone(), boards }.into())
    }
}
