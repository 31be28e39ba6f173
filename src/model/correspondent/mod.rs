//! The mails to an address that its owner may never have asked for, so that they stay few; and the
//! wrong passwords that came from it, or for a userid.
//!
//! The document is known by a digest, and nothing in it says whose it is. All of it is forgotten
//! after a week at most.

mod answers;
mod strangers;

pub use strangers::StrangerAction;

use crate::base::digest::{Digest, digest};
use crate::base::ids::UserId;
use crate::base::key::MAILBOXES;
use crate::base::network::Network;
use crate::base::time::{DAY, HOUR, MINUTE, Span, Time, WEEK};
use crate::mail::Address;
use crate::model::document::{Damage, Document, check_format};
use crate::model::rate_limit::{Charge, LimitVerdict};
use crate::store::Key;
use answers::CountedAnswer;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use strangers::StrangerCounts;

/// The newest format this program writes and reads.
pub const FORMAT: u32 = 1;

/// Wrong passwords before the first pause.
const FREE: u32 = 5;
/// The first pause after them.
const FIRST_PAUSE: Span = MINUTE;
/// The longest.
const LONGEST_PAUSE: Span = HOUR;

/// The counts of a mailbox, or of a userid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correspondent {
    format: u32,
    /// When words were mailed to it, for a day.
    asked: Vec<Time>,
    /// When users signed up from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signups: Vec<Time>,
    /// When boards were begun from there, within a day; for a userid: with its user, by others who
    /// had not shown yet that they read their mails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    boards: Vec<Time>,
    /// When open challenges were made from there, within a day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seeks: Vec<Time>,
    /// When games were analysed for it, within a day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    analyses: Vec<Time>,
    /// The answers to it within a day, or a week where it did not ask, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<CountedAnswer>,
    /// When it was introduced, as programs wrote it that did so once in a week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    help: Option<Time>,
    /// When a user whose address this is last showed who they are in a mail from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failures: Option<PasswordFailures>,
    /// What all strangers together do, where the document counts that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strangers: Option<StrangerCounts>,
}

/// The counts of things that players begin or ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitedAction {
    /// A board.
    Board,
    /// An open challenge.
    Seek,
    /// The analysis of a game.
    Analysis,
}

/// Wrong passwords, each within a day of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PasswordFailures {
    count: u32,
    /// When the last one came.
    last: Time,
}

/// One change of what counts for a correspondent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorrespondentEvent {
    /// An answer was sent that counts.
    Answered {
        /// The class and words that it counts for.
        charge: Charge,
        /// The verdict on it.
        verdict: LimitVerdict,
        /// When.
        at: Time,
    },
    /// A user showed who they are in a mail from this address of theirs.
    Proved {
        /// When.
        at: Time,
    },
    /// A board or an open challenge was made that counts, or a game analysed.
    Begun {
        /// The offer.
        what: LimitedAction,
        /// When.
        at: Time,
    },
    /// A wrong password came.
    WrongPassword {
        /// When.
        at: Time,
    },
    /// A code was mailed there, and its owner may never have asked for it.
    CodeMailed {
        /// When.
        at: Time,
    },
    /// A user signed up from there.
    SignedUp {
        /// When.
        at: Time,
    },
    /// Something counts for all strangers together.
    Stranger {
        /// What they did, or what was done for them.
        what: StrangerAction,
        /// When.
        at: Time,
    },
}

impl CorrespondentEvent {
    /// The event in a few words, for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::Answered { .. } => "an answer counted".into(),
            Self::Proved { .. } => "an address is a player's".into(),
            Self::Begun { what, .. } => format!("{what:?} counted"),
            Self::WrongPassword { .. } => "a wrong password counted".into(),
            Self::CodeMailed { .. } => "a code counted".into(),
            Self::SignedUp { .. } => "a user who signed up counted".into(),
            Self::Stranger { what, .. } => format!("{what:?} counted for all strangers"),
        }
    }
}

impl Default for Correspondent {
    fn default() -> Self {
        let (asked, signups, answers) = (Vec::new(), Vec::new(), Vec::new());
        let (boards, seeks, analyses) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            format: FORMAT,
            asked,
            signups,
            boards,
            seeks,
            analyses,
            answers,
            help: None,
            player: None,
            failures: None,
            strangers: None,
        }
    }
}

impl Correspondent {
    /// By what a mailbox is known: one name for `ann@host`, `Ann@host` and `ann+tag@host`.
    pub fn name(address: &Address) -> String {
        HEXLOWER.encode(&whole_digest(address)[..16])
    }

    /// The beginning of that name, by which the mails that go there are counted.
    pub fn digest(address: &Address) -> [u8; 8] {
        let digest = whole_digest(address);
        std::array::from_fn(|at| digest[at])
    }

    /// The same for a part of these mails, which is counted apart. No address looks like that.
    pub fn digest_of(address: &Address, part: &str) -> [u8; 8] {
        let digest = digest(&[&whole_digest(address)[..], part.as_bytes()].concat());
        std::array::from_fn(|at| digest[at])
    }

