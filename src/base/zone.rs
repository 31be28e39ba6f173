//! Time zones: their names as people type them, and the local day and time of a moment.
//!
//! The rules come from the tz database inside the program, so the machine needs none. After 2099
//! the last rule of a zone is not continued.

use super::stored_as_words;
use super::time::{DAY, Day, HOUR, MINUTE, Span, Time, WEEK, seconds};
use chrono::{DateTime, LocalResult, NaiveDateTime, Offset as _, TimeZone as _};
use chrono_tz::{TZ_VARIANTS, Tz};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// A time zone, by its name in the tz database. Stored as `Europe/Berlin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(Tz);

/// The reason why words name no time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneError {
    /// A difference to UTC such as `UTC+2`, or an abbreviation such as `EST`: neither says when
    /// summer time begins. The places have this difference now.
    NoPlace(Vec<Zone>),
    /// Several zones have this name, with different times.
    Several(Vec<Zone>),
    /// No zone has this name.
    Unknown,
}

/// A day and a time of day in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// The day.
    pub day: Day,
    /// The time since the clock showed midnight.
    pub time: Span,
}

/// Places that are named beside a difference to UTC, from west to east.
const PLACES: &[Tz] = &[
    Tz::Pacific__Honolulu,
    Tz::America__Anchorage,
    Tz::America__Los_Angeles,
    Tz::America__Denver,
    Tz::America__Phoenix,
    Tz::America__Chicago,
    Tz::America__Mexico_City,
    Tz::America__New_York,
    Tz::America__Bogota,
    Tz::America__Halifax,
    Tz::America__Sao_Paulo,
    Tz::America__St_Johns,
    Tz::Atlantic__Azores,
    Tz::Europe__London,
    Tz::Africa__Lagos,
    Tz::Europe__Berlin,
    Tz::Europe__Athens,
    Tz::Africa__Johannesburg,
    Tz::Europe__Moscow,
    Tz::Asia__Dubai,
    Tz::Asia__Karachi,
    Tz::Asia__Kolkata,
    Tz::Asia__Dhaka,
    Tz::Asia__Bangkok,
    Tz::Asia__Shanghai,
    Tz::Asia__Tokyo,
    Tz::Australia__Adelaide,
    Tz::Australia__Brisbane,
    Tz::Australia__Sydney,
    Tz::Pacific__Auckland,
];

/// Abbreviations of a standard or summer time, each with a place that has it.
const ABBREVIATIONS: &[(&str, Tz)] = &[
    ("hst", Tz::Pacific__Honolulu),
    ("akst", Tz::America__Anchorage),
    ("akdt", Tz::America__Anchorage),
    ("pst", Tz::America__Los_Angeles),
    ("pdt", Tz::America__Los_Angeles),
    ("mst", Tz::America__Denver),
    ("mdt", Tz::America__Denver),
    ("cst", Tz::America__Chicago),
    ("cdt", Tz::America__Chicago),
    ("est", Tz::America__New_York),
    ("edt", Tz::America__New_York),
    ("bst", Tz::Europe__London),
    ("west", Tz::Europe__Lisbon),
    ("mez", Tz::Europe__Berlin),
    ("mesz", Tz::Europe__Berlin),
    ("cest", Tz::Europe__Berlin),
    ("eest", Tz::Europe__Athens),
    ("msk", Tz::Europe__Moscow),
    ("ist", Tz::Asia__Kolkata),
    ("jst", Tz::Asia__Tokyo),
    ("kst", Tz::Asia__Seoul),
    ("aest", Tz::Australia__Sydney),
    ("aedt", Tz::Australia__Sydney),
    ("nzst", Tz::Pacific__Auckland),
    ("nzdt", Tz::Pacific__Auckland),
];

/// The continents and oceans under which the tz database lists places.
const AREAS: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

impl Zone {
    /// UTC.
    pub const UTC: Self = Self(Tz::UTC);

    /// Returns the zone of this exact name.
    pub fn of_name(name: &str) -> Option<Self> {
        name.parse().ok().map(Self)
    }

