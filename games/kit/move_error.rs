//! Why words are no move.

use std::fmt::{self, Display};

/// Why some words are not a move of a position; every variant leaves the position as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The words have no meaning in the game's notation.
    Unreadable {
        /// How many characters come before the first word that could not be read.
        at: usize,
        /// What could be written there: "a point such as c3".
        expected: &'static str,
    },
    /// The words mean a move, but a rule forbids it; the text says which step and why.
    Illegal(String),
    /// The words fit several moves with different results: their full spellings.
    Ambiguous(Vec<String>),
    /// The position waits for dice or the game has ended.
    NothingToMove,
}

impl Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { at, expected } => {
                write!(f, "expected {expected} at column {}", at + 1)
            }
            Self::Illegal(why) => f.write_str(why),
            Self::Ambiguous(readings) => {
                write!(f, "it can be read in several ways: {}", readings.join(" or "))
            }
            Self::NothingToMove => f.write_str("there is nothing to move now"),
        }
    }
}

impl std::error::Error for MoveError {}
