//! Days of vacation, on which no clock of a user runs.

use crate::base::time::{Day, Span, Time, days};
use serde::{Deserialize, Serialize};

/// How much vacation a user may have in a calendar year.
pub const VACATION: Span = days(60);

/// Days on which a user's clocks do not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vacation {
    /// The first of them.
    pub from: Day,
    /// The last of them.
    pub to: Day,
}

impl Vacation {
    /// Whether a day is one of its days.
    pub fn has(&self, day: Day) -> bool {
        self.from <= day && day <= self.to
    }

    fn start(&self) -> Time {
        self.from.start()
    }

    pub(super) fn end(&self) -> Time {
        self.to.plus(1).start()
    }
}

/// The vacation that goes on at a time.
pub fn vacation_at(at: Time, vacations: &[Vacation]) -> Option<Vacation> {
    vacations.iter().copied().find(|one| one.start() <= at && at < one.end())
}

/// Vacations with one more, in order; those that meet or overlap are one.
pub fn with(vacations: &[Vacation], new: Vacation) -> Vec<Vacation> {
    let mut all: Vec<Vacation> = vacations.iter().copied().chain([new]).collect();
    all.sort_by_key(|one| one.from);
    let mut joined: Vec<Vacation> = Vec::with_capacity(all.len());
    for one in all {
        match joined.last_mut() {
            Some(last) if one.from <= last.to.plus(1) => last.to = last.to.max(one.to),
            _ => joined.push(one),
        }
    }
    joined
}

/// Returns the vacations without the days after `today`, of all of them or of the one that has a
/// certain day.
pub fn ended(vacations: &[Vacation], of: Option<Day>, today: Day) -> Vec<Vacation> {
    let is_meant = |one: &Vacation| of.is_none_or(|day| one.has(day));
    let cut = |one: &Vacation| Vacation { to: one.to.min(today), ..*one };
    let left = |one: &Vacation| if is_meant(one) { cut(one) } else { *one };
    vacations.iter().map(left).filter(|one| one.from <= one.to).collect()
}

/// The first year in which there is more vacation than a user may have.
pub fn overdrawn(vacations: &[Vacation]) -> Option<i32> {
    let (first, last) = (vacations.first()?.from.year(), vacations.last()?.to.year());
    (first..=last).find(|year| {
        let start = |year: i32| Some(Day::parse(&format!("{year:04}-01-01"))?.start());
        let (Some(begins), Some(ends)) = (start(*year), start(year + 1)) else { return true };
        within(vacations, begins, ends) > VACATION
    })
}

/// How much of the time between two times lies in vacations.
fn within(vacations: &[Vacation], from: Time, until: Time) -> Span {
    vacations.iter().map(|one| (one.end().min(until) - one.start().max(from)).or_zero()).sum()
}

/// The time between two times that lies in no vacation; none if the second is the earlier one.
pub fn counted(from: Time, until: Time, vacations: &[Vacation]) -> Span {
    ((until - from).or_zero() - within(vacations, from, until)).or_zero()
}

/// When that much time has been counted; in no vacation, unless one begins right then.
pub fn after(from: Time, span: Span, vacations: &[Vacation]) -> Time {
    let (mut at, mut left) = (from, span);
    for one in vacations.iter().filter(|one| one.end() > from) {
        let before = (one.start() - at).or_zero();
        if left < before || (left == before && left > Span::ZERO) {
            break;
        }
        left -= before;
        at = one.end();
    }
    at + left
}
