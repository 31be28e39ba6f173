//! The letters that are not sent yet, only to look at: nothing is claimed.

use super::envelope::{OutboxName, read};
use super::{Fault, Letter, names, read_file};
use crate::base::time::Time;
use std::path::Path;

/// A letter that is not sent yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsentLetter {
    /// The letter.
    pub letter: Letter,
    /// When it was written.
    pub at: Time,
    /// How often sending it failed.
    pub tries: u32,
    /// When it is tried again.
    pub not_before: Time,
    /// Whether it was given up.
    pub is_given_up: bool,
}

/// The letters that wait in the outbox of a home or were given up there, the oldest first. A file
/// that is none of ours is left out.
pub(super) fn unsent(home: &Path) -> Result<Vec<UnsentLetter>, Fault> {
    let mut unsent = Vec::new();
    for which in ["new", "cur", "bad"] {
        let folder = home.join("outbox").join(which);
        for file in names(&folder)? {
            let Some(name) = OutboxName::read(&file) else { continue };
            let path = folder.join(&file);
            // One that is gone was sent meanwhile.
            let Some(bytes) = read_file(&path)? else { continue };
            let held = read(&bytes).unwrap_or_default().into_iter().filter(|held| !held.sent);
            unsent.extend(held.map(|held| UnsentLetter {
                letter: held.letter,
                at: held.at,
                tries: name.tries,
                not_before: name.not_before,
                is_given_up: which == "bad",
            }));
        }
    }
    unsent.sort_by(|one, other| (one.at, &one.letter.name).cmp(&(other.at, &other.letter.name)));
    Ok(unsent)
}
