//! Single and double elimination. In each round, players who have lost the same number of games meet,
//! the highest seed the lowest. If their number is odd, one of those with the fewest byes has no
//! opponent. A drawn game counts as lost for the player who moved first.

use super::colours::{SeatHistory, seat_of_higher};
use super::field::{EntrantIndex, Field, Game, GameResult};
use super::format::{Pair, RoundPairings};
use super::matching::{self, Cost};
use std::cmp::Ordering;

/// Returns whether a decided game knocks an entrant back.
pub fn is_lost(game: &Game, entrant: EntrantIndex) -> bool {
    let (Some(verdict), Some(seat)) = (game.verdict, game.seat_of(entrant)) else { return false };
    match verdict.result {
        GameResult::First => seat == 1,
        GameResult::Second | GameResult::Draw => seat == 0,
    }
}

/// Returns the number of games that an entrant has lost.
pub fn losses(field: &Field, entrant: EntrantIndex) -> usize {
    field.games_of(entrant).filter(|game| is_lost(game, entrant)).count()
}

/// Returns the entrants who are still in, in the order of seeding.
pub fn survivors(field: &Field, lives: usize) -> Vec<EntrantIndex> {
    field.active().filter(|entrant| losses(field, *entrant) < lives).collect()
}

/// Returns the pairings of the next round; `None` if fewer than two are left.
pub fn next_round(field: &Field, lives: usize) -> Option<RoundPairings> {
    let survivors = survivors(field, lives);
    if survivors.len() < 2 {
        return None;
    }
    let mut levels: Vec<Vec<EntrantIndex>> = vec![Vec::new(); lives];
    for entrant in &survivors {
        levels[losses(field, *entrant)].push(*entrant);
    }
    // The last two meet whatever they have lost.
    if survivors.len() == 2 {
        levels = vec![survivors];
    }
    let mut round = RoundPairings::default();
    for mut level in levels {
        if level.len() % 2 == 1 {
            let bye = level.iter().enumerate().min_by_key(|(_, one)| field.byes_of(**one));
            let at = bye.expect("an odd number is not 0").0;
            round.byes.push(level.remove(at));
        }
        round.pairs.extend(pair_level(field, &level));
    }
    Some(round)
}

/// Pairs players who have lost the same number of games: first against last, no rematch and no third
/// game in one seat if that is possible.
fn pair_level(field: &Field, level: &[EntrantIndex]) -> Vec<Pair> {
    let seats: Vec<_> = level.iter().map(|entrant| SeatHistory::of(field, *entrant)).collect();
    let last = level.len().saturating_sub(1);
    let most = last * last;
    let partners = matching::pair(level.len(), |one, other| {
        let balances = [one, other].map(|at| seats[at].balance());
        let unbalanced = match balances.map(i64::signum) {
            [one, other] if one == other => balances.map(i64::unsigned_abs).into_iter().min(),
            _ => None,
        };
        let unbalanced = usize::try_from(unbalanced.unwrap_or(0)).unwrap_or(0);
        Cost::new(level.len() / 2)
            .then_if(field.have_met(level[one], level[other]))
            .then(unbalanced.min(9), 9)
            .then((one + other).abs_diff(last).pow(2), most)
    });
    let mut pairs = Vec::with_capacity(level.len() / 2);
    for (one, other) in partners.into_iter().enumerate().filter(|(one, other)| one < other) {
        let seat = match seats[one].balance().cmp(&seats[other].balance()) {
            Ordering::Less => 0,
            Ordering::Greater => 1,
            Ordering::Equal => {
                seat_of_higher(&seats[one], &seats[other], (level[one] + level[other]) % 2)
            }
        };
        let players = [level[one], level[other]];
        pairs.push(Pair {
            group: 0,
            players: if seat == 0 { players } else { [players[1], players[0]] },
        });
    }
    pairs
}
