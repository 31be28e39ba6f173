//! Mails as they came in, each a file, until they are executed.
//!
//! [`put`] is the receiving side: durable, without the lock, never waiting for it. [`Spool`] is the
//! executing side, under the lock, over the [`SpoolStore`] of any store. A marker file is there while a
//! run is under way. It shows when a mail ended the whole process (an overflowing stack, a kill): a
//! run that finds a marker left over is *careful* and writes into each mail's name how often it was
//! begun, before it is touched. Without such a mail a run pays for the marker and nothing else.
//!
//! Mails are executed in the order in which they came, except for one that failed: it comes again
//! after the others, so that it holds nobody up. Those of its own [`Strands`] still wait for it,
//! since an `accept` must not overtake the `propose` that it answers. One that cannot even be read
//! may be of any strand, so all wait for it, until it is parked.

use super::name::{SpoolName, Strands};
use crate::store::quarantine::{QuarantineLimits, UNFIT};
use crate::store::{Fault, OpenHome, SpoolStore};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::fmt;
use std::panic::resume_unwind;
use std::thread;

/// How often a mail is begun before it is parked.
pub const TRIES: u32 = 3;
/// So many names are held in memory at once.
const LISTED: usize = 16_384;

/// A mail taken from the spool, not yet done with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpooledMail {
    /// Its content: of more than [`LONGEST`] bytes, one more than that.
    pub bytes: Vec<u8>,
    /// How often it was begun, with this time; 1 if nothing is known against it.
    pub tries: u32,
    name: SpoolName,
}

/// Tells the strands of a mail.
type StrandsFn = dyn Fn(&[u8]) -> Strands;

/// [`StrandsFn`] as it is kept.
struct StrandOrder(Box<StrandsFn>);

impl fmt::Debug for StrandOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Order")
    }
}

/// What became of a mail that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryDecision {
    /// It will come again.
    Again,
    /// It is in `spool/bad`: the operator must be told.
    Parked,
}

/// A mail that comes again; those of its strands wait for it.
#[derive(Debug)]
struct DeferredMail {
    name: SpoolName,
    /// Unknown of a mail that cannot be read.
    strands: Option<Strands>,
}

impl DeferredMail {
    /// Whether a mail has to wait for this one.
    fn holds(&self, name: &str, strands: &Strands) -> bool {
        *self.name.name < *name && self.strands.as_ref().is_none_or(|own| !own.is_disjoint(strands))
    }
}

/// A run over the spool. Ended by [`close`](Self::close) or by being dropped, it leaves no trace;
/// only a process that dies, or a panic, leaves the marker for the next run.
#[derive(Debug)]
pub struct Spool {
    tray: Box<dyn SpoolStore>,
    careful: bool,
    /// The count of a name without a number: begun once by the run that died, or never.
    begun: u32,
    /// The first listing is the one that the run that died may have begun.
    listed: bool,
    queue: VecDeque<SpoolName>,
    /// They come after all others, the oldest first.
    put_off: VecDeque<DeferredMail>,
    order: StrandOrder,
    /// Mails that were read before they are taken.
    ahead: BTreeMap<SpoolName, Vec<u8>>,
    /// They wait for the next run.
    left: Vec<DeferredMail>,
    /// Taken and not done with: a listing shows them still.
    taken: Vec<(String, u32)>,
    notes: Vec<String>,
    bounds: QuarantineLimits,
}

impl Spool {
    /// Begins a run over the mails of an open home, which has to stay open until the run is closed.
    ///
    /// # Errors
    /// The machine failed.
    pub fn open(home: &dyn OpenHome) -> Result<Self, Fault> {
        let tray = home.tray();
        let careful = tray.is_marked();
        if !careful {
            tray.mark()?;
        }
        Ok(Self {
            tray,
            careful,
            begun: u32::from(careful),
            listed: false,
            queue: VecDeque::new(),
            put_off: VecDeque::new(),
            order: StrandOrder(Box::new(|_| Strands::new())),
            ahead: BTreeMap::new(),
            left: Vec::new(),
            taken: Vec::new(),
            notes: Vec::new(),
            bounds: QuarantineLimits::default(),
        })
    }

    /// From here on mails of a strand wait for one of it that is put off.
    #[must_use]
    pub fn with_strands(mut self, strands: impl Fn(&[u8]) -> Strands + 'static) -> Self {
        self.order = StrandOrder(Box::new(strands));
        self
    }

