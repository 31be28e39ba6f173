//! A user: who they are, where their mail goes, and on which boards they play.

use crate::base::ids::{BoardId, UserId};
use crate::mail::Address;
use crate::model::board::Damage;
use crate::model::clock::Vacation;
use crate::model::code::{Pending, Purpose};
use crate::model::event::Change;
use crate::model::opening::{self, Opening};
use crate::model::rating::Standing;
use crate::model::world::DAY;
use games::{AnyGame, Choices, Scope};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The newest user format this program writes and reads.
const FORMAT: u32 = 1;

/// A user as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    format: u32,
    /// The userid as typed at signup.
    pub id: UserId,
    /// The password as an Argon2id string.
    pub password: String,
    /// Where mails go: all of these.
    pub addresses: Vec<Address>,
    /// When they signed up, Unix seconds.
    pub joined: i64,
    /// Boards in progress, oldest first. An index of the boards, for speed.
    #[serde(default)]
    pub active: Vec<BoardId>,
    /// Boards that ended, oldest end first. An index of the boards, for speed.
    #[serde(default)]
    pub finished: Vec<BoardId>,
    /// What the user likes on all boards of a game, by the game's name: words such as
    /// `-sethome=ul`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Vec<String>>,
    /// At most so many boards in progress of a game, by the game's name; none where challenges
    /// to it are refused.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, u32>,
    /// Challenges sent by mail that are unanswered or less than a day old.
    #[serde(default)]
    pub challenges: Vec<Challenge>,
    /// Days on which no clock of his runs, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacations: Vec<Vacation>,
    /// How the user stands in each game, by the game's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ratings: BTreeMap<String, Standing>,
    /// What the user likes that has nothing to do with a game.
    #[serde(default, skip_serializing_if = "Preferences::is_default")]
    pub preferences: Preferences,
    /// One-time words mailed within a day. Used for a password, or void: they were mailed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Pending>,
    /// When the user's last broadcast was, Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broadcast: Option<i64>,
    /// Messages to other users within a day, oldest first: a time for each reader, Unix seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<i64>,
    /// Chats, messages and offers to others within a day, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spoken: Vec<Spoken>,
    /// Whose words the user does not want to hear, in the order in which they were named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub muted: Vec<UserId>,
    /// Mails that came back within a week, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returned: Vec<Returned>,
    /// Addresses where no mails go, since so many came back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Address>,
    /// How often all reply addresses of the user were made void.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tokens: u32,
    /// Whether the user signed up by mail and has not yet answered one: anybody may have written
    /// that, in the name of the address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unproved: bool,
    /// The openings of boards that the user gave up without a game, by the game's name: they come
    /// again, the oldest first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub openings: BTreeMap<String, Vec<Opening>>,
    /// When and how the user has left, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Left>,
    /// Under which userid who had this one goes on, if the operator renamed him.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed: Option<UserId>,
}

/// What a user likes that has nothing to do with a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is chosen by itself, as on or off")]
pub struct Preferences {
    /// Mails carry an HTML part where there is one.
    pub html: bool,
    /// Broadcasts are welcome.
    pub broadcast: bool,
    /// Reminders are welcome.
    #[serde(skip_serializing_if = "is_on")]
    pub reminders: bool,
    /// The language of mails.
    pub language: Language,
    /// Pictures are told in words, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub words: bool,
}

/// A language in which mails are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_on(chosen: &bool) -> bool {
    *chosen
}

impl Default for Preferences {
    fn default() -> Self {
        let (html, broadcast, reminders, words) = (true, true, true, false);
        Self { html, broadcast, reminders, language: Language::default(), words }
    }
}

impl Preferences {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether mails of that kind are welcome.
    pub fn wants(&self, what: OptOut) -> bool {
        match what {
            OptOut::Reminders => self.reminders,
            OptOut::Broadcasts => self.broadcast,
        }
    }
}

