//! Team matches: two teams of four. The players of each team are in the order of their ratings at the
//! start, and each plays the one of the other team in the same place.

use super::crosstable::Crosstable;
use super::field::{EntrantIndex, Field};
use super::format::{Pair, RoundPairings};
use super::record::TitledTable;
use crate::base::ids::UserId;
use crate::model::document::{Damage, rename_in};
use serde::{Deserialize, Serialize};

/// The number of players of a team.
pub const TEAM: usize = 4;

/// The most invitations of a captain that are not answered.
pub const MOST_INVITED: usize = 8;

/// The two teams of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teams {
    /// The teams, that of the director first.
    pub sides: [Team; 2],
    /// The number of decided games of which the players were told.
    #[serde(default)]
    pub told: usize,
}

/// A team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// The captain, who gives the team its name; `None` until somebody takes the challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captain: Option<UserId>,
    /// The players, in the order of entry; from the start on, those in reserve are among them.
    pub members: Vec<UserId>,
    /// The players who may enter it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invited: Vec<UserId>,
}

impl Team {
    /// Returns the name of the team.
    pub fn name(&self) -> String {
        self.captain.as_ref().map_or_else(|| "no team".into(), |captain| format!("team {captain}"))
    }

    fn add(&mut self, user: &UserId) {
        self.members.push(user.clone());
        self.captain.get_or_insert_with(|| user.clone());
    }

    fn remove(&mut self, user: &UserId) {
        self.members.retain(|member| member != user);
        self.invited.retain(|invited| invited != user);
        if self.captain.as_ref() == Some(user) {
            self.captain = self.members.first().cloned();
        }
    }

    /// Returns the entrants of the team, in the order of their places.
    fn entrants(&self, field: &Field) -> Vec<EntrantIndex> {
        let is_own = |at: &EntrantIndex| self.members.contains(&field.entrants[*at].user);
        (0..field.entrants.len()).filter(is_own).collect()
    }
}

impl Teams {
    /// Returns the teams of a match that a captain opens.
    pub fn of(captain: &UserId) -> Self {
        let mut sides: [Team; 2] = Default::default();
        sides[0].add(captain);
        Self { sides, told: 0 }
    }

    /// Checks that nobody is in both teams.
    ///
    /// # Errors
    /// A player is named twice.
    pub(super) fn check(&self) -> Result<(), Damage> {
        let [first, second] = &self.sides;
        match first.members.iter().find(|member| second.members.contains(member)) {
            Some(both) => Err(Damage::invalid(format!("{both} is in both teams"))),
            None => Ok(()),
        }
    }

    /// Returns the team of a player who has entered, 0 or 1.
    pub fn side_of(&self, user: &UserId) -> Option<usize> {
        self.sides.iter().position(|team| team.members.contains(user))
    }

    /// Returns the team of which a user is the captain.
    pub fn side_led_by(&self, user: &UserId) -> Option<usize> {
        self.sides.iter().position(|team| team.captain.as_ref() == Some(user))
    }

    /// Returns the teams that a user may enter: those to which a captain has invited them, and a team
    /// without a captain, unless somebody else was challenged to lead it.
    pub fn sides_for(&self, user: &UserId) -> Vec<usize> {
        let is_free = |team: &Team| team.captain.is_none() && team.invited.is_empty();
        let is_open = |side: &usize| {
            let team = &self.sides[*side];
            team.invited.contains(user) || is_free(team)
        };
        (0..self.sides.len()).filter(is_open).collect()
    }

    /// Invites a user. A captain can be challenged instead of the one before.
    pub(super) fn invite(&mut self, user: &UserId, side: usize) {
        let team = &mut self.sides[side];
        if team.captain.is_none() {
            team.invited.clear();
        }
        team.invited.push(user.clone());
    }

    /// Lets a user enter a team.
    pub(super) fn enter(&mut self, user: &UserId, side: usize) {
        for team in &mut self.sides {
            team.invited.retain(|invited| invited != user);
        }
        self.sides[side].add(user);
    }

    /// Removes a user who does not play.
    pub(super) fn leave(&mut self, user: &UserId) {
        self.sides.iter_mut().for_each(|team| team.remove(user));
    }

    pub(super) fn rename(&mut self, old: &UserId, new: &UserId) -> bool {
        let of_team = |team: &mut Team| {
            let named = team.captain.iter_mut().chain(&mut team.members);
            rename_in(named.chain(&mut team.invited), old, new)
        };
        self.sides.iter_mut().map(of_team).fold(false, std::ops::BitOr::bitor)
    }

    /// Returns whether a team names a user.
    pub(super) fn names(&self, user: &UserId) -> bool {
        self.sides.iter().any(|team| {
            let named = team.captain.iter().chain(&team.members).chain(&team.invited);
            named.into_iter().any(|one| one == user)
        })
    }

    /// Returns the half points of each team.
    pub fn half_points(&self, field: &Field) -> [u32; 2] {
        let points = |team: &Team| {
            let entrants = team.entrants(field).into_iter();
            entrants.map(|entrant| field.half_points(entrant)).sum()
        };
        [points(&self.sides[0]), points(&self.sides[1])]
    }

