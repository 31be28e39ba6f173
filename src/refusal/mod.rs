//! Why a player's command is not carried out: as data, and in sentences.
//!
//! A refusal says what and where; its hint says what is allowed and what to send instead.

mod account;
mod asker;
mod board;
mod operator;
mod seek;
mod syntax;
mod vacation;

pub use account::AccountRefusal;
pub use asker::Asker;
pub use board::{BoardRefusal, LegalMoves};
pub use operator::{OperatorRefusal, TextFault};
pub use seek::{OpenSeeks, SeekRefusal};
pub use syntax::{Intent, OptionHelp, SyntaxRefusal};
pub use vacation::VacationRefusal;

use crate::model::world::MissingDocument;
use games::Grid;
use thiserror::Error;

/// A command that is not carried out; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The words are no command.
    #[error(transparent)]
    Syntax(#[from] SyntaxRefusal),
    /// It is about a user and who they are.
    #[error(transparent)]
    Account(#[from] AccountRefusal),
    /// It is about a board.
    #[error(transparent)]
    Board(#[from] BoardRefusal),
    /// It is about a vacation.
    #[error(transparent)]
    Vacation(#[from] VacationRefusal),
    /// It is about open challenges, or about notices of new boards.
    #[error(transparent)]
    Seek(#[from] SeekRefusal),
    /// Something on the server must be mended first; the operator has been told.
    #[error("this cannot be done at the moment; the operator has been told")]
    Unavailable,
}

impl From<MissingDocument> for Refusal {
    fn from(missing: MissingDocument) -> Self {
        match missing {
            MissingDocument::NoBoard(id) => BoardRefusal::Unknown(id).into(),
            MissingDocument::DamagedBoard(id) => BoardRefusal::Damaged(id).into(),
            MissingDocument::DamagedSeeks(game) => SeekRefusal::Damaged(game).into(),
            MissingDocument::Damaged => Self::Unavailable,
        }
    }
}

impl Refusal {
    /// What is allowed, and what to send instead.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Syntax(refusal) => Some(refusal.hint()),
            Self::Account(refusal) => Some(refusal.hint()),
            Self::Board(refusal) => refusal.hint(),
            Self::Vacation(refusal) => Some(refusal.hint()),
            Self::Seek(refusal) => Some(refusal.hint()),
            Self::Unavailable => None,
        }
    }

    /// The board that belongs below the hint, where its points are what may be played.
    pub fn grid(&self) -> Option<&Grid> {
        match self {
            Self::Board(refusal) => refusal.grid(),
            Self::Syntax(SyntaxRefusal::NoMove { choice: Some(choice), .. }) => {
                choice.grid.as_ref()
            }
            _ => None,
        }
    }

    /// Whether the sender of the command has not shown who they are.
    pub fn is_about_identity(&self) -> bool {
        !matches!(self, Self::Board(_))
    }
}
