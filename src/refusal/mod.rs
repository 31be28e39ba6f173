//! Why a command is not carried out: as data, and in sentences.
//!
//! A refusal's `Display` says what is wrong; its hint says what is allowed and what to send instead.
//! One file for each subject: accounts, boards, open challenges, ladders, reports and sanctions, syntax,
//! tournaments, vacations, rests, and the operator's repairs. `example` fills in the examples of hints.

mod account;
mod announcement;
mod board;
mod example;
mod ladder;
mod moderation;
mod operator;
mod rest;
mod seek;
mod syntax;
mod tournament;
mod vacation;

pub use account::AccountRefusal;
pub use announcement::AnnouncementRefusal;
pub(crate) use board::is_a_word;
pub use board::{BoardRefusal, LegalMoves, PlanProblem, WrongPlan};
pub use example::ExampleValues;
pub use ladder::LadderRefusal;
pub use moderation::{ModerationRefusal, operator_address};
pub(crate) use moderation::{sanctioned, until};
pub use operator::{OperatorRefusal, TextError};
pub use rest::RestRefusal;
pub use seek::{OpenSeeks, SeekRefusal};
pub use syntax::{AnsweredBoard, Intent, OptionHelp, SyntaxRefusal};
pub use tournament::TournamentRefusal;
pub use vacation::VacationRefusal;

use crate::model::new_board::NotBegun;
use crate::model::world::MissingDocument;
use games::TiledBoard;
use thiserror::Error;

/// The reason why a command is not carried out. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The text is not a command.
    #[error(transparent)]
    Syntax(#[from] SyntaxRefusal),
    /// A refusal about an account.
    #[error(transparent)]
    Account(#[from] AccountRefusal),
    /// A refusal about a board.
    #[error(transparent)]
    Board(#[from] BoardRefusal),
    /// A refusal about a vacation.
    #[error(transparent)]
    Vacation(#[from] VacationRefusal),
    /// A refusal about a time zone, or about days and nights of rest.
    #[error(transparent)]
    Rest(#[from] RestRefusal),
    /// A refusal about open challenges, or about notices of new boards.
    #[error(transparent)]
    Seek(#[from] SeekRefusal),
    /// A refusal about a tournament.
    #[error(transparent)]
    Tournament(#[from] TournamentRefusal),
    /// A refusal about a ladder.
    #[error(transparent)]
    Ladder(#[from] LadderRefusal),
    /// A refusal about the operator's announcements.
    #[error(transparent)]
    Announcement(#[from] AnnouncementRefusal),
    /// A refusal about reports, sanctions and bans.
    #[error(transparent)]
    Moderation(#[from] ModerationRefusal),
    /// The operator must repair something on the server first, and has been told.
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

impl From<NotBegun> for Refusal {
    fn from(reason: NotBegun) -> Self {
        match reason {
            NotBegun::Missing(missing) => missing.into(),
            NotBegun::OnlyPrograms => AccountRefusal::OnlyPrograms.into(),
            NotBegun::PlayedAlone(game) => AccountRefusal::PlayedAlone(game).into(),
            NotBegun::GuestsPlayProgram => AccountRefusal::GuestsPlayProgram.into(),
            NotBegun::NoProgram(game) => AccountRefusal::NoProgram(game).into(),
        }
    }
}

impl Refusal {
    /// Returns what is allowed and what to send instead.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Syntax(refusal) => Some(refusal.hint()),
            Self::Account(refusal) => Some(refusal.hint()),
            Self::Board(refusal) => refusal.hint(),
            Self::Vacation(refusal) => Some(refusal.hint()),
            Self::Rest(refusal) => Some(refusal.hint()),
            Self::Seek(refusal) => Some(refusal.hint()),
            Self::Tournament(refusal) => Some(refusal.hint()),
            Self::Ladder(refusal) => Some(refusal.hint()),
            Self::Announcement(refusal) => Some(refusal.hint()),
            Self::Moderation(refusal) => Some(refusal.hint()),
            Self::Unavailable => None,
        }
    }

    /// Returns what the refusal is about, as a word for counts.
    pub const fn subject(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "syntax",
            Self::Account(AccountRefusal::WrongPassword | AccountRefusal::Paused { .. }) => {
                "password"
            }
            Self::Account(_) => "account",
            Self::Board(_) => "board",
            Self::Vacation(_) => "vacation",
            Self::Rest(_) => "rest",
            Self::Seek(_) => "open challenge",
            Self::Tournament(_) => "tournament",
            Self::Ladder(_) => "ladder",
            Self::Announcement(_) => "announcement",
            Self::Moderation(_) => "moderation",
            Self::Unavailable => "unavailable",
        }
    }

    /// Returns the board of tiles to draw below the hint, where legal points were asked for.
    pub fn tiled_board(&self) -> Option<&TiledBoard> {
        match self {
            Self::Board(refusal) => refusal.tiled_board(),
            Self::Syntax(SyntaxRefusal::NoMove { choice: Some(choice), .. }) => {
                choice.tiled.as_ref()
            }
            _ => None,
        }
    }
}