    /// By what the wrong passwords for a userid are known, whether there is such a user or not. No
    /// address looks like that.
    pub fn name_of(user: &UserId) -> String {
        HEXLOWER.encode(&digest(format!("userid {}", user.folded()).as_bytes())[..16])
    }

    /// By what the wrong passwords for a userid are known that come from browsers in which the user
    /// has signed in before. No address looks like that.
    pub fn name_of_known(user: &UserId) -> String {
        HEXLOWER.encode(&digest(format!("known {}", user.folded()).as_bytes())[..16])
    }

    /// By what it is known what comes from a place of the net. No address looks like that.
    pub fn name_of_network(network: Network) -> String {
        HEXLOWER.encode(&digest(format!("network {network}").as_bytes())[..16])
    }

    /// By what all senders are known whose mails name no usable address. No address looks like that.
    pub fn name_of_unnamed() -> String {
        HEXLOWER.encode(&digest(b"no usable address")[..16])
    }

    /// By what it is known what all strangers do together: by mail, and in browsers. No address looks
    /// like that.
    pub fn names_of_strangers() -> [String; 2] {
        ["strangers by mail", "strangers in browsers"]
            .map(|all| HEXLOWER.encode(&digest(all.as_bytes())[..16]))
    }

    /// By what the answers to all strangers are counted: to what was not carried out, and to what
    /// was. No address looks like that.
    pub fn names_of_answers() -> [String; 2] {
        ["answers to strangers refused", "answers to strangers"]
            .map(|all| HEXLOWER.encode(&digest(all.as_bytes())[..16]))
    }

    /// Whether strangers may do no more of that for an hour.
    pub fn is_full(&self, what: StrangerAction, now: Time) -> bool {
        self.strangers.as_ref().is_some_and(|counts| counts.is_full(what, now))
    }

    /// Whether a user has written from here within a week, and shown who they are.
    pub fn is_players(&self, now: Time) -> bool {
        self.player.is_some_and(|at| at > now - WEEK && at <= now)
    }

    /// Carries out an event.
    pub fn apply(&mut self, event: &CorrespondentEvent) {
        match event {
            CorrespondentEvent::Answered { charge, verdict, at } => {
                self.answered(charge, *verdict, *at);
            }
            CorrespondentEvent::Proved { at } => self.player = Some(*at),
            CorrespondentEvent::Begun { what: LimitedAction::Board, at } => {
                count(&mut self.boards, *at);
            }
            CorrespondentEvent::Begun { what: LimitedAction::Seek, at } => {
                count(&mut self.seeks, *at);
            }
            CorrespondentEvent::Begun { what: LimitedAction::Analysis, at } => {
                count(&mut self.analyses, *at);
            }
            CorrespondentEvent::WrongPassword { at } => self.failed(*at),
            CorrespondentEvent::CodeMailed { at } => count(&mut self.asked, *at),
            CorrespondentEvent::SignedUp { at } => count(&mut self.signups, *at),
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

    /// Until when passwords are not looked at, if that is later than now. After the fifth wrong one
    /// for a minute, and after each further one for twice as long, up to an hour.
    pub fn pause(&self, now: Time) -> Option<Time> {
        let PasswordFailures { count, last } = self.failures?;
        let doubled = count.checked_sub(FREE)?.min(16);
        let until = last + LONGEST_PAUSE.min((1 << doubled) * FIRST_PAUSE);
        // A clock that was set back pauses nobody for long.
        (now < until && last <= now).then_some(until)
    }

    /// How many words were mailed to it within a day.
    pub fn recent(&self, now: Time) -> usize {
        self.asked.iter().filter(|at| **at > now - DAY).count()
    }

    /// How often that was done from there within a day.
    pub fn begun(&self, what: LimitedAction, now: Time) -> usize {
        let times = match what {
            LimitedAction::Board => &self.boards,
            LimitedAction::Seek => &self.seeks,
            LimitedAction::Analysis => &self.analyses,
        };
        times.iter().filter(|at| **at > now - DAY).count()
    }

    /// How many users signed up from there within a day.
    pub fn signups(&self, now: Time) -> usize {
        self.signups.iter().filter(|at| **at > now - DAY).count()
    }

    /// Reads a count.
    ///
    /// # Errors
    /// The text is not of this version.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let mailbox: Self = serde_json::from_str(text).map_err(Damage::of_json)?;
        check_format(mailbox.format, FORMAT)?;
        Ok(mailbox)
    }

    /// The count as the file has it.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("a count has only numbers") + "\n"
    }
}

/// Where a password comes from.
#[derive(Debug)]
pub struct PasswordSource<'a> {
    /// By what it is known where it counts how often something comes from there.
    pub place: String,
    /// The address of the mail.
    pub address: Option<&'a Address>,
    /// The user who has signed in before in the browser.
    pub known: Option<&'a UserId>,
}

