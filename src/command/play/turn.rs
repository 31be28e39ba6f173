//! A turn: a move and what follows it, up to the next decision of a player: rolls, forced moves and
//! planned moves.

use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::command::play::plan::following::PlanRun;
use crate::command::{Context, Decision};
use crate::model::board::{Board, BoardEvent, Plan};
use crate::model::dice::{BoardDice, BoardRandom};
use crate::model::program;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, LegalMoves, Refusal};
use crate::reply::{Answer, BoardNews, MAX_LISTED_PLAYS};
use games::{
    AnyPosition, Diagram, Entry, MoveError, Next, ROLL, Scripted, Seat, SeatSettings, View,
    advance, bare, play_text,
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
    check_value(board, dice, seat)?;
    check_programs(world, board, seat, cx)?;
    let mut position = board.position().copy();
    position.set_viewer(writer);
    let settings = |of| world.seat_settings(board, of);
    let context = AdvanceContext::new(board, &settings, cx);
    let mut dice = board_random(board, dice, cx)?;
    let entries = play_text(&mut *position, seat, text, &mut dice);
    let entries = entries.map_err(|error| refused_move(board, &*position, text, error))?;
    let events = advance_game(context, &mut *position, entries, &mut dice);
    count_program_moves(&events, &settings, cx);
    let answer = Answer::Board { board: board.id, what: BoardNews::Moved, by: Some(seat) };
    Ok(Decision { events, answer })
}

/// Builds the refusal of a move on a board. Before a roll it lists the alternatives, as every mail
/// does.
fn refused_move(
    board: &Board,
    position: &dyn AnyPosition,
    text: &str,
    error: MoveError,
) -> Refusal {
    match position.next() {
        Next::Ready(..) => move_refusal(text, error, before_roll(board)),
        _ => illegal_move(Some(board.id), position, text, error),
    }
}

/// Checks that a move of the player to move is legal. Rolls nothing.
///
/// # Errors
/// The move is illegal.
pub(crate) fn check_move(board: &Board, writer: &View, text: &str) -> Result<(), Refusal> {
    let mut position = board.position().copy();
    position.set_viewer(writer);
    let (Next::Move(seat) | Next::Ready(seat, _)) = position.next() else { return Ok(()) };
    if matches!(position.next(), Next::Ready(..)) && bare(text).eq_ignore_ascii_case(ROLL) {
        return Ok(());
    }
    let tried = play_text(&mut *position.copy(), seat, text, &mut Scripted::default());
    tried.map(drop).map_err(|error| refused_move(board, &*position, text, error))
}

/// Checks that the dice do not wait for the value of a commitment.
///
/// # Errors
/// The move must come with the value.
pub(crate) fn check_value(
    board: &Board,
    dice: Option<&BoardDice>,
    seat: Seat,
) -> Result<(), Refusal> {
    if !dice.is_some_and(|dice| dice.is_value_due(seat, board.drawn())) {
        return Ok(());
    }
    let why = "wait for the value that you committed to";
    let instead = Some(
        "write it after your move, as `-seed=<value>`, or write `-seed=lost` if you have lost it",
    );
    Err(BoardRefusal::Dice { board: board.id, why, instead }.into())
}

/// Checks that a program that thinks for long may answer a move.
///
/// # Errors
/// It has made the most moves for one mail.
pub(crate) fn check_programs(
    world: &World,
    board: &Board,
    seat: Seat,
    cx: &Context,
) -> Result<(), Refusal> {
    let level = world.level(board.player(seat.other()));
    if level.is_some_and(program::thinks_long) && *cx.program_moves == 0 {
        let most = cx.limits.program_moves.get();
        return Err(BoardRefusal::TooManyProgramMoves { board: board.id, most }.into());
    }
    Ok(())
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

/// What [`advance_game`] needs besides the position and the dice.
pub(crate) struct AdvanceContext<'a> {
    pub(crate) board: &'a Board,
    /// The plans of the players, seat 0 first.
    pub(crate) plans: [Option<Plan>; 2],
    /// The settings of the players.
    pub(crate) settings: &'a dyn Fn(Seat) -> SeatSettings,
    /// The most moves that slow programs may make.
    pub(crate) program_moves: u32,
    pub(crate) at: Time,
}

