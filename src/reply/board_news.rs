//! What can happen on a board.

use crate::model::board::Proposal;

/// What happened on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardNews {
    /// It was set up.
    Begun,
    /// It was set up because the open challenge of that number was accepted.
    Accepted(u32),
    /// It was set up with what was played elsewhere.
    Imported,
    /// A move was made, or the board was given up.
    Moved,
    /// A player said something.
    Chatted(String),
    /// A player offered what the board shows as open.
    Offered,
    /// An offer was rejected.
    OfferRejected(Proposal),
    /// An offer was withdrawn.
    OfferWithdrawn,
    /// The players agreed to take moves back.
    TakenBack {
        /// The number of the first of them.
        from: usize,
    },
    /// The players agreed that the program tells what it thinks of the moves so far.
    Analysed {
        /// The number of the last move that it tells about.
        until: usize,
    },
    /// A player took moves back, with nobody to ask.
    Unmade {
        /// The number of the first of them.
        from: usize,
    },
    /// The operator took something back.
    Undone(OperatorUndo),
    /// The operator wrote something else in its place.
    Mended,
}

/// What the operator took back on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorUndo {
    /// Whether that is how the game was ended.
    pub closing: bool,
    /// The number of the first move, if moves were taken back.
    pub from: Option<usize>,
    /// Whether the rolls taken back are forgotten.
    pub new_dice: bool,
}

impl BoardNews {
    /// Whether players have begun a board here: those who want to hear of every board do.
    pub(super) fn is_new(&self) -> bool {
        matches!(self, Self::Begun | Self::Accepted(_))
    }

    /// Whether observers hear of it: what changes the board is public, what players say is not.
    pub(super) fn is_public(&self) -> bool {
        match self {
            Self::Begun
            | Self::Accepted(_)
            | Self::Imported
            | Self::Moved
            | Self::TakenBack { .. }
            | Self::Unmade { .. }
            | Self::Undone(_)
            | Self::Mended => true,
            Self::Chatted(_)
            | Self::Offered
            | Self::OfferRejected(_)
            | Self::OfferWithdrawn
            | Self::Analysed { .. } => false,
        }
    }
}
