//! Sentences about time: clocks, reminders, vacations, and the change of ratings at the end.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::{Day, Span, Time, days};
use crate::base::words::Plural;
use crate::model::board::Board;
use crate::model::clock::{AwaitedAction, Clock, ClockTurn, Vacation, vacation_at};
use crate::model::rating::{MIN_DECISIONS, RatingChange};
use crate::model::user::AutomaticVacation;
use crate::model::world::World;
use crate::reply::answers::times::rest_words;
use crate::reply::board_mail::names::board_name;
use crate::reply::board_mail::questions;
use crate::reply::letters::{Block, TextElement};
use crate::reply::local_time::ReaderClock;
use games::Seat;
use std::fmt::Write as _;

/// Returns the state of a board's clock as a user reads it, or the new ratings where the game is over.
pub(crate) fn describe(
    world: &World,
    board: &Board,
    reader: Option<&UserId>,
    now: Time,
) -> Option<String> {
    if let Some(effects) = &board.rated {
        return Some(new_ratings(board, effects));
    }
    let clock = world.clock(board, now);
    let turn = clock.turn?;
    let mut text = running(board, &clock, turn, ReaderClock::of(world, reader, now));
    let player = board.player(turn.seat);
    let off = world.time_off(board)[turn.seat.index()];
    if let Some(vacation) = vacation_at(now, off.vacations) {
        let _ = write!(text, " {player} is on vacation until {}.", vacation.to);
    }
    if let Some(rest) = off.rest_at(now).filter(|rest| !rest.is_empty()) {
        let is_own = reader == Some(player);
        let whose = if is_own { "Your".into() } else { format!("{player}'s") };
        let _ = write!(text, " {whose} clock stops {}.", rest_words(rest, is_own));
    }
    Some(text)
}

fn running(board: &Board, clock: &Clock, turn: ClockTurn, reader: ReaderClock) -> String {
    let used = |seat: Seat| {
        let player = board.player(seat);
        match clock.banks {
            Some(banks) => format!("{player} {} left", span(banks[seat.index()])),
            None => format!("{player} {}", span(clock.used[seat.index()])),
        }
    };
    let of = board.terms.total_days.map(|total| {
        let days = Plural(usize::try_from(total).unwrap_or(usize::MAX), "day");
        format!(" of {days} each")
    });
    let nag = turn.nag.map(|nag| format!("reminder {}, ", reader.moment(nag)));
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
        reader.deadline(turn.end)
    )
}

/// Returns the time left of a player, as a sentence, if it is their turn.
pub(crate) fn time_left_sentence(
    world: &World,
    board: &Board,
    seat: Seat,
    now: Time,
) -> Option<String> {
    let (left, until) = time_left(world, board, seat, now)?;
    Some(format!("Time left: {left}, until {until}."))
}

/// Returns the time left of a player and when it ends, if it is their turn.
pub(crate) fn time_left(
    world: &World,
    board: &Board,
    seat: Seat,
    now: Time,
) -> Option<(String, String)> {
    let turn = world.clock(board, now).turn.filter(|turn| turn.seat == seat)?;
    let reader = ReaderClock::of(world, Some(board.player(seat)), now);
    Some((span((turn.end - now).or_zero()), reader.deadline(turn.end)))
}

/// Returns when an unanswered draw offer counts as accepted, as the player of a seat reads it.
pub(crate) fn draw_deadline(world: &World, board: &Board, seat: Seat, now: Time) -> Option<String> {
    let turn = world.clock(board, now).turn?;
    let reader = ReaderClock::of(world, Some(board.player(seat)), now);
    matches!(turn.wanted, AwaitedAction::Answer(_)).then(|| reader.deadline(turn.end))
}

fn new_ratings(board: &Board, effects: &[RatingChange; 2]) -> String {
    if let Some(why) = too_short(effects) {
        return why;
    }
    let of = |seat: Seat| {
        let change = &effects[seat.index()];
        let counts =
            if change.share > 1 { format!(", counts 1/{}", change.share) } else { String::new() };
        let (player, points) = (board.player(seat), change.after.marked_points());
        format!("{player} {points} ({:+}{counts})", change.points())
    };
    format!("Ratings: {}, {}.", of(Seat(0)), of(Seat(1)))
}

/// Returns why a board changed no ratings, if it was too short.
pub(crate) fn too_short(effects: &[RatingChange; 2]) -> Option<String> {
    let is_short = effects.iter().all(|change| change.share == 0);
    is_short.then(|| {
        format!(
            "The ratings stay as they are: a game counts from {MIN_DECISIONS} moves of each player."
        )
    })
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
    let reader = ReaderClock::of(world, Some(board.player(turn.seat)), now);
    if let AwaitedAction::Answer(since) = turn.wanted {
        let text = format!(
            "{opponent} has offered you a draw and has been waiting for your answer since {}. If \
             you neither answer nor move, the draw counts as accepted on {}.",
            reader.day(since),
            reader.deadline(turn.end)
        );
        return with_opt_out(text, board.player(turn.seat));
    }
    let end = match (board.has_moved(turn.seat), board.tournament) {
        _ if board.is_of_ladder => "you lose",
        (true, _) => "you lose",
        (false, Some(_)) => "you lose the game in the tournament",
        (false, None) => "the board is closed without a result",
    };
    let since = reader.day(board.waits_since());
    let (waits, act) = match questions::to_answer(board, turn.seat) {
        Some(_) => {
            let asked = questions::asked(board, &world.view(board, turn.seat)).unwrap_or_default();
            let waits =
                format!("{asked} {opponent} has been waiting for your answer since {since}.");
            (waits, "answered")
        }
        None => (format!("{opponent} has been waiting for your move since {since}."), "moved"),
    };
    let text = format!("{waits} If you have not {act} by {}, {end}.", reader.deadline(turn.end));
    with_opt_out(text, board.player(turn.seat))
}

/// Returns a reminder with the command that turns reminders off.
fn with_opt_out(text: String, user: &UserId) -> [Block; 2] {
    let stop = format!("To turn reminders off, send `set {user} <password> reminders off`.");
    [Block::heading(text), Block::sentence(stop)]
}

/// Builds the beginning of the mail to a player for whom a day of vacation was taken.
pub(crate) fn vacation_began(
    world: &World,
    id: BoardId,
    seat: Seat,
    begun: &AutomaticVacation,
) -> [Block; 3] {
    let board = world.board(id).expect("its player is told");
    let user = board.player(seat);
    let AutomaticVacation { today, left, .. } = begun;
    let first = format!(
        "You are on vacation, so that you do not lose {} on time: {today} was taken for you.",
        board_name(board)
    );
    let left = match left {
        0 => "It is your last day of this year: move today, or you lose.".to_owned(),
        left => {
            let days = Plural(usize::try_from(*left).unwrap_or(0), "day");
            format!(
                "If you do not move, another day is taken for you each day; {days} of this year are \
                 left."
            )
        }
    };
    let stop = format!(
        "Your clocks are stopped on all boards, and you can move all the same. To have no days \
         taken for you, send `set {user} <password> autovacation off`."
    );
    [Block::heading(first), Block::sentence(left), Block::sentence(stop)]
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
