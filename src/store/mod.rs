//! Persistence: documents, receipts of executed mails, indexes, the spool of incoming mails and the
//! outbox of letters, all changed together or not at all.
//!
//! The rest of the program knows only the traits of `traits`: a document is text under a [`Key`], a
//! change is a [`Transaction`]. A home is kept in one of three ways, each a folder:
//!
//! | folder | keeps a home in |
//! |---|---|
//! | `files` | files with a redo journal ([`FileHome`], [`FileStore`]) |
//! | [`postgres`] | a `PostgreSQL` database, for any number of workers |
//! | `memory` | memory, for tests ([`MemoryHome`], [`MemoryStore`]) |
//!
//! [`spool`] orders the incoming mails and reads them from mailboxes; [`outbox`] keeps the letters of a
//! home in files. [`backup`] writes and reads archives; [`transfer`] copies a home from one way of
//! keeping it to another. The files of this folder are the values and traits that all of them
//! share, the notes of erasures ([`ErasureNote`]), and files of the operator beside a home:
//! [`settings`], [`drafts`], [`recordings`], [`operator_files`].
//!
//! Functions return a [`Fault`] if the machine fails: a file cannot be read or written, the database
//! does not answer. Where there are further reasons, a section *Errors* names them.
//!
//! Every change to the disk goes through [`disk::Disk`], so that a test can stop it at any step.

mod activity;
mod backoff;
pub mod backup;
pub mod drafts;
mod erasure_note;
mod fault;
mod files;
mod letter;
mod log;
mod memory;
pub mod operator_files;
pub mod outbox;
pub mod owner;
mod paths;
mod platform;
pub mod postgres;
mod quarantine;
mod receipt;
pub mod recordings;
pub mod settings;
pub mod spool;
pub mod traces;
mod traits;
mod transaction;
pub mod transfer;

pub use crate::base::key::{DocumentKind, Key};
pub use activity::{JobRun, Traffic};
pub use backoff::Backoff;
pub use backup::restore;
pub use erasure_note::ErasureNote;
pub use fault::Fault;
pub use files::{
    BreakableWaits, DocumentValidator, FORMAT, FileHome, FileStore, ReadOnlyStore, break_off_waits,
    disk, disk_space, expire, expire_quarantine, format, lock_holder,
};
pub use letter::Letter;
pub use log::{LogEntry, LogOutcome, LogStyle, LogTo, log, log_all, record, set_log_style};
pub use memory::{MemoryHome, MemoryStore};
pub use quarantine::{
    ParkedMail, QuarantineAges, QuarantineLimits, Remedy, RemedyResult, StuckItem,
};
pub use receipt::{MailKey, ReceiptStatus, executed};
pub use spool::{maildir, mbox};
pub use traits::{
    ChangeListener, Documents, Home, Indexes, MailListener, OpenHome, Outbox, ReadOnlyHome,
    Receipts, RunMarker, SpoolLock, SpoolStore, Store, Subscription,
};
pub use transaction::{
    DocumentChange, DocumentVersion, IndexUpdates, OUTBOX, Register, SentRecord, StoredDocument,
    Transaction, Wakeups, named_wakeup,
};
pub use transfer::MoveNote;
