//! A player's rating in a game over time, from the finished boards that the reader may see.

use super::boards::{MAX_LOADED, is_visible};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::{Board, BoardResult};
use crate::model::user::User;
use crate::model::world::{World, board_key, user_key};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::site::SiteReader;

/// A player's rating after a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RatingPoint {
    /// When the board ended.
    pub(crate) at: Time,
    pub(crate) board: BoardId,
    pub(crate) opponent: UserId,
    /// Whether the player won; `None` for a draw.
    pub(crate) is_won: Option<bool>,
    pub(crate) before: i32,
    pub(crate) after: i32,
    /// The deviation after the board.
    pub(crate) deviation: i32,
    /// The rating of the original server after the board.
    pub(crate) original: i32,
}

/// Loads a player, and the latest finished boards of a game.
///
/// # Errors
/// There is no such player, or they have no rating in the game.
pub(crate) fn load_rating_history(
    reader: &mut SiteReader,
    id: &UserId,
    game: &str,
) -> PageResult<()> {
    reader.load(&[user_key(id)])?;
    let user = reader.world.user(id).ok_or(PageError::NotFound)?;
    if !user.ratings.contains_key(game) {
        return Err(PageError::NotFound);
    }
    let boards = user.finished.iter().rev().filter(|id| id.game == game).take(MAX_LOADED);
    let keys: Vec<_> = boards.map(|id| board_key(*id)).collect();
    Ok(reader.load(&keys)?)
}

/// Returns the ratings after each loaded board of a game, the earliest first.
pub(crate) fn rating_history(
    world: &World,
    viewer: Option<&UserId>,
    user: &User,
    game: &str,
) -> Vec<RatingPoint> {
    let boards = user.finished.iter().filter(|id| id.game == game);
    let boards = boards.filter_map(|id| world.loaded_board(*id));
    boards
        .filter(|board| is_visible(viewer, board))
        .filter_map(|board| point(board, user))
        .collect()
}

fn point(board: &Board, user: &User) -> Option<RatingPoint> {
    let seat = board.seat(&user.id)?;
    let effect = board.rated.as_ref()?[seat.index()];
    let is_won = match board.result()? {
        BoardResult::Won(winner) => Some(winner == seat),
        BoardResult::Drawn => None,
    };
    Some(RatingPoint {
        at: board.ended_at()?,
        board: board.id,
        opponent: board.player(seat.other()).clone(),
        is_won,
        before: effect.before.points(),
        after: effect.after.points(),
        deviation: effect.after.skill.deviation.points(),
        original: effect.after.original.points(),
    })
}
