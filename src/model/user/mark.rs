//! The marks that a user can put on other users.

/// A mark that a user puts on another user, who is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The user gets no messages of the other.
    Muted,
    /// The user gets no messages and no challenges of the other.
    Blocked,
    /// Lists show the other first to the user.
    Favourite,
}

impl Mark {
    /// The most users with one mark of a user.
    pub const MOST: usize = 100;

    /// Returns the verb that makes the mark.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Muted => "mute",
            Self::Blocked => "block",
            Self::Favourite => "favourite",
        }
    }

    /// Returns the verb that removes the mark.
    pub const fn undoing_verb(self) -> &'static str {
        match self {
            Self::Muted => "unmute",
            Self::Blocked => "unblock",
            Self::Favourite => "unfavourite",
        }
    }
}
