//! The events of a user, and how they change the user's document.

use super::{
    Bounce, Contact, Departure, MONTH, PreferenceChoice, ProgramKey, SentChallenge, User, Warning,
};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::{DAY, HOUR, Time, WEEK};
use crate::mail::Address;
use crate::model::clock::Vacation;
use crate::model::code::{CodePurpose, PendingCode};
use crate::model::opening::{self, Opening};
use crate::model::rating::Standing;
use games::{AnyGame, Choices};

/// Mails that come back within a week before no more are sent.
const MOST_RETURNED: usize = 3;

/// Browsers that were signed out and are remembered. One more signs all out.
const MOST_ENDED: usize = 64;

/// One change of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserEvent {
    /// The user chose how they like something on all boards of a game.
    Chose {
        /// The game.
        game: &'static str,
        /// The setting.
        setting: &'static str,
        /// The choice; nothing for the default.
        choice: Option<Choices>,
    },
    /// The user says how many boards of a game they play at most.
    Limited {
        /// The game.
        game: &'static str,
        /// How many; no limit if nothing is said.
        most: Option<u32>,
    },
    /// The user's vacations have changed.
    Rested {
        /// All of them.
        vacations: Vec<Vacation>,
        /// Whether the user comes back earlier than was known: their time may be up earlier.
        is_cut: bool,
    },
    /// A code was mailed.
    CodeMailed(PendingCode),
    /// There is a new password, hashed.
    Password(String),
    /// Mails go to these addresses, and those asked for before are forgotten.
    Addresses(Vec<Address>),
    /// The owner of an address wants mails there.
    Confirmed(Address),
    /// The user likes something.
    Prefers(PreferenceChoice),
    /// The user wrote to others.
    Wrote {
        /// When.
        at: Time,
        /// To how many.
        readers: usize,
    },
    /// The user wrote to everybody, at that time.
    Broadcast(Time),
    /// The user had words or an offer sent to another.
    Spoke {
        /// To which user.
        to: UserId,
        /// When.
        at: Time,
    },
    /// The user wants no words of another user, or wants them again.
    Muted {
        /// Whose.
        other: UserId,
        /// Whether the user wants none.
        wanted: bool,
    },
    /// The user has left.
    Left(Departure),
    /// The user is back.
    CameBack,
    /// A mail to an address came back for good.
    Returned {
        /// Which address.
        address: Address,
        /// When that was told.
        at: Time,
    },
    /// Mails go to these addresses again.
    Reached(Vec<Address>),
    /// The user has answered a mail that went to the registered address.
    Proved,
    /// The user signed in by a code that was mailed, which is used up.
    SignedIn,
    /// No browser is signed in any more.
    SignedOut,
    /// A browser is signed in no more.
    SessionEnded {
        /// When its cookie would have ended.
        until: Time,
        /// When it was signed out.
        at: Time,
    },
    /// The user was warned of something.
    Warned(Warning),
    /// A program of the user's has a key.
    KeyMade(ProgramKey),
    /// The key of that name is void.
    KeyRevoked(String),
}

impl UserEvent {
    /// The event in a few words, for the log.
    pub fn summary(&self, user: &UserId) -> String {
        let what = match self {
            Self::Chose { setting, .. } => return format!("{user} chose {setting}"),
            Self::Limited { game, .. } => return format!("{user} limits their {game} boards"),
            Self::Rested { .. } => "changed their vacation",
            Self::CodeMailed(PendingCode { purpose, .. }) => match purpose {
                CodePurpose::Password => "was mailed a word for a new password",
                CodePurpose::SignIn => "was mailed a link to sign in",
                CodePurpose::Signoff | CodePurpose::Delete => "was mailed a word to leave with",
                CodePurpose::Address { .. } => "asked for an address to be confirmed",
            },
            Self::Password(_) => "has a new password",
            Self::Addresses(_) => "has other addresses",
            Self::Confirmed(_) => "has confirmed an address",
            Self::Prefers(_) => "changed a setting",
            Self::Wrote { .. } => "wrote to other users",
            Self::Broadcast(_) => "wrote to everybody",
            Self::Spoke { .. } => "had something said to another user",
            Self::Muted { wanted: true, .. } => "mutes another user",
            Self::Muted { wanted: false, .. } => "mutes another user no longer",
            Self::Left(Departure { erased: false, .. }) => "has left",
            Self::Left(Departure { erased: true, .. }) => "has left and was erased",
            Self::CameBack => "is back",
            Self::Returned { .. } => "did not get a mail: it came back",
            Self::Proved => "reads the mails that are sent",
            Self::SignedIn => "signed in by a link",
            Self::SignedOut => "is signed out everywhere",
            Self::SessionEnded { .. } => "signed out",
            Self::Warned(_) => "was warned",
            Self::KeyMade(_) => "has a new key for a program",
            Self::KeyRevoked(_) => "revoked the key of a program",
            Self::Reached(_) => "has written: mails are sent again",
        };
        format!("{user} {what}")
    }

