//! The events of a user, and their application to the user's document.

use super::{
    Bounce, Contact, Departure, HeldMail, MONTH, Mark, PreferenceChoice, ProfileField, ProgramKey,
    PushBrowser, RaisedSession, SentChallenge, SentDigest, User, Warning, push,
};
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::time::{DAY, HOUR, Time, WEEK};
use crate::base::zone::Zone;
use crate::mail::Address;
use crate::model::clock::{Rest, Vacation};
use crate::model::moderation::{FiledReport, Sanction, SanctionKind};
use crate::model::one_time_code::{CodePurpose, PendingCode};
use crate::model::opening::{self, Opening};
use crate::model::rating::PlayerRating;
use games::{AnyGame, Choices};

/// The returned mails within a week after which an address is stopped.
const MOST_RETURNED: usize = 3;

/// The most signed-out browsers that are remembered. One more signs all out.
const MOST_ENDED: usize = 64;

/// One change of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum UserEvent {
    /// The user changed a setting for all boards of a game.
    Chose {
        game: &'static str,
        setting: &'static str,
        /// The choice; `None` for the default.
        choice: Option<Choices>,
    },
    /// The user changed their limit of boards of a game.
    Limited {
        game: &'static str,
        /// The limit, if there is one.
        most: Option<u32>,
    },
    /// The user changed their vacations.
    Rested {
        vacations: Vec<Vacation>,
        /// Whether a vacation was cut, so that deadlines may be earlier.
        is_cut: bool,
    },
    /// The user changed their time zone or the days and nights at which their clocks stop.
    TimesChosen {
        /// The time zone; `None` for UTC.
        zone: Option<Zone>,
        rests: Vec<Rest>,
    },
    /// A code was mailed to the user.
    CodeMailed(PendingCode),
    /// The user has a new password; this is its hash.
    Password(String),
    /// The user changed their addresses. Unconfirmed ones are dropped.
    Addresses(Vec<Address>),
    /// The owner of an address confirmed it.
    Confirmed(Address),
    /// The user wrote a part of their profile.
    Profiled {
        field: ProfileField,
        /// The words; `None` if it is removed.
        words: Option<String>,
    },
    /// The user changed a preference.
    Prefers(PreferenceChoice),
    /// The user sent a message to others.
    Wrote { at: Time, readers: usize },
    /// The user sent a broadcast at this time.
    Broadcast(Time),
    /// The user sent another user a message or an offer.
    Spoke {
        /// The other user.
        to: UserId,
        at: Time,
    },
    /// The user put a mark on another user, or removed it.
    Marked {
        other: UserId,
        mark: Mark,
        /// Whether the other user has the mark now.
        wanted: bool,
    },
    /// The user reported another user.
    Filed(FiledReport),
    /// The operator forbids the user something, or lifts that.
    Sanctioned(Option<Sanction>),
    /// The user left.
    Left(Departure),
    /// The user came back.
    CameBack,
    /// A mail to an address was returned as undeliverable.
    Returned { address: Address, at: Time },
    /// Mails are sent to these addresses again.
    Reached(Vec<Address>),
    /// The user proved that they read their mail.
    Proved,
    /// The user signed in with a link, which is used up.
    SignedIn,
    /// All browsers were signed out.
    SignedOut,
    /// A browser was signed out.
    SessionEnded {
        /// The expiry of its cookie.
        until: Time,
        at: Time,
    },
    /// A code was used up, with all others for the same purpose.
    CodeUsed(CodePurpose),
    /// An administrator's session was raised, or is not any more.
    Raised(Option<RaisedSession>),
    /// A warning was mailed to the user.
    Warned(Warning),
    /// A key was made for a program.
    KeyMade(ProgramKey),
    /// The key of this name was revoked.
    KeyRevoked(String),
    /// A browser gets notices from now on.
    BrowserAdded(PushBrowser),
    /// The browser with this id gets no more notices.
    BrowserRemoved(String),
    /// The user's browsers are told that a board waits, or that it no longer does.
    TurnNoticed {
        board: BoardId,
        at: Time,
        /// Whether the board waits.
        open: bool,
    },
    /// A mail about a board waits.
    MailHeld(HeldMail),
    /// The mails about these boards do not wait any longer.
    HeldMailsSent(Vec<BoardId>),
    /// The news of these boards wait longer, because the user plays in a browser.
    HeldMailsDelayed {
        boards: Vec<BoardId>,
        /// When they are due.
        until: Time,
    },
    /// A mail about several boards was written.
    DigestSent(SentDigest),
    /// The user was told the announcements up to this number.
    Announced(u32),
    /// The user played in a browser.
    Seen(Time),
}

