//! Refusals about ladders.

use crate::base::ids::{BoardId, UserId};
use crate::base::words::Plural;
use crate::model::ladder::{ChallengeBar, rules};
use games::title;
use thiserror::Error;

/// A refusal about a ladder. A userid is quoted only if its user is on the ladder; another word may be
/// a password in the wrong place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum LadderRefusal {
    /// The game is played alone.
    #[error("{} is played alone, so it has no ladder", title(.0))]
    PlayedAlone(&'static str),
    /// The user is not on the ladder.
    #[error("you are not on the {} ladder", title(.0))]
    NotOn(&'static str),
    /// The user is on the ladder already.
    #[error("you are already on the {} ladder", title(.0))]
    Joined(&'static str),
    /// The user has not confirmed an address.
    #[error("only players who have confirmed their address play on ladders")]
    Unproved,
    /// The other user is not on the ladder.
    #[error("no player with this userid is on the {} ladder", title(.0))]
    NotThere(&'static str),
    /// The ladder has fewer places.
    #[error("the {} ladder has {}", title(.game), Plural(*.players as usize, "place"))]
    NoPlace { game: &'static str, players: u32 },
    /// The player cannot challenge the opponent.
    #[error("{}", bar_words(.bar, .opponent, .game))]
    Barred { game: &'static str, opponent: UserId, bar: ChallengeBar, place: Option<u32> },
    /// A challenge of a ladder is played.
    #[error("a challenge on a ladder can be neither declined nor withdrawn")]
    NotDeclined(BoardId),
}

fn bar_words(bar: &ChallengeBar, opponent: &UserId, game: &'static str) -> String {
    match bar {
        ChallengeBar::NotOn => LadderRefusal::NotOn(game).to_string(),
        ChallengeBar::OpponentNotOn => LadderRefusal::NotThere(game).to_string(),
        ChallengeBar::Yourself => "you cannot challenge yourself".into(),
        ChallengeBar::Playing => format!("you and {opponent} already have a game on the ladder"),
        ChallengeBar::Rematch { .. } => format!("you and {opponent} have just met"),
        ChallengeBar::Below => format!("{opponent} is below you"),
        ChallengeBar::TooFar { .. } => format!("{opponent} is too far above you"),
        ChallengeBar::Outgoing => {
            format!("you have challenged {} players whose games are in progress", rules::MOST_GAMES)
        }
        ChallengeBar::Incoming => {
            format!("{opponent} has {} challenges in progress", rules::MOST_GAMES)
        }
    }
}

impl LadderRefusal {
    /// Returns what to do instead, without commands; empty if the reason says it.
    pub fn advice(&self) -> String {
        match self {
            Self::PlayedAlone(_) => "Games that two play have ladders.".into(),
            Self::NotOn(_) => "Join it first: you begin on the last place.".into(),
            Self::Joined(_) => "You can challenge players above you.".into(),
            Self::Unproved => "Confirm your address, then join.".into(),
            Self::NotThere(_) => "You can challenge only players who have joined it.".into(),
            Self::NoPlace { players: 0, .. } => "Join it: you get the first place.".into(),
            Self::NoPlace { players, .. } => format!("Choose a place from 1 to {players}."),
            Self::Barred { bar, opponent, place, game } => bar_advice(bar, opponent, *place, game),
            Self::NotDeclined(_) => {
                "Play the game or resign it. If you resign, your opponent gets your place if it is \
                 the higher one."
                    .into()
            }
        }
    }

    /// Returns what to do instead, with a command.
    pub(super) fn hint(&self) -> String {
        let command = match self {
            Self::PlayedAlone(_) => "To see all ladders, send `ladder list`.".into(),
            Self::NotOn(game) | Self::Barred { bar: ChallengeBar::NotOn, game, .. } => {
                format!("Send `{game} ladder join <userid> <password>`.")
            }
            Self::Unproved => {
                return "Make a move on a board that was mailed to you, or send `forgot <userid>` and \
                        follow the mail; then join."
                    .into();
            }
            Self::NotThere(game)
            | Self::NoPlace { game, .. }
            | Self::Barred { bar: ChallengeBar::OpponentNotOn, game, .. } => {
                format!("To see who is on it, send `{game} ladder show`.")
            }
            Self::Joined(game) | Self::Barred { game, .. } => {
                format!("To see whom you can challenge, send `{game} ladder show <userid>`.")
            }
            Self::NotDeclined(BoardId { game, number }) => {
                format!("To resign it, send `{game} resign {number} <userid> <password>`.")
            }
        };
        format!("{} {command}", self.advice())
    }
}

fn bar_advice(
    bar: &ChallengeBar,
    opponent: &UserId,
    place: Option<u32>,
    game: &'static str,
) -> String {
    match bar {
        ChallengeBar::NotOn => LadderRefusal::NotOn(game).advice(),
        ChallengeBar::OpponentNotOn => LadderRefusal::NotThere(game).advice(),
        ChallengeBar::Yourself => "Challenge a player above you.".into(),
        ChallengeBar::Playing => "Finish it first.".into(),
        ChallengeBar::Rematch { until } => {
            format!("You can meet again from {}.", until.minute())
        }
        ChallengeBar::Below => {
            format!("You challenge players above you; {opponent} can challenge you.")
        }
        ChallengeBar::TooFar { highest } => match place {
            Some(place) if place > highest + 1 => {
                format!("You can challenge the players on places {highest} to {}.", place - 1)
            }
            _ => format!("You can challenge the player on place {highest}."),
        },
        ChallengeBar::Outgoing => "Finish one of these games first.".into(),
        ChallengeBar::Incoming => "Challenge another player, or wait until a game is over.".into(),
    }
}