/// Mails that nobody asked for and everybody can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptOut {
    /// Those to whoever lets a board wait.
    Reminders,
    /// What users write to everybody.
    Broadcasts,
}

impl OptOut {
    /// What is chosen by whoever wants no such mails.
    pub fn preference(self) -> Preference {
        match self {
            Self::Reminders => Preference::Reminders(false),
            Self::Broadcasts => Preference::Broadcast(false),
        }
    }
}

/// One of [`Preferences`], as chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// Mails carry an HTML part.
    Html(bool),
    /// Broadcasts are welcome.
    Broadcast(bool),
    /// Reminders are welcome.
    Reminders(bool),
    /// The language of mails.
    Language(Language),
    /// Pictures are told in words, too.
    Words(bool),
}

/// That a mail to an address came back for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Returned {
    /// Which address.
    pub address: Address,
    /// When that was told, Unix seconds.
    pub at: i64,
}

/// That a user had words or an offer sent to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spoken {
    /// To whom.
    pub to: UserId,
    /// When, Unix seconds.
    pub at: i64,
}

const HOUR: i64 = 60 * 60;

/// Mails that come back within a week before no more are sent.
const MOST_RETURNED: usize = 3;

/// That a user has left. The userid stays taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Left {
    /// When, Unix seconds.
    pub at: i64,
    /// Whether everything but the userid and the boards was erased.
    pub erased: bool,
}

/// A challenge that its sender may still be held to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Challenge {
    /// The board it set up.
    pub board: BoardId,
    /// Who was challenged.
    pub to: UserId,
    /// When, Unix seconds.
    pub at: i64,
    /// Whether the one challenged has moved or declined.
    pub answered: bool,
}

impl User {
    /// A new user.
    pub fn new(id: UserId, password: String, addresses: Vec<Address>, joined: i64) -> Self {
        Self {
            format: FORMAT,
            id,
            password,
            addresses,
            joined,
            active: Vec::new(),
            finished: Vec::new(),
            settings: BTreeMap::new(),
            limits: BTreeMap::new(),
            challenges: Vec::new(),
            vacations: Vec::new(),
            ratings: BTreeMap::new(),
            preferences: Preferences::default(),
            words: Vec::new(),
            broadcast: None,
            messages: Vec::new(),
            spoken: Vec::new(),
            muted: Vec::new(),
            returned: Vec::new(),
            stopped: Vec::new(),
            tokens: 0,
            unproved: false,
            openings: BTreeMap::new(),
            left: None,
            renamed: None,
        }
    }

    /// Whether a one-time word of that kind is good for this user now.
    pub fn has_word(&self, word: &str, purpose: &Purpose, now: i64) -> bool {
        let alike = self.words.iter().filter(|pending| pending.purpose.is_like(purpose));
        // Each is looked at, so that the time does not tell which one fitted.
        alike.fold(false, |found, pending| found | pending.fits(word, &self.id, now))
    }

    /// How many words of that kind were mailed within a day.
    pub fn words_mailed(&self, purpose: &Purpose, now: i64) -> usize {
        let recent = self.words.iter().filter(|pending| pending.is_recent(now));
        recent.filter(|pending| pending.purpose.is_like(purpose)).count()
    }

    /// To how many readers the user has written within a day.
    pub fn readers(&self, now: i64) -> usize {
        self.messages.iter().filter(|at| **at > now - DAY).count()
    }

    /// How often the user has spoken to somebody within a day.
    pub fn has_spoken(&self, to: &UserId, now: i64) -> usize {
        self.spoken.iter().filter(|old| old.to == *to && old.at > now - DAY).count()
    }

    /// How many of his challenges to somebody wait for an answer. One whose board is over without
    /// any, because he gave it up himself, waits for a day.
    pub fn unanswered(&self, to: &UserId, now: i64) -> usize {
        let open = self.challenges.iter().filter(|old| !old.answered && old.to == *to);
        open.filter(|old| self.holds(old, now)).count()
    }

