//! Refusals of a vacation.

use crate::base::time::Day;
use crate::base::words::quoted;
use crate::model::clock::{VACATION, Vacation};
use thiserror::Error;

/// Refusals of a vacation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VacationRefusal {
    /// Words that name no days. They are not shown where they may hold a password.
    #[error("{} not a date I know", .0.as_ref().map_or("the words after `vacation` are".into(), |words| format!("{} is", quoted(words))))]
    BadDate(Option<String>),
    /// A date whose day and month may be taken for each other.
    #[error("that date may be {0} or {1}")]
    TwoDates(Day, Day),
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
    /// None goes on, and none is to come.
    #[error("you have no vacation")]
    None,
    /// It ends today anyway.
    #[error("today, {0}, is the last day of your vacation")]
    LastDay(Day),
    /// None has that day.
    #[error("you have no vacation on {day}")]
    NotThen {
        /// The day.
        day: Day,
        /// The vacations that go on or are to come.
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
                 <from> it begins today. `20 Dec`, `until Friday` and `2 weeks` will do, too."
                    .into()
            }
            Self::TooLong(_) => {
                "A day that has begun counts as a whole day. Choose an earlier last day.".into()
            }
            Self::None => "Your clocks run.".into(),
            Self::LastDay(_) => {
                "It ends by itself at midnight UTC. A day that has begun cannot be taken back."
                    .into()
            }
            Self::NotThen { left, .. } => {
                let days: Vec<String> =
                    left.iter().map(|one| format!("`{} {}`", one.from, one.to)).collect();
                format!(
                    "Your vacations, first and last day: {}. Name a day of one of them, or send \
                     `vacation <userid> <password> off` to end all.",
                    days.join(", ")
                )
            }
        }
    }
}
