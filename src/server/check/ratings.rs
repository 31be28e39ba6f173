//! Checks ratings. Each rated board says how it changed the ratings of its players. In their order
//! these changes must lead from the initial rating to the stored one. If they do not, all ratings
//! of the game are recomputed, in the order in which the boards ended.

use super::{CheckedUser, HomeCheck, Versioned};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::rating::{self, RatingChange, Score, Standing};
use crate::store::{Fault, Key};
use std::collections::HashMap;

/// A board that should have changed ratings, and the changes that it records.
pub(super) struct RatedBoard {
    number: u32,
    at: Time,
    pub(super) players: [UserId; 2],
    scores: [Score; 2],
    effects: Option<[RatingChange; 2]>,
}

/// Returns a board with its scores if it should have changed ratings; removes recorded changes if
/// it should not.
pub(super) fn rated(board: Board, home: &mut HomeCheck) -> Result<Option<RatedBoard>, Fault> {
    let (id, effects) = (board.id, board.rated);
    let (Some(scores), Some(at)) = (board.scores(), board.ended_at()) else {
        if effects.is_some() {
            home.mend(format!("{id} has changed ratings, and should not have"));
            put_effects(id, None, home)?;
        }
        return Ok(None);
    };
    Ok(Some(RatedBoard { number: id.number, at, players: board.players, scores, effects }))
}

/// Compares the ratings of a game with its boards.
pub(super) fn compare(
    game: &'static str,
    boards: Vec<RatedBoard>,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let mut wrong = wrong_effects(game, &boards);
    wrong.extend(wrong_chains(game, &boards, home));
    if wrong.is_empty() {
        return super::indexes::rated(game, home);
    }
    home.report.mended.extend(wrong);
    rate_anew(game, boards, home)
}

/// Recomputes all ratings of a game, in the order in which its boards ended.
pub(super) fn rate_anew(
    game: &'static str,
    mut boards: Vec<RatedBoard>,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    boards.sort_by_key(|board| (board.at, board.number));
    let mut standings: HashMap<UserId, Standing> = HashMap::new();
    for board in boards {
        let standing = |player: &UserId| standings.get(player).copied().unwrap_or_default();
        let effects =
            rating::effects(board.players.each_ref().map(standing), board.scores, board.at);
        for (player, effect) in board.players.iter().zip(effects) {
            standings.insert(player.clone(), effect.after);
        }
        if board.effects != Some(effects) {
            put_effects(BoardId { game, number: board.number }, Some(effects), home)?;
        }
    }
    for (id, CheckedUser { should: user, .. }) in &mut home.users {
        match standings.get(id) {
            Some(standing) => user.ratings.insert(game.to_owned(), *standing),
            None => user.ratings.remove(game),
        };
    }
    super::indexes::rated(game, home)
}

/// Reports boards whose recorded changes are missing or wrong.
fn wrong_effects(game: &'static str, boards: &[RatedBoard]) -> Vec<String> {
    let wrong = boards.iter().filter_map(|board| {
        let id = BoardId { game, number: board.number };
        let Some(effects) = board.effects else {
            return Some(format!("{id} is over, but has changed no rating"));
        };
        let right = rating::effects(effects.map(|e| e.before), board.scores, board.at);
        // Other machines may round differently.
        let is_near = |(a, b): (&RatingChange, &RatingChange)| {
            a.after.rating.distance(b.after.rating) <= 1
                && Standing { rating: a.after.rating, ..b.after } == a.after
        };
        let is_right = effects.iter().zip(&right).all(is_near);
        (!is_right).then(|| format!("{id} has changed ratings by what it should not"))
    });
    wrong.collect()
}

/// Reports users whose rating does not follow from the changes that the boards record.
fn wrong_chains(game: &'static str, boards: &[RatedBoard], home: &HomeCheck) -> Vec<String> {
    let mut chains: HashMap<&UserId, Vec<RatingChange>> = HashMap::new();
    for board in boards {
        for (player, effect) in board.players.iter().zip(board.effects.into_iter().flatten()) {
            chains.entry(player).or_default().push(effect);
        }
    }
    let is_right = |(id, CheckedUser { found: user, .. }): &(&UserId, &CheckedUser)| {
        let mut chain = chains.get(id).cloned().unwrap_or_default();
        chain.sort_by_key(|effect| effect.before.games());
        let first = Standing::default();
        let ends = chain.iter().map(|effect| &effect.after);
        let befores = chain.iter().map(|effect| &effect.before);
        let last = chain.last().map(|effect| &effect.after);
        let fits = [&first].into_iter().chain(ends).zip(befores).all(|(a, b)| a == b);
        fits && last == user.ratings.get(game)
    };
    let wrong = home.users.iter().filter(|user| !is_right(user));
    wrong.map(|(id, _)| format!("the {game} rating of {id} differs from the boards")).collect()
}

/// Records changes of ratings in a board.
fn put_effects(
    id: BoardId,
    effects: Option<[RatingChange; 2]>,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let key = Key::Board(id.game, id.number);
    if let Some(Versioned { content: Some(text), version: was }) = home.pending(&key)?
        && let Ok(mut board) = Board::read(&text)
    {
        board.rated = effects;
        home.put(key, was, board.write());
    }
    Ok(())
}
