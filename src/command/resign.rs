//! `resign`: giving a board up.

use super::words::{Proof, Words};
use super::{
    Command, Context, Decision, Needs, Of, Reply, Verb, authenticate, seat_in_play, the_game,
};
use crate::board::{ClosedBy, Closing};
use crate::event::Event;
use crate::ids::{BoardId, UserId};
use crate::refusal::Refusal;
use crate::reply::{Answer, Happening};
use crate::world::{World, board_key, user_key};
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "resign",
    aliases: &[],
    of: Of::Game,
    usage: "<board> <userid> <password>",
    about: "give a game up; before your first move it declines the challenge",
    reply: Some(Reply::Player),
    parse,
};

#[derive(Debug)]
struct Resign {
    board: BoardId,
    user: UserId,
    proof: Proof,
    moveno: Option<usize>,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let (board, moveno) = words.board(the_game(game))?;
    let (user, proof) = words.player()?;
    words.end()?;
    Ok(command(board, user, proof, moveno))
}

/// The command, as `move ... resign` gives it too.
pub(super) fn command(
    board: BoardId,
    user: UserId,
    proof: Proof,
    moveno: Option<usize>,
) -> Box<dyn Command> {
    Box::new(Resign { board, user, proof, moveno })
}

impl Command for Resign {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board), user_key(&self.user)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, Some(self.board), cx)?;
        let seat = seat_in_play(world, self.board, &self.user, self.moveno)?;
        let moved = world.board(self.board)?.has_moved(seat);
        let by = if moved { ClosedBy::Resigning } else { ClosedBy::Declining };
        let closing = Closing { at: cx.now, seat: seat.0, by };
        let event = Event::Closed { board: self.board, closing };
        let answer = Answer::Board { board: self.board, what: Happening::Moved, by: Some(seat) };
        Ok(Decision { events: vec![event], answer })
    }
}