    /// The addresses that the user may have after it and not before, if it can change which entries
    /// of the index of users have the user in them.
    pub fn new_addresses(&self) -> Option<&[Address]> {
        match self {
            Self::Addresses(addresses) => Some(addresses),
            Self::Confirmed(address) => Some(std::slice::from_ref(address)),
            Self::Left(left) if left.erased => Some(&[]),
            _ => None,
        }
    }
}

impl User {
    /// Carries out an event that was decided for this user.
    pub fn apply(&mut self, event: &UserEvent) {
        match event {
            UserEvent::Chose { game, setting, choice } => {
                let game = games::find(game).expect("a game is named by its own name");
                self.choose(game, setting, choice.as_ref());
            }
            UserEvent::Limited { game, most: Some(most) } => {
                self.limits.insert((*game).to_owned(), *most);
            }
            UserEvent::Limited { game, most: None } => {
                self.limits.remove(*game);
            }
            UserEvent::Rested { vacations, .. } => self.vacations.clone_from(vacations),
            UserEvent::CodeMailed(pending) => {
                self.codes.retain(|old| old.is_recent(pending.at));
                self.codes.push(pending.clone());
            }
            UserEvent::Password(hash) => self.change_password(hash),
            UserEvent::Addresses(addresses) => self.change_addresses(addresses),
            UserEvent::Confirmed(confirmed) => {
                self.unproved = false;
                self.confirm(confirmed);
                self.reach(std::slice::from_ref(confirmed));
            }
            UserEvent::Returned { address, at } => self.give_back(address, *at),
            UserEvent::Reached(addresses) => self.reach(addresses),
            UserEvent::Proved => self.unproved = false,
            UserEvent::SignedIn => {
                let is_link = |code: &&mut PendingCode| code.purpose == CodePurpose::SignIn;
                self.codes.iter_mut().filter(is_link).for_each(PendingCode::void);
            }
            UserEvent::KeyMade(key) => self.keys.push(key.clone()),
            UserEvent::KeyRevoked(name) => self.keys.retain(|key| key.name != *name),
            UserEvent::SignedOut => self.end_sessions(),
            UserEvent::SessionEnded { until, at } => {
                self.ended.retain(|old| *old > *at);
                if self.ended.len() < MOST_ENDED {
                    self.ended.push(*until);
                } else {
                    self.end_sessions();
                }
            }
            UserEvent::Warned(warning) => {
                self.warned.retain(|old| old.at > warning.at - MONTH);
                self.warned.push(warning.clone());
            }
            UserEvent::Prefers(chosen) => self.preferences.choose(*chosen),
            UserEvent::Wrote { at, readers } => {
                self.messages.retain(|old| *old > *at - DAY);
                self.messages.extend(std::iter::repeat_n(*at, *readers));
            }
            UserEvent::Broadcast(at) => self.broadcast = Some(*at),
            UserEvent::Spoke { to, at } => {
                self.spoken.retain(|old| old.at > *at - DAY);
                self.spoken.push(Contact { to: to.clone(), at: *at });
            }
            UserEvent::Muted { other, wanted: true } => self.muted.push(other.clone()),
            UserEvent::Muted { other, wanted: false } => self.muted.retain(|old| old != other),
            UserEvent::Left(left) => self.leave(*left),
            UserEvent::CameBack => self.left = None,
        }
    }

