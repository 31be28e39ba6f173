//! Parts that all requests share: the home, the clock, chance, and how many may work at a time.

use crate::base::chance::{RandomSource, Seed};
use crate::base::ids::UserId;
use crate::base::network::Network;
use crate::base::time::Time;
use crate::command::account::program_key::MakeKeyCommand;
use crate::command::{Browser, Command, Origin, Trust};
use crate::model::dice::DiceKeys;
use crate::model::user::{ProgramKey, User};
use crate::model::world::{World, user_key};
use crate::server::requests::Request;
use crate::server::{BrowserOutcome, Server, Setup, VisitOutcome};
use crate::store::{Backoff, Fault, Home, Key, MailKey, OpenHome, ReadOnlyHome, Subscription};
use crate::web::html::error_page::PageError;
use crate::web::http::network_limit::NetworkLimiter;
use crate::web::http::page_cache::PageCache;
use crate::web::http::queue::{QueuePlace, WorkQueue};
use crate::web::http::request::WebRequest;
use crate::web::http::session::SessionCookie;
use crate::web::live::hub::Hub;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};

/// Requests that may wait to look at documents; more are sent away.
const MOST_WAITING: usize = 2_000;

/// Requests that may wait to change something, and of one place of the net. One is carried out at a
/// time.
const MOST_WRITING: usize = 200;
const MOST_WRITING_OF_ONE: usize = 20;

/// Passwords that may wait to be looked at, and of one place. One is looked at at a time: it takes
/// a core and 19 MB.
const MOST_PROVING: usize = 100;
const MOST_PROVING_OF_ONE: usize = 5;

/// The parts that the machine and the operator give.
pub struct SiteParts {
    /// Where documents are.
    pub home: Box<dyn Home>,
    /// The operator's choices, and the home's key.
    pub setup: Setup,
    /// The clock.
    pub clock: Box<dyn Fn() -> Time + Send + Sync>,
    /// Dice, and other chance.
    pub chance: Box<dyn RandomSource + Send>,
    /// Whether the home is a demonstration, where everybody may be everybody.
    pub is_demo: bool,
    /// Requests that look at documents at a time, each on a thread of its own. Others wait.
    pub readers: usize,
    /// The source of the numbers of the home, if clients may ask.
    pub metrics: Option<Metrics>,
}

/// The source of the numbers, and who may read them.
pub struct Metrics {
    /// Tells them in Prometheus' text format.
    pub text: Box<dyn Fn() -> Result<String, Fault> + Send + Sync>,
    /// The token of clients on other machines; without it they may not ask.
    pub token: Option<String>,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// A home that is shown.
pub struct Site {
    pub(in crate::web) parts: SharedParts,
    pub(in crate::web) is_encrypted: bool,
    pub(in crate::web) hub: Arc<Hub>,
    pub(in crate::web) kept: Arc<PageCache>,
    /// Until this is dropped the home tells the hub what has changed.
    _listening: Box<dyn Subscription>,
    /// Whether the process ends.
    end: watch::Sender<bool>,
    /// The requests of each place of the net at a time.
    pub(in crate::web) places: Arc<NetworkLimiter>,
    reading: WorkQueue,
    writing: WorkQueue,
    proving: WorkQueue,
    /// What is done after its answer.
    later: Mutex<JoinSet<()>>,
}

/// [`SiteParts`], as threads share them.
pub(in crate::web) struct SharedParts {
    pub(in crate::web) home: Box<dyn Home>,
    pub(in crate::web) setup: Setup,
    clock: Box<dyn Fn() -> Time + Send + Sync>,
    chance: Mutex<Box<dyn RandomSource + Send>>,
    pub(in crate::web) is_demo: bool,
    pub(in crate::web) metrics: Option<Metrics>,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("home", &self.parts.home).finish_non_exhaustive()
    }
}

/// The documents of a home while a request looks at them.
pub(in crate::web) struct SiteReader<'a> {
    pub(in crate::web) site: &'a Site,
    pub(in crate::web) ask: WebRequest,
    pub(in crate::web) now: Time,
    pub(in crate::web) world: World,
    /// The user who has signed in.
    pub(in crate::web) viewer: Option<UserId>,
    store: ReadOnlyHome,
}

