//! What tells plays from one another.

use crate::points::{Men, PointMask};

/// What a play of a roll is told by in positions that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PlayKey {
    /// The men of the side that has played, how many of the other are on the bar, and where they are pinned.
    Race(Men, u8, PointMask),
    /// Differs where the men of the side that has played do.
    Walled(u128),
}
