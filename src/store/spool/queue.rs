//! A run over the waiting mails of a store.
//!
//! A mark of the store is set while a run is under way. It shows that a mail ended the whole
//! process (a stack overflow, a kill): a run that finds the mark of an earlier run is *careful*,
//! and counts each mail as begun, in its name, before it touches it. Without such a mail a run pays
//! for the mark and nothing else.
//!
//! Mails are executed in the order of arrival, except for one that failed: it comes again after the
//! others, so that it delays nobody. Mails that share one of its [`Strands`] still wait for it,
//! since an `accept` must not overtake the `propose` that it answers. A mail that cannot even be
//! read could be of any strand, so all mails wait for it until it is parked.

use super::name::{SpoolName, Strands};
use crate::store::quarantine::{QuarantineLimits, UNFIT};
use crate::store::{Fault, OpenHome, SpoolStore};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::fmt;
use std::panic::resume_unwind;
use std::thread;

/// How often a mail is begun before it is parked.
pub const TRIES: u32 = 3;
/// The most names in a listing.
const MAX_LISTED: usize = 16_384;

/// A mail taken from the spool, not yet finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpooledMail {
    /// Its content; of a mail larger than [`MAX_MAIL_BYTES`](super::MAX_MAIL_BYTES), one byte more
    /// than that.
    pub bytes: Vec<u8>,
    /// How often it was begun, including this time.
    pub tries: u32,
    name: SpoolName,
}

impl SpooledMail {
    /// Returns its name in the spool.
    pub fn name(&self) -> &str {
        &self.name.name
    }
}

/// Returns the strands of a mail.
type StrandsFn = dyn Fn(&[u8]) -> Strands;

/// A [`StrandsFn`] with `Debug`.
struct StrandOrder(Box<StrandsFn>);

impl fmt::Debug for StrandOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StrandOrder")
    }
}

/// How much is read ahead at most.
#[derive(Clone, Copy, Debug)]
pub struct ReadAhead {
    /// Mails.
    pub mails: usize,
    /// Bytes of all of them.
    pub bytes: usize,
}

/// What happens to a mail that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryDecision {
    /// It will be tried again.
    Again,
    /// It is parked in `spool/bad`, and the operator must be informed.
    Parked,
}

/// A mail that comes later than its turn; mails of its strands wait for it.
#[derive(Debug)]
struct DeferredMail {
    name: SpoolName,
    /// `None` if it cannot be read.
    strands: Option<Strands>,
}

impl DeferredMail {
    /// Returns whether a mail has to wait for this one.
    fn holds(&self, name: &str, strands: &Strands) -> bool {
        *self.name.name < *name && self.strands.as_ref().is_none_or(|own| !own.is_disjoint(strands))
    }
}

/// A run over the spool. When it is [closed](Self::close) or dropped it leaves no trace; only a
/// process that dies, or a panic, leaves its mark for the next run.
#[derive(Debug)]
pub struct Spool {
    store: Box<dyn SpoolStore>,
    /// Whether the last run died.
    is_careful: bool,
    /// How often a mail whose name has no count was begun: once, by the run that died, or never.
    begun: u32,
    /// Whether the first listing, whose mails the run that died may have begun, was made.
    is_listed: bool,
    queue: VecDeque<SpoolName>,
    /// Mails that come after all others, the oldest first.
    deferred: VecDeque<DeferredMail>,
    order: StrandOrder,
    /// The contents of mails that were read ahead.
    read_ahead: BTreeMap<SpoolName, Vec<u8>>,
    /// Mails that are left for the next run.
    left: Vec<DeferredMail>,
    /// Mails taken and not finished, which a listing still shows.
    taken: Vec<(String, u32)>,
    notes: Vec<String>,
    limits: QuarantineLimits,
}

impl Spool {
    /// Begins a run over the mails of an open home, which must stay open until the run is closed.
    pub fn open(home: &dyn OpenHome) -> Result<Self, Fault> {
        let store = home.spool_store();
        let is_careful = store.is_run_marked()?;
        if !is_careful {
            store.mark_run()?;
        }
        Ok(Self {
            store,
            is_careful,
            begun: u32::from(is_careful),
            is_listed: false,
            queue: VecDeque::new(),
            deferred: VecDeque::new(),
            order: StrandOrder(Box::new(|_| Strands::new())),
            read_ahead: BTreeMap::new(),
            left: Vec::new(),
            taken: Vec::new(),
            notes: Vec::new(),
            limits: QuarantineLimits::default(),
        })
    }

