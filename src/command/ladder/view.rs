//! `ladder show` and `list`.

use super::check_game;
use crate::base::ids::UserId;
use crate::command::{Arguments, Command, Context, Decision, Needs, ParsedCommand};
use crate::model::ladder::{LadderReader as _, LadderStart, ladder_key};
use crate::model::world::World;
use crate::refusal::{LadderRefusal, Refusal};
use crate::reply::LadderAnswer;
use games::{AnyGame, GAMES};

#[derive(Debug)]
struct ShowCommand {
    game: &'static str,
    start: LadderStart,
}

pub(super) fn parse_show(game: &'static dyn AnyGame, words: &mut Arguments) -> ParsedCommand {
    check_game(game)?;
    let start = match words.peek() {
        None => LadderStart::Place(1),
        Some(word) => {
            words.word("a userid or a place")?;
            let place = word.parse().ok().filter(|place| *place > 0).map(LadderStart::Place);
            let player = || UserId::parse(word).map(LadderStart::Player);
            place.or_else(player).ok_or_else(|| {
                words.usage_error("a ladder is shown from a place, such as 41, or around a userid")
            })?
        }
    };
    words.expect_end()?;
    Ok(Box::new(ShowCommand { game: game.spec().name, start }))
}

impl Command for ShowCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::LadderPage(self.game, self.start.clone())
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let (game, ladder) = (self.game, world.ladder(self.game)?);
        match &self.start {
            LadderStart::Player(user) if ladder.place(user).is_none() => {
                return Err(LadderRefusal::NotThere(game).into());
            }
            LadderStart::Place(place) if *place > ladder.players().max(1) => {
                return Err(LadderRefusal::NoPlace { game, players: ladder.players() }.into());
            }
            _ => {}
        }
        Ok(LadderAnswer::Shown { game, start: self.start.clone() }.into())
    }
}

#[derive(Debug)]
struct ListCommand;

/// Returns the command that lists all ladders.
pub(super) fn list() -> Box<dyn Command> {
    Box::new(ListCommand)
}

impl Command for ListCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let games = GAMES.iter().filter(|game| !game.spec().manner.is_solo);
        Needs::Keys(games.map(|game| ladder_key(game.spec().name)).collect())
    }

    fn decide(&self, _: &World, _: &mut Context) -> Result<Decision, Refusal> {
        Ok(LadderAnswer::Listed.into())
    }
}
