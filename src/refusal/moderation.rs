//! Refusals about reports, sanctions and bans.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::mail::Address;
use crate::model::moderation::{Sanction, SanctionKind};
use thiserror::Error;

/// A refusal about a report, a sanction or a ban.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum ModerationRefusal {
    /// The operator has forbidden the user what they want to do.
    #[error("you are {}{}: {}", sanctioned(.sanction.kind), until(.sanction.until), .sanction.why)]
    Sanctioned { sanction: Sanction, contact: String },
    /// The opponent begins no games.
    #[error("{0} is suspended and begins no games")]
    OpponentSuspended(UserId),
    /// Nobody signs up or in from the sender's address or network.
    #[error("the operator does not accept players from this address or network")]
    Banned { contact: String },
    /// The report has no reason.
    #[error("the reason of your report is missing")]
    ReportWithoutReason,
    /// The report names nobody.
    #[error("your report does not say whom it is about")]
    Nobody,
    /// The reporter of a board does not play there and names neither player.
    #[error("{user} does not play on {}", board_name(*.board))]
    NotTheirBoard { board: BoardId, user: UserId },
    /// Users cannot report themselves.
    #[error("you cannot report yourself")]
    ReportsSelf,
    /// The program cannot be reported.
    #[error("{0} is a program, not a player")]
    ReportsProgram(UserId),
    /// The reported user does not play on the board.
    #[error("the player whom you report does not play on {}", board_name(*.0))]
    NotThere(BoardId),
    /// The message is not on the board.
    #[error("there is no such message on {} any more", board_name(*.0))]
    NoMessage(BoardId),
    /// The user has made the most reports of a day.
    #[error(
        "you have already sent {} in the last 24 hours",
        Plural(ModerationRefusal::REPORTS, "report")
    )]
    TooManyReports { contact: String },
    /// Too many reports wait for the operator.
    #[error("too many reports are waiting for the operator")]
    QueueFull { contact: String },
    /// The act is for the operator and the administrators.
    #[error("only the operator and the administrators can do this")]
    SenderIsNotAdministrator,
    /// The act is for the operator alone.
    #[error("only the operator can do this, at the shell")]
    NotOperator,
    /// Administrators cannot act on each other or on themselves.
    #[error("{0} is an administrator")]
    IsAdministrator(UserId),
    /// The user is no administrator.
    #[error("{0} is not an administrator")]
    UserIsNotAdministrator(UserId),
    /// The act names nobody who can be meant.
    #[error("nobody here is called {0}")]
    NoUser(UserId),
    /// The act is about no word that can be read.
    #[error("this is neither a userid, nor an address, nor a domain, nor a network")]
    BadSubject,
    /// The act has no reason.
    #[error("the reason is missing")]
    ActWithoutReason,
    /// A suspension has no end.
    #[error("the end of the suspension is missing")]
    NoEnd,
    /// The end is not in the future.
    #[error("the end is not in the future")]
    Past,
    /// There is nothing to lift.
    #[error("nothing is in force against {0}")]
    NothingInForce(String),
    /// The report does not exist.
    #[error("there is no report {0}")]
    NoReport(u32),
    /// The report was settled before.
    #[error("report {0} is settled already")]
    Settled(u32),
    /// The code of an administrator is wrong, used or too old. The refusal does not quote it.
    #[error("this code is wrong, already used, or too old")]
    BadCode,
    /// The most codes of a day were mailed to an administrator.
    #[error("no more codes are mailed to you today")]
    TooManyCodes,
    /// The user has left, so only a ban concerns them.
    #[error("{0} has left")]
    Left(UserId),
}

fn board_name(BoardId { game, number }: BoardId) -> String {
    format!("{} board {number}", games::title(game))
}

/// Returns the word for a user under a sanction.
pub(crate) fn sanctioned(kind: SanctionKind) -> &'static str {
    match kind {
        SanctionKind::Mute => "muted",
        SanctionKind::Suspension => "suspended",
        SanctionKind::Ban => "banned",
    }
}

/// Returns until when a sanction is in force, in words that follow others.
pub(crate) fn until(until: Option<Time>) -> String {
    until.map_or_else(String::new, |until| format!(" until {} UTC", until.minute()))
}

/// Returns the address to which players write about sanctions: that of the postmaster, which every
/// mail domain has (RFC 5321).
pub fn operator_address(server: &Address) -> String {
    format!("postmaster@{}", server.domain())
}

impl ModerationRefusal {
    /// The most reports of a user within 24 hours.
    pub const REPORTS: usize = 5;
    /// The most reports that wait for the operator.
    pub const OPEN: usize = 1_000;

    pub(super) fn hint(&self) -> String {
        match self {
            Self::Sanctioned { sanction, contact } => {
                let still = match sanction.kind {
                    SanctionKind::Mute => {
                        "You can play, but your words are not passed on to others."
                    }
                    SanctionKind::Suspension => {
                        "Your boards go on and their clocks run, so play them. You can begin no \
                         games, enter no tournaments and write to nobody."
                    }
                    SanctionKind::Ban => "Your boards in progress are given up.",
                };
                format!("{still} If you think that this is a mistake, write to {contact}.")
            }
            Self::Banned { contact } => {
                format!("If you think that this is a mistake, write to {contact}.")
            }
            Self::TooManyReports { contact } | Self::QueueFull { contact } => {
                format!("If it cannot wait until tomorrow, write to {contact}.")
            }
            Self::OpponentSuspended(_) => "Play somebody else.".into(),
            Self::ReportWithoutReason => {
                "Write what happened below the command: `report <userid> <password> <player>`."
                    .into()
            }
            Self::Nobody | Self::NotThere(_) | Self::NotTheirBoard { .. } => {
                "Name one player: `report <userid> <password> <player>`, or one of the two players \
                 of a board: `<game> report <board> <userid> <password> <player>`."
                    .into()
            }
            Self::ReportsSelf | Self::ReportsProgram(_) => "Name another player.".into(),
            Self::NoMessage(_) => "Quote the message in your own words below the command.".into(),
            Self::SenderIsNotAdministrator => "To report a player, send `report`.".into(),
            Self::NotOperator => "Run `postboard moderate` on the server.".into(),
            Self::IsAdministrator(_) => {
                "The operator can dismiss administrators: `postboard moderate dismiss`.".into()
            }
            Self::UserIsNotAdministrator(_) => {
                "`postboard moderate list` names the administrators.".into()
            }
            Self::NoUser(_) | Self::BadSubject => {
                "Give a userid, an address, a domain such as `@example.org`, or a network such as \
                 `192.0.2.0/24`."
                    .into()
            }
            Self::ActWithoutReason => "Say why: the player is told, and the log keeps it.".into(),
            Self::NoEnd => "Give the last day, such as 2026-12-20.".into(),
            Self::Past => "Give a day from today on, such as 2026-12-20.".into(),
            Self::NothingInForce(_) => "`postboard moderate list` shows what is in force.".into(),
            Self::NoReport(_) | Self::Settled(_) => {
                "`postboard reports list` shows the open reports.".into()
            }
            Self::BadCode => "Ask for a new code.".into(),
            Self::TooManyCodes => {
                "Use the command line of the server, or wait until tomorrow.".into()
            }
            Self::Left(_) => "Ban them, if they must not come back.".into(),
        }
    }
}
