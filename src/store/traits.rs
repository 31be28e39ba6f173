//! The traits of a home. The layers above the store know nothing else of how it is kept.
//!
//! [`Home`] is a home that need not be open: mails are put into it, letters leave it. [`OpenHome`] is
//! one that this process has open: a [`Store`] of documents with its key, its log and its spool.
//!
//! Every method returns a [`Fault`] if the machine fails. *Errors* names further reasons.

use super::letter::{Backlog, LetterClaim, NotSent, OutboxReport, UnsentLetter};
use super::spool::SpoolName;
use super::{
    DocumentKind, DocumentVersion, Fault, JobRun, Key, Letter, LogEntry, MailKey, ParkedMail,
    QuarantineAges, QuarantineLimits, ReceiptStatus, Register, Remedy, RemedyResult,
    StoredDocument, StuckItem, Traffic, Transaction, Wakeups,
};
use crate::base::time::{Day, Time, TimeSlot};
use std::collections::HashSet;
use std::fmt::Debug;
use std::ops::Deref;
use std::time::Duration;

/// Reads documents.
pub trait Documents {
    /// Reads a document; one that does not exist has no text.
    ///
    /// # Errors
    /// The machine failed, or the document is not UTF-8.
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault>;

    /// Returns whether the home is remote and shared: then callers [prefetch](Self::prefetch) the documents
    /// that they need, and keep none of them in memory from one group of mails to the next.
    fn is_remote(&self) -> bool {
        false
    }

    /// Hints that these documents will be loaded soon. A remote home reads them in one query.
    fn prefetch(&self, _keys: &[Key]) -> Result<(), Fault> {
        Ok(())
    }

    /// Reads a document that may be damaged: invalid UTF-8 becomes U+FFFD.
    fn load_lossy(&self, key: &Key) -> Result<StoredDocument, Fault> {
        self.load(key)
    }

    /// Returns the keys of all documents of a kind, ascending. The time grows with the home.
    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault>;
}

/// Looks up the receipts of executed mails.
pub trait Receipts {
    /// Returns whether a mail was executed in the 90 days before `now` under exactly this key;
    /// [`executed`](super::executed) looks under its other keys, too.
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault>;

