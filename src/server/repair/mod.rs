//! The operator's repairs: editing a board or taking moves back; adding, renaming or removing a
//! user.
//!
//! A repair is decided on a draft of the documents. Lists of boards, ratings and indexes are
//! recomputed there. All of it is committed as one transaction, together with the mails about it.

mod draft;
mod edit;
mod rename;
mod replace_board;
mod undo;
mod users;

pub use edit::edit;
pub use rename::{former_userids, rename_user, unlink_former_userids};
pub use undo::{check_decision_count, decision_count, undo};
pub use users::{add_user, export_user, new_password, remove_user, set_password};

use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::clock::TimeOff;
use crate::model::program;
use crate::model::tournament::Tournament;
use crate::model::user::User;
use crate::model::world::event::Event;
use crate::model::world::{board_key, user_key};
use crate::refusal::OperatorRefusal;
use crate::reply::{self, BoardNews};
use crate::server::Server;
use crate::server::env::Env;
use crate::server::letters::LetterCause;
use crate::server::unit_of_work::UnitOfWork;
use crate::store::{Fault, Key, OpenHome, Store, Transaction};
use draft::RepairDraft;
use games::Seat;

/// Why a repair was not made.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// A rule forbids it.
    #[error(transparent)]
    Refused(#[from] OperatorRefusal),
    /// Ratings cannot be recomputed, because a document cannot be read: the reason.
    #[error("{0}; repair it first, the ratings follow from it")]
    Unrated(String),
    /// The machine failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A repair to be committed.
#[derive(Debug)]
pub struct Repair {
    /// The changes and the mails about them.
    pub transaction: Transaction,
    /// The answer to the operator.
    pub said: String,
}

impl Repair {
    /// Commits the repair, and logs it with the name of who has made it. Returns the answer.
    ///
    /// # Errors
    /// The machine failed before the repair was durable.
    pub fn commit(
        self,
        server: &mut Server,
        home: &mut dyn OpenHome,
        by: &str,
        warn: &dyn Fn(&Fault),
    ) -> Result<String, Fault> {
        if !self.transaction.changes.is_empty() {
            home.commit(self.transaction)?;
        }
        // The repair is durable from here on.
        let lines: Vec<String> = server.log.drain(..).map(|line| format!("{by}: {line}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        if let Err(fault) = home.log(&lines) {
            warn(&fault);
        }
        Ok(self.said)
    }
}

/// Reads a board, if it exists.
///
/// # Errors
/// The machine failed, or the board cannot be read.
pub fn read_board(store: &dyn Store, id: BoardId) -> Result<Option<Board>, RepairError> {
    RepairDraft::new(store).board(id)
}

/// Reads a user, present or departed, if they exist.
///
/// # Errors
/// The machine failed, or the user cannot be read.
pub fn read_user(store: &dyn Store, id: &UserId) -> Result<Option<User>, RepairError> {
    RepairDraft::new(store).user(id)
}

/// Reads a tournament, if it exists.
///
/// # Errors
/// The machine failed, or the tournament cannot be read.
pub fn read_tournament(
    store: &dyn Store,
    id: TournamentId,
) -> Result<Option<Tournament>, RepairError> {
    RepairDraft::new(store).document(&id)
}

/// Shows a board with its clocks, players and record.
///
/// # Errors
/// The machine failed, the board does not exist, or it cannot be read.
pub fn show_board(
    server: &mut Server,
    store: &dyn Store,
    id: BoardId,
    now: Time,
) -> Result<String, RepairError> {
    let draft = RepairDraft::new(store);
    let board = draft.board(id)?.ok_or(OperatorRefusal::NoBoard(id))?;
    // A player whose file is damaged would look as if they had left.
    board.players.iter().try_for_each(|player| draft.user(player).map(drop))?;
    let world = &mut server.work.documents.world;
    world.load(&[board_key(id)], store)?;
    let board = world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
    Ok(reply::operator::board_details(world, board, now))
}

/// Shows a user, without secrets.
///
/// # Errors
/// The machine failed, the user does not exist, or they cannot be read.
pub fn show_user(store: &dyn Store, id: &UserId) -> Result<String, RepairError> {
    let user = RepairDraft::new(store).user(id)?.ok_or(OperatorRefusal::NoUser(id.clone()))?;
    Ok(reply::operator::user_details(&user))
}

/// Loads a board from the draft and sets its wakeup.
fn wake(
    draft: &RepairDraft,
    id: BoardId,
    work: &mut UnitOfWork,
    env: &Env,
) -> Result<(), RepairError> {
    let world = &mut work.documents.world;
    world.load(&[board_key(id)], draft)?;
    let board = world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
    let at = world.board_wakeup(board, env.now);
    world.set_wakeup(board_key(id), at);
    Ok(())
}

/// Writes the mails to the players and observers of a repaired board. Returns a summary of them for
/// the operator.
fn tell(
    draft: &RepairDraft,
    id: BoardId,
    what: &BoardNews,
    dropped: &[Event],
    work: &mut UnitOfWork,
    env: &mut Env,
) -> Result<String, RepairError> {
    wake(draft, id, work, env)?;
    let (world, now) = (&mut work.documents.world, env.now);
    let observers = world.board(id).map(|board| board.observers.clone());
    let keys: Vec<Key> = observers.iter().flatten().map(user_key).collect();
    world.load(&keys, draft)?;
    let mails = reply::operator::board_changed(world, id, what, dropped, now);
    let board = world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
    let (told, number) = (reply::operator::confirmation(board), board.next_move());
    let cause = LetterCause::named(&format!("operator {id} {number} {now}"));
    work.post(&mails, None, &cause, &mut env.with_store(draft))?;
    Ok(told)
}

/// Builds the transaction: the drafted changes, and the mails about them.
fn finish(draft: RepairDraft, work: &mut UnitOfWork, now: Time) -> Transaction {
    work.transaction.at = now;
    let mut transaction = work.take();
    let (changes, index_updates) = draft.into_changes();
    transaction.changes.extend(changes);
    transaction.index_updates.wakeups.extend(index_updates.wakeups);
    transaction.index_updates.registered.extend(index_updates.registered);
    transaction
}

fn rating_summary(id: BoardId, rerated: usize) -> String {
    match rerated {
        0 => String::new(),
        count => format!("{} ratings computed anew; {count} other boards changed\n", id.game),
    }
}

/// Returns the documents of a board's players.
fn read_players(draft: &RepairDraft, board: &Board) -> Result<[Option<User>; 2], RepairError> {
    Ok([draft.user(&board.players[0])?, draft.user(&board.players[1])?])
}

/// Returns the time off of a board's players.
fn time_off(players: &[Option<User>; 2]) -> [TimeOff<'_>; 2] {
    players.each_ref().map(|user| user.as_ref().map_or_else(TimeOff::default, User::time_off))
}

/// Returns whether the program plays at a seat.
fn is_program(draft: &RepairDraft, board: &Board, seat: Seat) -> Result<bool, RepairError> {
    let user = board.player(seat);
    Ok(program::level(user).is_some() && draft.user(user)?.is_none())
}
