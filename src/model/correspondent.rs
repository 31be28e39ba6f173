//! What an address was sent that its owner may never have asked for, so that it is little; and the
//! wrong passwords that came from it, or for a userid.
//!
//! The document is known by a digest: whose it is does not stand in it. All of it is forgotten after
//! a week at most.

use crate::base::digest::{Digest, digest};
use crate::base::ids::UserId;
use crate::mail::Address;
use crate::model::board::Damage;
use crate::model::rate_limit::{Charge, Class, RateLimits, SHORT, SPARE, Verdict};
use crate::model::world::DAY;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// The newest format this program writes and reads.
const FORMAT: u32 = 1;

/// Seconds for which it counts that somebody was introduced.
const WEEK: i64 = 7 * DAY;
/// What stands in the place of the words where an answer was too long.
const TOO_LONG: &str = "too long";
/// Wrong passwords before the first pause.
const FREE: u32 = 5;
/// The first pause behind them, and the longest, in seconds.
const PAUSES: [i64; 2] = [60, 3_600];

/// What is counted for a mailbox, or for a userid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correspondent {
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
    /// What it was answered within a day, or a week where it did not ask, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<Answered>,
    /// When it was introduced, as programs wrote it that did so once in a week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    help: Option<i64>,
    /// When a user whose address this is last showed who they are in a mail from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<i64>,
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
    /// A digest of the board that it was about, where boards are counted apart.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    board: String,
    /// How long the answer was, where that counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    bytes: usize,
    /// Unix seconds.
    at: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(bytes: &usize) -> bool {
    *bytes == 0
}

impl Answered {
    /// Whether it still counts for anything.
    fn counts(&self, now: i64) -> bool {
        let is_of_week = matches!(self.class, Class::Help | Class::Prose);
        self.at > now - if is_of_week { WEEK } else { DAY }
    }
}

/// Wrong passwords, each within a day of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Failures {
    count: u32,
    /// When the last one came, Unix seconds.
    last: i64,
}

