//! Vacations: days on which a user's clocks stop.

use crate::base::time::{Day, Span, Time, days};
use crate::base::zone::Zone;
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
    /// The zone in which the days begin and end; without one it is UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
}

impl Vacation {
    /// Returns whether the vacation contains a day.
    pub fn has(&self, day: Day) -> bool {
        self.from <= day && day <= self.to
    }

    pub(super) fn start(&self) -> Time {
        self.zone.map_or_else(|| self.from.start(), |zone| zone.start_of(self.from))
    }

    pub(super) fn end(&self) -> Time {
        let end = self.to.plus(1);
        self.zone.map_or_else(|| end.start(), |zone| zone.start_of(end))
    }

    /// Returns the number of its days within a year.
    fn days_in(&self, year: i32) -> i64 {
        let first = |year: i32| Day::of(year, 1, 1);
        let (Some(begins), Some(ends)) = (first(year), first(year + 1)) else { return i64::MAX };
        let length = self.to.plus(1).min(ends).start() - self.from.max(begins).start();
        length.or_zero().days()
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
            Some(last) if one.from <= last.to.plus(1) && one.zone == last.zone => {
                last.to = last.to.max(one.to);
            }
            // The user has moved to another zone: the earlier vacation ends first.
            Some(last) if one.to <= last.to => {}
            Some(last) => {
                let from = one.from.max(last.to.plus(1));
                joined.push(Vacation { from, ..one });
            }
            None => joined.push(one),
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
    // Of a vacation of many years at most two are looked at: the second one is overdrawn.
    let years = vacations.iter().flat_map(|one| one.from.year()..=one.to.year());
    let mut last = None;
    let mut years = years.filter(|year| last.replace(*year) != Some(*year));
    years.find(|year| days_in_year(vacations, *year) > VACATION.days())
}

/// Returns the days of vacation in a year.
pub fn days_in_year(vacations: &[Vacation], year: i32) -> i64 {
    vacations.iter().map(|one| one.days_in(year)).fold(0, i64::saturating_add)
}

/// Returns the vacations with `today`, which is taken for a user who would lose on time; `None` if
/// that would be more than a year allows.
pub fn prolong(vacations: &[Vacation], today: Day, zone: Option<Zone>) -> Option<Vec<Vacation>> {
    let longer = add_vacation(vacations, Vacation { from: today, to: today, zone });
    (longer != vacations && overdrawn_year(&longer).is_none()).then_some(longer)
}
