//! Executes the mails of a group: the two halves of it at the same time, where that comes to the same
//! as one mail after the other.
//!
//! Each half is executed by a [`Server`] of its own from what is committed. If the latter has looked
//! at nothing that the former has changed, it did what it would have done after it, and both become
//! one transaction. Otherwise it is forgotten, and its mails come again in the next group. Their dice
//! follow from the mails, so nothing is rolled anew by that.

use super::GROUP_BYTES;
use crate::base::time::Time;
use crate::base::watchdog::Watchdog;
use crate::server::{IncomingMail, MailDisposition, Server};
use crate::store::spool::{Spool, SpooledMail};
use crate::store::{Fault, OpenHome, Transaction};
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Fewer mails are executed one after the other: a thread costs as much as half a mail.
const WORTH_A_THREAD: usize = 8;

/// So many groups are executed one mail after the other once two halves had to do with the same.
const ALONE: u32 = 4;

/// Tells the time.
pub(super) type TimeSource<'a> = &'a (dyn Fn() -> Time + Sync);

/// The outcome of a mail.
#[derive(Clone)]
pub(super) enum MailResult {
    /// It was executed, or needs no execution.
    Handled(MailDisposition),
    /// A fault of ours, or of the disk.
    Failed(String),
    /// It waits for a mail that failed.
    Held,
}

/// Executes mails one after the other.
#[derive(Debug)]
struct MailWorker<'a> {
    server: Server<'a>,
    watchdog: Watchdog,
}

/// Executes groups of mails.
#[derive(Debug)]
pub(super) struct Executor<'a> {
    first: MailWorker<'a>,
    /// Executes the latter half of a group, where there is a processor for it: looked for when the first
    /// group is worth it, which most runs never see.
    second: OnceCell<Option<MailWorker<'a>>>,
    /// How many groups the first executes alone before halves are tried again.
    alone: u32,
    /// The transaction of two halves, until it is taken.
    joined: Option<Transaction>,
}

impl<'a> MailWorker<'a> {
    fn new(server: Server<'a>) -> Self {
        Self { server, watchdog: Watchdog::start() }
    }

    /// Whether a group has room for a mail more: others wait for the home, and answers may be large.
    fn has_room(&self, index: usize, now: Time, until: Time) -> bool {
        self.server.answered() < GROUP_BYTES && (index == 0 || now <= until)
    }

    /// Does something that may panic, or never end.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Server<'a>) -> T) -> thread::Result<T> {
        self.watchdog.begin();
        let server = &mut self.server;
        let done = catch_unwind(AssertUnwindSafe(|| work(server)));
        self.watchdog.end();
        done
    }

    /// Reads mails, where the home is far away, and asks for what they need.
    fn ahead(
        &mut self,
        mails: &[SpooledMail],
        files: &dyn OpenHome,
        now: Time,
    ) -> Result<Vec<Option<IncomingMail>>, Fault> {
        if !files.is_far() {
            return Ok(Vec::new());
        }
        let read = |mail: &SpooledMail| self.guarded(|server| server.read(&mail.bytes)).ok();
        let read: Vec<_> = mails.iter().map(read).collect();
        let known: Vec<_> = read.iter().flatten().collect();
        match self.guarded(|server| server.foresee(&known, files, now)) {
            Ok(Ok(())) => {}
            Ok(Err(fault)) if !fault.is_passing() => return Err(fault),
            // Whose fault that is shows when they are executed.
            Ok(Err(_)) | Err(_) => self.server.forget(),
        }
        Ok(read)
    }

    /// Executes a mail, which may have been read. `Ok(Err(_))` says why this one failed; others need
    /// not.
    fn execute(
        &mut self,
        mail: &SpooledMail,
        read: Option<&IncomingMail>,
        files: &dyn OpenHome,
        now: Time,
    ) -> Result<Result<MailDisposition, String>, Fault> {
        let handled = self.guarded(|server| match read {
            Some(read) => server.execute(read, files, now),
            None => server.mail(&mail.bytes, files, now),
        });
        match handled {
            Ok(Ok(handled)) => Ok(Ok(handled)),
            // The others do not wait for a file that this one needs.
            Ok(Err(fault)) if fault.is_passing() => Ok(Err(fault.to_string())),
            Ok(Err(fault)) => Err(fault),
            Err(payload) => Ok(Err(words_of(&*payload))),
        }
    }

    /// Executes mails, the first ones of those given; none if one of them failed.
    fn execute_all(
        &mut self,
        mails: &[SpooledMail],
        files: &dyn OpenHome,
        clock: TimeSource,
        until: Time,
    ) -> Option<Vec<MailDisposition>> {
        let read = self.ahead(mails, files, clock()).ok()?;
        let mut all = Vec::with_capacity(mails.len());
        for (index, mail) in mails.iter().enumerate() {
            let now = clock();
            if !self.has_room(index, now, until) {
                break;
            }
            let read = read.get(index).and_then(Option::as_ref);
            all.push(self.execute(mail, read, files, now).ok()?.ok()?);
        }
        Some(all)
    }
}

impl<'a> Executor<'a> {
    /// One that has read nothing yet.
    pub(super) fn new(server: Server<'a>) -> Self {
        Self { first: MailWorker::new(server), second: OnceCell::new(), alone: 0, joined: None }
    }

