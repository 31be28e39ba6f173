//! What tells plays from one another.

use crate::points::{Men, Set};

/// What a play of a roll is told by in positions that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// The men of the side that has played, how many of the other are on the bar, and where they are pinned.
    Race(Men, u8, Set),
    /// Differs where the men of the side that has played do.
    Walled(u128),
}
