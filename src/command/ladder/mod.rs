//! `ladder`: the ladder of a game: who is on which place, joining, leaving and challenging.

mod challenge;
mod member;
mod view;

use crate::base::ids::UserId;
use crate::command::verb::{Subcommand, take_subcommand};
use crate::command::{
    Arguments, Context, ParsedCommand, ReplyScope, UserProof, Verb, VerbScope, authenticate,
    authenticate_about,
};
use crate::model::topic::Topic;
use crate::model::user::User;
use crate::model::world::World;
use crate::refusal::{LadderRefusal, Refusal};
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "ladder",
    aliases: &["ladders"],
    scope: VerbScope::Both,
    usage: "[list|show|join|leave|challenge ...]",
    about: "the ladder of a game: challenge players above you for their places",
    reply: Some(ReplyScope::User),
    parse,
};

/// The subcommands that need a game.
pub(super) const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand { name: "show", usage: "[<userid>|<place>]", parse: view::parse_show },
    Subcommand { name: "join", usage: "<userid> <password>", parse: member::parse_join },
    Subcommand { name: "leave", usage: "<userid> <password>", parse: member::parse_leave },
    Subcommand {
        name: "challenge",
        usage: "<opponent> <userid> <password>",
        parse: challenge::parse,
    },
];

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    if let (Some(game), None) = (game, words.peek()) {
        return view::parse_show(game, words);
    }
    match take_subcommand("ladder", SUBCOMMANDS, game, "each game has its ladder", words)? {
        Some((found, game)) => check_game(game).and_then(|()| (found.parse)(game, words)),
        None => Ok(view::list()),
    }
}

/// Returns whether a word is a subcommand about one ladder, which a reply to its mails may use.
pub(super) fn is_about_one(word: &str) -> bool {
    SUBCOMMANDS.iter().any(|one| one.name.eq_ignore_ascii_case(word))
}

/// Authenticates a user who acts on a ladder: also by a reply to a mail about the ladder, or about
/// one of their boards.
fn authenticate_on<'w>(
    world: &'w World,
    game: &'static str,
    user: &UserId,
    proof: &UserProof,
    cx: &mut Context,
) -> Result<&'w User, Refusal> {
    match proof {
        UserProof::Token(Topic::Ladder(_), _) => {
            authenticate_about(world, user, proof, &Topic::Ladder(game), cx)
        }
        _ => authenticate(world, user, proof, proof.board(), cx),
    }
}

/// Checks that a game has a ladder.
fn check_game(game: &'static dyn AnyGame) -> Result<(), Refusal> {
    if game.spec().manner.is_solo {
        return Err(LadderRefusal::PlayedAlone(game.spec().name).into());
    }
    Ok(())
}