    /// Whether a challenge still counts for anything.
    fn holds(&self, old: &Challenge, now: i64) -> bool {
        old.at > now - DAY || (!old.answered && self.active.contains(&old.board))
    }

    /// Remembers a challenge, and forgets those that count no more.
    pub fn has_challenged(&mut self, new: Challenge) {
        let mut challenges = std::mem::take(&mut self.challenges);
        challenges.retain(|old| self.holds(old, new.at));
        challenges.push(new);
        self.challenges = challenges;
    }

    /// Whether openings of a game are kept.
    pub fn keeps(&self, game: &str) -> bool {
        self.openings.get(game).is_some_and(|kept| !kept.is_empty())
    }

    /// Forgets an opening of a game that was played.
    pub fn forget_opening(&mut self, game: &str, played: &Opening) {
        if let Some(kept) = self.openings.get_mut(game) {
            opening::forget(kept, played);
            if kept.is_empty() {
                self.openings.remove(game);
            }
        }
    }

    /// Carries out a change of the account.
    pub fn change(&mut self, change: &Change) {
        match change {
            Change::Mailed(pending) => {
                self.words.retain(|old| old.is_recent(pending.at));
                self.words.push(pending.clone());
            }
            Change::Password(hash) => {
                self.password.clone_from(hash);
                // Whoever knew the old password may have asked for them. That they were mailed still
                // counts, or mails could be had without end by using one word and asking for more.
                self.words.iter_mut().for_each(Pending::void);
                self.void_tokens();
            }
            Change::Addresses(addresses) => {
                if self.addresses.iter().any(|old| !addresses.contains(old)) {
                    self.void_tokens();
                }
                self.addresses.clone_from(addresses);
                // Whoever names an address wants mails there.
                self.returned.clear();
                self.stopped.clear();
                let is_address =
                    |word: &&mut Pending| matches!(word.purpose, Purpose::Address { .. });
                // An address that was asked for before is not wanted any more.
                self.words.iter_mut().filter(is_address).for_each(Pending::void);
            }
            Change::Confirmed(confirmed) => {
                self.unproved = false;
                self.confirm(confirmed);
                self.reach(std::slice::from_ref(confirmed));
            }
            Change::Returned { address, at } => self.give_back(address, *at),
            Change::Reached(addresses) => self.reach(addresses),
            Change::Proved => self.unproved = false,
            Change::Prefers(preference) => match *preference {
                Preference::Html(on) => self.preferences.html = on,
                Preference::Broadcast(on) => self.preferences.broadcast = on,
                Preference::Reminders(on) => self.preferences.reminders = on,
                Preference::Language(language) => self.preferences.language = language,
                Preference::Words(on) => self.preferences.words = on,
            },
            Change::Wrote { at, readers } => {
                self.messages.retain(|old| *old > at - DAY);
                self.messages.extend(std::iter::repeat_n(*at, *readers));
            }
            Change::Broadcast(at) => self.broadcast = Some(*at),
            Change::Spoke { to, at } => {
                self.spoken.retain(|old| old.at > at - DAY);
                self.spoken.push(Spoken { to: to.clone(), at: *at });
            }
            Change::Muted { other, wanted: true } => self.muted.push(other.clone()),
            Change::Muted { other, wanted: false } => self.muted.retain(|old| old != other),
            Change::Left(left) if left.erased => {
                // What stays is why nobody else can be this user, and what boards say anyway.
                let bare = Self::new(self.id.clone(), String::new(), Vec::new(), 0);
                let was = std::mem::replace(self, bare);
                (self.active, self.finished) = (was.active, was.finished);
                self.ratings = was.ratings;
                self.left = Some(*left);
            }
            Change::Left(left) => {
                self.left = Some(*left);
                self.words.iter_mut().for_each(Pending::void);
            }
            Change::CameBack => self.left = None,
        }
    }

