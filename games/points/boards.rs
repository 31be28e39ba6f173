//! The boards that plays lead to, for judging them.

use super::plays::{searched, settle};
use super::{Board, Race};
use crate::kit::{Roll, Seat};

/// The board after each play of a roll, in the order in which [`super::plays`] lists them.
pub(crate) fn boards<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Roll,
) -> impl Iterator<Item = Board> {
    let (_, search) = searched::<R>(board, seat, roll);
    let board = *board;
    search.ends.into_iter().map(move |end| {
        let mut after = board;
        settle::<R>(&mut after, seat, &end.at);
        after
    })
}
