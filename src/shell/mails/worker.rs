//! A worker, which executes the mails of a group on one processor.

use crate::base::time::Time;
use crate::base::watchdog::Watchdog;
use crate::server::{IncomingMail, MailDisposition, Server};
use crate::shell::mails::MAX_GROUP_BYTES;
use crate::store::spool::SpooledMail;
use crate::store::{Fault, Letter, LogEntry, OpenHome};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// A clock.
pub(crate) type TimeSource<'a> = &'a (dyn Fn() -> Time + Sync);

/// The mails of a group, and the limits within which they are executed.
pub(crate) struct GroupMails<'g> {
    pub(crate) mails: &'g [SpooledMail],
    /// The parsed mails; `None` for a mail whose parsing panicked. Empty if no mail was parsed in advance.
    pub(crate) read: Vec<Option<IncomingMail>>,
    pub(crate) clock: TimeSource<'g>,
    /// When to begin no more mails.
    pub(crate) until: Time,
    /// The bytes of letters written so far by all workers of the group.
    pub(crate) answered: AtomicUsize,
}

/// Chains of mails that depend on each other.
pub(crate) struct Chains {
    /// The chain of each mail, by its index.
    chain_of_mail: Vec<usize>,
    /// Whether a worker has taken the chain.
    taken: Vec<AtomicBool>,
}

impl Chains {
    pub(crate) fn new(chains: &[Vec<usize>]) -> Self {
        let mut chain_of_mail = vec![0; chains.iter().map(Vec::len).sum()];
        for (number, chain) in chains.iter().enumerate() {
            for &index in chain {
                chain_of_mail[index] = number;
            }
        }
        Self { chain_of_mail, taken: chains.iter().map(|_| AtomicBool::new(false)).collect() }
    }

    fn indexes(&self, chain: usize) -> impl Iterator<Item = usize> {
        let indexes = self.chain_of_mail.iter().enumerate();
        indexes.filter(move |(_, of)| **of == chain).map(|(index, _)| index)
    }
}

/// Executes mails one after the other.
#[derive(Debug)]
pub(crate) struct MailWorker<'a> {
    pub(crate) server: Server<'a>,
    watchdog: Watchdog,
}

/// The result of one attempt to execute a mail, while the machine is well.
pub(crate) enum MailAttempt {
    /// The mail was executed, or needs no execution.
    Handled(MailDisposition),
    /// The mail failed; others can be executed.
    Failed(MailFailure),
}

/// Why a mail failed in a way that does not concern others.
pub(crate) enum MailFailure {
    /// A bug.
    Panic(String),
    /// A file that the mail needs cannot be read.
    Unreadable(Fault),
}

/// A mail that was executed, with its index in the group.
pub(crate) struct ExecutedMail {
    pub(crate) index: usize,
    pub(crate) disposition: MailDisposition,
    pub(crate) letters: Vec<Letter>,
    pub(crate) log: Vec<LogEntry>,
}

impl<'a> MailWorker<'a> {
    pub(crate) fn new(server: Server<'a>) -> Self {
        Self { server, watchdog: Watchdog::start() }
    }

    /// Does work that may panic or never end.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Server<'a>) -> T) -> thread::Result<T> {
        self.watchdog.begin();
        let server = &mut self.server;
        let done = catch_unwind(AssertUnwindSafe(|| work(server)));
        self.watchdog.end();
        done
    }

    /// Parses a mail. None if that panics, which shows again when the mail is executed.
    pub(crate) fn read(&mut self, mail: &SpooledMail) -> Option<IncomingMail> {
        self.guarded(|server| server.read(&mail.bytes)).ok()
    }

    /// Loads what some mails need at once, if the home is far away.
    pub(crate) fn prefetch<'m>(
        &mut self,
        read: impl Iterator<Item = &'m IncomingMail>,
        home: &dyn OpenHome,
        now: Time,
    ) -> Result<(), Fault> {
        let read: Vec<_> = read.collect();
        match self.guarded(|server| server.prefetch(&read, home, now)) {
            Ok(Ok(())) => {}
            Ok(Err(fault)) if !fault.is_unreadable_file() => return Err(fault),
            // The same failure shows again for the mail that caused it.
            Ok(Err(_)) | Err(_) => self.server.forget(),
        }
        Ok(())
    }

    /// Executes a mail, which may be parsed already.
    pub(crate) fn execute(
        &mut self,
        mail: &SpooledMail,
        read: Option<&IncomingMail>,
        home: &dyn OpenHome,
        now: Time,
    ) -> Result<MailAttempt, Fault> {
        let handled = self.guarded(|server| match read {
            Some(read) => server.execute(read, home, now),
            None => server.execute_mail(&mail.bytes, home, now),
        });
        match handled {
            Ok(Ok(handled)) => Ok(MailAttempt::Handled(handled)),
            // Other mails do not wait for a file that this one needs.
            Ok(Err(fault)) if fault.is_unreadable_file() => {
                Ok(MailAttempt::Failed(MailFailure::Unreadable(fault)))
            }
            Ok(Err(fault)) => Err(fault),
            Err(payload) => Ok(MailAttempt::Failed(MailFailure::Panic(words_of(&*payload)))),
        }
    }

    /// Executes the mails of a group in order, of each chain that no other worker has taken, until
    /// time or room is used up. None if one of them failed.
    pub(crate) fn execute_chains(
        &mut self,
        chains: &Chains,
        group: &GroupMails<'_>,
        home: &dyn OpenHome,
    ) -> Option<Vec<ExecutedMail>> {
        let mut executed = Vec::new();
        let mut own = BTreeSet::new();
        for (index, &chain) in chains.chain_of_mail.iter().enumerate() {
            if !own.contains(&chain) {
                if chains.taken[chain].swap(true, Ordering::Relaxed) {
                    continue;
                }
                own.insert(chain);
                // If the home is far away, load everything that a chain needs at once.
                if home.is_remote() {
                    let read = chains.indexes(chain).filter_map(|index| group.read[index].as_ref());
                    self.prefetch(read, home, (group.clock)()).ok()?;
                }
            }
            let now = (group.clock)();
            if now > group.until || group.answered.load(Ordering::Relaxed) >= MAX_GROUP_BYTES {
                break;
            }
            let read = group.read[index].as_ref();
            let attempt = self.execute(&group.mails[index], read, home, now).ok()?;
            let MailAttempt::Handled(disposition) = attempt else { return None };
            group.answered.fetch_add(self.server.letter_bytes(), Ordering::Relaxed);
            let (letters, log) = (self.server.take_letters(), self.server.take_log());
            executed.push(ExecutedMail { index, disposition, letters, log });
        }
        Some(executed)
    }
}

/// Returns the part of a panic's message that is our own text. The rest may quote a mail with its
/// password.
pub(crate) fn words_of(payload: &(dyn std::any::Any + Send)) -> String {
    let whole = payload.downcast_ref::<&str>().copied();
    let filled = payload.downcast_ref::<String>().map(|words| {
        let ours = words.split(['`', '"', '\'', ':']).next().unwrap_or_default();
        ours.trim_end()
    });
    let words = whole.or(filled).filter(|words| !words.is_empty());
    words.unwrap_or("a panic without a message").to_owned()
}
