//! The next board that waits for a player, and the rematch of a finished one. A player may have
//! thousands of boards, so only the boards around this one are read.

use crate::base::ids::BoardId;
use crate::model::board::Board;
use crate::model::user::User;
use crate::model::world::World;
use games::Seat;

/// The most boards that are read to find the next one.
const MAX_READ: usize = 24;

/// The most boards that are read to find a rematch: the latest of the game.
const MAX_REMATCHES: usize = 8;

/// The next board that waits for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NextBoard {
    pub(super) id: BoardId,
    /// The number of boards that wait, among those that were read.
    pub(super) waiting: usize,
    /// Whether all boards of the player were read.
    pub(super) is_complete: bool,
}

impl NextBoard {
    /// Returns the boards to read: those that follow this one in the player's list, and then those
    /// at its beginning.
    pub(super) fn candidates(user: &User, current: BoardId) -> Vec<BoardId> {
        let active = &user.active;
        let after = active.iter().position(|id| *id == current).map_or(0, |index| index + 1);
        let cycle = active[after..].iter().chain(&active[..after]);
        cycle.copied().filter(|id| *id != current).take(MAX_READ).collect()
    }

    /// Finds the first board that waits for a player. The candidates must be loaded.
    pub(super) fn find(world: &World, user: &User, current: BoardId) -> Option<Self> {
        let candidates = Self::candidates(user, current);
        let others = user.active.iter().filter(|id| **id != current).count();
        let boards = candidates.iter().filter_map(|id| world.board(*id).ok());
        let waiting: Vec<BoardId> =
            boards.filter(|board| board.waits_for(&user.id)).map(|board| board.id).collect();
        let id = *waiting.first()?;
        Some(Self { id, waiting: waiting.len(), is_complete: candidates.len() == others })
    }
}

/// Returns the boards that may be the rematch of a finished board.
pub(super) fn possible_rematches(user: &User, over: BoardId) -> Vec<BoardId> {
    let latest = user.active.iter().rev().filter(|id| id.game == over.game && **id != over);
    latest.copied().take(MAX_REMATCHES).collect()
}

/// Finds the rematch of a finished board, begun by either player. The possible ones must be loaded.
pub(super) fn rematch(world: &World, user: &User, over: &Board) -> Option<BoardId> {
    let ended = over.ended_at()?;
    let is_rematch = |board: &&Board| {
        let is_same = |seat: Seat| board.seat(over.player(seat)).is_some();
        board.started >= ended && board.challenger.is_some() && Seat::BOTH.into_iter().all(is_same)
    };
    let boards = possible_rematches(user, over.id).into_iter();
    // The earliest one: others may have been begun later for other reasons.
    let mut boards = boards.filter_map(|id| world.board(id).ok());
    boards.rfind(is_rematch).map(|board| board.id)
}
