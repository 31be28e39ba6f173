//! The acts of the operator at the shell and of the administrators on the web: sanctions, bans, and
//! settled reports. Each act is written into the log of acts.

use crate::base::ids::UserId;
use crate::base::time::{Day, Time, days};
use crate::command::account::leave::departure;
use crate::command::{Command, Context, Decision, LastingAct, Needs, Origin, Trust};
use crate::config::Limits;
use crate::mail::shorten;
use crate::model::moderation::{
    Act, AuditRecord, BanEvent, BanSubject, Docket, PAGE, Sanction, SanctionKind, Settlement,
    ban_key, report_key,
};
use crate::model::seeks::SeeksEvent;
use crate::model::tournament::{Stage, Tournament, TournamentEvent};
use crate::model::user::{Departure, User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, seeks_key, user_key};
use crate::refusal::{ModerationRefusal, Refusal, operator_address};
use crate::reply::ModerationAnswer;
use games::GAMES;

/// Whom or what an act is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActSubject {
    /// A user.
    User(UserId),
    /// An address, a domain or a network.
    Place(BanSubject),
    /// The report of this number.
    Report(u32),
}

impl ActSubject {
    /// Reads a userid, an address, a domain or a network.
    pub fn parse(word: &str) -> Option<Self> {
        let place = || BanSubject::parse(word).map(Self::Place);
        UserId::parse(word).map(Self::User).or_else(place)
    }
}

impl std::fmt::Display for ActSubject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::User(user) => user.fmt(f),
            Self::Place(place) => place.fmt(f),
            Self::Report(number) => write!(f, "report {number}"),
        }
    }
}

/// An act of the operator or an administrator.
#[derive(Clone, Debug)]
pub struct ActCommand {
    /// What is done.
    pub act: Act,
    /// About whom or what.
    pub subject: ActSubject,
    /// The last day of the sanction.
    pub until: Option<Day>,
    /// The reason, or the note about a settled report.
    pub why: String,
    /// The operator at the shell, for the log.
    pub operator: String,
}

/// The longest reason, in bytes.
pub const LONGEST_REASON: usize = 1_000;

impl Command for ActCommand {
    fn needs(&self) -> Needs {
        let subject = match &self.subject {
            ActSubject::User(user) if self.act == Act::Ban => Needs::DocumentsOf(user.clone()),
            ActSubject::User(user) if self.act == Act::Suspend => {
                let seeks = GAMES.iter().map(|game| seeks_key(game.spec().name)).collect();
                Needs::All(vec![Needs::CurrentTournamentsOf(user.clone()), Needs::Keys(seeks)])
            }
            ActSubject::User(user) => Needs::Keys(vec![user_key(user)]),
            ActSubject::Place(place @ BanSubject::Address(address)) => {
                let key = Needs::Keys(vec![ban_key(place)]);
                Needs::All(vec![key, Needs::UsersAt(address.clone())])
            }
            ActSubject::Place(place) => Needs::Keys(vec![ban_key(place)]),
            ActSubject::Report(number) => Needs::Keys(vec![report_key(*number)]),
        };
        Needs::All(vec![Needs::Moderation, subject])
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        Some(LastingAct::Moderation { act: self.act, subject: self.subject.to_string() })
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let docket = world.docket()?;
        let by = self.actor(docket, cx)?;
        let why = self.why.trim();
        if why.is_empty() {
            return Err(ModerationRefusal::ActWithoutReason.into());
        }
        let why = shorten(why, LONGEST_REASON).into_owned();
        let until = self.end(cx.now)?;
        // A page that cannot be read could not take the entry.
        world.audit_page(docket.entries / PAGE)?;
        let (at, act, about) = (cx.now, self.act, self.subject.to_string());
        let record = AuditRecord { at, by: by.clone(), act, about, until, why };
        let DecidedAct { mut events, answer } = match &self.subject {
            ActSubject::User(user) => self.on_user(world, docket, user, &record, cx)?,
            ActSubject::Place(place) => self.on_place(world, place, &record)?,
            ActSubject::Report(number) => settle(world, *number, record.clone(), cx.limits)?,
        };
        events.push(Event::Audited(record));
        Ok(Decision { events, answer: answer.into() })
    }
}

/// The events of an act, and its answer.
struct DecidedAct {
    events: Vec<Event>,
    answer: ModerationAnswer,
}

impl ActCommand {
    /// Returns who acts, as the log names them.
    fn actor(&self, docket: &Docket, cx: &Context) -> Result<String, ModerationRefusal> {
        match (cx.trust, cx.origin) {
            (Trust::Operator, Origin::Shell) => Ok(format!("operator {}", self.operator)),
            (Trust::Session(user), _) if docket.is_administrator(user) => match self.act {
                Act::Appoint | Act::Dismiss => Err(ModerationRefusal::NotOperator),
                _ => Ok(user.to_string()),
            },
            _ => Err(ModerationRefusal::SenderIsNotAdministrator),
        }
    }

    /// Returns when the sanction ends: after its last day.
    fn end(&self, now: Time) -> Result<Option<Time>, ModerationRefusal> {
        let end = self.until.map(|day| day.plus(1).start());
        match end {
            Some(end) if end <= now => Err(ModerationRefusal::Past),
            None if self.act == Act::Suspend => Err(ModerationRefusal::NoEnd),
            end => Ok(end),
        }
    }

