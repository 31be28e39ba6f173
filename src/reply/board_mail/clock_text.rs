//! Words about time: clocks, reminders, vacations, and what an end did to the ratings.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::{Day, Span, Time, days};
use crate::base::words::Plural;
use crate::model::board::Board;
use crate::model::clock::{AwaitedAction, Clock, ClockTurn, Vacation, vacation_at};
use crate::model::rating::RatingChange;
use crate::model::world::World;
use crate::reply::board_mail::questions;
use crate::reply::letters::blocks::{Block, TextElement};
use games::Seat;
use std::fmt::Write as _;

/// The facts about a board's time; of one that is over, what it did to the ratings.
pub(crate) fn describe(world: &World, board: &Board, now: Time) -> Option<String> {
    if let Some(effects) = &board.rated {
        return Some(rated(board, effects));
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

/// How long the player of a seat has left, if the board waits for them.
pub(crate) fn left(world: &World, board: &Board, seat: Seat, now: Time) -> Option<String> {
    let (left, until) = time_left(world, board, seat, now)?;
    Some(format!("Time left: {left}, until {until}."))
}

/// The same in parts: how long, and until which day.
pub(crate) fn time_left(
    world: &World,
    board: &Board,
    seat: Seat,
    now: Time,
) -> Option<(String, Day)> {
    let turn = world.clock(board, now).turn.filter(|turn| turn.seat == seat)?;
    Some((span((turn.end - now).or_zero()), turn.end.day()))
}

/// When a draw that is offered counts as agreed, if it does unless it is answered.
pub(crate) fn agreed(world: &World, board: &Board, now: Time) -> Option<Day> {
    let turn = world.clock(board, now).turn?;
    matches!(turn.wanted, AwaitedAction::Answer(_)).then(|| turn.end.day())
}

fn rated(board: &Board, effects: &[RatingChange; 2]) -> String {
    let of = |seat: Seat| {
        let RatingChange { before, after } = effects[seat.index()];
        let (old, new) = (before.rating.points(), after.rating.points());
        format!("{} {new} ({:+})", board.player(seat), new - old)
    };
    format!("Ratings: {}, {}.", of(Seat(0)), of(Seat(1)))
}

/// A length of time, in hours for the first two days.
pub(crate) fn span(span: Span) -> String {
    let (number, unit) = if span < days(2) { (span.hours(), "hour") } else { (span.days(), "day") };
    Plural(usize::try_from(number).unwrap_or(0), unit).to_string()
}

/// The first words to players who let a board wait.
pub(crate) fn reminder(world: &World, id: BoardId, now: Time) -> [Block; 2] {
    let board = world.board(id).expect("its player is reminded");
    let turn = world.clock(board, now).turn.expect("somebody is reminded to move");
    let opponent = board.player(turn.seat.other());
    if let AwaitedAction::Answer(since) = turn.wanted {
        let text = format!(
            "{opponent} has been waiting for your answer since {}: a draw is offered to you. If \
             you neither answer nor move, it counts as accepted on {}.",
            since.day(),
            turn.end.day()
        );
        return reminding(text, board.player(turn.seat));
    }
    let end = if board.has_moved(turn.seat) {
        "the game is lost"
    } else {
        "the board is closed without a result"
    };
    let since = board.waits_since().day();
    let waits = match questions::to_answer(board, turn.seat) {
        Some(_) => {
            let asked = questions::asked(board, &world.view(board, turn.seat)).unwrap_or_default();
            format!("{asked} {opponent} has been waiting for your answer since {since}.")
        }
        None => format!("{opponent} has been waiting for your move since {since}."),
    };
    let text = format!("{waits} If there is none, {end} on {}.", turn.end.day());
    reminding(text, board.player(turn.seat))
}

/// The words of a reminder, and how its reader gets rid of such mails.
fn reminding(text: String, user: &UserId) -> [Block; 2] {
    let stop = format!("To get no reminders, send `set {user} <password> reminders off`.");
    [Block::heading(text), Block::sentence(stop)]
}

/// What has become of a user's vacations: those that are taken back, and those that are left.
pub(crate) fn vacations(
    user: &UserId,
    today: Day,
    left: &[Vacation],
    cancelled: &[Vacation],
) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !cancelled.is_empty() {
        let first = "You have taken back these days of vacation:";
        blocks.extend([Block::sentence(first), listed(cancelled)]);
    }
    let Some(last) = left.last() else {
        blocks.push(Block::sentence(format!("{user} has no vacation now; clocks run.")));
        return blocks;
    };
    blocks.extend([Block::sentence("Your vacations, first and last day:"), listed(left)]);
    let until = if left.len() == 1 && last.from <= today {
        format!("Until the end of {} your clocks stop", last.to)
    } else {
        "On these days your clocks stop".into()
    };
    let off = if left.iter().all(|one| one.to <= today) {
        ".".into()
    } else if let [one] = left {
        let off = if one.has(today) { "ends it today" } else { "takes it back" };
        format!(". `vacation {user} <password> off` {off}.")
    } else {
        let day = last.from;
        format!(
            ". `vacation {user} <password> off` ends them all, `vacation {user} <password> off \
             {day}` only the one that has this day."
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
