//! The operator's `import`: sets up a board from the record of another program.

use crate::base::ids::UserId;
use crate::command::{Command, Context, Decision, Needs, unknown_user};
use crate::model::new_board::ImportedBoard;
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{AnyGame, Choices, Transcript};

/// A board to set up with a given record.
#[derive(Debug)]
struct ImportCommand {
    game: &'static dyn AnyGame,
    players: [UserId; 2],
    options: Choices,
    record: Vec<games::Entry>,
}

/// Builds the command for a transcript. The players are those in `named`, or else those of the
/// transcript.
///
/// # Errors
/// A line for the operator if a player's name is not a userid.
pub fn import(
    game: &'static dyn AnyGame,
    transcript: Transcript,
    named: &[String],
) -> Result<Box<dyn Command>, String> {
    let names = match named {
        [] => transcript.players.as_slice(),
        [_, _] => named,
        _ => return Err("name two players, O first".into()),
    };
    let userid = |name: &String| {
        UserId::parse(name).ok_or_else(|| {
            let shown: String = name.chars().take(40).collect();
            format!("`{shown}` is not a userid: name the players, O first")
        })
    };
    let players = [userid(&names[0])?, userid(&names[1])?];
    let Transcript { options, record, .. } = transcript;
    Ok(Box::new(ImportCommand { game, players, options, record }))
}

impl Command for ImportCommand {
    fn needs(&self) -> Needs {
        let users = Needs::Keys(self.players.iter().map(user_key).collect());
        Needs::All(vec![users, Needs::NewBoards(self.game.spec().name, 1)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let [first, second] = &self.players;
        if first == second {
            return Err(AccountRefusal::SamePlayer(self.game.spec().name).into());
        }
        let user = |id: &UserId| world.user(id).ok_or_else(|| unknown_user(id));
        let players = [user(first)?.id.clone(), user(second)?.id.clone()];
        let imported = ImportedBoard {
            game: self.game,
            options: self.options.clone(),
            players,
            record: self.record.clone(),
        };
        let setup = cx.board_maker(world).import(imported)?;
        let board = setup.board;
        let answer = Answer::Board { board, what: BoardNews::Imported, by: None };
        Ok(Decision { events: vec![Event::Challenged(Box::new(setup))], answer })
    }
}
