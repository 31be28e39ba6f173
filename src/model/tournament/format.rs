//! The formats of tournaments and the pairings of their rounds.

use super::field::{EntrantIndex, Field};
use super::{cup, divisions, knockout, round_robin, swiss};
use serde::{Deserialize, Serialize};

/// The format of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Format {
    /// Everybody plays everybody of their division, all games at once.
    RoundRobin {
        /// The most players of a division.
        division: usize,
    },
    /// Groups in which everybody plays everybody; the winners meet again.
    Cup {
        /// The most players of a group.
        group: usize,
    },
    /// Who has lost as many games as there are lives is out.
    KnockOut {
        /// 1 in single elimination, 2 in double elimination.
        lives: usize,
    },
    /// Two teams of four, whose players meet in the order of their ratings.
    Teams {
        /// The games of each player, 1 or 2.
        games: u32,
    },
    /// Players of about equal score meet in each round.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
}

/// A game to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The division or group, from 0.
    pub group: usize,
    /// The players; the first has the first move.
    pub players: [EntrantIndex; 2],
}

/// The pairings of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundPairings {
    /// The games to begin.
    pub pairs: Vec<Pair>,
    /// The entrants who have no opponent in this round.
    pub byes: Vec<EntrantIndex>,
}

impl Format {
    /// The most players of a tournament.
    pub const MOST_PLAYERS: usize = 128;
    /// The most rounds of a Swiss tournament.
    pub const MOST_ROUNDS: u32 = 11;

    /// Returns the pairings of the round after the latest one, whose games must be decided. `None`
    /// if the tournament is over. A round robin is divided by rating; see [`Self::divided`] for its
    /// later seasons.
    pub fn next_round(self, field: &Field) -> Option<RoundPairings> {
        match self {
            Self::RoundRobin { .. } if field.round() > 0 => None,
            Self::RoundRobin { division } => {
                let players: Vec<_> = field.active().collect();
                let mut rest = &players[..];
                let mut groups = Vec::new();
                for size in divisions::sizes(players.len(), division) {
                    let (members, others) = rest.split_at(size);
                    groups.push(members.to_vec());
                    rest = others;
                }
                Some(Self::divided(&groups))
            }
            Self::Cup { group } => cup::next_round(field, group),
            Self::KnockOut { lives } => knockout::next_round(field, lives),
            // Its pairings are those of the teams.
            Self::Teams { .. } => None,
            // Nobody can meet more opponents than there are.
            Self::Swiss { rounds }
                if field.round() >= rounds
                    || field.round() as usize + 1 >= field.entrants.len() =>
            {
                None
            }
            Self::Swiss { .. } => swiss::next_round(field),
        }
    }

    /// Returns the pairings of a round robin with these divisions.
    pub fn divided(divisions: &[Vec<EntrantIndex>]) -> RoundPairings {
        let pairs = divisions.iter().enumerate().flat_map(|(group, members)| {
            let pairs = round_robin::all_pairs(members);
            pairs.into_iter().map(move |players| Pair { group, players })
        });
        RoundPairings { pairs: pairs.collect(), byes: Vec::new() }
    }
}
