//! Changing documents by commands.

use super::{SharedChance, Site, check_outcome, trust};
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::command::account::program_key::MakeKeyCommand;
use crate::command::{Command, Origin, Trust};
use crate::model::moderation::docket_key;
use crate::model::token::SessionGenerations;
use crate::model::user::ProgramKey;
use crate::model::world::{World, user_key};
use crate::refusal::Refusal;
use crate::server::repair::{Repair, RepairError};
use crate::server::requests::Request;
use crate::server::stuck::StuckRow;
use crate::server::{BrowserOutcome, Server, VisitOutcome};
use crate::store::{Backoff, Fault, Key, MailKey, OpenHome, Remedy, RemedyResult, Store};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::http::request::WebRequest;
use crate::web::http::session::{SessionCookie, generations, is_raised};

/// Turns the refusal of a repair into an error.
fn act_refused(error: RepairError) -> PageError {
    match error {
        RepairError::Fault(fault) => fault.into(),
        refused => PageError::ActRefused(refused.to_string()),
    }
}

/// A request while it changes documents, under the exclusive lock of the home.
pub(crate) struct SiteWriter<'a> {
    pub(crate) site: &'a Site,
    request: WebRequest,
    pub(crate) now: Time,
    /// The signed-in user.
    viewer: Option<UserId>,
    /// Their generations before any command.
    old_generations: Option<SessionGenerations>,
    store: Box<dyn OpenHome>,
    server: Server<'a>,
}

impl<'a> SiteWriter<'a> {
    pub(super) fn open(
        site: &'a Site,
        request: WebRequest,
        chance: &'a mut SharedChance,
    ) -> PageResult<Self> {
        let now = site.now();
        let store = site.parts.home.open()?;
        site.parts.setup.dice.learn(&store.dice_keys()?);
        let mut world = World::default();
        let viewer = site.viewer(&request, &mut world, &*store, now)?;
        let user = viewer.as_ref().and_then(|user| world.user(user));
        let old_generations = user.map(generations);
        let server = Server::new(&site.parts.setup, chance);
        Ok(Self { site, request, now, viewer, old_generations, store, server })
    }

    pub(super) fn close(self) -> Result<(), Fault> {
        self.store.close()
    }

    /// Returns the signed-in user.
    ///
    /// # Errors
    /// Nobody has signed in.
    pub(crate) fn signed_in_user(&self) -> PageResult<UserId> {
        self.viewer.clone().ok_or_else(|| PageError::SignIn(self.request.path.clone()))
    }

    /// Returns how far the visitor is trusted.
    pub(crate) fn trust(&self) -> Trust {
        trust(self.viewer.as_ref())
    }

    /// Checks that the visitor is an administrator in a raised session, and returns who they are.
    ///
    /// # Errors
    /// They are not; for others than administrators the pages do not exist.
    pub(crate) fn raised_administrator(&self) -> PageResult<UserId> {
        let viewer = self.administrator()?;
        let world = self.load(&[user_key(&viewer)])?;
        let user = world.user(&viewer).ok_or(PageError::NotFound)?;
        let is_raised = is_raised(&self.request, user, self.now);
        if is_raised { Ok(viewer) } else { Err(PageError::NotRaised("/admin".into())) }
    }

    /// Checks that the visitor is an administrator, and returns who they are.
    ///
    /// # Errors
    /// They are not; for them the pages do not exist.
    pub(crate) fn administrator(&self) -> PageResult<UserId> {
        let viewer = self.viewer.clone().ok_or(PageError::NotFound)?;
        let world = self.load(&[docket_key()])?;
        let docket = world.docket().map_err(Refusal::from)?;
        if docket.is_administrator(&viewer) { Ok(viewer) } else { Err(PageError::NotFound) }
    }

