//! Executes the mails of a group, on two processors at the same time if the result is the same as
//! one after the other.
//!
//! Mails of one sender, or to the reply addresses of one board, form a chain. Two workers go
//! through the group and take chains that the other has not taken, each executing its mails in
//! order. Each has a [`Server`] of its own, which sees committed documents and its own changes. If
//! neither has looked at anything that the other has changed, each mail did what it would have done
//! after all mails before it, and the changes of both become one transaction. Otherwise all is
//! forgotten, and the group is executed one mail after the other. Dice follow from the mails, so
//! they stay the same.

use crate::base::time::Time;
use crate::server::{IncomingMail, MailDisposition, Server};
use crate::shell::mails::MAX_GROUP_BYTES;
use crate::shell::mails::worker::{
    Chains, ExecutedMail, GroupMails, MailAttempt, MailFailure, MailWorker, TimeSource,
};
use crate::store::spool::{Spool, SpooledMail, Strands};
use crate::store::{Fault, LogEntry, OpenHome, Transaction};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Smaller groups are executed by one worker: a thread costs as much as half a mail.
const WORTH_A_THREAD: usize = 8;

/// How many groups are executed by one worker after two workers got in each other's way: doubled
/// each time, within these bounds.
const MIN_PAUSE_GROUPS: u32 = 4;
const MAX_PAUSE_GROUPS: u32 = 64;

/// The outcome of a mail.
pub(crate) enum MailResult {
    /// The mail was executed, or needs no execution.
    Handled(MailDisposition),
    /// The mail could not be executed; others can.
    Failed(MailFailure),
    /// The mail waits behind one that failed.
    Held,
}

/// How many groups the first worker executes alone.
#[derive(Debug, Default)]
struct Pause {
    left: u32,
    /// The length of the last pause.
    last: u32,
}

impl Pause {
    /// Returns whether the next group is part of the pause.
    fn goes_on(&mut self) -> bool {
        let goes_on = self.left > 0;
        self.left = self.left.saturating_sub(1);
        goes_on
    }

    fn begin(&mut self) {
        self.last = (2 * self.last).clamp(MIN_PAUSE_GROUPS, MAX_PAUSE_GROUPS);
        self.left = self.last;
    }

    fn end(&mut self) {
        self.last = 0;
    }
}

/// Executes groups of mails.
#[derive(Debug)]
pub(crate) struct Executor<'a> {
    first: MailWorker<'a>,
    /// The second worker, if there is a processor for it. Created for the first group worth it,
    /// which most runs never see.
    second: OnceCell<Option<MailWorker<'a>>>,
    pause: Pause,
    /// The joined transaction of both workers, until it is taken.
    joined: Option<Transaction>,
    log: Vec<LogEntry>,
}

impl<'a> Executor<'a> {
    /// Returns an executor without documents in memory.
    pub(crate) fn new(server: Server<'a>) -> Self {
        Self {
            first: MailWorker::new(server),
            second: OnceCell::new(),
            pause: Pause::default(),
            joined: None,
            log: Vec::new(),
        }
    }

