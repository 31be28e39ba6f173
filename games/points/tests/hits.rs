//! The race with hits, tested from Backgammon's start; Plakoto and Moultezim have none.

use super::super::{Board, Race, perft};
pub(super) use crate::backgammon::Backgammon as Hits;
use crate::kit::Seat;

/// Counts the first plays.
fn ways(depth: u32) -> u64 {
    let is_over = |board: &Board, mover: Seat| board.men_of(mover).are_off();
    perft::<Hits>(&Board::start(Hits::START), Seat(0), depth, &is_over)
}

#[test]
fn the_start_of_backgammon_branches_as_other_programs_count() {
    assert_eq!(ways(1), 447);
    assert_eq!(ways(2), 202_782);
}

#[test]
#[ignore = "takes some seconds"]
fn three_plays_of_backgammon_branch_as_gnu_backgammon_counts() {
    assert_eq!(ways(3), 116_154_993);
}
