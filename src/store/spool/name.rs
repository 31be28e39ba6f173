//! What the spool knows of a mail before it is parsed: its name, and its strands.

use crate::base::time::Time;
use std::collections::BTreeSet;

/// The largest mail in bytes. Of a larger one, one byte more is read, which shows its size.
pub const MAX_MAIL_BYTES: usize = crate::mail::LARGEST_MAIL;

/// The name of a mail in the spool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpoolName {
    /// The name under which it arrived; later mails have greater names.
    pub(in crate::store) name: String,
    /// The number of times it was begun, if its file name says so: then the file is in `cur`.
    pub(in crate::store) begun: Option<u32>,
}

impl SpoolName {
    /// Parses a file name of `cur`.
    pub(in crate::store) fn parse(file: &str) -> Self {
        let numbered = file.rsplit_once(',').and_then(|(name, n)| Some((name, n.parse().ok()?)));
        match numbered {
            Some((name, begun)) => Self { name: name.to_owned(), begun: Some(begun) },
            None => Self { name: file.to_owned(), begun: Some(1) },
        }
    }
}

/// Returns the time with which the name of a mail or letter begins: when it arrived or was written.
pub fn arrival_time(name: &str) -> Option<Time> {
    name.split('.').next().and_then(Time::from_digits)
}

/// What a mail shares with mails that must stay in order with it: its sender, the boards it is about.
pub type Strands = BTreeSet<String>;
