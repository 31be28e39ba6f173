//! Counted time: the time of a period outside a player's vacations and rests.

use super::rest::{Rest, Stretch};
use super::vacation::Vacation;
use crate::base::time::{Span, Time};

/// The times at which a player's clocks stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeOff<'a> {
    /// The vacations, in order.
    pub vacations: &'a [Vacation],
    /// The rests, in the order of their beginnings.
    pub rests: &'a [Rest],
}

/// The times between which rests count: the years 2001 to 2099. A document may contain any time, and
/// the stretches of a rest are walked one by one.
const CALENDAR: [Time; 2] = [Time::from_unix(978_307_200), Time::from_unix(4_102_444_800)];

impl TimeOff<'_> {
    /// Returns whether the clocks are stopped at a time.
    pub fn has(&self, at: Time) -> bool {
        self.stretch(at).is_off
    }

    /// Returns the rest that counts at a time.
    pub fn rest_at(&self, at: Time) -> Option<Rest> {
        self.rests.iter().rev().find(|rest| rest.since <= at).copied()
    }

    /// Returns the stretch that begins at a time: it ends where the state may change.
    fn stretch(&self, at: Time) -> Stretch {
        let mut until = Time::NEVER;
        // The zone of a vacation is looked up only if the days are near.
        let is_over = |one: &&Vacation| one.to.plus(2).start() <= at;
        for one in self.vacations.iter().filter(|one| !is_over(one)) {
            let start = one.start();
            if at < start {
                until = until.min(start);
            } else if at < one.end() {
                return Stretch { is_off: true, until: one.end() };
            }
        }
        let next = self.rests.iter().find(|rest| rest.since > at);
        until = next.map_or(until, |next| until.min(next.since));
        let Some(rest) = self.rest_at(at).filter(|rest| !rest.is_empty()) else {
            return Stretch { is_off: false, until };
        };
        let [first, last] = CALENDAR;
        if at < first || last <= at {
            let until = if at < first { until.min(first) } else { until };
            return Stretch { is_off: false, until };
        }
        let stretch = rest.stretch(at);
        Stretch { until: until.min(stretch.until), ..stretch }
    }
}

/// Returns the time of a period outside the time off; zero if `until` is before `from`.
pub fn counted_time(from: Time, until: Time, off: TimeOff) -> Span {
    let (mut at, mut counted) = (from, Span::ZERO);
    while at < until {
        let stretch = off.stretch(at);
        let end = stretch.until.min(until);
        if !stretch.is_off {
            counted += end - at;
        }
        at = end;
    }
    counted
}

/// Returns the time at which `span` has passed outside the time off. It is not within the time off,
/// but may be the start of some.
pub fn add_counted_time(from: Time, span: Span, off: TimeOff) -> Time {
    let (mut at, mut left) = (from, span);
    loop {
        let stretch = off.stretch(at);
        let length = stretch.until - at;
        if !stretch.is_off {
            if left <= length || stretch.until == Time::NEVER {
                return at + left;
            }
            left -= length;
        }
        at = stretch.until;
    }
}
