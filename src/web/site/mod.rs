//! The site: the home, the clock, and the limits on work that all requests share. A request reads
//! documents with a [`SiteReader`] or changes them with a [`SiteWriter`]. Both work on threads of
//! their own, so the threads that serve requests never wait for the home.

mod analyses;
mod directory;
mod first_run;
mod reader;
mod writer;

pub(super) use analyses::{Analyses, Opinions, TriedMove};
pub(super) use first_run::{Admission, FirstRun, PendingSetup};
pub use first_run::{SetupDesk, SetupProgress};
pub(super) use reader::{FeedLink, SiteReader, Snapshot};
pub(super) use writer::SiteWriter;

use super::html::error_page::{PageError, PageResult, RefusedCommand};
use super::http::page_cache::PageCache;
use super::http::queue::{QueuePlace, WorkQueue};
use super::http::request::WebRequest;
use super::http::session::SessionCookie;
use super::live::hub::Hub;
use super::live::push_notices::PushNotices;
use crate::base::chance::{RandomSource, Seed};
use crate::base::ids::UserId;
use crate::base::network::Network;
use crate::base::peer_limit::PeerLimiter;
use crate::base::time::Time;
use crate::command::{Browser, Trust};
use crate::config::RuntimeSetting;
use crate::model::user::ProgramKey;
use crate::model::world::{World, user_key};
use crate::server::{BrowserOutcome, Setup, VisitOutcome};
use crate::store::{Fault, Home, OpenHome, Store, Subscription};
use data_encoding::HEXLOWER;
use directory::SharedDirectory;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinSet, spawn_blocking};

/// The limit on requests that read documents. More are refused.
const MAX_READS: usize = 2_000;

/// The limits on requests that change documents: in total, and of a network. One runs at a time.
const MAX_WRITES: usize = 200;
const MAX_WRITES_PER_NETWORK: usize = 20;

/// The limits on passwords to verify: in total, and of a network. One runs at a time, because it takes
/// a core and 19 MB.
const MAX_PASSWORDS: usize = 100;
const MAX_PASSWORDS_PER_NETWORK: usize = 5;

/// The limit on examinations of the server. One runs at a time.
const MAX_EXAMINATIONS: usize = 3;

/// The parts of a site.
pub struct SiteParts {
    /// The home.
    pub home: Box<dyn Home>,
    /// The configuration, and the keys of the home.
    pub setup: Setup,
    /// The clock.
    pub clock: Box<dyn Fn() -> Time + Send + Sync>,
    /// The source of dice, keys and nonces.
    pub chance: Mutex<Box<dyn RandomSource + Send>>,
    /// Whether the home is a demonstration, where a visitor can sign in as any player.
    pub is_demo: bool,
    /// The number of threads that read documents.
    pub readers: usize,
    /// The source of the metrics, if clients may ask.
    pub metrics: Option<Metrics>,
    /// Returns the tasks of this process that fail.
    pub unready: UnreadyTasks,
    /// The reports for administrators.
    pub reports: Option<Box<dyn OperatorReports>>,
    /// What the page of setup does, if nobody has set up the home: then the site has no other page.
    pub setup_desk: Option<Box<dyn SetupDesk>>,
}

/// Returns the names of the tasks of this process that fail, for `/readyz`. Anybody may read them.
pub type UnreadyTasks = Box<dyn Fn() -> Vec<&'static str> + Send + Sync>;

/// What the operator's commands report, for administrators. The shell implements it.
pub trait OperatorReports: Send + Sync {
    /// Returns the lines of `status`, each with its title. A line without one continues that before.
    ///
    /// # Errors
    /// The home cannot be read.
    fn status(&self) -> Result<Vec<(&'static str, String)>, Fault>;

    /// Returns the settings that may be changed while the server runs.
    ///
    /// # Errors
    /// The configuration cannot be read.
    fn settings(&self) -> Result<Vec<RuntimeSetting>, Fault>;

    /// Checks another value of a setting.
    ///
    /// # Errors
    /// It is refused: why.
    fn check_setting(&self, key: &str, value: &str) -> Result<(), String>;

    /// Writes another value of a setting into the configuration. Returns whether it is in force at once.
    ///
    /// # Errors
    /// It is refused, or cannot be written: why.
    fn change_setting(&self, key: &str, value: &str) -> Result<bool, String>;

    /// Returns the findings of `doctor`.
    fn examine(&self) -> Vec<Finding>;
}

/// A finding of `check` or `doctor`.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What was examined.
    #[serde(rename = "what")]
    pub subject: &'static str,
    /// Whether the operator need not act.
    pub is_well: bool,
    /// The state; if it is not well, with the remedy.
    #[serde(rename = "told")]
    pub message: String,
}

