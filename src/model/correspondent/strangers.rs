//! Limits for all strangers together. Anybody can write any From, so limits by address are not
//! enough.

use crate::base::time::{DAY, Day, HOUR, Time};
use crate::model::document::is_default;
use serde::{Deserialize, Serialize};

/// New users an hour who have not proved that they read their mail.
const SIGNUPS: u32 = 60;
/// New guests an hour.
const GUESTS: u32 = 120;
/// Answers to strangers an hour.
const ANSWERS: u32 = 120;
/// The days over which the new users who read their mail are averaged.
const DAYS: i64 = 14;

/// An action of a stranger, or for a stranger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrangerAction {
    /// A stranger signed up.
    SignedUp,
    /// A stranger began to play as a guest.
    Visited,
    /// An answer was sent whose reader may not have asked for it.
    Answered,
    /// A new user proved that they read their mail.
    Proved,
}

/// The counts of the current hour, and the new users who read their mail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrangerCounts {
    /// The start of the hour.
    hour: Time,
    signups: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    guests: u32,
    answers: u32,
    /// The new users who proved that they read their mail, by day, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    proved: Vec<(Day, u32)>,
}

impl StrangerCounts {
    pub(super) fn count(&mut self, what: StrangerAction, at: Time) {
        if !self.is_now(at) {
            (self.hour, self.signups, self.guests, self.answers) = (at, 0, 0, 0);
        }
        match what {
            StrangerAction::SignedUp => self.signups = self.signups.saturating_add(1),
            StrangerAction::Visited => self.guests = self.guests.saturating_add(1),
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

    /// Returns whether the hour's limit is reached. The limit grows with the number of users who
    /// read their mail, which a forger cannot increase.
    pub(super) fn is_full(&self, what: StrangerAction, now: Time) -> bool {
        if !self.is_now(now) {
            return false;
        }
        let recent = self.proved.iter().filter(|(day, _)| is_recent(*day, now));
        let recent = recent.map(|(_, count)| *count).fold(0, u32::saturating_add);
        let usual = recent.div_ceil(u32::try_from(DAYS).unwrap_or(1));
        match what {
            StrangerAction::SignedUp => self.signups >= SIGNUPS.saturating_add(2 * usual),
            StrangerAction::Visited => self.guests >= GUESTS.saturating_add(2 * usual),
            StrangerAction::Answered => self.answers >= ANSWERS.saturating_add(4 * usual),
            StrangerAction::Proved => false,
        }
    }

    /// A clock that was set back starts a new hour.
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
    fn counts_that_were_edited_by_hand_overflow_nothing() {
        let now = Time::from_unix(1_100_000_000);
        let proved = vec![((now - DAY).day(), u32::MAX), (now.day(), u32::MAX)];
        let counts = StrangerCounts { hour: now, proved, ..StrangerCounts::default() };
        assert!(!counts.is_full(StrangerAction::Answered, now));
    }

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
        assert_eq!(most(&counts, StrangerAction::Visited, start), 120);
        // A week-long attack does not raise the limit.
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
