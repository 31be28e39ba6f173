//! The news of boards that a user is told later, together.

use super::User;
use super::preference::{DIGEST_HOUR, QUIET};
use crate::base::ids::BoardId;
use crate::base::time::{Span, Time, hours, minutes};
use serde::{Deserialize, Serialize};

/// The most boards that wait. The mails about further boards are sent at once.
const MAX_HELD_BOARDS: usize = 40;

/// How long after their last command in a browser a user who wants quiet gets no news of boards.
const QUIET_FOR: Span = minutes(15);

/// How coarsely the time of commands in a browser is kept.
const SEEN_EVERY: Span = minutes(2);

/// News of a board, or a reminder, that the next mail about several boards tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldMail {
    /// The board.
    pub board: BoardId,
    /// The time of the first news.
    pub since: Time,
    /// When the mail is due.
    pub due: Time,
    /// Whether it is a reminder.
    #[serde(rename = "reminder", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_reminder: bool,
}

impl HeldMail {
    /// Adds a mail. A board waits once; the earlier time counts, and a reminder stays one.
    pub(super) fn add(held: &mut Vec<Self>, new: &Self) {
        match held.iter_mut().find(|old| old.board == new.board) {
            Some(old) => {
                old.due = old.due.min(new.due);
                old.is_reminder |= new.is_reminder;
            }
            None => held.push(new.clone()),
        }
    }
}

impl User {
    /// Returns when the news of a board go out, if they wait; `None` for at once.
    pub fn news_due(&self, board: BoardId, now: Time) -> Option<Time> {
        let together = || self.preferences.wants_mails_together().then_some(now);
        self.mail_due(now).or_else(together).filter(|_| self.has_room_for(board))
    }

    /// Returns when a mail goes out that is no answer, if it waits for the hour of the digest or until the
    /// user has stopped to play in a browser; `None` for at once.
    pub fn mail_due(&self, now: Time) -> Option<Time> {
        let is_daily = self.preferences.wants_digest();
        if is_daily { Some(self.next_digest(now)) } else { self.quiet_until(now) }
    }

    /// Returns whether a reminder waits for the others of a run, so that all are one mail.
    pub fn holds_reminder(&self, board: BoardId) -> bool {
        let is_wanted = self.preferences.wants_digest() || self.preferences.wants_mails_together();
        is_wanted && self.has_room_for(board)
    }

    /// Returns whether a further mail about a board can wait.
    fn has_room_for(&self, board: BoardId) -> bool {
        self.held.len() < MAX_HELD_BOARDS || self.held.iter().any(|held| held.board == board)
    }

    /// Returns the time until which news wait because the user plays in a browser.
    pub fn quiet_until(&self, now: Time) -> Option<Time> {
        let until = self.seen.filter(|_| self.preferences.is_on(&QUIET))? + QUIET_FOR;
        (until > now).then_some(until)
    }

    /// Returns whether the time of a command in a browser must be noted.
    pub fn is_seen_now(&self, now: Time) -> bool {
        self.preferences.is_on(&QUIET) && self.seen.is_none_or(|seen| seen <= now - SEEN_EVERY)
    }

    /// Returns the time of the first digest after `now`: at the chosen hour of the user's own day.
    pub fn next_digest(&self, now: Time) -> Time {
        let hour = self.preferences.chosen(&DIGEST_HOUR).name.parse().unwrap_or_default();
        let at = |days: i64| {
            let day = self.day(now).plus(days);
            let start = self.zone.map_or_else(|| day.start(), |zone| zone.start_of(day));
            let at = start + hours(hour);
            // A day of 23 or 25 hours: the clock on the wall decides.
            let offset = |time: Time| self.zone.map_or(hours(0), |zone| zone.offset(time));
            at + (offset(start) - offset(at))
        };
        let next = (0..=2).map(at).find(|at| *at > now);
        next.unwrap_or_else(|| at(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::UserId;
    use crate::base::time::DAY;
    use crate::base::zone::Zone;
    use crate::model::user::UserEvent;
    use crate::model::user::preference::Preference;

    const NOON: Time = Time::from_unix(1_795_262_400);

    fn alice(preferences: &[(&str, &str)]) -> User {
        let mut user =
            User::new(UserId::parse("alice").unwrap(), String::new(), Vec::new(), Time::EPOCH);
        for (name, value) in preferences {
            let chosen = Preference::find(name).unwrap().choose(value).unwrap();
            user.apply(&UserEvent::Prefers(chosen));
        }
        user
    }

    fn held(number: u32, due: Time) -> HeldMail {
        let board = BoardId { game: "malaka", number };
        HeldMail { board, since: NOON, due, is_reminder: false }
    }

    #[test]
    fn a_digest_is_due_at_the_hour_on_the_wall_of_its_reader() {
        assert_eq!(NOON.minute(), "2026-11-21 12:00");
        let mut user = alice(&[("mails", "daily")]);
        let six = NOON + hours(6);
        let news_due = |user: &User, now| user.news_due(held(1, now).board, now);
        assert_eq!(news_due(&user, NOON), Some(six));
        assert_eq!(news_due(&user, six), Some(six + DAY), "not twice");
        // In Berlin clocks go forward on 28 March 2027 and back on 31 October 2027.
        user.zone = Zone::of_name("Europe/Berlin");
        for (now, due) in [
            ("2027-03-27 12:00", "2027-03-27 17:00"),
            ("2027-03-27 18:00", "2027-03-28 16:00"),
            ("2027-10-30 12:00", "2027-10-30 16:00"),
            ("2027-10-30 18:00", "2027-10-31 17:00"),
        ] {
            let minute = |text: &str| {
                (0..9_999).map(|step| NOON + hours(step)).find(|at| at.minute() == text)
            };
            assert_eq!(news_due(&user, minute(now).unwrap()), minute(due), "{now}");
        }
        for hour in 0..24 {
            let user = alice(&[("mails", "daily"), ("digesthour", &hour.to_string())]);
            let due = news_due(&user, NOON).unwrap();
            assert_eq!((due - due.day().start(), due > NOON), (hours(hour), true));
        }
    }

    #[test]
    fn forty_boards_wait_at_most_each_once() {
        let mut user = alice(&[("mails", "together")]);
        for number in 1..=41 {
            let new = held(number, NOON);
            assert_eq!(user.news_due(new.board, NOON), (number <= 40).then_some(NOON));
            if number <= 40 {
                user.apply(&UserEvent::MailHeld(new));
            }
        }
        let again = HeldMail { is_reminder: true, ..held(7, NOON - DAY) };
        assert_eq!(user.news_due(again.board, NOON), Some(NOON));
        user.apply(&UserEvent::MailHeld(again));
        assert_eq!(user.held.len(), 40);
        let seventh = &user.held[6];
        assert!(seventh.is_reminder && seventh.due == NOON - DAY && seventh.since == NOON);
    }

    #[test]
    fn news_wait_while_the_user_plays_in_a_browser_if_wished() {
        let mut user = alice(&[]);
        assert!(!user.is_seen_now(NOON), "nothing is kept of users who do not want quiet");
        user = alice(&[("quiet", "on")]);
        assert!(user.is_seen_now(NOON) && user.quiet_until(NOON).is_none());
        user.apply(&UserEvent::Seen(NOON));
        assert!(!user.is_seen_now(NOON + minutes(1)) && user.is_seen_now(NOON + minutes(2)));
        let until = NOON + QUIET_FOR;
        let board = held(1, NOON).board;
        assert_eq!(user.news_due(board, NOON + minutes(14)), Some(until));
        assert_eq!(user.news_due(board, until), None);
    }
}
