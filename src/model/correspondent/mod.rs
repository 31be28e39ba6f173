//! The counts of a mailbox, a userid or a network: the answers and codes sent there, wrong
//! passwords, new users, boards and challenges. They limit mails that their reader may never have
//! asked for.
//!
//! A document is named by a digest, and nothing in it identifies its owner. Its contents expire
//! after a week at most.

mod answers;
mod strangers;

pub use strangers::StrangerAction;

use crate::base::digest::Digest;
use crate::base::ids::UserId;
use crate::base::key::{MAILBOXES, Place};
use crate::base::network::Network;
use crate::base::time::{DAY, HOUR, MINUTE, Span, Time, WEEK};
use crate::mail::Address;
use crate::model::document::{Damage, Document, DocumentFormat, compact_json, names_no_users};
use crate::model::rate_limit::{Charge, LimitVerdict};
use crate::store::Key;
use answers::CountedAnswer;
use serde::{Deserialize, Serialize};
use strangers::StrangerCounts;

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The number of wrong passwords that causes the first pause.
const PAUSE_AFTER: u32 = 5;
/// The length of the first pause.
const FIRST_PAUSE: Span = MINUTE;
/// The length of the longest pause.
const LONGEST_PAUSE: Span = HOUR;

/// The counts of a mailbox, a userid or a network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correspondent {
    format: DocumentFormat<FORMAT>,
    /// When codes were mailed to it within a day.
    asked: Vec<Time>,
    /// When users signed up from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signups: Vec<Time>,
    /// When guests came from it within a day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    guests: Vec<Time>,
    /// When boards were set up from it within a day. For a userid: when newcomers set up boards
    /// with its user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    boards: Vec<Time>,
    /// When open challenges were made from it within a day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seeks: Vec<Time>,
    /// When analyses were requested from it within a day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    analyses: Vec<Time>,
    /// The answers within a day, or a week for introductions, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<CountedAnswer>,
    /// When the introduction was sent, as written by programs that sent one a week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    help: Option<Time>,
    /// When a user of this address last authenticated in a mail from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failures: Option<PasswordFailures>,
    /// The counts of all strangers together, in the documents for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strangers: Option<StrangerCounts>,
}

/// The actions that are limited by day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitedAction {
    /// Setting up a board.
    Board,
    /// Making an open challenge.
    Seek,
    /// Requesting an analysis.
    Analysis,
    /// Beginning to play as a guest.
    Guest,
    /// Mailing a code whose reader may not have asked for it.
    Code,
    /// Signing up.
    Signup,
}

/// Wrong passwords, each within a day of the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PasswordFailures {
    count: u32,
    /// When the last one came.
    last: Time,
}

/// One change of the counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum CorrespondentEvent {
    /// An answer was judged.
    Answered {
        /// The class, words and size of the answer.
        charge: Charge,
        verdict: LimitVerdict,
        at: Time,
    },
    /// A user authenticated in a mail from their own address.
    Proved { at: Time },
    /// A limited action was carried out.
    Begun { what: LimitedAction, at: Time },
    /// A wrong password came.
    WrongPassword { at: Time },
    /// Something counts for all strangers together.
    Stranger {
        /// What the stranger did or got.
        what: StrangerAction,
        at: Time,
    },
}

impl CorrespondentEvent {
    /// Returns a short text for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::Answered { .. } => "answer counted".into(),
            Self::Proved { .. } => "address authenticated".into(),
            Self::Begun { what: LimitedAction::Code, .. } => "mailed code counted".into(),
            Self::Begun { what: LimitedAction::Signup, .. } => "signup counted".into(),
            Self::Begun { what, .. } => format!("{what:?} counted"),
            Self::WrongPassword { .. } => "wrong password counted".into(),
            Self::Stranger { what, .. } => format!("{what:?} counted for all strangers"),
        }
    }
}

/// Borrows the times of a [`LimitedAction`] from the counts, as `&` or `&mut`.
macro_rules! times_of {
    ($action:expr, $($counts:tt)+) => {
        match $action {
            LimitedAction::Board => $($counts)+.boards,
            LimitedAction::Seek => $($counts)+.seeks,
            LimitedAction::Analysis => $($counts)+.analyses,
            LimitedAction::Guest => $($counts)+.guests,
            LimitedAction::Code => $($counts)+.asked,
            LimitedAction::Signup => $($counts)+.signups,
        }
    };
}

impl Correspondent {
    /// Returns the name of a mailbox's counts, which is the same for `ann@host`, `Ann@host` and
    /// `ann+tag@host`.
    pub fn mailbox_name(address: &Address) -> String {
        whole_digest(address).short()
    }

