//! A home in memory, for tests: everything that a home in files keeps, without a disk.
//!
//! `store` keeps documents, receipts, letters and indexes; `home` adds the spool, the log and the
//! rest of a [`Home`](super::Home); `outbox` sends the letters. All clones of a [`MemoryHome`] are one home
//! under one mutex. Opening never waits: a test opens it once at a time.

mod home;
mod outbox;
mod store;

pub use store::MemoryStore;

use crate::base::time::Time;
use crate::store::spool::SpoolName;
use crate::store::{ChangeListener, Subscription};
use crate::store::{JobRun, Letter};
use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A home in memory. Its clones are the same home.
#[derive(Clone, Debug, Default)]
pub struct MemoryHome(Arc<Mutex<MemoryState>>);

/// The contents of a home.
#[derive(Debug, Default)]
pub(super) struct MemoryState {
    pub(super) store: MemoryStore,
    /// The waiting mails.
    pub(super) mails: BTreeMap<SpoolName, Vec<u8>>,
    /// The number of mails that ever came.
    pub(super) came: u64,
    pub(super) is_run_marked: bool,
    /// The board that a run over all boards is at.
    pub(super) running: String,
    pub(super) outbox: Vec<WaitingLetter>,
    /// The number of letters that were ever written.
    pub(super) written: u64,
    pub(super) is_sending: bool,
    pub(super) parked: Vec<QuarantinedMail>,
    /// The letters that were given up.
    pub(super) given_up: Vec<WaitingLetter>,
    /// The last run of each job.
    pub(super) runs: Vec<JobRun>,
    pub(super) log: Vec<String>,
    /// The keys of dice that were made after the home.
    pub(super) dice_keys: Vec<[u8; 32]>,
    pub(super) listeners: Vec<Weak<MemoryListener>>,
}

pub(super) struct MemoryListener(pub(super) ChangeListener);

impl Debug for MemoryListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryListener")
    }
}

/// Keeps a listener subscribed.
#[derive(Debug)]
pub(super) struct MemorySubscription(
    #[expect(dead_code, reason = "held until drop")] pub(super) Arc<MemoryListener>,
);

impl Subscription for MemorySubscription {}

/// A parked mail.
#[derive(Debug)]
pub(super) struct QuarantinedMail {
    pub(super) name: String,
    pub(super) why: String,
    pub(super) bytes: Vec<u8>,
}

/// A waiting letter.
#[derive(Debug)]
pub(super) struct WaitingLetter {
    pub(super) number: u64,
    pub(super) letter: Letter,
    pub(super) at: Time,
    pub(super) tries: u32,
    pub(super) not_before: Time,
}

impl MemoryHome {
    /// Returns an empty home.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, MemoryState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