/// The source of the metrics, and the token that protects it.
pub struct Metrics {
    /// Returns the metrics in Prometheus' text format.
    pub text: Box<dyn Fn() -> Result<String, Fault> + Send + Sync>,
    /// The token of clients on other machines; without a token they may not ask.
    pub token: Option<String>,
}

/// A home with its web pages.
pub struct Site {
    pub(super) parts: SiteParts,
    pub(super) first_run: Option<FirstRun>,
    pub(super) is_encrypted: bool,
    pub(super) hub: Arc<Hub>,
    pub(super) page_cache: Arc<PageCache>,
    directory: Arc<SharedDirectory>,
    /// The subscription to the changes of the home.
    _subscription: Box<dyn Subscription>,
    shutdown: watch::Sender<bool>,
    /// Limits the requests of a network that are in progress.
    pub(super) network_limiter: Arc<PeerLimiter<Network>>,
    read_queue: WorkQueue,
    write_queue: WorkQueue,
    password_queue: WorkQueue,
    /// Limits examinations of the server.
    pub(super) examination_queue: WorkQueue,
    pub(super) analyses: Analyses,
    background_writes: Mutex<JoinSet<()>>,
    pub(super) notices: Arc<PushNotices>,
}

/// Returns 16 random bytes in hexadecimal.
pub(super) fn random_name(chance: &mut dyn RandomSource) -> String {
    let mut bytes = [0; 16];
    chance.fill(&mut bytes);
    HEXLOWER.encode(&bytes)
}

impl Site {
    /// Creates the site of a home.
    ///
    /// # Errors
    /// The changes of the home cannot be watched.
    pub fn new(mut parts: SiteParts) -> Result<Arc<Self>, Fault> {
        let chance = parts.chance.get_mut().unwrap_or_else(PoisonError::into_inner);
        let desk = parts.setup_desk.take();
        let first_run = desk.map(|desk| FirstRun::new(desk, random_name(&mut **chance)));
        let is_encrypted = parts.setup.config.web.is_encrypted();
        let (readers, per_network) = (parts.readers, parts.setup.config.web.bounds.per_network);
        let hub = Arc::new(Hub::default());
        let page_cache = Arc::new(PageCache::default());
        let directory = Arc::new(SharedDirectory::default());
        let (events, pages) = (Arc::clone(&hub), Arc::clone(&page_cache));
        let users = Arc::clone(&directory);
        let notices = Arc::new(PushNotices::new(&parts.setup, (parts.clock)()));
        let pushed = Arc::clone(&notices);
        let subscription = parts.home.subscribe(Box::new(move |documents| {
            // First the cache: a client that is woken must not get the old page.
            users.note_changes(documents);
            pages.invalidate(documents);
            events.notify(documents);
            pushed.notify(documents);
        }))?;
        Ok(Arc::new(Self {
            parts,
            first_run,
            is_encrypted,
            hub,
            page_cache,
            directory,
            _subscription: subscription,
            shutdown: watch::Sender::new(false),
            network_limiter: PeerLimiter::new(per_network),
            read_queue: WorkQueue::new(readers, MAX_READS, per_network),
            write_queue: WorkQueue::new(1, MAX_WRITES, MAX_WRITES_PER_NETWORK),
            password_queue: WorkQueue::new(1, MAX_PASSWORDS, MAX_PASSWORDS_PER_NETWORK),
            examination_queue: WorkQueue::new(1, MAX_EXAMINATIONS, MAX_EXAMINATIONS),
            analyses: Analyses::default(),
            background_writes: Mutex::default(),
            notices,
        }))
    }

    /// Tells all connections that the process shuts down.
    pub(super) fn begin_shutdown(&self) {
        self.shutdown.send_replace(true);
    }

    /// Waits until the process shuts down.
    pub(super) async fn shutdown(&self) {
        // It cannot fail: `self` owns the sender.
        let _ = self.shutdown.subscribe().wait_for(|is_shutdown| *is_shutdown).await;
    }

    /// Returns the name of the server.
    pub(super) fn name(&self) -> &str {
        self.parts.setup.identity.name.as_str()
    }

