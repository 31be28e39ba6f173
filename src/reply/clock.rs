//! What is said of time: clocks, reminders, vacations, and what an end did to the ratings.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::{Count, wrapped};
use crate::model::board::Board;
use crate::model::clock::{Clock, DAY, Day, Turn, Vacation, Wanted, vacation_at};
use crate::model::rating::Effect;
use crate::model::world::World;
use games::Seat;
use std::fmt::Write as _;

/// The facts about a board's time; of one that is over, what it did to the ratings.
pub(super) fn of(world: &World, board: &Board, now: i64) -> String {
    if let Some(effects) = &board.rated {
        return wrapped(&rated(board, effects)) + "\n";
    }
    let clock = world.clock(board, now);
    let Some(turn) = clock.turn else { return String::new() };
    let mut text = running(board, &clock, turn);
    let off = vacation_at(now, world.vacations(board)[turn.seat.index()]);
    if let Some(vacation) = off {
        let _ = write!(text, " {} is on vacation until {}.", board.player(turn.seat), vacation.to);
    }
    wrapped(&text) + "\n"
}

fn running(board: &Board, clock: &Clock, turn: Turn) -> String {
    let used = |seat: Seat| format!("{} {}", board.player(seat), span(clock.used[seat.index()]));
    let of = board.terms.total.map(|total| {
        let days = Count(usize::try_from(total).unwrap_or(usize::MAX), "day");
        format!(" of {days} each")
    });
    let nag = turn.nag.map(|nag| format!("reminder {}, ", Day::of(nag)));
    let end = match turn.wanted {
        Wanted::Move => "forfeit",
        Wanted::Answer(_) => "draw",
    };
    format!(
        "Clock: {}, {}{}; {}{end} {}.",
        used(Seat(0)),
        used(Seat(1)),
        of.unwrap_or_default(),
        nag.unwrap_or_default(),
        Day::of(turn.end)
    )
}

/// How long the player of a seat has left, if the board waits for him.
pub(super) fn left(world: &World, board: &Board, seat: Seat, now: i64) -> Option<String> {
    let turn = world.clock(board, now).turn.filter(|turn| turn.seat == seat)?;
    Some(format!("Time left: {}, until {}.", span((turn.end - now).max(0)), Day::of(turn.end)))
}

/// When a draw that is offered counts as agreed, if it does unless it is answered.
pub(super) fn agreed(world: &World, board: &Board, now: i64) -> Option<Day> {
    let turn = world.clock(board, now).turn?;
    matches!(turn.wanted, Wanted::Answer(_)).then(|| Day::of(turn.end))
}

fn rated(board: &Board, effects: &[Effect; 2]) -> String {
    let of = |seat: Seat| {
        let Effect { before, after } = effects[seat.index()];
        let (old, new) = (before.rating.points(), after.rating.points());
        format!("{} {new} ({:+})", board.player(seat), new - old)
    };
    format!("Ratings: {}, {}.", of(Seat(0)), of(Seat(1)))
}

/// A length of time, in hours for the first two days.
pub(super) fn span(seconds: i64) -> String {
    let (number, unit) =
        if seconds < 2 * DAY { (seconds / 3600, "hour") } else { (seconds / DAY, "day") };
    Count(usize::try_from(number).unwrap_or(0), unit).to_string()
}

/// What whoever lets a board wait is told first.
pub(super) fn reminder(world: &World, id: BoardId, now: i64) -> String {
    let board = world.board(id).expect("its player is reminded");
    let turn = world.clock(board, now).turn.expect("somebody is reminded to move");
    let opponent = board.player(turn.seat.other());
    if let Wanted::Answer(since) = turn.wanted {
        let text = wrapped(&format!(
            "{opponent} has been waiting for your answer since {}: a draw is offered to you. If \
             you neither answer nor move, it counts as accepted on {}.",
            Day::of(since),
            Day::of(turn.end)
        ));
        return text + &how_to_stop(board.player(turn.seat));
    }
    let end = if board.has_moved(turn.seat) {
        "the game is lost"
    } else {
        "the board is closed without a result"
    };
    let text = wrapped(&format!(
        "{opponent} has been waiting for your move since {}. If there is none, {end} on {}.",
        Day::of(board.waits_since()),
        Day::of(turn.end)
    ));
    text + &how_to_stop(board.player(turn.seat))
}

/// How a player gets rid of reminders, as a paragraph behind another.
fn how_to_stop(user: &UserId) -> String {
    let text = format!("To get no reminders, send `set {user} <password> reminders off`.");
    format!("\n\n{}", wrapped(&text))
}

/// Which vacations that were announced will not be.
pub(super) fn cancelled(cancelled: &[Vacation]) -> String {
    if cancelled.is_empty() {
        return String::new();
    }
    let days: Vec<String> =
        cancelled.iter().map(|one| format!("  {} {}\n", one.from, one.to)).collect();
    format!("You were not on vacation yet. These days are taken back:\n\n{}\n", days.concat())
}

/// Which vacations a user has now.
pub(super) fn rested(user: &UserId, today: Day, left: &[Vacation]) -> String {
    let Some(last) = left.last() else {
        return format!("{user} has no vacation now; clocks run.\n");
    };
    let mut text = String::from("Your vacations, first and last day:\n\n");
    for one in left {
        let _ = writeln!(text, "  {} {}", one.from, one.to);
    }
    let until = if left.len() == 1 && last.from <= today {
        format!("Until the end of {} your clocks stop", last.to)
    } else {
        "On these days your clocks stop".into()
    };
    let off = if left.iter().any(|one| one.from <= today) {
        "ends the one that goes on with today"
    } else {
        "takes them back"
    };
    let rest = format!(
        "{until}: you get no reminders and cannot lose on time. Your opponents see it on their \
         boards. `vacation {user} <password> off` {off}."
    );
    let _ = write!(text, "\n{}\n", wrapped(&rest));
    text
}
