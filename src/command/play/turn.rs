//! A turn: a move and what follows it, up to the next decision of a player: rolls, forced moves and
//! queued moves.

use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::command::{Context, Decision};
use crate::model::board::{Board, BoardEvent, QueuedMove, UnplayedReason};
use crate::model::dice::{BoardDice, BoardRandom};
use crate::model::program;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, LegalMoves, Refusal};
use crate::reply::{Answer, BoardNews, MAX_LISTED_PLAYS};
use games::{
    AnyPosition, Diagram, Entry, MoveError, Next, ROLL, Seat, SeatSettings, View, advance,
    play_text,
};

/// Returns the source of the next rolls and deals of a board.
///
/// # Errors
/// The home has lost the key of the board.
pub(crate) fn board_random<'a>(
    board: &Board,
    dice: Option<&BoardDice>,
    cx: &'a mut Context,
) -> Result<BoardRandom<'a>, Refusal> {
    let draws = BoardRandom::for_board(board, dice, cx.keys, cx.chance);
    let why = "cannot be thrown: the server has lost their key";
    draws.ok_or_else(|| BoardRefusal::Dice { board: board.id, why, instead: None }.into())
}

/// Plays a move in the notation of its player, and what follows it.
///
/// # Errors
/// It is not the player's turn, or the move is illegal.
pub(crate) fn play_move(
    world: &World,
    board: &Board,
    seat: Seat,
    text: &str,
    cx: &mut Context,
) -> Result<Decision, Refusal> {
    play_move_as(world, board, seat, &world.view(board, seat), text, board.dice.as_ref(), cx)
}

/// Plays a move in the notation of `writer`, with the given dice.
pub(crate) fn play_move_as(
    world: &World,
    board: &Board,
    seat: Seat,
    writer: &View,
    text: &str,
    dice: Option<&BoardDice>,
    cx: &mut Context,
) -> Result<Decision, Refusal> {
    check_turn(board, seat)?;
    if dice.is_some_and(|dice| dice.is_value_due(seat, board.drawn())) {
        let why = "wait for the value that you committed to";
        let instead = Some(
            "write it after your move, as `-seed=<value>`, or write `-seed=lost` if you have lost it",
        );
        return Err(BoardRefusal::Dice { board: board.id, why, instead }.into());
    }
    let thinks_long = |of: Seat| world.level(board.player(of)).is_some_and(program::thinks_long);
    if thinks_long(seat.other()) && *cx.program_moves == 0 {
        let most = cx.limits.program_moves.get();
        return Err(BoardRefusal::TooManyProgramMoves { board: board.id, most }.into());
    }
    let mut position = board.position().copy();
    position.set_viewer(writer);
    let now = cx.now;
    let mut dice = board_random(board, dice, cx)?;
    let entries = play_text(&mut *position, seat, text, &mut dice).map_err(|error| {
        match position.next() {
            // Every mail lists the alternatives to a roll.
            Next::Ready(..) => move_refusal(text, error, before_roll(board)),
            _ => illegal_move(Some(board.id), &*position, text, error),
        }
    })?;
    let settings = |of| world.seat_settings(board, of);
    let events = advance_game(board, &mut *position, entries, &settings, &mut dice, now);
    let entries = events.iter().flat_map(|event| match event {
        Event::Board(_, BoardEvent::Played { entries, .. }) => &entries[..],
        _ => &[],
    });
    let thought = entries.filter(
        |entry| matches!(entry, Entry::Moved { seat, auto: false, .. } if thinks_long(*seat)),
    );
    let thought = u32::try_from(thought.count()).unwrap_or(u32::MAX);
    *cx.program_moves = cx.program_moves.saturating_sub(thought);
    let answer = Answer::Board { board: board.id, what: BoardNews::Moved, by: Some(seat) };
    Ok(Decision { events, answer })
}

/// Checks that it is the seat's turn.
///
/// # Errors
/// It is the opponent's turn.
pub(crate) fn check_turn(board: &Board, seat: Seat) -> Result<(), Refusal> {
    match board.position().next() {
        Next::Move(due) | Next::Ready(due, _) if due != seat => {
            let waits_for = board.player(due).clone();
            Err(BoardRefusal::NotYourMove { board: board.id, waits_for }.into())
        }
        _ => Ok(()),
    }
}

