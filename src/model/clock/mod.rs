//! Clocks: the time that each player has used, reminders, and deadlines.
//!
//! A clock has no state of its own. It is computed from the times in a board's record and from the
//! players' vacations.

mod terms;
#[cfg(test)]
mod tests;
mod vacation;

pub use terms::{BoardTerms, TurnReminders};
pub use vacation::{
    VACATION, Vacation, add_counted_time, add_vacation, counted_time, end_vacations,
    overdrawn_year, vacation_at,
};

use crate::base::time::{DAY, Span, Time, days};
use crate::model::board::{Board, Proposal, RewindRecord};
use games::Seat;

/// The clocks of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time that the board has waited for each seat, the current turn included.
    pub used: [Span; 2],
    /// The current turn, if the board is not over.
    pub turn: Option<ClockTurn>,
}

/// The current turn of a board, with its deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTurn {
    /// The seat that the board waits for.
    pub seat: Seat,
    /// The action that the board waits for.
    pub wanted: AwaitedAction,
    /// When the next reminder is due, if one is due before the end.
    pub nag: Option<Time>,
    /// When the game is forfeited, or the draw is agreed.
    pub end: Time,
}

/// The action that a board waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitedAction {
    /// A move.
    Move,
    /// An answer to a draw offered at this time. Silence is consent.
    Answer(Time),
}

/// The action that the server must take on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DueAction {
    /// None.
    Nothing,
    /// Remind this seat.
    Nag(Seat),
    /// End the game, because this seat ran out of time.
    Forfeit(Seat),
    /// End the game as a draw, because this seat left the offer unanswered.
    Draw(Seat),
}

impl Clock {
    /// Computes the clocks of a board. `vacations` are those of the players, seat 0 first.
    ///
    /// A machine clock that was set back or far ahead does no harm: each time of the record counts
    /// as no earlier than the time before it, and no later than now.
    pub fn read(board: &Board, vacations: [&[Vacation]; 2], now: Time) -> Self {
        let end = board.ended_at().map_or(now, |end| end.min(now));
        let WaitingTimes { mut used, waits_for, since: at } =
            waiting_times(board, board.record.len(), vacations, end);
        let Some(seat) = waits_for else { return Self { used, turn: None } };
        let away = vacations[seat.index()];
        let before = used[seat.index()];
        used[seat.index()] += counted_time(at, end, away);
        let turn =
            (!board.is_over()).then(|| current_turn(board, seat, at, before, vacations, now));
        Self { used, turn }
    }

    /// Returns the action that is due now.
    pub fn due(&self, now: Time) -> DueAction {
        match self.turn {
            Some(ClockTurn { seat, wanted, end, .. }) if end <= now => match wanted {
                AwaitedAction::Move => DueAction::Forfeit(seat),
                AwaitedAction::Answer(_) => DueAction::Draw(seat),
            },
            Some(ClockTurn { seat, nag: Some(nag), .. }) if nag <= now => DueAction::Nag(seat),
            _ => DueAction::Nothing,
        }
    }

    /// Returns when the board must be checked again.
    pub fn wakeup(&self) -> Time {
        self.turn.map_or(Time::NEVER, |turn| turn.nag.map_or(turn.end, |nag| nag.min(turn.end)))
    }
}

/// The time that a board waited for each seat, and its current wait.
#[derive(Clone, Copy, Debug)]
pub struct WaitingTimes {
    /// The time that the board has waited for each seat, without the current wait.
    pub used: [Span; 2],
    /// The seat that the board waits for.
    pub waits_for: Option<Seat>,
    /// When the current wait began.
    pub since: Time,
}

/// Computes the waiting times up to the first `entries` entries of the record, none of them after
/// `end`.
pub fn waiting_times(
    board: &Board,
    entries: usize,
    vacations: [&[Vacation]; 2],
    end: Time,
) -> WaitingTimes {
    let (mut used, mut waits_for, mut at, mut behind) =
        ([Span::ZERO; 2], board.begins(), board.started, 0);
    // The time used before moves were taken back still counts.
    if let Some(RewindRecord { at: then, entries, used: until, .. }) = board.rewound {
        let last = board.record[..entries].last();
        (used, at, behind) = (until, then, entries);
        waits_for = last.map_or(waits_for, |line| line.waits_for);
    }
    at = at.min(end);
    for line in board.record[..entries].iter().skip(behind) {
        let next = line.at.clamp(at, end.max(at));
        if let Some(seat) = waits_for {
            used[seat.index()] += counted_time(at, next, vacations[seat.index()]);
        }
        (at, waits_for) = (next, line.waits_for);
    }
    WaitingTimes { used, waits_for, since: at }
}

/// Returns the turn that began at `at`. The board waits for the answer to a draw if it was offered
/// before the player to move ran out of time and is still open.
fn current_turn(
    board: &Board,
    seat: Seat,
    at: Time,
    before: Span,
    vacations: [&[Vacation]; 2],
    now: Time,
) -> ClockTurn {
    let terms = &board.terms;
    let away = vacations[seat.index()];
    let left = terms.total.map_or(Span::MAX, |total| (span_of(total) - before).or_zero());
    let left = left.min(span_of(terms.forfeit));
    let up = add_counted_time(at, left, away);
    let draw = board.offer.filter(|offer| offer.what == Proposal::Draw).and_then(|offer| {
        let since = offer.at.clamp(at, now.max(at));
        let asked = offer.by.other();
        // A player who has never moved has not accepted the challenge, so silence is no consent.
        (since < up && board.has_moved(asked)).then_some((since, asked, offer.nags))
    });
    let (seat, wanted, deadline) = match draw {
        None => (seat, AwaitedAction::Move, deadline(terms, at, left, board.nags, away, now)),
        Some((since, asked, nags)) => {
            let away = vacations[asked.index()];
            let long = span_of(terms.forfeit);
            let wanted = AwaitedAction::Answer(since);
            (asked, wanted, deadline(terms, since, long, nags, away, now))
        }
    };
    ClockTurn { seat, wanted, nag: deadline.nag, end: deadline.end }
}

/// The next reminder and the end of a wait.
struct Deadline {
    nag: Option<Time>,
    end: Time,
}

/// Returns the next reminder and the deadline of a wait that began at `since`, with `left` time.
/// The deadline moves back until the player has had a reminder, which may be late because the
/// server was down; and it leaves a day after the first reminder, if `left` was as much as a day.
fn deadline(
    terms: &BoardTerms,
    since: Time,
    left: Span,
    nags: Option<TurnReminders>,
    away: &[Vacation],
    now: Time,
) -> Deadline {
    // A late action is due now, but not during a vacation.
    let due = |time: Time| if time <= now { add_counted_time(now, Span::ZERO, away) } else { time };
    let first = add_counted_time(since, span_of(terms.nag).min((left - DAY).or_zero()), away);
    let sent = nags.filter(|nags| nags.first >= since && nags.count(now));
    let next = sent.map_or(first, |nags| first.max(add_counted_time(nags.last, DAY, away)));
    let warned = sent.map_or_else(|| due(first), |nags| nags.first);
    // A player who ran out of time before any reminder still gets a day.
    let notice = if left == Span::ZERO { DAY } else { left.min(DAY) };
    let end = due(add_counted_time(since, left, away).max(add_counted_time(warned, notice, away)));
    let nag = Some(due(next)).filter(|nag| *nag < end);
    Deadline { nag, end }
}

/// Converts agreed days to a time span.
fn span_of(count: u32) -> Span {
    days(i64::from(count))
}
