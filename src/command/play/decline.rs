//! `decline`: closes a board without a result before its game has begun. The challenged player declines
//! until their own first move; the challenger withdraws until either player has moved.

use crate::command::{
    Arguments, Command, Context, Decision, LastingAct, ParsedCommand, Player, ReplyScope, Verb,
    VerbScope, of_player, required_game,
};
use crate::model::board::{BoardEvent, ClosedBy, Closing};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, LadderRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "decline",
    aliases: &["withdraw"],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password>",
    about: "close a board before your first move, or withdraw your challenge",
    reply: Some(ReplyScope::Player),
    parse,
};

#[derive(Debug)]
struct DeclineCommand {
    by: Player,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    words.expect_end()?;
    // Moves of the opponent do not matter, so a move number does not, either.
    Ok(Box::new(DeclineCommand { by: Player { moveno: None, ..by } }))
}

impl Command for DeclineCommand {
    of_player!(guests);

    fn lasting_act(&self) -> Option<LastingAct> {
        Some(LastingAct::Decline(self.by.board))
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        if board.is_of_ladder && !board.is_over() {
            return Err(LadderRefusal::NotDeclined(board.id).into());
        }
        if !board.can_decline(seat) {
            let opponent = board.player(seat.other()).clone();
            let moved = (!board.has_moved(seat)).then_some(opponent);
            return Err(BoardRefusal::TooLateToDecline { board: board.id, moved }.into());
        }
        let closing = Closing { at: cx.now, seat: seat.0, by: ClosedBy::Declining };
        let events = vec![Event::Board(board.id, BoardEvent::Closed(closing))];
        let answer = Answer::Board { board: board.id, what: BoardNews::Moved, by: Some(seat) };
        Ok(Decision { events, answer })
    }
}