/// The documents that a request has seen, once the home is closed again.
pub(in crate::web) struct SiteView<'a> {
    pub(in crate::web) site: &'a Site,
    pub(in crate::web) ask: WebRequest,
    pub(in crate::web) now: Time,
    pub(in crate::web) world: World,
    pub(in crate::web) viewer: Option<UserId>,
    /// Whether the browser has no cookie of ours yet.
    pub(in crate::web) is_new: bool,
}

/// A home that a request changes.
pub(in crate::web) struct SiteWriter<'a> {
    pub(in crate::web) site: &'a Site,
    pub(in crate::web) ask: WebRequest,
    pub(in crate::web) now: Time,
    /// The user who has signed in.
    pub(in crate::web) viewer: Option<UserId>,
    /// How often their tokens and browsers had become void at first.
    begun: Option<[u32; 2]>,
    store: Box<dyn OpenHome>,
    server: Server<'a>,
}

impl Site {
    /// A site of a home.
    ///
    /// # Errors
    /// The home cannot tell of changes.
    pub fn new(parts: SiteParts) -> Result<Arc<Self>, Fault> {
        let SiteParts { home, setup, clock, chance, is_demo, readers, metrics } = parts;
        let is_encrypted = setup.config.web.is_encrypted();
        let of_one = setup.config.web.bounds.of_one_place;
        let parts =
            SharedParts { home, setup, clock, chance: Mutex::new(chance), is_demo, metrics };
        let hub = Arc::new(Hub::default());
        let kept = Arc::new(PageCache::default());
        let (bells, pages) = (Arc::clone(&hub), Arc::clone(&kept));
        let listening = parts.home.subscribe(Box::new(move |names| {
            // A client that comes because of the bell must not get the old page.
            pages.forget(names);
            bells.ring(names);
        }))?;
        let end = watch::Sender::new(false);
        Ok(Arc::new(Self {
            parts,
            is_encrypted,
            hub,
            kept,
            _listening: listening,
            end,
            places: NetworkLimiter::new(of_one),
            reading: WorkQueue::new(readers, MOST_WAITING, of_one),
            writing: WorkQueue::new(1, MOST_WRITING, MOST_WRITING_OF_ONE),
            proving: WorkQueue::new(1, MOST_PROVING, MOST_PROVING_OF_ONE),
            later: Mutex::default(),
        }))
    }

    /// Lets the listeners go: the process ends.
    pub(in crate::web) fn close(&self) {
        self.end.send_replace(true);
    }

    /// Waits until the process ends.
    pub(in crate::web) async fn ended(&self) {
        // The sender is in here, so it is not gone.
        let _ = self.end.subscribe().wait_for(|is_end| *is_end).await;
    }

    /// The name of the server.
    pub(in crate::web) fn name(&self) -> &str {
        self.parts.setup.identity.name.as_str()
    }

    pub(in crate::web) fn now(&self) -> Time {
        (self.parts.clock)()
    }

