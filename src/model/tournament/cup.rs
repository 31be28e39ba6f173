//! A cup: groups in which everybody plays everybody; the winners of the groups meet in new groups.

use super::divisions::sizes;
use super::field::{EntrantIndex, Field};
use super::format::{Pair, RoundPairings};
use super::round_robin::{all_pairs, balanced_order};
use super::tables;

/// Returns the pairings of the next round; `None` if the last group has its winner.
pub fn next_round(field: &Field, size: usize) -> Option<RoundPairings> {
    let round = field.round();
    let players: Vec<EntrantIndex> =
        if round == 0 { field.active().collect() } else { winners(field, round) };
    if players.len() < 2 {
        return None;
    }
    let mut pairs = Vec::new();
    for (group, members) in groups(&players, size).iter().enumerate() {
        let pairs_of = all_pairs(&balanced_order(field, members));
        pairs.extend(pairs_of.into_iter().map(|players| Pair { group, players }));
    }
    Some(RoundPairings { pairs, byes: Vec::new() })
}

/// Returns the winner of each group of a round: the first of its table who has not left.
pub fn winners(field: &Field, round: u32) -> Vec<EntrantIndex> {
    let winner = |group| {
        let table = tables::of_group(field, round, group);
        table.iter().map(|row| row.entrant).find(|winner| !field.entrants[*winner].left)
    };
    let mut winners: Vec<_> = (0..field.groups(round)).filter_map(winner).collect();
    winners.sort_unstable();
    winners
}

/// Deals players to groups there and back, so that the groups are about equally strong.
fn groups(players: &[EntrantIndex], size: usize) -> Vec<Vec<EntrantIndex>> {
    let count = sizes(players.len(), size.max(3)).len();
    let mut groups = vec![Vec::new(); count];
    for (at, player) in players.iter().enumerate() {
        let (row, column) = (at / count, at % count);
        groups[if row % 2 == 0 { column } else { count - 1 - column }].push(*player);
    }
    groups
}
