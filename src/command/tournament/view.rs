//! `tournament show` and `list`.

use super::{find, take_number};
use crate::base::ids::TournamentId;
use crate::command::{Arguments, Command, Context, Decision, Needs, ParsedCommand};
use crate::model::tournament::tournament_key;
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::reply::TournamentAnswer;
use games::{AnyGame, GAMES};

#[derive(Debug)]
struct ShowCommand(TournamentId);

pub(super) fn parse_show(game: &'static dyn AnyGame, words: &mut Arguments) -> ParsedCommand {
    let id = take_number(game, words)?;
    words.expect_end()?;
    Ok(Box::new(ShowCommand(id)))
}

impl Command for ShowCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::Keys(vec![tournament_key(self.0)])
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        find(world, self.0)?;
        Ok(TournamentAnswer::Shown(self.0).into())
    }
}

#[derive(Debug)]
struct ListCommand(Vec<&'static dyn AnyGame>);

/// Returns the command that lists the tournaments of a game, or of all games.
pub(super) fn list(game: Option<&'static dyn AnyGame>) -> Box<dyn Command> {
    Box::new(ListCommand(game.map_or_else(|| GAMES.to_vec(), |game| vec![game])))
}

impl Command for ListCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::Tournaments(self.0.iter().map(|game| game.spec().name).collect())
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let mut found = Vec::new();
        for game in &self.0 {
            let list = world.tournament_list(game.spec().name)?;
            found.extend(list.shown());
        }
        Ok(TournamentAnswer::Listed { games: self.0.clone(), found }.into())
    }
}
