//! What is known of a mail that waits before it is read.

use std::collections::BTreeSet;

/// A mail may be as long as this; of a longer one, one byte more is read.
pub const LONGEST: usize = crate::mail::LARGEST_MAIL;

/// A mail's name in the spool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpoolName {
    /// As it came.
    pub(super) name: String,
    /// How often it was begun, if its name says so: then it is in `cur`.
    pub(super) begun: Option<u32>,
}

impl SpoolName {
    pub(super) fn read(file: &str) -> Self {
        let numbered = file.rsplit_once(',').and_then(|(name, n)| Some((name, n.parse().ok()?)));
        match numbered {
            Some((name, begun)) => Self { name: name.to_owned(), begun: Some(begun) },
            None => Self { name: file.to_owned(), begun: Some(1) },
        }
    }
}

/// Things that a mail shares with others whose order counts: its sender, the boards it is about.
pub type Strands = BTreeSet<String>;
