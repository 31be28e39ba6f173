//! The move of `board5`. No mail and no page contains it: the task that asks engines sends it, with
//! their answer as a value. It is checked as any player's move.

use crate::base::ids::BoardId;
use crate::command::play::turn::{self, AdvanceContext, advance_game, play_move_as};
use crate::command::{Command, Context, Decision, Needs, Origin};
use crate::engine::EngineAnswer;
use crate::model::board::{Board, BoardEvent, BoardStatus, ClosedBy, Closing};
use crate::model::program;
use crate::model::world::event::Event;
use crate::model::world::{World, board_key};
use crate::refusal::{AccountRefusal, BoardRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::{Choices, EngineMove, Seat, SeatSettings, Transcript, View};

/// Who decides a move of `board5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnginePlay {
    /// An engine, which has given this answer.
    Answered(EngineAnswer),
    /// Our own program at its highest level, where the other one fails or has nothing to decide.
    OwnProgram,
}

/// A move of `board5`.
#[derive(Clone, Debug)]
pub struct EngineMoveCommand {
    /// The board.
    pub board: BoardId,
    /// The record of the board when the move was chosen. On another one the move is refused.
    pub record: Transcript,
    /// Who has chosen it.
    pub play: EnginePlay,
}

impl Command for EngineMoveCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        if !matches!(cx.origin, Origin::Shell) {
            return Err(AccountRefusal::NotAuthenticated.into());
        }
        let board = world.board(self.board)?;
        let seat = match board.status() {
            BoardStatus::ToMove(seat) if world.awaits_engine(board) => seat,
            BoardStatus::ToMove(_) => return Err(self.stale(board)),
            BoardStatus::Ended(_) | BoardStatus::Closed(_) => {
                return Err(BoardRefusal::Over(self.board).into());
            }
        };
        if board.transcript(None) != self.record {
            return Err(self.stale(board));
        }
        let (name, events) = match &self.play {
            EnginePlay::Answered(EngineAnswer { decision, name }) => {
                (name.clone(), decided_events(world, board, seat, decision, cx)?)
            }
            EnginePlay::OwnProgram => {
                let level = board.game.spec().manner.levels.min(program::LEVELS);
                let name = format!("Postboard's own program, level {level}");
                (name, own_events(world, board, seat, level, cx)?)
            }
        };
        let named = (board.engine.as_ref() != Some(&name))
            .then_some(Event::Board(board.id, BoardEvent::EngineNamed { name }));
        let events = named.into_iter().chain(events).collect();
        let answer = Answer::Board { board: board.id, what: BoardNews::Moved, by: Some(seat) };
        Ok(Decision { events, answer })
    }
}

impl EngineMoveCommand {
    /// Builds the refusal of a move that was chosen for another record.
    fn stale(&self, board: &Board) -> Refusal {
        let moves = self.record.record.iter().filter(|entry| !entry.is_chance()).count();
        BoardRefusal::Stale { board: board.id, given: moves + 1, due: board.next_move() }.into()
    }
}

/// Returns what follows from the decision of an engine.
fn decided_events(
    world: &World,
    board: &Board,
    seat: Seat,
    decision: &EngineMove,
    cx: &mut Context,
) -> Result<Vec<Event>, Refusal> {
    match decision {
        EngineMove::Move(text) => {
            let view = View::default();
            let dice = board.dice.as_ref();
            Ok(play_move_as(world, board, seat, &view, text, dice, cx)?.events)
        }
        EngineMove::Resign => {
            let by = if board.has_moved(seat) { ClosedBy::Resigning } else { ClosedBy::Declining };
            let closing = Closing { at: cx.now, seat: seat.0, by };
            Ok(vec![Event::Board(board.id, BoardEvent::Closed(closing))])
        }
    }
}

/// Returns the turn of our own program, up to the next decision of the opponent.
fn own_events(
    world: &World,
    board: &Board,
    seat: Seat,
    level: u8,
    cx: &mut Context,
) -> Result<Vec<Event>, Refusal> {
    let settings = |of| {
        if of == seat {
            SeatSettings { settings: Choices::default(), level: Some(level) }
        } else {
            world.seat_settings(board, of)
        }
    };
    let context = AdvanceContext::new(board, &settings, cx);
    let mut dice = turn::board_random(board, board.dice.as_ref(), cx)?;
    Ok(advance_game(context, &mut *board.position().copy(), Vec::new(), &mut dice))
}
