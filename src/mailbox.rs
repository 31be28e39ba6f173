//! What an address was sent that its owner may never have asked for, so that it is little; and the
//! wrong passwords that came from it, or for a userid.
//!
//! The document is known by a digest: whose it is does not stand in it. All of it is forgotten after
//! a week at most.

use crate::board::Damage;
use crate::ids::UserId;
use crate::message::Address;
use crate::store::digest;
use crate::valve::{Class, Valves, Verdict};
use crate::world::DAY;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// The newest format this program writes and reads.
const FORMAT: u32 = 1;

/// Seconds for which help that nobody asked for is not sent again.
const WEEK: i64 = 7 * DAY;
/// Wrong passwords before the first pause.
const FREE: u32 = 5;
/// The first pause behind them, and the longest, in seconds.
const PAUSES: [i64; 2] = [60, 3_600];

/// What is counted for a mailbox, or for a userid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mailbox {
    format: u32,
    /// When words were mailed to it, Unix seconds, for a day.
    asked: Vec<i64>,
    /// When users signed up from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signups: Vec<i64>,
    /// When boards were begun from there, within a day; for a userid: with its user, by others who
    /// had not shown yet that they read their mails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    boards: Vec<i64>,
    /// When open challenges were made from there, within a day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seeks: Vec<i64>,
    /// What it was answered within a day, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<Answered>,
    /// When it got help that was not asked for, Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    help: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failures: Option<Failures>,
}

/// What is counted of what players begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// A board.
    Board,
    /// An open challenge.
    Seek,
}

/// An answer that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    class: Class,
    /// A digest of what was answered.
    of: String,
    /// Unix seconds.
    at: i64,
}

/// Wrong passwords, each within a day of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Failures {
    count: u32,
    /// When the last one came, Unix seconds.
    last: i64,
}

impl Default for Mailbox {
    fn default() -> Self {
        let (asked, signups, answers) = (Vec::new(), Vec::new(), Vec::new());
        let (boards, seeks) = (Vec::new(), Vec::new());
        Self { format: FORMAT, asked, signups, boards, seeks, answers, help: None, failures: None }
    }
}

impl Mailbox {
    /// By what a mailbox is known: one name for `ann@host`, `Ann@host` and `ann+tag@host`.
    pub fn name(address: &Address) -> String {
        HEXLOWER.encode(&whole_digest(address)[..16])
    }

    /// The beginning of that name, by which the mails that go there are counted.
    pub fn digest(address: &Address) -> [u8; 8] {
        let digest = whole_digest(address);
        std::array::from_fn(|at| digest[at])
    }

    /// By what the wrong passwords for a userid are known, whether there is such a user or not. No
    /// address looks like that.
    pub fn name_of(user: &UserId) -> String {
        HEXLOWER.encode(&digest(format!("userid {}", user.folded()).as_bytes())[..16])
    }

    /// Whether one more answer of a class may go there; `of` is what is answered.
    pub fn judge(&self, class: Class, of: &str, now: i64, valves: &Valves) -> Verdict {
        if class == Class::Help {
            let again = self.help.filter(|_| valves.help).map(|at| at + WEEK);
            return if again.is_some_and(|again| again > now) {
                Verdict::Silence
            } else {
                Verdict::Answer
            };
        }
        let today = self.answers.iter().filter(|old| old.class == class && old.at > now - DAY);
        let helped = class == Class::Reply && self.help.is_some_and(|at| at > now - DAY);
        let all = today.clone().count() + usize::from(helped);
        let same = today.filter(|old| old.of == of).count();
        let (most, most_same) = valves.of(class);
        if all >= most || same >= most_same {
            Verdict::Silence
        } else if all + 1 == most {
            Verdict::Last
        } else if same > 0 && same + 1 == most_same {
            Verdict::LastOfThese
        } else {
            Verdict::Answer
        }
    }