impl<'a> AdvanceContext<'a> {
    /// Returns the context of a board now, with the plans that its players have entered.
    pub(crate) fn new(
        board: &'a Board,
        settings: &'a dyn Fn(Seat) -> SeatSettings,
        cx: &Context,
    ) -> Self {
        let (plans, program_moves) = (board.plans.clone(), *cx.program_moves);
        Self { board, plans, settings, program_moves, at: cx.now }
    }
}

/// Continues a position after `entries`: rolls and plays forced moves up to the next decision, and
/// then the planned moves of the players who decide. Returns the events.
pub(crate) fn advance_game(
    context: AdvanceContext,
    position: &mut dyn AnyPosition,
    mut entries: Vec<Entry>,
    dice: &mut BoardRandom,
) -> Vec<Event> {
    let AdvanceContext { board, plans, settings, program_moves, at } = context;
    let mut plans = PlanRun::new(board, plans);
    entries.extend(advance(position, dice, settings));
    plans.follow(&entries);
    loop {
        if thinkers(settings).contains(&true) && program_moves <= thought_moves(&entries, settings)
        {
            plans.stop(position);
        }
        let Some(made) = plans.play(position, settings, dice) else { break };
        entries.extend(made);
        let begun = entries.len();
        entries.extend(advance(position, dice, settings));
        plans.follow(&entries[begun..]);
    }
    let mut events = Vec::new();
    if !entries.is_empty() {
        events.push(Event::Board(board.id, BoardEvent::Played { at, entries }));
    }
    // A player's decision ends the note about their plan, so the note comes after it.
    events.extend(plans.events());
    events
}

/// Returns whether a program that thinks for long plays each seat.
fn thinkers(settings: &dyn Fn(Seat) -> SeatSettings) -> [bool; 2] {
    Seat::BOTH.map(|seat| settings(seat).level.is_some_and(program::thinks_long))
}

/// Counts the moves of programs that think for long.
fn thought_moves(entries: &[Entry], settings: &dyn Fn(Seat) -> SeatSettings) -> u32 {
    let thinks = thinkers(settings);
    let thought = entries.iter().filter(
        |entry| matches!(entry, Entry::Moved { seat, auto: false, .. } if thinks[seat.index()]),
    );
    u32::try_from(thought.count()).unwrap_or(u32::MAX)
}

/// Counts the moves of programs that think for long against the most for one mail.
pub(crate) fn count_program_moves(
    events: &[Event],
    settings: &dyn Fn(Seat) -> SeatSettings,
    cx: &mut Context,
) {
    for event in events {
        if let Event::Board(_, BoardEvent::Played { entries, .. }) = event {
            let thought = thought_moves(entries, settings);
            *cx.program_moves = cx.program_moves.saturating_sub(thought);
        }
    }
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

fn legal_moves(board: Option<BoardId>, position: &dyn AnyPosition) -> LegalMoves {
    let count = position.count();
    let legal = if count <= MAX_LISTED_PLAYS { position.moves() } else { Vec::new() };
    let (dice, tiled) = match position.diagram(&View { legal: true, ..View::default() }) {
        Diagram::Board(tiled) => (None, Some(tiled).filter(|tiled| !tiled.legal.is_empty())),
        Diagram::Corridor(corridor) => (corridor.dice, None),
        Diagram::Points(points) => (points.dice.map(|(_, dice)| dice), None),
    };
    let example = position.nth_move(0);
    LegalMoves { board, dice, legal, count, example, tiled }
}

/// Builds the refusal of an illegal move, with the given alternatives.
pub(crate) fn move_refusal(text: &str, error: MoveError, choice: LegalMoves) -> Refusal {
    BoardRefusal::Move { text: text.to_owned(), error, choice: Box::new(choice) }.into()
}