    /// Returns the games of the match. The first team moves first on the first and the third place, and
    /// with two games each player moves first once.
    pub fn pairings(&self, field: &Field, games: u32) -> RoundPairings {
        let [first, second] = self.sides.each_ref().map(|team| team.entrants(field));
        let places = first.into_iter().zip(second).enumerate();
        let pairs = places.flat_map(|(group, (one, other))| {
            (0..games).map(move |game| {
                let is_first = (group + game as usize).is_multiple_of(2);
                Pair { group, players: if is_first { [one, other] } else { [other, one] } }
            })
        });
        RoundPairings { pairs: pairs.collect(), byes: Vec::new() }
    }

    /// Returns the tables of both teams.
    pub fn crosstables(&self, field: &Field) -> Vec<TitledTable> {
        let [first, second] = self.sides.each_ref().map(|team| team.entrants(field));
        let table = |side: usize, own: &[EntrantIndex], others: &[EntrantIndex]| TitledTable {
            title: Some(capitalized(&self.sides[side].name())),
            table: Crosstable::of_team(field, own, others),
        };
        vec![table(0, &first, &second), table(1, &second, &first)]
    }
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tournament::{DecidedBy, Entrant, Game, GameResult, Verdict};

    fn id(name: &str) -> UserId {
        UserId::parse(name).unwrap()
    }

    fn teams() -> Teams {
        let mut teams = Teams::of(&id("a1"));
        teams.enter(&id("b1"), 1);
        for (side, team) in ["a", "b"].into_iter().enumerate() {
            for number in 2..=4 {
                let user = id(&format!("{team}{number}"));
                teams.invite(&user, side);
                teams.enter(&user, side);
            }
        }
        teams
    }

    #[test]
    fn only_those_whom_a_captain_has_invited_enter() {
        let mut teams = Teams::of(&id("alice"));
        assert_eq!(teams.sides_for(&id("dora")), [1], "anybody may take the challenge");
        teams.invite(&id("bob"), 1);
        assert!(teams.sides_for(&id("dora")).is_empty());
        teams.invite(&id("carol"), 1);
        assert!(teams.sides_for(&id("bob")).is_empty(), "carol was challenged in the place of bob");
        teams.enter(&id("carol"), 1);
        assert_eq!(teams.side_led_by(&id("carol")), Some(1));
        teams.invite(&id("dora"), 0);
        teams.invite(&id("eve"), 0);
        teams.enter(&id("dora"), 0);
        assert!(teams.side_of(&id("dora")) == Some(0) && teams.sides_for(&id("fay")).is_empty());
        teams.leave(&id("alice"));
        assert_eq!(teams.side_led_by(&id("dora")), Some(0), "the next one leads the team");
        assert_eq!(teams.sides_for(&id("eve")), [0]);
        assert!(teams.rename(&id("carol"), &id("zoe")) && teams.rename(&id("eve"), &id("yva")));
        assert!(teams.side_led_by(&id("zoe")) == Some(1) && teams.sides_for(&id("yva")) == [0]);
        assert!(!teams.rename(&id("carol"), &id("zoe")));
    }

    #[test]
    fn each_place_meets_the_same_place_and_each_team_moves_first_as_often() {
        let teams = teams();
        let entrant = |at: usize| {
            let user = id(&format!("{}{}", ["a", "b"][at % 2], 1 + (at * 5 % 8) / 2));
            Entrant { user, rating: 2000 - 10 * i32::try_from(at).unwrap(), left: false }
        };
        let field = Field::new((0..8).map(entrant).collect());
        for games in [1, 2] {
            let pairs = teams.pairings(&field, games).pairs;
            assert_eq!(pairs.len(), 4 * games as usize);
            let is_first =
                |pair: &&Pair| teams.sides[0].entrants(&field).contains(&pair.players[0]);
            assert_eq!(2 * pairs.iter().filter(is_first).count(), pairs.len());
            for pair in &pairs {
                let places = pair.players.map(|one| {
                    let side = teams.side_of(&field.entrants[one].user).unwrap();
                    teams.sides[side].entrants(&field).iter().position(|own| *own == one)
                });
                assert_eq!(places, [Some(pair.group), Some(pair.group)]);
            }
        }
    }

    #[test]
    fn the_points_of_a_team_are_those_of_its_players() {
        let teams = teams();
        let entrant = |at: usize| {
            let user = id(&format!("{}{}", ["a", "b"][at % 2], 1 + at / 2));
            Entrant { user, rating: 1600, left: false }
        };
        let mut field = Field::new((0..8).map(entrant).collect());
        let results = [GameResult::First, GameResult::Draw, GameResult::First];
        for (number, pair) in (1..).zip(teams.pairings(&field, 1).pairs) {
            let result = results.get(pair.group);
            let verdict = result.map(|it| Verdict { result: *it, by: DecidedBy::Play });
            let (group, players) = (pair.group, pair.players);
            field.games.push(Game { round: 1, group, players, board: number, verdict });
        }
        assert_eq!(teams.half_points(&field), [5, 1]);
        let tables = teams.crosstables(&field);
        assert_eq!(tables[0].title.as_deref(), Some("Team a1"));
        let points = |table: &TitledTable| -> Vec<u32> {
            table.table.rows.iter().map(|row| row.row.half_points).collect()
        };
        assert_eq!([points(&tables[0]), points(&tables[1])], [[2, 1, 2, 0], [0, 1, 0, 0]]);
        assert_eq!(tables[1].table.rows[1].cells[0].opponent, Some(2));
    }
}
