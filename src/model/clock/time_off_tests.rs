//! Counted time against a recomputation minute by minute.

use super::rest::{LONGEST_NIGHT, MOST_DAYS, Night, Rest, Weekdays, change_rest};
use super::time_off::{TimeOff, add_counted_time, counted_time};
use super::vacation::{Vacation, add_vacation};
use crate::base::time::{DAY, Day, HOUR, MINUTE, Span, Time, WEEK};
use crate::base::zone::Zone;
use proptest::prelude::*;

/// Zones with changes of an hour, of half an hour, without changes, and one that skipped a day.
const ZONES: [&str; 9] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "America/Havana",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "Pacific/Apia",
    "Africa/Casablanca",
];

/// The changes of the zones, around which the cases begin.
const CHANGES: [&str; 9] = [
    "2004-03-28",
    "2004-10-31",
    "2011-12-30",
    "2018-11-04",
    "2026-03-08",
    "2026-04-05",
    "2026-10-04",
    "2026-11-01",
    "2026-02-15",
];

const NAMES: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// A rest in a form that is easy to check.
#[derive(Clone, Debug)]
struct PlainRest {
    since: Time,
    zone: Zone,
    days: Vec<usize>,
    /// The minutes of the day at which the night begins and ends.
    night: Option<(i64, i64)>,
}

impl PlainRest {
    fn rest(&self) -> Rest {
        let names: Vec<&str> = self.days.iter().map(|day| NAMES[*day]).collect();
        let clock = |minute: i64| format!("{:02}:{:02}", minute / 60, minute % 60);
        let night = self.night.map(|(from, to)| format!("{}-{}", clock(from), clock(to)));
        Rest {
            since: self.since,
            zone: self.zone,
            days: Weekdays::parse(&names.join(" ")).unwrap_or_default(),
            night: night.map(|night| Night::parse(&night).unwrap()),
        }
    }

    /// Returns whether the clock stops in the minute that begins at a time.
    fn stops(&self, at: Time) -> bool {
        let local = self.zone.local(at);
        let minute = local.time.minutes();
        self.days.contains(&local.day.weekday())
            || self.night.is_some_and(|(from, to)| {
                if from < to {
                    from <= minute && minute < to
                } else {
                    from <= minute || minute < to
                }
            })
    }
}

/// Returns the first minute of a local day, found minute by minute.
fn first_minute(zone: Zone, day: Day) -> Time {
    let mut at = day.start() - 15 * HOUR;
    while zone.local(at).day < day {
        at += MINUTE;
    }
    at
}

/// A vacation as the minutes between two times.
struct PlainVacation {
    begins: Time,
    ends: Time,
}

/// Returns whether the clock stops in the minute that begins at a time.
fn stops(at: Time, rests: &[PlainRest], vacations: &[PlainVacation]) -> bool {
    let rest = rests.iter().rfind(|rest| rest.since <= at);
    rest.is_some_and(|rest| rest.stops(at))
        || vacations.iter().any(|one| one.begins <= at && at < one.ends)
}

fn zone() -> impl Strategy<Value = Zone> {
    prop::sample::select(&ZONES[..]).prop_map(|name| Zone::of_name(name).unwrap())
}

/// Rests that begin within the first days of a case.
fn rests(start: Time) -> impl Strategy<Value = Vec<PlainRest>> {
    let night = prop::option::of((0..96_i64, 1..60_i64));
    let night = night.prop_map(|night| {
        night.map(|(from, length)| (from * 15, (from * 15 + length * 10) % (24 * 60)))
    });
    let days = prop::collection::vec(0..7_usize, 0..3);
    let one = (0..20_i64, zone(), days, night).prop_map(move |(since, zone, days, night)| {
        let since = start + Span::times(since * 12 - 60, HOUR);
        PlainRest { since, zone, days, night }
    });
    prop::collection::vec(one, 0..4).prop_map(|mut rests| {
        rests.sort_by_key(|rest| rest.since);
        rests.dedup_by_key(|rest| rest.since);
        rests
    })
}

fn vacations(start: Time) -> impl Strategy<Value = Vec<Vacation>> {
    let one =
        (0..14_i64, 0..4_i64, prop::option::of(zone())).prop_map(move |(from, length, zone)| {
            let from = start.day().plus(from - 3);
            Vacation { from, to: from.plus(length), zone }
        });
    let add = |all: Vec<Vacation>, one: &Vacation| add_vacation(&all, *one);
    prop::collection::vec(one, 0..3).prop_map(move |all| all.iter().fold(Vec::new(), add))
}

/// A case: a period, what stops the clock, and a time to count.
#[derive(Clone, Debug)]
struct Case {
    from: Time,
    minutes: i64,
    asked: i64,
    rests: Vec<PlainRest>,
    vacations: Vec<Vacation>,
}

