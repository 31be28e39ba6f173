//! The player of a command on a board: `<board>[#<moveno>] <userid> <password>`, and access to
//! private boards.

use crate::base::ids::{BoardId, UserId};
use crate::command::{Arguments, Context, Needs, Origin, Trust, UserProof, authenticate};
use crate::model::board::Board;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, Refusal};
use games::{AnyGame, Seat};

/// The board, the move and the player that a command names, with the player's proof.
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

    /// Authenticates the player and returns the board and their seat.
    ///
    /// # Errors
    /// The proof is wrong, or an error of [`seat_in_play`].
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

/// Implements what a command needs, and its board, from the [`Player`] in its field `by`, and with `guests`
/// that a guest may send it.
macro_rules! of_player {
    (guests) => {
        $crate::command::of_player!();

        fn is_open_to_guests(&self) -> bool {
            true
        }
    };
    () => {
        fn needs(&self) -> $crate::command::Needs {
            self.by.needs()
        }

        fn board(&self) -> Option<$crate::base::ids::BoardId> {
            Some(self.by.board)
        }
    };
}
pub(super) use of_player;

/// Returns the seat of a player, even on a finished board.
///
/// # Errors
/// The user does not play there.
pub(super) fn seat_on(board: &Board, user: &UserId) -> Result<Seat, BoardRefusal> {
    let stranger = || BoardRefusal::NotPlaying { board: board.id, user: user.clone() };
    board.seat(user).ok_or_else(stranger)
}

/// Returns the seat of a player on a board in progress.
///
/// # Errors
/// The user does not play there, the board is over, or `moveno` is not the next move.
pub(super) fn seat_in_play(
    world: &World,
    id: BoardId,
    user: &UserId,
    moveno: Option<usize>,
) -> Result<Seat, Refusal> {
    let board = world.board(id)?;
    let seat = seat_on(board, user)?;
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

impl Context<'_> {
    /// Returns a board that the sender may see.
    ///
    /// # Errors
    /// The board does not exist, is damaged, or is private.
    pub(super) fn visible_board<'w>(
        &self,
        world: &'w World,
        id: BoardId,
    ) -> Result<&'w Board, Refusal> {
        let board = world.board(id)?;
        if board.private && !self.may_see(world, board) {
            return Err(BoardRefusal::Private(id).into());
        }
        Ok(board)
    }

    /// Returns the sender's seat if a reply address or a session proves it; the board is then shown
    /// from that seat.
    pub(super) fn seat_of(&self, board: &Board) -> Option<Seat> {
        match self.trust {
            Trust::Token(of, user) if of.board() == Some(board.id) => board.seat(user),
            Trust::Session(user) => board.seat(user),
            _ => None,
        }
    }

    /// Returns the sender's seat if a reply address or their address shows it. The board is then
    /// mailed to the registered address, as at their turn, so that they can reply with a move.
    pub(super) fn own_seat(&self, world: &World, board: &Board) -> Option<Seat> {
        let Origin::Mail(address) = self.origin else { return None };
        if self.trust.board().is_some() {
            return self.seat_of(board);
        }
        let is_theirs = |seat: &Seat| {
            let user = world.user(board.player(*seat));
            user.is_some_and(|user| user.addresses.contains(address))
        };
        let mut seats = Seat::BOTH.into_iter().filter(is_theirs);
        // Two players may share an address.
        seats.next().filter(|_| seats.next().is_none())
    }

    /// Returns whether the sender may see a private board, as its players and the operator may.
    pub(super) fn may_see(&self, world: &World, board: &Board) -> bool {
        if self.trust.board() == Some(board.id) {
            return true;
        }
        if self.proved.as_ref().is_some_and(|user| board.seat(user).is_some()) {
            return true;
        }
        match self.origin {
            Origin::Shell => true,
            Origin::Doubted(_) | Origin::Unnamed => false,
            Origin::Web(browser) => {
                browser.user.as_ref().is_some_and(|user| board.seat(user).is_some())
            }
            Origin::Mail(address) => board.players.iter().any(|player| {
                world.user(player).is_some_and(|user| user.addresses.contains(address))
            }),
        }
    }
}
