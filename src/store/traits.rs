//! The wall: what is above it knows these traits, and nothing of how anything is kept.

use crate::base::time::{Day, Span, Time};
use crate::store::letter::{Backlog, DeliveryError, LetterClaim, OutboxReport, UnsentLetter};
use crate::store::quarantine::QuarantineLimits;
use crate::store::spool::name::SpoolName;
use crate::store::{
    DocumentKind, DocumentVersion, Fault, JobRun, Key, Letter, LogEntry, MailKey, ParkedMail,
    ReceiptStatus, Register, Remedy, RemedyResult, StoredDocument, StuckItem, Traffic, Transaction,
    Wakeups,
};
use std::collections::HashSet;
use std::fmt::Debug;
use std::ops::Deref;
use std::time::Duration;

/// Reads documents.
pub trait Documents {
    /// Reads a document.
    ///
    /// # Errors
    /// The machine failed; a document that does not exist is no error.
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault>;

    /// Whether others work at the home as well, and it is far away: then what is needed is asked for
    /// together, and is not kept in memory for long.
    fn is_far(&self) -> bool {
        false
    }

    /// Says that these documents are about to be loaded. A home that is far away reads them together.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    fn expect(&self, _keys: &[Key]) -> Result<(), Fault> {
        Ok(())
    }

    /// [`load`](Self::load) for a document that may be no text: what are no letters are `U+FFFD`.
    ///
    /// # Errors
    /// As there.
    fn load_damaged(&self, key: &Key) -> Result<StoredDocument, Fault> {
        self.load(key)
    }

    /// The keys of all documents of a kind, ascending. Costs time that grows with the home.
    ///
    /// # Errors
    /// The machine failed.
    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault>;
}

/// Knows which mails were executed.
pub trait Receipts {
    /// Whether a mail was executed in the last 90 days before `now`, under this very key: see
    /// [`executed`](super::executed).
    ///
    /// # Errors
    /// The machine failed.
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault>;

