//! Sentences about time: clocks, reminders, vacations, and the change of ratings at the end.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::{Day, Span, Time, days};
use crate::base::words::Plural;
use crate::model::board::Board;
use crate::model::clock::{AwaitedAction, Clock, ClockTurn, Vacation, vacation_at};
use crate::model::rating::RatingChange;
use crate::model::world::World;
use crate::reply::board_mail::questions;
use crate::reply::letters::{Block, TextElement};
use games::Seat;
use std::fmt::Write as _;

/// Returns the state of a board's clock, or the new ratings where the game is over.
pub(crate) fn describe(world: &World, board: &Board, now: Time) -> Option<String> {
    if let Some(effects) = &board.rated {
        return Some(new_ratings(board, effects));
    }
    let clock = world.clock(board, now);
    let turn = clock.turn?;
    let mut text = running(board, &clock, turn);
    let off = vacation_at(now, world.vacations(board)[turn.seat.index()]);
    if let Some(vacation) = off {
        let _ = write!(text, " {} is on vacation until {}.", board.player(turn.seat), vacation.to);
    }
    Some(text)
}

fn running(board: &Board, clock: &Clock, turn: ClockTurn) -> String {
    let used = |seat: Seat| format!("{} {}", board.player(seat), span(clock.used[seat.index()]));
    let of = board.terms.total.map(|total| {
        let days = Plural(usize::try_from(total).unwrap_or(usize::MAX), "day");
        format!(" of {days} each")
    });
    let nag = turn.nag.map(|nag| format!("reminder {}, ", nag.day()));
    let end = match turn.wanted {
        AwaitedAction::Move => "forfeit",
        AwaitedAction::Answer(_) => "draw",
    };
    format!(
        "Clock: {}, {}{}; {}{end} {}.",
        used(Seat(0)),
        used(Seat(1)),
        of.unwrap_or_default(),
        nag.unwrap_or_default(),
        turn.end.day()
    )
}

/// Returns the time left of a player, as a sentence, if it is their turn.
pub(crate) fn left(world: &World, board: &Board, seat: Seat, now: Time) -> Option<String> {
    let (left, until) = time_left(world, board, seat, now)?;
    Some(format!("Time left: {left}, until {until}."))
}

/// Returns the time left of a player and the day when it ends, if it is their turn.
pub(crate) fn time_left(
    world: &World,
    board: &Board,
    seat: Seat,
    now: Time,
) -> Option<(String, Day)> {
    let turn = world.clock(board, now).turn.filter(|turn| turn.seat == seat)?;
    Some((span((turn.end - now).or_zero()), turn.end.day()))
}

/// Returns the day when an unanswered draw offer counts as accepted.
pub(crate) fn draw_deadline(world: &World, board: &Board, now: Time) -> Option<Day> {
    let turn = world.clock(board, now).turn?;
    matches!(turn.wanted, AwaitedAction::Answer(_)).then(|| turn.end.day())
}

fn new_ratings(board: &Board, effects: &[RatingChange; 2]) -> String {
    let of = |seat: Seat| {
        let RatingChange { before, after } = effects[seat.index()];
        let (old, new) = (before.rating.points(), after.rating.points());
        format!("{} {new} ({:+})", board.player(seat), new - old)
    };
    format!("Ratings: {}, {}.", of(Seat(0)), of(Seat(1)))
}

/// Returns a duration: in hours below two days, else in days.
pub(crate) fn span(span: Span) -> String {
    let (number, unit) = if span < days(2) { (span.hours(), "hour") } else { (span.days(), "day") };
    Plural(usize::try_from(number).unwrap_or(0), unit).to_string()
}

/// Builds the beginning of a reminder to the player whose turn it is.
pub(crate) fn reminder(world: &World, id: BoardId, now: Time) -> [Block; 2] {
    let board = world.board(id).expect("its player is reminded");
    let turn = world.clock(board, now).turn.expect("somebody is reminded to move");
    let opponent = board.player(turn.seat.other());
    if let AwaitedAction::Answer(since) = turn.wanted {
        let text = format!(
            "{opponent} has offered you a draw and has been waiting for your answer since {}. If \
             you neither answer nor move, the draw counts as accepted on {}.",
            since.day(),
            turn.end.day()
        );
        return with_opt_out(text, board.player(turn.seat));
    }
    let end = if board.has_moved(turn.seat) {
        "you lose"
    } else {
        "the board is closed without a result"
    };
    let since = board.waits_since().day();
    let (waits, act) = match questions::to_answer(board, turn.seat) {
        Some(_) => {
            let asked = questions::asked(board, &world.view(board, turn.seat)).unwrap_or_default();
            let waits =
                format!("{asked} {opponent} has been waiting for your answer since {since}.");
            (waits, "answered")
        }
        None => (format!("{opponent} has been waiting for your move since {since}."), "moved"),
    };
    let text = format!("{waits} If you have not {act} by {}, {end}.", turn.end.day());
    with_opt_out(text, board.player(turn.seat))
}

/// Returns a reminder with the command that turns reminders off.
fn with_opt_out(text: String, user: &UserId) -> [Block; 2] {
    let stop = format!("To turn reminders off, send `set {user} <password> reminders off`.");
    [Block::heading(text), Block::sentence(stop)]
}

/// Builds the answer about a user's vacations: the cancelled ones and the current and planned ones.
pub(crate) fn vacations(
    user: &UserId,
    today: Day,
    left: &[Vacation],
    cancelled: &[Vacation],
) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !cancelled.is_empty() {
        let first = "You have cancelled these vacations, first and last day:";
        blocks.extend([Block::sentence(first), listed(cancelled)]);
    }
    let Some(last) = left.last() else {
        blocks.push(Block::sentence("You have no vacation. Your clocks are running."));
        return blocks;
    };
    blocks.extend([Block::sentence("Your vacations, first and last day:"), listed(left)]);
    let until = if left.len() == 1 && last.from <= today {
        format!("Until the end of {} your clocks are stopped", last.to)
    } else {
        "On these days your clocks are stopped".into()
    };
    let off = if left.iter().all(|one| one.to <= today) {
        ".".into()
    } else if let [one] = left {
        let off = if one.has(today) { "ends it today" } else { "cancels it" };
        format!(". `vacation {user} <password> off` {off}.")
    } else {
        let day = last.from;
        format!(
            ". `vacation {user} <password> off` cancels them all, `vacation {user} <password> off \
             {day}` only the one that includes this day."
        )
    };
    let rest = format!(
        "{until}: you get no reminders and cannot lose on time. Your opponents see it on their \
         boards{off}"
    );
    blocks.push(Block::sentence(rest));
    blocks
}

fn listed(vacations: &[Vacation]) -> Block {
    let day = |one: &Vacation| TextElement::Command(format!("{} {}", one.from, one.to));
    Block::Text(vacations.iter().map(day).collect())
}
