//! Mails and letters that need the operator: their limits, and what the operator can do.
//!
//! There are two kinds. Mails that failed because of a bug of ours, or of the machine, stay until
//! the operator has dealt with them, a year by default; when the limit is reached the *first* stay,
//! since a later flood must not wash away the mails that show its cause. Mails of strangers that
//! cannot be executed or delivered ([`is_theirs`]) are removed after some days; when the limit is
//! reached the *newest* stay.

use crate::base::time::{Span, Time};

/// The limits of one quarantine folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuarantineLimits {
    /// Mails or letters at most.
    pub count: usize,
    /// Bytes of all of them at most.
    pub bytes: u64,
}

/// How long mails and letters stay in quarantine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuarantineAges {
    /// Those of others that could not be parsed or delivered.
    pub theirs: Span,
    /// Those that failed because of a bug of ours, or of the machine.
    pub ours: Span,
}

impl Default for QuarantineLimits {
    fn default() -> Self {
        Self { count: 1_000, bytes: 50_000_000 }
    }
}

/// The ending of the name of a mail that cannot be parsed.
pub(super) const UNFIT: &str = "unfit";

/// Returns whether a mail or letter is in quarantine by the fault of others, by its name: a mail that
/// cannot be parsed, or a letter that was refused. A number may follow the ending.
pub(super) fn is_theirs(name: &str) -> bool {
    let mut endings = name.rsplit('.').skip_while(|end| end.parse::<u32>().is_ok());
    matches!(endings.next(), Some(UNFIT | "eml"))
}

/// A mail that could not be executed and is parked for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParkedMail {
    /// Its file name.
    pub name: String,
    /// When it came.
    pub at: Option<Time>,
    /// Its size in bytes.
    pub bytes: u64,
    /// The reason, one line.
    pub why: String,
}

/// A stuck mail or letter, by its full name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckItem<'a> {
    /// A parked mail.
    Mail(&'a str),
    /// A letter that waits or was given up.
    Letter(&'a str),
}

/// What the operator wants done with a stuck mail or letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Try it again in the next run.
    Retry,
    /// Delete it.
    Drop,
}

/// The outcome of a remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemedyResult {
    /// Done.
    Done,
    /// The mail or letter no longer exists.
    Gone,
    /// Another process is sending letters, perhaps this one.
    Busy,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_sent_is_known_by_its_name() {
        for theirs in ["000000000001.0.1.0.unfit", "01.unfit.2", "000000000001.3f.eml", "1.eml.12"]
        {
            assert!(is_theirs(theirs), "{theirs}");
        }
        for ours in ["000000000001.000000002.1234.5", "1.folder", "01.unfitting", "7.txn"] {
            assert!(!is_theirs(ours), "{ours}");
        }
    }
}