    /// Finds a zone by the name of a place as people type it: `Europe/Berlin`, `berlin`, `New York`.
    ///
    /// # Errors
    /// The words name no zone, or several.
    pub fn find(words: &str, now: Time) -> Result<Self, ZoneError> {
        let folded = words.trim().to_lowercase().split_whitespace().collect::<Vec<_>>().join("_");
        if ["utc", "gmt", "z", "utc+0", "gmt+0"].contains(&&*folded) {
            return Ok(Self::UTC);
        }
        if let Some(offset) = parse_offset(&folded) {
            return Err(ZoneError::NoPlace(places_at(offset, now)));
        }
        if let Some((_, place)) = ABBREVIATIONS.iter().find(|(word, _)| *word == folded) {
            return Err(ZoneError::NoPlace(vec![Self(*place)]));
        }
        let whole = |name: &str| TZ_VARIANTS.iter().find(|tz| tz.name().eq_ignore_ascii_case(name));
        if let Some(tz) = whole(&folded) {
            return Ok(Self(*tz));
        }
        // `Berlin, Germany`
        let place = folded.split(',').next().unwrap_or_default().trim_end_matches('_');
        let is_place = |tz: &&Tz| place_of(**tz).eq_ignore_ascii_case(place);
        let mut found: Vec<Tz> = TZ_VARIANTS.iter().filter(is_place).copied().collect();
        if found.iter().any(|tz| is_in_area(*tz)) {
            found.retain(|tz| is_in_area(*tz));
        }
        // Zones of one name under two areas are mostly the same place under an old name.
        found.sort_by_key(|tz| tz.name().len());
        match found[..] {
            [] => Err(ZoneError::Unknown),
            [one, ..] if found.iter().all(|other| is_alike(one, *other, now)) => Ok(Self(one)),
            _ => Err(ZoneError::Several(found.into_iter().map(Self).collect())),
        }
    }

    /// Returns the names of all places, without their areas.
    pub fn places() -> impl Iterator<Item = &'static str> {
        TZ_VARIANTS.iter().filter(|tz| is_in_area(**tz)).map(|tz| place_of(*tz))
    }

    /// Returns the names of all zones of places, for a list to choose from.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let named = TZ_VARIANTS.iter().filter(|tz| is_in_area(**tz) || **tz == Tz::UTC);
        named.map(|tz| tz.name())
    }

    /// Returns the name in the tz database.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns the difference between the local clock and UTC at a moment.
    pub fn offset(self, at: Time) -> Span {
        let Some(utc) = naive(at) else { return Span::ZERO };
        let offset = self.0.offset_from_utc_datetime(&utc);
        seconds(i64::from(offset.fix().local_minus_utc()))
    }

    /// Returns the day and time that a local clock shows.
    pub fn local(self, at: Time) -> LocalTime {
        let shown = at + self.offset(at);
        LocalTime { day: shown.day(), time: shown - shown.day().start() }
    }

    /// Returns the local day of a moment.
    pub fn day(self, at: Time) -> Day {
        self.local(at).day
    }

    /// Returns the first moment of a local day. Where the zone skipped the day, it is the first
    /// moment of the next one.
    pub fn start_of(self, day: Day) -> Time {
        let midnight = day.start();
        if self == Self::UTC {
            return midnight;
        }
        let Some(local) = naive(midnight) else { return midnight };
        match self.0.from_local_datetime(&local) {
            LocalResult::Single(one) | LocalResult::Ambiguous(one, _) => {
                Time::from_unix(one.timestamp())
            }
            // The clock skipped midnight: the difference before says when it would have come.
            LocalResult::None => midnight - self.offset(midnight - WEEK),
        }
    }

    /// Returns the first moment after `from`, up to `until`, with another difference to UTC than at
    /// `from`. Since 2001 no zone changes its clocks twice within a day.
    pub fn next_offset(self, from: Time, until: Time) -> Option<Time> {
        let offset = self.offset(from);
        let mut same = from;
        let mut other = (same + DAY).min(until);
        while self.offset(other) == offset {
            if other >= until {
                return None;
            }
            same = other;
            other = (same + DAY).min(until);
        }
        while other - same > seconds(1) {
            let middle = same + seconds((other - same).seconds() / 2);
            *(if self.offset(middle) == offset { &mut same } else { &mut other }) = middle;
        }
        Some(other)
    }
}

