//! What can be done about what is stuck.

use crate::base::time::Time;

/// A mail that could not be executed and was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParkedMail {
    /// The name of its file.
    pub name: String,
    /// When it came.
    pub at: Option<Time>,
    /// Bytes.
    pub bytes: u64,
    /// Why, in a line.
    pub why: String,
}

/// Something that is stuck, by its whole name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckItem<'a> {
    /// A mail that was put aside.
    Mail(&'a str),
    /// A letter that waits or was given up.
    Letter(&'a str),
}

/// What is done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// It is tried with the next run.
    Retry,
    /// It goes away.
    Drop,
}

/// What became of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemedyResult {
    /// It is done.
    Done,
    /// It is not there any more.
    Gone,
    /// Letters are being sent by another process, which may be at this one.
    Busy,
}