    /// Counts an answer.
    pub fn answered(&mut self, class: Class, of: &str, at: i64) {
        if class == Class::Help {
            self.help = Some(at);
            return;
        }
        self.answers.retain(|old| old.at > at - DAY);
        self.answers.push(Answered { class, of: of.to_owned(), at });
    }

    /// Counts a wrong password.
    pub fn failed(&mut self, at: i64) {
        let before = self.failures.filter(|failures| failures.last > at - DAY);
        let count = before.map_or(0, |failures| failures.count).saturating_add(1);
        self.failures = Some(Failures { count, last: at });
    }

    /// Until when passwords are not looked at, Unix seconds, if that is later than now. After the
    /// fifth wrong one for a minute, and after each further one for twice as long, up to an hour.
    pub fn pause(&self, now: i64) -> Option<i64> {
        let Failures { count, last } = self.failures?;
        let doubled = count.checked_sub(FREE)?.min(16);
        let until = last + PAUSES[1].min(PAUSES[0] << doubled);
        // A clock that was set back pauses nobody for long.
        (now < until && last <= now).then_some(until)
    }

    /// How many words were mailed to it within a day.
    pub fn recent(&self, now: i64) -> usize {
        self.asked.iter().filter(|at| **at > now - DAY).count()
    }

    /// Counts one more.
    pub fn count(&mut self, at: i64) {
        self.asked.retain(|old| *old > at - DAY);
        self.asked.push(at);
    }

    /// How often that was done from there within a day.
    pub fn begun(&self, what: Begun, now: i64) -> usize {
        let times = match what {
            Begun::Board => &self.boards,
            Begun::Seek => &self.seeks,
        };
        times.iter().filter(|at| **at > now - DAY).count()
    }

    /// Counts one more.
    pub fn count_begun(&mut self, what: Begun, at: i64) {
        let times = match what {
            Begun::Board => &mut self.boards,
            Begun::Seek => &mut self.seeks,
        };
        times.retain(|old| *old > at - DAY);
        times.push(at);
    }

    /// How many users signed up from there within a day.
    pub fn signups(&self, now: i64) -> usize {
        self.signups.iter().filter(|at| **at > now - DAY).count()
    }

    /// Counts one more who signed up.
    pub fn count_signup(&mut self, at: i64) {
        self.signups.retain(|old| *old > at - DAY);
        self.signups.push(at);
    }

    /// Reads a count.
    ///
    /// # Errors
    /// The text is none of this version.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let mailbox: Self =
            serde_json::from_str(text).map_err(|error| Damage(error.to_string()))?;
        if mailbox.format > FORMAT {
            return Err(Damage(format!("format {} is newer than this program", mailbox.format)));
        }
        Ok(mailbox)
    }

    /// The count as the file has it.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("a count has only numbers") + "\n"
    }
}

