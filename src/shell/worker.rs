//! Executes the mails of a group that one processor takes.

use super::GROUP_BYTES;
use crate::base::time::Time;
use crate::base::watchdog::Watchdog;
use crate::server::{IncomingMail, MailDisposition, Server};
use crate::store::spool::SpooledMail;
use crate::store::{Fault, Letter, LogEntry, OpenHome};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Tells the time.
pub(super) type TimeSource<'a> = &'a (dyn Fn() -> Time + Sync);

/// The mails of a group, read.
pub(super) struct GroupMails<'g> {
    pub(super) mails: &'g [SpooledMail],
    pub(super) read: Vec<Option<IncomingMail>>,
    pub(super) clock: TimeSource<'g>,
    /// After this no more are executed.
    pub(super) until: Time,
    /// Bytes of the letters written by workers that execute it at the same time.
    pub(super) answered: AtomicUsize,
}

/// Which mails of a group have to do with each other.
pub(super) struct Chains {
    /// The chain of the mail at each place.
    of_places: Vec<usize>,
    /// Whether a worker has taken a chain.
    taken: Vec<AtomicBool>,
}

impl Chains {
    pub(super) fn new(chains: &[Vec<usize>]) -> Self {
        let mut of_places = vec![0; chains.iter().map(Vec::len).sum()];
        for (number, chain) in chains.iter().enumerate() {
            for &place in chain {
                of_places[place] = number;
            }
        }
        Self { of_places, taken: chains.iter().map(|_| AtomicBool::new(false)).collect() }
    }

    fn places(&self, chain: usize) -> impl Iterator<Item = usize> {
        let places = self.of_places.iter().enumerate();
        places.filter(move |(_, of)| **of == chain).map(|(place, _)| place)
    }
}

/// Executes mails one after the other.
#[derive(Debug)]
pub(super) struct MailWorker<'a> {
    pub(super) server: Server<'a>,
    watchdog: Watchdog,
}

/// Why a mail failed that others do not wait for.
pub(super) enum MailFailure {
    /// By a fault of ours.
    Panic(String),
    /// A file that it needs cannot be read.
    Unreadable(Fault),
}

/// A mail that was executed beside others, at that place of its group.
pub(super) struct ExecutedMail {
    pub(super) place: usize,
    pub(super) disposition: MailDisposition,
    pub(super) letters: Vec<Letter>,
    pub(super) log: Vec<LogEntry>,
}

impl<'a> MailWorker<'a> {
    pub(super) fn new(server: Server<'a>) -> Self {
        Self { server, watchdog: Watchdog::start() }
    }

    /// Does something that may panic, or never end.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Server<'a>) -> T) -> thread::Result<T> {
        self.watchdog.begin();
        let server = &mut self.server;
        let done = catch_unwind(AssertUnwindSafe(|| work(server)));
        self.watchdog.end();
        done
    }

    /// Reads a mail; none if that fails by a fault of ours, which shows again when it is executed.
    pub(super) fn read(&mut self, mail: &SpooledMail) -> Option<IncomingMail> {
        self.guarded(|server| server.read(&mail.bytes)).ok()
    }

    /// Asks for what mails need, where the home is far away.
    pub(super) fn prefetch<'m>(
        &mut self,
        read: impl Iterator<Item = &'m IncomingMail>,
        files: &dyn OpenHome,
        now: Time,
    ) -> Result<(), Fault> {
        let read: Vec<_> = read.collect();
        match self.guarded(|server| server.prefetch(&read, files, now)) {
            Ok(Ok(())) => {}
            Ok(Err(fault)) if !fault.is_passing() => return Err(fault),
            // Whose fault that is shows when they are executed.
            Ok(Err(_)) | Err(_) => self.server.forget(),
        }
        Ok(())
    }

    /// Executes a mail, which may have been read. `Ok(Err(_))` says why this one failed; others need
    /// not.
    pub(super) fn execute(
        &mut self,
        mail: &SpooledMail,
        read: Option<&IncomingMail>,
        files: &dyn OpenHome,
        now: Time,
    ) -> Result<Result<MailDisposition, MailFailure>, Fault> {
        let handled = self.guarded(|server| match read {
            Some(read) => server.execute(read, files, now),
            None => server.mail(&mail.bytes, files, now),
        });
        match handled {
            Ok(Ok(handled)) => Ok(Ok(handled)),
            // The others do not wait for a file that this one needs.
            Ok(Err(fault)) if fault.is_passing() => Ok(Err(MailFailure::Unreadable(fault))),
            Ok(Err(fault)) => Err(fault),
            Err(payload) => Ok(Err(MailFailure::Panic(words_of(&*payload)))),
        }
    }

    /// Executes the mails of a group in their order, of each chain that no other worker has taken before,
    /// until there is no time or no room for more; none if one of them failed.
    pub(super) fn execute_chains(
        &mut self,
        chains: &Chains,
        group: &GroupMails<'_>,
        files: &dyn OpenHome,
    ) -> Option<Vec<ExecutedMail>> {
        let mut executed = Vec::new();
        let mut own = BTreeSet::new();
        for (place, &chain) in chains.of_places.iter().enumerate() {
            if !own.contains(&chain) {
                if chains.taken[chain].swap(true, Ordering::Relaxed) {
                    continue;
                }
                own.insert(chain);
                // What a chain needs is asked for at once, where the home is far away.
                if files.is_far() {
                    let read = chains.places(chain).filter_map(|place| group.read[place].as_ref());
                    self.prefetch(read, files, (group.clock)()).ok()?;
                }
            }
            let now = (group.clock)();
            if now > group.until || group.answered.load(Ordering::Relaxed) >= GROUP_BYTES {
                break;
            }
            let read = group.read[place].as_ref();
            let disposition = self.execute(&group.mails[place], read, files, now).ok()?.ok()?;
            group.answered.fetch_add(self.server.answered(), Ordering::Relaxed);
            let (letters, log) = (self.server.take_letters(), self.server.take_log());
            executed.push(ExecutedMail { place, disposition, letters, log });
        }
        Some(executed)
    }
}

/// The part of a panic's message that is our own text: the rest may quote a mail with its password.
pub(super) fn words_of(payload: &(dyn std::any::Any + Send)) -> String {
    let whole = payload.downcast_ref::<&str>().copied();
    let filled = payload.downcast_ref::<String>().map(|words| {
        let ours = words.split(['`', '"', '\'', ':']).next().unwrap_or_default();
        ours.trim_end()
    });
    let words = whole.or(filled).filter(|words| !words.is_empty());
    words.unwrap_or("a panic without a message").to_owned()
}
