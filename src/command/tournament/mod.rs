//! `tournament`: tournaments of a game, from their creation to the last round.
//!
//! `create`, `enter` (join and leave), `invite` (invite and challenge), `direct` (extend and cancel) and
//! `view` (show and list) are commands of players. What a tournament does by itself is a
//! [reaction](crate::command::reactions).

mod create;
mod direct;
mod enter;
mod invite;
mod view;

pub(crate) use create::OPTIONS;

use crate::base::ids::TournamentId;
use crate::command::verb::{Subcommand, take_subcommand};
use crate::command::{Arguments, ParsedCommand, Verb, VerbScope};
use crate::model::tournament::Tournament;
use crate::model::world::World;
use crate::refusal::{Refusal, TournamentRefusal};
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "tournament",
    aliases: &["tournaments"],
    scope: VerbScope::Both,
    usage: "[list|show|create|join|leave|invite|\n        challenge|extend|cancel ...]",
    about: "tournaments: round robins, cups, eliminations, Swiss, team matches",
    reply: None,
    parse,
};

/// The subcommands that need a game.
pub(super) const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand { name: "show", usage: "<number>", parse: view::parse_show },
    Subcommand {
        name: "create",
        usage: "<userid> <password> [-option ...] [--option ...]",
        parse: create::parse,
    },
    Subcommand { name: "join", usage: "<number> <userid> <password>", parse: enter::parse_join },
    Subcommand { name: "leave", usage: "<number> <userid> <password>", parse: enter::parse_leave },
    Subcommand {
        name: "invite",
        usage: "<number> <player> <userid> <password>",
        parse: |game, words| invite::parse(game, words, false),
    },
    Subcommand {
        name: "challenge",
        usage: "<number> <player> <userid> <password>",
        parse: |game, words| invite::parse(game, words, true),
    },
    Subcommand {
        name: "extend",
        usage: "<number> <days> <userid> <password>",
        parse: direct::parse_extend,
    },
    Subcommand {
        name: "cancel",
        usage: "<number> <userid> <password>",
        parse: direct::parse_cancel,
    },
];

/// Returns whether a word is a subcommand about one tournament, which a reply to its mails may use.
pub(super) fn is_about_one(word: &str) -> bool {
    let known = SUBCOMMANDS.iter().find(|one| one.name.eq_ignore_ascii_case(word));
    known.is_some_and(|one| one.usage.starts_with("<number>"))
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let why = "tournaments are numbered for each game";
    match take_subcommand("tournament", SUBCOMMANDS, game, why, words)? {
        Some((found, game)) => (found.parse)(game, words),
        None => Ok(view::list(game)),
    }
}

fn take_number(game: &'static dyn AnyGame, words: &mut Arguments) -> Result<TournamentId, Refusal> {
    let number = words.word("the number of the tournament")?.parse().ok();
    let number = number.filter(|number| *number > 0).ok_or_else(|| {
        words.usage_error("the number of the tournament must be a number, such as 1")
    })?;
    Ok(TournamentId { game: game.spec().name, number })
}

/// Returns a tournament that exists.
fn find(world: &World, id: TournamentId) -> Result<&Tournament, Refusal> {
    Ok(world.tournament(id)?.ok_or(TournamentRefusal::Unknown(id))?)
}
