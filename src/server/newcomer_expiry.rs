//! Ends accounts of newcomers who never confirmed their address and never moved. Anybody may have
//! signed them up with any address, so such an account ends after thirty days. A guest ends thirty
//! days after their last move.
//!
//! A register for each day of sign-up names the accounts to check, so nobody reads all users. An
//! account that appears in no board is removed with its index entries. Others are erased, and their
//! userids stay in the boards.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::{Day, Span, Time, days};
use crate::model::board::Board;
use crate::model::caches::keys_of;
use crate::model::document::Document as _;
use crate::model::user::{self, User};
use crate::model::user_index::{self, UserIndexEntry};
use crate::model::world::user_key;
use crate::server::letters::LetterCause;
use crate::server::{Server, Stages};
use crate::store::{
    DocumentKind, DocumentVersion, Fault, IndexUpdates, Key, Register, Store, Transaction,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How long a newcomer has to make a move or answer a mail.
pub const EXPIRE: Span = days(30);

/// Ends the accounts whose time is up. An account that cannot be read does not stop the others.
///
/// # Errors
/// The machine failed.
pub fn expire(server: &mut Server, store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    // Only registers of whole days that are over.
    let until = (now - EXPIRE).day().plus(-1);
    for day in store.unproved_days(until)? {
        let register = Register::Unproved(day);
        let (mut gone, mut again) = (Vec::new(), Vec::new());
        for user in store.registered(register)?.iter().filter_map(|user| UserId::parse(user)) {
            let ended = catch_unwind(AssertUnwindSafe(|| end(server, store, &user, now)));
            let why = match ended {
                Ok(Ok(Ending::Removed(documents))) => {
                    gone.extend(documents);
                    continue;
                }
                Ok(Ok(Ending::Done)) => continue,
                Ok(Ok(Ending::Later)) => {
                    again.push(user.folded());
                    continue;
                }
                Ok(Err(fault)) if !fault.is_unreadable_file() && !fault.is_conflict() => {
                    return Err(fault);
                }
                Ok(Err(fault)) => fault.to_string(),
                Err(_) => "a bug in this program".into(),
            };
            server.forget();
            server.log.push(format!("{user}: cannot end the account: {why}"));
            again.push(user.folded());
        }
        // Try these again tomorrow.
        register_all(store, until.plus(1), again)?;
        store.remove(&gone, register)?;
        // Removed documents must not stay in memory.
        server.work.forget();
    }
    Ok(())
}

/// Returns a day that never comes. Its register says that [`register_older_accounts`] has run.
fn looked_through() -> Day {
    Day::of(9999, 12, 31).expect("it is a date")
}

/// Registers newcomers who signed up under older versions, which had no registers. Their thirty
/// days begin now. Reads all users, once in the life of a home.
///
/// # Errors
/// The machine failed, or a user cannot be read.
pub fn register_older_accounts(store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    if !store.registered(Register::Unproved(looked_through()))?.is_empty() {
        return Ok(());
    }
    let mut unproved = Vec::new();
    for key in store.keys(DocumentKind::In(user::COLLECTION))? {
        let (Some(id), text) = (User::id_of(&key), store.load_lossy(&key)?.text) else {
            continue;
        };
        // `check` reports damaged users.
        let user = text.and_then(|text| User::from_text(&id, &text).ok());
        unproved
            .extend(user.filter(|user| user.unproved && user.left.is_none()).map(|_| id.folded()));
    }
    register_all(store, now.day(), unproved)?;
    register_all(store, looked_through(), vec!["all".to_owned()])
}

/// Adds users to the register of a day.
fn register_all(store: &mut dyn Store, day: Day, users: Vec<String>) -> Result<(), Fault> {
    let registered = users.into_iter().map(|user| (Register::Unproved(day), user)).collect();
    let index_updates = IndexUpdates { registered, ..IndexUpdates::default() };
    store.commit(Transaction { index_updates, ..Transaction::default() })
}

/// What became of an account whose day has come.
enum Ending {
    /// No board names the former user, so these documents of theirs can be removed.
    Removed(Vec<(Key, DocumentVersion)>),
    /// The user was erased, or stays for good.
    Done,
    /// A guest still plays, and is looked at again tomorrow.
    Later,
}

/// Returns the time of a user's latest move on a board, or of its start.
fn last_move(board: &Board, user: &UserId) -> Option<Time> {
    let seat = board.seat(user)?;
    let own = board.record.iter().rev().find(|line| line.entry.is_decision_of(seat));
    Some(own.map_or(board.started, |line| line.at))
}

/// Ends an account if it is due.
fn end(
    server: &mut Server,
    store: &mut dyn Store,
    user: &UserId,
    now: Time,
) -> Result<Ending, Fault> {
    let mut stages = server.stages(&*store, now);
    let Stages { work, env, .. } = &mut stages;
    work.documents.gather(&[user_key(user)], env)?;
    let Some(user) = work.documents.world.any_user(user).cloned() else {
        return Ok(Ending::Done);
    };
    let boards: Vec<BoardId> = user.active.iter().chain(&user.finished).copied().collect();
    if user.left.is_some_and(|left| left.erased) && user.joined == Time::EPOCH {
        // An earlier run was interrupted after ending it.
        let is_free = boards.is_empty() && user.renamed.is_none();
        return Ok(if is_free {
            Ending::Removed(removable_documents(store, &user)?)
        } else {
            Ending::Done
        });
    }
    if !user.unproved || user.left.is_some() {
        return Ok(Ending::Done);
    }
    work.documents.gather(&keys_of(&user), env)?;
    let world = &work.documents.world;
    let has_not_moved = |id: &BoardId| {
        let board = world.board(*id).ok();
        let seat = board.and_then(|board| Some((board, board.seat(&user.id)?)));
        seat.is_some_and(|(board, seat)| !board.has_moved(seat))
    };
    if user.guest {
        let boards = boards.iter().filter_map(|id| world.board(*id).ok());
        let latest = boards.filter_map(|board| last_move(board, &user.id)).max();
        if latest.unwrap_or(user.joined) > now - EXPIRE {
            return Ok(Ending::Later);
        }
    } else if !boards.iter().all(has_not_moved) {
        return Ok(Ending::Done);
    }
    // Nobody ever answered from the address, so no mail goes there.
    stages.erase_user(&user, &[], &LetterCause::named(&format!("expired {} {now}", user.id)))?;
    stages.work.transaction.at = now;
    let transaction = server.take_transaction();
    server.trim(store.is_remote());
    store.commit(transaction)?;
    Ok(if boards.is_empty() {
        Ending::Removed(removable_documents(store, &user)?)
    } else {
        Ending::Done
    })
}

/// Returns the documents of a removed user: the account, and index entries that lead to nobody
/// else.
fn removable_documents(
    store: &dyn Store,
    was: &User,
) -> Result<Vec<(Key, DocumentVersion)>, Fault> {
    let own = User::key(&was.id);
    let mut found = vec![(own.clone(), store.load(&own)?.version)];
    for entry in user_index::entries_of(was) {
        let stored = store.load(&entry)?;
        let names = stored.text.and_then(|text| UserIndexEntry::read(&text).ok());
        if names.is_some_and(|names| names.users().iter().all(|user| *user == was.id)) {
            found.push((entry, stored.version));
        }
    }
    Ok(found)
}