/// Returns a moment in the calendar, where zones have rules.
fn naive(at: Time) -> Option<NaiveDateTime> {
    DateTime::from_timestamp(at.unix(), 0).map(|at| at.naive_utc())
}

/// Returns the last part of a zone's name.
fn place_of(tz: Tz) -> &'static str {
    tz.name().rsplit('/').next().unwrap_or_default()
}

fn is_in_area(tz: Tz) -> bool {
    tz.name().split_once('/').is_some_and(|(area, _)| AREAS.contains(&area))
}

/// Returns whether the clocks of two zones agree now and half a year later.
fn is_alike(one: Tz, other: Tz, now: Time) -> bool {
    let (one, other) = (Zone(one), Zone(other));
    [now, now + 26 * WEEK].iter().all(|at| one.offset(*at) == other.offset(*at))
}

/// Parses a difference to UTC: `utc+2`, `+5:30`, `gmt-0330`.
fn parse_offset(word: &str) -> Option<Span> {
    let word = word.replace('_', "").replace('\u{2212}', "-");
    let word = word.strip_prefix("utc").or_else(|| word.strip_prefix("gmt")).unwrap_or(&word);
    let sign = if word.starts_with('-') { -1 } else { 1 };
    let number = word.strip_prefix(['+', '-'])?;
    let (hours, minutes) = match number.split_once(':') {
        Some((hours, minutes)) => (hours, minutes),
        None if number.len() == 4 && number.is_ascii() => number.split_at(2),
        None => (number, "0"),
    };
    let count = |text: &str| text.parse::<u8>().ok().map(i64::from);
    let span = count(hours)? * HOUR + count(minutes)? * MINUTE;
    Some(sign * span)
}

/// Returns well-known places with this difference to UTC now.
fn places_at(offset: Span, now: Time) -> Vec<Zone> {
    let zones = PLACES.iter().map(|tz| Zone(*tz));
    zones.filter(|zone| zone.offset(now) == offset).collect()
}

impl Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

stored_as_words!(Zone, Zone::of_name, "is no time zone");

#[cfg(test)]
mod tests {
    use super::*;

    /// Noon of 21 November 2026.
    const NOON: Time = Time::from_unix(1_795_262_400);

    fn zone(name: &str) -> Zone {
        Zone::of_name(name).unwrap()
    }

    fn day(date: &str) -> Day {
        Day::parse(date).unwrap()
    }

    #[test]
    fn places_are_found_as_people_type_them() {
        for (typed, name) in [
            ("Europe/Berlin", "Europe/Berlin"),
            ("berlin", "Europe/Berlin"),
            ("BERLIN", "Europe/Berlin"),
            ("Berlin, Germany", "Europe/Berlin"),
            ("New York", "America/New_York"),
            ("america/new york", "America/New_York"),
            ("Lord Howe", "Australia/Lord_Howe"),
            ("indianapolis", "America/Indianapolis"),
            ("Louisville", "America/Louisville"),
            ("Apia", "Pacific/Apia"),
            ("Japan", "Japan"),
            ("CET", "CET"),
            ("utc", "UTC"),
            ("GMT", "UTC"),
            ("Etc/GMT-2", "Etc/GMT-2"),
            ("Eastern", "US/Eastern"),
        ] {
            assert_eq!(Zone::find(typed, NOON).map(Zone::name), Ok(name), "{typed}");
        }
    }

