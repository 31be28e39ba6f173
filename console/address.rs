//! Points pressed by their name: a letter, then a digit.

use games::{SIZE, Square};

/// The typed part of a point's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TypedPoint {
    /// Nothing.
    #[default]
    None,
    /// The `/` that says that a name comes.
    Slash,
    /// The column, from 0.
    Column(u8),
}

impl TypedPoint {
    /// The point in that column of the line that a digit names, which counts from below.
    pub(super) fn line(self, digit: u8) -> Option<Square> {
        let Self::Column(column) = self else { return None };
        Square::at(SIZE.checked_sub(digit)?, column)
    }

    /// It as it is shown: `e_`.
    pub(super) fn shown(self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Slash => Some("__".into()),
            Self::Column(column) => Some(format!("{}_", char::from(b'a' + column))),
        }
    }
}
