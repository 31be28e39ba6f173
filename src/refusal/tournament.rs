//! Refusals about tournaments.

use crate::base::ids::{TournamentId, UserId};
use crate::base::time::Day;
use crate::base::words::{OrList, Plural};
use crate::model::seeks::RatingRange;
use crate::model::tournament::MOST_INVITED;
use crate::refusal::seek::range;
use thiserror::Error;

/// A refusal about a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum TournamentRefusal {
    /// The tournament was never created.
    #[error("there is no {}", .0.title())]
    Unknown(TournamentId),
    /// The tournament has ended or was cancelled.
    #[error("{} is over", .0.title())]
    Over(TournamentId),
    /// The user has already entered.
    #[error("you have already entered {}", .0.title())]
    Entered(TournamentId),
    /// The user has left the running tournament.
    #[error("you have left {}", .0.title())]
    HasLeft(TournamentId),
    /// The first round is over, so nobody can be replaced any more.
    #[error("{} is in its second round or later", .0.title())]
    Late(TournamentId),
    /// As many players have entered, or are in reserve, as the tournament takes.
    #[error("{} has no place left", .0.title())]
    Full(TournamentId),
    /// The user has not entered.
    #[error("you have not entered {}", .0.title())]
    NotEntered(TournamentId),
    /// The user's rating is outside the bounds.
    #[error("{} is for players rated {}, and your rating is {points}", .id.title(), range(*.bounds))]
    Rated { id: TournamentId, bounds: RatingRange, points: i32 },
    /// The user has not confirmed an address.
    #[error("only players who have confirmed their address play in tournaments")]
    Unproved,
    /// The user does not direct the tournament.
    #[error("{} is directed by {director}", .id.title())]
    NotDirector { id: TournamentId, director: UserId },
    /// The tournament has started and cannot be cancelled.
    #[error("{} has started", .0.title())]
    Started(TournamentId),
    /// The tournament does not run, so it has no round to extend.
    #[error("{} has no round in progress", .0.title())]
    NotRunning(TournamentId),
    /// The round would be extended too long.
    #[error("this round of {} can{}", .id.title(), remaining(*.left))]
    TooLong {
        id: TournamentId,
        /// The days that are left.
        left: u32,
    },
    /// The games of a tournament are public.
    #[error("the games of a tournament cannot be private")]
    Private,
    /// Only a round robin recurs.
    #[error("only a round robin can be recurring")]
    OneSeason,
    /// The tournament would be full with fewer players than it needs.
    #[error("a tournament of at most {most} players cannot need {least}")]
    Sizes { least: usize, most: usize },
    /// The day of the start is not a date.
    #[error("the day of the start is not a date I know")]
    BadStart,
    /// The tournament would start too early or too late.
    #[error("a tournament starts on a day from {from} to {to}")]
    StartOutside {
        /// The first possible day.
        from: Day,
        /// The last possible day.
        to: Day,
    },
    /// Unfinished games of this game cannot be decided in the chosen way.
    #[error("unfinished games of this game cannot be decided in this way")]
    NoAdjudication {
        /// Whether the game has pip counts.
        has_pips: bool,
        /// Whether the program can judge the game.
        is_judged: bool,
    },
    /// The game has the most tournaments allowed; its name.
    #[error("there are already too many tournaments of {0}")]
    TooMany(&'static str),
    /// The tournament is no team match.
    #[error("{} is no team match", .0.title())]
    NoTeams(TournamentId),
    /// The user does not lead a team of the match.
    #[error("only the captains of {} invite players", .0.title())]
    NotCaptain(TournamentId),
    /// Nobody has invited the user to a team.
    #[error("{} is for players whom a captain has invited", .id.title())]
    NotInvited { id: TournamentId, captains: Vec<UserId> },
    /// The team has all its players, and as many in reserve.
    #[error("{team} of {} has no place left", .id.title())]
    TeamFull { id: TournamentId, team: String },
    /// The player is in a team of the match.
    #[error("{player} is already in {}", .id.title())]
    InTeam { id: TournamentId, player: UserId },
    /// The other team has a captain.
    #[error("{} is against the team of {captain}", .id.title())]
    Challenged { id: TournamentId, captain: UserId },
    /// The player is invited already.
    #[error("{0} is already invited")]
    Invited(UserId),
    /// The team has invited as many players as may be waiting.
    #[error("{n} players whom you have invited have not answered yet", n = MOST_INVITED)]
    InvitedEnough,
    /// The player cannot or does not want to be invited.
    #[error("{0} cannot be invited")]
    CannotInvite(UserId),
    /// A team match has two teams of four.
    #[error("a team match has two teams of four")]
    TwoTeams,
    /// Only in a team match are two games played.
    #[error("only a team match can be double")]
    OneGame,
    /// The user directs the most tournaments allowed.
    #[error("you already direct {n} tournaments that are not over", n = TournamentRefusal::DIRECTED)]
    DirectsEnough,
}

