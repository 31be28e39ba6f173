//! Refusals of a vacation.

use crate::base::time::Day;
use crate::model::clock::VACATION;
use thiserror::Error;

/// Refusals of a vacation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VacationRefusal {
    /// A word that is not a date. It is not shown: it may be half of a password.
    #[error("your mail needs a date, and the word in its place is not one")]
    BadDate,
    /// It would begin before today.
    #[error("a vacation cannot begin before today, {0}")]
    Past(Day),
    /// It would end before it begins.
    #[error("a vacation from {0} cannot end on {1}")]
    Backwards(Day, Day),
    /// It would end more than a year from now.
    #[error("a vacation must end by {0}")]
    TooFar(Day),
    /// There would be too much of it in a year.
    #[error("that would be more than {n} days of vacation in {0}", n = VACATION.days())]
    TooLong(i32),
    /// There is none to be ended.
    #[error("you have no vacation that you can end now")]
    None,
}

impl VacationRefusal {
    pub(super) fn hint(&self) -> String {
        match self {
            Self::BadDate | Self::Past(_) | Self::Backwards(..) | Self::TooFar(_) => {
                "Send `vacation <userid> <password> <from> <to>` with dates such as 2004-09-01; \
                 without <from> it begins today."
                    .into()
            }
            Self::TooLong(_) => {
                "A day that has begun counts as a whole day. Choose an earlier last day.".into()
            }
            Self::None => {
                "A vacation whose last day is today ends by itself. You can take back a later one from \
tomorrow on."
                    .into()
            }
        }
    }
}
