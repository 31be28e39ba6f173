//! Two players head to head: the score in each game, from the boards between them that the reader may
//! see.

use super::boards::{MAX_LOADED, PlayerBoards, boards_in, is_visible};
use crate::base::ids::{BoardId, UserId};
use crate::model::board::{Board, BoardResult};
use crate::model::program;
use crate::model::user::User;
use crate::model::world::{World, user_key};
use crate::web::html::error_page::{PageError, PageResult};
use crate::web::site::SiteReader;
use games::GAMES;
use std::collections::HashSet;

/// The results of two players in a game, or in all games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeadToHead {
    /// The boards that each player has won, in the order in which the players were named.
    pub(crate) won: [usize; 2],
    pub(crate) drawn: usize,
}

/// The score of two players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    /// The results in each game with a result, by the game's name.
    pub(crate) games: Vec<(&'static str, HeadToHead)>,
    /// Whether only their latest boards count, because there are too many.
    pub(crate) is_partial: bool,
}

impl HeadToHead {
    /// Returns the number of boards.
    pub(crate) fn boards(&self) -> usize {
        self.won[0] + self.won[1] + self.drawn
    }

    fn count(&mut self, board: &Board, players: [&UserId; 2]) {
        match board.result() {
            Some(BoardResult::Won(seat)) => {
                let winner = board.player(seat);
                for (won, player) in self.won.iter_mut().zip(players) {
                    *won += usize::from(winner == player);
                }
            }
            Some(BoardResult::Drawn) => self.drawn += 1,
            None => {}
        }
    }
}

impl Score {
    /// Returns the results in all games together.
    pub(crate) fn total(&self) -> HeadToHead {
        self.games.iter().fold(HeadToHead::default(), |sum, (_, game)| HeadToHead {
            won: [sum.won[0] + game.won[0], sum.won[1] + game.won[1]],
            drawn: sum.drawn + game.drawn,
        })
    }
}

/// Computes the score of two players. Challenges without an answer do not count.
///
/// # Errors
/// A player does not exist, or both are the same.
pub(crate) fn score(reader: &mut SiteReader, players: [&UserId; 2]) -> PageResult<Score> {
    if players[0] == players[1] {
        return Err(PageError::NotFound);
    }
    reader.load(&players.map(user_key))?;
    let (shared, is_partial) = shared_boards(&reader.world, players)?;
    reader.load_boards(shared.iter().copied())?;
    let viewer = reader.viewer.as_ref();
    let boards = shared.iter().filter_map(|id| reader.world.loaded_board(*id));
    let is_counted = |board: &&Board| {
        is_visible(viewer, board) && players.iter().all(|player| board.seat(player).is_some())
    };
    let counted: Vec<&Board> = boards.filter(is_counted).collect();
    let of_game = |name: &'static str| {
        let mut score = HeadToHead::default();
        let boards = counted.iter().filter(|board| board.id.game == name);
        boards.for_each(|board| score.count(board, players));
        (name, score)
    };
    let games = GAMES.iter().map(|game| of_game(game.spec().name));
    Ok(Score { games: games.filter(|(_, score)| score.boards() > 0).collect(), is_partial })
}

/// Returns the list of the finished boards between two players. The list of a program would be empty,
/// so that of the other player is searched.
pub(crate) fn between(players: &[UserId; 2]) -> PlayerBoards {
    let [one, other] = players;
    let (player, opponent) =
        if program::level(one).is_some() { (other, one) } else { (one, other) };
    let (player, opponent) = (player.clone(), Some(opponent.clone()));
    PlayerBoards { player, is_finished: true, game: None, opponent }
}

/// Returns the finished boards that both players have, the latest first, and whether older ones are left
/// out. The program has no list of its boards: against it, the boards of the other player may be those
/// against anybody.
fn shared_boards(world: &World, players: [&UserId; 2]) -> PageResult<(Vec<BoardId>, bool)> {
    let user = |id| world.user(id).ok_or(PageError::NotFound);
    let [one, other] = [user(players[0])?, user(players[1])?];
    let listed: Vec<&User> =
        [one, other].into_iter().filter(|user| world.level(&user.id).is_none()).collect();
    let Some((first, rest)) = listed.split_first() else { return Ok((Vec::new(), false)) };
    let rest: Vec<HashSet<&BoardId>> =
        rest.iter().map(|user| boards_in(user, true).iter().collect()).collect();
    let finished = boards_in(first, true).iter().rev();
    let mut shared = finished.filter(|id| rest.iter().all(|boards| boards.contains(id))).copied();
    let boards: Vec<BoardId> = shared.by_ref().take(MAX_LOADED).collect();
    Ok((boards, shared.next().is_some()))
}