    /// Returns the first 8 bytes of the mailbox's digest, by which the mails to it are counted.
    pub fn digest(address: &Address) -> [u8; 8] {
        let digest = whole_digest(address);
        std::array::from_fn(|at| digest[at])
    }

    /// Returns the digest for a part of a mailbox's mails that is counted apart. No mailbox has
    /// this digest.
    pub fn part_digest(address: &Address, part: &str) -> [u8; 8] {
        let digest = Digest::of([&whole_digest(address)[..], part.as_bytes()].concat());
        std::array::from_fn(|at| digest[at])
    }

    /// Returns the name of a userid's counts of wrong passwords, whether the user exists or not. No
    /// mailbox has this name.
    pub fn userid_name(user: &UserId) -> String {
        Digest::of(format!("userid {}", user.folded())).short()
    }

    /// Returns the name of the counts of wrong passwords from browsers in which the user has signed
    /// in before. No mailbox has this name.
    pub fn known_browser_name(user: &UserId) -> String {
        Digest::of(format!("known {}", user.folded())).short()
    }

    /// Returns the name of a network's counts. No mailbox has this name.
    pub fn network_name(network: Network) -> String {
        Digest::of(format!("network {network}")).short()
    }

    /// Returns the name of the counts of all senders without a usable address. No mailbox has this
    /// name.
    pub fn unnamed_senders_name() -> String {
        Digest::of(b"no usable address").short()
    }

    /// Returns the names of the counts of all strangers: by mail, and in browsers. No mailbox has
    /// these names.
    pub fn stranger_names() -> [String; 2] {
        ["strangers by mail", "strangers in browsers"].map(|all| Digest::of(all.as_bytes()).short())
    }

    /// Returns the names of the counts of answers to all strangers: to refused requests, and to
    /// executed ones. No mailbox has these names.
    pub fn answer_names() -> [String; 2] {
        ["answers to strangers refused", "answers to strangers"]
            .map(|all| Digest::of(all.as_bytes()).short())
    }

    /// Returns whether strangers have reached the limit of this hour.
    pub fn is_full(&self, what: StrangerAction, now: Time) -> bool {
        self.strangers.as_ref().is_some_and(|counts| counts.is_full(what, now))
    }

    /// Returns whether a user has authenticated from here within a week.
    pub fn is_players(&self, now: Time) -> bool {
        self.player.is_some_and(|at| at > now - WEEK && at <= now)
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &CorrespondentEvent) {
        match event {
            CorrespondentEvent::Answered { charge, verdict, at } => {
                self.answered(charge, *verdict, *at);
            }
            CorrespondentEvent::Proved { at } => self.player = Some(*at),
            CorrespondentEvent::Begun { what, at } => {
                let times = times_of!(what, &mut self);
                times.retain(|old| *old > *at - DAY);
                times.push(*at);
            }
            CorrespondentEvent::WrongPassword { at } => self.failed(*at),
            CorrespondentEvent::Stranger { what, at } => {
                self.strangers.get_or_insert_default().count(*what, *at);
            }
        }
    }

    /// Counts a wrong password.
    fn failed(&mut self, at: Time) {
        let before = self.failures.filter(|failures| failures.last > at - DAY);
        let count = before.map_or(0, |failures| failures.count).saturating_add(1);
        self.failures = Some(PasswordFailures { count, last: at });
    }

    /// Returns when the current pause for passwords ends, if there is one. The fifth wrong password
    /// causes a pause of a minute; each further one doubles it, up to an hour.
    pub fn pause(&self, now: Time) -> Option<Time> {
        let PasswordFailures { count, last } = self.failures?;
        let doubled = count.checked_sub(PAUSE_AFTER)?.min(16);
        let until = last + LONGEST_PAUSE.min((1 << doubled) * FIRST_PAUSE);
        // A clock that was set back must not prolong a pause.
        (now < until && last <= now).then_some(until)
    }

    /// Returns how often the action was carried out within a day.
    pub fn actions_today(&self, what: LimitedAction, now: Time) -> usize {
        let times = times_of!(what, &self);
        times.iter().filter(|at| **at > now - DAY).count()
    }
}

/// The source of a password.
#[derive(Debug)]
pub struct PasswordSource<'a> {
    /// The name of the counts of its address or network.
    pub place: String,
    /// The address of the mail.
    pub address: Option<&'a Address>,
    /// The user who has signed in with this browser before.
    pub known: Option<&'a UserId>,
}

impl PasswordSource<'_> {
    /// Returns whether the source is a browser in which the user has signed in before.
    pub fn is_known_to(&self, user: &UserId) -> bool {
        self.known == Some(user)
    }

    /// Returns the names under which a wrong password for the user is counted.
    pub fn counted(&self, user: &UserId) -> Vec<String> {
        if self.is_known_to(user) {
            vec![Correspondent::known_browser_name(user)]
        } else {
            vec![self.place.clone(), Correspondent::userid_name(user)]
        }
    }
}