impl UserEvent {
    /// Returns a short text for the log.
    pub fn summary(&self, user: &UserId) -> String {
        let what = match self {
            Self::Chose { setting, .. } => return format!("{user} set {setting}"),
            Self::Limited { game, .. } => {
                return format!("{user} changed their limit of {game} boards");
            }
            Self::Rested { .. } => "changed their vacations",
            Self::TimesChosen { .. } => "changed their time zone or the rests of their clocks",
            Self::CodeMailed(PendingCode { purpose, .. }) => match purpose {
                CodePurpose::Password => "was mailed a code for a new password",
                CodePurpose::SignIn => "was mailed a sign-in link",
                CodePurpose::Administer { .. } => "was mailed an administrator's code",
                CodePurpose::Signoff | CodePurpose::Delete => "was mailed a code to leave",
                CodePurpose::Address { .. } => "was mailed a code for an address",
            },
            Self::Password(_) => "changed their password",
            Self::Addresses(_) => "changed their addresses",
            Self::Confirmed(_) => "confirmed an address",
            Self::Profiled { .. } => "changed their profile",
            Self::Prefers(_) => "changed a preference",
            Self::Wrote { .. } => "sent a message",
            Self::Broadcast(_) => "sent a broadcast",
            Self::Spoke { .. } => "wrote to another user",
            // The marked user is a secret of the user, and the log is read by others.
            Self::Marked { wanted: true, .. } => "marked another user",
            Self::Marked { wanted: false, .. } => "removed the mark of another user",
            Self::Filed(_) => "reported another user",
            Self::Sanctioned(Some(sanction)) => match sanction.kind {
                SanctionKind::Mute => "was muted by the operator",
                SanctionKind::Suspension => "was suspended",
                SanctionKind::Ban => "was banned",
            },
            Self::Sanctioned(None) => "is free of sanctions",
            Self::Left(Departure { erased: false, .. }) => "left",
            Self::Left(Departure { erased: true, .. }) => "left and was erased",
            Self::CameBack => "came back",
            Self::Returned { .. } => "had a mail returned",
            Self::Proved => "proved to read their mail",
            Self::SignedIn => "signed in with a link",
            Self::SignedOut => "signed out everywhere",
            Self::SessionEnded { .. } => "signed out",
            Self::CodeUsed(_) => "used a code",
            Self::Raised(Some(_)) => "entered the administrators' pages",
            Self::Raised(None) => "left the administrators' pages",
            Self::Warned(_) => "was warned",
            Self::KeyMade(_) => "made a program key",
            Self::KeyRevoked(_) => "revoked a program key",
            Self::MailHeld(held) => return format!("{user} is told of {} later", held.board),
            Self::HeldMailsSent(_) => "is told of boards with news",
            Self::HeldMailsDelayed { .. } => "plays in a browser, so news wait",
            Self::DigestSent(_) => "was sent a digest",
            Self::Announced(_) => "is told announcements",
            Self::Seen(_) => "plays in a browser",
            Self::BrowserAdded(_) => "gets notices in a browser",
            Self::BrowserRemoved(_) => "gets no more notices in a browser",
            Self::TurnNoticed { open: true, .. } => "is told of their turn",
            Self::TurnNoticed { open: false, .. } => "is no longer told of their turn",
            Self::Reached(_) => "is sent mails again",
        };
        format!("{user} {what}")
    }

