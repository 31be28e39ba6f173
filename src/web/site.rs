//! What all requests share: the home, the clock, chance, and how many may work at a time.

use super::ask::Ask;
use super::failure::Failure;
use crate::base::chance::Chance;
use crate::base::time::Time;
use crate::model::world::World;
use crate::server::Setup;
use crate::store::{Fault, Home, Key, Reading};
use std::fmt;
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Requests that look at documents at a time. Others wait.
const READERS: usize = 32;

/// Requests that may wait for that; more are sent away.
const MOST_WAITING: usize = 2_000;

/// What the machine and the operator give.
pub struct Parts {
    /// Where documents are.
    pub home: Box<dyn Home>,
    /// The operator's choices, and the home's key.
    pub setup: Setup,
    /// What the clock says.
    pub clock: Box<dyn Fn() -> Time + Send + Sync>,
    /// Dice, and other chance.
    pub chance: Box<dyn Chance + Send>,
    /// Whether the home is a demonstration, where everybody may be everybody.
    pub is_demo: bool,
}

/// A home that is shown.
pub struct Site {
    pub(super) parts: Shared,
    pub(super) is_encrypted: bool,
    readers: Semaphore,
    waiting: Semaphore,
}

/// [`Parts`], as threads share them.
pub(super) struct Shared {
    pub(super) home: Box<dyn Home>,
    pub(super) setup: Setup,
    pub(super) clock: Box<dyn Fn() -> Time + Send + Sync>,
    #[expect(dead_code, reason = "dice are rolled when moves are made")]
    pub(super) chance: Mutex<Box<dyn Chance + Send>>,
    pub(super) is_demo: bool,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("home", &self.parts.home).finish_non_exhaustive()
    }
}

/// The documents of a home while somebody looks at them.
pub(super) struct Reader<'a> {
    pub(super) site: &'a Site,
    pub(super) ask: Ask,
    pub(super) now: Time,
    pub(super) world: World,
    store: Reading,
}

/// What somebody has seen, once the home is closed again.
pub(super) struct Seen<'a> {
    pub(super) site: &'a Site,
    pub(super) ask: Ask,
    pub(super) now: Time,
    pub(super) world: World,
}

impl Site {
    /// A site of a home.
    pub fn new(parts: Parts) -> Arc<Self> {
        let Parts { home, setup, clock, chance, is_demo } = parts;
        let is_encrypted = setup.config.web.is_encrypted();
        let parts = Shared { home, setup, clock, chance: Mutex::new(chance), is_demo };
        let (readers, waiting) = (Semaphore::new(READERS), Semaphore::new(MOST_WAITING));
        Arc::new(Self { parts, is_encrypted, readers, waiting })
    }

    /// What the server calls itself.
    pub(super) fn name(&self) -> &str {
        self.parts.setup.identity.name.as_str()
    }

    pub(super) fn now(&self) -> Time {
        (self.parts.clock)()
    }

    /// Looks at documents, off the threads that serve requests.
    pub(super) async fn read<T: Send + 'static>(
        self: Arc<Self>,
        ask: Ask,
        look: impl FnOnce(Reader) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let _waiting = self.waiting.try_acquire().map_err(|_| Failure::Busy)?;
        let _reader = self.readers.acquire().await.map_err(|_| Failure::Busy)?;
        let site = Arc::clone(&self);
        let done = spawn_blocking(move || {
            let now = site.now();
            let store = site.parts.home.read()?;
            look(Reader { site: &site, ask, now, world: World::default(), store })
        });
        done.await.unwrap_or_else(|_| Err(Failure::Bug))
    }
}

impl<'a> Reader<'a> {
    /// Loads documents, and with a board its players.
    pub(super) fn gather(&mut self, keys: &[Key]) -> Result<(), Fault> {
        // What is damaged the operator hears of when a command meets it, and from `check`.
        self.world.gather(keys, &*self.store).map(drop)
    }

    /// Closes the home: what is shown is made without holding anybody up.
    pub(super) fn leave(self) -> Seen<'a> {
        let Self { site, ask, now, world, store } = self;
        drop(store);
        Seen { site, ask, now, world }
    }
}