/// Returns the key of a mailbox's counts.
pub fn mailbox_key(address: &Address) -> Key {
    Key::In(MAILBOXES, Correspondent::mailbox_name(address))
}

/// Returns the key of the counts with this name.
pub fn counted_key(name: String) -> Key {
    Key::In(MAILBOXES, name)
}

/// Returns the key of a userid's counts of wrong passwords.
pub fn failures_key(user: &UserId) -> Key {
    Key::In(MAILBOXES, Correspondent::userid_name(user))
}

impl Document for Correspondent {
    type Id = String;

    const KIND: &'static str = "mailboxes";
    const PLACE: Place = Place::In(MAILBOXES);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(name: &String) -> Key {
        Key::In(MAILBOXES, name.clone())
    }

    fn id_of(key: &Key) -> Option<String> {
        match key {
            Key::In(MAILBOXES, name) => Some(name.clone()),
            _ => None,
        }
    }

    fn from_text(_: &String, text: &str) -> Result<Self, Damage> {
        let mailbox: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        mailbox.format.check()?;
        Ok(mailbox)
    }

    fn to_text(&self) -> String {
        compact_json(self)
    }

    // Counts have no names, and are removed after eight days.
    names_no_users!();
}

fn whole_digest(address: &Address) -> Digest {
    let mailbox = format!("{}@{}", address.mailbox(), address.domain()).to_ascii_lowercase();
    Digest::of(mailbox.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::seconds;

    #[test]
    fn tags_and_capitals_make_no_second_mailbox() {
        let name = |text: &str| Correspondent::mailbox_name(&Address::parse(text).unwrap());
        assert_eq!(name("ann@host.org"), name("Ann+1@HOST.org"));
        assert_ne!(name("ann@host.org"), name("anne@host.org"));
        assert!(!name("ann@host.org").contains("ann"));
    }

    #[test]
    fn passwords_pause_twice_as_long_each_time_up_to_an_hour() {
        let mut mailbox = Correspondent::default();
        let mut now = Time::from_unix(1_000_000);
        let mut pauses = Vec::new();
        for _ in 0..14 {
            mailbox.failed(now);
            let until = mailbox.pause(now).unwrap_or(now);
            pauses.push((until - now).minutes());
            assert!(mailbox.pause(until).is_none());
            now = until;
        }
        assert_eq!(pauses, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
        // A day later the count starts again; a clock that goes back an hour causes no pause.
        assert_eq!(mailbox.pause(now - HOUR - seconds(1)), None);
        mailbox.failed(now + DAY);
        assert_eq!(mailbox.pause(now + DAY), None);
        assert_eq!(Correspondent::from_text(&String::new(), &mailbox.to_text()).unwrap(), mailbox);
        let mut many = Correspondent::default();
        (0..200).for_each(|_| many.failed(now));
        assert_eq!(many.pause(now), Some(now + HOUR));
    }

    #[test]
    fn userids_and_addresses_have_different_documents() {
        let user = UserId::parse("Ann").unwrap();
        assert_eq!(
            Correspondent::userid_name(&user),
            Correspondent::userid_name(&UserId::parse("ann").unwrap())
        );
        assert_ne!(
            Correspondent::userid_name(&user),
            Correspondent::mailbox_name(&Address::parse("ann@h").unwrap())
        );
    }

    #[test]
    fn a_day_later_nothing_counts() {
        let mut mailbox = Correspondent::default();
        let first = Time::from_unix(1000);
        let second = first + seconds(1);
        for what in [
            LimitedAction::Board,
            LimitedAction::Seek,
            LimitedAction::Analysis,
            LimitedAction::Guest,
            LimitedAction::Code,
            LimitedAction::Signup,
        ] {
            assert_eq!(mailbox.actions_today(what, second + DAY), 0);
            mailbox.apply(&CorrespondentEvent::Begun { what, at: first });
            mailbox.apply(&CorrespondentEvent::Begun { what, at: second });
            let times = [second, first + DAY, second + DAY];
            assert_eq!(times.map(|now| mailbox.actions_today(what, now)), [2, 1, 0]);
            mailbox.apply(&CorrespondentEvent::Begun { what, at: second + DAY });
        }
        let back = Correspondent::from_text(&String::new(), &mailbox.to_text()).unwrap();
        let games = [&back.boards, &back.seeks, &back.analyses, &back.guests];
        for times in games.into_iter().chain([&back.asked, &back.signups]) {
            assert_eq!(times[..], [second + DAY]);
        }
    }
}
