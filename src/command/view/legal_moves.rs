//! `moves`: the legal moves on a board.

use crate::base::ids::BoardId;
use crate::command::view::preview;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, Verb, VerbScope,
    required_game,
};
use crate::model::world::{World, board_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::DisplayAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "moves",
    aliases: &["legal"],
    scope: VerbScope::Game,
    usage: "<board>",
    about: "all legal plays of the player whose turn it is",
    reply: Some(ReplyScope::Board),
    parse,
};

#[derive(Debug)]
struct MovesCommand {
    board: BoardId,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (board, _) = words.board(required_game(game))?;
    words.expect_end()?;
    Ok(Box::new(MovesCommand { board }))
}

impl Command for MovesCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let board = cx.visible_board(world, self.board)?;
        if preview::is_hidden(board.game) {
            return Err(BoardRefusal::Hidden(self.board).into());
        }
        Ok(DisplayAnswer::Plays { board: self.board, seat: cx.seat_of(board) }.into())
    }
}
