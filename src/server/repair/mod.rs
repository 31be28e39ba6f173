//! The operator's repairs: a board edited or taken back; a user added, renamed or removed.
//!
//! A repair is decided on a draft of the documents, from which everything that follows is made
//! anew too: lists of boards, ratings, indexes. It is committed as one transaction, with the mails
//! that tell of it; so it is done wholly or not at all.

mod draft;
mod edit;
mod rename;
mod settle;
mod undo;
mod users;

pub use edit::edit;
pub use rename::rename_user;
pub use undo::undo;
pub use users::{add_user, new_password, remove_user, set_password};

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::clock::Vacation;
use crate::model::program;
use crate::model::user::User;
use crate::model::world::event::Event;
use crate::model::world::{board_key, user_key};
use crate::refusal::OperatorRefusal;
use crate::reply::{self, BoardNews};
use crate::server::Server;
use crate::server::batch::UnitOfWork;
use crate::server::env::Env;
use crate::server::letters::LetterCause;
use crate::store::{Fault, Key, Store, Transaction};
use draft::RepairDraft;
use games::Seat;

/// Why a repair was not made.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// It is not to be.
    #[error(transparent)]
    Refused(#[from] OperatorRefusal),
    /// Ratings cannot be computed, because something cannot be read: what.
    #[error("{0}; mend it first, the ratings follow from it")]
    Unrated(String),
    /// The machine failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A repair to be committed.
#[derive(Debug)]
pub struct Repair {
    /// All of it.
    pub transaction: Transaction,
    /// The answer to the operator.
    pub said: String,
}

/// A board, if there is one.
///
/// # Errors
/// The machine failed, or it cannot be read.
pub fn read_board(store: &dyn Store, id: BoardId) -> Result<Option<Board>, RepairError> {
    RepairDraft::new(store).board(id)
}

/// A user, here or gone, if there is one.
///
/// # Errors
/// The machine failed, or they cannot be read.
pub fn read_user(store: &dyn Store, id: &UserId) -> Result<Option<User>, RepairError> {
    RepairDraft::new(store).user(id)
}

/// Shows a board and all around it.
///
/// # Errors
/// The machine failed, or there is none that can be read.
pub fn show_board(
    server: &mut Server,
    store: &dyn Store,
    id: BoardId,
    now: Time,
) -> Result<String, RepairError> {
    let draft = RepairDraft::new(store);
    let board = draft.board(id)?.ok_or(OperatorRefusal::NoBoard(id))?;
    // A player whose file is damaged would seem to be gone.
    board.players.iter().try_for_each(|player| draft.user(player).map(drop))?;
    let world = &mut server.batch.documents.world;
    world.gather(&[board_key(id)], store)?;
    let board = world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
    Ok(reply::operator::board_details(world, board, now))
}

/// Shows a user, without secrets.
///
/// # Errors
/// The machine failed, or there is none that can be read.
pub fn show_user(store: &dyn Store, id: &UserId) -> Result<String, RepairError> {
    let user = RepairDraft::new(store).user(id)?.ok_or(OperatorRefusal::NoUser(id.clone()))?;
    Ok(reply::operator::user_details(&user))
}

/// Loads a board as it will be, and sees to it that it is looked at when it has to be.
fn wake(
    draft: &RepairDraft,
    id: BoardId,
    batch: &mut UnitOfWork,
    env: &Env,
) -> Result<(), RepairError> {
    let world = &mut batch.documents.world;
    world.gather(&[board_key(id)], draft)?;
    let board = world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
    let at = world.clock(board, env.now).wakeup();
    world.look(id, at);
    Ok(())
}

/// The mails to the players and observers of a board as it will be. Returns what the operator is
/// told about it.
fn tell(
    draft: &RepairDraft,
    id: BoardId,
    what: &BoardNews,
    dropped: &[Event],
    batch: &mut UnitOfWork,
    env: &mut Env,
) -> Result<String, RepairError> {
    wake(draft, id, batch, env)?;
    let (world, now) = (&mut batch.documents.world, env.now);
    let observers = world.board(id).map(|board| board.observers.clone());
    let keys: Vec<Key> = observers.iter().flatten().map(user_key).collect();
    world.gather(&keys, draft)?;
    let mails = reply::operator::board_changed(world, id, what, dropped, now);
    let board = world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
    let (told, number) = (reply::operator::confirmation(board), board.next_move());
    let cause = LetterCause::named(&format!("operator {id} {number} {now}"));
    batch.post(&mails, None, &cause, &mut env.over(draft))?;
    Ok(told)
}

/// All of a repair: what was drafted, and the mails that tell of it.
fn finish(draft: RepairDraft, batch: &mut UnitOfWork, now: Time) -> Transaction {
    batch.transaction.at = now;
    let mut transaction = batch.take();
    let (changes, index_updates) = draft.into_changes();
    transaction.changes.extend(changes);
    transaction.index_updates.wakeups.extend(index_updates.wakeups);
    transaction.index_updates.registered.extend(index_updates.registered);
    transaction
}

fn of_ratings(id: BoardId, rerated: usize) -> String {
    match rerated {
        0 => String::new(),
        count => format!("{} ratings computed anew; {count} other boards changed\n", id.game),
    }
}

/// The vacations of a board's players.
fn vacations(draft: &RepairDraft, board: &Board) -> Result<[Vec<Vacation>; 2], RepairError> {
    let of = |player: &UserId| -> Result<Vec<Vacation>, RepairError> {
        Ok(draft.user(player)?.map(|user| user.vacations).unwrap_or_default())
    };
    Ok([of(&board.players[0])?, of(&board.players[1])?])
}

/// Whether the program sits at that seat.
fn plays(draft: &RepairDraft, board: &Board, seat: Seat) -> Result<bool, RepairError> {
    let user = board.player(seat);
    Ok(program::level(user).is_some() && draft.user(user)?.is_none())
}
