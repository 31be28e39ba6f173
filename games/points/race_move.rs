//! The moves of a race: plays of the dice, and answers to an offer to resign.

use super::Play;
use crate::kit::bare;
use std::fmt::{self, Display};

/// A decision of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RaceMove {
    /// A play of the dice.
    Play(Play),
    /// The offer to resign is accepted.
    Accept,
    /// The offer to resign is rejected.
    Reject,
}

impl RaceMove {
    /// Returns the answer that a text is, if any.
    pub(super) fn answer(text: &str) -> Option<Self> {
        match bare(text).to_ascii_lowercase().as_str() {
            "accept" => Some(Self::Accept),
            "reject" => Some(Self::Reject),
            _ => None,
        }
    }
}

impl Display for RaceMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(play) => play.fmt(f),
            Self::Accept => f.write_str("accept"),
            Self::Reject => f.write_str("reject"),
        }
    }
}
