//! Users: identity, addresses, boards, settings and limits.

mod event;
mod file;
mod held_mails;
mod mark;
pub mod preference;
mod profile;
mod program_key;
mod push;
mod raised;
mod reserved;
mod sent_digests;
#[cfg(test)]
mod tests;

pub use event::UserEvent;
pub use file::{COLLECTION, PublicUser, RatedUser, user_key};
pub use held_mails::HeldMail;
pub use mark::Mark;
pub use preference::{OptOut, PreferenceChoice, Preferences};
pub use profile::{Profile, ProfileField};
pub use program_key::ProgramKey;
pub use push::{MOST_BROWSERS, MOST_NOTICES_AN_HOUR, PushBrowser, TurnNotice};
pub use raised::{RAISED_TIME, RaisedSession};
pub(crate) use reserved::GUEST;
pub use reserved::is_reserved;
pub use sent_digests::{SentDigest, ShownBoard};

use crate::base::digest::Digest;
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::time::{DAY, Day, Span, Time, days};
use crate::base::zone::Zone;
use crate::mail::Address;
use crate::model::clock::{Rest, TimeOff, VACATION, Vacation, days_in_year, prolong};
use crate::model::document::{DocumentFormat, is_default};
use crate::model::moderation::{FiledReport, Sanction, SanctionKind};
use crate::model::one_time_code::{CodePurpose, PendingCode};
use crate::model::opening::Opening;
use crate::model::rating::{PlayerRating, RatingPeriod, Standing};
use data_encoding::HEXLOWER;
use games::{AnyGame, Choices};
use preference::AUTOVACATION;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// A setting that new users start with in the games that have it.
const FIRST_SETTING: &str = "numbers=mine";

/// The most warnings mailed to a user in a day and in a month.
const WARNINGS_A_DAY: usize = 3;
const WARNINGS_A_MONTH: usize = 20;

/// How long a warning is not repeated.
const MONTH: Span = days(30);

/// A user's document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    format: DocumentFormat<FORMAT>,
    /// The userid as typed at signup.
    pub id: UserId,
    /// The Argon2id hash of the password.
    pub password: String,
    /// The addresses, all of which get mails.
    pub addresses: Vec<Address>,
    /// When they signed up.
    pub joined: Time,
    /// The boards in progress, oldest first; derived from the boards.
    #[serde(default)]
    pub active: Vec<BoardId>,
    /// The finished boards, oldest end first; derived from the boards.
    #[serde(default)]
    pub finished: Vec<BoardId>,
    /// The tournaments that the user has entered or directs, oldest first; derived from these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tournaments: Vec<TournamentId>,
    /// The sections of the ladders on which the user is, by game; derived from these.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ladders: BTreeMap<String, u32>,
    /// The settings for all boards of a game, by game: words such as `-sethome=ul`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Vec<String>>,
    /// The most boards in progress of a game, by game; 0 refuses challenges.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, u32>,
    /// The sent challenges that are unanswered or less than a day old.
    #[serde(default)]
    pub challenges: Vec<SentChallenge>,
    /// The vacations, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacations: Vec<Vacation>,
    /// The time zone in which the user is told deadlines; without one it is UTC.
    #[serde(rename = "timezone", default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
    /// The days of the week and the nights at which the clocks stop, in the order of their
    /// beginnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests: Vec<Rest>,
    /// The standing in each game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ratings: BTreeMap<String, Standing>,
    /// The latest rating period in each game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub periods: BTreeMap<String, RatingPeriod>,
    /// What the user tells about themselves.
    #[serde(default, skip_serializing_if = "Profile::is_empty")]
    pub profile: Profile,
    /// The preferences for the whole server.
    #[serde(default, skip_serializing_if = "is_default")]
    pub preferences: Preferences,
    /// The codes mailed within a day, used and voided ones included.
    #[serde(rename = "words", default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<PendingCode>,
    /// When the user last sent a broadcast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broadcast: Option<Time>,
    /// The messages to other users within a day, oldest first: a time for each reader.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Time>,
    /// The chats, messages and offers to others within a day, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spoken: Vec<Contact>,
    /// The muted users, in the order of muting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub muted: Vec<UserId>,
    /// The blocked users, in the order of blocking.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<UserId>,
    /// The favourite players, in the order of marking.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub favourites: Vec<UserId>,
    /// The mails returned within a week, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returned: Vec<Bounce>,
    /// The addresses that get no more mails, because too many were returned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Address>,
    /// How often all reply addresses were voided.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tokens: u32,
    /// The keys of the user's programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<ProgramKey>,
    /// The browsers that are told when it is the user's turn, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub browsers: Vec<PushBrowser>,
    /// The boards about which they were told, in the order of the notices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<TurnNotice>,
    /// The boards of whose news the user is told later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldMail>,
    /// The latest mails about several boards, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digests: Vec<SentDigest>,
    /// About when the user last played in a browser, if they want quiet then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Time>,
    /// The number of the latest announcement that was mailed to the user.
    #[serde(default, skip_serializing_if = "is_default")]
    pub announced: u32,
    /// How often all browsers were signed out at once.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sessions: u32,
    /// The cookie expiries of the browsers that were signed out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<Time>,
    /// The session in which an administrator has confirmed by mail who they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raised: Option<RaisedSession>,
    /// The warnings mailed within a month, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warned: Vec<Warning>,
    /// Whether the user has not yet proved that they read their mail. Anybody can sign up in the
    /// name of an address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unproved: bool,
    /// Whether the user is a guest: without a password and an address, in one browser, against the
    /// program alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
    /// The openings of boards that the user gave up, by game. They come again, oldest first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub openings: BTreeMap<String, Vec<Opening>>,
    /// The reports that the user has made, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filed: Vec<FiledReport>,
    /// What the operator forbids the user, even if it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanction: Option<Sanction>,
    /// The user's departure, if they have left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Departure>,
    /// The new userid, if the operator renamed the user with this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed: Option<UserId>,
}

