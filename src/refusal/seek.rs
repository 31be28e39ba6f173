//! Refusals about open challenges and notices of new boards.

use crate::base::ids::UserId;
use crate::base::words::Plural;
use crate::model::seeks::{RatingRange, Seek};
use games::title;
use thiserror::Error;

/// A refusal about open challenges or notices of new boards. Games are named as in commands.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum SeekRefusal {
    /// The file of a game's open challenges is damaged.
    #[error(
        "the open challenges to {} cannot be used until the operator has repaired their file",
        title(.0)
    )]
    Damaged(&'static str),
    /// The challenge is not open, or never was.
    #[error(
        "{}",
        if *.was {
            format!("challenge {number} to {} is no longer open", title(.others.game))
        } else {
            format!("there is no open challenge {number} to {}", title(.others.game))
        }
    )]
    NotOpen {
        number: u32,
        /// Whether the challenge was open once.
        was: bool,
        /// The challenges that the user could accept instead.
        others: OpenSeeks,
    },
    /// The user's rating is outside the bounds of the challenge.
    #[error(
        "challenge {number} of {user} is for players rated {}, and you {} {points}",
        range(*.bounds),
        if *.is_rated { "are rated" } else { "have no rating yet, which counts as" }
    )]
    Rated {
        number: u32,
        /// The user who made the challenge.
        user: UserId,
        bounds: RatingRange,
        /// The user's rating in points; the initial one without a rating.
        points: i32,
        is_rated: bool,
        /// The challenges that the user could accept instead.
        others: OpenSeeks,
    },
    /// Users cannot accept their own challenges.
    #[error("challenge {number} to {} is your own", title(.others.game))]
    Own {
        number: u32,
        /// The challenges that the user could accept instead.
        others: OpenSeeks,
    },
    /// The user who made the challenge has blocked the user.
    #[error("challenge {number} to {} is not open to you", title(.others.game))]
    NotForYou {
        number: u32,
        /// The challenges that the user could accept instead.
        others: OpenSeeks,
    },
    /// The user has no open challenge to end; the game.
    #[error("you have no open challenge to {}", title(.0))]
    None(&'static str),
    /// The bounds of a challenge exclude every rating.
    #[error("no rating is at least {0} and at most {1}")]
    NoRating(u32, u32),
    /// The game has the most open challenges allowed.
    #[error("{} to {} are already open", Plural(SeekRefusal::OPEN, "challenge"), title(.0))]
    TooMany(&'static str),
    /// The user made the most open challenges allowed in a day.
    #[error("you have already made {n} open challenges in the last 24 hours", n = SeekRefusal::A_DAY)]
    TooManyToday,
    /// The users at one mailbox have the most open challenges allowed.
    #[error("you already have {n} open challenges in all games together", n = SeekRefusal::AT_MAILBOX)]
    TooManyOpen,
    /// The most users allowed get notices of the game's new boards.
    #[error("{} already get mails about every new board of {}", Plural(SeekRefusal::LISTENERS, "user"), title(.0))]
    TooManyListeners(&'static str),
}

/// The open challenges that a user can accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSeeks {
    /// The game.
    pub game: &'static str,
    /// The user.
    pub user: UserId,
    /// The challenges, the oldest first.
    pub open: Vec<Seek>,
}

/// The most challenges that a refusal lists.
const MAX_LISTED: usize = 20;

/// Returns the bounds in words.
pub(super) fn range(bounds: RatingRange) -> String {
    match (bounds.min, bounds.max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("{min} or more"),
        (None, Some(max)) => format!("{max} or less"),
        (None, None) => "at any level".into(),
    }
}

impl OpenSeeks {
    fn hint(&self) -> String {
        let Self { game, user, open } = self;
        if open.is_empty() {
            return format!(
                "There is no open challenge that you can accept. To post one, send `{game} seek \
                 {user} <password>`."
            );
        }
        let line = |seek: &Seek| {
            let what = format!("by {} {}", seek.user, seek.words());
            let number = seek.number;
            format!("  {game} accept-seek {number} {user} <password>\n      {}", what.trim_end())
        };
        let mut lines: Vec<String> = open.iter().take(MAX_LISTED).map(line).collect();
        if open.len() > MAX_LISTED {
            lines.push(format!("  ... and {} more: `list {game}`", open.len() - MAX_LISTED));
        }
        format!(
            "To accept one of these open challenges, send its command as the Subject:\n\n{}",
            lines.join("\n")
        )
    }
}

impl SeekRefusal {
    /// The most open challenges to a game.
    pub const OPEN: usize = 100;
    /// The most open challenges to a game by users with unconfirmed addresses.
    pub const OPEN_UNPROVED: usize = 50;
    /// The most open challenges made within 24 hours from a mailbox.
    pub const A_DAY: usize = 20;
    /// The most open challenges in all games of the users at a mailbox.
    pub const AT_MAILBOX: usize = 20;
    /// The most open challenges in all games of a user with an unconfirmed address.
    pub const UNPROVED: usize = 2;
    /// The most users who get notices of a game's new boards: each notice is mailed to all of them.
    pub const LISTENERS: usize = 50;

    pub(super) fn hint(&self) -> String {
        match self {
            Self::Damaged(_) => "The operator has been told.".into(),
            Self::NotOpen { others, .. }
            | Self::Rated { others, .. }
            | Self::NotForYou { others, .. } => others.hint(),
            Self::Own { others, .. } => format!(
                "To end it, send `{} seek {} <password> off`. {}",
                others.game,
                others.user,
                others.hint()
            ),
            Self::None(game) => format!("To post one, send `{game} seek <userid> <password>`."),
            Self::NoRating(..) => {
                "For example, `--min=1500 --max=1700` is for players rated from 1500 to 1700. You \
                 can leave out either bound."
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
