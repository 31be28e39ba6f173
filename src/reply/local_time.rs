//! Times as a reader reads them: in their own time zone, or as days of UTC.

use crate::base::ids::UserId;
use crate::base::time::{DAY, Day, MONTHS, Span, Time, WEEKDAYS};
use crate::base::zone::{LocalTime, Zone};
use crate::model::world::World;

/// A reader's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReaderClock {
    /// The zone; none for a reader who has chosen none.
    zone: Option<Zone>,
    now: Time,
}

/// How far ahead a weekday needs no date: the same weekday of next week is farther away.
const NEAR: i64 = 6;

/// How far ahead a date needs its year.
const FAR: Span = Span::times(300, DAY);

impl ReaderClock {
    /// Returns the clock of a reader; nobody's shows days of UTC.
    pub(crate) fn of(world: &World, reader: Option<&UserId>, now: Time) -> Self {
        Self { zone: world.zone(reader), now }
    }

    /// Returns the clock of a zone.
    pub(crate) fn in_zone(zone: Zone, now: Time) -> Self {
        Self { zone: Some(zone), now }
    }

    /// Returns a deadline, which is never later than the real one: `Tuesday 18:00 your time`,
    /// `Tuesday 22 September, 18:00 your time`; without a zone `2004-09-22`.
    pub(crate) fn deadline(self, at: Time) -> String {
        if self.zone.is_some() { self.moment(at) + " your time" } else { self.moment(at) }
    }

    /// Returns a deadline without `your time`, for sentences that say it later.
    pub(crate) fn moment(self, at: Time) -> String {
        let Some(zone) = self.zone else { return at.day().to_string() };
        let LocalTime { day, time } = zone.local(at);
        let (hour, minute) = (time.hours(), time.minutes() % 60);
        let today = zone.day(self.now);
        let is_near = today <= day && day < today.plus(NEAR);
        let comma = if is_near { "" } else { "," };
        format!("{}{comma} {hour:02}:{minute:02}", self.date(day, is_near))
    }

    /// Returns the day of a time: `Tuesday 22 September`, without a zone `2004-09-22`.
    pub(crate) fn day(self, at: Time) -> String {
        match self.zone {
            Some(zone) => self.date(zone.day(at), false),
            None => at.day().to_string(),
        }
    }

    fn date(self, day: Day, is_near: bool) -> String {
        let weekday = WEEKDAYS[day.weekday()];
        if is_near {
            return weekday.to_owned();
        }
        let month = usize::try_from(day.month()).ok().and_then(|month| month.checked_sub(1));
        let month = month.and_then(|month| MONTHS.get(month)).copied().unwrap_or_default();
        let date = format!("{weekday} {} {month}", day.of_month());
        let is_far = (day.start() - self.now).abs() > FAR;
        if is_far { format!("{date} {}", day.year()) } else { date }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::{HOUR, MINUTE};

    #[test]
    fn deadlines_are_told_in_the_time_of_their_reader() {
        let day = |date: &str| Day::parse(date).unwrap().start();
        let now = day("2004-09-21") + 20 * HOUR;
        let berlin = ReaderClock::in_zone(Zone::of_name("Europe/Berlin").unwrap(), now);
        let at = day("2004-09-21") + 23 * HOUR + 59 * MINUTE;
        assert_eq!(berlin.deadline(at), "Wednesday 01:59 your time");
        assert_eq!(berlin.deadline(now), "Tuesday 22:00 your time");
        assert_eq!(berlin.deadline(now + 5 * DAY), "Sunday 22:00 your time");
        assert_eq!(berlin.deadline(now + 7 * DAY), "Tuesday 28 September, 22:00 your time");
        // Summer time has ended.
        assert_eq!(berlin.deadline(now + 42 * DAY), "Tuesday 2 November, 21:00 your time");
        assert_eq!(
            berlin.deadline(now + 365 * DAY),
            "Wednesday 21 September 2005, 22:00 your time"
        );
        assert_eq!(berlin.deadline(now - DAY), "Monday 20 September, 22:00 your time");
        let utc = ReaderClock { zone: None, now };
        assert_eq!((utc.deadline(at), utc.day(at)), ("2004-09-21".into(), "2004-09-21".into()));
        assert_eq!(berlin.day(at), "Wednesday 22 September");
        for odd in [i64::MIN, i64::MAX] {
            let _ = (berlin.deadline(Time::from_unix(odd)), utc.deadline(Time::from_unix(odd)));
        }
    }
}