/// A day of vacation that is taken for a user who would lose on time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomaticVacation {
    /// All vacations of the user, with the day.
    pub vacations: Vec<Vacation>,
    /// The day.
    pub today: Day,
    /// The days of vacation that are left in the year.
    pub left: i64,
    /// Whether the user gets a mail about the day.
    pub is_told: bool,
}

/// A returned mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounce {
    /// The address.
    pub address: Address,
    /// When it was returned.
    pub at: Time,
}

/// A warning about something that another person may have done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// A digest of the subject, which is warned of once.
    pub of: String,
    /// When it was mailed.
    pub at: Time,
}

impl Warning {
    /// Returns the digest of a subject.
    pub fn about(what: &str) -> String {
        HEXLOWER.encode(&Digest::of(what.as_bytes())[..8])
    }
}

/// A message or an offer to another user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The other user.
    pub to: UserId,
    /// When.
    pub at: Time,
}

/// A user's departure. The userid stays taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// When.
    pub at: Time,
    /// Whether everything except the userid and the boards was erased.
    pub erased: bool,
}

/// A challenge that counts for its sender's limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentChallenge {
    /// The board.
    pub board: BoardId,
    /// The opponent.
    pub to: UserId,
    /// When it was sent.
    pub at: Time,
    /// Whether the opponent has moved or declined.
    pub answered: bool,
}

impl User {
    /// Builds a user.
    pub fn new(id: UserId, password: String, addresses: Vec<Address>, joined: Time) -> Self {
        Self {
            format: DocumentFormat::default(),
            id,
            password,
            addresses,
            joined,
            active: Vec::new(),
            finished: Vec::new(),
            tournaments: Vec::new(),
            ladders: BTreeMap::new(),
            settings: BTreeMap::new(),
            limits: BTreeMap::new(),
            challenges: Vec::new(),
            vacations: Vec::new(),
            zone: None,
            rests: Vec::new(),
            ratings: BTreeMap::new(),
            periods: BTreeMap::new(),
            profile: Profile::default(),
            preferences: Preferences::default(),
            codes: Vec::new(),
            broadcast: None,
            messages: Vec::new(),
            spoken: Vec::new(),
            muted: Vec::new(),
            blocked: Vec::new(),
            favourites: Vec::new(),
            returned: Vec::new(),
            stopped: Vec::new(),
            tokens: 0,
            keys: Vec::new(),
            held: Vec::new(),
            digests: Vec::new(),
            seen: None,
            browsers: Vec::new(),
            notices: Vec::new(),
            announced: 0,
            sessions: 0,
            ended: Vec::new(),
            raised: None,
            warned: Vec::new(),
            unproved: false,
            guest: false,
            openings: BTreeMap::new(),
            filed: Vec::new(),
            sanction: None,
            left: None,
            renamed: None,
        }
    }

