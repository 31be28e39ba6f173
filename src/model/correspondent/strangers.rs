//! The counts of all strangers together: anybody can write any From, so a limit for each address
//! bounds nothing.

use crate::base::time::{DAY, Day, HOUR, Time};
use serde::{Deserialize, Serialize};

/// New users an hour, where nobody has shown yet that they read their mails.
const SIGNUPS: u32 = 60;
/// Answers an hour to strangers, likewise.
const ANSWERS: u32 = 120;
/// Days over which is averaged how many new users a day read their mails.
const DAYS: i64 = 14;

/// Something that strangers do, or that is done for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrangerAction {
    /// Somebody signed up who may not read the mails.
    SignedUp,
    /// An answer went to an address whose owner may not have asked.
    Answered,
    /// A new user has shown that they read their mails: they were no stranger's invention.
    Proved,
}

/// How often that was done in the latest hour, and how many new users read their mails.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrangerCounts {
    /// When the hour began.
    hour: Time,
    signups: u32,
    answers: u32,
    /// New users who read their mails, by the day on which they showed it, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    proved: Vec<(Day, u32)>,
}

impl StrangerCounts {
    pub(super) fn count(&mut self, what: StrangerAction, at: Time) {
        if !self.is_now(at) {
            (self.hour, self.signups, self.answers) = (at, 0, 0);
        }
        match what {
            StrangerAction::SignedUp => self.signups = self.signups.saturating_add(1),
            StrangerAction::Answered => self.answers = self.answers.saturating_add(1),
            StrangerAction::Proved => {
                let today = at.day();
                self.proved.retain(|(day, _)| is_recent(*day, at));
                match self.proved.last_mut().filter(|(day, _)| *day == today) {
                    Some((_, count)) => *count = count.saturating_add(1),
                    None => self.proved.push((today, 1)),
                }
            }
        }
    }

    /// Whether no more of that may be done in this hour. The limit grows with the users who read
    /// their mails, whom no forger can make.
    pub(super) fn is_full(&self, what: StrangerAction, now: Time) -> bool {
        if !self.is_now(now) {
            return false;
        }
        let recent = self.proved.iter().filter(|(day, _)| is_recent(*day, now));
        let recent: u32 = recent.map(|(_, count)| *count).sum();
        let usual = recent.div_ceil(u32::try_from(DAYS).unwrap_or(1));
        match what {
            StrangerAction::SignedUp => self.signups >= SIGNUPS.saturating_add(2 * usual),
            StrangerAction::Answered => self.answers >= ANSWERS.saturating_add(4 * usual),
            StrangerAction::Proved => false,
        }
    }

    /// A clock that was set back begins another hour.
    fn is_now(&self, now: Time) -> bool {
        self.hour <= now && now < self.hour + HOUR
    }
}

fn is_recent(day: Day, now: Time) -> bool {
    day.plus(DAYS).start() > now && day.start() <= now + DAY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::days;

    #[test]
    fn limits_grow_with_users_who_read_their_mails_and_not_with_others() {
        let (start, mut counts) = (Time::from_unix(1_100_000_000), StrangerCounts::default());
        let most = |counts: &StrangerCounts, what, at| {
            let mut counts = counts.clone();
            (0..10_000)
                .take_while(|_| {
                    let is_full = counts.is_full(what, at);
                    counts.count(what, at);
                    !is_full
                })
                .count()
        };
        assert_eq!(most(&counts, StrangerAction::SignedUp, start), 60);
        assert_eq!(most(&counts, StrangerAction::Answered, start), 120);
        // An attack of a week changes nothing.
        let mut now = start;
        for _ in 0..7 * 24 {
            (0..60).for_each(|_| counts.count(StrangerAction::SignedUp, now));
            assert!(counts.is_full(StrangerAction::SignedUp, now));
            now += HOUR;
        }
        assert_eq!(most(&counts, StrangerAction::SignedUp, now), 60);
        for _ in 0..14 {
            (0..50).for_each(|_| counts.count(StrangerAction::Proved, now));
            now += DAY;
        }
        assert!(most(&counts, StrangerAction::SignedUp, now) > 140);
        assert_eq!(most(&counts, StrangerAction::SignedUp, now + days(20)), 60);
    }
}
