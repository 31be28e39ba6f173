//! A player who says something about a board.

use crate::base::ids::{BoardId, UserId};
use crate::command::{Arguments, Context, Needs, UserProof, authenticate};
use crate::model::board::Board;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, Refusal};
use games::{AnyGame, Seat};

/// A player who says something about a board, and perhaps for which move.
#[derive(Debug)]
pub(super) struct Player {
    pub board: BoardId,
    pub moveno: Option<usize>,
    pub user: UserId,
    pub proof: UserProof,
}

impl Player {
    /// Reads `<board>[#<moveno>] <userid> <password>`.
    pub(super) fn read(game: &'static dyn AnyGame, words: &mut Arguments) -> Result<Self, Refusal> {
        let (board, moveno) = words.board(game)?;
        let (user, proof) = words.player()?;
        Ok(Self { board, moveno, user, proof })
    }

    pub(super) fn needs(&self) -> Needs {
        Needs::Keys(vec![board_key(self.board), user_key(&self.user)])
    }

    /// The board and their seat there, once they have proved who they are.
    ///
    /// # Errors
    /// They have not; else as [`seat_in_play`].
    pub(super) fn at<'w>(
        &self,
        world: &'w World,
        cx: &mut Context,
    ) -> Result<(&'w Board, Seat), Refusal> {
        authenticate(world, &self.user, &self.proof, Some(self.board), cx)?;
        let seat = seat_in_play(world, self.board, &self.user, self.moveno)?;
        Ok((world.board(self.board)?, seat))
    }
}

/// The seat of a player who says something on a board in progress, for the move they name.
///
/// # Errors
/// They do not play there, the board is over, or another move is next.
pub(super) fn seat_in_play(
    world: &World,
    id: BoardId,
    user: &UserId,
    moveno: Option<usize>,
) -> Result<Seat, Refusal> {
    let board = world.board(id)?;
    let seat = board
        .seat(user)
        .ok_or_else(|| BoardRefusal::NotPlaying { board: id, user: user.clone() })?;
    if board.is_over() {
        return Err(BoardRefusal::Over(id).into());
    }
    match moveno {
        Some(given) if given != board.next_move() => {
            Err(BoardRefusal::Stale { board: id, given, due: board.next_move() }.into())
        }
        _ => Ok(seat),
    }
}
