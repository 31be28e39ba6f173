//! `queue`: keeps a conditional move, which is played as soon as it is the player's turn.

use crate::base::ids::BoardId;
use crate::command::play::{make_move, turn};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, Player, ReplyScope, Verb,
    VerbScope, authenticate, move_word, required_game, seat_in_play,
};
use crate::model::board::{Board, BoardEvent, QueuedMove};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, LegalMoves, Refusal};
use crate::reply::BoardNotice;
use games::{AnyGame, MoveError};

pub(crate) const VERB: Verb = Verb {
    name: "queue",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password> <move>[#<moveno>] | off",
    about: "keep a secret move, which is played as soon as it is your turn",
    reply: Some(ReplyScope::Player),
    parse,
};

/// The word that removes a queued move.
const OFF: &str = "off";

/// The most bytes of a queued move, whose legality is unknown until it is due.
const LONGEST: usize = 200;

#[derive(Debug)]
struct QueueCommand {
    by: Player,
    /// The move; `None` to remove the queued one.
    text: Option<String>,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (by, text) = make_move::read_player_and_move(required_game(game), words)?;
    if text.len() > LONGEST {
        return Err(words.usage_error(format!("a queued move can have at most {LONGEST} letters")));
    }
    let text = Some(text).filter(|text| !text.eq_ignore_ascii_case(OFF));
    Ok(Box::new(QueueCommand { by, text }))
}

/// Returns whether the text is a well-formed move of the game.
fn is_spelled(board: &Board, text: &str) -> bool {
    board.position().can_read(text) || move_word(board.game, text).is_some()
}

impl Command for QueueCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        self.by.needs()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.by.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let Player { board: id, moveno, user, proof } = &self.by;
        authenticate(world, user, proof, Some(*id), cx)?;
        let seat = seat_in_play(world, *id, user, None)?;
        let board = world.board(*id)?;
        let due = board.next_move();
        let given = moveno.filter(|given| *given != due);
        if let Some(given) = given.filter(|given| *given < due) {
            return Err(BoardRefusal::Stale { board: *id, given, due }.into());
        }
        let waits = board.queued[seat.index()].as_ref().and_then(|queued| queued.moveno);
        if let (None, Some(given)) = (&self.text, given.filter(|given| waits != Some(*given))) {
            return Err(BoardRefusal::Stale { board: *id, given, due }.into());
        }
        match &self.text {
            Some(text) if given.is_none() && board.position().next().asks(seat) => {
                turn::play_move(world, board, seat, text, cx)
            }
            Some(text) if !is_spelled(board, text) => {
                let error = board.position().copy().play(text).err();
                let error = error.unwrap_or(MoveError::NothingToMove);
                // A move of the opponent shows the notation.
                let example = board.position().first_move();
                let choice = LegalMoves { board: Some(*id), example, ..LegalMoves::default() };
                Err(turn::move_refusal(text, error, choice))
            }
            text => {
                let queued = text.clone().map(|text| QueuedMove { text, moveno: *moveno });
                let answer = BoardNotice::Queued { board: *id, seat, queued: queued.clone() };
                let event = Event::Board(*id, BoardEvent::Queued { seat, queued });
                Ok(Decision { events: vec![event], answer: answer.into() })
            }
        }
    }
}
