//! Checks ratings: computes them again from the boards of a game, and compares the result with what
//! boards and users record.
//!
//! A rating depends on the order of a player's boards. Boards that ended in the same second, or
//! while the clock of the machine was wrong, are in the order in which they changed ratings: each
//! board records the number of games of its players. If the ratings do not agree, all ratings of the
//! game are computed again, in the order in which the boards ended.

use super::{CheckedUser, HomeCheck};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::rating::{PlayerRating, RatedGame, RatingChange, RatingEffect, effects};
use crate::store::{Documents, Fault, Key, StoredDocument};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// How many boards of each game show whether its ratings are of an earlier version.
const FIRST_BOARDS: u32 = 20;

/// A board that should have changed ratings, and the changes that it records.
pub(super) struct RatedBoard {
    number: u32,
    pub(super) game: RatedGame,
    recorded: Option<[RatingChange; 2]>,
}

impl RatedBoard {
    /// Returns the key by which boards are sorted in the order of their ends.
    fn end(&self) -> (Time, u32) {
        (self.game.at, self.number)
    }
}

/// The ratings of a game, computed from its boards.
pub(super) struct ComputedRatings {
    /// The changes of each board, in the order of the boards.
    changes: Vec<[RatingChange; 2]>,
    users: HashMap<UserId, PlayerRating>,
}

/// Returns a board with its scores if it should have changed ratings; removes recorded changes if
/// it should not.
pub(super) fn rated(board: &Board, home: &mut HomeCheck) -> Result<Option<RatedBoard>, Fault> {
    let (id, recorded) = (board.id, board.rated);
    let Some(game) = board.rated_game() else {
        if recorded.is_some() {
            home.note_mended(format!("{id} has changed ratings, and should not have"));
            put_changes(id, None, home)?;
        }
        return Ok(None);
    };
    Ok(Some(RatedBoard { number: id.number, game, recorded }))
}

/// Compares the ratings of a game with its boards.
pub(super) fn compare(
    game: &'static str,
    boards: Vec<RatedBoard>,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let wrong = find_wrong(game, &boards, home);
    if wrong.is_empty() {
        return super::indexes::rated(game, home);
    }
    home.report.mended.extend(wrong);
    rate_anew(game, boards, home)
}

/// Returns whether the ratings of a game agree with its boards.
pub(super) fn are_right(game: &'static str, boards: &[RatedBoard], home: &HomeCheck) -> bool {
    find_wrong(game, boards, home).is_empty()
}

/// Recomputes all ratings of a game, in the order in which its boards ended.
pub(super) fn rate_anew(
    game: &'static str,
    mut boards: Vec<RatedBoard>,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let computed = compute_anew(&mut boards);
    for (number, changes) in computed.outdated(&boards) {
        put_changes(BoardId { game, number }, Some(changes), home)?;
    }
    put_ratings(game, &computed, home);
    super::indexes::rated(game, home)
}

/// Sorts boards by their ends, and computes the ratings in this order.
pub(super) fn compute_anew(boards: &mut [RatedBoard]) -> ComputedRatings {
    boards.sort_by_key(RatedBoard::end);
    let order: Vec<usize> = (0..boards.len()).collect();
    compute(boards, &order, false)
}

/// Gives the users of a home the computed ratings.
pub(super) fn put_ratings(game: &str, computed: &ComputedRatings, home: &mut HomeCheck) {
    for (id, CheckedUser { should: user, .. }) in &mut home.users {
        match computed.users.get(id) {
            Some(rating) => user.set_rating(game, rating.clone()),
            None => user.remove_rating(game),
        }
    }
}

impl ComputedRatings {
    /// Returns the boards that record other changes, with the right ones. `boards` are those from
    /// which the ratings were computed.
    pub(super) fn outdated<'a>(
        &'a self,
        boards: &'a [RatedBoard],
    ) -> impl Iterator<Item = (u32, [RatingChange; 2])> + 'a {
        let pairs = boards.iter().zip(&self.changes);
        let pairs = pairs.filter(|(board, changes)| board.recorded != Some(**changes));
        pairs.map(|(board, changes)| (board.number, *changes))
    }
}

/// Computes ratings in this order of the boards. With `keeps_rounding`, a recorded change that
/// differs by rounding alone is taken as it is: other machines may round differently.
fn compute(boards: &[RatedBoard], order: &[usize], keeps_rounding: bool) -> ComputedRatings {
    let mut users: HashMap<UserId, PlayerRating> = HashMap::new();
    let mut changes = vec![None; boards.len()];
    let unrated = PlayerRating::default();
    for &index in order {
        let RatedBoard { game, recorded, .. } = &boards[index];
        let before = game.players.each_ref().map(|player| users.get(player).unwrap_or(&unrated));
        let mut effects = effects(before, game);
        for (effect, recorded) in effects.iter_mut().zip(recorded.iter().flatten()) {
            if keeps_rounding && effect.change.is_near(recorded) {
                effect.change = *recorded;
                effect.after.standing = recorded.after;
            }
        }
        changes[index] = Some(effects.each_ref().map(|effect| effect.change));
        for (player, RatingEffect { after, .. }) in game.players.iter().zip(effects) {
            users.insert(player.clone(), after);
        }
    }
    let changes = changes.into_iter().flatten().collect();
    ComputedRatings { changes, users }
}

