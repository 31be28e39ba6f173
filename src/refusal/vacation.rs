//! Refusals about vacations.

use crate::base::time::Day;
use crate::base::words::quoted;
use crate::base::zone::Zone;
use crate::model::clock::{VACATION, Vacation};
use thiserror::Error;

/// A refusal about a vacation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VacationRefusal {
    /// The words are not dates. The refusal does not quote them where they may hold a password.
    #[error("{} not a date I know", .0.as_ref().map_or("the words after `vacation` are".into(), |words| format!("{} is", quoted(words))))]
    BadDate(Option<String>),
    /// Day and month of the date could be swapped.
    #[error("this date could be {0} or {1}")]
    TwoDates(Day, Day),
    /// The vacation would begin before today.
    #[error("a vacation cannot begin before today, {0}")]
    Past(Day),
    /// The vacation would end before it begins.
    #[error("a vacation from {0} cannot end on {1}")]
    Backwards(Day, Day),
    /// The vacation would end more than a year from now.
    #[error("a vacation must end by {0}")]
    TooFar(Day),
    /// The vacations of the year would be too long.
    #[error("you would have more than {n} days of vacation in {0}", n = VACATION.days())]
    TooLong(i32),
    /// The user has no vacation, now or planned.
    #[error("you have no vacation")]
    None,
    /// The vacation ends today anyway.
    #[error("today, {0}, is the last day of your vacation")]
    LastDay(Day, Zone),
    /// No vacation includes the day.
    #[error("you have no vacation on {day}")]
    NotThen {
        /// The day.
        day: Day,
        /// The current and planned vacations.
        left: Vec<Vacation>,
    },
}

impl VacationRefusal {
    pub(super) fn hint(&self) -> String {
        match self {
            Self::BadDate(_)
            | Self::TwoDates(..)
            | Self::Past(_)
            | Self::Backwards(..)
            | Self::TooFar(_) => {
                "Write dates like 2004-09-01: `vacation <userid> <password> <from> <to>`. Without \
                 <from> it begins today. `20 Dec`, `until Friday` and `2 weeks` work, too."
                    .into()
            }
            Self::TooLong(_) => {
                "A day that has begun counts as a whole day. Choose an earlier last day.".into()
            }
            Self::None => {
                "Your clocks are running. To stop them, send `vacation <userid> <password> <from> \
                 <to>`."
                    .into()
            }
            Self::LastDay(_, zone) => format!(
                "It ends by itself at midnight {zone}. A day that has begun cannot be taken back."
            ),
            Self::NotThen { left, .. } => {
                let days: Vec<String> =
                    left.iter().map(|one| format!("`{} {}`", one.from, one.to)).collect();
                format!(
                    "Your vacations, first and last day: {}. Name a day of one of them, or send \
                     `vacation <userid> <password> off` to end them all.",
                    days.join(", ")
                )
            }
        }
    }
}