impl PasswordSource<'_> {
    /// Whether it is a browser in which the user has signed in before.
    pub fn is_known_to(&self, user: &UserId) -> bool {
        self.known == Some(user)
    }

    /// By what a wrong password for a user is counted.
    pub fn counted(&self, user: &UserId) -> Vec<String> {
        if self.is_known_to(user) {
            vec![Correspondent::name_of_known(user)]
        } else {
            vec![self.place.clone(), Correspondent::name_of(user)]
        }
    }
}

/// The key of what is counted for an address.
pub fn mailbox_key(address: &Address) -> Key {
    Key::In(MAILBOXES, Correspondent::name(address))
}

/// The key of what is counted under that name.
pub fn counted_key(name: String) -> Key {
    Key::In(MAILBOXES, name)
}

/// The key of the count of wrong passwords for a userid.
pub fn failures_key(user: &UserId) -> Key {
    Key::In(MAILBOXES, Correspondent::name_of(user))
}

impl Document for Correspondent {
    type Id = String;

    fn key(name: &String) -> Key {
        Key::In(MAILBOXES, name.clone())
    }

    fn named(key: &Key) -> Option<String> {
        match key {
            Key::In(MAILBOXES, name) => Some(name.clone()),
            _ => None,
        }
    }

    fn find(file: &str) -> Option<Key> {
        MAILBOXES.find(file)
    }

    fn from_text(_: &String, text: &str) -> Result<Self, Damage> {
        Self::read(text)
    }

    fn to_text(&self) -> String {
        self.write()
    }
}

/// Counts one more within a day.
fn count(times: &mut Vec<Time>, at: Time) {
    times.retain(|old| *old > at - DAY);
    times.push(at);
}

fn whole_digest(address: &Address) -> Digest {
    let mailbox = format!("{}@{}", address.mailbox(), address.domain()).to_ascii_lowercase();
    digest(mailbox.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::seconds;

    #[test]
    fn tags_and_capitals_make_no_second_mailbox() {
        let name = |text: &str| Correspondent::name(&Address::parse(text).unwrap());
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
        // A day later it begins anew; and a clock that goes back an hour pauses nobody.
        assert_eq!(mailbox.pause(now - HOUR - seconds(1)), None);
        mailbox.failed(now + DAY);
        assert_eq!(mailbox.pause(now + DAY), None);
        assert_eq!(Correspondent::read(&mailbox.write()).unwrap(), mailbox);
        let mut many = Correspondent::default();
        (0..200).for_each(|_| many.failed(now));
        assert_eq!(many.pause(now), Some(now + HOUR));
    }

    #[test]
    fn a_userid_and_an_address_are_never_the_same_document() {
        let user = UserId::parse("Ann").unwrap();
        assert_eq!(
            Correspondent::name_of(&user),
            Correspondent::name_of(&UserId::parse("ann").unwrap())
        );
        assert_ne!(
            Correspondent::name_of(&user),
            Correspondent::name(&Address::parse("ann@h").unwrap())
        );
    }

    #[test]
    fn a_day_later_nothing_counts() {
        let mut mailbox = Correspondent::default();
        let first = Time::from_unix(1000);
        let second = first + seconds(1);
        mailbox.apply(&CorrespondentEvent::CodeMailed { at: first });
        mailbox.apply(&CorrespondentEvent::CodeMailed { at: second });
        assert_eq!((mailbox.recent(second), mailbox.recent(first + DAY)), (2, 1));
        mailbox.apply(&CorrespondentEvent::CodeMailed { at: second + DAY });
        assert_eq!(Correspondent::read(&mailbox.write()).unwrap().asked, [second + DAY]);
        assert_eq!(mailbox.signups(second + DAY), 0);
        mailbox.apply(&CorrespondentEvent::SignedUp { at: first });
        mailbox.apply(&CorrespondentEvent::SignedUp { at: second });
        assert_eq!([second, first + DAY, second + DAY].map(|now| mailbox.signups(now)), [2, 1, 0]);
        mailbox.apply(&CorrespondentEvent::SignedUp { at: second + DAY });
        assert_eq!(Correspondent::read(&mailbox.write()).unwrap().signups, [second + DAY]);
        for what in [LimitedAction::Board, LimitedAction::Seek, LimitedAction::Analysis] {
            mailbox.apply(&CorrespondentEvent::Begun { what, at: first });
            mailbox.apply(&CorrespondentEvent::Begun { what, at: second });
            assert_eq!([second, first + DAY].map(|now| mailbox.begun(what, now)), [2, 1]);
            mailbox.apply(&CorrespondentEvent::Begun { what, at: second + DAY });
        }
        let back = Correspondent::read(&mailbox.write()).unwrap();
        for times in [&back.boards, &back.seeks, &back.analyses] {
            assert_eq!(times[..], [second + DAY]);
        }
    }
}