    /// Hints that the receipts of these mails will be looked up soon.
    fn prefetch_receipts(&self, _mails: &[MailKey]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Answers questions that would otherwise need all documents.
pub trait Indexes {
    /// Returns when the boards of a game are due.
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault>;

    /// Returns the folded userids or the files of a register, ascending. It may contain stale
    /// entries, but misses none.
    fn registered(&self, register: Register) -> Result<Vec<String>, Fault>;

    /// Returns the days up to `until` that have a register [`Register::Unproved`], ascending.
    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault>;

    /// Returns the slots that have a register [`Register::Due`], ascending.
    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault>;

    /// Returns the number of mails written to a mailbox on the UTC day of `now`. A power cut may
    /// lose a few.
    fn sent_count(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault>;

    /// Returns [`sent_count`](Self::sent_count) for each mailbox.
    fn sent_counts(&self, mailboxes: &[[u8; 8]], now: Time) -> Result<Vec<usize>, Fault> {
        mailboxes.iter().map(|mailbox| self.sent_count(*mailbox, now)).collect()
    }
}

/// A store of documents with one writer at a time. After [`commit`](Self::commit) returned, the
/// transaction survives any crash; if it did not return, a crash leaves all of it or nothing.
pub trait Store: Documents + Receipts + Indexes + Sync {
    /// Makes a transaction durable.
    ///
    /// # Errors
    /// The machine failed, or a document has changed since it was read. Nothing of the transaction
    /// is visible, now or later, unless the failure came after the commit point.
    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault>;

    /// Returns numbers for new boards of a game, at most `count`, and fewer only if no more are left.
    /// No other process uses them, and a commit that begins boards uses them up; until then the same
    /// numbers are returned again. `latest` is the number of the latest board. A store with one writer
    /// counts on from there.
    fn reserve_board_numbers(
        &self,
        _game: &'static str,
        latest: u32,
        count: usize,
    ) -> Result<Vec<u32>, Fault> {
        Ok(numbers_after(latest, count))
    }

    /// Removes documents that still have the given version, and then a register. A crash may leave
    /// some of them; the register is removed last, so that it finds them again.
    fn remove(
        &mut self,
        documents: &[(Key, DocumentVersion)],
        register: Register,
    ) -> Result<(), Fault>;

    /// Starts to commit a transaction in the background, so that the next one can be prepared
    /// meanwhile. The store already shows it. All earlier ones are durable when this returns.
    ///
    /// # Errors
    /// The machine failed, at this transaction or an earlier one. The home must be opened again,
    /// and the mails of unfinished transactions executed again: their receipts show whether they were
    /// committed.
    fn begin_commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.commit(transaction)
    }

    /// Waits until all started commits are durable.
    fn finish_commits(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Returns the next `count` numbers, or fewer if no more are left.
pub(super) fn numbers_after(latest: u32, count: usize) -> Vec<u32> {
    (1..).map_while(|next| latest.checked_add(next)).take(count).collect()
}

/// A home that this process has open, until dropped.
pub trait OpenHome: Store + Debug {
    /// Returns the key of the home, from which tokens are made.
    ///
    /// # Errors
    /// It cannot be read, or is not 32 bytes.
    fn key(&self) -> Result<[u8; 32], Fault>;

    /// Returns the keys of dice that were made after the home, the oldest first; most homes have
    /// none.
    ///
    /// # Errors
    /// They cannot be read.
    fn dice_keys(&self) -> Result<Vec<[u8; 32]>, Fault>;

    /// Adds a key of dice for good: the rolls of boards will depend on it.
    fn add_dice_key(&mut self, key: &[u8; 32]) -> Result<(), Fault>;

    /// Returns the waiting mails, for a [`Spool`](super::spool::Spool).
    fn spool_store(&self) -> Box<dyn SpoolStore>;

    /// Returns the marker of a run over all boards.
    fn run_marker(&self) -> Box<dyn RunMarker>;

    /// Returns inconsistencies in the way the store keeps its documents, a line each.
    fn flaws(&self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// Repairs the inconsistencies that can be repaired from the documents; returns a line for each.
    fn repair_flaws(&mut self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// Writes lines without secrets to the log.
    fn log(&self, lines: &[&str]) -> Result<(), Fault>;

    /// Writes entries of mails and commands to the log.
    fn record(&self, entries: &[LogEntry]) -> Result<(), Fault> {
        self.log(&entries.iter().map(|entry| &*entry.text).collect::<Vec<_>>())
    }

    /// Puts all committed changes in place and closes the home.
    ///
    /// # Errors
    /// The machine failed. Nothing committed is lost: the next process that opens the home puts it
    /// in place.
    fn close(self: Box<Self>) -> Result<(), Fault>;
}

/// A home opened for reading, beside any number of other readers.
#[derive(Debug)]
pub struct ReadOnlyHome(pub(super) Box<dyn OpenHome>);

impl Deref for ReadOnlyHome {
    type Target = dyn OpenHome;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// Receives the names of changed documents, as [`Key::file`] writes them, [`OUTBOX`](super::OUTBOX) for
/// new letters, and a name with the time of the earliest wakeup of a commit, which
/// [`named_wakeup`](super::named_wakeup) reads. An empty list means that changes may have been missed.
pub type ChangeListener = Box<dyn Fn(&[String]) + Send + Sync>;

/// Is called when mails may have arrived.
pub type MailListener = Box<dyn Fn() + Send + Sync>;

/// Keeps a [`ChangeListener`] or a [`MailListener`] subscribed until dropped.
pub trait Subscription: Debug + Send + Sync {}

/// A home that this process need not have open.
pub trait Home: Debug + Send + Sync {
    /// Returns where it is kept, for the operator, without secrets.
    fn location(&self) -> String;

    /// Opens it for reading and writing, as soon as nobody else has it open.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    fn open(&self) -> Result<Box<dyn OpenHome>, Fault>;

    /// Opens it for reading, as soon as nobody writes.
    fn read(&self) -> Result<ReadOnlyHome, Fault>;

    /// Puts a mail into the spool, durably, without waiting for anybody. A mail that also stays in
    /// its mailbox has a mark, so that it is not put there twice while it waits.
    ///
    /// # Errors
    /// The machine failed, and the mail is not in the spool.
    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault>;

    /// Returns the names of the mails that wait or are being executed.
    fn waiting_mails(&self) -> Result<Vec<String>, Fault>;

    /// Returns the marks of the waiting mails.
    fn waiting_marks(&self) -> Result<HashSet<String>, Fault>;

    /// Waits until this process may execute mails; `None` if another process waits already, or the wait was
    /// broken off.
    fn spool_lock(&self) -> Option<Box<dyn SpoolLock>>;

    /// Waits until a mail comes, at most for `limit`. Returns whether it could wait; if not, the
    /// caller has to poll.
    fn wait_for_mail(&self, _limit: Duration) -> bool {
        false
    }

    /// Subscribes a listener to the changes that any process commits, until the result is dropped.
    /// The committing process may still have the home open when the listener is called.
    fn subscribe(&self, listener: ChangeListener) -> Result<Box<dyn Subscription>, Fault>;

    /// Subscribes a listener to the mails that any process puts into the spool, until the result is
    /// dropped. It may be called without a new mail.
    fn subscribe_to_mails(&self, listener: MailListener) -> Result<Box<dyn Subscription>, Fault>;

    /// Returns whether another process waits for the home that this process has open.
    fn is_awaited(&self) -> bool;

    /// Takes the right to collect mails from a mailbox, which ends when the result is dropped; `None` if
    /// another process has it.
    fn collect_lock(&self) -> Option<Box<dyn Debug>>;

    /// Opens the outbox; `None` if another process is sending.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    fn outbox(&self) -> Result<Option<Box<dyn Outbox>>, Fault>;

    /// Counts the letters that wait for a time.
    fn backlog(&self) -> Result<Backlog, Fault>;

    /// Returns the letters that wait or were given up, the oldest first.
    fn unsent_letters(&self) -> Result<Vec<UnsentLetter>, Fault>;

    /// Returns the parked mails, the oldest first.
    fn parked_mails(&self) -> Result<Vec<ParkedMail>, Fault>;

    /// Reads a parked mail; `None` if it no longer exists.
    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault>;

    /// Retries or deletes a stuck mail or letter. Nobody else may have the home open.
    fn apply_remedy(&self, stuck: StuckItem, remedy: Remedy) -> Result<RemedyResult, Fault>;

    /// Records that a job ran. A power cut may lose it.
    fn record_run(&self, run: &JobRun) -> Result<(), Fault>;

    /// Returns the last run of each job, by job name.
    fn last_runs(&self) -> Result<Vec<JobRun>, Fault>;

    /// Returns the number of mails and forms executed on each of the last 90 days.
    fn traffic(&self) -> Result<Traffic, Fault>;

    /// Removes receipts after 90 days and counts of mails sent after two. Needs no lock.
    fn expire(&self, now: Time) -> Result<(), Fault>;

    /// Removes quarantined mails and letters that are older than their ages; returns their number.
    fn expire_quarantine(&self, now: Time, ages: QuarantineAges) -> Result<usize, Fault>;

    /// Overwrites the texts that earlier changes left in files that are used again and again, and removes each
    /// damaged commit put aside that contains one of `words`. A home in a database has no such files.
    ///
    /// # Errors
    /// The machine failed, or others commit again and again.
    fn scrub(&self, _words: &[String]) -> Result<(), Fault> {
        Ok(())
    }
}

/// The right to execute the mails of the spool, until dropped.
pub trait SpoolLock: Debug {
    /// Returns whether another process waits that can execute the rest. If none does, the holder
    /// must look for mails once more: a process that came just now may have mistaken this very
    /// question for a waiting process, and have left.
    fn is_awaited(&self) -> bool;
}

/// A lock that is always free: many processes execute mails, or only one.
#[derive(Debug)]
pub(super) struct FreeSpoolLock;

impl SpoolLock for FreeSpoolLock {
    fn is_awaited(&self) -> bool {
        false
    }
}

/// A note of the current step of a long run, for the next run in case the process dies.
pub trait RunMarker: Debug {
    /// Returns the step that the last run died at; empty if it ended.
    fn read(&self) -> Result<String, Fault>;

    /// Notes the current step. A power cut may lose it.
    fn write(&self, text: &str) -> Result<(), Fault>;

    /// Ends the run.
    fn clear(&self) -> Result<(), Fault>;
}

/// The waiting mails of a store; [`Spool`](super::spool::Spool) decides their order.
pub trait SpoolStore: Debug + Sync {
    /// Returns the names of the mails that were never begun. Later mails have greater names.
    fn fresh(&self) -> Result<Vec<String>, Fault>;

    /// Returns the mails that were begun.
    fn begun(&self) -> Result<Vec<SpoolName>, Fault>;

    /// Reads a mail; of a mail that is too large, one byte more than the limit. `None` if it is gone.
    fn read(&self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault>;

    /// Records how often a mail was begun. A power cut may lose it.
    fn rename(&self, from: &SpoolName, to: &SpoolName) -> Result<(), Fault>;

    /// Removes an executed mail.
    fn remove(&self, name: &SpoolName) -> Result<(), Fault>;

    /// Removes executed mails.
    fn remove_all(&self, names: &[&SpoolName]) -> Result<(), Fault> {
        names.iter().try_for_each(|name| self.remove(name))
    }

    /// Moves a mail into the quarantine as `parked`, with the reason. Returns a note for the operator
    /// about mails that were not kept.
    fn park(
        &self,
        name: &SpoolName,
        parked: &str,
        limits: QuarantineLimits,
        why: &str,
    ) -> Result<Option<String>, Fault>;

    /// Returns whether a run is under way, or has died.
    fn is_run_marked(&self) -> Result<bool, Fault>;

    /// Returns whether unstarted mails remain after this recovery run.
    fn has_unstarted(&self) -> bool {
        false
    }

    /// Marks the start of a run.
    fn mark_run(&self) -> Result<(), Fault>;

    /// Removes the mark at the end of a run.
    fn unmark_run(&self) -> Result<(), Fault>;
}

/// The waiting letters, for the process that sends them.
pub trait Outbox: Debug {
    /// Takes the next letter that this process has committed and that nobody can claim yet, if no older one
    /// waits. The caller may send it at once, and uses the result when it claims the letter.
    fn take_fresh(&mut self) -> Result<Option<Letter>, Fault> {
        Ok(None)
    }

    /// Claims letters that are due, new ones first. An empty result ends the run, and another
    /// process may begin one.
    fn claim(&mut self, now: Time) -> Result<Vec<LetterClaim>, Fault>;

    /// Sends claimed letters with `send`, and keeps those that it could not send.
    ///
    /// # Errors
    /// The machine failed. A letter that `send` could not send is kept, and is no error here.
    fn deliver(
        &mut self,
        claimed: &LetterClaim,
        now: Time,
        send: &mut dyn FnMut(&Letter) -> Result<(), NotSent>,
    ) -> Result<(), Fault>;

    /// Returns the results so far.
    fn report(&self) -> OutboxReport;
}
