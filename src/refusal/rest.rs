//! Refusals about time zones, and about the days and nights at which a clock stops.

use crate::base::words::{OrList, quoted};
use crate::base::zone::Zone;
use crate::model::clock::{LONGEST_NIGHT, MOST_DAYS, Night};
use thiserror::Error;

/// A refusal about a time zone, days of rest or a night. Words that may hold a password are absent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RestRefusal {
    /// The words are a difference to UTC, or letters for one.
    #[error("{} does not say when summer time begins", typed_or(.typed.as_ref(), "this"))]
    NoPlace {
        /// The words.
        typed: Option<String>,
        /// Places with this time.
        places: Vec<Zone>,
    },
    /// Several zones have this name.
    #[error("several time zones have this name")]
    SeveralPlaces(Vec<Zone>),
    /// No zone has this name.
    #[error("I know no time zone {}", typed_or(.typed.as_ref(), "of this name"))]
    UnknownPlace {
        /// The words.
        typed: Option<String>,
        /// Places with a similar name.
        near: Vec<&'static str>,
    },
    /// The words are not days of the week.
    #[error("I cannot read {} as days of the week", typed_or(.0.as_ref(), "these words"))]
    BadDays(Option<String>),
    /// The days are too many.
    #[error("a clock can stop on at most {MOST_DAYS} days of a week, and these are {0}")]
    TooManyDays(usize),
    /// The words are not the hours of a night.
    #[error("I cannot read {} as the hours of a night", typed_or(.0.as_ref(), "these words"))]
    BadNight(Option<String>),
    /// The night is too long.
    #[error("a night has at most {n} hours, and {0} has more", n = LONGEST_NIGHT.hours())]
    LongNight(Night),
}

fn typed_or(typed: Option<&String>, other: &str) -> String {
    typed.map_or_else(|| other.to_owned(), |words| quoted(words))
}

impl RestRefusal {
    pub(super) fn hint(&self) -> String {
        let choices = self.choices();
        let text = match self {
            Self::NoPlace { places, .. } => {
                let example = places.first().map_or_else(|| "Berlin".into(), |place| city(*place));
                format!("Name a city instead: `timezone <userid> <password> {example}`. {choices}")
            }
            Self::SeveralPlaces(_) => choices,
            Self::UnknownPlace { .. } => format!(
                "{choices} Name a large city of your zone: `timezone <userid> <password> Berlin`, \
                 `... New York`, `... Asia/Tokyo`."
            ),
            Self::BadDays(_) => {
                "Write `weekend <userid> <password> off` for Saturday and Sunday, `... Friday \
                 Saturday` for other days, or `... none`."
                    .into()
            }
            Self::TooManyDays(_) => {
                "Otherwise your opponents would wait too long. For a longer time send `vacation`."
                    .into()
            }
            Self::BadNight(_) => {
                "Write `night <userid> <password> 22-7`, `... 22:30-06:30`, or `... none`.".into()
            }
            Self::LongNight(_) => {
                "Otherwise your opponents would wait too long. Write, for example, `night <userid> \
                 <password> 22-7`."
                    .into()
            }
        };
        text.trim().to_owned()
    }

    /// Returns the places or names to choose from as a sentence; empty if there are none.
    pub fn choices(&self) -> String {
        match self {
            Self::NoPlace { places, .. } if places.len() > 1 => {
                let cities: Vec<String> = places.iter().map(|zone| city(*zone)).collect();
                format!("Now it has this time in {}.", cities.join(", "))
            }
            Self::SeveralPlaces(zones) => {
                let names: Vec<String> = zones.iter().map(|zone| format!("`{zone}`")).collect();
                format!("Write one of them in full: {}.", names.join(", "))
            }
            Self::UnknownPlace { near, .. } if !near.is_empty() => {
                format!("Did you mean {}?", OrList(near))
            }
            _ => String::new(),
        }
    }
}

/// Returns the name of a zone's city as people write it.
fn city(zone: Zone) -> String {
    zone.name().rsplit('/').next().unwrap_or_default().replace('_', " ")
}
