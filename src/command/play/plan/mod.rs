//! `plan` and `queue`: moves that a player enters before their turn, which are played as soon as the
//! game comes to them. `notation` reads the lines, `following` plays them.

pub(in crate::command::play) mod following;
mod notation;

use crate::command::play::{make_move, turn};
use crate::command::{
    Arguments, Command, Context, Decision, ParsedCommand, Player, ReplyScope, Verb, VerbScope,
    authenticate, move_word, of_player, required_game, seat_in_play,
};
use crate::model::board::{Board, BoardEvent, Plan, PlannedStep};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, LegalMoves, PlanProblem, Refusal, WrongPlan};
use crate::reply::{Answer, BoardNews, BoardNotice};
use games::{AnyGame, MoveError, Seat};
use notation::{PlanParser, WrongLine};

pub(crate) const PLAN: Verb = Verb {
    name: "plan",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board>[#<moveno>] <userid> <password> [<lines>]",
    about: "answers to moves of your opponent, played at once; without lines: your plan",
    reply: Some(ReplyScope::ForMove),
    parse: parse_plan,
};

pub(crate) const QUEUE: Verb = Verb {
    name: "queue",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password> <move>[#<moveno>] | off",
    about: "keep a secret move, which is played as soon as it is your turn",
    reply: Some(ReplyScope::Player),
    parse: parse_queue,
};

/// The words that withdraw a plan.
const WITHDRAW: [&str; 2] = ["withdraw", "off"];

/// The word before lines that leave the other lines of the plan as they are.
const ADD: &str = "add";

/// The word for all forced moves.
const FORCED: &str = "forced";

/// The most bytes of a queued move, whose legality is unknown until it is due.
const MAX_QUEUED_BYTES: usize = 200;

/// The most bytes of the lines of a plan.
const LONGEST_PLAN: usize = 4_000;

/// What a player does with their plan.
#[derive(Debug)]
enum PlanRequest {
    Show,
    Withdraw,
    /// Withdraws the line with this number, counted from 1.
    WithdrawLine(usize),
    Forced,
    Lines {
        text: String,
        /// Whether the other lines stay.
        is_added: bool,
    },
}

#[derive(Debug)]
struct PlanCommand {
    by: Player,
    request: PlanRequest,
}

#[derive(Debug)]
struct QueueCommand {
    by: Player,
    /// The move; `None` to withdraw the plan.
    text: Option<String>,
}

fn parse_plan(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    let rest = words.take_rest();
    let request = match rest {
        [] => PlanRequest::Show,
        [only] if withdraws(only) => PlanRequest::Withdraw,
        [only] if only.eq_ignore_ascii_case(FORCED) => PlanRequest::Forced,
        [first, number] if withdraws(first) => {
            let number = number.trim_end_matches('.').parse().ok();
            let wrong = "the number of the line must be a number, as `plan` shows it";
            PlanRequest::WithdrawLine(number.ok_or_else(|| words.usage_error(wrong))?)
        }
        [first, lines @ ..] => {
            let is_added = first.eq_ignore_ascii_case(ADD);
            let text = if is_added { lines.join(" ") } else { rest.join(" ") };
            if text.is_empty() {
                return Err(words.usage_error("the lines after `add` are missing"));
            }
            if text.len() > LONGEST_PLAN {
                let what = format!("the lines of a plan can have at most {LONGEST_PLAN} letters");
                return Err(words.usage_error(what));
            }
            PlanRequest::Lines { text, is_added }
        }
    };
    Ok(Box::new(PlanCommand { by, request }))
}

fn parse_queue(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (by, text) = make_move::read_player_and_move(required_game(game), words)?;
    if text.len() > MAX_QUEUED_BYTES {
        return Err(
            words.usage_error(format!("a queued move can have at most {MAX_QUEUED_BYTES} letters"))
        );
    }
    let text = Some(text).filter(|text| !withdraws(text));
    Ok(Box::new(QueueCommand { by, text }))
}

/// Returns whether a word withdraws a plan.
fn withdraws(word: &str) -> bool {
    WITHDRAW.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Returns whether the words after `plan` need no lines below them.
pub(crate) fn is_whole_plan(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    withdraws(first) || words.eq_ignore_ascii_case(FORCED)
}

/// Checks that a text is a well-formed move of the game. Whether it is legal is known when it is due.
fn check_spelling(board: &Board, text: &str) -> Result<(), MoveError> {
    if board.position().can_read(text) || move_word(board.game, text).is_some() {
        return Ok(());
    }
    Err(board.position().copy().play(text).err().unwrap_or(MoveError::NothingToMove))
}

impl Command for PlanCommand {
    of_player!(guests);

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, seat) = self.by.at(world, cx)?;
        if board.game.spec().manner.is_solo {
            let problem = PlanProblem::Alone;
            return Err(refuse(board, seat, WrongLine { line: Vec::new(), problem }));
        }
        let plan = match &self.request {
            PlanRequest::Show => {
                let answer = BoardNotice::Planned { board: board.id, seat };
                return Ok(Decision { events: Vec::new(), answer: answer.into() });
            }
            PlanRequest::Withdraw => return Ok(keep(board, seat, None)),
            PlanRequest::WithdrawLine(number) => {
                let plan = without_line(board, seat, *number);
                return Ok(keep(board, seat, plan.map_err(|wrong| refuse(board, seat, wrong))?));
            }
            PlanRequest::Forced => {
                let mut plan = Plan::new(board.next_move());
                plan.add(None, PlannedStep::Forced);
                plan
            }
            PlanRequest::Lines { text, is_added } => {
                let old = board.plans[seat.index()].clone().filter(|old| {
                    let is_due = old.from == board.next_move();
                    *is_added && is_due && old.next_own() != Some(&PlannedStep::Forced)
                });
                let view = world.view(board, seat);
                let read = PlanParser::new(board, seat, view, old).read(text);
                read.map_err(|wrong| refuse(board, seat, wrong))?
            }
        };
        begin(world, board, seat, plan, cx)
    }
}

/// Returns what is left of a player's plan without one of its lines.
fn without_line(board: &Board, seat: Seat, number: usize) -> Result<Option<Plan>, WrongLine> {
    let plan = board.plans[seat.index()].as_ref();
    let lines = plan.map_or(0, |plan| plan.lines().len());
    let found = plan.filter(|_| (1..=lines).contains(&number));
    let plan = found.ok_or_else(|| WrongLine {
        line: Vec::new(),
        problem: PlanProblem::NoLine { number, lines },
    })?;
    Ok(plan.without_line(number - 1))
}

/// Keeps a plan. On the player's turn its first move is played at once.
fn begin(
    world: &World,
    board: &Board,
    seat: Seat,
    plan: Plan,
    cx: &mut Context,
) -> Result<Decision, Refusal> {
    let settings = |of| world.seat_settings(board, of);
    if !board.position().next().asks(seat) {
        return Ok(keep(board, seat, Some(plan)));
    }
    check_first(world, board, seat, &plan)?;
    turn::check_programs(world, board, seat, cx)?;
    let mut context = turn::AdvanceContext::new(board, &settings, cx);
    context.plans[seat.index()] = Some(plan.clone());
    let mut dice = turn::board_random(board, board.dice.as_ref(), cx)?;
    let mut position = board.position().copy();
    let followed = turn::advance_game(context, &mut *position, Vec::new(), &mut dice);
    if !followed.iter().any(|event| matches!(event, Event::Board(_, BoardEvent::Played { .. }))) {
        return Ok(keep(board, seat, Some(plan)));
    }
    turn::count_program_moves(&followed, &settings, cx);
    let begun = BoardEvent::Planned { seat, plan: Some(plan) };
    let events = [Event::Board(board.id, begun)].into_iter().chain(followed).collect();
    let answer = Answer::Board { board: board.id, what: BoardNews::Moved, by: Some(seat) };
    Ok(Decision { events, answer })
}

/// Checks that the first move of a plan can be played at once.
fn check_first(world: &World, board: &Board, seat: Seat, plan: &Plan) -> Result<(), Refusal> {
    turn::check_value(board, board.dice.as_ref(), seat)?;
    match plan.next_own() {
        Some(PlannedStep::Unread(text)) => turn::check_move(board, &world.view(board, seat), text),
        Some(PlannedStep::Forced) if following::has_choice(board.position()) => {
            let wrong = WrongLine { line: Vec::new(), problem: PlanProblem::Choice };
            Err(refuse(board, seat, wrong))
        }
        _ => Ok(()),
    }
}

/// Keeps a plan, or none, for later.
fn keep(board: &Board, seat: Seat, plan: Option<Plan>) -> Decision {
    let event = Event::Board(board.id, BoardEvent::Planned { seat, plan });
    let answer = BoardNotice::Planned { board: board.id, seat };
    Decision { events: vec![event], answer: answer.into() }
}

/// Builds the refusal of a plan.
fn refuse(board: &Board, seat: Seat, wrong: WrongLine) -> Refusal {
    let WrongLine { line, problem } = wrong;
    let example = example_plan(board, seat);
    BoardRefusal::Plan(Box::new(WrongPlan { board: board.id, line, problem, example })).into()
}

/// Returns an example of a plan that can be kept on the board as it is.
fn example_plan(board: &Board, seat: Seat) -> String {
    let mut position = board.position().copy();
    let mut line = Vec::new();
    while line.len() < 3 {
        let Some(text) = position.first_move() else { break };
        let is_own = position.next().asks(seat);
        if position.play(&text).is_err() {
            break;
        }
        line.push(text);
        if is_own {
            break;
        }
    }
    if board.can_branch() { line.join(" ") } else { line.pop().unwrap_or_default() }
}

impl Command for QueueCommand {
    of_player!(guests);

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
        let waits = board.plans[seat.index()].as_ref().map(|plan| plan.from);
        if let (None, Some(given)) = (&self.text, given.filter(|given| waits != Some(*given))) {
            return Err(BoardRefusal::Stale { board: *id, given, due }.into());
        }
        if let Some(text) = &self.text {
            if given.is_none() && board.position().next().asks(seat) {
                return turn::play_move(world, board, seat, text, cx);
            }
            check_spelling(board, text).map_err(|error| {
                // A move of the opponent shows the notation.
                let example = board.position().first_move();
                let choice = LegalMoves { board: Some(*id), example, ..LegalMoves::default() };
                turn::move_refusal(text, error, choice)
            })?;
        }
        let text = self.text.clone();
        let from = moveno.unwrap_or(due);
        let plan = text.clone().map(|text| Plan::single(from, text, moveno.is_none()));
        let answer = BoardNotice::Queued { board: *id, seat, text, moveno: *moveno };
        let event = Event::Board(*id, BoardEvent::Planned { seat, plan });
        Ok(Decision { events: vec![event], answer: answer.into() })
    }
}
