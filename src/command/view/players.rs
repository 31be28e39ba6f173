//! `players`: all users with a board in progress.

use crate::base::ids::UserId;
use crate::command::new_board::seek;
use crate::command::view::list::open_boards;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
};
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::reply::{Listing, PlayerRow};
use games::{AnyGame, GAMES};
use std::collections::BTreeMap;

pub(crate) const VERB: Verb = Verb {
    name: "players",
    aliases: &["who"],
    scope: VerbScope::Server,
    usage: "",
    about: "everybody with a board in progress, and the open challenges",
    reply: Some(ReplyScope::Game),
    parse,
};

#[derive(Debug)]
struct PlayersCommand;

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    words.expect_end()?;
    Ok(Box::new(PlayersCommand))
}

/// Returns whether a player of a board is listed: the program and guests are not.
fn is_listed(world: &World, user: &UserId) -> bool {
    world.level(user).is_none() && !world.is_guest(user)
}

impl Command for PlayersCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let games: Vec<_> = games::names().collect();
        Needs::All(vec![Needs::AllBoards(games.clone()), Needs::OpenChallenges(games)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let mut rows: BTreeMap<String, PlayerRow> = BTreeMap::new();
        for game in GAMES {
            for board in open_boards(world, cx, *game) {
                for user in board.players.iter().filter(|id| is_listed(world, id)) {
                    let row = rows
                        .entry(user.folded())
                        .or_insert_with(|| PlayerRow { user: user.clone(), games: Vec::new() });
                    if row.games.last() != Some(&game.spec().title) {
                        row.games.push(game.spec().title);
                    }
                }
            }
        }
        let open = seek::open_challenges(world, GAMES, cx.now);
        Ok(Listing::Players(rows.into_values().collect(), open).into())
    }
}
