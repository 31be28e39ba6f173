//! What a command changes.

use crate::board::{ClosedBy, Closing};
use crate::clock::{Terms, Vacation};
use crate::ids::{BoardId, UserId};
use crate::user::User;
use games::{Choices, Entry, Seat};

/// One change of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody joined.
    SignedUp(User),
    /// A board was set up.
    Challenged(Challenged),
    /// Dice fell and moves were made.
    Played {
        /// On which board.
        board: BoardId,
        /// When, Unix seconds.
        at: i64,
        /// What goes into the record.
        entries: Vec<Entry>,
    },
    /// A player chose how he likes something.
    Chose {
        /// The player.
        user: UserId,
        /// Where it holds.
        place: Place,
        /// The setting.
        setting: &'static str,
        /// What was chosen; nothing for the default.
        choice: Option<Choices>,
    },
    /// A player ended a board.
    Closed {
        /// Which board.
        board: BoardId,
        /// How.
        closing: Closing,
    },
    /// Whoever is to move was reminded.
    Reminded {
        /// On which board.
        board: BoardId,
        /// When, Unix seconds.
        at: i64,
    },
    /// A user's vacations are others now.
    Rested {
        /// The user.
        user: UserId,
        /// All of them.
        vacations: Vec<Vacation>,
        /// Whether he comes back earlier than was known, so that his time may be up earlier.
        is_cut: bool,
    },
}

/// Where a setting holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On that board.
    Board(BoardId),
    /// On all boards of that game.
    Game(&'static str),
}

/// A board as it is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenged {
    /// Its name.
    pub board: BoardId,
    /// Who plays, seat 0 first.
    pub players: [UserId; 2],
    /// Whose challenge it is, when a player sent it.
    pub challenger: Option<Seat>,
    /// Whether the sender is held to the limits of challenges.
    pub counted: bool,
    /// The game's options.
    pub options: Choices,
    /// Hidden from `list` and `show`.
    pub private: bool,
    /// The times agreed on, and whether it counts for the ratings.
    pub terms: Terms,
    /// When, Unix seconds.
    pub at: i64,
    /// The first dice, and what was played for the players already.
    pub entries: Vec<Entry>,
}

impl Event {
    /// The event in a few words, for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::SignedUp(user) => format!("{} signed up", user.id),
            Self::Challenged(new) => {
                format!("{} set up for {} and {}", new.board, new.players[0], new.players[1])
            }
            Self::Played { board, entries, .. } => {
                format!("{board}: {} entries recorded", entries.len())
            }
            Self::Chose { user, setting, .. } => format!("{user} chose {setting}"),
            Self::Closed { board, closing } => match closing.by {
                ClosedBy::Resigning | ClosedBy::Declining => format!("{board} closed by a player"),
                ClosedBy::Forfeiting | ClosedBy::Lapsing => format!("{board} closed by the clock"),
            },
            Self::Reminded { board, .. } => format!("{board}: a reminder sent"),
            Self::Rested { user, .. } => format!("{user} changed his vacation"),
        }
    }
}
