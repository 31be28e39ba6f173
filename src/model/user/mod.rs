//! A user: who they are, where their mail goes, and on which boards they play.

mod event;
mod file;
pub mod preference;
mod program_key;
#[cfg(test)]
mod tests;

pub use event::UserEvent;
pub use file::{DRAWER, user_key};
pub use preference::{OptOut, PreferenceChoice, Preferences};
pub use program_key::ProgramKey;

use crate::base::digest::digest;
use crate::base::ids::{BoardId, UserId};
use crate::base::time::{DAY, Span, Time, days};
use crate::mail::Address;
use crate::model::clock::Vacation;
use crate::model::code::{CodePurpose, PendingCode};
use crate::model::opening::Opening;
use crate::model::rating::Standing;
use data_encoding::HEXLOWER;
use games::{AnyGame, Choices};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The newest user format this program writes and reads.
pub const FORMAT: u32 = 1;

/// The setting that new users begin with, in the games that have it.
const FIRST_SETTING: &str = "numbers=mine";

/// Warnings that are mailed to a user in a day at most, and in a month.
const WARNINGS_A_DAY: usize = 3;
const WARNINGS_A_MONTH: usize = 20;

/// How long the same is not told again.
const MONTH: Span = days(30);

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
    /// When they signed up.
    pub joined: Time,
    /// Boards in progress, oldest first. An index of the boards, for speed.
    #[serde(default)]
    pub active: Vec<BoardId>,
    /// Boards that ended, oldest end first. An index of the boards, for speed.
    #[serde(default)]
    pub finished: Vec<BoardId>,
    /// The user's settings for all boards of a game, by the game's name: words such as
    /// `-sethome=ul`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Vec<String>>,
    /// At most so many boards in progress of a game, by the game's name; none where challenges
    /// to it are refused.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, u32>,
    /// Challenges sent by mail that are unanswered or less than a day old.
    #[serde(default)]
    pub challenges: Vec<SentChallenge>,
    /// Days on which the user's clocks do not run, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacations: Vec<Vacation>,
    /// The user's standing in each game, by the game's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ratings: BTreeMap<String, Standing>,
    /// The user's preferences that have nothing to do with a game.
    #[serde(default, skip_serializing_if = "Preferences::is_default")]
    pub preferences: Preferences,
    /// Codes mailed within a day. Used for a password, or void: they were mailed.
    #[serde(rename = "words", default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<PendingCode>,
    /// When the user's last broadcast was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broadcast: Option<Time>,
    /// Messages to other users within a day, oldest first: a time for each reader.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Time>,
    /// Chats, messages and offers to others within a day, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spoken: Vec<Contact>,
    /// Whose words the user does not want to hear, in the order in which they were named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub muted: Vec<UserId>,
    /// Mails that came back within a week, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returned: Vec<Bounce>,
    /// Addresses where no mails go, since so many came back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Address>,
    /// How often all reply addresses of the user were made void.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tokens: u32,
    /// The keys with which programs ask in the user's name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<ProgramKey>,
    /// How often all browsers were signed out at once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sessions: u32,
    /// When the cookies would have ended of browsers that were signed out: they count no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<Time>,
    /// The warnings that were mailed within a month, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warned: Vec<Warning>,
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
    pub left: Option<Departure>,
    /// The new userid of the user who had this one, if the operator renamed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed: Option<UserId>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// That a mail to an address came back for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounce {
    /// Which address.
    pub address: Address,
    /// When that was told.
    pub at: Time,
}

/// That a user was warned of something that another person may have done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// A digest of what it was about: the same is told once.
    pub of: String,
    /// When.
    pub at: Time,
}

impl Warning {
    /// The digest of what a warning is about.
    pub fn about(what: &str) -> String {
        HEXLOWER.encode(&digest(what.as_bytes())[..8])
    }
}

/// That a user had words or an offer sent to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// To which user.
    pub to: UserId,
    /// When.
    pub at: Time,
}

/// That a user has left. The userid stays taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// When.
    pub at: Time,
    /// Whether everything but the userid and the boards was erased.
    pub erased: bool,
}

/// A challenge that its sender may still be held to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentChallenge {
    /// The board it set up.
    pub board: BoardId,
    /// The user who was challenged.
    pub to: UserId,
    /// When.
    pub at: Time,
    /// Whether the one challenged has moved or declined.
    pub answered: bool,
}

