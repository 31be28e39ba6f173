//! The way of mails through the shell: `receive` puts a mail into the spool, `process` executes the
//! spool in groups, `deliver` sends the answers, `remind` acts on clocks, and `cron` does all of it.
//!
//! `batch` forms the groups and commits them; `executor` and `worker` execute one. `sender_thread`
//! sends letters at once while `serve` runs, `stuck` shows what was put aside, and `alert` tells the
//! operator of mails that wait too long. `engines` makes the moves of `board5`, in `run` on `engine_thread`.

pub(super) mod alert;
pub mod batch;
pub(super) mod cron;
pub(super) mod deliver;
pub(super) mod engine_thread;
pub(super) mod engines;
mod executor;
pub(super) mod process;
pub(super) mod receive;
pub(super) mod remind;
pub(super) mod sender_thread;
pub(super) mod stuck;
pub(super) mod worker;

use crate::base::time::{Span, seconds};

/// The most mails committed together.
const MAX_GROUP_MAILS: usize = 64;

/// The most bytes of mails, or of their answers, in a group.
const MAX_GROUP_BYTES: usize = 4_000_000;

/// How long the home is used before other processes that wait get it.
const SHARED_TURN: Span = seconds(1);
/// How long a home is kept open even if nobody waits, so that memory does not grow with the spool.
const MAX_OPEN_TIME: Span = seconds(10);
