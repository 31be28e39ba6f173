//! Refusals of the operator's announcements.

use crate::base::time::Day;
use crate::model::announcement::Announcements;
use thiserror::Error;

/// The reason why an announcement is not made or withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnnouncementRefusal {
    /// The last day is past.
    #[error("{0} is past")]
    Past(Day),
    /// The text is empty or too long; its number of characters.
    #[error("the text has {0} characters, and {n} fit", n = Announcements::LONGEST)]
    Length(usize),
    /// The most announcements are shown.
    #[error("{n} announcements are shown already", n = Announcements::MOST)]
    TooMany,
    /// No announcement of this number is shown.
    #[error("no announcement {0} is shown")]
    NotShown(u32),
}

impl AnnouncementRefusal {
    pub(super) fn hint(&self) -> String {
        match self {
            Self::Past(_) => "Name today or a later day: `--until 2026-12-20`.",
            Self::Length(_) => "Write one to three sentences.",
            Self::TooMany => "Withdraw one first: `postboard announce --withdraw 3`.",
            Self::NotShown(_) => "`postboard announce` lists those that are shown.",
        }
        .into()
    }
}
