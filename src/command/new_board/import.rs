//! The operator's `import`: sets up a board from the record of another program.

use crate::base::ids::UserId;
use crate::command::{Command, Context, Decision, Needs, unknown_user};
use crate::model::board::Board;
use crate::model::new_board::ImportedBoard;
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::{Answer, BoardNews, DisplayAnswer};
use games::{AnyGame, Transcript};

/// A board to set up with a given record.
#[derive(Debug)]
struct ImportCommand {
    game: &'static dyn AnyGame,
    players: [UserId; 2],
    transcript: Transcript,
}

/// Builds the command for a transcript between these users, seat 0 first.
pub fn import(
    game: &'static dyn AnyGame,
    transcript: Transcript,
    players: [UserId; 2],
) -> Box<dyn Command> {
    Box::new(ImportCommand { game, players, transcript })
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
            options: self.transcript.options.clone(),
            players,
            record: self.transcript.record.clone(),
            ending: self.transcript.ending,
        };
        let setup = cx.board_maker(world).import(imported)?;
        let board = setup.board;
        // Nobody has to do anything on a board where the game is over, so nobody gets a mail about it.
        let answer = if Board::set_up(&setup).is_over() {
            DisplayAnswer::Imported(board).into()
        } else {
            Answer::Board { board, what: BoardNews::Imported, by: None }
        };
        Ok(Decision { events: vec![Event::Challenged(Box::new(setup))], answer })
    }
}