/// Tells how long a round can still be extended.
fn remaining(left: u32) -> String {
    if left == 0 {
        return "not be extended any more".into();
    }
    format!(" be extended by {} more", Plural(left as usize, "day"))
}

impl TournamentRefusal {
    /// The most tournaments that a user directs at the same time.
    pub const DIRECTED: usize = 3;
    /// The most days by which a round is extended in all.
    pub const EXTENSION: u32 = 30;
    /// The latest start, in days from now.
    pub const LATEST_START: i64 = 180;

    #[expect(clippy::too_many_lines, reason = "one sentence for each refusal")]
    pub(super) fn hint(&self) -> String {
        match self {
            Self::Unknown(TournamentId { game, .. })
            | Self::Over(TournamentId { game, .. })
            | Self::Late(TournamentId { game, .. })
            | Self::Full(TournamentId { game, .. })
            | Self::HasLeft(TournamentId { game, .. })
            | Self::Rated { id: TournamentId { game, .. }, .. }
            | Self::TooMany(game) => {
                format!("To see the tournaments that you can join, send `{game} tournament list`.")
            }
            Self::Entered(TournamentId { game, number }) => format!(
                "To see it, send `{game} tournament show {number}`. To withdraw, send `{game} \
                 tournament leave {number} <userid> <password>`."
            ),
            Self::NotEntered(TournamentId { game, number }) => {
                format!("To enter it, send `{game} tournament join {number} <userid> <password>`.")
            }
            Self::Unproved => "Make a move on a board that was mailed to you, or send `forgot \
                               <userid>` and follow the mail; then enter."
                .into(),
            Self::NotDirector { .. } => {
                "Ask the director to extend the round, or to cancel the tournament before it \
                 starts. To leave it, use `leave`."
                    .into()
            }
            Self::Started(TournamentId { game, number }) => format!(
                "Its rounds end on their deadlines. To give players more time, send `{game} \
                 tournament extend {number} 7 <userid> <password>`."
            ),
            Self::NotRunning(TournamentId { game, number }) => {
                format!("To see it, send `{game} tournament show {number}`.")
            }
            Self::TooLong { left: 0, .. } => {
                "Its unfinished games are adjudicated on the deadline.".into()
            }
            Self::TooLong { id: TournamentId { game, number }, left } => {
                format!("Send `{game} tournament extend {number} {left} <userid> <password>`.")
            }
            Self::Private => "Leave `--private` out.".into(),
            Self::OneSeason => "Leave `--recurring` out, or the format.".into(),
            Self::Sizes { .. } => {
                "For example, `--least=4 --players=16` starts with 16 players at once, or on its day \
                 with at least 4."
                    .into()
            }
            Self::BadStart => "Write it like this: `--start=2026-12-20`.".into(),
            Self::StartOutside { from, .. } => format!("For example: `--start={from}`."),
            Self::NoAdjudication { has_pips, is_judged } => adjudications(*has_pips, *is_judged),
            Self::NoTeams(TournamentId { game, number })
            | Self::NotCaptain(TournamentId { game, number })
            | Self::InTeam { id: TournamentId { game, number }, .. }
            | Self::Challenged { id: TournamentId { game, number }, .. }
            | Self::TeamFull { id: TournamentId { game, number }, .. } => {
                format!("To see its players, send `{game} tournament show {number}`.")
            }
            Self::NotInvited { captains, .. } if captains.is_empty() => {
                "Open a team match of your own.".into()
            }
            Self::NotInvited { captains, .. } => {
                let captains: Vec<&str> = captains.iter().map(UserId::as_str).collect();
                format!("Ask {} to invite you.", OrList(&captains))
            }
            Self::Invited(_) => "A mail has told them how to join.".into(),
            Self::InvitedEnough => "Wait for their answers.".into(),
            Self::CannotInvite(_) => {
                "Invite somebody else. Only players who have confirmed their address play in team \
                 matches, and some take no invitations."
                    .into()
            }
            Self::TwoTeams => "Leave the numbers of players and rounds out.".into(),
            Self::OneGame => "Leave `--double` out, or add `--format=teams`.".into(),
            Self::DirectsEnough => {
                "Wait until one of them is over, or cancel one that has not started.".into()
            }
        }
    }
}

/// Tells how the games of a tournament can be adjudicated.
fn adjudications(has_pips: bool, is_judged: bool) -> String {
    let program = is_judged.then_some("`--adjudicate=program`, ");
    let pips = has_pips.then_some("`--adjudicate=pips`, ");
    let ways: String = program.into_iter().chain(pips).collect();
    if ways.is_empty() {
        "Write `--adjudicate=draw`, or leave it out.".into()
    } else {
        format!("Write {ways}or `--adjudicate=draw`.")
    }
}