    pub(in crate::web) fn chance(&self) -> MutexGuard<'_, Box<dyn RandomSource + Send>> {
        self.parts.chance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at documents, off the threads that serve requests.
    pub(in crate::web) async fn read<T: Send + 'static>(
        self: Arc<Self>,
        ask: WebRequest,
        look: impl FnOnce(SiteReader) -> Result<T, PageError> + Send + 'static,
    ) -> Result<T, PageError> {
        let turn = self.reading.turn(ask.place).await?;
        let (site, noted) = (Arc::clone(&self), Arc::clone(&self));
        let work = move || {
            let _turn = turn;
            let now = site.now();
            let store = site.parts.home.read()?;
            let mut world = World::default();
            let viewer = site.viewer(&ask, &mut world, &*store, now)?;
            look(SiteReader { site: &site, ask, now, world, viewer, store })
        };
        let done = spawn_blocking(move || work().inspect_err(|failure| noted.note(failure)));
        done.await.unwrap_or(Err(PageError::Bug))
    }

    /// Looks at a password, off the threads that serve requests, and one after the other.
    pub(in crate::web) async fn verify(
        self: Arc<Self>,
        place: Option<Network>,
        password: String,
        stored: Option<String>,
    ) -> Result<bool, PageError> {
        let turn = self.proving.turn(place).await?;
        let work = move || {
            let _turn = turn;
            self.parts.setup.hashing.verify(&password, stored.as_deref())
        };
        spawn_blocking(work).await.map_err(|_| PageError::Bug)
    }

    /// Has something changed, off the threads that serve requests, and one after the other.
    pub(in crate::web) async fn write<T: Send + 'static>(
        self: Arc<Self>,
        ask: WebRequest,
        work: impl FnOnce(&mut SiteWriter) -> Result<T, PageError> + Send + 'static,
    ) -> Result<T, PageError> {
        let place = self.writing.enter(ask.place)?;
        self.write_at(place, ask, work).await
    }

    /// The same, by one that waits already.
    async fn write_at<T: Send + 'static>(
        self: Arc<Self>,
        place: QueuePlace,
        ask: WebRequest,
        work: impl FnOnce(&mut SiteWriter) -> Result<T, PageError> + Send + 'static,
    ) -> Result<T, PageError> {
        let turn = place.turn().await?;
        let (site, noted) = (Arc::clone(&self), Arc::clone(&self));
        let work = move || {
            let _turn = turn;
            let now = site.now();
            let store = site.parts.home.open()?;
            site.parts.setup.dice.learn(&store.dice_keys()?);
            let mut world = World::default();
            let viewer = site.viewer(&ask, &mut world, &*store, now)?;
            let user = viewer.as_ref().and_then(|user| world.user(user));
            let begun = user.map(generations);
            let mut chance = SharedChance(&site);
            let server = Server::new(&site.parts.setup, &mut chance);
            let mut writer = SiteWriter { site: &site, ask, now, viewer, begun, store, server };
            let result = work(&mut writer);
            writer.store.close()?;
            result
        };
        let done = spawn_blocking(move || work().inspect_err(|failure| noted.note(failure)));
        done.await.unwrap_or(Err(PageError::Bug))
    }

    /// Has something changed after the answer: how long that takes tells the visitor nothing.
    ///
    /// # Errors
    /// Too many wait to change something already, or too many of that place.
    pub(in crate::web) fn write_later(
        self: &Arc<Self>,
        ask: WebRequest,
        work: impl FnOnce(&mut SiteWriter) -> Result<(), PageError> + Send + 'static,
    ) -> Result<(), PageError> {
        let place = self.writing.enter(ask.place)?;
        let writes = Arc::clone(self).write_at(place, ask, work);
        let mut later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        while later.try_join_next().is_some() {}
        // It was answered: what failed is in the log.
        later.spawn(async { drop(writes.await) });
        Ok(())
    }

    /// Waits for what is done after its answer.
    pub async fn settled(&self) {
        let mut later =
            std::mem::take(&mut *self.later.lock().unwrap_or_else(PoisonError::into_inner));
        while later.join_next().await.is_some() {}
    }

    /// The browser that asks. The document of the user is loaded whom it is known to.
    fn browser(&self, ask: &WebRequest, viewer: Option<&UserId>, world: &World) -> Browser {
        Browser {
            user: viewer.cloned(),
            known: self.known_to(ask, world),
            network: ask.network,
            site: self.parts.setup.config.web.address.clone(),
        }
    }

    /// Notes in the log what the machine said, if it still can.
    fn note(&self, failure: &PageError) {
        if let PageError::Fault(fault) = failure
            && let Ok(store) = self.parts.home.read()
        {
            let _ = store.log(&[&format!("web: {fault}")]);
        }
    }

    /// The user who has signed in with the browser that asks, or whose key a program shows. A key
    /// that is none of ours is refused, also where none is needed.
    fn viewer(
        &self,
        ask: &WebRequest,
        world: &mut World,
        store: &dyn OpenHome,
        now: Time,
    ) -> Result<Option<UserId>, PageError> {
        if let Some(key) = &ask.key {
            if key.is_empty() {
                return Ok(None);
            }
            let refused = || PageError::SignIn(ask.path.clone());
            let user = ProgramKey::holder(key).ok_or_else(refused)?;
            world.gather(&[user_key(&user)], store)?;
            let user = world.user(&user).filter(|user| user.keys.iter().any(|own| own.is(key)));
            return user.map(|user| Some(user.id.clone())).ok_or_else(refused);
        }
        let Some(ticket) = ask.cookie.as_deref().and_then(SessionCookie::parse) else {
            return Ok(None);
        };
        world.gather(&[user_key(&ticket.user)], store)?;
        Ok(self.signed_in(ask.cookie.as_deref(), world, now))
    }
}

