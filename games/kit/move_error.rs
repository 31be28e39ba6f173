//! Errors of moves.

use std::fmt::{self, Display};

/// Why a text is not a legal move. The position is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text is not in the game's notation.
    Unreadable {
        /// The number of characters before the first unreadable word.
        at: usize,
        /// What is expected there: "a point such as c3".
        expected: &'static str,
    },
    /// A rule forbids the move. The text says which step and why.
    Illegal(String),
    /// The text means several moves with different results. Holds their full spellings.
    Ambiguous(Vec<String>),
    /// The position waits for dice, or the game has ended.
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
            Self::NothingToMove => f.write_str("there is no move to make now"),
        }
    }
}

impl std::error::Error for MoveError {}
