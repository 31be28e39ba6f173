//! The rungs of a ladder, its sections, and its events.

use super::file::{FORMAT, LadderPartId};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::document::{DocumentFormat, is_default};
use crate::model::tournament::{BoardEnd, DecidedBy, board_end};
use serde::{Deserialize, Serialize};

/// The numbers in the rules of ladders. `help ladder` explains them.
pub mod rules {
    use crate::base::time::{Span, days};
    use crate::model::board::Agreement;
    use crate::model::clock::BoardTerms;

    /// How many places above them a player can challenge at least.
    pub const LEAST_RANGE: u32 = 10;
    /// In a long ladder, this part of the way to the top is the range.
    pub const RANGE_SHARE: u32 = 10;
    /// The most games in progress that a player has begun, and the most that others have begun with
    /// them.
    pub const MOST_GAMES: usize = 3;
    /// How long two players who have met do not meet again.
    pub const NO_REMATCH: Span = days(7);
    /// How many places a player drops who lost on time or was idle.
    pub const DROP: u32 = 10;
    /// How many games in a row a player loses on time before they are out.
    pub const TIMEOUTS: u32 = 3;
    /// How long a player without a game is idle before they drop.
    pub const IDLE: Span = days(30);
    /// How long an idle player stays before they drop again.
    pub const IDLE_AGAIN: Span = days(7);
    /// How long a player without a game stays on the ladder.
    pub const GONE: Span = days(90);
    /// The days for a turn.
    pub const TURN_DAYS: u32 = 7;
    /// The days for all turns of a player, so that no game holds a place for long.
    pub const TOTAL_DAYS: u32 = 45;

    /// Returns how many places above them a player on a place can challenge.
    pub fn range(place: u32) -> u32 {
        LEAST_RANGE.max(place / RANGE_SHARE)
    }

    /// Returns the terms of all games of ladders.
    pub fn terms() -> Agreement {
        let clock = BoardTerms {
            nag_days: 3,
            forfeit_days: TURN_DAYS,
            total_days: Some(TOTAL_DAYS),
            ..BoardTerms::default()
        };
        Agreement { terms: clock, ..Agreement::default() }
    }
}

/// The ladder of a game: its sections from the top, each with the number of its players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    pub(super) format: DocumentFormat<FORMAT>,
    pub(super) game: String,
    /// The sections from the top: number and players.
    pub sections: Vec<[u32; 2]>,
    /// The number of the latest member.
    pub members: u32,
    /// The number of the journal that new entries are added to.
    pub journal: u32,
}

/// A part of a ladder: neighbouring places from the top.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderSection {
    pub(super) format: DocumentFormat<FORMAT>,
    pub(super) section: LadderPartId,
    /// The rungs from the top.
    pub rungs: Vec<Rung>,
}

/// A player on a ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// The user.
    pub user: UserId,
    /// The number of their membership, which the journal names instead of them.
    pub member: u32,
    /// When they joined, or when their last game of the ladder ended.
    pub since: Time,
    /// When they last dropped because they were idle, since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slid: Option<Time>,
    /// The games in progress.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<LadderGame>,
    /// The latest opponents, with whom a rematch is barred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub met: Vec<Meeting>,
    /// The last games in a row that they lost on time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timeouts: u32,
    /// Whether they leave as soon as their games have ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaving: bool,
}

/// A game in progress, as one of its players has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderGame {
    /// The number of the board.
    pub board: u32,
    /// The membership of the opponent.
    pub opponent: u32,
    /// Whether this player has challenged.
    pub challenger: bool,
}

/// A recent opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// Their membership.
    pub member: u32,
    /// When the two can meet again.
    pub until: Time,
}

impl Rung {
    /// Returns the number of games in progress that the player has begun.
    pub fn outgoing(&self) -> usize {
        self.games.iter().filter(|game| game.challenger).count()
    }

    /// Returns the number of games in progress that others have begun.
    pub fn incoming(&self) -> usize {
        self.games.len() - self.outgoing()
    }

    /// Returns when the player drops because they are idle; a player with games does not. One who
    /// leaves and has no games is removed at once.
    pub fn drops_at(&self) -> Option<Time> {
        if self.leaving {
            return self.games.is_empty().then_some(Time::EPOCH);
        }
        let again = self.slid.map_or(Time::EPOCH, |at| at + rules::IDLE_AGAIN);
        self.games.is_empty().then(|| again.max(self.since + rules::IDLE))
    }

    /// Returns when the player, if they stay idle, leaves the ladder.
    pub fn gone_at(&self) -> Time {
        self.since + rules::GONE
    }
}

/// The end of a game of a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderEnd {
    /// The number of the board.
    pub board: u32,
    /// The players, the challenger first.
    pub players: [UserId; 2],
    /// The index of the winner; `None` if nobody won.
    pub winner: Option<usize>,
    /// How it ended.
    pub by: DecidedBy,
    /// When.
    pub at: Time,
}

impl LadderEnd {
    /// Returns how a board of a ladder ended; `None` if it goes on.
    pub fn of_board(board: &Board) -> Option<Self> {
        Self::of_end(board, &board_end(board)?, board.ended_at()?)
    }

    /// Returns the end of a board that ends in a way.
    pub fn of_end(board: &Board, end: &BoardEnd, at: Time) -> Option<Self> {
        let challenger = board.challenger.filter(|_| board.is_of_ladder)?;
        let players = [challenger, challenger.other()].map(|seat| board.player(seat).clone());
        let winner = end.winner.map(|seat| usize::from(seat != challenger));
        Some(Self { board: board.id.number, players, winner, by: end.by, at })
    }
}

/// One change of a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum LadderEvent {
    /// A user joined at the bottom.
    Joined { user: UserId, at: Time },
    /// A player challenged another one.
    Challenged {
        board: u32,
        /// The challenger, then the challenged player.
        players: [UserId; 2],
    },
    /// A game ended.
    Ended(LadderEnd),
    /// A player was idle: they drop, or they leave.
    Idled { user: UserId, at: Time },
    /// A player leaves, as soon as their games have ended.
    Leaving { user: UserId, at: Time },
    /// A section had too many players; the lower half is a section of its own now.
    Split { section: u32 },
}

impl LadderEvent {
    /// Returns the players of the event.
    pub fn players(&self) -> &[UserId] {
        match self {
            Self::Joined { user, .. } | Self::Idled { user, .. } | Self::Leaving { user, .. } => {
                std::slice::from_ref(user)
            }
            Self::Challenged { players, .. } | Self::Ended(LadderEnd { players, .. }) => players,
            Self::Split { .. } => &[],
        }
    }

    /// Returns a short text for the log.
    pub fn summary(&self, game: &'static str) -> String {
        let board = |number: u32| BoardId { game, number };
        match self {
            Self::Joined { user, .. } => format!("{user} joined the ladder of {game}"),
            Self::Challenged { board: number, .. } => {
                format!("{} is a game of the ladder", board(*number))
            }
            Self::Ended(end) => format!("{} ended in the ladder", board(end.board)),
            Self::Idled { user, .. } => format!("{user} was idle in the ladder of {game}"),
            Self::Leaving { user, .. } => format!("{user} leaves the ladder of {game}"),
            Self::Split { section } => format!("section {section} of the ladder of {game} split"),
        }
    }
}