impl<'a> SiteReader<'a> {
    /// Loads documents, and with a board its players.
    pub(in crate::web) fn gather(&mut self, keys: &[Key]) -> Result<(), Fault> {
        // The operator hears of damage when a command meets it, and from `check`.
        self.world.gather(keys, &*self.store).map(drop)
    }

    /// The keys of dice that the home has now.
    pub(in crate::web) fn dice_keys(&self) -> Result<&'a DiceKeys, Fault> {
        let keys = &self.site.parts.setup.dice;
        keys.learn(&self.store.dice_keys()?);
        Ok(keys)
    }

    /// The user who has signed in.
    ///
    /// # Errors
    /// Nobody; they are asked to, and come back.
    pub(in crate::web) fn user(&self) -> Result<UserId, PageError> {
        self.viewer.clone().ok_or_else(|| PageError::SignIn(self.ask.path.clone()))
    }

    /// The answer to a command that changes nothing.
    pub(in crate::web) fn answer(
        &self,
        command: Box<dyn Command>,
    ) -> Result<BrowserOutcome, PageError> {
        let (site, trust) = (self.site, trust(self.viewer.as_ref()));
        let mut chance = SharedChance(site);
        let mut server = Server::new(&site.parts.setup, &mut chance);
        let browser = self.site.browser(&self.ask, self.viewer.as_ref(), &self.world);
        let origin = Origin::Web(browser);
        let request = Request::from_command(command, trust, String::new());
        let visit = server.visit(&request, &origin, None, &*self.store, self.now)?;
        heeded(visit)
    }

    /// Closes the home: what is shown is made without holding anybody up.
    pub(in crate::web) fn leave(self) -> SiteView<'a> {
        let Self { site, ask, now, world, viewer, store } = self;
        drop(store);
        SiteView { site, ask, now, world, viewer, is_new: false }
    }
}

impl SiteWriter<'_> {
    /// The user who has signed in.
    ///
    /// # Errors
    /// Nobody; they are asked to, and come back.
    pub(in crate::web) fn user(&self) -> Result<UserId, PageError> {
        self.viewer.clone().ok_or_else(|| PageError::SignIn(self.ask.path.clone()))
    }

    /// How far they are trusted.
    pub(in crate::web) fn trust(&self) -> Trust {
        trust(self.viewer.as_ref())
    }

    /// Looks at documents before something is said about them.
    pub(in crate::web) fn world(&self, keys: &[Key]) -> Result<World, Fault> {
        let mut world = World::default();
        world.gather(keys, &*self.store)?;
        Ok(world)
    }

    /// Has a command carried out, once.
    ///
    /// # Errors
    /// It is refused.
    pub(in crate::web) fn say(
        &mut self,
        request: &Request,
        once: Option<MailKey>,
    ) -> Result<BrowserOutcome, PageError> {
        let holder = self.ask.known.as_deref().and_then(SessionCookie::parse);
        let holder = holder.map(|cookie| user_key(&cookie.user));
        let world = self.world(&Vec::from_iter(holder))?;
        let origin = Origin::Web(self.site.browser(&self.ask, self.viewer.as_ref(), &world));
        let mut tries = Backoff::new();
        let visit = loop {
            let visit = self.server.visit(request, &origin, once, &*self.store, self.now)?;
            match self.store.commit(self.server.take()) {
                // Others were in the way: they come first.
                Err(fault) if fault.is_conflict() && tries.wait() => {
                    self.server.forget();
                    self.server.take_log();
                }
                committed => break committed.map(|()| visit)?,
            }
        };
        self.store.record(&self.server.take_log())?;
        heeded(visit)
    }

    /// A new key for programs of a user who has shown that it is them.
    pub(in crate::web) fn make_key(
        &mut self,
        user: &UserId,
        name: &str,
        is_told: bool,
    ) -> Result<String, PageError> {
        let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
        let (key, secret) = ProgramKey::new(user, name, self.now, &mut SharedChance(self.site));
        let command = MakeKeyCommand { user: user.clone(), key, is_told };
        let request = Request::from_command(Box::new(command), self.trust(), String::new());
        self.say(&request, None)?;
        Ok(secret)
    }

    /// A new cookie for the browser of a user whose browsers were signed out just now: the user who
    /// did that stays signed in here. Others keep theirs, and so do pages that are open.
    pub(in crate::web) fn renewed(&self) -> Result<Option<String>, Fault> {
        let Some(user) = &self.viewer else { return Ok(None) };
        let world = self.world(&[user_key(user)])?;
        let user = world.user(user).filter(|user| self.begun != Some(generations(user)));
        Ok(user.map(|user| self.site.ticket(user, self.now)))
    }

    /// The cookie of a user of a command, as they are now.
    pub(in crate::web) fn ticket(&self, user: &UserId) -> Option<String> {
        Some(self.site.ticket(self.server.user(user)?, self.now))
    }
}