    /// From here on no more than that is kept in `spool/bad`.
    #[must_use]
    pub fn bounded(mut self, bounds: QuarantineLimits) -> Self {
        self.bounds = bounds;
        self
    }

    /// Whether the last run died: then each mail must be committed by itself, before the next is
    /// taken, so that a mail that kills again is told from the others.
    pub fn is_careful(&self) -> bool {
        self.careful
    }

    /// Whether others wait that are left for the next run.
    pub fn has_others(&self) -> bool {
        self.tray.has_others()
    }

    /// Notes for the operator since the last call, a line each: which mails [`take`](Self::take)
    /// has parked, and what was not kept.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// The next mail: the oldest first, those that were begun before last. None if there is none.
    /// A mail that was begun too often is parked on the way.
    ///
    /// # Errors
    /// The machine failed, or could not read a mail: it is read again by the next run, before all
    /// others.
    pub fn take(&mut self) -> Result<Option<SpooledMail>, Fault> {
        loop {
            let Some(name) = self.name()? else { return Ok(None) };
            let begun = name.begun.unwrap_or(self.begun);
            let mut waiting = SpooledMail { bytes: Vec::new(), tries: begun + 1, name };
            if begun >= TRIES {
                self.park_dead(waiting)?;
                continue;
            }
            match self.read(&waiting.name) {
                Ok(Some(bytes)) => waiting.bytes = bytes,
                // Another process took it away.
                Ok(None) => continue,
                Err(fault) => {
                    self.unread(waiting, fault)?;
                    continue;
                }
            }
            if self.must_wait(&waiting) {
                let strands = Some(self.strands(&waiting.bytes));
                let is_left = self.holds(&self.left, &waiting);
                let name = waiting.name;
                if is_left {
                    self.left.push(DeferredMail { name, strands });
                } else {
                    self.put_off(name, &waiting.bytes);
                }
                continue;
            }
            if self.careful {
                waiting.name = self.count(&waiting, begun + 1)?;
            }
            self.taken.push((waiting.name.name.clone(), waiting.tries));
            return Ok(Some(waiting));
        }
    }

