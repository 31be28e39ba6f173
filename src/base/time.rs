//! Points in time, durations, days and months.
//!
//! All arithmetic saturates, since a document may contain any number. All times are UTC, so
//! daylight saving does not exist here.

use super::stored_as_words;
use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};
use std::time::{Duration, SystemTime};

/// One minute.
pub const MINUTE: Span = minutes(1);
/// One hour.
pub const HOUR: Span = hours(1);
/// One day.
pub const DAY: Span = days(1);
/// Seven days.
pub const WEEK: Span = days(7);

/// A point in time, to the second. Stored as Unix seconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(i64);

/// A duration, to the second. May be negative. Stored as seconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Span(i64);

/// Returns a span of `count` seconds.
pub const fn seconds(count: i64) -> Span {
    Span(count)
}

/// Returns a span of `count` minutes.
pub const fn minutes(count: i64) -> Span {
    Span(count.saturating_mul(60))
}

/// Returns a span of `count` hours.
pub const fn hours(count: i64) -> Span {
    minutes(count.saturating_mul(60))
}

/// Returns a span of `count` days.
pub const fn days(count: i64) -> Span {
    hours(count.saturating_mul(24))
}

impl Time {
    /// The start of Unix time, also the default where a file has no time.
    pub const EPOCH: Self = Self(0);

    /// A time that never comes.
    pub const NEVER: Self = Self(i64::MAX);

    /// Returns the time at these Unix seconds.
    pub const fn from_unix(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Parses the digits in the name of a file.
    pub fn from_digits(word: &str) -> Option<Self> {
        word.parse().ok().map(Self)
    }

    /// Returns twelve digits for the beginning of a file name.
    pub fn digits(self) -> String {
        format!("{:012}", self.0.clamp(0, 999_999_999_999))
    }

    /// Returns the Unix seconds.
    pub const fn unix(self) -> i64 {
        self.0
    }

    /// Returns its day.
    pub const fn day(self) -> Day {
        Day(self.0.div_euclid(DAY.0))
    }

    /// Returns its month. January 1970 for times outside the calendar.
    pub fn month(self) -> Month {
        let month = |date: DateTime<Utc>| {
            date.year() * 12 + i32::try_from(date.month0()).expect("there are twelve months")
        };
        Month(self.date().map_or(1970 * 12, month))
    }

    /// Formats as RFC 3339: `2004-09-01T12:00:00Z`.
    pub fn stamp(self) -> String {
        self.written("%Y-%m-%dT%H:%M:%SZ")
    }

    /// Formats for mail headers: `Wed, 01 Sep 2004 12:00:00 +0000`.
    pub fn rfc2822(self) -> String {
        self.written("%a, %d %b %Y %H:%M:%S +0000")
    }

    /// Formats to the minute: `2004-09-01 12:00`.
    pub fn minute(self) -> String {
        self.written("%Y-%m-%d %H:%M")
    }

    /// Formats with `chrono`. A time outside the calendar becomes a number.
    fn written(self, format: &str) -> String {
        self.date().map_or_else(|| self.0.to_string(), |date| date.format(format).to_string())
    }

    fn date(self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(self.0, 0)
    }
}

/// Ten minutes of the clock, under which wakeups are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimeSlot(i64);

impl TimeSlot {
    const LENGTH: Span = minutes(10);

    /// Returns the slot of a time.
    pub const fn of(time: Time) -> Self {
        Self(time.0.div_euclid(Self::LENGTH.0))
    }

    /// Returns the first second.
    pub fn start(self) -> Time {
        Time::EPOCH + self.0 * Self::LENGTH
    }

    /// Returns the first second after it.
    pub fn end(self) -> Time {
        self.start() + Self::LENGTH
    }

    /// Parses a name.
    pub fn parse(name: &str) -> Option<Self> {
        let slot = Self::of(Time::from_digits(name)?);
        (slot.to_string() == name).then_some(slot)
    }
}

/// Names the slot by the digits of its first second.
impl Display for TimeSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.start().digits())
    }
}