    /// Builds a user who signs up, with the settings of new users.
    pub fn joining(id: UserId, password: String, addresses: Vec<Address>, joined: Time) -> Self {
        let has_setting = |game: &&&dyn AnyGame| {
            Choices::of_settings(game.spec().settings, [FIRST_SETTING]).is_ok()
        };
        let chosen = |game: &&dyn AnyGame| (game.spec().name.into(), vec![FIRST_SETTING.into()]);
        let settings = games::GAMES.iter().filter(has_setting).map(chosen).collect();
        Self { settings, ..Self::new(id, password, addresses, joined) }
    }

    /// Builds a guest. Nobody can sign in as them, since no password matches an empty hash.
    pub fn visiting(id: UserId, joined: Time) -> Self {
        let mut guest = Self::joining(id, String::new(), Vec::new(), joined);
        (guest.guest, guest.unproved) = (true, true);
        guest.start_generations(joined);
        guest
    }

    /// Starts with generations that no earlier user of this userid had. The account of such a user
    /// may have expired, and their cookies and links must not work here.
    pub fn start_generations(&mut self, now: Time) {
        let generation = u32::try_from(now.unix() / DAY.seconds()).unwrap_or_default();
        (self.tokens, self.sessions) = (generation, generation);
    }

    /// Returns whether `word` is a valid code of the user for this purpose.
    pub fn has_code(&self, word: &str, purpose: &CodePurpose, now: Time) -> bool {
        let alike = self.codes.iter().filter(|pending| pending.purpose.grants(purpose));
        // All codes are compared, so that the time does not reveal which one fitted.
        alike.fold(false, |found, pending| found | pending.fits(word, &self.id, now))
    }

    /// Returns every address that the document names, each once: those in use, those that get no more mails,
    /// those to which a code was mailed, and those from which a mail was returned.
    pub fn every_address(&self) -> Vec<Address> {
        let mailed = self.codes.iter().filter_map(|pending| match &pending.purpose {
            CodePurpose::Address { address, .. } => Some(address),
            _ => None,
        });
        let named = self.addresses.iter().chain(&self.stopped).chain(mailed);
        let mut all: Vec<Address> = Vec::new();
        for address in named.chain(self.returned.iter().map(|bounce| &bounce.address)) {
            if !all.contains(address) {
                all.push(address.clone());
            }
        }
        all
    }

    /// Returns how many codes for this kind of purpose were mailed within a day.
    pub fn codes_mailed(&self, purpose: &CodePurpose, now: Time) -> usize {
        let recent = self.codes.iter().filter(|pending| pending.is_recent(now));
        recent.filter(|pending| pending.purpose.is_like(purpose)).count()
    }

    /// Returns whether the user may be warned: once a month of the same subject, and within the
    /// limits of warnings.
    pub fn may_be_warned_of(&self, of: &str, now: Time) -> bool {
        let recent = || self.warned.iter().filter(|old| old.at > now - MONTH);
        let today = recent().filter(|old| old.at > now - DAY).count();
        today < WARNINGS_A_DAY
            && recent().count() < WARNINGS_A_MONTH
            && recent().all(|old| old.of != of)
    }

    /// Returns the number of readers of the user's messages within a day.
    pub fn readers(&self, now: Time) -> usize {
        self.messages.iter().filter(|at| **at > now - DAY).count()
    }

    /// Returns how often the user has written to another user within a day.
    pub fn messages_to(&self, to: &UserId, now: Time) -> usize {
        self.spoken.iter().filter(|old| old.to == *to && old.at > now - DAY).count()
    }

    /// Returns how many of the user's challenges to another user wait for an answer. A challenge
    /// that the user gave up without an answer counts for a day.
    pub fn unanswered(&self, to: &UserId, now: Time) -> usize {
        let open = self.challenges.iter().filter(|old| !old.answered && old.to == *to);
        open.filter(|old| self.still_counts(old, now)).count()
    }

    /// Returns whether a challenge still counts for the limits.
    fn still_counts(&self, old: &SentChallenge, now: Time) -> bool {
        old.at > now - DAY || (!old.answered && self.active.contains(&old.board))
    }

    /// Returns whether openings of a game are kept.
    pub fn keeps_opening(&self, game: &str) -> bool {
        self.openings.get(game).is_some_and(|kept| !kept.is_empty())
    }

    /// Returns the addresses that get mails.
    pub fn reachable(&self) -> Vec<Address> {
        let reached = self.addresses.iter().filter(|address| !self.stopped.contains(address));
        reached.cloned().collect()
    }