    /// Returns the addresses that the user may have only after the event; `None` if the event
    /// cannot change the user's index entries.
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
    /// Applies an event.
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
            UserEvent::TimesChosen { zone, rests } => {
                self.zone = *zone;
                self.rests.clone_from(rests);
            }
            UserEvent::CodeMailed(pending) => {
                self.codes.retain(|old| old.is_recent(pending.at));
                self.codes.push(pending.clone());
            }
            UserEvent::Password(hash) => self.change_password(hash),
            UserEvent::Addresses(addresses) => self.change_addresses(addresses),
            UserEvent::Confirmed(confirmed) => {
                self.unproved = false;
                self.confirm(confirmed);
                self.resume_mail(std::slice::from_ref(confirmed));
            }
            UserEvent::Returned { address, at } => self.count_returned(address, *at),
            UserEvent::Reached(addresses) => self.resume_mail(addresses),
            UserEvent::Proved => self.unproved = false,
            UserEvent::Profiled { field, words } => self.profile.set(*field, words.clone()),
            UserEvent::Prefers(chosen) => self.preferences.choose(*chosen),
            UserEvent::Broadcast(at) => self.broadcast = Some(*at),
            UserEvent::Marked { other, mark, wanted } => self.mark(other, *mark, *wanted),
            UserEvent::SignedIn
            | UserEvent::CodeUsed(_)
            | UserEvent::Raised(_)
            | UserEvent::KeyMade(_)
            | UserEvent::KeyRevoked(_)
            | UserEvent::BrowserAdded(_)
            | UserEvent::BrowserRemoved(_)
            | UserEvent::TurnNoticed { .. }
            | UserEvent::SignedOut
            | UserEvent::SessionEnded { .. } => self.apply_to_access(event),
            UserEvent::Wrote { .. }
            | UserEvent::Warned(_)
            | UserEvent::MailHeld(_)
            | UserEvent::HeldMailsSent(_)
            | UserEvent::HeldMailsDelayed { .. }
            | UserEvent::DigestSent(_)
            | UserEvent::Announced(_)
            | UserEvent::Spoke { .. }
            | UserEvent::Seen(_) => self.apply_to_mails(event),
            UserEvent::Filed(filed) => self.filed.push(*filed),
            UserEvent::Sanctioned(sanction) => self.sanction.clone_from(sanction),
            UserEvent::Left(left) => self.leave(*left),
            UserEvent::CameBack => self.left = None,
        }
    }

    /// Puts a mark on another user, or removes it.
    fn mark(&mut self, other: &UserId, mark: Mark, wanted: bool) {
        let marked = match mark {
            Mark::Muted => &mut self.muted,
            Mark::Blocked => &mut self.blocked,
            Mark::Favourite => &mut self.favourites,
        };
        marked.retain(|old| old != other);
        if wanted {
            marked.push(other.clone());
        }
    }

    /// Applies an event about sessions, programs and browsers.
    fn apply_to_access(&mut self, event: &UserEvent) {
        match event {
            UserEvent::SignedIn => self.void_codes(|purpose| *purpose == CodePurpose::SignIn),
            UserEvent::CodeUsed(used) => self.void_codes(|purpose| purpose == used),
            UserEvent::Raised(raised) => self.raised.clone_from(raised),
            UserEvent::KeyMade(key) => self.keys.push(key.clone()),
            UserEvent::KeyRevoked(name) => self.keys.retain(|key| key.name != *name),
            UserEvent::BrowserAdded(browser) => push::add(&mut self.browsers, browser.clone()),
            UserEvent::BrowserRemoved(id) => self.keep_browsers(|browser| browser.id() != *id),
            UserEvent::TurnNoticed { board, at, open } => {
                push::note(&mut self.notices, *board, *at, *open);
            }
            UserEvent::SignedOut => self.end_sessions(),
            UserEvent::SessionEnded { until, at } => {
                self.keep_browsers(|browser| browser.session != *until);
                self.ended.retain(|old| *old > *at);
                if self.ended.len() < MOST_ENDED {
                    self.ended.push(*until);
                } else {
                    self.end_sessions();
                }
            }
            // The other events have nothing to do with it.
            _ => {}
        }
    }

    /// Applies an event about messages, warnings, announcements, mails that wait, and digests.
    fn apply_to_mails(&mut self, event: &UserEvent) {
        match event {
            UserEvent::Wrote { at, readers } => {
                self.messages.retain(|old| *old > *at - DAY);
                self.messages.extend(std::iter::repeat_n(*at, *readers));
            }
            UserEvent::Warned(warning) => {
                self.warned.retain(|old| old.at > warning.at - MONTH);
                self.warned.push(warning.clone());
            }
            UserEvent::MailHeld(held) => HeldMail::add(&mut self.held, held),
            UserEvent::HeldMailsSent(boards) => {
                self.held.retain(|held| !boards.contains(&held.board));
            }
            UserEvent::HeldMailsDelayed { boards, until } => {
                let delayed = self.held.iter_mut().filter(|held| boards.contains(&held.board));
                delayed.for_each(|held| held.due = *until);
            }
            UserEvent::DigestSent(sent) => SentDigest::add(&mut self.digests, sent),
            UserEvent::Announced(number) => self.announced = *number,
            UserEvent::Spoke { to, at } => {
                self.spoken.retain(|old| old.at > *at - DAY);
                self.spoken.push(Contact { to: to.clone(), at: *at });
            }
            UserEvent::Seen(at) => self.seen = Some(*at),
            // The other events have nothing to do with it.
            _ => {}
        }
    }

    /// Changes a setting; without a choice, resets it to the default.
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
        // A thief who knew the old password may have requested codes. They still count as mailed,
        // or anybody could cause endless mails by using one code and requesting more.
        self.codes.iter_mut().for_each(PendingCode::void);
        // The thief may also have made keys.
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
        // Unconfirmed addresses from before are no longer wanted.
        self.void_codes(|purpose| matches!(purpose, CodePurpose::Address { .. }));
    }

    /// Voids the codes for some purposes.
    fn void_codes(&mut self, is_voided: impl Fn(&CodePurpose) -> bool) {
        let codes = self.codes.iter_mut().filter(|code| is_voided(&code.purpose));
        codes.for_each(PendingCode::void);
    }

    fn leave(&mut self, left: Departure) {
        if left.erased {
            // The userid stays taken, and boards show it anyway.
            let bare = Self::new(self.id.clone(), String::new(), Vec::new(), Time::EPOCH);
            let was = std::mem::replace(self, bare);
            (self.active, self.finished) = (was.active, was.finished);
            (self.ratings, self.periods) = (was.ratings, was.periods);
            // They leave their ladders once their games there have ended.
            self.ladders = was.ladders;
            // Who erases their data does not escape a ban.
            self.sanction = was.sanction.filter(|it| it.kind == SanctionKind::Ban);
        }
        self.codes.iter_mut().for_each(PendingCode::void);
        self.keep_browsers(|_| false);
        self.raised = None;
        self.held.clear();
        self.digests.clear();
        self.seen = None;
        self.left = Some(left);
    }

    /// Voids all reply addresses. A thief who knew the password may have read mails with them, and
    /// so has the reader of an address that is given up.
    fn void_tokens(&mut self) {
        self.tokens = self.tokens.wrapping_add(1);
        // All sessions end, too.
        self.keep_browsers(|_| false);
    }

    /// Signs all browsers out.
    fn end_sessions(&mut self) {
        self.sessions = self.sessions.saturating_add(1);
        self.ended.clear();
        self.keep_browsers(|_| false);
    }

    /// Removes the browsers for which `is_kept` does not hold, and all notices with the last browser.
    fn keep_browsers(&mut self, is_kept: impl Fn(&PushBrowser) -> bool) {
        self.browsers.retain(is_kept);
        if self.browsers.is_empty() {
            self.notices.clear();
        }
    }

    /// Counts a returned mail. Those within an hour count once, because one failure of a mail
    /// server returns all mails under way.
    fn count_returned(&mut self, address: &Address, at: Time) {
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

    /// Sends mails to these addresses again.
    fn resume_mail(&mut self, addresses: &[Address]) {
        self.stopped.retain(|address| !addresses.contains(address));
        self.returned.retain(|returned| !addresses.contains(&returned.address));
    }

    /// Uses a confirmed address from now on.
    fn confirm(&mut self, confirmed: &Address) {
        let mut replaces_all = false;
        self.codes.retain(|code| match &code.purpose {
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
        for code in &mut self.codes {
            if let CodePurpose::Address { replaces, .. } = &mut code.purpose {
                // The next confirmed address is added to this one.
                *replaces = *replaces && !replaces_all;
            }
        }
    }

    /// Adds a board in progress.
    pub fn add_board(&mut self, board: BoardId) {
        self.active.push(board);
    }

    /// Adds a tournament that the user has entered or created, if it is new to them.
    pub fn add_tournament(&mut self, tournament: TournamentId) {
        if !self.tournaments.contains(&tournament) {
            self.tournaments.push(tournament);
        }
    }

    /// Notes the section of a ladder in which the user is; `None` if they are not on it any more.
    pub fn set_ladder(&mut self, game: &str, section: Option<u32>) {
        match section {
            Some(section) => {
                self.ladders.insert(game.to_owned(), section);
            }
            None => {
                self.ladders.remove(game);
            }
        }
    }

    /// Moves a board to the finished ones.
    pub fn finish_board(&mut self, board: BoardId) {
        self.active.retain(|active| *active != board);
        self.finished.push(board);
    }

    /// Removes a board that is handed over to another user. Returns whether it was finished.
    pub fn give_board(&mut self, board: BoardId) -> bool {
        let is_finished = self.finished.contains(&board);
        self.active.retain(|own| *own != board);
        self.finished.retain(|own| *own != board);
        is_finished
    }

    /// Adds a board that another user hands over: a finished one as the last, another one at this place.
    pub fn take_board(&mut self, board: BoardId, is_finished: bool, place: usize) {
        if is_finished {
            self.finished.push(board);
        } else {
            self.active.insert(place, board);
        }
    }

    /// Marks the challenge for a board as answered.
    pub fn answer_challenge(&mut self, board: BoardId) {
        for challenge in self.challenges.iter_mut().filter(|old| old.board == board) {
            challenge.answered = true;
        }
    }

    /// Sets the rating in a game.
    pub fn set_rating(&mut self, game: &str, rating: PlayerRating) {
        let PlayerRating { standing, period } = rating;
        self.ratings.insert(game.to_owned(), standing);
        match period {
            Some(period) => self.periods.insert(game.to_owned(), period),
            None => self.periods.remove(game),
        };
    }

    /// Removes the rating in a game.
    pub fn remove_rating(&mut self, game: &str) {
        self.ratings.remove(game);
        self.periods.remove(game);
    }

    /// Records a challenge, and drops those that no longer count.
    pub fn add_challenge(&mut self, new: SentChallenge) {
        let mut challenges = std::mem::take(&mut self.challenges);
        challenges.retain(|old| self.still_counts(old, new.at));
        challenges.push(new);
        self.challenges = challenges;
    }

    /// Keeps the opening of a board that the user gave up.
    pub fn keep_opening(&mut self, game: &str, given_up: Opening) {
        opening::keep(self.openings.entry(game.to_owned()).or_default(), given_up);
    }

    /// Removes a kept opening that was played.
    pub fn forget_opening(&mut self, game: &str, played: &Opening) {
        if let Some(kept) = self.openings.get_mut(game) {
            opening::forget(kept, played);
            if kept.is_empty() {
                self.openings.remove(game);
            }
        }
    }
}