/// Formats to the second: `2004-09-01 12:00:00`.
impl Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written("%Y-%m-%d %H:%M:%S"))
    }
}

/// Converts the machine's clock. Times before 1970 become 1970.
impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }
}

/// Converts to a time that a mail header can contain: years 1970 to 9999.
impl From<Time> for SystemTime {
    fn from(time: Time) -> Self {
        let seconds = u64::try_from(time.0).unwrap_or(0).min(253_402_300_799);
        Self::UNIX_EPOCH + Duration::from_secs(seconds)
    }
}

/// Negative spans become zero.
impl From<Span> for Duration {
    fn from(span: Span) -> Self {
        Self::from_secs(u64::try_from(span.0).unwrap_or(0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// The longest span.
    pub const MAX: Self = Self(i64::MAX);

    /// Returns `count * span`, also in constants.
    pub const fn times(count: i64, span: Self) -> Self {
        Self(span.0.saturating_mul(count))
    }

    /// Returns its seconds.
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// Returns its whole minutes.
    pub const fn minutes(self) -> i64 {
        self.0 / MINUTE.0
    }

    /// Returns its whole hours.
    pub const fn hours(self) -> i64 {
        self.0 / HOUR.0
    }

    /// Returns its whole days.
    pub const fn days(self) -> i64 {
        self.0 / DAY.0
    }

    /// Returns the absolute value.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// Returns zero for a negative span.
    #[must_use]
    pub fn or_zero(self) -> Self {
        self.max(Self::ZERO)
    }
}

impl Add<Span> for Time {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Time {
    type Output = Self;

    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Sub for Time {
    type Output = Span;

    fn sub(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Span {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<Span> for i64 {
    type Output = Span;

    fn mul(self, span: Span) -> Span {
        Span(self.saturating_mul(span.0))
    }
}

impl Sum for Span {
    fn sum<I: Iterator<Item = Self>>(spans: I) -> Self {
        spans.fold(Self::ZERO, Add::add)
    }
}

/// A day of UTC, counted from 1970. Stored as `2004-09-01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(i64);

/// The names of the days of a week.
pub const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Finds a name by its beginning of at least three letters. Returns its index.
pub fn find_name(names: &[&str], word: &str) -> Option<usize> {
    let begins = |name: &&str| {
        name.get(..word.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(word))
    };
    names.iter().position(begins).filter(|_| word.len() >= 3)
}

impl Day {
    /// Parses a date such as `2004-09-01`.
    pub fn parse(word: &str) -> Option<Self> {
        Self::from_date(word.parse().ok()?)
    }

    /// Returns the day of a date, with month and day counted from 1. None if there is no such date.
    pub fn of(year: i32, month: u32, day: u32) -> Option<Self> {
        Self::from_date(NaiveDate::from_ymd_opt(year, month, day)?)
    }

    fn from_date(date: NaiveDate) -> Option<Self> {
        Some(Time(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp()).day())
    }

    /// Returns its first second.
    pub fn start(self) -> Time {
        Time::EPOCH + days(self.0)
    }

    /// Returns the day `days` later.
    #[must_use]
    pub const fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Returns its year.
    pub fn year(self) -> i32 {
        self.start().date().map_or(0, |date| date.year())
    }

    /// Returns its month, 1 for January.
    pub fn month(self) -> u32 {
        self.start().date().map_or(0, |date| date.month())
    }

    /// Returns its day of the month, from 1.
    pub fn of_month(self) -> u32 {
        self.start().date().map_or(0, |date| date.day())
    }

    /// Returns the days since Monday, 0 to 6.
    pub fn weekday(self) -> usize {
        self.start().date().map_or(0, |date| date.weekday().num_days_from_monday() as usize)
    }
}

impl Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start().date().unwrap_or_default().format("%Y-%m-%d"))
    }
}

stored_as_words!(Day, Day::parse, "is no date such as 2004-09-01");

/// A month of UTC, counted from year 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Month(i32);

impl Month {
    /// Parses a month such as `2004-09`.
    pub fn parse(name: &str) -> Option<Self> {
        let (year, number) = name.split_once('-')?;
        let year = year.parse::<i32>().ok()?.checked_mul(12)?;
        let month = Self(year.checked_add(number.parse().ok()?)?.checked_sub(1)?);
        (month.to_string() == name).then_some(month)
    }

    /// Returns the previous month.
    #[must_use]
    pub const fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Returns the months from `self` back to `earliest`.
    pub fn back_to(self, earliest: Self) -> impl Iterator<Item = Self> {
        (earliest.0..=self.0).rev().map(Self)
    }
}

/// Formats as `2004-09`.
impl Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.div_euclid(12), self.0.rem_euclid(12) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Noon of 21 November 2026.
    const NOON: Time = Time::from_unix(1_795_262_400);

    #[test]
    fn a_time_is_a_number_of_a_file_and_a_date_of_a_calendar() {
        assert_eq!(serde_json::to_string(&NOON).unwrap(), "1795262400");
        assert_eq!(serde_json::from_str::<Time>("1795262400").unwrap(), NOON);
        assert_eq!(serde_json::to_string(&hours(2)).unwrap(), "7200");
        assert_eq!(
            (NOON.digits(), Time::from_digits("001795262400")),
            ("001795262400".into(), Some(NOON))
        );
        assert_eq!(NOON.to_string(), "2026-11-21 12:00:00");
        assert_eq!(NOON.stamp(), "2026-11-21T12:00:00Z");
        assert_eq!(NOON.minute(), "2026-11-21 12:00");
        assert_eq!((NOON - NOON.day().start()).hours(), 12);
        assert_eq!(Day::parse("2026-11-21"), Some(NOON.day()));
        assert_eq!(Time::NEVER.to_string(), i64::MAX.to_string());
        assert_eq!(Time::from(SystemTime::from(NOON)), NOON);
        assert_eq!(SystemTime::from(NOON - 99_999 * DAY), SystemTime::UNIX_EPOCH);
    }

    #[test]
    fn days_and_months_are_named_as_they_are_read() {
        let eve = Day::parse("2004-12-31").unwrap();
        assert_eq!(eve.plus(1).to_string(), "2005-01-01");
        assert_eq!((eve.year(), eve.plus(1).year()), (2004, 2005));
        assert_eq!((Time::EPOCH - seconds(1)).day().to_string(), "1969-12-31");
        let month = eve.start().month();
        assert_eq!((month, Month::parse("2004-12")), (Month(2004 * 12 + 11), Some(month)));
        let names: Vec<_> =
            (Month(month.0 + 2)).back_to(month).map(|month| month.to_string()).collect();
        assert_eq!(names, ["2005-02", "2005-01", "2004-12"]);
        for odd in ["2004-13", "2004-00", "2004-1", "99999999999-01", "", "-"] {
            assert_eq!(Month::parse(odd), None, "{odd}");
        }
    }

    proptest! {
        /// A document may contain any number, and a machine's clock may show any time.
        #[test]
        fn nothing_overflows(a: i64, b: i64, count: i64) {
            let (time, span) = (Time(a), Span(b));
            let _ = (time + span, time - span, time - Time(b), Span(a) + span, Span(a) - span);
            let _ = (count * span, span.abs(), days(count), [Span(a), span].into_iter().sum::<Span>());
            let _ = (time.to_string(), time.stamp(), time.month(), SystemTime::from(time));
            let _ = (Day(a).start(), Day(a).plus(b), Day(a).to_string());
            prop_assert!((time + span).day() >= time.day() || span < Span::ZERO);
        }
    }
}