    /// Says that it is about to be asked about these mails, as with [`Documents::expect`].
    ///
    /// # Errors
    /// The machine failed.
    fn expect_mails(&self, _mails: &[MailKey]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Answers questions for which all documents would have to be read.
pub trait Indexes {
    /// When the boards of a game have to be looked at.
    ///
    /// # Errors
    /// The machine failed.
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault>;

    /// The folded userids of all who are in a register, ascending, and perhaps others.
    ///
    /// # Errors
    /// The machine failed.
    fn registered(&self, register: Register) -> Result<Vec<String>, Fault>;

    /// The days up to that one of which there is a register of unproved users, ascending.
    ///
    /// # Errors
    /// The machine failed.
    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault>;

    /// How many mails were written to a mailbox on the day of `now`, by UTC. After a power cut a
    /// few may be missing.
    ///
    /// # Errors
    /// The machine failed.
    fn sent(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault>;

    /// The same for several.
    ///
    /// # Errors
    /// The machine failed.
    fn sent_to(&self, mailboxes: &[[u8; 8]], now: Time) -> Result<Vec<usize>, Fault> {
        mailboxes.iter().map(|mailbox| self.sent(*mailbox, now)).collect()
    }
}

/// Keeps what the server knows. One writer at a time; what [`commit`](Self::commit) was given is
/// wholly there after any crash once it returned, and wholly there or not at all when it did not.
pub trait Store: Documents + Receipts + Indexes + Sync {
    /// Makes a transaction durable.
    ///
    /// # Errors
    /// The machine failed: nothing of the transaction is visible, now or later, unless its commit
    /// point was reached, and then all of it is.
    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault>;

    /// Removes documents that still have that version, then a register. A crash may leave some of
    /// them: the register is removed last.
    ///
    /// # Errors
    /// The machine failed.
    fn remove(
        &mut self,
        documents: &[(Key, DocumentVersion)],
        register: Register,
    ) -> Result<(), Fault>;

    /// Begins to commit a transaction and returns while that goes on, so that the next one can be
    /// prepared meanwhile; the store shows it already. Earlier ones are durable when this returns.
    ///
    /// # Errors
    /// The machine failed, at this transaction or at one begun before. Then the home must be opened
    /// again. A transaction begun and not finished may be durable or not: its mails must be
    /// executed again, and the receipts tell.
    fn begin(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.commit(transaction)
    }

    /// Waits until all that was begun is durable.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// A store with all that belongs to it, open, for as long as this is kept.
pub trait OpenHome: Store + Debug {
    /// The key of the home: what tokens are made with.
    ///
    /// # Errors
    /// It cannot be read, or is not 32 bytes.
    fn key(&self) -> Result<[u8; 32], Fault>;

    /// The keys of dice that were made later, the oldest first; none in most homes.
    ///
    /// # Errors
    /// They cannot be read.
    fn dice_keys(&self) -> Result<Vec<[u8; 32]>, Fault>;

    /// Keeps one more of them, for good: boards will follow from it.
    ///
    /// # Errors
    /// The machine failed.
    fn add_dice_key(&mut self, key: &[u8; 32]) -> Result<(), Fault>;

    /// The mails that wait, for the [`Spool`](super::spool::Spool).
    fn tray(&self) -> Box<dyn SpoolStore>;

    /// The marker of a run over the boards, which has to end before the home is closed.
    fn marker(&self) -> Box<dyn Marker>;

    /// Flaws in how the store itself keeps its documents, a line each.
    ///
    /// # Errors
    /// The machine failed.
    fn flaws(&self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// Mends those of them that follow from the documents; returns a line each.
    ///
    /// # Errors
    /// The machine failed.
    fn mend_flaws(&mut self) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    /// Writes lines into the log: what happened, and no secrets.
    ///
    /// # Errors
    /// The machine failed.
    fn log(&self, lines: &[&str]) -> Result<(), Fault>;

    /// Writes what was noted of mails and commands into the log.
    ///
    /// # Errors
    /// As [`log`](Self::log).
    fn record(&self, entries: &[LogEntry]) -> Result<(), Fault> {
        self.log(&entries.iter().map(|entry| &*entry.text).collect::<Vec<_>>())
    }

    /// Puts all in place that was committed, and lets go of the home.
    ///
    /// # Errors
    /// The machine failed: what was committed is not lost, and is put in place by the next opening.
    fn close(self: Box<Self>) -> Result<(), Fault>;
}

/// A home opened for reading, beside any number of others.
#[derive(Debug)]
pub struct ReadOnlyHome(pub(super) Box<dyn OpenHome>);

impl Deref for ReadOnlyHome {
    type Target = dyn OpenHome;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// Receives the names of changed documents, as [`Key::file`] writes them, and [`OUTBOX`](super::OUTBOX)
/// for new letters. An empty list means that changes may have been missed.
pub type ChangeListener = Box<dyn Fn(&[String]) + Send + Sync>;

/// Keeps a [`ChangeListener`] subscribed until dropped.
pub trait Subscription: Debug + Send + Sync {}

/// A home that nobody need have opened.
pub trait Home: Debug + Send + Sync {
    /// Where it is kept, for people: nothing secret.
    fn place(&self) -> String;

    /// Opens it for reading and writing: waits until nobody else has it open.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    fn open(&self) -> Result<Box<dyn OpenHome>, Fault>;

    /// Opens it for reading: waits until nobody writes.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    fn read(&self) -> Result<ReadOnlyHome, Fault>;

    /// Puts a mail into the spool, durably, and never waits for those who have the home open. A
    /// mail that stays where it comes from has a mark, so that it is not put there again while it
    /// waits.
    ///
    /// # Errors
    /// The machine failed, and the mail is not in the spool.
    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault>;

    /// The names of the mails that wait, or that another process is executing.
    ///
    /// # Errors
    /// The machine failed.
    fn waiting(&self) -> Result<Vec<String>, Fault>;

    /// The marks of the mails that wait.
    ///
    /// # Errors
    /// The machine failed.
    fn marks(&self) -> Result<HashSet<String>, Fault>;

    /// Waits for the process that executes mails; none if another one waits already.
    fn shift(&self) -> Option<Box<dyn SpoolLock>>;

    /// Waits until a mail comes, but not for longer than that. Whether it could wait so: else
    /// the caller has to look again and again.
    fn await_mail(&self, _most: Duration) -> bool {
        false
    }

    /// Tells a listener which documents change, from now on and as long as the answer is kept: when
    /// they are committed, by any process. A reader may have to wait for them: the process that
    /// changed the home still has it open.
    ///
    /// # Errors
    /// The machine failed.
    fn listen(&self, tell: ChangeListener) -> Result<Box<dyn Subscription>, Fault>;

    /// Whether another process waits until the home is open to it.
    fn is_awaited(&self) -> bool;

    /// The right to fill the spool from a mailbox; none if another process has it.
    fn collecting(&self) -> Option<Box<dyn Debug>>;

    /// The letters that wait to go out; none if another process is sending them.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    fn letters(&self) -> Result<Option<Box<dyn Letters>>, Fault>;

    /// Letters that wait after they could not leave.
    ///
    /// # Errors
    /// The machine failed.
    fn backlog(&self) -> Result<Backlog, Fault>;

    /// The letters that are not sent, the oldest first: those that wait, and those that were given up.
    ///
    /// # Errors
    /// The machine failed.
    fn unsent(&self) -> Result<Vec<UnsentLetter>, Fault>;

    /// The mails that were put aside, the oldest first.
    ///
    /// # Errors
    /// The machine failed.
    fn parked(&self) -> Result<Vec<ParkedMail>, Fault>;

    /// A mail that was put aside; none if it is gone.
    ///
    /// # Errors
    /// It cannot be read.
    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault>;

    /// Has a mail or a letter tried again that is stuck, or throws it away. Nobody else may have the
    /// home open.
    ///
    /// # Errors
    /// The machine failed.
    fn remedy(&self, stuck: StuckItem, remedy: Remedy) -> Result<RemedyResult, Fault>;

    /// Notes that a job ran. It need not outlive a power cut.
    ///
    /// # Errors
    /// The machine failed.
    fn note_run(&self, run: &JobRun) -> Result<(), Fault>;

    /// The last run of each job, by its name.
    ///
    /// # Errors
    /// The machine failed.
    fn runs(&self) -> Result<Vec<JobRun>, Fault>;

    /// How many mails and forms were executed on each of the last 90 days.
    ///
    /// # Errors
    /// The machine failed.
    fn traffic(&self) -> Result<Traffic, Fault>;

    /// Forgets what counts no more: receipts after 90 days, counts of mails sent after two. Needs
    /// no lock.
    ///
    /// # Errors
    /// The machine failed.
    fn expire(&self, now: Time) -> Result<(), Fault>;

    /// Removes what others have sent and was put aside that long ago; returns how many files.
    ///
    /// # Errors
    /// The machine failed.
    fn clear_aside(&self, now: Time, after: Span) -> Result<usize, Fault>;
}

/// The right to execute what the spool holds, until dropped.
pub trait SpoolLock: Debug {
    /// Whether another process waits that can do the rest. If none does, the one that works has to
    /// look for mails once more: a process that came just now may have taken this look for a
    /// waiter.
    fn is_awaited(&self) -> bool;
}

/// The work that a process is at, for the case that it dies there.
pub trait Marker: Debug {
    /// The work that the last run was at when it died.
    ///
    /// # Errors
    /// The machine failed.
    fn read(&self) -> Result<String, Fault>;

    /// Notes what the run is at now. It need not outlive a power cut.
    ///
    /// # Errors
    /// The machine failed.
    fn write(&self, text: &str) -> Result<(), Fault>;

    /// The run has come to its end.
    ///
    /// # Errors
    /// The machine failed.
    fn clear(&self) -> Result<(), Fault>;
}

/// Keeps the mails that wait; the [`Spool`](super::spool::Spool) knows their order.
pub trait SpoolStore: Debug + Sync {
    /// The mails that nobody has begun, by name. Later ones have greater names.
    ///
    /// # Errors
    /// The machine failed.
    fn fresh(&self) -> Result<Vec<String>, Fault>;

    /// The mails that were begun.
    ///
    /// # Errors
    /// The machine failed.
    fn begun(&self) -> Result<Vec<SpoolName>, Fault>;

    /// A mail, or as much of it as shows that it is too long; none if it is gone.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault>;

    /// Notes how often a mail was begun. It need not outlive a power cut.
    ///
    /// # Errors
    /// The machine failed.
    fn rename(&self, from: &SpoolName, to: &SpoolName) -> Result<(), Fault>;

    /// The mail is done with.
    ///
    /// # Errors
    /// The machine failed.
    fn remove(&self, name: &SpoolName) -> Result<(), Fault>;

    /// These mails are done with.
    ///
    /// # Errors
    /// The machine failed.
    fn remove_all(&self, names: &[&SpoolName]) -> Result<(), Fault> {
        names.iter().try_for_each(|name| self.remove(name))
    }

    /// Puts a mail aside under another name, with the reason. Says what the operator should know.
    ///
    /// # Errors
    /// The machine failed.
    fn put_aside(
        &self,
        name: &SpoolName,
        aside: &str,
        bounds: QuarantineLimits,
        why: &str,
    ) -> Result<Option<String>, Fault>;

    /// Whether a run is under way, or died.
    fn is_marked(&self) -> bool;
    /// Whether others wait that a run over those that were begun leaves for the next one.
    fn has_others(&self) -> bool {
        false
    }

    /// A run begins.
    ///
    /// # Errors
    /// The machine failed.
    fn mark(&self) -> Result<(), Fault>;

    /// The run has come to its end.
    ///
    /// # Errors
    /// The machine failed.
    fn unmark(&self) -> Result<(), Fault>;
}

/// The letters that wait to go out, for the process that sends them.
pub trait Letters: Debug {
    /// Claims letters whose time has come, fresh ones first. None once there are no more; then
    /// another process may begin.
    ///
    /// # Errors
    /// The machine failed.
    fn claim(&mut self, now: Time) -> Result<Vec<LetterClaim>, Fault>;

    /// Sends claimed letters, and keeps what could not be sent.
    ///
    /// # Errors
    /// The machine failed; `send`'s failures are none.
    fn deliver(
        &mut self,
        claimed: &LetterClaim,
        now: Time,
        send: &mut dyn FnMut(&Letter) -> Result<(), DeliveryError>,
    ) -> Result<(), Fault>;

    /// What became of the letters up to now.
    fn report(&self) -> OutboxReport;
}