    /// The server that executes mails.
    pub(super) fn server(&mut self) -> &mut Server<'a> {
        &mut self.first.server
    }

    /// Executes mails, the first ones of those given, and returns what became of each. A mail that
    /// fails is left out, with those of its strands behind it: the others are executed again without
    /// them, from what is committed.
    ///
    /// # Errors
    /// The machine failed; all was forgotten.
    pub(super) fn fates(
        &mut self,
        files: &dyn OpenHome,
        spool: &Spool,
        mails: &[SpooledMail],
        clock: TimeSource,
        until: Time,
    ) -> Result<Vec<MailResult>, Fault> {
        if let Some(handled) = self.in_halves(files, mails, clock, until) {
            return Ok(handled.into_iter().map(MailResult::Handled).collect());
        }
        let read = self.first.ahead(mails, files, clock())?;
        let mut fates: Vec<MailResult> = Vec::with_capacity(mails.len());
        let mut left_out: Vec<Option<MailResult>> = mails.iter().map(|_| None).collect();
        'again: loop {
            fates.clear();
            for (index, mail) in mails.iter().enumerate() {
                let now = clock();
                if !self.first.has_room(index, now, until) {
                    break;
                }
                if let Some(fate) = &left_out[index] {
                    fates.push(fate.clone());
                    continue;
                }
                let read = read.get(index).and_then(Option::as_ref);
                match self.first.execute(mail, read, files, now) {
                    Ok(Ok(handled)) => fates.push(MailResult::Handled(handled)),
                    Ok(Err(why)) => {
                        self.forget();
                        left_out[index] = Some(MailResult::Failed(why));
                        hold_behind(index, spool, mails, &mut left_out);
                        continue 'again;
                    }
                    Err(fault) => {
                        self.forget();
                        return Err(fault);
                    }
                }
            }
            return Ok(fates);
        }
    }

    /// Executes the halves of a group at the same time. None if that is not worth it or a mail failed:
    /// then nothing was done.
    fn in_halves(
        &mut self,
        files: &dyn OpenHome,
        mails: &[SpooledMail],
        clock: TimeSource,
        until: Time,
    ) -> Option<Vec<MailDisposition>> {
        let Self { first, second, alone, joined } = self;
        if mails.len() < WORTH_A_THREAD {
            return None;
        }
        second.get_or_init(|| beside(&first.server));
        let second = second.get_mut()?.as_mut()?;
        if *alone > 0 {
            *alone -= 1;
            return None;
        }
        let (former, latter) = mails.split_at(mails.len() / 2);
        let (ours, theirs) = rayon::join(
            || first.execute_all(former, files, clock, until),
            || second.execute_all(latter, files, clock, until),
        );
        let Some(mut handled) = ours else {
            self.forget();
            return None;
        };
        let is_whole = handled.len() == former.len();
        match theirs {
            Some(theirs) if is_whole && second.server.could_follow(&mut first.server) => {
                handled.extend(theirs);
                first.server.append_log(&mut second.server);
            }
            _ => {
                second.server.forget();
                *alone = ALONE;
            }
        }
        let (before, after) = rayon::join(|| first.server.take(), || second.server.take());
        first.server.learn(&after);
        second.server.learn(&before);
        *joined = Some(before.and(after));
        Some(handled)
    }

    /// All changes since the last call. Commit them before you trust anything else.
    pub(super) fn take(&mut self) -> Transaction {
        self.joined.take().unwrap_or_else(|| {
            let transaction = self.first.server.take();
            if let Some(Some(second)) = self.second.get_mut() {
                second.server.learn(&transaction);
            }
            transaction
        })
    }

    /// Forgets documents when there are many, or the home is far away; to be called when all was taken.
    pub(super) fn trim(&mut self, is_far: bool) {
        self.servers().for_each(|server| server.trim(is_far));
    }

    /// A document that could not be read since the last call, and why.
    pub(super) fn take_unreadable(&mut self) -> Option<String> {
        self.servers().filter_map(Server::take_unreadable).last()
    }

    /// Forgets all documents and everything not taken.
    pub(super) fn forget(&mut self) {
        self.joined = None;
        self.servers().for_each(Server::forget);
    }

    fn servers(&mut self) -> impl Iterator<Item = &mut Server<'a>> {
        let second = self.second.get_mut().into_iter().flatten();
        std::iter::once(&mut self.first).chain(second).map(|worker| &mut worker.server)
    }
}

/// One that executes other mails than this server at the same time, if there is a processor for it.
fn beside<'a>(server: &Server<'a>) -> Option<MailWorker<'a>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    (processors > 1).then(|| server.beside()).flatten().map(MailWorker::new)
}

/// A mail failed: later mails that share a strand with it, or with a mail held for it, are held
/// too.
fn hold_behind(
    failed: usize,
    spool: &Spool,
    mails: &[SpooledMail],
    left_out: &mut [Option<MailResult>],
) {
    let mut held = spool.strands(&mails[failed].bytes);
    for (mail, fate) in mails.iter().zip(left_out).skip(failed + 1) {
        let strands = spool.strands(&mail.bytes);
        if fate.is_none() && !held.is_disjoint(&strands) {
            held.extend(strands);
            *fate = Some(MailResult::Held);
        }
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
