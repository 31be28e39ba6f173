//! Vacations: days on which a user's clocks stop.

use crate::base::time::{Day, Span, Time, days};
use serde::{Deserialize, Serialize};

/// The most vacation of a user in a calendar year.
pub const VACATION: Span = days(60);

/// A vacation, first and last day included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vacation {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
}

impl Vacation {
    /// Returns whether the vacation contains a day.
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

/// Returns the vacation that contains a time.
pub fn vacation_at(at: Time, vacations: &[Vacation]) -> Option<Vacation> {
    vacations.iter().copied().find(|one| one.start() <= at && at < one.end())
}

/// Adds a vacation, keeping the order and joining vacations that meet or overlap.
pub fn add_vacation(vacations: &[Vacation], new: Vacation) -> Vec<Vacation> {
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

/// Cuts the days after `today` off all vacations, or off the one that contains `of`.
pub fn end_vacations(vacations: &[Vacation], of: Option<Day>, today: Day) -> Vec<Vacation> {
    let is_meant = |one: &Vacation| of.is_none_or(|day| one.has(day));
    let cut = |one: &Vacation| Vacation { to: one.to.min(today), ..*one };
    let left = |one: &Vacation| if is_meant(one) { cut(one) } else { *one };
    vacations.iter().map(left).filter(|one| one.from <= one.to).collect()
}

/// Returns the first year with more vacation than allowed.
pub fn overdrawn_year(vacations: &[Vacation]) -> Option<i32> {
    let (first, last) = (vacations.first()?.from.year(), vacations.last()?.to.year());
    (first..=last).find(|year| {
        let start = |year: i32| Some(Day::parse(&format!("{year:04}-01-01"))?.start());
        let (Some(begins), Some(ends)) = (start(*year), start(year + 1)) else { return true };
        within(vacations, begins, ends) > VACATION
    })
}

/// Returns how much of a period is vacation.
fn within(vacations: &[Vacation], from: Time, until: Time) -> Span {
    vacations.iter().map(|one| (one.end().min(until) - one.start().max(from)).or_zero()).sum()
}

/// Returns the time of a period outside vacations; zero if `until` is before `from`.
pub fn counted_time(from: Time, until: Time, vacations: &[Vacation]) -> Span {
    ((until - from).or_zero() - within(vacations, from, until)).or_zero()
}

/// Returns the time at which `span` has passed outside vacations. It is not within a vacation, but
/// may be the start of one.
pub fn add_counted_time(from: Time, span: Span, vacations: &[Vacation]) -> Time {
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
