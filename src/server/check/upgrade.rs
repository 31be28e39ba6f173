//! Computes ratings anew in a home of an earlier version, whose ratings followed from other rules.

use super::{CheckedUser, HomeCheck, ratings};
use crate::base::ids::BoardId;
use crate::base::progress::Progress;
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::rating::RatingChange;
use crate::model::world::{board_key, user_key};
use crate::store::{DocumentChange, DocumentKind, Fault, Key, Store, Transaction};
use games::GAMES;

/// The number of documents that are committed at once.
const BATCH: usize = 500;

/// The documents that an upgrade of the ratings changed.
#[derive(Debug, Default)]
pub struct RatingUpgrade {
    /// The number of boards.
    pub boards: usize,
    /// The number of users.
    pub users: usize,
    /// The documents that cannot be read. If there are any, nothing was changed.
    pub wrong: Vec<String>,
}

/// The changes of documents that bring the ratings of a home up to date.
struct Plan {
    boards: Vec<(BoardId, [RatingChange; 2])>,
    users: Vec<DocumentChange>,
    wrong: Vec<String>,
}

/// Computes the ratings of each game anew that do not follow from its boards, and commits them in
/// batches. If it is interrupted, it can be repeated.
///
/// # Errors
/// The machine failed.
pub fn upgrade_ratings(
    store: &mut dyn Store,
    now: Time,
    progress: &dyn Progress,
) -> Result<RatingUpgrade, Fault> {
    let Plan { boards, users, wrong } = plan_upgrade(store, now, progress)?;
    if !wrong.is_empty() {
        return Ok(RatingUpgrade { wrong, ..RatingUpgrade::default() });
    }
    for batch in boards.chunks(BATCH) {
        let mut changes = Vec::with_capacity(batch.len());
        for (id, rated) in batch {
            let key = board_key(*id);
            let document = store.load(&key)?;
            // `check` reports a document that cannot be read.
            let Some(Ok(mut board)) = document.text.as_deref().map(Board::read) else { continue };
            board.rated = Some(*rated);
            changes.push(DocumentChange { key, was: document.version, text: board.write() });
        }
        store.commit(Transaction { changes, at: now, ..Transaction::default() })?;
    }
    for batch in users.chunks(BATCH) {
        let changes = batch.to_vec();
        store.commit(Transaction { changes, at: now, ..Transaction::default() })?;
    }
    Ok(RatingUpgrade { boards: boards.len(), users: users.len(), wrong })
}

/// Reads a home, and computes its ratings.
fn plan_upgrade(store: &dyn Store, now: Time, progress: &dyn Progress) -> Result<Plan, Fault> {
    let mut home = HomeCheck::read(store, None, now, progress)?;
    let mut changed = Vec::new();
    for game in GAMES {
        let game = game.spec().name;
        let mut boards = Vec::new();
        for key in home.expected(DocumentKind::Boards(game))? {
            let Key::Board(_, number) = key else { continue };
            if let Some(board) = home.board(BoardId { game, number })? {
                boards.extend(ratings::rated(&board, &mut home)?);
            }
        }
        if ratings::are_right(game, &boards, &home) {
            continue;
        }
        let computed = ratings::compute_anew(&mut boards);
        let outdated = computed.outdated(&boards);
        changed.extend(outdated.map(|(number, rated)| (BoardId { game, number }, rated)));
        ratings::put_ratings(game, &computed, &mut home);
    }
    let differs = |user: &&CheckedUser| user.found != user.should;
    let change = |CheckedUser { version, should, .. }: &CheckedUser| DocumentChange {
        key: user_key(&should.id),
        was: *version,
        text: should.write(),
    };
    let users = home.users.values().filter(differs).map(change).collect();
    Ok(Plan { boards: changed, users, wrong: home.report.wrong })
}