/// Continues a position after `entries`: rolls and plays forced moves up to the next decision, and
/// then the queued move of the player who decides. Returns the events.
pub(crate) fn advance_game(
    board: &Board,
    position: &mut dyn AnyPosition,
    mut entries: Vec<Entry>,
    settings: &dyn Fn(Seat) -> SeatSettings,
    dice: &mut BoardRandom,
    at: Time,
) -> Vec<Event> {
    let id = board.id;
    let mut events = Vec::new();
    let mut dropped = None;
    let mut queues = board.queued.clone();
    entries.extend(advance(position, dice, settings));
    while let Next::Move(seat) | Next::Ready(seat, _) = position.next() {
        // A queued move waits for the roll before it.
        if matches!(position.next(), Next::Ready(..)) && dice.awaits_link(seat) {
            break;
        }
        let made = entries.iter().filter(|entry| !entry.is_chance()).count();
        let due = board.next_move() + made;
        let is_due = |queued: &mut QueuedMove| queued.moveno.is_none_or(|given| given <= due);
        let Some(QueuedMove { text, moveno }) = queues[seat.index()].take_if(is_due) else {
            break;
        };
        let tried = if dice.is_value_due(seat) {
            Err(UnplayedReason::Value)
        } else if let Some(given) = moveno.filter(|given| *given != due) {
            Err(UnplayedReason::Stale { given, due })
        } else {
            let settings = settings(seat).settings;
            position.set_viewer(&View { seat: Some(seat), settings, legal: false });
            let said = play_text(position, seat, &text, dice);
            said.map_err(UnplayedReason::Illegal)
        };
        match tried {
            Ok(said) => {
                events.push(Event::Board(id, BoardEvent::Queued { seat, queued: None }));
                entries.extend(said);
                entries.extend(advance(position, dice, settings));
            }
            Err(why) => {
                dropped = Some(Event::Board(id, BoardEvent::Dropped { seat, text, why }));
                break;
            }
        }
    }
    if !entries.is_empty() {
        events.push(Event::Board(id, BoardEvent::Played { at, entries }));
    }
    // A player's decision ends the note about their dropped move, so the note comes after it.
    events.extend(dropped);
    events
}

/// Builds the refusal of an illegal move, with the legal moves. The position of a preview may have
/// no board.
pub(crate) fn illegal_move(
    board: Option<BoardId>,
    position: &dyn AnyPosition,
    text: &str,
    error: MoveError,
) -> Refusal {
    move_refusal(text, error, legal_moves(board, position))
}

/// Returns the alternatives to a roll.
fn before_roll(board: &Board) -> LegalMoves {
    let legal = [vec![ROLL.to_owned()], board.position().moves()].concat();
    LegalMoves { board: Some(board.id), legal, ..LegalMoves::default() }
}

/// Returns the moves that the player of a seat can send, if it is their turn.
pub(crate) fn legal_moves_for(
    board: &Board,
    seat: Seat,
    position: &dyn AnyPosition,
) -> Option<LegalMoves> {
    if board.is_over() || !position.next().asks(seat) {
        return None;
    }
    Some(match position.next() {
        Next::Ready(..) => before_roll(board),
        _ => legal_moves(Some(board.id), position),
    })
}

/// Returns the legal moves of a position.
fn legal_moves(board: Option<BoardId>, position: &dyn AnyPosition) -> LegalMoves {
    let count = position.count();
    let legal = if count <= MAX_LISTED_PLAYS { position.moves() } else { Vec::new() };
    let (dice, grid) = match position.diagram(&View { legal: true, ..View::default() }) {
        Diagram::Grid(grid) => (None, Some(grid).filter(|grid| !grid.legal.is_empty())),
        Diagram::Corridor(corridor) => (corridor.dice, None),
        Diagram::Points(points) => (points.dice.map(|(_, dice)| dice), None),
    };
    let example = position.nth_move(0);
    LegalMoves { board, dice, legal, count, example, grid }
}

/// Builds the refusal of an illegal move, with the given alternatives.
pub(crate) fn move_refusal(text: &str, error: MoveError, choice: LegalMoves) -> Refusal {
    BoardRefusal::Move { text: text.to_owned(), error, choice: Box::new(choice) }.into()
}
