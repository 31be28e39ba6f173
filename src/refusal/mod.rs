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
pub use board::{BoardRefusal, Choice};
pub use operator::OperatorRefusal;
pub use seek::{Others, SeekRefusal};
pub use syntax::{Known, Lead, SyntaxRefusal};
pub use vacation::VacationRefusal;

use crate::model::world::Missing;
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

impl From<Missing> for Refusal {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::NoBoard(id) => BoardRefusal::Unknown(id).into(),
            Missing::DamagedBoard(id) => BoardRefusal::Damaged(id).into(),
            Missing::DamagedSeeks(game) => SeekRefusal::Damaged(game).into(),
            Missing::Damaged => Self::Unavailable,
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

    /// Whether the sender of the command has not shown who they are.
    pub fn is_about_identity(&self) -> bool {
        !matches!(self, Self::Board(_))
    }
}