    /// Returns the stopped addresses that a mail of the user shows to work: the one it came from,
    /// or all if no other address is left.
    pub fn addresses_reached_by(&self, from: Option<&Address>) -> Vec<Address> {
        let is_from = |address: &&Address| Some(*address) == from;
        let own: Vec<Address> = self.stopped.iter().filter(is_from).cloned().collect();
        if own.is_empty() && (from.is_none() || self.reachable().is_empty()) {
            return self.stopped.clone();
        }
        own
    }

    /// Returns all boards, those in progress first.
    pub fn all_boards(&self) -> impl Iterator<Item = &BoardId> {
        self.active.iter().chain(&self.finished)
    }

    /// Returns the games of which the user has the most boards, at most `most`, the most played first.
    pub fn favourite_games(&self, most: usize) -> Vec<&'static dyn AnyGame> {
        let boards =
            |game: &dyn AnyGame| self.all_boards().filter(|id| id.game == game.spec().name).count();
        let counted = games::GAMES.iter().map(|game| (*game, boards(*game)));
        let mut played: Vec<_> = counted.filter(|(_, boards)| *boards > 0).collect();
        played.sort_by_key(|(_, boards)| std::cmp::Reverse(*boards));
        played.into_iter().take(most).map(|(game, _)| game).collect()
    }

    /// Returns whether the user's browsers show a notice that a board waits.
    pub fn has_notice(&self, board: BoardId) -> bool {
        self.notices.iter().any(|notice| notice.board == board && notice.open)
    }

    /// Returns the users with a mark of this user, in the order of marking.
    pub fn marked(&self, mark: Mark) -> &[UserId] {
        match mark {
            Mark::Muted => &self.muted,
            Mark::Blocked => &self.blocked,
            Mark::Favourite => &self.favourites,
        }
    }

    /// Returns whether the user has put a mark on another user.
    pub fn has_marked(&self, other: &UserId, mark: Mark) -> bool {
        self.marked(mark).contains(other)
    }

    /// Returns the sanction that is in force, if it forbids at least what `kind` forbids.
    pub fn sanction(&self, kind: SanctionKind, now: Time) -> Option<&Sanction> {
        self.sanction.as_ref().filter(|it| it.kind >= kind && it.is_in_force(now))
    }

    /// Returns the number of reports that the user has made within a day.
    pub fn reports_today(&self, now: Time) -> usize {
        self.filed.iter().filter(|filed| filed.at > now - DAY).count()
    }

    /// Returns the times at which the user's clocks stop.
    pub fn time_off(&self) -> TimeOff<'_> {
        TimeOff { vacations: &self.vacations, rests: &self.rests }
    }

    /// Returns the user's own day at a time.
    pub fn day(&self, at: Time) -> Day {
        self.zone.map_or_else(|| at.day(), |zone| zone.day(at))
    }

    /// Returns the vacation that begins by itself, for a user who would lose on time now; `None` if
    /// they do not want one, or have no day left this year.
    pub fn automatic_vacation(&self, now: Time) -> Option<AutomaticVacation> {
        let today = self.day(now);
        let wanted = self.preferences.is_on(&AUTOVACATION);
        let vacations = prolong(&self.vacations, today, self.zone).filter(|_| wanted)?;
        let left = VACATION.days() - days_in_year(&vacations, today.year());
        let before = self.vacations.iter().find(|one| one.has(today.plus(-1)));
        // The mail takes the place of a reminder, which does not come during a vacation.
        let is_told = self.preferences.wants(OptOut::Reminders) || before.is_none() || left == 0;
        Some(AutomaticVacation { vacations, today, left, is_told })
    }

    /// Returns the standing in a game.
    pub fn standing(&self, game: &str) -> Standing {
        self.ratings.get(game).copied().unwrap_or_default()
    }

    /// Returns what the next rating in a game depends on.
    pub fn rating(&self, game: &str) -> PlayerRating {
        PlayerRating { standing: self.standing(game), period: self.periods.get(game).cloned() }
    }

    /// Returns the settings for all boards of a game.
    pub fn settings(&self, game: &'static dyn AnyGame) -> Choices {
        let spec = game.spec();
        let words = self.settings.get(spec.name).into_iter().flatten().map(String::as_str);
        // They were checked when the document was read.
        Choices::of_settings(spec.settings, words).unwrap_or_default()
    }

    /// Returns the user's limit of boards of a game, if it is reached.
    pub fn reached_limit(&self, game: &str) -> Option<u32> {
        let active = self.active.iter().filter(|board| board.game == game).count();
        self.limits
            .get(game)
            .copied()
            .filter(|most| usize::try_from(*most).is_ok_and(|n| active >= n))
    }
}
