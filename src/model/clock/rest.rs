//! Rests: the days of the week and the hours of the night at which a user's clocks stop.

use crate::base::stored_as_words;
use crate::base::time::{DAY, Day, HOUR, MINUTE, Span, Time, WEEK, WEEKDAYS, days, find_name};
use crate::base::zone::{LocalTime, Zone};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// The most days of rest in a week.
pub const MOST_DAYS: usize = 2;

/// The longest night.
pub const LONGEST_NIGHT: Span = Span::times(10, HOUR);

/// The most rests that are remembered. They change at most once a week.
const MOST_REMEMBERED: usize = 64;

/// The regular rest of a user from a time on, until their next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// When it begins to count.
    pub since: Time,
    /// The zone of its days and hours.
    pub zone: Zone,
    /// The days of the week.
    #[serde(default, skip_serializing_if = "Weekdays::is_empty")]
    pub days: Weekdays,
    /// The night.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub night: Option<Night>,
}

/// Days of the week. Stored as `sat sun`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Weekdays([bool; 7]);

/// The hours of a night, to the minute. Stored as `22:00-07:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Night {
    /// The time of day at which it begins.
    from: Span,
    /// The time of day at which it ends, on the next day if it is not later.
    to: Span,
}

/// A time during which the state of a clock does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Whether the clock stops.
    pub(super) is_off: bool,
    /// When the state may change.
    pub(super) until: Time,
}

impl Rest {
    /// Returns whether it stops no clock.
    pub fn is_empty(&self) -> bool {
        self.days.is_empty() && self.night.is_none()
    }

    /// Returns the stretch that begins at a time.
    pub(super) fn stretch(&self, at: Time) -> Stretch {
        let LocalTime { day, time } = self.zone.local(at);
        let is_off_day = |ahead: i64| self.days.has(day.plus(ahead));
        // The first day after today that is off, or that is not.
        let first = |is_off: bool| (1..=7).find(|ahead| is_off_day(*ahead) == is_off);
        let midnight = |ahead: i64| days(ahead) - time;
        let (is_off, left) = if is_off_day(0) {
            (true, midnight(first(false).unwrap_or(7)))
        } else {
            let off_day = midnight(first(true).unwrap_or(7));
            match self.night {
                Some(night) if night.has(time) => (true, night.to_end(time)),
                Some(night) => (false, night.to_start(time).min(off_day)),
                None => (false, off_day),
            }
        };
        let until = at + left;
        Stretch { is_off, until: self.zone.next_offset(at, until).unwrap_or(until) }
    }
}

/// Returns the rests after a user has chosen another one. It counts at once, unless the user has
/// chosen one within a week: otherwise they could move the weekend ahead of the clock for ever.
/// Within an hour of a choice another one corrects it.
pub fn change_rest(rests: &[Rest], new: Rest) -> Vec<Rest> {
    let now = new.since;
    let mut all: Vec<Rest> = rests.iter().copied().filter(|one| one.since <= now).collect();
    let corrected = all.pop_if(|last| now < last.since + HOUR);
    let since = match (corrected, all.last()) {
        (Some(corrected), _) => corrected.since,
        (None, Some(last)) => now.max(last.since + WEEK),
        (None, None) => now,
    };
    let is_change = all.last().map_or(!new.is_empty(), |last| !last.is_like(&new));
    if is_change {
        all.push(Rest { since, ..new });
    }
    let surplus = all.len().saturating_sub(MOST_REMEMBERED);
    all.split_off(surplus)
}

impl Rest {
    /// Returns whether two rests differ only in their beginning.
    fn is_like(&self, other: &Self) -> bool {
        let both_empty = self.is_empty() && other.is_empty();
        both_empty || Self { since: other.since, ..*self } == *other
    }
}

impl Weekdays {
    /// Saturday and Sunday.
    pub const WEEKEND: Self = Self([false, false, false, false, false, true, true]);

    /// Returns whether it contains no day.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the number of days.
    pub fn count(self) -> usize {
        self.0.iter().filter(|is_off| **is_off).count()
    }