    pub(super) fn now(&self) -> Time {
        (self.parts.clock)()
    }

    pub(super) fn chance(&self) -> MutexGuard<'_, Box<dyn RandomSource + Send>> {
        self.parts.chance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the random source for dice that no board is played with.
    pub(super) fn dice(&self) -> impl games::Thrower {
        SharedChance(self)
    }

    /// Runs `work` with a reader, on a thread of its own.
    pub(super) async fn read<T: Send + 'static>(
        self: Arc<Self>,
        request: WebRequest,
        work: impl FnOnce(SiteReader) -> PageResult<T> + Send + 'static,
    ) -> PageResult<T> {
        let permit = self.read_queue.acquire(request.counted_network).await?;
        self.run(move |site| {
            let _permit = permit;
            work(SiteReader::open(site, request)?)
        })
        .await
    }

    /// Runs `work` with the documents of the home, on a thread of its own.
    pub(super) async fn read_documents<T: Send + 'static>(
        self: Arc<Self>,
        work: impl FnOnce(&Self, &dyn Store) -> PageResult<T> + Send + 'static,
    ) -> PageResult<T> {
        let permit = self.read_queue.acquire(None).await?;
        self.run(move |site| {
            let _permit = permit;
            let home = site.parts.home.read()?;
            work(site, &*home)
        })
        .await
    }

    /// Runs `work` with a writer, on a thread of its own. Writers run one after the other.
    pub(super) async fn write<T: Send + 'static>(
        self: Arc<Self>,
        request: WebRequest,
        work: impl FnOnce(&mut SiteWriter) -> PageResult<T> + Send + 'static,
    ) -> PageResult<T> {
        let place = self.write_queue.enter(request.counted_network)?;
        self.write_from(place, request, work).await
    }

    async fn write_from<T: Send + 'static>(
        self: Arc<Self>,
        place: QueuePlace,
        request: WebRequest,
        work: impl FnOnce(&mut SiteWriter) -> PageResult<T> + Send + 'static,
    ) -> PageResult<T> {
        let permit = place.acquire().await?;
        self.run(move |site| {
            let _permit = permit;
            let mut chance = SharedChance(site);
            let mut writer = SiteWriter::open(site, request, &mut chance)?;
            let result = work(&mut writer);
            writer.close()?;
            result
        })
        .await
    }

    /// Runs `work` with a writer after the response, so that its duration tells the visitor nothing.
    ///
    /// # Errors
    /// Too many requests wait, in total or from this network.
    pub(super) fn write_in_background(
        self: &Arc<Self>,
        request: WebRequest,
        work: impl FnOnce(&mut SiteWriter) -> PageResult<()> + Send + 'static,
    ) -> PageResult<()> {
        let place = self.write_queue.enter(request.counted_network)?;
        let write = Arc::clone(self).write_from(place, request, work);
        let mut tasks = self.background_writes.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        // Nobody waits for the result; `run` has logged a fault.
        tasks.spawn(async { drop(write.await) });
        Ok(())
    }

    /// Waits until all background writes have ended.
    pub async fn finish_background_writes(&self) {
        let mut tasks = std::mem::take(
            &mut *self.background_writes.lock().unwrap_or_else(PoisonError::into_inner),
        );
        while tasks.join_next().await.is_some() {}
    }

    /// Verifies a password, on a thread of its own. One is verified at a time.
    pub(super) async fn verify_password(
        self: Arc<Self>,
        network: Option<Network>,
        password: String,
        hash: Option<String>,
    ) -> PageResult<bool> {
        let permit = self.password_queue.acquire(network).await?;
        let verify = move || {
            let _permit = permit;
            self.parts.setup.hashing.verify(&password, hash.as_deref())
        };
        spawn_blocking(verify).await.map_err(|_| PageError::Bug)
    }

    /// Runs `work` on a thread of its own and logs a fault.
    pub(super) async fn run<T: Send + 'static>(
        self: Arc<Self>,
        work: impl FnOnce(&Self) -> PageResult<T> + Send + 'static,
    ) -> PageResult<T> {
        let (sender, result) = oneshot::channel();
        // In a box, all of these tasks have one type, for which the runtime's code is compiled once.
        let task: Box<dyn FnOnce() + Send> = Box::new(move || {
            // The visitor may have gone.
            let _ = sender.send(work(&self).inspect_err(|error| self.log_fault(error)));
        });
        drop(spawn_blocking(task));
        result.await.unwrap_or(Err(PageError::Bug))
    }

    /// Logs a fault, if the home can still be written to.
    fn log_fault(&self, error: &PageError) {
        if let PageError::Fault(fault) = error {
            self.log_line(&format!("web: {fault}"));
        }
    }

    /// Writes a line to the log, if the home can still be written to.
    pub(super) fn log_line(&self, line: &str) {
        if let Ok(store) = self.parts.home.read() {
            let _ = store.log(&[line]);
        }
    }

    /// Returns the origin of a command. The document of the user who signed in with this browser
    /// before must be loaded.
    fn browser(&self, request: &WebRequest, viewer: Option<&UserId>, world: &World) -> Browser {
        Browser {
            user: viewer.cloned(),
            known: self.known_user(request, world),
            network: request.network,
            site: self.parts.setup.config.web.address.clone(),
        }
    }

    /// Returns the signed-in user, or the user whose key a program sends. A wrong key is refused, even
    /// where no key is needed.
    fn viewer(
        &self,
        request: &WebRequest,
        world: &mut World,
        store: &dyn OpenHome,
        now: Time,
    ) -> PageResult<Option<UserId>> {
        if let Some(key) = &request.program_key {
            if key.is_empty() {
                return Ok(None);
            }
            let refused = || PageError::SignIn(request.path.clone());
            let user = ProgramKey::holder(key).ok_or_else(refused)?;
            world.load(&[user_key(&user)], store)?;
            let user = world.user(&user).filter(|user| user.keys.iter().any(|own| own.is(key)));
            return user.map(|user| Some(user.id.clone())).ok_or_else(refused);
        }
        let Some(cookie) = request.cookie.as_deref().and_then(SessionCookie::parse) else {
            return Ok(None);
        };
        world.load(&[user_key(&cookie.user)], store)?;
        Ok(self.session_user(&cookie, world, now))
    }
}

