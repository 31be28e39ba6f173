//! Incoming mails until they are executed.
//!
//! | file | contains |
//! |---|---|
//! | `queue` | [`Spool`]: a run over the waiting mails of any store, in order, with retries |
//! | `name` | names of waiting mails, and [`Strands`]: what keeps two mails in order |
//! | `file_spool` | the spool of a home in files: `spool/new` (arrived), `spool/cur` (begun) |
//! | [`maildir`], [`mbox`] | mailboxes that mails are collected from |
//! | `arrivals` | watches a folder for new mails |
//!
//! A mail is durable in the spool before `receive` confirms it to the mail server, and is removed
//! after the commit of its effects; its receipt keeps it from being executed twice in between. Mails of one strand (one
//! sender, one board) are executed in the order of arrival. A mail that fails three times is parked
//! in `spool/bad` for the operator.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

pub(super) mod arrivals;
pub(super) mod file_spool;
pub mod maildir;
pub mod mbox;
pub(super) mod name;
mod queue;

pub use file_spool::{
    CollectLock, FileSpoolLock, mark, marks, put, put_on, try_put, waiting_mails,
};
pub use name::{MAX_MAIL_BYTES, SpoolName, Strands, arrival_time};
pub use queue::{ReadAhead, RetryDecision, Spool, SpooledMail, TRIES};
