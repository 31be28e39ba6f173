//! `list`: all games with their boards in progress, and the open challenges.

use crate::base::ids::UserId;
use crate::command::new_board::seek;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
    named_game,
};
use crate::model::board::Board;
use crate::model::game_groups::game_groups;
use crate::model::user::User;
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::reply::{Browser, GameActivity, Listing, Origin};
use games::{AnyGame, GAMES};
use std::collections::BTreeSet;

pub(crate) const VERB: Verb = Verb {
    name: "list",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "[<game> ...]",
    about: "all games and open challenges; with games: their boards, too",
    reply: Some(ReplyScope::Game),
    parse,
};

#[derive(Debug)]
struct ListCommand(Vec<&'static dyn AnyGame>);

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let mut games: Vec<&'static dyn AnyGame> = Vec::new();
    for word in words.take_rest() {
        let game = named_game(word)?;
        if games.iter().all(|listed| listed.spec().name != game.spec().name) {
            games.push(game);
        }
    }
    Ok(Box::new(ListCommand(games)))
}

impl ListCommand {
    /// Returns the games to list.
    fn games(&self) -> &[&'static dyn AnyGame] {
        if self.0.is_empty() { GAMES } else { &self.0 }
    }
}

impl Command for ListCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let games: Vec<_> = self.games().iter().map(|game| game.spec().name).collect();
        let boards = Needs::AllBoards(games.clone());
        Needs::All(vec![Needs::FromSender, boards, Needs::OpenChallenges(games)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let seeks = seek::open_challenges(world, self.games(), cx.now);
        let answer = if self.0.is_empty() {
            let played = |game: &&'static dyn AnyGame| {
                let boards = open_boards(world, cx, *game);
                let players = boards.iter().flat_map(|board| &board.players);
                let people = players.filter(|id| world.level(id).is_none());
                let people: BTreeSet<String> = people.map(UserId::folded).collect();
                GameActivity { game: *game, boards: boards.len(), players: people.len() }
            };
            let groups = game_groups(&sender(world, cx)).into_iter();
            let groups = groups
                .map(|group| (group.title, group.games.iter().map(played).collect::<Vec<_>>()));
            Listing::Games(groups.collect(), seeks)
        } else {
            let of = |game: &&'static dyn AnyGame| {
                (*game, open_boards(world, cx, *game).into_iter().map(|board| board.id).collect())
            };
            Listing::InProgress(self.0.iter().map(of).collect(), seeks)
        };
        Ok(answer.into())
    }
}

/// Returns the users who may have sent the command, whose games stand first.
fn sender<'a>(world: &'a World, cx: &Context) -> Vec<&'a User> {
    match cx.origin {
        Origin::Web(Browser { user: Some(user), .. }) => world.user(user).into_iter().collect(),
        origin => origin.address().map(|address| world.users_at(address)).unwrap_or_default(),
    }
}

/// Returns the boards in progress of a game that the sender may see.
pub(crate) fn open_boards<'a>(
    world: &'a World,
    cx: &Context,
    game: &'static dyn AnyGame,
) -> Vec<&'a Board> {
    let of_game = world.boards().into_iter().filter(|board| board.id.game == game.spec().name);
    let open = of_game.filter(|board| !board.is_over());
    open.filter(|board| !board.private || cx.may_see(world, board)).collect()
}
