//! `moves`: the legal plays of a board.

use super::words::Arguments;
use super::{Command, Context, Decision, Needs, ReplyScope, Verb, VerbScope, preview, the_game};
use crate::base::ids::BoardId;
use crate::model::world::{World, board_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::LookAnswer;
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "moves",
    aliases: &["legal"],
    of: VerbScope::Game,
    usage: "<board>",
    about: "all legal plays of the player whose turn it is",
    reply: Some(ReplyScope::Board),
    parse,
};

#[derive(Debug)]
struct MovesCommand {
    board: BoardId,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let (board, _) = words.board(the_game(game))?;
    words.end()?;
    Ok(Box::new(MovesCommand { board }))
}

impl Command for MovesCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let board = world.board(self.board)?;
        if board.private && !cx.may_see(world, board) {
            return Err(BoardRefusal::Private(self.board).into());
        }
        if preview::hides(board.game) {
            return Err(BoardRefusal::Hidden(self.board).into());
        }
        Ok(LookAnswer::Plays { board: self.board, seat: cx.seat_of(board) }.into())
    }
}