    /// Sets the strands of mails; by default a mail has none.
    #[must_use]
    pub fn with_strands(mut self, strands: impl Fn(&[u8]) -> Strands + 'static) -> Self {
        self.order = StrandOrder(Box::new(strands));
        self
    }

    /// Sets the limits of `spool/bad`.
    #[must_use]
    pub fn with_limits(mut self, limits: QuarantineLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns whether the last run died. Then each mail must be committed before the next is
    /// taken, so that a mail that kills the process is found.
    pub fn is_careful(&self) -> bool {
        self.is_careful
    }

    /// Returns whether unstarted mails remain after this recovery run.
    pub fn has_unstarted(&self) -> bool {
        self.store.has_unstarted()
    }

    /// Takes the notes for the operator since the last call, a line each: mails that
    /// [`take`](Self::take) parked, and mails that were not kept.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Takes the next mail: the oldest first, deferred ones last. `None` if there is none. Parks
    /// mails that were begun too often.
    ///
    /// # Errors
    /// The machine failed, or could not read a mail, which the next run reads before all others.
    pub fn take(&mut self) -> Result<Option<SpooledMail>, Fault> {
        loop {
            let Some(name) = self.next_name()? else { return Ok(None) };
            let begun = name.begun.unwrap_or(self.begun);
            let mut waiting = SpooledMail { bytes: Vec::new(), tries: begun + 1, name };
            if begun >= TRIES {
                self.park_dead(waiting)?;
                continue;
            }
            match self.read(&waiting.name) {
                Ok(Some(bytes)) => waiting.bytes = bytes,
                // Another process has removed it.
                Ok(None) => continue,
                Err(fault) => {
                    self.handle_unreadable(waiting, fault)?;
                    continue;
                }
            }
            if self.holds(&self.left, &waiting) {
                let strands = Some(self.strands(&waiting.bytes));
                self.left.push(DeferredMail { name: waiting.name, strands });
                continue;
            }
            if self.holds(&self.deferred, &waiting) {
                self.defer(waiting.name, &waiting.bytes);
                continue;
            }
            if self.is_careful {
                waiting.name = self.write_tries(&waiting, begun + 1)?;
            }
            self.taken.push((waiting.name.name.clone(), waiting.tries));
            return Ok(Some(waiting));
        }
    }

    /// Reads a mail. A disk that fails is asked twice.
    fn read(&mut self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault> {
        if let Some(bytes) = self.read_ahead.remove(name) {
            return Ok(Some(bytes));
        }
        match self.store.read(name) {
            Err(fault) if fault.is_unreadable_file() => self.store.read(name),
            content => content,
        }
    }

    /// Handles a mail that could not be read: parks what is no file at once, and a file that the
    /// disk cannot read after three runs. Until then it ends the run, since its strands are
    /// unknown.
    fn handle_unreadable(&mut self, mail: SpooledMail, fault: Fault) -> Result<(), Fault> {
        if fault.is_shortage() {
            return Err(fault);
        }
        if fault.is_unreadable_file() && mail.tries < TRIES {
            self.write_tries(&mail, mail.tries)?;
            return Err(fault);
        }
        self.notes.push(format!("spool/bad/{} was parked", mail.name.name));
        self.park(mail, &format!("cannot be read: {}", fault.source))
    }

    /// Returns whether an earlier mail of its strands is deferred: then the mail must be
    /// [held](Self::hold).
    pub fn must_wait(&self, mail: &SpooledMail) -> bool {
        self.holds(&self.deferred, mail) || self.holds(&self.left, mail)
    }

    /// Returns whether one of the mails is earlier and shares a strand.
    fn holds<'m>(
        &self,
        others: impl IntoIterator<Item = &'m DeferredMail>,
        mail: &SpooledMail,
    ) -> bool {
        let mut others = others.into_iter().peekable();
        others.peek().is_some() && {
            let strands = self.strands(&mail.bytes);
            others.any(|other| other.holds(&mail.name.name, &strands))
        }
    }

    /// Returns the strands of a mail.
    pub fn strands(&self, bytes: &[u8]) -> Strands {
        (self.order.0)(bytes)
    }

    /// Defers a taken mail behind an earlier one of its strands. That is no try.
    pub fn hold(&mut self, mail: SpooledMail) -> Result<(), Fault> {
        let SpooledMail { bytes, tries, name: from } = mail;
        self.forget_taken(&from.name);
        let name = SpoolName { begun: (tries > 1).then_some(tries - 1), ..from.clone() };
        self.rename(&from, &name)?;
        self.defer(name, &bytes);
        Ok(())
    }

    /// Leaves a mail, and later ones of its strands, for the next run. That is a try.
    pub fn leave(&mut self, mail: &SpooledMail) -> Result<(), Fault> {
        self.forget_taken(&mail.name.name);
        let (name, strands) =
            (self.write_tries(mail, mail.tries)?, Some(self.strands(&mail.bytes)));
        self.left.push(DeferredMail { name, strands });
        Ok(())
    }

    fn rename(&self, from: &SpoolName, to: &SpoolName) -> Result<(), Fault> {
        if from == to { Ok(()) } else { self.store.rename(from, to) }
    }

    fn defer(&mut self, name: SpoolName, bytes: &[u8]) {
        let strands = Some(self.strands(bytes));
        let at = self.deferred.partition_point(|other| other.name < name);
        self.deferred.insert(at, DeferredMail { name, strands });
    }

    /// Removes a mail that was executed and committed, or needs no execution.
    ///
    /// # Errors
    /// The machine failed: the mail comes again, and its receipt shows that it was executed.
    pub fn done(&mut self, mail: SpooledMail) -> Result<(), Fault> {
        self.done_all(&[mail])
    }

    /// Removes several mails, as [`done`](Self::done).
    pub fn done_all(&mut self, mails: &[SpooledMail]) -> Result<(), Fault> {
        for mail in mails {
            self.forget_taken(&mail.name.name);
        }
        self.store.remove_all(&mails.iter().map(|mail| &mail.name).collect::<Vec<_>>())
    }

    /// Removes executed mails and reads the next ones in other threads, while `work` runs. Returns
    /// the results of `work` and of the removal.
    pub fn finish_while<T>(
        &mut self,
        mails: &[SpooledMail],
        limits: ReadAhead,
        work: impl FnOnce(&Self) -> T,
    ) -> (T, Result<(), Fault>) {
        // A careful run renames each mail before it is touched.
        let mails_ahead = if self.is_careful { 0 } else { limits.mails };
        let coming: Vec<SpoolName> = self.queue.iter().take(mails_ahead).cloned().collect();
        if mails.is_empty() && coming.is_empty() {
            return (work(self), Ok(()));
        }
        let store = &*self.store;
        let (half, other_half) = mails.split_at(mails.len() / 2);
        let remove = |mails: &[SpooledMail]| {
            store.remove_all(&mails.iter().map(|mail| &mail.name).collect::<Vec<_>>())
        };
        // Removing is mostly waiting for the disk, so two threads take half the time.
        let (done, read_ahead, removed) = thread::scope(|scope| {
            let first = scope.spawn(|| remove(half));
            let second =
                scope.spawn(|| (read_ahead(store, coming, limits.bytes), remove(other_half)));
            let done = work(self);
            let removed = first.join().unwrap_or_else(|panic| resume_unwind(panic));
            let (ahead, other) = second.join().unwrap_or_else(|panic| resume_unwind(panic));
            (done, ahead, removed.and(other))
        });
        self.read_ahead = read_ahead;
        for mail in mails {
            self.forget_taken(&mail.name.name);
        }
        (done, removed)
    }

    /// Parks a mail that cannot be parsed in `spool/bad`, with the reason beside it, for a time.
    pub fn park_malformed(&mut self, mail: SpooledMail, why: &str) -> Result<(), Fault> {
        let name = format!("{}.{UNFIT}", mail.name.name);
        self.park_as(mail, &name, why)
    }

    /// Parks a mail that can never be executed, by no fault of its sender, in `spool/bad` with the
    /// reason beside it, until the operator has dealt with it.
    pub fn park(&mut self, mail: SpooledMail, why: &str) -> Result<(), Fault> {
        let name = mail.name.name.clone();
        self.park_as(mail, &name, why)
    }

    fn park_as(&mut self, mail: SpooledMail, parked: &str, why: &str) -> Result<(), Fault> {
        let SpooledMail { name, .. } = mail;
        self.forget_taken(&name.name);
        let note = self.store.park(&name, parked, self.limits, why)?;
        self.notes.extend(note);
        Ok(())
    }

    /// Defers a mail that failed because of a bug of ours (a panic, a timeout) behind all others;
    /// parks it after the third try.
    pub fn failed(&mut self, mail: SpooledMail, why: &str) -> Result<RetryDecision, Fault> {
        if mail.tries >= TRIES {
            self.park(mail, why)?;
            return Ok(RetryDecision::Parked);
        }
        self.forget_taken(&mail.name.name);
        let name = self.write_tries(&mail, mail.tries)?;
        self.defer(name, &mail.bytes);
        Ok(RetryDecision::Again)
    }

    /// Ends the run. Mails taken and not finished come again, as if they had not been taken.
    pub fn close(mut self) -> Result<(), Fault> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Fault> {
        let taken = std::mem::take(&mut self.taken);
        let counted = if taken.is_empty() { Vec::new() } else { self.store.begun()? };
        for (name, begun) in taken.into_iter().filter(|(_, begun)| *begun > 1) {
            let from = SpoolName { name, begun: Some(begun) };
            if counted.contains(&from) {
                let to = SpoolName { begun: Some(begun - 1), ..from.clone() };
                self.store.rename(&from, &to)?;
            }
        }
        self.store.unmark_run()
    }

    /// Parks a mail during which three runs died.
    fn park_dead(&mut self, mail: SpooledMail) -> Result<(), Fault> {
        let why = format!("each of {TRIES} runs died while executing it");
        self.notes.push(format!("spool/bad/{} was parked", mail.name.name));
        self.park(mail, &why)
    }

    fn forget_taken(&mut self, mail: &str) {
        if let Some(at) = self.taken.iter().position(|(name, _)| name == mail) {
            self.taken.swap_remove(at);
        }
    }

    /// Writes the number of tries into the name of a mail. A killed process leaves it as it is, so
    /// it need not be durable.
    fn write_tries(&self, mail: &SpooledMail, begun: u32) -> Result<SpoolName, Fault> {
        let name = SpoolName { name: mail.name.name.clone(), begun: Some(begun) };
        self.rename(&mail.name, &name)?;
        Ok(name)
    }

    /// Takes the name of the mail whose turn it is; `None` if there is none.
    fn next_name(&mut self) -> Result<Option<SpoolName>, Fault> {
        if self.queue.is_empty() && (self.deferred.is_empty() || !self.is_listed) {
            self.list()?;
        }
        // Later mails wait for one that could not be read.
        let is_next = |first: &DeferredMail| {
            self.queue.front().is_none_or(|next| first.strands.is_none() && first.name < *next)
        };
        if self.deferred.front().is_some_and(is_next) {
            return Ok(self.deferred.pop_front().map(|first| first.name));
        }
        Ok(self.queue.pop_front())
    }

    /// Lists the waiting mails: at most [`MAX_LISTED`], the oldest; the rest comes with the next
    /// listing.
    fn list(&mut self) -> Result<(), Fault> {
        if self.is_listed {
            self.begun = 0;
        } else {
            let mut found = self.store.begun()?;
            found.sort();
            for name in found {
                let strands = match self.read(&name) {
                    Ok(bytes) => Some(bytes.map_or_else(Strands::new, |it| self.strands(&it))),
                    Err(_) => None,
                };
                self.deferred.push_back(DeferredMail { name, strands });
            }
            self.is_listed = true;
        }
        // No deferred mail is in `new`: either `new` is empty by now, or they are in `cur`.
        let mut oldest = BinaryHeap::new();
        for name in self.store.fresh()? {
            let is_left = self.left.iter().any(|left| left.name.name == name);
            if !is_left && !self.taken.iter().any(|(taken, _)| *taken == name) {
                oldest.push(name);
                if oldest.len() > MAX_LISTED {
                    oldest.pop();
                }
            }
        }
        let sorted = oldest.into_sorted_vec().into_iter();
        self.queue.extend(sorted.map(|name| SpoolName { name, begun: None }));
        Ok(())
    }
}

/// Reads mails that will be taken, up to the first that cannot be read; taking it shows why.
fn read_ahead(
    store: &dyn SpoolStore,
    names: Vec<SpoolName>,
    limit: usize,
) -> BTreeMap<SpoolName, Vec<u8>> {
    let mut bytes = 0;
    let mut ahead = BTreeMap::new();
    for name in names {
        let Ok(Some(mail)) = store.read(&name) else { break };
        bytes += mail.len();
        ahead.insert(name, mail);
        if bytes >= limit {
            break;
        }
    }
    ahead
}

impl Drop for Spool {
    fn drop(&mut self) {
        if !thread::panicking() {
            // A mark that stays only makes the next run careful.
            let _ = self.end();
        }
    }
}