/// Turns the refusal of a command into an error.
fn check_outcome(visit: BrowserOutcome) -> PageResult<BrowserOutcome> {
    match visit.outcome {
        VisitOutcome::Done | VisitOutcome::Before => Ok(visit),
        VisitOutcome::Refused => {
            let refused = RefusedCommand { refusal: visit.refusal, answers: visit.answers };
            Err(PageError::CommandRefused(Box::new(refused)))
        }
        VisitOutcome::Reused => Err(PageError::OnceReused),
    }
}

fn trust(viewer: Option<&UserId>) -> Trust {
    viewer.map_or(Trust::Untrusted, |user| Trust::Session(user.clone()))
}

/// The random source that all requests share, locked for one draw at a time.
pub(crate) struct SharedChance<'a>(&'a Site);

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
    use crate::config::SAMPLE;
    use crate::store::MemoryHome;
    use std::net::IpAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    pub(super) fn site() -> Arc<Site> {
        let parts = SiteParts {
            home: Box::new(MemoryHome::new()),
            setup: Setup::of_test(SAMPLE),
            clock: Box::new(|| Time::from_unix(0)),
            chance: Mutex::new(Box::new(ScriptedRandom::counting())),
            is_demo: false,
            readers: 1,
            metrics: None,
            unready: Box::new(Vec::new),
            reports: None,
            setup_desk: None,
        };
        Site::new(parts).unwrap()
    }

    #[test]
    fn background_writes_of_a_network_are_limited() {
        let network: Network = "192.0.2.1".parse::<IpAddr>().unwrap().into();
        let request = WebRequest {
            path: "/".into(),
            address: "/".into(),
            network,
            counted_network: Some(network),
            ..WebRequest::internal()
        };
        let site = site();
        let done = Arc::new(AtomicUsize::new(0));
        let write = || {
            let done = Arc::clone(&done);
            site.write_in_background(request.clone(), move |_| {
                done.fetch_add(1, Ordering::SeqCst);
                Ok(())
            })
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let permit = site.write_queue.acquire(None).await.unwrap();
            for number in 0..MAX_WRITES_PER_NETWORK {
                assert!(write().is_ok(), "{number}");
            }
            assert!(matches!(write(), Err(PageError::TooManyFromNetwork)));
            assert_eq!(done.load(Ordering::SeqCst), 0);
            drop(permit);
            site.finish_background_writes().await;
            assert_eq!(done.load(Ordering::SeqCst), MAX_WRITES_PER_NETWORK);
            assert!(write().is_ok());
        });
    }
}
