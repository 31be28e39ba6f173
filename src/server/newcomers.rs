//! Accounts of new users who never showed that they read their mails, and never moved: anybody may
//! have signed them up in the name of any address. They end after thirty days.
//!
//! A register of each day says whom to look at, so nobody looks at all users. An account that is in
//! no board's record is removed with all that is kept for it; the others are erased, and their
//! userids stay in the records.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::{Day, Span, Time, days};
use crate::command::departure;
use crate::model::document::Document as _;
use crate::model::names::{self, NameIndex};
use crate::model::talk::talk_key;
use crate::model::user::{self, Departure, User};
use crate::model::world::{board_key, seeks_key, user_key};
use crate::reply;
use crate::server::Server;
use crate::server::letters::LetterCause;
use crate::store::{
    DocumentKind, DocumentVersion, Fault, IndexUpdates, Key, Register, Store, Transaction,
};
use games::GAMES;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How long a new user has to make a move, or to answer a mail.
pub const EXPIRE: Span = days(30);

/// Ends the accounts whose time is over. An account that cannot be read keeps no other from its end.
///
/// # Errors
/// The machine failed.
pub fn expire(server: &mut Server, store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    // The whole day is over.
    let until = (now - EXPIRE).day().plus(-1);
    for day in store.unproved_days(until)? {
        let register = Register::Unproved(day);
        let (mut gone, mut again) = (Vec::new(), Vec::new());
        for user in store.registered(register)?.iter().filter_map(|user| UserId::parse(user)) {
            let ended = catch_unwind(AssertUnwindSafe(|| {
                let was = end(server, store, &user, now)?;
                was.map_or(Ok(Vec::new()), |was| documents(store, &was))
            }));
            let why = match ended {
                Ok(Ok(documents)) => {
                    gone.extend(documents);
                    continue;
                }
                Ok(Err(fault)) if !fault.is_passing() && !fault.is_conflict() => return Err(fault),
                Ok(Err(fault)) => fault.to_string(),
                Err(_) => "a fault of this program".into(),
            };
            server.forget();
            server.log.push(format!("{user}: the account cannot be ended: {why}"));
            again.push(user.folded());
        }
        // They are looked at again tomorrow.
        register_all(store, until.plus(1), again)?;
        store.remove(&gone, register)?;
        // What was removed is not known any more.
        server.batch.forget();
    }
    Ok(())
}

/// The day whose register says that all users were looked through once: it never comes.
fn looked_through() -> Day {
    Day::of(9999, 12, 31).expect("it is a date")
}

/// Registers the unproved users whom an earlier program signed up, which had no registers: their time
/// begins now. Looks through all users, once in the life of a home.
///
/// # Errors
/// The machine failed, or a user cannot be read.
pub fn register_earlier(store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    if !store.registered(Register::Unproved(looked_through()))?.is_empty() {
        return Ok(());
    }
    let mut unproved = Vec::new();
    for key in store.keys(DocumentKind::In(user::DRAWER))? {
        let (Some(id), text) = (User::named(&key), store.load_damaged(&key)?.text) else {
            continue;
        };
        // `check` tells of users that are damaged.
        let user = text.and_then(|text| User::from_text(&id, &text).ok());
        unproved
            .extend(user.filter(|user| user.unproved && user.left.is_none()).map(|_| id.folded()));
    }
    register_all(store, now.day(), unproved)?;
    register_all(store, looked_through(), vec!["all".to_owned()])
}

/// Registers users as unproved of a day.
fn register_all(store: &mut dyn Store, day: Day, users: Vec<String>) -> Result<(), Fault> {
    let registered = users.into_iter().map(|user| (Register::Unproved(day), user)).collect();
    let index_updates = IndexUpdates { registered, ..IndexUpdates::default() };
    store.commit(Transaction { index_updates, ..Transaction::default() })
}

/// Ends an account, if it has to end. Returns the user as they were, if nothing names them any more.
fn end(
    server: &mut Server,
    store: &mut dyn Store,
    user: &UserId,
    now: Time,
) -> Result<Option<User>, Fault> {
    let (batch, _, env) = &mut server.stages(&*store, now);
    batch.documents.gather(&[user_key(user)], env)?;
    let Some(user) = batch.documents.world.known(user).cloned() else { return Ok(None) };
    let boards: Vec<BoardId> = user.active.iter().chain(&user.finished).copied().collect();
    if user.left.is_some_and(|left| left.erased) && user.joined == Time::EPOCH {
        // An earlier run ended at it.
        let is_free = boards.is_empty() && user.renamed.is_none();
        return Ok(is_free.then_some(user));
    }
    if !user.unproved || user.left.is_some() {
        return Ok(None);
    }
    let seeks = GAMES.iter().map(|game| seeks_key(game.spec().name));
    let needed = boards.iter().flat_map(|id| [board_key(*id), talk_key(*id)]).chain(seeks);
    batch.documents.gather(&needed.collect::<Vec<_>>(), env)?;
    let world = &batch.documents.world;
    let has_not_moved = |id: &BoardId| {
        let board = world.board(*id).ok();
        let seat = board.and_then(|board| Some((board, board.seat(&user.id)?)));
        seat.is_some_and(|(board, seat)| !board.has_moved(seat))
    };
    if !boards.iter().all(has_not_moved) {
        return Ok(None);
    }
    let (events, left) = departure(world, &user, Departure { at: now, erased: true });
    let observers = left.iter().filter_map(|(board, _)| world.board(*board).ok());
    let observers: Vec<UserId> =
        observers.flat_map(|board| board.observers.iter().cloned()).collect();
    batch.documents.gather_users(&observers, env)?;
    events.iter().try_for_each(|event| batch.documents.happen(event, env))?;
    // The address never answered: nothing goes there.
    let mails = reply::operator::user_removed(&batch.documents.world, &user.id, &[], &left, now);
    batch.post(&mails, None, &LetterCause::named(&format!("expired {} {now}", user.id)), env)?;
    batch.transaction.at = now;
    let transaction = server.take();
    server.trim(store.is_far());
    store.commit(transaction)?;
    Ok(boards.is_empty().then_some(user))
}

/// What is kept of a user who has gone: the document, and entries of the index that lead to nobody
/// else.
fn documents(store: &dyn Store, was: &User) -> Result<Vec<(Key, DocumentVersion)>, Fault> {
    let own = User::key(&was.id);
    let mut found = vec![(own.clone(), store.load(&own)?.version)];
    for entry in names::index_keys(was) {
        let stored = store.load(&entry)?;
        let names = stored.text.and_then(|text| NameIndex::read(&text).ok());
        if names.is_some_and(|names| names.users().iter().all(|user| *user == was.id)) {
            found.push((entry, stored.version));
        }
    }
    Ok(found)
}
