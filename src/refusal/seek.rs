//! Refusals about open challenges and notices of new boards.

use crate::base::ids::UserId;
use crate::base::words::Plural;
use crate::model::seeks::{RatingRange, Seek};
use thiserror::Error;

/// Refusals about open challenges and notices of new boards. Games are named by their names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SeekRefusal {
    /// The file of a game's open challenges cannot be understood.
    #[error(
        "the open challenges to {} cannot be used until the operator has mended their file",
        title(.0)
    )]
    Damaged(&'static str),
    /// There is no open challenge of that number, and perhaps never was one.
    #[error(
        "{}",
        if *.was {
            format!("challenge {number} to {} is not open any more", title(.others.game))
        } else {
            format!("there is no open challenge {number} to {}", title(.others.game))
        }
    )]
    NotOpen {
        /// The number.
        number: u32,
        /// Whether there was one.
        was: bool,
        /// Those that could be accepted instead.
        others: OpenSeeks,
    },
    /// A user is not rated as the challenge wants it.
    #[error(
        "challenge {number} of {user} is for players rated {}, and you {} {points}",
        range(*.bounds),
        if *.is_rated { "are rated" } else { "have no rating yet, which counts as" }
    )]
    Rated {
        /// The number.
        number: u32,
        /// The user who made the challenge.
        user: UserId,
        /// The ratings it is for.
        bounds: RatingRange,
        /// What the rating is taken to be, in points.
        points: i32,
        /// Whether there is one.
        is_rated: bool,
        /// Those that could be accepted instead.
        others: OpenSeeks,
    },
    /// Nobody plays themselves.
    #[error("challenge {number} to {} is your own", title(.others.game))]
    Own {
        /// The number.
        number: u32,
        /// Those that could be accepted instead.
        others: OpenSeeks,
    },
    /// There is none to be ended.
    #[error("you have no open challenge to {}", title(.0))]
    None(&'static str),
    /// The ratings it is for are none.
    #[error("no rating is at least {0} and at most {1}")]
    NoRating(u32, u32),
    /// There are as many as there may be.
    #[error("{} to {} are already open", Plural(SeekRefusal::OPEN, "challenge"), title(.0))]
    TooMany(&'static str),
    /// Too many open challenges in a day.
    #[error("you have already made {n} open challenges in a day", n = SeekRefusal::A_DAY)]
    TooManyToday,
    /// Too many are open of the users at one mailbox.
    #[error("you already have {n} open challenges in all games together", n = SeekRefusal::AT_MAILBOX)]
    TooManyOpen,
    /// As many users as may hear of new boards.
    #[error("{} already get mails about every new board of {}", Plural(SeekRefusal::LISTENERS, "user"), title(.0))]
    TooManyListeners(&'static str),
}

/// The challenges that a user could accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSeeks {
    /// The game.
    pub game: &'static str,
    /// The user.
    pub user: UserId,
    /// The challenges, the oldest first.
    pub open: Vec<Seek>,
}

/// Challenges that a refusal names at most.
const MOST: usize = 20;

fn title(game: &str) -> &str {
    games::find(game).map_or(game, |game| game.spec().title)
}

/// The ratings within bounds.
fn range(bounds: RatingRange) -> String {
    match (bounds.min, bounds.max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("{min} or more"),
        (None, Some(max)) => format!("{max} or less"),
        (None, None) => "anyhow".into(),
    }
}

impl OpenSeeks {
    fn hint(&self) -> String {
        let Self { game, user, open } = self;
        if open.is_empty() {
            return format!(
                "There is no open challenge that you can accept. To make one, send `{game} seek {user} \
<password>`."
            );
        }
        let line = |seek: &Seek| {
            let what = format!("by {} {}", seek.user, seek.words());
            let number = seek.number;
            format!("  {game} accept-seek {number} {user} <password>\n      {}", what.trim_end())
        };
        let mut lines: Vec<String> = open.iter().take(MOST).map(line).collect();
        if open.len() > MOST {
            lines.push(format!("  ... and {} more: `list {game}`", open.len() - MOST));
        }
        format!(
            "You can accept one of these open challenges, each with its Subject:\n\n{}",
            lines.join("\n")
        )
    }
}

impl SeekRefusal {
    /// Challenges to a game that may be open at a time.
    pub const OPEN: usize = 100;
    /// Of these, those of users who have not shown that they read their mails.
    pub const OPEN_UNPROVED: usize = 50;
    /// Open challenges that may be made within 24 hours from a mailbox.
    pub const A_DAY: usize = 20;
    /// Open challenges in all games that the users at a mailbox may have at a time.
    pub const AT_MAILBOX: usize = 20;
    /// The same of users who have not shown that they read their mails.
    pub const UNPROVED: usize = 2;
    /// Users who may hear of every new board of a game: each board is mailed to all of them.
    pub const LISTENERS: usize = 50;

    pub(super) fn hint(&self) -> String {
        match self {
            Self::Damaged(_) => "The operator has been told.".into(),
            Self::NotOpen { others, .. } | Self::Rated { others, .. } => others.hint(),
            Self::Own { others, .. } => format!(
                "To end it, send `{} seek {} <password> off`. {}",
                others.game,
                others.user,
                others.hint()
            ),
            Self::None(game) => format!("To make one, send `{game} seek <userid> <password>`."),
            Self::NoRating(..) => {
                "For players rated from 1500 to 1700, for example, write `--min=1500 --max=1700`; one of the \
two is enough."
                    .into()
            }
            Self::TooMany(game) => format!("Send `list {game}` to see them, and accept one."),
            Self::TooManyToday => "Wait until tomorrow.".into(),
            Self::TooManyOpen => {
                "End one with `<game> seek <userid> <password> off`, or wait until somebody accepts \
                 one."
                    .into()
            }
            Self::TooManyListeners(game) => format!(
                "To get the mails of one board, send `{game} subscribe <board> <userid> <password>`; \
                 `list {game}` shows the boards."
            ),
        }
    }
}