    /// Makes a repair of the operator, after `note` has written it into the log of acts; nothing if `note`
    /// returns false. The repair is decided before, so that one that is refused is not noted.
    ///
    /// # Errors
    /// It is refused, or cannot be noted.
    pub(crate) fn repair(
        &mut self,
        by: &UserId,
        note: impl FnOnce(&mut Self) -> PageResult<bool>,
        work: impl Fn(&mut Server, &dyn Store, Time) -> Result<Repair, RepairError>,
    ) -> PageResult<()> {
        let decided = work(&mut self.server, &*self.store, self.now).map(drop);
        self.server.forget();
        decided.map_err(act_refused)?;
        if !note(self)? {
            return Ok(());
        }
        let by = format!("administrator {by}");
        let mut backoff = Backoff::new();
        loop {
            self.server.forget();
            let repair = work(&mut self.server, &*self.store, self.now).map_err(act_refused)?;
            // Once it is durable, a log that cannot be written is reported by `doctor`.
            match repair.commit(&mut self.server, &mut *self.store, &by, &|_| ()) {
                // Another process has changed the documents: decide it again.
                Err(fault) if fault.is_conflict() && backoff.wait() => {}
                committed => return Ok(committed.map(drop)?),
            }
        }
    }

    /// Retries or drops a parked mail or a letter.
    ///
    /// # Errors
    /// The machine failed.
    pub(crate) fn apply_remedy(
        &self,
        stuck: StuckRow,
        remedy: Remedy,
        by: &UserId,
    ) -> Result<RemedyResult, Fault> {
        let by = format!("administrator {by}");
        stuck.apply(remedy, &by, &*self.site.parts.home, &*self.store)
    }

    /// Loads documents.
    pub(crate) fn load(&self, keys: &[Key]) -> Result<World, Fault> {
        let mut world = World::default();
        world.load(keys, &*self.store)?;
        Ok(world)
    }

    /// Executes a command of a visitor who is trusted this far.
    ///
    /// # Errors
    /// The command is refused.
    pub(crate) fn execute(
        &mut self,
        command: Box<dyn Command>,
        trust: Trust,
        once: Option<MailKey>,
    ) -> PageResult<BrowserOutcome> {
        self.execute_request(&Request::from_command(command, trust, String::new()), once)
    }

    /// Executes a request. With an identity, it is executed once.
    ///
    /// # Errors
    /// The request is refused.
    pub(crate) fn execute_request(
        &mut self,
        request: &Request,
        once: Option<MailKey>,
    ) -> PageResult<BrowserOutcome> {
        let known = self.request.known_cookie.as_deref().and_then(SessionCookie::parse);
        let known = known.map(|cookie| user_key(&cookie.user));
        let world = self.load(&Vec::from_iter(known))?;
        let origin = Origin::Web(self.site.browser(&self.request, self.viewer.as_ref(), &world));
        let mut backoff = Backoff::new();
        let visit = loop {
            let visit =
                self.server.execute_web_request(request, &origin, once, &*self.store, self.now)?;
            match self.store.commit(self.server.take_transaction()) {
                // Another process has changed the documents: execute the request again.
                Err(fault) if fault.is_conflict() && backoff.wait() => {
                    self.server.forget();
                    self.server.take_log();
                }
                committed => break committed.map(|()| visit)?,
            }
        };
        self.store.record(&self.server.take_log())?;
        check_outcome(visit)
    }

    /// Makes a key for a user's programs and returns its secret; `None` if a request with the identity
    /// `once` has made it before.
    pub(crate) fn make_key(
        &mut self,
        user: &UserId,
        name: &str,
        is_told: bool,
        once: Option<MailKey>,
    ) -> PageResult<Option<String>> {
        let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
        let (key, secret) = ProgramKey::new(user, name, self.now, &mut SharedChance(self.site));
        let command = MakeKeyCommand { user: user.clone(), key, is_told };
        let visit = self.execute(Box::new(command), self.trust(), once)?;
        Ok((visit.outcome != VisitOutcome::Before).then_some(secret))
    }

    /// Returns a new session cookie for a user whose command has just signed out all browsers, so that
    /// they stay signed in here; `None` if their sessions go on.
    pub(crate) fn renewed_cookie(&self) -> Result<Option<String>, Fault> {
        let Some(user) = &self.viewer else { return Ok(None) };
        let world = self.load(&[user_key(user)])?;
        let user = world.user(user).filter(|it| self.old_generations != Some(generations(it)));
        Ok(user.map(|user| self.site.new_session_cookie(user, self.now)))
    }

    /// Returns a session cookie for a user whom a command has just changed.
    pub(crate) fn session_cookie(&self, user: &UserId) -> Option<String> {
        Some(self.site.new_session_cookie(self.server.user(user)?, self.now))
    }
}