impl User {
    /// A new user.
    pub fn new(id: UserId, password: String, addresses: Vec<Address>, joined: Time) -> Self {
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
            codes: Vec::new(),
            broadcast: None,
            messages: Vec::new(),
            spoken: Vec::new(),
            muted: Vec::new(),
            returned: Vec::new(),
            stopped: Vec::new(),
            tokens: 0,
            keys: Vec::new(),
            sessions: 0,
            ended: Vec::new(),
            warned: Vec::new(),
            unproved: false,
            openings: BTreeMap::new(),
            left: None,
            renamed: None,
        }
    }

    /// Returns a user who signs up now, with the settings that new users begin with.
    pub fn joining(id: UserId, password: String, addresses: Vec<Address>, joined: Time) -> Self {
        let has_it = |game: &&&dyn AnyGame| {
            Choices::of_settings(game.spec().settings, [FIRST_SETTING]).is_ok()
        };
        let of = |game: &&dyn AnyGame| (game.spec().name.into(), vec![FIRST_SETTING.into()]);
        let settings = games::GAMES.iter().filter(has_it).map(of).collect();
        Self { settings, ..Self::new(id, password, addresses, joined) }
    }

    /// Begins with generations that no earlier user of this userid had, whose account may have
    /// expired: their cookies and links are worth nothing here.
    pub fn begin_anew(&mut self, now: Time) {
        let generation = u32::try_from(now.unix() / DAY.seconds()).unwrap_or_default();
        (self.tokens, self.sessions) = (generation, generation);
    }

    /// Whether a code of that kind is good for this user now.
    pub fn has_code(&self, word: &str, purpose: &CodePurpose, now: Time) -> bool {
        let alike = self.codes.iter().filter(|pending| pending.purpose.is_like(purpose));
        // Each is looked at, so that the time does not tell which one fitted.
        alike.fold(false, |found, pending| found | pending.fits(word, &self.id, now))
    }

    /// How many codes of that kind were mailed within a day.
    pub fn codes_mailed(&self, purpose: &CodePurpose, now: Time) -> usize {
        let recent = self.codes.iter().filter(|pending| pending.is_recent(now));
        recent.filter(|pending| pending.purpose.is_like(purpose)).count()
    }

    /// Whether the user is warned of something: once in a month, and not without end.
    pub fn is_warned_of(&self, of: &str, now: Time) -> bool {
        let recent = || self.warned.iter().filter(|old| old.at > now - MONTH);
        let today = recent().filter(|old| old.at > now - DAY).count();
        today < WARNINGS_A_DAY
            && recent().count() < WARNINGS_A_MONTH
            && recent().all(|old| old.of != of)
    }

    /// To how many readers the user has written within a day.
    pub fn readers(&self, now: Time) -> usize {
        self.messages.iter().filter(|at| **at > now - DAY).count()
    }

    /// How often the user has spoken to another user within a day.
    pub fn has_spoken(&self, to: &UserId, now: Time) -> usize {
        self.spoken.iter().filter(|old| old.to == *to && old.at > now - DAY).count()
    }

    /// How many of the user's challenges to another user wait for an answer. If the board ended
    /// without an answer, because the user gave it up, the challenge counts for a day.
    pub fn unanswered(&self, to: &UserId, now: Time) -> usize {
        let open = self.challenges.iter().filter(|old| !old.answered && old.to == *to);
        open.filter(|old| self.holds(old, now)).count()
    }

    /// Whether a challenge still counts for anything.
    fn holds(&self, old: &SentChallenge, now: Time) -> bool {
        old.at > now - DAY || (!old.answered && self.active.contains(&old.board))
    }

    /// Whether openings of a game are kept.
    pub fn keeps(&self, game: &str) -> bool {
        self.openings.get(game).is_some_and(|kept| !kept.is_empty())
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

    /// The user's standing in a game.
    pub fn standing(&self, game: &str) -> Standing {
        self.ratings.get(game).copied().unwrap_or_default()
    }

    /// The user's settings for all boards of a game.
    pub fn settings(&self, game: &'static dyn AnyGame) -> Choices {
        let spec = game.spec();
        let words = self.settings.get(spec.name).into_iter().flatten().map(String::as_str);
        // They were checked when the file was read.
        Choices::of_settings(spec.settings, words).unwrap_or_default()
    }

    /// Whether the user takes no more boards of a game: if so, how many they take at most.
    pub fn is_full(&self, game: &str) -> Option<u32> {
        let active = self.active.iter().filter(|board| board.game == game).count();
        self.limits
            .get(game)
            .copied()
            .filter(|most| usize::try_from(*most).is_ok_and(|n| active >= n))
    }
}