/// How often the tokens of a user became void, and their browsers.
pub(in crate::web) fn generations(user: &User) -> [u32; 2] {
    [user.tokens, user.sessions]
}

/// The outcome of what was carried out, now or before.
fn heeded(visit: BrowserOutcome) -> Result<BrowserOutcome, PageError> {
    match visit.outcome {
        VisitOutcome::Done | VisitOutcome::Before => Ok(visit),
        VisitOutcome::Refused => Err(PageError::Told(visit.said)),
        VisitOutcome::Reused => Err(PageError::Reused),
    }
}

fn trust(viewer: Option<&UserId>) -> Trust {
    viewer.map_or(Trust::Words, |user| Trust::Session(user.clone()))
}

/// The chance that all requests share, taken for one throw at a time.
struct SharedChance<'a>(&'a Site);

impl games::Thrower for SharedChance<'_> {
    fn throw(&mut self, throw: games::Throw) -> games::Roll {
        self.0.chance().throw(throw)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.chance().below(limit)
    }
}

impl RandomSource for SharedChance<'_> {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.chance().fill(bytes);
    }

    fn seed(&self) -> Option<Seed> {
        self.0.chance().seed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::ScriptedRandom;
    use crate::base::password::Hashing;
    use crate::config::{Config, SAMPLE};
    use crate::model::token::TokenKey;
    use crate::store::MemoryHome;
    use std::collections::BTreeMap;
    use std::net::IpAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn site() -> Arc<Site> {
        let config = Config::read(SAMPLE).unwrap();
        let setup = Setup {
            identity: config.identity(),
            config,
            key: TokenKey::new([7; 32]),
            dice: DiceKeys::new(&[7; 32], Vec::new()),
            hashing: Hashing::quick(),
        };
        let parts = SiteParts {
            home: Box::new(MemoryHome::new()),
            setup,
            clock: Box::new(|| Time::from_unix(0)),
            chance: Box::new(ScriptedRandom::counting()),
            is_demo: false,
            readers: 1,
            metrics: None,
        };
        Site::new(parts).unwrap()
    }

    #[test]
    fn what_waits_to_be_done_after_its_answer_is_bounded() {
        let here: Network = "192.0.2.1".parse::<IpAddr>().unwrap().into();
        let ask = WebRequest {
            path: "/".into(),
            query: BTreeMap::new(),
            has: None,
            cookie: None,
            known: None,
            key: None,
            network: here,
            place: Some(here),
        };
        let site = site();
        let done = Arc::new(AtomicUsize::new(0));
        let later = || {
            let done = Arc::clone(&done);
            site.write_later(ask.clone(), move |_| {
                done.fetch_add(1, Ordering::SeqCst);
                Ok(())
            })
        };
        let threads = tokio::runtime::Builder::new_current_thread().build().unwrap();
        threads.block_on(async {
            let turn = site.writing.turn(None).await.unwrap();
            for number in 0..MOST_WRITING_OF_ONE {
                assert!(later().is_ok(), "{number}");
            }
            assert!(matches!(later(), Err(PageError::Crowded)));
            assert_eq!(done.load(Ordering::SeqCst), 0);
            drop(turn);
            site.settled().await;
            assert_eq!(done.load(Ordering::SeqCst), MOST_WRITING_OF_ONE);
            assert!(later().is_ok());
        });
    }
}