    /// Returns the server of the first worker.
    pub(crate) fn server(&mut self) -> &mut Server<'a> {
        &mut self.first.server
    }

    /// Executes mails and returns the outcome of each; none for those beyond the limits of time or
    /// room. A mail that fails is left out, together with the mails of its strands behind it: the
    /// others are executed again without it, from the committed documents.
    ///
    /// # Errors
    /// The machine failed; everything was forgotten.
    pub(crate) fn execute_group(
        &mut self,
        home: &dyn OpenHome,
        spool: &Spool,
        mails: &[SpooledMail],
        clock: TimeSource,
        until: Time,
    ) -> Result<Vec<Option<MailResult>>, Fault> {
        let mut group = GroupMails { mails, read: Vec::new(), clock, until, answered: 0.into() };
        if let Some(handled) = self.side_by_side(home, &mut group) {
            return Ok(handled.into_iter().map(|it| it.map(MailResult::Handled)).collect());
        }
        if home.is_remote() {
            if group.read.is_empty() {
                group.read = mails.iter().map(|mail| self.first.read(mail)).collect();
            }
            self.first.prefetch(group.read.iter().flatten(), home, clock())?;
        }
        let mut results = self.one_by_one(home, spool, &group)?;
        results.resize_with(mails.len(), || None);
        Ok(results)
    }

    /// Executes the first mails of a group one after the other.
    fn one_by_one(
        &mut self,
        home: &dyn OpenHome,
        spool: &Spool,
        group: &GroupMails<'_>,
    ) -> Result<Vec<Option<MailResult>>, Fault> {
        let mut results: Vec<Option<MailResult>> = Vec::with_capacity(group.mails.len());
        let mut left_out: Vec<Option<MailResult>> = group.mails.iter().map(|_| None).collect();
        'again: loop {
            results.clear();
            for (index, mail) in group.mails.iter().enumerate() {
                let now = (group.clock)();
                // Other processes wait for the home, and answers may be large.
                let has_room = self.first.server.letter_bytes() < MAX_GROUP_BYTES;
                if !has_room || index > 0 && now > group.until {
                    break;
                }
                if left_out[index].is_some() {
                    results.push(None);
                    continue;
                }
                let read = group.read.get(index).and_then(Option::as_ref);
                match self.first.execute(mail, read, home, now) {
                    Ok(MailAttempt::Handled(handled)) => {
                        results.push(Some(MailResult::Handled(handled)));
                    }
                    Ok(MailAttempt::Failed(why)) => {
                        self.forget();
                        left_out[index] = Some(MailResult::Failed(why));
                        hold_behind(index, spool, group.mails, &mut left_out);
                        continue 'again;
                    }
                    Err(fault) => {
                        self.forget();
                        return Err(fault);
                    }
                }
            }
            self.log.extend(self.first.server.take_log());
            for (result, late) in results.iter_mut().zip(left_out) {
                *result = result.take().or(late);
            }
            return Ok(results);
        }
    }

    /// Executes the mails of a group on two processors. None, without any effect, if that is not
    /// worth it, if a mail failed, or if the result might differ from one after the other.
    fn side_by_side(
        &mut self,
        home: &dyn OpenHome,
        group: &mut GroupMails<'_>,
    ) -> Option<Vec<Option<MailDisposition>>> {
        let Self { first, second, pause, .. } = self;
        if group.mails.len() < WORTH_A_THREAD {
            return None;
        }
        second.get_or_init(|| beside(&first.server));
        let second = second.get_mut()?.as_mut()?;
        if pause.goes_on() {
            return None;
        }
        let mails = group.mails;
        group.read = share(first, second, mails.len(), |worker, at| worker.read(&mails[at]));
        let chains = chains(&group.read);
        let chains = Chains::new(&if home.is_remote() { halves(chains) } else { chains });
        let (ours, theirs) = rayon::join(
            || first.execute_chains(&chains, group, home),
            || second.execute_chains(&chains, group, home),
        );
        let executed = ours.zip(theirs).map(|(ours, theirs)| vec![ours, theirs]);
        let Some(executed) = executed.map(|chains| in_order(chains, mails.len())) else {
            self.forget();
            return None;
        };
        let overtakes_none =
            catch_unwind(AssertUnwindSafe(|| overtakes_none(&executed, &group.read)));
        let (one, other) = (&mut first.server, &mut second.server);
        if !(overtakes_none.unwrap_or(false) && one.could_follow(other) && other.could_follow(one))
        {
            pause.begin();
            self.forget();
            return None;
        }
        pause.end();
        executed.iter().any(Option::is_some).then(|| self.join(executed))
    }

    /// Joins the changes of both workers in one transaction, with letters and log lines in the
    /// order of the mails.
    fn join(&mut self, executed: Vec<Option<ExecutedMail>>) -> Vec<Option<MailDisposition>> {
        let Self { first, second, joined, log, .. } = self;
        let second = second.get_mut().and_then(Option::as_mut).expect("it has executed mails");
        let (before, after) =
            rayon::join(|| first.server.take_transaction(), || second.server.take_transaction());
        first.server.mark_stale(&after);
        second.server.mark_stale(&before);
        let transaction = joined.insert(before.merged_with(after));
        let mut note = |mail: ExecutedMail| {
            transaction.letters.extend(mail.letters);
            log.extend(mail.log);
            mail.disposition
        };
        executed.into_iter().map(|mail| mail.map(&mut note)).collect()
    }

    /// Takes all changes since the last call. Commit them before you use anything else.
    pub(crate) fn take(&mut self) -> Transaction {
        self.joined.take().unwrap_or_else(|| {
            let transaction = self.first.server.take_transaction();
            if let Some(Some(second)) = self.second.get_mut() {
                second.server.mark_stale(&transaction);
            }
            transaction
        })
    }

    /// Forgets documents if there are too many, or if the home is far away. Call it after
    /// [`take`](Self::take).
    pub(crate) fn trim(&mut self, is_remote: bool) {
        self.servers().for_each(|server| server.trim(is_remote));
    }

    /// Takes an unreadable document found since the last call, with the reason.
    pub(crate) fn take_unreadable(&mut self) -> Option<String> {
        self.servers().filter_map(Server::take_unreadable).last()
    }

    /// Takes the log since the last call.
    pub(crate) fn take_log(&mut self) -> Vec<LogEntry> {
        let mut log = std::mem::take(&mut self.log);
        log.extend(self.first.server.take_log());
        log
    }

    /// Forgets all documents and all changes that were not taken.
    pub(crate) fn forget(&mut self) {
        self.joined = None;
        self.log.clear();
        self.servers().for_each(Server::forget);
    }

    fn servers(&mut self) -> impl Iterator<Item = &mut Server<'a>> {
        let second = self.second.get_mut().into_iter().flatten();
        iter::once(&mut self.first).chain(second).map(|worker| &mut worker.server)
    }
}