impl Default for Correspondent {
    fn default() -> Self {
        let (asked, signups, answers) = (Vec::new(), Vec::new(), Vec::new());
        let (boards, seeks) = (Vec::new(), Vec::new());
        let (help, player, failures) = (None, None, None);
        Self { format: FORMAT, asked, signups, boards, seeks, answers, help, player, failures }
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

    /// Whether one more answer may go there.
    pub fn judge(&self, charge: &Charge, now: i64, rate_limits: &RateLimits) -> Verdict {
        let Charge { class, of, board, bytes } = charge;
        let counted = || {
            let all = self.answers.iter().filter(|old| old.counts(now));
            all.filter(|old| old.class == *class && old.of != TOO_LONG)
        };
        // A player's mail without a command is answered as one of theirs that answers ours.
        let is_stranger = *class == Class::Help && !self.is_players(now);
        let window = if is_stranger { WEEK } else { DAY };
        let before = counted().filter(|old| old.at > now - window).count();
        let is_known = *class == Class::Help && !is_stranger;
        let bound = rate_limits.of(if is_known { Class::Prose } else { *class });
        let all = before + if is_known { 0 } else { self.introduced(*class, now) };
        let on_board = counted().filter(|old| old.board == *board);
        let same = on_board.clone().filter(|old| old.of == *of).count();
        let on_board = if board.is_empty() { 0 } else { on_board.count() };
        if all >= bound.most || same >= bound.same || on_board >= bound.board {
            Verdict::Silence
        } else if class.is_anybodys() && !self.has_room(*bytes, now, rate_limits) {
            if self.was_too_long(now) { Verdict::Silence } else { Verdict::Full }
        } else if is_stranger {
            // The introduction says itself how often it comes.
            Verdict::Answer
        } else if all + 1 == bound.most || on_board + 1 == bound.board {
            Verdict::Last
        } else if same > 0 && same + 1 == bound.same {
            Verdict::LastOfThese
        } else {
            Verdict::Answer
        }
    }

    /// What counts for a class that an earlier program wrote in another way; and that whoever was
    /// introduced today may be a program, whose answer to that is answered once less.
    fn introduced(&self, class: Class, now: i64) -> usize {
        let since = match class {
            Class::Help => WEEK,
            Class::Doubted => DAY,
            _ => return 0,
        };
        let earlier = usize::from(self.help.is_some_and(|at| at > now - since));
        let is_new = |old: &&Answered| old.class == Class::Help && old.at > now - since;
        let new = if class == Class::Help { 0 } else { self.answers.iter().filter(is_new).count() };
        earlier + new
    }

    /// Whether an answer that anybody could cause is short enough for what is left of the day.
    fn has_room(&self, bytes: usize, now: i64, rate_limits: &RateLimits) -> bool {
        let today = self.answers.iter().filter(|old| old.at > now - DAY);
        let spent: usize = today.map(|old| old.bytes).sum();
        let spare = if bytes <= SHORT { SPARE } else { 0 };
        // Who plays here has asked for mails, and reads many pages.
        let times = if self.is_players(now) { 5 } else { 1 };
        spent.saturating_add(bytes) <= rate_limits.bytes.saturating_mul(times).saturating_add(spare)
    }

    /// Whether a user has written from here within a week, and shown who they are.
    pub fn is_players(&self, now: i64) -> bool {
        self.player.is_some_and(|at| at > now - WEEK && at <= now)
    }

    /// Remembers that a user has shown who they are in a mail from here.
    pub fn is_a_players(&mut self, at: i64) {
        self.player = Some(at);
    }

    /// Whether its owner was told today that an answer was too long.
    fn was_too_long(&self, now: i64) -> bool {
        self.answers.iter().any(|old| old.of == TOO_LONG && old.at > now - DAY)
    }

    /// Counts an answer, as it was judged.
    pub fn answered(&mut self, charge: &Charge, verdict: Verdict, at: i64) {
        self.answers.retain(|old| old.counts(at));
        self.help = self.help.filter(|old| *old > at - WEEK);
        let Charge { class, of, board, bytes } = charge.clone();
        let bytes = if class.is_anybodys() { bytes } else { 0 };
        let answered = match verdict {
            Verdict::Silence => return,
            Verdict::Full => Answered { class, of: TOO_LONG.into(), board, bytes: 0, at },
            Verdict::Answer | Verdict::Last | Verdict::LastOfThese => {
                Answered { class, of, board, bytes, at }
            }
        };
        self.answers.push(answered);
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

fn whole_digest(address: &Address) -> Digest {
    let mailbox = format!("{}@{}", address.mailbox(), address.domain()).to_ascii_lowercase();
    digest(mailbox.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(Correspondent::read(&mailbox.write()).unwrap(), mailbox);
        let mut many = Correspondent::default();
        (0..200).for_each(|_| many.failed(now));
        assert_eq!(many.pause(now), Some(now + 3_600));
    }

    /// Judges an answer and counts it.
    fn say(mailbox: &mut Correspondent, charge: &Charge, now: i64) -> Verdict {
        let verdict = mailbox.judge(charge, now, &RateLimits::default());
        mailbox.answered(charge, verdict, now);
        assert_eq!(Correspondent::read(&mailbox.write()).unwrap(), *mailbox);
        verdict
    }

    fn charge(class: Class, of: &str) -> Charge {
        Charge { class, of: of.into(), board: String::new(), bytes: 100 }
    }

    #[test]
    fn answers_are_counted_by_class_and_by_what_they_answer() {
        let now = 1_000_000;
        let mailbox = &mut Correspondent::default();
        let mut say = |class, of: &str, at| say(mailbox, &charge(class, of), at);
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
        assert_eq!(say(Class::Doubted, "a", now), Verdict::Answer);
        assert_eq!(say(Class::Doubted, "b", now), Verdict::Last);
        assert_eq!(say(Class::Doubted, "c", now), Verdict::Silence);
        assert_eq!(say(Class::Error, "a", now + DAY), Verdict::Answer);
        for of in ["a", "b", "c"] {
            assert_eq!(say(Class::Help, of, now), Verdict::Answer);
            assert_eq!(say(Class::Help, of, now), Verdict::Silence, "the same once in a week");
        }
        assert_eq!(say(Class::Help, "d", now + WEEK - 1), Verdict::Silence);
        assert_eq!(say(Class::Help, "a", now + WEEK), Verdict::Answer);
        assert_eq!(say(Class::Prose, "a", now), Verdict::Answer);
        assert_eq!(say(Class::Prose, "a", now + WEEK - 1), Verdict::Silence);
        assert_eq!(say(Class::Prose, "a", now + WEEK), Verdict::Answer);
    }

    #[test]
    fn replies_without_a_move_are_counted_by_board_and_by_words() {
        let (mailbox, now) = (&mut Correspondent::default(), 1_000_000);
        let mut say = |of: &str, board: &str| {
            let charge = Charge { board: board.into(), ..charge(Class::Unread, of) };
            say(mailbox, &charge, now)
        };
        assert_eq!(say("a", "1"), Verdict::Answer);
        assert_eq!(say("a", "1"), Verdict::LastOfThese);
        assert_eq!(say("a", "1"), Verdict::Silence);
        assert_eq!(say("a", "2"), Verdict::Answer, "on another board");
        for of in 0..7 {
            assert_eq!(say(&of.to_string(), "1"), Verdict::Answer);
        }
        assert_eq!(say("tenth", "1"), Verdict::Last);
        assert_eq!(say("eleventh", "1"), Verdict::Silence);
        assert_eq!(say("b", "2"), Verdict::Answer);
    }

    #[test]
    fn what_anybody_can_cause_is_counted_in_bytes() {
        let (mailbox, now) = (&mut Correspondent::default(), 1_000_000);
        let of = |class, of: &str, bytes| Charge { bytes, ..charge(class, of) };
        for (number, verdict) in [Verdict::Answer, Verdict::Answer, Verdict::Full, Verdict::Silence]
            .into_iter()
            .enumerate()
        {
            let charge = of(Class::Asked, &number.to_string(), 30_000);
            assert_eq!(say(mailbox, &charge, now), verdict);
        }
        // What is short still goes, and what only the player can cause.
        let short = of(Class::Asked, "signup", SHORT);
        assert_eq!(say(mailbox, &short, now), Verdict::Answer);
        assert_eq!(say(mailbox, &of(Class::Own, "x", 90_000), now), Verdict::Answer);
        for number in 0..40 {
            say(mailbox, &of(Class::Asked, &format!("{number}."), SHORT), now);
        }
        let spent: usize = mailbox.answers.iter().map(|old| old.bytes).sum();
        assert!(spent <= 100_000, "{spent}");
        assert_eq!(say(mailbox, &short, now + DAY), Verdict::Answer);
    }

    #[test]
    fn an_address_of_a_player_is_answered_more_often() {
        let (mailbox, now) = (&mut Correspondent::default(), 1_000_000);
        mailbox.is_a_players(now - WEEK + DAY);
        let of = |of: usize, bytes| Charge { bytes, ..charge(Class::Help, &of.to_string()) };
        let sent = (0..20).filter(|number| say(mailbox, &of(*number, 100), now).is_sent());
        assert_eq!(sent.count(), 10);
        let page = |of: &str| Charge { bytes: 30_000, ..charge(Class::Asked, of) };
        assert!((0..13).all(|number| say(mailbox, &page(&number.to_string()), now).is_sent()));
        assert!(!say(mailbox, &page("more"), now).is_sent());
        // A week later it is a stranger's again.
        let later = now + DAY;
        let sent = (20..40).filter(|number| say(mailbox, &of(*number, 100), later).is_sent());
        assert_eq!(sent.count(), 0, "ten in the last seven days are more than three");
        let pages = (20..40).filter(|of| say(mailbox, &page(&of.to_string()), later).is_sent());
        assert_eq!(pages.count(), 2);
    }

    /// As programs wrote it that knew neither boards nor bytes.
    #[test]
    fn documents_of_earlier_programs_are_read() {
        let old = r#"{"format":1,"asked":[5],"answers":[{"class":"reply","of":"ab","at":999000},
            {"class":"help","of":"","at":1}],"help":999000}"#;
        let mailbox = Correspondent::read(old).unwrap();
        assert_eq!(mailbox.answers.len(), 2);
        let judge = |of: &str, now| {
            mailbox.judge(
                &charge(Class::Help, of),
                now,
                &RateLimits { help: 1, ..RateLimits::default() },
            )
        };
        assert_eq!(judge("a", 1_000_000), Verdict::Silence);
        assert_eq!(judge("a", 999_000 + WEEK), Verdict::Answer);
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
        mailbox.count(1000);
        mailbox.count(1001);
        assert_eq!((mailbox.recent(1001), mailbox.recent(1000 + DAY)), (2, 1));
        mailbox.count(1001 + DAY);
        assert_eq!(Correspondent::read(&mailbox.write()).unwrap().asked, [1001 + DAY]);
        assert_eq!(mailbox.signups(1001 + DAY), 0);
        mailbox.count_signup(1000);
        mailbox.count_signup(1001);
        assert_eq!([1001, 1000 + DAY, 1001 + DAY].map(|now| mailbox.signups(now)), [2, 1, 0]);
        mailbox.count_signup(1001 + DAY);
        assert_eq!(Correspondent::read(&mailbox.write()).unwrap().signups, [1001 + DAY]);
        for what in [Begun::Board, Begun::Seek] {
            mailbox.count_begun(what, 1000);
            mailbox.count_begun(what, 1001);
            assert_eq!([1001, 1000 + DAY].map(|now| mailbox.begun(what, now)), [2, 1]);
            mailbox.count_begun(what, 1001 + DAY);
        }
        let back = Correspondent::read(&mailbox.write()).unwrap();
        assert_eq!((&back.boards[..], &back.seeks[..]), (&[1001 + DAY][..], &[1001 + DAY][..]));
    }
}
