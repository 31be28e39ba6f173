//! Clocks: how long a board has waited, for which player, and what happens when.
//!
//! A clock has no state of its own. It is folded from a board's record, whose lines have their
//! times, and from its players' vacations.

mod terms;
#[cfg(test)]
mod tests;
mod vacation;

pub use terms::{BoardTerms, TurnReminders};
pub use vacation::{VACATION, Vacation, after, counted, ended, overdrawn, vacation_at, with};

use crate::base::time::{DAY, Span, Time, days};
use crate::model::board::{Board, Proposal, RewindRecord};
use games::Seat;

/// How much time the players of a board have used, and what happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// How long the board has waited for each seat, this turn included.
    pub used: [Span; 2],
    /// The turn that is running, if the board is not over.
    pub turn: Option<ClockTurn>,
}

/// Which seat a board waits for, and what happens when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTurn {
    /// Whose it is.
    pub seat: Seat,
    /// The player's task.
    pub wanted: AwaitedAction,
    /// When the next reminder is due, if there is one before the end.
    pub nag: Option<Time>,
    /// When the game ends, forfeited or as a draw.
    pub end: Time,
}

/// What a board waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitedAction {
    /// A move.
    Move,
    /// An answer to a draw that was offered at that time. None is consent.
    Answer(Time),
}

/// What has to be done on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DueAction {
    /// Nothing yet.
    Nothing,
    /// That seat must be reminded.
    Nag(Seat),
    /// That seat's time is up.
    Forfeit(Seat),
    /// That seat has left a draw unanswered for so long that it is agreed.
    Draw(Seat),
}

impl Clock {
    /// The clocks of a board, with the vacations of its players, seat 0's first.
    ///
    /// A clock of the machine that was set back, or far ahead, does no harm: no time of the record
    /// is taken to be before an earlier one, nor after now.
    pub fn read(board: &Board, vacations: [&[Vacation]; 2], now: Time) -> Self {
        let end = board.ended_at().map_or(now, |end| end.min(now));
        let (mut used, waits_for, at) = waited(board, board.record.len(), vacations, end);
        let Some(seat) = waits_for else { return Self { used, turn: None } };
        let off = vacations[seat.index()];
        let before = used[seat.index()];
        used[seat.index()] += counted(at, end, off);
        let turn = (!board.is_over()).then(|| turn(board, seat, at, before, vacations, now));
        Self { used, turn }
    }

    /// What has to be done now.
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

    /// When the board has to be looked at again.
    pub fn wakeup(&self) -> Time {
        self.turn.map_or(Time::NEVER, |turn| turn.nag.map_or(turn.end, |nag| nag.min(turn.end)))
    }
}

/// How long a board had waited for each seat when its record had so many entries; the seat that
/// it waits for then; and since when, which is not after `end`.
pub fn waited(
    board: &Board,
    entries: usize,
    vacations: [&[Vacation]; 2],
    end: Time,
) -> ([Span; 2], Option<Seat>, Time) {
    let (mut used, mut waits_for, mut at, mut behind) =
        ([Span::ZERO; 2], board.begins(), board.started, 0);
    // Time used before moves were taken back stays used.
    if let Some(RewindRecord { at: then, entries, used: until, .. }) = board.rewound {
        let last = board.record[..entries].last();
        (used, at, behind) = (until, then, entries);
        waits_for = last.map_or(waits_for, |line| line.waits_for);
    }
    at = at.min(end);
    for line in board.record[..entries].iter().skip(behind) {
        let next = line.at.clamp(at, end.max(at));
        if let Some(seat) = waits_for {
            used[seat.index()] += counted(at, next, vacations[seat.index()]);
        }
        (at, waits_for) = (next, line.waits_for);
    }
    (used, waits_for, at)
}

/// What follows from a turn that began at a given time. If a draw was offered, by the player to
/// move or to them, before their time was up, and is still open, the board waits for the answer to
/// it.
fn turn(
    board: &Board,
    seat: Seat,
    at: Time,
    before: Span,
    vacations: [&[Vacation]; 2],
    now: Time,
) -> ClockTurn {
    let terms = &board.terms;
    let off = vacations[seat.index()];
    let left = terms.total.map_or(Span::MAX, |total| (agreed(total) - before).or_zero());
    let left = left.min(agreed(terms.forfeit));
    let up = after(at, left, off);
    let draw = board.offer.filter(|offer| offer.what == Proposal::Draw).and_then(|offer| {
        let since = offer.at.clamp(at, now.max(at));
        let asked = offer.by.other();
        // A player who never moved has not taken the challenge, and agrees to nothing by silence.
        (since < up && board.has_moved(asked)).then_some((since, asked, offer.nags))
    });
    let (seat, wanted, (nag, end)) = match draw {
        None => (seat, AwaitedAction::Move, waiting(terms, at, left, board.nags, off, now)),
        Some((since, asked, nags)) => {
            let off = vacations[asked.index()];
            let long = agreed(terms.forfeit);
            let wanted = AwaitedAction::Answer(since);
            (asked, wanted, waiting(terms, since, long, nags, off, now))
        }
    };
    ClockTurn { seat, wanted, nag, end }
}

/// A board has waited for a player since a given time: when the next reminder is due, and when the
/// wait ends, which is that much later. The wait does not end while the player should have had a
/// reminder and has not, because the server was not running. Nor does it end within a day of the
/// first reminder, if the player had as much as a day.
fn waiting(
    terms: &BoardTerms,
    since: Time,
    left: Span,
    nags: Option<TurnReminders>,
    off: &[Vacation],
    now: Time,
) -> (Option<Time>, Time) {
    // A late step is due now, but not in a vacation.
    let due = |time: Time| if time <= now { after(now, Span::ZERO, off) } else { time };
    let first = after(since, agreed(terms.nag).min((left - DAY).or_zero()), off);
    let sent = nags.filter(|nags| nags.first >= since && nags.count(now));
    let next = sent.map_or(first, |nags| first.max(after(nags.last, DAY, off)));
    let warned = sent.map_or_else(|| due(first), |nags| nags.first);
    // A player whose time was up while nobody could tell them still has a day.
    let notice = if left == Span::ZERO { DAY } else { left.min(DAY) };
    let end = due(after(since, left, off).max(after(warned, notice, off)));
    let nag = Some(due(next)).filter(|nag| *nag < end);
    (nag, end)
}

/// The time that players agreed on: so many days.
fn agreed(count: u32) -> Span {
    days(i64::from(count))
}