    fn on_user(
        &self,
        world: &World,
        docket: &Docket,
        id: &UserId,
        record: &AuditRecord,
        cx: &Context,
    ) -> Result<DecidedAct, Refusal> {
        let user = world.any_user(id).filter(|_| world.level(id).is_none());
        let user = user.filter(|user| user.renamed.is_none());
        let user = user.ok_or_else(|| ModerationRefusal::NoUser(id.clone()))?;
        let is_operator = *cx.trust == Trust::Operator;
        if docket.is_administrator(&user.id) && !is_operator {
            return Err(ModerationRefusal::IsAdministrator(user.id.clone()).into());
        }
        let is_ban = self.act == Act::Ban || self.act == Act::Lift;
        if user.left.is_some() && !is_ban {
            return Err(ModerationRefusal::Left(user.id.clone()).into());
        }
        let contact = operator_address(cx.server_address);
        let sanction = |kind| {
            let (since, until, why) = (record.at, record.until, record.why.clone());
            let sanction = Sanction { kind, since, until, why };
            Event::User(user.id.clone(), UserEvent::Sanctioned(Some(sanction)))
        };
        let (mut events, mut boards) = (Vec::new(), Vec::new());
        match self.act {
            Act::Mute => events.push(sanction(SanctionKind::Mute)),
            Act::Suspend => {
                events.push(sanction(SanctionKind::Suspension));
                events.extend(withdrawals(world, user, cx.now));
            }
            Act::Ban => {
                if user.left.is_none() {
                    let left = Departure { at: cx.now, erased: false };
                    (events, boards) = departure(world, user, left);
                }
                events.push(sanction(SanctionKind::Ban));
            }
            Act::Lift => {
                if user.sanction(SanctionKind::Mute, cx.now).is_none() {
                    let user = user.id.to_string();
                    return Err(ModerationRefusal::NothingInForce(user).into());
                }
                events.push(Event::User(user.id.clone(), UserEvent::Sanctioned(None)));
            }
            Act::Appoint | Act::Dismiss => {
                let wanted = self.act == Act::Appoint;
                if docket.is_administrator(&user.id) == wanted {
                    let is = ModerationRefusal::IsAdministrator(user.id.clone());
                    let is_not = ModerationRefusal::UserIsNotAdministrator(user.id.clone());
                    return Err(if wanted { is } else { is_not }.into());
                }
                let user = user.id.clone();
                events.push(Event::Appointed(user, wanted));
            }
            Act::Settle
            | Act::Enter
            | Act::Retry
            | Act::Drop
            | Act::Erase
            | Act::Undo
            | Act::Configure => return Err(ModerationRefusal::NoUser(user.id.clone()).into()),
        }
        let (user, addresses) = (user.id.clone(), user.addresses.clone());
        let record = record.clone();
        let answer = ModerationAnswer::User { user, addresses, record, boards, contact };
        Ok(DecidedAct { events, answer })
    }

    fn on_place(
        &self,
        world: &World,
        place: &BanSubject,
        record: &AuditRecord,
    ) -> Result<DecidedAct, Refusal> {
        let at = record.at;
        let in_force = world.ban(place)?.is_some_and(|ban| ban.is_in_force(at));
        let event = match self.act {
            Act::Ban => {
                let (until, why) = (record.until, record.why.clone());
                BanEvent::Banned { at, until, why }
            }
            Act::Lift if in_force => BanEvent::Lifted { at },
            _ => return Err(ModerationRefusal::NothingInForce(place.to_string()).into()),
        };
        let users = match place {
            BanSubject::Address(address) => world.users_at(address),
            BanSubject::Domain(_) | BanSubject::Network(_) => Vec::new(),
        };
        let users = users.iter().map(|user| user.id.clone()).collect();
        let answer = ModerationAnswer::Place { record: record.clone(), users };
        Ok(DecidedAct { events: vec![Event::Ban(place.clone(), event)], answer })
    }
}

/// Settles a report.
fn settle(
    world: &World,
    number: u32,
    record: AuditRecord,
    limits: &Limits,
) -> Result<DecidedAct, Refusal> {
    let report = world.report(number)?.ok_or(ModerationRefusal::NoReport(number))?;
    if report.settled.is_some() {
        return Err(ModerationRefusal::Settled(number).into());
    }
    let AuditRecord { at, by, why, .. } = record;
    let until = Some(at + days(limits.report_days.get().into()));
    let how = Settlement { at, by, note: why, until };
    let reporter = report.by.clone();
    let answer = ModerationAnswer::Settled { number, reporter };
    Ok(DecidedAct { events: vec![Event::ReportSettled(number, how)], answer })
}

/// Withdraws the open challenges of a user, and their entries in tournaments that have not started.
/// Running tournaments go on, so that no opponent loses a game by the suspension.
fn withdrawals(world: &World, user: &User, now: Time) -> Vec<Event> {
    let mut events = Vec::new();
    for game in GAMES.iter().map(|game| game.spec().name) {
        // A damaged document keeps its challenges; `check` reports it.
        let Ok(seeks) = world.seeks(game) else { continue };
        let own = seeks.open(now).filter(|seek| seek.user == user.id);
        events.extend(own.map(|seek| Event::Seeks(game, SeeksEvent::Ended(seek.number))));
    }
    for id in &user.tournaments {
        let tournament = world.loaded_tournament(*id);
        let is_entered = |found: &&Tournament| found.stage() == Stage::Open && found.has(&user.id);
        let open = tournament.filter(is_entered);
        let left = TournamentEvent::Left { user: user.id.clone() };
        events.extend(open.map(|_| Event::Tournament(*id, left)));
    }
    events
}