    #[test]
    fn words_without_a_place_get_places_of_this_time() {
        let names = |typed: &str| match Zone::find(typed, NOON) {
            Err(ZoneError::NoPlace(places)) => places.iter().map(|zone| zone.name()).collect(),
            other => panic!("{typed}: {other:?}"),
        };
        let two: Vec<&str> = names("UTC+2");
        assert_eq!(two, ["Europe/Athens", "Africa/Johannesburg"]);
        for same in ["+2", "gmt +2", "UTC+02:00", "+0200"] {
            assert_eq!(names(same), two, "{same}");
        }
        assert_eq!(names("+5:30"), ["Asia/Kolkata"]);
        assert_eq!(names("-3:30"), ["America/St_Johns"]);
        assert_eq!(names("est"), ["America/New_York"]);
        assert_eq!(names("UTC+99"), [""; 0]);
        // In summer Berlin has this difference.
        let summer = NOON - 20 * WEEK;
        let Err(ZoneError::NoPlace(places)) = Zone::find("UTC+2", summer) else { panic!() };
        assert!(places.contains(&zone("Europe/Berlin")), "{places:?}");
        for typed in ["", "Atlantis", "Europe", "/", "Europe/", "+", "utc+x", "ß", "++"] {
            assert_eq!(Zone::find(typed, NOON), Err(ZoneError::Unknown), "{typed}");
        }
    }

    #[test]
    fn days_begin_where_their_clocks_say_so() {
        let hours = |zone: &str, date: &str| {
            let zone = self::zone(zone);
            let day = day(date);
            (zone.start_of(day.plus(1)) - zone.start_of(day)).seconds() * 10 / HOUR.seconds()
        };
        assert_eq!(hours("Europe/Berlin", "2004-03-28"), 230);
        assert_eq!(hours("Europe/Berlin", "2004-10-31"), 250);
        assert_eq!(hours("Europe/Berlin", "2004-10-30"), 240);
        assert_eq!(hours("Australia/Lord_Howe", "2026-04-05"), 245, "half an hour");
        assert_eq!(hours("Asia/Kolkata", "2026-04-05"), 240);
        assert_eq!(hours("Pacific/Apia", "2011-12-30"), 0, "Samoa skipped this day");
        assert_eq!(hours("Pacific/Apia", "2011-12-29"), 240);
        // The clock goes from midnight to one.
        assert_eq!(hours("America/Sao_Paulo", "2018-11-04"), 230);
        let start = zone("America/Sao_Paulo").start_of(day("2018-11-04"));
        assert_eq!(zone("America/Sao_Paulo").local(start).time, HOUR);
        assert_eq!(Zone::UTC.start_of(day("2018-11-04")), day("2018-11-04").start());
        // A day has an hour of midnight twice in Havana, and none twice.
        assert_eq!(hours("America/Havana", "2026-11-01"), 250);
    }

    #[test]
    fn no_zone_changes_its_clocks_twice_within_a_day() {
        for tz in TZ_VARIANTS {
            let zone = Zone(tz);
            let mut at = day("2001-01-01").start();
            let mut last = at - 2 * DAY;
            while at < day("2100-01-01").start() {
                let Some(next) = zone.next_offset(at, at + DAY) else {
                    at += DAY;
                    continue;
                };
                assert!(next - last > DAY, "{zone} at {next}");
                (at, last) = (next, next);
            }
        }
    }

    #[test]
    fn any_time_has_a_local_time() {
        for at in [i64::MIN, -1 << 40, 0, 1 << 40, i64::MAX] {
            let at = Time::from_unix(at);
            let _ = (zone("Europe/Berlin").local(at), zone("Pacific/Apia").start_of(at.day()));
        }
    }

    #[test]
    fn a_zone_is_its_name_in_a_document() {
        let text = serde_json::to_string(&zone("America/Argentina/Ushuaia")).unwrap();
        assert_eq!(text, "\"America/Argentina/Ushuaia\"");
        assert_eq!(
            serde_json::from_str::<Zone>(&text).unwrap().to_string(),
            "America/Argentina/Ushuaia"
        );
        assert!(serde_json::from_str::<Zone>("\"Atlantis\"").is_err());
    }
}
