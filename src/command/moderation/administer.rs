//! What administrators do on their pages besides sanctions. Each act is written into the log of acts. One
//! that cannot be undone, and entering the pages, needs a code that is mailed to the administrator's
//! registered addresses. The commands have no verb: the pages have forms for them.

use crate::base::ids::UserId;
use crate::command::{Command, Context, Decision, Needs, Trust};
use crate::model::moderation::{Act, AuditRecord, PAGE};
use crate::model::one_time_code::CodePurpose;
use crate::model::user::{RaisedSession, User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{ModerationRefusal, Refusal};
use crate::reply::AccountAnswer;
use std::fmt;

/// The most codes that are mailed to an administrator in a day.
const CODES: usize = 30;

/// What an administrator does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdministratorAct {
    /// What is done.
    pub act: Act,
    /// About whom or what.
    pub about: String,
}

impl AdministratorAct {
    /// Returns whether the act needs a code of its own.
    pub fn needs_code(&self) -> bool {
        matches!(self.act, Act::Enter | Act::Drop | Act::Erase | Act::Undo | Act::Configure)
    }

    fn purpose(&self) -> CodePurpose {
        CodePurpose::Administer { what: self.to_string() }
    }
}

impl fmt::Display for AdministratorAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.act, self.about)
    }
}

/// Requests the code for an act.
#[derive(Debug)]
pub struct RequestCodeCommand {
    /// The administrator, who has signed in.
    pub user: UserId,
    /// The act.
    pub act: AdministratorAct,
}

impl Command for RequestCodeCommand {
    fn needs(&self) -> Needs {
        Needs::All(vec![Needs::Moderation, Needs::Keys(vec![user_key(&self.user)])])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = administrator(world, &self.user, cx)?;
        let purpose = self.act.purpose();
        if user.codes_mailed(&purpose, cx.now) >= CODES {
            return Err(ModerationRefusal::TooManyCodes.into());
        }
        let (code, mailed) = cx.make_code(&user.id, purpose);
        let site = cx.origin.browser().and_then(|browser| browser.site.clone());
        let is_entry = self.act.act == Act::Enter;
        let (user, site) = (user.id.clone(), site.filter(|_| is_entry));
        let act = (!is_entry).then(|| self.act.to_string());
        let answer = AccountAnswer::AdministratorCode { user, code, act, site };
        Ok(Decision { events: vec![mailed], answer: answer.into() })
    }
}

/// Writes an act into the log of acts, before it is done. Checks its code if it needs one.
pub struct AdministerCommand {
    /// The administrator, who has signed in.
    pub user: UserId,
    /// The act.
    pub act: AdministratorAct,
    /// The reason or the details, for the log.
    pub why: String,
    /// The mailed code, as typed.
    pub code: String,
    /// The session that is raised by entering.
    pub raised: Option<RaisedSession>,
}

impl fmt::Debug for AdministerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("AdministerCommand");
        shown.field("user", &self.user).field("act", &self.act).finish_non_exhaustive()
    }
}

impl Command for AdministerCommand {
    fn needs(&self) -> Needs {
        Needs::All(vec![Needs::Moderation, Needs::Keys(vec![user_key(&self.user)])])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = administrator(world, &self.user, cx)?;
        let purpose = self.act.purpose();
        let mut events = Vec::new();
        if self.act.needs_code() {
            if !user.has_code(self.code.trim(), &purpose, cx.now) {
                return Err(ModerationRefusal::BadCode.into());
            }
            events.push(Event::User(user.id.clone(), UserEvent::CodeUsed(purpose)));
        }
        // A page that cannot be read could not take the entry.
        world.audit_page(world.docket()?.entries / PAGE)?;
        if self.raised.is_some() {
            let raised = UserEvent::Raised(self.raised.clone());
            events.push(Event::User(user.id.clone(), raised));
        }
        let AdministratorAct { act, about } = self.act.clone();
        let (at, by, why) = (cx.now, user.id.to_string(), self.why.clone());
        events.push(Event::Audited(AuditRecord { at, by, act, about, until: None, why }));
        Ok(Decision { events, answer: AccountAnswer::Administered(self.act.to_string()).into() })
    }
}

/// Ends the raised session of an administrator.
#[derive(Debug)]
pub struct LeaveAdministrationCommand(pub UserId);

impl Command for LeaveAdministrationCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.0)])
    }

    fn decide(&self, world: &World, _: &mut Context) -> Result<Decision, Refusal> {
        let user = world.user(&self.0).ok_or(ModerationRefusal::SenderIsNotAdministrator)?;
        let events = vec![Event::User(user.id.clone(), UserEvent::Raised(None))];
        Ok(Decision { events, answer: AccountAnswer::Administered("leave".into()).into() })
    }
}

/// Returns the administrator who sends a command from a session.
fn administrator<'w>(world: &'w World, id: &UserId, cx: &Context) -> Result<&'w User, Refusal> {
    let is_own = matches!(cx.trust, Trust::Session(user) if user == id);
    let is_administrator = is_own && world.docket()?.is_administrator(id);
    let user = world.user(id).filter(|_| is_administrator);
    user.ok_or_else(|| ModerationRefusal::SenderIsNotAdministrator.into())
}