fn whole_digest(address: &Address) -> [u8; 32] {
    let mailbox = format!("{}@{}", address.mailbox(), address.domain()).to_ascii_lowercase();
    digest(mailbox.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_capitals_make_no_second_mailbox() {
        let name = |text: &str| Mailbox::name(&Address::parse(text).unwrap());
        assert_eq!(name("ann@host.org"), name("Ann+1@HOST.org"));
        assert_ne!(name("ann@host.org"), name("anne@host.org"));
        assert!(!name("ann@host.org").contains("ann"));
    }

    #[test]
    fn passwords_pause_twice_as_long_each_time_up_to_an_hour() {
        let mut mailbox = Mailbox::default();
        let mut now = 1_000_000;
        let mut pauses = Vec::new();
        for _ in 0..14 {
            mailbox.failed(now);
            let until = mailbox.pause(now).unwrap_or(now);
            pauses.push((until - now) / 60);
            assert!(mailbox.pause(until).is_none());
            now = until;
        }
        assert_eq!(pauses, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
        // A day later it begins anew; and a clock that goes back an hour pauses nobody.
        assert_eq!(mailbox.pause(now - 3_601), None);
        mailbox.failed(now + DAY);
        assert_eq!(mailbox.pause(now + DAY), None);
        assert_eq!(Mailbox::read(&mailbox.write()).unwrap(), mailbox);
        let mut many = Mailbox::default();
        (0..200).for_each(|_| many.failed(now));
        assert_eq!(many.pause(now), Some(now + 3_600));
    }

    #[test]
    fn answers_are_counted_by_class_and_by_what_they_answer() {
        let (valves, now) = (Valves::default(), 1_000_000);
        let mut mailbox = Mailbox::default();
        let mut say = |class, of: &str, at| {
            let verdict = mailbox.judge(class, of, at, &valves);
            if verdict != Verdict::Silence {
                mailbox.answered(class, of, at);
            }
            verdict
        };
        assert_eq!(say(Class::Error, "a", now), Verdict::Answer);
        assert_eq!(say(Class::Error, "a", now), Verdict::Silence, "the same once a day");
        for of in 0..8 {
            assert_eq!(say(Class::Error, &of.to_string(), now), Verdict::Answer);
        }
        assert_eq!(say(Class::Error, "tenth", now), Verdict::Last);
        assert_eq!(say(Class::Error, "eleventh", now), Verdict::Silence);
        assert_eq!(say(Class::Own, "a", now), Verdict::Answer, "a player's own count");
        assert_eq!(say(Class::Own, "a", now), Verdict::LastOfThese);
        assert_eq!(say(Class::Own, "a", now), Verdict::Silence);
        assert_eq!(say(Class::Reply, "a", now), Verdict::Answer);
        assert_eq!(say(Class::Reply, "b", now), Verdict::Last);
        assert_eq!(say(Class::Reply, "c", now), Verdict::Silence);
        assert_eq!(say(Class::Error, "a", now + DAY), Verdict::Answer);
        assert_eq!(say(Class::Help, "", now), Verdict::Answer);
        assert_eq!(say(Class::Help, "", now + WEEK - 1), Verdict::Silence);
        assert_eq!(say(Class::Help, "", now + WEEK), Verdict::Answer);
    }

    #[test]
    fn a_userid_and_an_address_are_never_the_same_document() {
        let user = UserId::parse("Ann").unwrap();
        assert_eq!(Mailbox::name_of(&user), Mailbox::name_of(&UserId::parse("ann").unwrap()));
        assert_ne!(Mailbox::name_of(&user), Mailbox::name(&Address::parse("ann@h").unwrap()));
    }

    #[test]
    fn a_day_later_nothing_counts() {
        let mut mailbox = Mailbox::default();
        mailbox.count(1000);
        mailbox.count(1001);
        assert_eq!((mailbox.recent(1001), mailbox.recent(1000 + DAY)), (2, 1));
        mailbox.count(1001 + DAY);
        assert_eq!(Mailbox::read(&mailbox.write()).unwrap().asked, [1001 + DAY]);
        assert_eq!(mailbox.signups(1001 + DAY), 0);
        mailbox.count_signup(1000);
        mailbox.count_signup(1001);
        assert_eq!([1001, 1000 + DAY, 1001 + DAY].map(|now| mailbox.signups(now)), [2, 1, 0]);
        mailbox.count_signup(1001 + DAY);
        assert_eq!(Mailbox::read(&mailbox.write()).unwrap().signups, [1001 + DAY]);
        for what in [Begun::Board, Begun::Seek] {
            mailbox.count_begun(what, 1000);
            mailbox.count_begun(what, 1001);
            assert_eq!([1001, 1000 + DAY].map(|now| mailbox.begun(what, now)), [2, 1]);
            mailbox.count_begun(what, 1001 + DAY);
        }
        let back = Mailbox::read(&mailbox.write()).unwrap();
        assert_eq!((&back.boards[..], &back.seeks[..]), (&[1001 + DAY][..], &[1001 + DAY][..]));
    }
}
