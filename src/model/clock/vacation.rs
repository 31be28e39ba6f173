//! Days of vacation, on which no clock of a user runs.

use super::DAY;
use chrono::{DateTime, NaiveDate};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// Days of vacation that a user may have in a calendar year.
pub const VACATION: i64 = 60;

/// A day of UTC, counted from 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(pub(super) i64);

impl Day {
    /// The day of a time.
    pub fn of(at: i64) -> Self {
        Self(at.div_euclid(DAY))
    }

    /// The day that a date such as `2004-09-01` names.
    pub fn parse(word: &str) -> Option<Self> {
        let date: NaiveDate = word.parse().ok()?;
        Some(Self::of(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp()))
    }

    /// When it begins, Unix seconds.
    pub fn start(self) -> i64 {
        self.0.saturating_mul(DAY)
    }

    /// The day that many days later.
    #[must_use]
    pub fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Its year.
    fn year(self) -> i32 {
        use chrono::Datelike as _;
        DateTime::from_timestamp(self.start(), 0).map_or(0, |time| time.year())
    }
}

impl Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = DateTime::from_timestamp(self.start(), 0).unwrap_or_default();
        write!(f, "{}", time.format("%Y-%m-%d"))
    }
}

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Self::parse(&word).ok_or_else(|| format!("`{word}` is no date such as 2004-09-01"))
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

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
    fn start(&self) -> i64 {
        self.from.start()
    }

    pub(super) fn end(&self) -> i64 {
        self.to.plus(1).start()
    }
}

/// The vacation that goes on at a time.
pub fn vacation_at(at: i64, vacations: &[Vacation]) -> Option<Vacation> {
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

/// Vacations once the one under way has ended with that day; if none is under way, without those to
/// come.
pub fn ended(vacations: &[Vacation], today: Day) -> Vec<Vacation> {
    let goes_on = |one: &Vacation| one.from <= today && one.to >= today;
    if vacations.iter().any(goes_on) {
        let cut = |one: &Vacation| if goes_on(one) { Vacation { to: today, ..*one } } else { *one };
        return vacations.iter().map(cut).collect();
    }
    vacations.iter().copied().filter(|one| one.from <= today).collect()
}

/// The first year in which there are more days of vacation than a user may have.
pub fn overdrawn(vacations: &[Vacation]) -> Option<i32> {
    let (first, last) = (vacations.first()?.from.year(), vacations.last()?.to.year());
    (first..=last).find(|year| {
        let day = |year: i32| Day::parse(&format!("{year:04}-01-01"));
        let (Some(begins), Some(ends)) = (day(*year), day(year + 1)) else { return true };
        let days = |one: &Vacation| one.to.plus(1).min(ends).0 - one.from.max(begins).0;
        vacations.iter().map(|one| days(one).max(0)).sum::<i64>() > VACATION
    })
}

/// The seconds between two times that lie in no vacation; none if the second is the earlier one.
pub fn counted(from: i64, until: i64, vacations: &[Vacation]) -> i64 {
    let off = vacations.iter().map(|one| (one.end().min(until) - one.start().max(from)).max(0));
    (until.saturating_sub(from).max(0) - off.sum::<i64>()).max(0)
}

/// When that many seconds have been counted; a time in no vacation, unless one begins right then.
pub fn after(from: i64, seconds: i64, vacations: &[Vacation]) -> i64 {
    let (mut at, mut left) = (from, seconds);
    for one in vacations.iter().filter(|one| one.end() > from) {
        let before = (one.start() - at).max(0);
        if left < before || (left == before && left > 0) {
            break;
        }
        left -= before;
        at = one.end();
    }
    at.saturating_add(left)
}
