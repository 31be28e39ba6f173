//! Clocks: the time that each player has used, reminders, and deadlines.
//!
//! A clock has no state of its own. It is computed from the times in a board's record and from the
//! players' vacations and rests.

mod rest;
mod terms;
#[cfg(test)]
mod tests;
mod time_off;
#[cfg(test)]
mod time_off_tests;
mod vacation;

pub use rest::{LONGEST_NIGHT, MOST_DAYS, Night, Rest, Weekdays, change_rest};
pub use terms::{Bank, BoardTerms, Gift, TurnReminders};
pub use time_off::{TimeOff, add_counted_time, counted_time};
pub use vacation::{
    VACATION, Vacation, add_vacation, days_in_year, end_vacations, overdrawn_year, prolong,
    vacation_at,
};

use crate::base::time::{DAY, Span, Time, days, hours};
use crate::model::board::{Board, Proposal, RecordLine, RewindRecord};
use games::Seat;

/// The clocks of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time that the board has waited for each seat, the current turn included.
    pub used: [Span; 2],
    /// The time that each seat has in its bank, on a board with banks.
    pub banks: Option<[Span; 2]>,
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
    /// Computes the clocks of a board. `off` is the time off of the players, seat 0 first.
    ///
    /// A machine clock that was set back or far ahead does no harm: each time of the record counts
    /// as no earlier than the time before it, and no later than now.
    pub fn read(board: &Board, off: [TimeOff; 2], now: Time) -> Self {
        let end = board.ended_at().map_or(now, |end| end.min(now));
        let before = waiting_times(board, board.record.len(), off, end);
        let WaitingTimes { mut used, mut banks, waits_for, since } = before;
        let Some(seat) = waits_for else { return Self { used, banks, turn: None } };
        let waited = counted_time(since, end, off[seat.index()]);
        used[seat.index()] += waited;
        if let Some(banks) = &mut banks {
            let bank = &mut banks[seat.index()];
            *bank = (*bank - waited).or_zero();
        }
        let turn = (!board.is_over()).then(|| current_turn(board, seat, &before, off, now));
        Self { used, banks, turn }
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
    /// The time that each seat had in its bank when the current wait began, with what it was given
    /// since; `None` on a board without banks.
    pub banks: Option<[Span; 2]>,
    /// The seat that the board waits for.
    pub waits_for: Option<Seat>,
    /// When the current wait began.
    pub since: Time,
}

/// Computes the waiting times up to the first `entries` entries of the record, none of them after
/// `end`.
pub fn waiting_times(board: &Board, entries: usize, off: [TimeOff; 2], end: Time) -> WaitingTimes {
    let (mut used, mut waits_for, mut at, mut behind) =
        ([Span::ZERO; 2], board.first_to_decide(), board.started, 0);
    let mut banks = Banks::at_start(board);
    // The time used before moves were taken back still counts.
    if let Some(RewindRecord { at: then, entries, used: until, banks: left, .. }) = board.rewound {
        let last = board.record[..entries].last();
        (used, at, behind) = (until, then, entries);
        waits_for = last.map_or(waits_for, |line| line.waits_for);
        banks.restart(then, left);
    }
    at = at.min(end);
    for line in board.record[..entries].iter().skip(behind) {
        let next = line.at.clamp(at, end.max(at));
        if let Some(seat) = waits_for {
            let waited = counted_time(at, next, off[seat.index()]);
            used[seat.index()] += waited;
            banks.spend(seat, waited, line, next);
        }
        (at, waits_for) = (next, line.waits_for);
    }
    banks.receive(end);
    let banks = board.terms.bank.map(|_| banks.left);
    WaitingTimes { used, banks, waits_for, since: at }
}

/// The banks of a board while its record is read.
struct Banks<'a> {
    terms: Bank,
    left: [Span; 2],
    /// The gifts that are not in the banks yet, oldest first.
    gifts: &'a [Gift],
}