/// Returns the mistakes in the ratings of a game, one line each.
fn find_wrong(game: &'static str, boards: &[RatedBoard], home: &HomeCheck) -> Vec<String> {
    let computed = compute(boards, &recorded_order(boards), true);
    if is_of_earlier_version(boards, &computed) {
        return vec![format!("the {game} ratings were computed by an earlier version")];
    }
    let mut wrong = Vec::new();
    for (board, changes) in boards.iter().zip(&computed.changes) {
        let id = BoardId { game, number: board.number };
        match board.recorded {
            Some(recorded) if recorded == *changes => {}
            Some(_) => wrong.push(format!("{id} has changed ratings by what it should not")),
            None => wrong.push(format!("{id} is over, but has changed no rating")),
        }
    }
    for (id, CheckedUser { found: user, .. }) in &home.users {
        let is_right = match computed.users.get(id) {
            Some(rating) => user.ratings.contains_key(game) && rating.is_near(&user.rating(game)),
            None => !user.ratings.contains_key(game) && !user.periods.contains_key(game),
        };
        if !is_right {
            wrong.push(format!("the {game} rating of {id} differs from the boards"));
        }
    }
    wrong
}

/// Returns whether an earlier version, which gave games no weight, has rated one of the boards.
fn is_of_earlier_version(boards: &[RatedBoard], computed: &ComputedRatings) -> bool {
    let mut pairs = boards.iter().zip(&computed.changes);
    pairs.any(|(board, changes)| {
        has_weight(changes) && board.recorded.is_some_and(|recorded| !has_weight(&recorded))
    })
}

fn has_weight(changes: &[RatingChange; 2]) -> bool {
    changes.iter().any(|change| change.share > 0)
}

/// Returns a game with ratings of an earlier version, as far as its first boards show it. Reads a
/// few boards of each game; a damaged one is for [`check`](super::check).
///
/// # Errors
/// The machine failed.
pub fn find_outdated_ratings(documents: &dyn Documents) -> Result<Option<&'static str>, Fault> {
    for game in games::names() {
        for number in 1..=FIRST_BOARDS {
            let document = documents.load_lossy(&Key::Board(game, number))?;
            let Some(text) = document.text else { break };
            let Ok(board) = Board::read(&text) else { continue };
            let is_long = board.rated_game().is_some_and(|game| game.is_long);
            if is_long && board.rated.is_some_and(|recorded| !has_weight(&recorded)) {
                return Ok(Some(game));
            }
        }
    }
    Ok(None)
}

/// Returns the indices of the boards in the order in which they changed ratings: for each player the
/// order of the recorded numbers of games, otherwise the order of the ends. Boards whose records
/// contradict each other come last.
fn recorded_order(boards: &[RatedBoard]) -> Vec<usize> {
    let mut of_players: HashMap<&UserId, Vec<(u32, usize)>> = HashMap::new();
    for (index, board) in boards.iter().enumerate() {
        for (seat, player) in board.game.players.iter().enumerate() {
            let games = board.recorded.map_or(u32::MAX, |changes| changes[seat].before.games());
            of_players.entry(player).or_default().push((games, index));
        }
    }
    let mut waits_for = vec![0_usize; boards.len()];
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); boards.len()];
    for list in of_players.values_mut() {
        list.sort_by_key(|(games, index)| (*games, boards[*index].end()));
        for pair in list.windows(2) {
            next[pair[0].1].push(pair[1].1);
            waits_for[pair[1].1] += 1;
        }
    }
    let entry = |index: usize| Reverse((boards[index].end(), index));
    let mut ready: BinaryHeap<_> =
        (0..boards.len()).filter(|index| waits_for[*index] == 0).map(entry).collect();
    let mut order = Vec::with_capacity(boards.len());
    while let Some(Reverse((_, index))) = ready.pop() {
        order.push(index);
        for &later in &next[index] {
            waits_for[later] -= 1;
            if waits_for[later] == 0 {
                ready.push(entry(later));
            }
        }
    }
    let mut rest: Vec<usize> = (0..boards.len()).filter(|index| waits_for[*index] > 0).collect();
    rest.sort_by_key(|index| boards[*index].end());
    order.extend(rest);
    order
}

/// Records changes of ratings in a board.
fn put_changes(
    id: BoardId,
    changes: Option<[RatingChange; 2]>,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let key = Key::Board(id.game, id.number);
    if let Some(StoredDocument { text: Some(text), version: was }) = home.pending(&key)?
        && let Ok(mut board) = Board::read(&text)
    {
        board.rated = changes;
        home.put(key, was, board.write());
    }
    Ok(())
}