    /// What stands in mails until now lets nobody play for the user any more: whoever knew the
    /// password may have got them, and so does whoever reads an address that is given up.
    fn void_tokens(&mut self) {
        self.tokens = self.tokens.wrapping_add(1);
    }

    /// Where mails go now.
    pub fn reachable(&self) -> Vec<Address> {
        let reached = self.addresses.iter().filter(|address| !self.stopped.contains(address));
        reached.cloned().collect()
    }

    /// The addresses to which mails go again when the user writes: from one of them, or from
    /// anywhere when no other is left.
    pub fn reached_by(&self, from: Option<&Address>) -> Vec<Address> {
        let is_from = |address: &&Address| Some(*address) == from;
        let own: Vec<Address> = self.stopped.iter().filter(is_from).cloned().collect();
        if own.is_empty() && (from.is_none() || self.reachable().is_empty()) {
            return self.stopped.clone();
        }
        own
    }

    /// Counts a mail that came back. Those of one hour count once: one failure of a mail server
    /// returns all that was under way.
    fn give_back(&mut self, address: &Address, at: i64) {
        self.returned.retain(|old| old.at > at - 7 * DAY);
        let of_address = |old: &&Returned| old.address == *address;
        let latest = self.returned.iter().filter(of_address).map(|old| old.at).max();
        if latest.is_none_or(|latest| latest <= at - HOUR) {
            self.returned.push(Returned { address: address.clone(), at });
        }
        let count = self.returned.iter().filter(of_address).count();
        if count >= MOST_RETURNED && !self.stopped.contains(address) {
            self.stopped.push(address.clone());
        }
    }

    /// Sends mails to addresses again.
    fn reach(&mut self, addresses: &[Address]) {
        self.stopped.retain(|address| !addresses.contains(address));
        self.returned.retain(|returned| !addresses.contains(&returned.address));
    }

    /// Uses an address from now on.
    fn confirm(&mut self, confirmed: &Address) {
        let mut replaces_all = false;
        self.words.retain(|word| match &word.purpose {
            Purpose::Address { address, replaces } if address == confirmed => {
                replaces_all |= *replaces;
                false
            }
            _ => true,
        });
        if replaces_all {
            self.void_tokens();
            self.addresses.clear();
            self.returned.clear();
            self.stopped.clear();
        }
        if !self.addresses.contains(confirmed) {
            self.addresses.push(confirmed.clone());
        }
        for word in &mut self.words {
            if let Purpose::Address { replaces, .. } = &mut word.purpose {
                // The next one that is confirmed stands beside this one.
                *replaces = *replaces && !replaces_all;
            }
        }
    }

    /// How the user stands in a game.
    pub fn standing(&self, game: &str) -> Standing {
        self.ratings.get(game).copied().unwrap_or_default()
    }

    /// What the user likes on all boards of a game.
    pub fn settings(&self, game: &'static dyn AnyGame) -> Choices {
        let spec = game.spec();
        let words = self.settings.get(spec.name).into_iter().flatten().map(String::as_str);
        // They were checked when the file was read.
        Choices::of_settings(spec.settings, words).unwrap_or_default()
    }

    /// Changes one of those settings; without a choice back to the default.
    pub fn choose(&mut self, game: &'static dyn AnyGame, setting: &str, choice: Option<&Choices>) {
        let chosen = self.settings(game).without(setting).and(&choice.cloned().unwrap_or_default());
        let words: Vec<String> = chosen.words().collect();
        let name = game.spec().name.to_owned();
        if words.is_empty() {
            self.settings.remove(&name);
        } else {
            self.settings.insert(name, words);
        }
    }

    /// Whether the user takes no more boards of a game: at most how many he takes, if so.
    pub fn is_full(&self, game: &str) -> Option<u32> {
        let active = self.active.iter().filter(|board| board.game == game).count();
        self.limits
            .get(game)
            .copied()
            .filter(|most| usize::try_from(*most).is_ok_and(|n| active >= n))
    }

