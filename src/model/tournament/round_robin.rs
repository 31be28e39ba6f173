//! Groups in which everybody plays everybody once.

use super::colours::SeatHistory;
use super::field::{EntrantIndex, Field};

/// Returns the pairs of a group. The player with the lower place in the group moves first if the sum
/// of both places is odd, so nobody has one seat more than once more often than the other.
pub fn all_pairs(members: &[EntrantIndex]) -> Vec<[EntrantIndex; 2]> {
    let mut pairs = Vec::new();
    for (place, one) in members.iter().enumerate() {
        for (other_place, other) in members.iter().enumerate().skip(place + 1) {
            let is_odd = (place + other_place) % 2 == 1;
            pairs.push(if is_odd { [*one, *other] } else { [*other, *one] });
        }
    }
    pairs
}

/// Orders a group for [`all_pairs`] so that the seats of earlier rounds are made up for: in a group
/// of even size, players with an even place have the first seat once more often.
pub fn balanced_order(field: &Field, members: &[EntrantIndex]) -> Vec<EntrantIndex> {
    let mut sorted = members.to_vec();
    sorted.sort_by_key(|member| (SeatHistory::of(field, *member).balance(), *member));
    let late = sorted.split_off(sorted.len().div_ceil(2));
    let mut order = Vec::with_capacity(members.len());
    let mut late = late.into_iter();
    for member in sorted {
        order.push(member);
        order.extend(late.next());
    }
    order
}