/// Lets both workers take items in turn until none is left. Returns the results in order.
fn share<'a, T: Send>(
    first: &mut MailWorker<'a>,
    second: &mut MailWorker<'a>,
    items: usize,
    work: impl Fn(&mut MailWorker<'a>, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = |worker: &mut MailWorker<'a>| {
        let items = iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)))
            .take_while(|&at| at < items);
        items.map(|at| (at, work(worker, at))).collect::<Vec<_>>()
    };
    let (mut done, others) = rayon::join(|| take(first), || take(second));
    done.extend(others);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, what)| what).collect()
}

/// Groups the indexes of mails into chains: mails that share a sender or a board, as far as known
/// without parsing commands.
fn chains(read: &[Option<IncomingMail>]) -> Vec<Vec<usize>> {
    let mut chain_of: HashMap<String, usize> = HashMap::new();
    let mut chains: Vec<Vec<usize>> = Vec::with_capacity(read.len());
    for (index, mail) in read.iter().enumerate() {
        let strands = mail.as_ref().map(IncomingMail::plain_strands).unwrap_or_default();
        let earlier: BTreeSet<usize> =
            strands.iter().filter_map(|strand| chain_of.get(strand).copied()).collect();
        let mut chain: Vec<usize> =
            earlier.iter().flat_map(|&at| std::mem::take(&mut chains[at])).collect();
        chain.sort_unstable();
        chain.push(index);
        chain_of.values_mut().filter(|at| earlier.contains(at)).for_each(|at| *at = chains.len());
        chain_of.extend(strands.into_iter().map(|strand| (strand, chains.len())));
        chains.push(chain);
    }
    chains.retain(|chain| !chain.is_empty());
    chains
}

/// Sorts executed mails by their index in the group.
fn in_order(chains: Vec<Vec<ExecutedMail>>, mails: usize) -> Vec<Option<ExecutedMail>> {
    let mut executed: Vec<Option<ExecutedMail>> = iter::repeat_with(|| None).take(mails).collect();
    for mail in chains.into_iter().flatten() {
        let index = mail.index;
        executed[index] = Some(mail);
    }
    executed
}

/// Returns whether no executed mail shares a strand with an earlier one that was not executed.
fn overtakes_none(executed: &[Option<ExecutedMail>], read: &[Option<IncomingMail>]) -> bool {
    let Some(first) = executed.iter().position(Option::is_none) else { return true };
    let mut waiting = Strands::new();
    executed.iter().zip(read).skip(first).all(|(executed, read)| {
        let strands = read.as_ref().map(IncomingMail::strands).unwrap_or_default();
        let overtakes = executed.is_some() && !waiting.is_disjoint(&strands);
        if executed.is_none() {
            waiting.extend(strands);
        }
        !overtakes
    })
}

/// Merges chains into two of similar length.
fn halves(chains: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut halves = [Vec::new(), Vec::new()];
    for chain in chains {
        let shorter = usize::from(halves[0].len() > halves[1].len());
        halves[shorter].extend(chain);
    }
    for half in &mut halves {
        half.sort_unstable();
    }
    halves.into()
}

/// Returns a second worker, if there is a processor for it.
fn beside<'a>(server: &Server<'a>) -> Option<MailWorker<'a>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    (processors > 1).then(|| server.second_worker()).flatten().map(MailWorker::new)
}

/// Holds all later mails that share a strand with a failed mail, or with a mail held for it.
fn hold_behind(
    failed: usize,
    spool: &Spool,
    mails: &[SpooledMail],
    left_out: &mut [Option<MailResult>],
) {
    let mut held = spool.strands(&mails[failed].bytes);
    for (mail, result) in mails.iter().zip(left_out).skip(failed + 1) {
        let strands = spool.strands(&mail.bytes);
        if result.is_none() && !held.is_disjoint(&strands) {
            held.extend(strands);
            *result = Some(MailResult::Held);
        }
    }
}

#[cfg(test)]
mod tests;