    /// How the user of a file stands in a game, and how many boards of it are in progress: for
    /// looking at many users at once, without reading all that the file has.
    ///
    /// # Errors
    /// The text is no user.
    pub fn glimpse(text: &str, game: &str) -> Result<(UserId, Option<Standing>, usize), Damage> {
        #[derive(Deserialize)]
        struct Glimpse<'a> {
            id: UserId,
            #[serde(borrow, default)]
            active: Vec<&'a str>,
            #[serde(borrow, default)]
            ratings: BTreeMap<&'a str, Standing>,
            #[serde(default)]
            left: Option<serde::de::IgnoredAny>,
        }
        let place = |error: serde_json::Error| Damage(format!("line {}", error.line()));
        let Glimpse { id, active, ratings, left } = serde_json::from_str(text).map_err(place)?;
        let of_game = |board: &&&str| board.split(' ').next() == Some(game);
        // Who has left is in the boards of others, and ranked no more.
        let standing = ratings.get(game).copied().filter(|_| left.is_none());
        Ok((id, standing, active.iter().filter(of_game).count()))
    }

    /// Reads a user.
    ///
    /// # Errors
    /// The text is no user of this version.
    pub fn read(text: &str) -> Result<Self, Damage> {
        // The place alone: what stands there may be a password's hash.
        let place = |error: serde_json::Error| {
            Damage(format!("line {} column {} is not understood", error.line(), error.column()))
        };
        let user: Self = serde_json::from_str(text).map_err(place)?;
        if user.format > FORMAT {
            return Err(Damage(format!("format {} is newer than this program", user.format)));
        }
        let days = user.vacations.iter().flat_map(|one| [one.from, one.to.plus(1)]);
        if !days.is_sorted() {
            return Err(Damage("the vacations are not in order".into()));
        }
        for (name, words) in &user.settings {
            // Settings of a game that this program does not know are kept for one that does.
            let Some(game) = games::find(name).filter(|game| game.spec().name == name) else {
                continue;
            };
            let wrong = |why: String| Damage(format!("settings of {name}: {why}"));
            let settings = game.spec().settings;
            let chosen = Choices::of_settings(settings, words.iter().map(String::as_str))
                .map_err(|error| wrong(error.to_string()))?;
            let of_board = settings.iter().filter(|setting| setting.scope == Scope::Board);
            if let Some(setting) = of_board.map(|s| s.switch.name).find(|name| chosen.has(name)) {
                return Err(wrong(format!("`{setting}` is chosen for one board")));
            }
        }
        Ok(user)
    }

    /// The user as the file has it.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a user has only plain values");
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::Told;
    use crate::model::code::Word;

    fn address(local: &str) -> Address {
        Address::parse(&format!("{local}@example.org")).unwrap()
    }

    fn alice() -> User {
        let id = UserId::parse("Alice").unwrap();
        User::new(id, "hash".into(), vec![address("old")], 1000)
    }

    fn mailed(user: &mut User, chance: &mut Told, purpose: Purpose) -> Word {
        let word = Word::new(&user.id, chance);
        user.change(&Change::Mailed(Pending::new(&word, &user.id, purpose, 1000)));
        word
    }

    fn to(local: &str, replaces: bool) -> Purpose {
        Purpose::Address { address: address(local), replaces }
    }

    #[test]
    fn the_first_address_confirmed_replaces_and_the_next_stands_beside_it() {
        let (mut user, mut chance) = (alice(), Told::counting());
        for local in ["a", "b"] {
            mailed(&mut user, &mut chance, to(local, true));
        }
        user.change(&Change::Confirmed(address("a")));
        assert_eq!(user.addresses, [address("a")]);
        user.change(&Change::Confirmed(address("b")));
        assert_eq!(user.addresses, [address("a"), address("b")]);
        assert_eq!(user.words, []);
    }

    #[test]
    fn a_new_password_makes_all_words_void_that_somebody_else_may_have() {
        let (mut user, mut chance) = (alice(), Told::counting());
        let purposes = [Purpose::Password, Purpose::Signoff, Purpose::Delete, to("thief", true)];
        let words = purposes.clone().map(|purpose| mailed(&mut user, &mut chance, purpose));
        for (word, purpose) in words.iter().zip(&purposes) {
            assert!(user.has_word(word.as_str(), purpose, 1001));
        }
        user.change(&Change::Password("other".into()));
        for (word, purpose) in words.iter().zip(&purposes) {
            assert!(!user.has_word(word.as_str(), purpose, 1001), "{purpose:?}");
        }
        // That they were mailed still counts.
        for purpose in purposes {
            assert_eq!(user.words_mailed(&purpose, 1001), 1, "{purpose:?}");
        }
    }

    #[test]
    fn who_leaves_takes_his_words_along() {
        let (mut user, mut chance) = (alice(), Told::counting());
        let word = mailed(&mut user, &mut chance, Purpose::Password);
        user.change(&Change::Left(Left { at: 1001, erased: false }));
        user.change(&Change::CameBack);
        assert!(!user.has_word(word.as_str(), &Purpose::Password, 1002));
    }

    #[test]
    fn readers_count_for_a_day() {
        let mut user = alice();
        user.change(&Change::Wrote { at: 1000, readers: 3 });
        user.change(&Change::Wrote { at: 2000, readers: 2 });
        let readers = [1000 + DAY - 1, 1000 + DAY, 2000 + DAY].map(|now| user.readers(now));
        assert_eq!(readers, [5, 2, 0]);
    }

    #[test]
    fn a_challenge_given_up_by_its_sender_waits_for_a_day() {
        let mut user = alice();
        let (bob, board) =
            (UserId::parse("bob").unwrap(), |number| BoardId { game: "malaka", number });
        for number in [1, 2] {
            let new =
                Challenge { board: board(number), to: bob.clone(), at: 1000, answered: false };
            user.has_challenged(new);
        }
        user.active = vec![board(2)];
        let waiting = [1000 + DAY - 1, 1000 + DAY].map(|now| user.unanswered(&bob, now));
        assert_eq!(waiting, [2, 1]);
        assert_eq!(user.unanswered(&user.id, 1000), 0);
        let new = Challenge { board: board(3), to: bob.clone(), at: 1000 + DAY, answered: false };
        user.has_challenged(new);
        assert_eq!(user.challenges.len(), 2);
        user.active.push(board(3));
        user.challenges[0].answered = true;
        assert_eq!(user.unanswered(&bob, 1000 + DAY), 1);
    }

    #[test]
    fn of_who_is_erased_the_userid_and_the_boards_are_left() {
        let (mut user, mut chance) = (alice(), Told::counting());
        let board = BoardId { game: "malaka", number: 7 };
        user.finished.push(board);
        user.settings.insert("malaka".into(), vec!["-manual".into()]);
        user.preferences.html = false;
        mailed(&mut user, &mut chance, to("new", false));
        user.change(&Change::Wrote { at: 1000, readers: 3 });
        user.change(&Change::Broadcast(1000));
        user.change(&Change::Left(Left { at: 2000, erased: true }));
        let mut stub = User::new(user.id.clone(), String::new(), Vec::new(), 0);
        stub.finished.push(board);
        stub.left = Some(Left { at: 2000, erased: true });
        assert_eq!(user, stub);
        assert_eq!(User::read(&user.write()).unwrap(), stub);
    }

    #[test]
    fn a_file_of_an_older_program_is_read_and_stays_as_it_is() {
        let old = "{\n  \"format\": 1,\n  \"id\": \"Alice\",\n  \"password\": \"hash\",\n  \
                   \"addresses\": [\n    \"old@example.org\"\n  ],\n  \"joined\": 1000,\n  \
                   \"active\": [],\n  \"finished\": [],\n  \"challenges\": []\n}\n";
        let user = User::read(old).unwrap();
        assert_eq!(user, alice());
        assert_eq!(user.write(), old);
    }
}