    /// Changes one of those settings; without a choice back to the default.
    fn choose(&mut self, game: &'static dyn AnyGame, setting: &str, choice: Option<&Choices>) {
        let chosen = self.settings(game).without(setting).and(&choice.cloned().unwrap_or_default());
        let words: Vec<String> = chosen.words().collect();
        let name = game.spec().name.to_owned();
        if words.is_empty() {
            self.settings.remove(&name);
        } else {
            self.settings.insert(name, words);
        }
    }

    fn change_password(&mut self, hash: &str) {
        hash.clone_into(&mut self.password);
        // A thief who knew the old password may have asked for codes. That the codes were mailed
        // still counts, or anybody could get mails without end by using one code and asking for
        // more.
        self.codes.iter_mut().for_each(PendingCode::void);
        // Or made keys.
        self.keys.clear();
        self.void_tokens();
    }

    fn change_addresses(&mut self, addresses: &[Address]) {
        if self.addresses.iter().any(|old| !addresses.contains(old)) {
            self.void_tokens();
        }
        addresses.clone_into(&mut self.addresses);
        // A user who names an address wants mails there.
        self.returned.clear();
        self.stopped.clear();
        let is_address =
            |code: &&mut PendingCode| matches!(code.purpose, CodePurpose::Address { .. });
        // An address that was asked for before is not wanted any more.
        self.codes.iter_mut().filter(is_address).for_each(PendingCode::void);
    }

    fn leave(&mut self, left: Departure) {
        if left.erased {
            // The rest keeps others from taking the userid, and boards show it anyway.
            let bare = Self::new(self.id.clone(), String::new(), Vec::new(), Time::EPOCH);
            let was = std::mem::replace(self, bare);
            (self.active, self.finished) = (was.active, was.finished);
            self.ratings = was.ratings;
        }
        self.codes.iter_mut().for_each(PendingCode::void);
        self.left = Some(left);
    }

    /// From now on nobody can play for the user with the contents of older mails. A thief who knew
    /// the password may have got such mails, and the reader of an address that is given up has
    /// them.
    fn void_tokens(&mut self) {
        self.tokens = self.tokens.wrapping_add(1);
    }

    /// Signs all browsers out.
    fn end_sessions(&mut self) {
        self.sessions = self.sessions.saturating_add(1);
        self.ended.clear();
    }

    /// Counts a mail that came back. Those of one hour count once: one failure of a mail server
    /// returns all that was under way.
    fn give_back(&mut self, address: &Address, at: Time) {
        self.returned.retain(|old| old.at > at - WEEK);
        let of_address = |old: &&Bounce| old.address == *address;
        let latest = self.returned.iter().filter(of_address).map(|old| old.at).max();
        if latest.is_none_or(|latest| latest <= at - HOUR) {
            self.returned.push(Bounce { address: address.clone(), at });
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
        self.codes.retain(|word| match &word.purpose {
            CodePurpose::Address { address, replaces } if address == confirmed => {
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
        for word in &mut self.codes {
            if let CodePurpose::Address { replaces, .. } = &mut word.purpose {
                // The next one that is confirmed is added to this one.
                *replaces = *replaces && !replaces_all;
            }
        }
    }

    /// Plays on one more board.
    pub fn begins(&mut self, board: BoardId) {
        self.active.push(board);
    }

    /// A board of the user's has ended.
    pub fn ends(&mut self, board: BoardId) {
        self.active.retain(|active| *active != board);
        self.finished.push(board);
    }

    /// The challenge that set up a board has been answered.
    pub fn is_answered(&mut self, board: BoardId) {
        for challenge in self.challenges.iter_mut().filter(|old| old.board == board) {
            challenge.answered = true;
        }
    }

    /// Has that standing in a game from now on.
    pub fn is_rated(&mut self, game: &str, standing: Standing) {
        self.ratings.insert(game.to_owned(), standing);
    }

    /// Remembers a challenge, and forgets those that count no more.
    pub fn has_challenged(&mut self, new: SentChallenge) {
        let mut challenges = std::mem::take(&mut self.challenges);
        challenges.retain(|old| self.holds(old, new.at));
        challenges.push(new);
        self.challenges = challenges;
    }

    /// Keeps the opening of a board of a game that the user gave up.
    pub fn keep_opening(&mut self, game: &str, given_up: Opening) {
        opening::keep(self.openings.entry(game.to_owned()).or_default(), given_up);
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
}