impl<'a> Banks<'a> {
    fn at_start(board: &'a Board) -> Self {
        let terms = board.terms.bank.unwrap_or_default();
        Self { terms, left: [span_of(terms.start_days); 2], gifts: &board.gifts }
    }

    /// Goes on with what was left when the record was shortened.
    fn restart(&mut self, at: Time, left: Option<[Span; 2]>) {
        self.receive(at);
        self.left = left.unwrap_or(self.left);
    }

    /// Adds the gifts up to a time.
    fn receive(&mut self, until: Time) {
        while let [gift, rest @ ..] = self.gifts
            && gift.at <= until
        {
            self.left[gift.to().index()] += span_of(gift.days);
            self.gifts = rest;
        }
    }

    /// Takes the time that a seat has used from its bank, and adds the increment after a decision.
    /// A bank above its cap, because of a gift, gets no increment.
    fn spend(&mut self, seat: Seat, waited: Span, line: &RecordLine, at: Time) {
        self.receive(at);
        let bank = &mut self.left[seat.index()];
        *bank = (*bank - waited).or_zero();
        if line.entry.is_decision_of(seat) && line.waits_for != Some(seat) {
            let cap = span_of(self.terms.cap_days).max(*bank);
            *bank = (*bank + hours(i64::from(self.terms.increment_hours))).min(cap);
        }
    }
}

/// Returns the turn that began at `before.since`. The board waits for the answer to a draw if it was
/// offered before the player to move ran out of time and is still open.
fn current_turn(
    board: &Board,
    seat: Seat,
    before: &WaitingTimes,
    off: [TimeOff; 2],
    now: Time,
) -> ClockTurn {
    let terms = &board.terms;
    let at = before.since;
    let away = off[seat.index()];
    let left = time_of_turn(board, seat, before);
    let runs_out_at = add_counted_time(at, left, away);
    let draw = board.offer.filter(|offer| offer.what == Proposal::Draw).and_then(|offer| {
        let since = offer.at.clamp(at, now.max(at));
        let asked = offer.by.other();
        // A player who has never moved has not accepted the challenge, so silence is no consent.
        (since < runs_out_at && board.has_moved(asked)).then_some((since, asked, offer.nags))
    });
    let (seat, wanted, deadline) = match draw {
        None => (seat, AwaitedAction::Move, deadline(terms, at, left, board.nags, away, now)),
        Some((since, asked, nags)) => {
            let away = off[asked.index()];
            let long = span_of(terms.turn());
            let wanted = AwaitedAction::Answer(since);
            (asked, wanted, deadline(terms, since, long, nags, away, now))
        }
    };
    ClockTurn { seat, wanted, nag: deadline.nag, end: deadline.end }
}

/// Returns the time that a seat has for the turn that began at `before.since`: the least of its limits.
fn time_of_turn(board: &Board, seat: Seat, before: &WaitingTimes) -> Span {
    let terms = &board.terms;
    let given = |since: Time| {
        let gifts = board.gifts.iter().filter(|gift| gift.to() == seat && gift.at >= since);
        gifts.map(|gift| span_of(gift.days)).sum::<Span>()
    };
    let of_all = terms
        .total_days
        .map(|total| (span_of(total) + given(Time::EPOCH) - before.used[seat.index()]).or_zero());
    let of_bank = before.banks.map(|banks| banks[seat.index()]);
    let of_turn = span_of(terms.forfeit_days) + given(before.since);
    [of_all, of_bank].into_iter().flatten().fold(of_turn, Span::min)
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
    away: TimeOff,
    now: Time,
) -> Deadline {
    // A late action is due now, but not during a vacation.
    let due = |time: Time| if time <= now { add_counted_time(now, Span::ZERO, away) } else { time };
    let first = add_counted_time(since, span_of(terms.nag_days).min((left - DAY).or_zero()), away);
    let sent = nags.filter(|nags| nags.first >= since && nags.are_plausible(now));
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