    /// A mail's content. A disk that fails once is asked once more.
    fn read(&mut self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault> {
        if let Some(bytes) = self.ahead.remove(name) {
            return Ok(Some(bytes));
        }
        match self.tray.read(name) {
            Err(fault) if fault.is_passing() => self.tray.read(name),
            content => content,
        }
    }

    /// A mail could not be read. A thing that is no mail is parked at once; a mail that the disk
    /// cannot read today is tried by three runs. It ends this run, since its sender is unknown.
    fn unread(&mut self, mail: SpooledMail, fault: Fault) -> Result<(), Fault> {
        if fault.is_shortage() {
            return Err(fault);
        }
        if fault.is_passing() && mail.tries < TRIES {
            self.count(&mail, mail.tries)?;
            return Err(fault);
        }
        self.notes.push(format!("spool/bad/{} was parked", mail.name.name));
        self.park(mail, &format!("cannot be read: {}", fault.source))
    }

    /// Whether an earlier mail of its strands comes later: then it must be [held](Self::hold).
    pub fn must_wait(&self, mail: &SpooledMail) -> bool {
        self.holds(&self.put_off, mail) || self.holds(&self.left, mail)
    }

    /// Whether one of those mails is an earlier one of its strands.
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

    /// The strands of a mail.
    pub fn strands(&self, bytes: &[u8]) -> Strands {
        (self.order.0)(bytes)
    }

    /// A mail that was taken waits for an earlier one of its strands. That is no try.
    ///
    /// # Errors
    /// The machine failed.
    pub fn hold(&mut self, mail: SpooledMail) -> Result<(), Fault> {
        let SpooledMail { bytes, tries, name: from } = mail;
        self.forget(&from.name);
        let name = SpoolName { begun: (tries > 1).then_some(tries - 1), ..from.clone() };
        self.rename(&from, &name)?;
        self.put_off(name, &bytes);
        Ok(())
    }

    /// The mail waits for the next run, which is a try more, and those of its strands wait for it.
    ///
    /// # Errors
    /// The machine failed.
    pub fn leave(&mut self, mail: &SpooledMail) -> Result<(), Fault> {
        self.forget(&mail.name.name);
        let (name, strands) = (self.count(mail, mail.tries)?, Some(self.strands(&mail.bytes)));
        self.left.push(DeferredMail { name, strands });
        Ok(())
    }

    fn rename(&self, from: &SpoolName, to: &SpoolName) -> Result<(), Fault> {
        if from == to { Ok(()) } else { self.tray.rename(from, to) }
    }

    fn put_off(&mut self, name: SpoolName, bytes: &[u8]) {
        let strands = Some(self.strands(bytes));
        let at = self.put_off.partition_point(|other| other.name < name);
        self.put_off.insert(at, DeferredMail { name, strands });
    }

    /// The mail is executed and committed, or needs no execution: it goes away.
    ///
    /// # Errors
    /// The machine failed; the mail comes again, and the receipt tells that it was executed.
    pub fn done(&mut self, mail: SpooledMail) -> Result<(), Fault> {
        self.done_all(&[mail])
    }

    /// The same of several mails.
    ///
    /// # Errors
    /// As [`done`](Self::done).
    pub fn done_all(&mut self, mails: &[SpooledMail]) -> Result<(), Fault> {
        for mail in mails {
            self.forget(&mail.name.name);
        }
        self.tray.remove_all(&mails.iter().map(|mail| &mail.name).collect::<Vec<_>>())
    }

    /// Mails go away as with [`done`](Self::done), and the next ones are read, up to so many and so many
    /// bytes, beside what is done meanwhile. Returns what came of that, and of the mails.
    pub fn done_beside<T>(
        &mut self,
        mails: &[SpooledMail],
        next: (usize, usize),
        meanwhile: impl FnOnce(&Self) -> T,
    ) -> (T, Result<(), Fault>) {
        // A run that is careful changes the name of each mail before it is touched.
        let next = if self.careful { (0, 0) } else { next };
        let coming: Vec<SpoolName> = self.queue.iter().take(next.0).cloned().collect();
        if mails.is_empty() && coming.is_empty() {
            return (meanwhile(self), Ok(()));
        }
        let tray = &*self.tray;
        let (some, others) = mails.split_at(mails.len() / 2);
        let remove = |mails: &[SpooledMail]| {
            tray.remove_all(&mails.iter().map(|mail| &mail.name).collect::<Vec<_>>())
        };
        // Removing is mostly waiting for the disk, so two threads take half the time.
        let (came, ahead, removed) = thread::scope(|scope| {
            let one = scope.spawn(|| remove(some));
            let other = scope.spawn(|| (read_ahead(tray, coming, next.1), remove(others)));
            let came = meanwhile(self);
            let one = one.join().unwrap_or_else(|panic| resume_unwind(panic));
            let (ahead, other) = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            (came, ahead, one.and(other))
        });
        self.ahead = ahead;
        for mail in mails {
            self.forget(&mail.name.name);
        }
        (came, removed)
    }

    /// The mail cannot be read: it goes to `spool/bad`, with the reason beside it, for a time.
    ///
    /// # Errors
    /// The machine failed.
    pub fn park_unfit(&mut self, mail: SpooledMail, why: &str) -> Result<(), Fault> {
        let name = format!("{}.{UNFIT}", mail.name.name);
        self.put_aside(mail, &name, why)
    }

    /// The mail can never be executed, and that is no fault of its sender's: it goes to
    /// `spool/bad`, with the reason beside it, until the operator has seen it.
    ///
    /// # Errors
    /// The machine failed.
    pub fn park(&mut self, mail: SpooledMail, why: &str) -> Result<(), Fault> {
        let name = mail.name.name.clone();
        self.put_aside(mail, &name, why)
    }

    fn put_aside(&mut self, mail: SpooledMail, aside: &str, why: &str) -> Result<(), Fault> {
        let SpooledMail { name, .. } = mail;
        self.forget(&name.name);
        let note = self.tray.put_aside(&name, aside, self.bounds, why)?;
        self.notes.extend(note);
        Ok(())
    }

    /// The mail failed by a fault of ours (a panic, too long a time): it comes again after all
    /// others, up to three times in all, then it is parked.
    ///
    /// # Errors
    /// The machine failed.
    pub fn failed(&mut self, mail: SpooledMail, why: &str) -> Result<RetryDecision, Fault> {
        if mail.tries >= TRIES {
            self.park(mail, why)?;
            return Ok(RetryDecision::Parked);
        }
        self.forget(&mail.name.name);
        let name = self.count(&mail, mail.tries)?;
        self.put_off(name, &mail.bytes);
        Ok(RetryDecision::Again)
    }

    /// Ends the run: nothing killed it. Mails taken and not done with come again, as if they had
    /// not been taken.
    ///
    /// # Errors
    /// The machine failed.
    pub fn close(mut self) -> Result<(), Fault> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Fault> {
        let taken = std::mem::take(&mut self.taken);
        let counted = if taken.is_empty() { Vec::new() } else { self.tray.begun()? };
        for (name, begun) in taken.into_iter().filter(|(_, begun)| *begun > 1) {
            let from = SpoolName { name, begun: Some(begun) };
            if counted.contains(&from) {
                let to = SpoolName { begun: Some(begun - 1), ..from.clone() };
                self.tray.rename(&from, &to)?;
            }
        }
        self.tray.unmark()
    }

    fn park_dead(&mut self, mail: SpooledMail) -> Result<(), Fault> {
        let why = format!("each of {TRIES} runs ended without a word while it was executed");
        self.notes.push(format!("spool/bad/{} was parked", mail.name.name));
        self.park(mail, &why)
    }

    fn forget(&mut self, mail: &str) {
        if let Some(at) = self.taken.iter().position(|(name, _)| name == mail) {
            self.taken.swap_remove(at);
        }
    }

    /// Writes into the mail's name how often it was begun. A kill leaves that as it is: it need
    /// not be durable.
    fn count(&self, mail: &SpooledMail, begun: u32) -> Result<SpoolName, Fault> {
        let name = SpoolName { name: mail.name.name.clone(), begun: Some(begun) };
        self.rename(&mail.name, &name)?;
        Ok(name)
    }

    fn name(&mut self) -> Result<Option<SpoolName>, Fault> {
        if self.queue.is_empty() && (self.put_off.is_empty() || !self.listed) {
            self.list()?;
        }
        // Those after a mail that could not be read wait for it.
        let is_next = |first: &DeferredMail| {
            self.queue.front().is_none_or(|next| first.strands.is_none() && first.name < *next)
        };
        if self.put_off.front().is_some_and(is_next) {
            return Ok(self.put_off.pop_front().map(|first| first.name));
        }
        Ok(self.queue.pop_front())
    }

    /// Lists what waits: at most that many, the oldest; the rest comes with the next listing.
    fn list(&mut self) -> Result<(), Fault> {
        if self.listed {
            self.begun = 0;
        } else {
            let mut found = self.tray.begun()?;
            found.sort();
            for name in found {
                let strands = match self.read(&name) {
                    Ok(bytes) => Some(bytes.map_or_else(Strands::new, |it| self.strands(&it))),
                    Err(_) => None,
                };
                self.put_off.push_back(DeferredMail { name, strands });
            }
            self.listed = true;
        }
        // None that is put off is in `new`: of those there are none by now, or all are in `cur`.
        let mut oldest = BinaryHeap::new();
        for name in self.tray.fresh()? {
            let is_left = self.left.iter().any(|left| left.name.name == name);
            if !is_left && !self.taken.iter().any(|(taken, _)| *taken == name) {
                oldest.push(name);
                if oldest.len() > LISTED {
                    oldest.pop();
                }
            }
        }
        let sorted = oldest.into_sorted_vec().into_iter();
        self.queue.extend(sorted.map(|name| SpoolName { name, begun: None }));
        Ok(())
    }
}

/// Reads mails that will be taken, as far as nothing is in the way: what is, shows when they are.
fn read_ahead(
    tray: &dyn SpoolStore,
    names: Vec<SpoolName>,
    most: usize,
) -> BTreeMap<SpoolName, Vec<u8>> {
    let mut bytes = 0;
    let mut ahead = BTreeMap::new();
    for name in names {
        let Ok(Some(mail)) = tray.read(&name) else { break };
        bytes += mail.len();
        ahead.insert(name, mail);
        if bytes >= most {
            break;
        }
    }
    ahead
}

impl Drop for Spool {
    fn drop(&mut self) {
        if !thread::panicking() {
            // A marker that stays only makes the next run careful.
            let _ = self.end();
        }
    }
}
