//! Tables: points, Sonneborn-Berger, head to head, and the rating at the start.

use super::field::{EntrantIndex, Field, Game};
use super::format::Format;
use super::knockout;
use std::cmp::Reverse;

/// A row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The entrant.
    pub entrant: EntrantIndex,
    /// Two for each win and each bye, one for each draw.
    pub half_points: u32,
    /// The Sonneborn-Berger score, in quarters of a point: four times the points of each beaten
    /// opponent, and twice the points of each opponent who drew.
    pub quarters: u32,
    /// Half points against players with equal points and Sonneborn-Berger score.
    pub head_to_head: u32,
    /// The number of decided games that count.
    pub games: u32,
    /// Whether none of the player's games counts, because the player left too early.
    pub is_removed: bool,
}

/// Returns the table of a group in which everybody plays everybody, best first.
pub fn of_group(field: &Field, round: u32, group: usize) -> Vec<Row> {
    let members = field.members(round, group);
    let removed: Vec<_> =
        members.iter().copied().filter(|one| field.is_removed(*one, round, group)).collect();
    let counts = |game: &&Game| !game.players.iter().any(|player| removed.contains(player));
    let games: Vec<_> = field.group(round, group).filter(counts).collect();
    let mut rows = table(field, &members, &games, |_| 0);
    for row in &mut rows {
        row.is_removed = removed.contains(&row.entrant);
    }
    rows.sort_by_key(|row| row.is_removed);
    rows
}

/// Returns the table of a Swiss tournament, best first. A bye counts as a win.
pub fn of_all(field: &Field) -> Vec<Row> {
    let everybody: Vec<_> = (0..field.entrants.len()).collect();
    let games: Vec<_> = field.games.iter().collect();
    let byes = |entrant| u32::try_from(2 * field.byes_of(entrant)).unwrap_or(u32::MAX);
    table(field, &everybody, &games, byes)
}

/// Returns the table of an elimination, best first: those who are in, then the others by the last round
/// that they were in.
pub fn of_knockout(field: &Field, lives: usize) -> Vec<Row> {
    let mut rows = of_all(field);
    let survivors = knockout::survivors(field, lives);
    let last_round = |entrant| {
        let byes = field.byes.iter().filter(|bye| bye.entrant == entrant).map(|bye| bye.round);
        field.games_of(entrant).map(|game| game.round).chain(byes).max()
    };
    rows.sort_by_key(|row| {
        let is_in = survivors.contains(&row.entrant);
        Reverse((is_in, last_round(row.entrant).filter(|_| !is_in)))
    });
    rows
}

/// Returns the players of a tournament in the order in which they finished.
pub fn ranking(format: Format, field: &Field) -> Vec<EntrantIndex> {
    let entrants = |rows: Vec<Row>| rows.into_iter().map(|row| row.entrant);
    match format {
        Format::RoundRobin { .. } | Format::Cup { .. } => {
            let mut ranked = Vec::with_capacity(field.entrants.len());
            for round in (1..=field.round()).rev() {
                let groups = (0..field.groups(round)).map(|group| of_group(field, round, group));
                // In a cup, those with the same place in their groups of a round follow each other.
                let mut rows: Vec<_> =
                    groups.flat_map(|rows| rows.into_iter().enumerate()).collect();
                if matches!(format, Format::Cup { .. }) {
                    rows.sort_by_key(|(place, row)| (*place, Reverse(row.half_points)));
                }
                for (_, row) in rows {
                    if !ranked.contains(&row.entrant) {
                        ranked.push(row.entrant);
                    }
                }
            }
            ranked
        }
        Format::KnockOut { lives } => entrants(of_knockout(field, lives)).collect(),
        Format::Swiss { .. } | Format::Teams { .. } => entrants(of_all(field)).collect(),
    }
}

fn table(
    field: &Field,
    members: &[EntrantIndex],
    games: &[&Game],
    extra: impl Fn(EntrantIndex) -> u32,
) -> Vec<Row> {
    let mut points = vec![0; field.entrants.len()];
    for entrant in members {
        let of_games = games.iter().filter_map(|game| game.half_points_of(*entrant));
        points[*entrant] = extra(*entrant) + of_games.sum::<u32>();
    }
    let row = |entrant: &EntrantIndex| {
        let mut row = Row {
            entrant: *entrant,
            half_points: points[*entrant],
            quarters: 0,
            head_to_head: 0,
            games: 0,
            is_removed: false,
        };
        for game in games {
            let Some(scored) = game.half_points_of(*entrant) else { continue };
            row.games += 1;
            row.quarters += scored * game.opponent_of(*entrant).map_or(0, |other| points[other]);
        }
        row
    };
    let mut rows: Vec<Row> = members.iter().map(row).collect();
    let ties: Vec<_> = rows.iter().map(|row| (row.half_points, row.quarters)).collect();
    for at in 0..rows.len() {
        let entrant = rows[at].entrant;
        let tied = |other: EntrantIndex| {
            let place = members.iter().position(|member| *member == other);
            place.is_some_and(|place| ties[place] == ties[at])
        };
        let among = games.iter().filter(|game| game.opponent_of(entrant).is_some_and(tied));
        rows[at].head_to_head = among.filter_map(|game| game.half_points_of(entrant)).sum();
    }
    // Entrants are in the order of seeding: by the rating at the start.
    rows.sort_by_key(|row| {
        (Reverse((row.half_points, row.quarters, row.head_to_head)), row.entrant)
    });
    rows
}