fn case() -> impl Strategy<Value = Case> {
    let start = prop::sample::select(&CHANGES[..]).prop_map(|date| Day::parse(date).unwrap());
    (start, -3 * 24 * 60..2 * 24 * 60_i64).prop_flat_map(|(day, minute)| {
        let from = day.start() + Span::times(minute, MINUTE);
        let span = (0..5 * 24 * 60_i64, 0..3 * 24 * 60_i64);
        (span, rests(from), vacations(from)).prop_map(
            move |((minutes, asked), rests, vacations)| Case {
                from,
                minutes,
                asked,
                rests,
                vacations,
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn counted_time_is_the_number_of_minutes_that_count(case in case()) {
        let Case { from, minutes, asked, rests, vacations } = &case;
        let plain: Vec<PlainVacation> = vacations.iter().map(|one| {
            let zone = one.zone.unwrap_or(Zone::UTC);
            let (begins, ends) = (first_minute(zone, one.from), first_minute(zone, one.to.plus(1)));
            PlainVacation { begins, ends }
        }).collect();
        let own: Vec<Rest> = rests.iter().map(PlainRest::rest).collect();
        let off = TimeOff { vacations, rests: &own };
        let counts = |minute: i64| {
            !stops(*from + Span::times(minute, MINUTE), rests, &plain)
        };
        let counted = i64::try_from((0..*minutes).filter(|minute| counts(*minute)).count()).unwrap();
        let until = *from + Span::times(*minutes, MINUTE);
        prop_assert_eq!(counted_time(*from, until, off), Span::times(counted, MINUTE));
        // The end of a time that counts: after its last minute, or for no time at all at the first
        // minute that counts.
        let mut left = *asked;
        let mut minute = 0;
        while left > 0 || (*asked == 0 && !counts(minute)) {
            left -= i64::from(counts(minute));
            minute += 1;
        }
        let end = *from + Span::times(minute, MINUTE);
        prop_assert_eq!(add_counted_time(*from, Span::times(*asked, MINUTE), off), end);
    }

    /// However often a user chooses other days, no week has more rest than one choice gives, and
    /// no more than one more for the week that the choice began in.
    #[test]
    fn changing_the_rest_often_stops_no_clock_for_longer(
        changes in prop::collection::vec((0..40_i64, prop::collection::vec(0..7_usize, 0..=MOST_DAYS)), 1..30),
    ) {
        let start = Day::parse("2026-11-23").unwrap().start();
        let mut rests = Vec::new();
        let mut at = start;
        for (hours, days) in changes {
            at += Span::times(hours, HOUR);
            let chosen = PlainRest { since: at, zone: Zone::UTC, days, night: None };
            rests = change_rest(&rests, chosen.rest());
        }
        let off = TimeOff { vacations: &[], rests: &rests };
        for rest in &rests {
            let week = counted_time(rest.since, rest.since + WEEK, off);
            prop_assert!(week >= 5 * DAY, "{rests:?}");
        }
    }

}

proptest! {
    // Many of them walk through all weeks of a century.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_time_of_a_document_overflows(from: i64, until: i64, span: i64, since: i64) {
        let night = Night::parse("22-7");
        let rest = Rest { since: Time::from_unix(since), zone: Zone::UTC, days: Weekdays::WEEKEND, night };
        let off = TimeOff { vacations: &[], rests: &[rest] };
        let from = Time::from_unix(from);
        let _ = counted_time(from, Time::from_unix(until), off);
        let _ = add_counted_time(from, Span::times(span, MINUTE).or_zero().min(400 * DAY), off);
    }
}

#[test]
fn nights_and_days_are_read_as_people_write_them() {
    for (typed, night) in [
        ("22:00-07:00", "22:00-07:00"),
        ("22-7", "22:00-07:00"),
        ("10pm to 7am", "22:00-07:00"),
        ("22.30 - 6", "22:30-06:00"),
        ("22h-7h", "22:00-07:00"),
        ("24-8", "00:00-08:00"),
        ("12am-6am", "00:00-06:00"),
    ] {
        assert_eq!(
            Night::parse(typed).map(|night| night.to_string()).as_deref(),
            Some(night),
            "{typed}"
        );
    }
    for typed in ["", "22", "7-7", "25-7", "22:60-7", "13pm-7", "a-b", "-", "22--7", "ü-ß"] {
        assert_eq!(Night::parse(typed), None, "{typed}");
    }
    assert_eq!(Night::parse("22-8").unwrap().length(), LONGEST_NIGHT);
    for (typed, days) in [
        ("Sat Sun", "sat sun"),
        ("sunday, saturday", "sat sun"),
        ("weekend", "sat sun"),
        ("Fridays", "fri"),
        ("Tues. and Thurs.", "tue thu"),
    ] {
        assert_eq!(Weekdays::parse(typed).map(String::from).as_deref(), Some(days), "{typed}");
    }
    for typed in ["", "sa", "someday", "sat someday", "and", ","] {
        assert_eq!(Weekdays::parse(typed), None, "{typed}");
    }
}