    /// Returns whether it contains this day.
    pub fn has(self, day: Day) -> bool {
        self.0[day.weekday()]
    }

    /// Parses names of days, at least three letters of each, in any order.
    pub fn parse(words: &str) -> Option<Self> {
        let mut days = Self::default();
        for word in words.split([' ', ',', '+', '/', '&']).filter(|word| !word.is_empty()) {
            let word = word.trim_end_matches(['.', 's']).to_ascii_lowercase();
            match &*word {
                "and" => {}
                "weekend" => days = Self(std::array::from_fn(|at| days.0[at] || at >= 5)),
                _ => days.0[find_name(&WEEKDAYS, &word)?] = true,
            }
        }
        Some(days).filter(|days| !days.is_empty())
    }

    /// Returns the names of the days.
    pub fn names(self) -> Vec<&'static str> {
        WEEKDAYS
            .into_iter()
            .zip(self.0)
            .filter(|(_, is_off)| *is_off)
            .map(|(name, _)| name)
            .collect()
    }
}

impl TryFrom<String> for Weekdays {
    type Error = String;

    fn try_from(words: String) -> Result<Self, String> {
        Self::parse(&words).ok_or_else(|| format!("`{words}` are no days such as `sat sun`"))
    }
}

impl From<Weekdays> for String {
    fn from(days: Weekdays) -> Self {
        let short: Vec<String> =
            days.names().iter().map(|name| name[..3].to_ascii_lowercase()).collect();
        short.join(" ")
    }
}

impl Night {
    /// Parses the hours of a night: `22:00-07:00`, `22-7`, `10pm to 7am`.
    pub fn parse(words: &str) -> Option<Self> {
        let words = words.to_ascii_lowercase().replace(['\u{2013}', '\u{2014}'], "-");
        let words = words.replace(" to ", "-").replace(" until ", "-");
        // Two fields of a form: `22:00 07:00`.
        let gap = if words.contains('-') { "" } else { "-" };
        let words = words.trim().replace(' ', gap);
        let (from, to) = words.split_once('-')?;
        let (from, to) = (time_of_day(from)?, time_of_day(to)?);
        (from != to).then_some(Self { from, to })
    }

    /// Returns its length on a day without a change of clocks.
    pub fn length(self) -> Span {
        if self.from < self.to { self.to - self.from } else { self.to + DAY - self.from }
    }

    /// Returns whether it contains a time of day.
    fn has(self, time: Span) -> bool {
        if self.from < self.to {
            self.from <= time && time < self.to
        } else {
            self.from <= time || time < self.to
        }
    }

    /// Returns the time from a time of day to its next start.
    fn to_start(self, time: Span) -> Span {
        if time < self.from { self.from - time } else { self.from + DAY - time }
    }

    /// Returns the time from a time of day to its next end.
    fn to_end(self, time: Span) -> Span {
        if time < self.to { self.to - time } else { self.to + DAY - time }
    }
}

/// Parses a time of day: `22`, `22:30`, `10pm`, `22h`.
fn time_of_day(word: &str) -> Option<Span> {
    let pm = word.strip_suffix("pm");
    let half = pm.or_else(|| word.strip_suffix("am"));
    let plain = half.unwrap_or(word).trim_end_matches('h');
    let (hour, minute) = plain.split_once([':', '.', 'h']).unwrap_or((plain, "0"));
    let (hour, minute) = (hour.parse::<u8>().ok()?, minute.parse::<u8>().ok()?);
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(_) => hour % 12 + if pm.is_some() { 12 } else { 0 },
        None => hour,
    };
    let is_time = hour < 24 && minute < 60 || (hour, minute) == (24, 0);
    is_time.then(|| i64::from(hour % 24) * HOUR + i64::from(minute) * MINUTE)
}

impl Display for Night {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |time: Span| (time.hours(), time.minutes() % 60);
        let ((from, from_minute), (to, to_minute)) = (part(self.from), part(self.to));
        write!(f, "{from:02}:{from_minute:02}-{to:02}:{to_minute:02}")
    }
}

stored_as_words!(Night, Night::parse, "is no night such as `22:00-07:00`");
