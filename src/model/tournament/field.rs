//! The entrants, games and byes of a tournament, and the rule for games of players who leave.
//!
//! A player who leaves loses the unfinished games. In a group in which everybody plays everybody,
//! a leaver who has finished less than half of the group's games is removed: none of the leaver's
//! games counts for anybody. A game lost on time is not finished by the player who lost it.

use crate::base::ids::UserId;
use serde::{Deserialize, Serialize};

/// The index of an entrant. Entrants are in the order of seeding: 0 has the highest rating.
pub type EntrantIndex = usize;

/// The number of games lost on time after which an entrant leaves the tournament.
pub const TIMEOUTS: usize = 2;

/// A player in a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// The user.
    pub user: UserId,
    /// The rating at the start, in points.
    pub rating: i32,
    /// Whether the player has left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left: bool,
}

/// A game of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// The round, from 1.
    pub round: u32,
    /// The division or group of the round, from 0.
    pub group: usize,
    /// The players; the first has the first move.
    pub players: [EntrantIndex; 2],
    /// The number of the board.
    pub board: u32,
    /// The result, if the game is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// The result of a game and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// The result.
    pub result: GameResult,
    /// How it was decided.
    pub by: DecidedBy,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// The game was drawn.
    Draw,
}

/// The ways to decide a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecidedBy {
    /// The board ended by its rules, by resignation or by agreement.
    Play,
    /// The loser ran out of time.
    Time,
    /// The deadline of the round had passed.
    Adjudication,
    /// The loser left the tournament.
    Leaving,
}

impl GameResult {
    /// Returns the half points of the player in a seat, 0 or 1.
    pub fn half_points(self, seat: usize) -> u32 {
        match (self, seat) {
            (Self::First, 0) | (Self::Second, 1) => 2,
            (Self::Draw, _) => 1,
            _ => 0,
        }
    }
}

impl Game {
    /// Returns the seat of an entrant, 0 or 1.
    pub fn seat_of(&self, entrant: EntrantIndex) -> Option<usize> {
        self.players.iter().position(|player| *player == entrant)
    }

    /// Returns the opponent of an entrant who plays in the game.
    pub fn opponent_of(&self, entrant: EntrantIndex) -> Option<EntrantIndex> {
        self.seat_of(entrant).map(|seat| self.players[1 - seat])
    }

    /// Returns the half points of an entrant; `None` if the game is undecided or of others.
    pub fn half_points_of(&self, entrant: EntrantIndex) -> Option<u32> {
        Some(self.verdict?.result.half_points(self.seat_of(entrant)?))
    }

    /// Returns whether the entrant lost the game on time.
    pub fn is_timeout_of(&self, entrant: EntrantIndex) -> bool {
        self.verdict.is_some_and(|verdict| verdict.by == DecidedBy::Time)
            && self.half_points_of(entrant) == Some(0)
    }

    /// Returns whether the entrant has played the game to its end.
    fn is_finished_by(&self, entrant: EntrantIndex) -> bool {
        let Some(verdict) = self.verdict else { return false };
        let has_given_up = matches!(verdict.by, DecidedBy::Leaving | DecidedBy::Time);
        !has_given_up || self.half_points_of(entrant) != Some(0)
    }
}

/// A round in which an entrant has no opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bye {
    /// The round, from 1.
    pub round: u32,
    /// The entrant.
    pub entrant: EntrantIndex,
}

/// The entrants, games and byes of a tournament that has started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The entrants in the order of seeding.
    pub entrants: Vec<Entrant>,
    /// The games, in the order of pairing.
    pub games: Vec<Game>,
    /// The byes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<Bye>,
}

impl Field {
    /// Returns a field without games. Entrants are seeded by rating, then by the order of entry.
    pub fn new(mut entrants: Vec<Entrant>) -> Self {
        entrants.sort_by_key(|entrant| std::cmp::Reverse(entrant.rating));
        Self { entrants, ..Self::default() }
    }

    /// Returns the entrants who have not left, in the order of seeding.
    pub fn active(&self) -> impl Iterator<Item = EntrantIndex> {
        (0..self.entrants.len()).filter(|entrant| !self.entrants[*entrant].left)
    }

    /// Returns the entrant of a user.
    pub fn find(&self, user: &UserId) -> Option<EntrantIndex> {
        self.entrants.iter().position(|entrant| entrant.user == *user)
    }

    /// Returns the latest round; 0 before the first.
    pub fn round(&self) -> u32 {
        let rounds = self.games.iter().map(|game| game.round);
        rounds.chain(self.byes.iter().map(|bye| bye.round)).max().unwrap_or(0)
    }

    /// Returns the games of an entrant, oldest first.
    pub fn games_of(&self, entrant: EntrantIndex) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(move |game| game.players.contains(&entrant))
    }

    /// Returns the games of a group in a round.
    pub fn group(&self, round: u32, group: usize) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(move |game| game.round == round && game.group == group)
    }

    /// Returns the entrants of a group in a round, in the order of seeding.
    pub fn members(&self, round: u32, group: usize) -> Vec<EntrantIndex> {
        let players = self.group(round, group).flat_map(|game| game.players);
        let members: std::collections::BTreeSet<_> = players.collect();
        members.into_iter().collect()
    }

    /// Returns the number of groups in a round.
    pub fn groups(&self, round: u32) -> usize {
        let of_round = self.games.iter().filter(|game| game.round == round);
        of_round.map(|game| game.group + 1).max().unwrap_or(0)
    }

    /// Returns whether two entrants have been paired.
    pub fn have_met(&self, one: EntrantIndex, other: EntrantIndex) -> bool {
        self.games_of(one).any(|game| game.players.contains(&other))
    }

    /// Returns the number of byes of an entrant.
    pub fn byes_of(&self, entrant: EntrantIndex) -> usize {
        self.byes.iter().filter(|bye| bye.entrant == entrant).count()
    }

    /// Returns the half points of an entrant from games and byes.
    pub fn half_points(&self, entrant: EntrantIndex) -> u32 {
        let byes = u32::try_from(2 * self.byes_of(entrant)).unwrap_or(u32::MAX);
        self.games_of(entrant).filter_map(|game| game.half_points_of(entrant)).sum::<u32>() + byes
    }

    /// Returns whether the entrant has lost as many games on time as make a player leave.
    pub fn must_leave(&self, entrant: EntrantIndex) -> bool {
        self.games_of(entrant).filter(|game| game.is_timeout_of(entrant)).count() >= TIMEOUTS
    }

    /// Returns whether no game of a leaver counts in a group in which everybody plays everybody.
    pub fn is_removed(&self, entrant: EntrantIndex, round: u32, group: usize) -> bool {
        if !self.entrants[entrant].left {
            return false;
        }
        let games = self.group(round, group).filter(|game| game.players.contains(&entrant));
        let (mut all, mut finished) = (0, 0);
        for game in games {
            all += 1;
            finished += usize::from(game.is_finished_by(entrant));
        }
        2 * finished < all
    }
}
