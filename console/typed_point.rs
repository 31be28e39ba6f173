//! Points pressed by name: a letter, then a digit.

use games::{SIZE, Square};

/// The part of a point's name that has been typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TypedPoint {
    /// Nothing.
    #[default]
    None,
    /// The `/` before a name.
    Slash,
    /// The column, from 0.
    Column(u8),
}

impl TypedPoint {
    /// Returns the point in the column, in the line of a digit, which counts from below.
    pub(super) fn line(self, digit: u8) -> Option<Square> {
        let Self::Column(column) = self else { return None };
        Square::at(SIZE.checked_sub(digit)?, column)
    }

    /// Returns the typed part for display: `e_`.
    pub(super) fn shown(self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Slash => Some("__".into()),
            Self::Column(column) => Some(format!("{}_", char::from(b'a' + column))),
        }
    }
}
