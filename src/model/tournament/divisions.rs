//! Divisions of a round robin: their sizes, and promotion and relegation between seasons.

use super::field::EntrantIndex;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Returns the sizes of the fewest divisions of at most `most` players, largest first. Sizes differ
/// by at most 1.
pub fn sizes(players: usize, most: usize) -> Vec<usize> {
    let count = players.div_ceil(most.max(1));
    (0..count).map(|at| (players + count - 1 - at) / count).collect()
}

/// Returns the number of players of a division who go up, and of those who go down.
pub fn movers(size: usize) -> usize {
    match size {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

/// Where a player finished in the season before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// The division, from 0.
    pub division: usize,
    /// The number of divisions.
    pub divisions: usize,
    /// The place, from 1.
    pub place: usize,
    /// The number of players who were in the division.
    pub size: usize,
}

/// How a player comes to a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Arrival {
    Promoted,
    Relegated,
    Stays,
}

/// A player on the way to a division.
#[derive(Clone, Copy, Debug)]
struct Arriving {
    entrant: EntrantIndex,
    arrival: Arrival,
}

/// Returns the divisions of a season; `before` is where each entrant, in the order of seeding,
/// finished in the last one.
///
/// The first two go up and the last two go down, one in divisions of fewer than six. Newcomers are
/// in the last division, by rating. If a division has too few players then, the best who stayed in
/// the next one go up; if it has too many, the last who stayed go down.
pub fn seasonal(before: &[Option<Finish>], most: usize) -> Vec<Vec<EntrantIndex>> {
    let sizes = sizes(before.len(), most);
    let mut divisions: Vec<VecDeque<Arriving>> = arrivals(before, sizes.len());
    let mut done = Vec::with_capacity(sizes.len());
    for (at, size) in sizes.iter().enumerate() {
        let mut division = std::mem::take(&mut divisions[at]);
        while division.len() > *size {
            let last = division.pop_back().expect("it is longer than its size");
            divisions[at + 1].push_front(Arriving { arrival: Arrival::Relegated, ..last });
        }
        while division.len() < *size {
            let below = divisions[at + 1..].iter_mut().find(|below| !below.is_empty());
            let below = below.expect("the sizes add up to the number of players");
            let best = below.iter().position(|player| player.arrival == Arrival::Stays);
            division.extend(below.remove(best.unwrap_or(0)));
        }
        let mut members: Vec<_> = division.into_iter().map(|player| player.entrant).collect();
        members.sort_unstable();
        done.push(members);
    }
    done
}

/// Returns the players who come to each division: the promoted, then the relegated, then those who
/// stay, by place.
fn arrivals(before: &[Option<Finish>], count: usize) -> Vec<VecDeque<Arriving>> {
    let mut sorted: Vec<Vec<(Arrival, usize, EntrantIndex)>> = vec![Vec::new(); count];
    let Some(last) = count.checked_sub(1) else { return Vec::new() };
    for (entrant, finish) in before.iter().enumerate() {
        let Some(finish) = finish else {
            sorted[last].push((Arrival::Stays, usize::MAX, entrant));
            continue;
        };
        let movers = movers(finish.size);
        let is_up = finish.place <= movers && finish.division > 0;
        let is_down = finish.place + movers > finish.size && finish.division + 1 < finish.divisions;
        let (to, arrival) = match (is_up, is_down) {
            (true, _) => (finish.division - 1, Arrival::Promoted),
            (_, true) => (finish.division + 1, Arrival::Relegated),
            _ => (finish.division, Arrival::Stays),
        };
        sorted[to.min(last)].push((arrival, finish.place, entrant));
    }
    let queue = |mut players: Vec<(Arrival, usize, EntrantIndex)>| {
        players.sort_unstable();
        players.into_iter().map(|(arrival, _, entrant)| Arriving { entrant, arrival }).collect()
    };
    sorted.into_iter().map(queue).collect()
}
