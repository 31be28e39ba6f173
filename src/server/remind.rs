//! `remind`: acts on documents that are due. Players who let a board wait are reminded and finally
//! forfeit; players who leave an offer of a draw unanswered accept it. What follows from the wakeup
//! of another document is a [reaction](crate::command::reactions).
//!
//! The store's indexes say which documents are due, the document says what to do. Changes are
//! committed together with their mails, so a run that is interrupted, late, or doubled does
//! everything once. A document at which runs keep dying is found by a [`MarkerGuard`] and put off, so
//! that it does not hold up the others.

use crate::base::ids::BoardId;
use crate::base::time::{DAY, HOUR, Span, Time, minutes};
use crate::base::watchdog::Watchdog;
use crate::command::reactions::Cause;
use crate::model::board::{Board, BoardEvent, ClosedBy, Closing};
use crate::model::caches::DOCUMENT_TYPES;
use crate::model::clock::DueAction;
use crate::model::document::Document as _;
use crate::model::user::{AutomaticVacation, OptOut, User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, count_key, user_key};
use crate::reply::{self, OutgoingMail};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::letters::LetterCause;
use crate::server::{Server, Stages, reactions, turn_notices};
use crate::store::{
    Fault, IndexUpdates, Indexes, Key, Register, RunMarker, Store, Transaction, Wakeups,
};
use games::Seat;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many documents are committed together.
const GROUP: usize = 64;
/// How often a run may die at a document before the document is put off.
const TRIES: u32 = 3;
/// How long a register of due documents is kept: a process with a slower clock may still add to it.
const KEPT: Span = minutes(20);
/// The pause before a document that stayed due is looked at again.
const AGAIN: Span = minutes(1);

/// The documents that a run was at when it died.
#[derive(Default)]
struct Suspects {
    /// The documents; one of them was the cause.
    documents: Vec<Key>,
    /// How many runs have died at them.
    tries: u32,
}

/// A guard with a marker file, which names the documents under way for the next run, and a watchdog,
/// which ends a run that stays at them too long.
#[derive(Debug)]
pub struct MarkerGuard {
    marker: Box<dyn RunMarker>,
    watchdog: Watchdog,
}

impl MarkerGuard {
    /// Starts to guard a run.
    pub fn new(marker: Box<dyn RunMarker>) -> Self {
        Self { marker, watchdog: Watchdog::start() }
    }

    /// Removes the marker at the end of a run.
    ///
    /// # Errors
    /// The machine failed.
    pub fn clear(self) -> Result<(), Fault> {
        self.marker.clear()
    }

    /// Returns the documents that the last run was at when it died.
    fn suspects(&self) -> Result<Suspects, Fault> {
        // A marker cut off by a crash names nothing.
        let marker = serde_json::from_str(&self.marker.read()?);
        let (tries, names): (u32, Vec<String>) = marker.unwrap_or_default();
        let documents = names.iter().filter_map(|name| find_named(name)).collect();
        Ok(Suspects { documents, tries })
    }

    /// Records the beginning of work on these documents.
    fn begin(&self, documents: &[Key], tries: u32) -> Result<(), Fault> {
        let names: Vec<_> = documents.iter().map(short_name).collect();
        let text = serde_json::to_string(&(tries, names)).expect("names and numbers are JSON");
        self.marker.write(&text)?;
        self.watchdog.begin();
        Ok(())
    }

    /// Records that the work is done, except for its commit.
    fn end(&self) {
        self.watchdog.end();
    }
}

fn find_document(file: &str) -> Option<Key> {
    DOCUMENT_TYPES.iter().find_map(|kind| kind.place().find(file))
}

/// Returns the documents after `after` that are due, in order, boards first.
///
/// # Errors
/// The machine failed.
pub fn due(store: &dyn Store, after: Option<&Key>, now: Time) -> Result<Vec<Key>, Fault> {
    let mut found = Vec::new();
    let mut is_wrong = false;
    let mut games: Vec<&'static str> = games::names().collect();
    games.sort_unstable();
    for game in games {
        let wakeups = store.wakeups(game)?;
        // If the last run was later than now, the index was written while the clock was ahead.
        is_wrong |= wakeups.scanned > now + DAY;
        let is_before = |after: &Key| Key::Board(game, u32::MAX) <= *after;
        if !after.is_some_and(is_before) {
            found.extend(due_boards(game, &wakeups, store, now)?);
        }
    }
    found.extend(due_documents(store, now, is_wrong)?);
    found.retain(|key| after.is_none_or(|after| key > after));
    Ok(found)
}

/// Returns when to run again after a run at `ran` that reached its end: at the next wakeup, and after an
/// hour at the latest.
///
/// # Errors
/// The machine failed.
pub fn next_run(store: &dyn Indexes, ran: Time) -> Result<Time, Fault> {
    let mut next = ran + HOUR;
    for game in games::names() {
        let wakeups = store.wakeups(game)?.boards;
        next = wakeups.into_iter().map(|at| next_look(at, ran)).fold(next, Time::min);
    }
    // Everything in a slot that was over was done. Documents of the present slot may become due in it.
    let slots = store.due_slots()?.into_iter().filter(|slot| slot.end() > ran);
    Ok(slots.map(|slot| next_look(slot.start(), ran)).fold(next, Time::min))
}

/// Returns when to look at a document with this wakeup after a run at `ran`. One that stayed due, since it
/// cannot be read, is looked at each minute.
pub fn next_look(wakeup: Time, ran: Time) -> Time {
    if wakeup > ran { wakeup } else { ran + AGAIN }
}

/// Returns the documents other than boards that may be due, or all that wait for some time.
fn due_documents(store: &dyn Store, now: Time, all: bool) -> Result<BTreeSet<Key>, Fault> {
    let mut found = BTreeSet::new();
    for slot in store.due_slots()? {
        if all || slot.start() <= now {
            let files = store.registered(Register::Due(slot))?;
            found.extend(files.iter().filter_map(|file| find_document(file)));
        }
    }
    Ok(found)
}

/// Returns the boards of a game that are due.
fn due_boards(
    game: &'static str,
    wakeups: &Wakeups,
    store: &dyn Store,
    now: Time,
) -> Result<impl Iterator<Item = Key>, Fault> {
    let count = store.load(&count_key(game))?.text.unwrap_or_default();
    // If the count was lost, boards known to the index must still be found.
    let known = u32::try_from(wakeups.boards.len()).unwrap_or(u32::MAX);
    let last = count.trim().parse().unwrap_or(0).max(known);
    let is_wrong = wakeups.scanned > now + DAY;
    let is_due = move |number: &u32| match wakeups.board(*number) {
        Some(Wakeups::RESERVED) => false,
        wakeup => is_wrong || wakeup.is_none_or(|wakeup| wakeup <= now),
    };
    Ok((1..=last).filter(is_due).map(move |number| Key::Board(game, number)))
}

/// Acts on all due documents after `after`, in groups, as long as `may_continue` allows. Returns the
/// last document done if some are left.
///
/// # Errors
/// The machine failed. Nothing of the group under way is done.
pub fn run(
    server: &mut Server,
    store: &mut dyn Store,
    after: Option<&Key>,
    now: Time,
    may_continue: &mut dyn FnMut(&mut Server) -> bool,
) -> Result<Option<Key>, Fault> {
    run_guarded(server, store, after, now, None, may_continue)
}

/// Acts on due documents as [`run`] does, under a guard if there is one.
///
/// # Errors
/// As [`run`].
pub fn run_guarded(
    server: &mut Server,
    store: &mut dyn Store,
    after: Option<&Key>,
    now: Time,
    guard: Option<&MarkerGuard>,
    may_continue: &mut dyn FnMut(&mut Server) -> bool,
) -> Result<Option<Key>, Fault> {
    let Suspects { documents, tries } =
        guard.map_or_else(|| Ok(Suspects::default()), MarkerGuard::suspects)?;
    let mut put_off = None;
    if let ([key], true) = (&documents[..], tries >= TRIES) {
        // It is tried again when somebody changes it, and once a day.
        put_off_until(now + DAY, key, store, now)?;
        server.log.push(format!("{}: {tries} runs died at it; put off for a day", short_name(key)));
        put_off = Some(key);
    } else {
        act_one_by_one(server, &documents, store, now, guard, tries + 1)?;
    }
    let mut documents_due = due(store, after, now)?;
    documents_due.retain(|key| Some(key) != put_off);
    let mut groups = documents_due.chunks(GROUP).peekable();
    while let Some(group) = groups.next() {
        if let Err(failure) = act_together(server, group, store, now, guard, 1) {
            server.forget();
            failure.reason_if_unreadable()?;
            act_one_by_one(server, group, store, now, guard, 1)?;
        }
        let last = group.last().cloned();
        if !may_continue(server) && groups.peek().is_some() {
            return Ok(last);
        }
    }
    send_held_mails(server, store, now, guard)?;
    note_run(server, store, now)?;
    // An interrupted run may have passed over documents that became due meanwhile.
    if after.is_none() {
        remove_past_registers(store, now)?;
    }
    Ok(None)
}

/// Sends the mails that became due in this run, such as the reminders of several boards.
fn send_held_mails(
    server: &mut Server,
    store: &mut dyn Store,
    now: Time,
    guard: Option<&MarkerGuard>,
) -> Result<(), Fault> {
    let users: Vec<Key> = due_documents(store, now, false)?
        .into_iter()
        .filter(|key| User::id_of(key).is_some())
        .collect();
    for group in users.chunks(GROUP) {
        if let Err(failure) = act_together(server, group, store, now, guard, 1) {
            server.forget();
            failure.reason_if_unreadable()?;
            act_one_by_one(server, group, store, now, guard, 1)?;
        }
    }
    Ok(())
}

/// Lets a document wait until a time.
fn put_off_until(until: Time, key: &Key, store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    let mut noted = Transaction { at: now, ..Transaction::default() };
    noted.index_updates.add_wakeup(key, until, now);
    store.commit(noted)
}

/// Removes the registers of the past. Their documents were looked at, and are listed again if they
/// still wait for something.
fn remove_past_registers(store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    let past = store.due_slots()?.into_iter().filter(|slot| slot.start() + KEPT <= now);
    past.map(Register::Due).try_for_each(|register| store.remove(&[], register))
}

/// Returns the document of a [`short_name`].
fn find_named(name: &str) -> Option<Key> {
    let board = serde_json::from_value::<BoardId>(name.into()).ok();
    board.map(board_key).or_else(|| find_document(name))
}

/// Returns the name of a document for the log and the marker: a board is `malaka 17`.
fn short_name(key: &Key) -> String {
    match *key {
        Key::Board(game, number) => BoardId { game, number }.to_string(),
        _ => key.to_string(),
    }
}

/// Acts on documents one by one, so that a failing one does not stop the others.
fn act_one_by_one(
    server: &mut Server,
    documents: &[Key],
    store: &mut dyn Store,
    now: Time,
    guard: Option<&MarkerGuard>,
    tries: u32,
) -> Result<(), Fault> {
    for key in documents {
        let one = std::slice::from_ref(key);
        if let Err(failure) = act_together(server, one, store, now, guard, tries) {
            server.forget();
            let why = failure.reason_if_unreadable()?;
            server.log.push(format!("{}: skipped: {why}", short_name(key)));
            if !matches!(key, Key::Board(..)) {
                put_off_until(now + HOUR, key, store, now)?;
            }
        }
    }
    Ok(())
}

/// Records in the indexes when they were last scanned, so that the next run notices a clock that
/// went back. Once an hour is often enough.
fn note_run(server: &mut Server, store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    let mut scans = Vec::new();
    for game in games::names() {
        let Wakeups { scanned, boards } = store.wakeups(game)?;
        if !boards.is_empty() && (scanned > now || scanned < now - HOUR) {
            scans.push((game, now));
        }
    }
    server.work.transaction.at = now;
    let mut noted = server.take_transaction();
    noted.index_updates.scans = scans;
    if noted.index_updates == IndexUpdates::default() { Ok(()) } else { store.commit(noted) }
}

/// Why a group failed.
enum GroupFailure {
    Fault(Fault),
    Panic,
}

impl GroupFailure {
    /// Returns the reason if only these documents failed; returns the fault if the machine did.
    fn reason_if_unreadable(self) -> Result<String, Fault> {
        match self {
            Self::Fault(fault) if !fault.is_unreadable_file() && !fault.is_conflict() => Err(fault),
            Self::Fault(fault) => Ok(fault.to_string()),
            Self::Panic => Ok("a bug in this program".into()),
        }
    }
}

/// Acts on some documents in one transaction.
fn act_together(
    server: &mut Server,
    keys: &[Key],
    store: &mut dyn Store,
    now: Time,
    guard: Option<&MarkerGuard>,
    tries: u32,
) -> Result<(), GroupFailure> {
    if let Some(guard) = guard {
        guard.begin(keys, tries).map_err(GroupFailure::Fault)?;
    }
    let work = AssertUnwindSafe(|| {
        let mut stages = server.stages(&*store, now);
        if store.is_remote() {
            stages.work.documents.gather(keys, &mut stages.env)?;
        }
        keys.iter().try_for_each(|key| act_on(key, &mut stages))?;
        let transaction = server.take_transaction();
        server.trim(store.is_remote());
        Ok(transaction)
    });
    let done = catch_unwind(work);
    if let Some(guard) = guard {
        guard.end();
    }
    let done = done.map_err(|_| GroupFailure::Panic)?.map_err(GroupFailure::Fault)?;
    store.commit(done).map_err(GroupFailure::Fault)
}

/// Acts on a document, if it is due, and on what follows.
fn act_on(key: &Key, stages: &mut Stages) -> Result<(), Fault> {
    let now = stages.env.now;
    stages.work.transaction.at = now;
    let BoardAct { mut mails, closed } = match *key {
        Key::Board(game, number) => {
            act_on_board(BoardId { game, number }, &mut stages.work.documents, &mut stages.env)?
        }
        _ => BoardAct { mails: wake(key, stages)?, closed: None },
    };
    let follows = settle(None, stages)?;
    // The mails about an end tell what followed from it, such as a new place on a ladder.
    let world = &stages.work.documents.world;
    mails.extend(closed.into_iter().flat_map(|id| reply::closed_by_clock(world, id, now)));
    mails.extend(follows);
    // A document is acted on once at a time.
    let cause = LetterCause::named(&format!("{} {now}", short_name(key)));
    stages.work.post(&mails, None, &cause, &mut stages.env)
}

/// Lets reactions act on a document that is due. One that is damaged, or that is still due
/// afterwards, is looked at again in an hour.
fn wake(key: &Key, stages: &mut Stages) -> Result<Vec<OutgoingMail>, Fault> {
    let now = stages.env.now;
    stages.work.documents.gather(std::slice::from_ref(key), &mut stages.env)?;
    let is_due = |stages: &Stages| {
        let world = &stages.work.documents.world;
        world.is_damaged(key) || world.wakeup(key).is_some_and(|at| at <= now)
    };
    if !is_due(stages) {
        return Ok(Vec::new());
    }
    let mails = settle(Some(Cause::Due(key.clone())), stages)?;
    if is_due(stages) {
        stages.work.documents.world.set_wakeup(key.clone(), now + HOUR);
    }
    Ok(mails)
}

/// Carries out reactions.
fn settle(cause: Option<Cause>, stages: &mut Stages) -> Result<Vec<OutgoingMail>, Fault> {
    let Stages { work, chance, env } = stages;
    reactions::settle(cause, &mut work.documents, &mut **chance, env)
}

/// What an act on a board leads to.
#[derive(Default)]
struct BoardAct {
    mails: Vec<OutgoingMail>,
    /// The board, if it was closed: its players are told after the reactions.
    closed: Option<BoardId>,
}

/// Acts on a board, if it is due.
fn act_on_board(
    id: BoardId,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<BoardAct, Fault> {
    // Nothing happens on a board while it or one of its players cannot be read; users who need it are
    // told. Its wakeup is not moved, so that nothing is late once it is mended.
    let now = env.now;
    let damaged = documents.world.load(&[board_key(id)], env.store)?;
    env.note_unreadable(&damaged);
    let Ok(board) = documents.world.board(id) else {
        // No such board. It may come back from a backup.
        if env.store.load(&board_key(id)).is_ok_and(|document| document.text.is_none()) {
            documents.world.set_wakeup(board_key(id), now + DAY);
        }
        return Ok(BoardAct::default());
    };
    if board.players.iter().any(|player| documents.world.user(player).is_none()) {
        return Ok(BoardAct::default());
    }
    if !board.is_over() && board.is_ahead(now) {
        apply_and_log(&Event::Board(id, BoardEvent::Restarted { at: now }), documents, env)?;
    }
    let board = documents.world.board(id).expect("it was there just now");
    // Its move is made by another task.
    if documents.world.awaits_engine(board) {
        documents.world.set_wakeup(board_key(id), board.waits_since());
        return Ok(BoardAct::default());
    }
    let clock = documents.world.clock(board, now);
    let mut closed = None;
    let mails = match clock.due(now) {
        DueAction::Nothing => {
            documents.world.set_wakeup(board_key(id), clock.wakeup());
            return Ok(BoardAct::default());
        }
        DueAction::Nag(seat) => nag(id, seat, documents, env)?,
        DueAction::Draw(seat) | DueAction::Forfeit(seat)
            if automatic_vacation(&documents.world, board, seat, now).is_some() =>
        {
            begin_vacation(id, seat, documents, env)?
        }
        DueAction::Draw(asked) => {
            let closing = Closing { at: now, seat: asked.0, by: ClosedBy::Assenting };
            closed = Some(close(id, closing, documents, env)?);
            Vec::new()
        }
        DueAction::Forfeit(seat) => {
            let closing = closing_on_time(board.has_moved(seat) || board.is_of_ladder, seat, now);
            closed = Some(close(id, closing, documents, env)?);
            Vec::new()
        }
    };
    Ok(BoardAct { mails, closed })
}

/// Applies an event of a clock and logs it.
fn apply_and_log(event: &Event, documents: &mut DocumentSet, env: &mut Env) -> Result<(), Fault> {
    documents.apply(event, env)?;
    env.note(format!("clock: {}", event.summary()));
    Ok(())
}

/// Reminds a player of a board that waits for them. If they opted out of reminders, their clock goes
/// on as if they had got one.
fn nag(
    id: BoardId,
    seat: Seat,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let event = Event::Board(id, BoardEvent::Reminded { at: env.now });
    let board = documents.world.board(id).expect("it was there just now");
    let player = board.player(seat).clone();
    if documents.world.user(&player).is_some_and(|user| user.preferences.wants(OptOut::Reminders)) {
        apply_and_log(&event, documents, env)?;
        Ok(vec![reply::reminder(&documents.world, id, seat, env.now)])
    } else {
        documents.apply(&event, env)?;
        env.note(format!("clock: {id}: {player} wants no reminder"));
        Ok(Vec::new())
    }
}

/// Returns the vacation that begins by itself before a player loses on time. A player who has never
/// moved may not know of the board, so it lapses.
fn automatic_vacation(
    world: &World,
    board: &Board,
    seat: Seat,
    now: Time,
) -> Option<AutomaticVacation> {
    let user = world.user(board.player(seat)).filter(|_| board.has_moved(seat));
    user?.automatic_vacation(now)
}

/// Takes a day of vacation for a player who would lose on time.
fn begin_vacation(
    id: BoardId,
    seat: Seat,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let board = documents.world.board(id).expect("it was there just now");
    let user = board.player(seat).clone();
    let Some(begun) = automatic_vacation(&documents.world, board, seat, env.now) else {
        return Ok(Vec::new());
    };
    let vacations = begun.vacations.clone();
    let event = Event::User(user, UserEvent::Rested { vacations, is_cut: false });
    apply_and_log(&event, documents, env)?;
    let world = &mut documents.world;
    let wakeup = world.clock(world.board(id).expect("it was there just now"), env.now).wakeup();
    world.set_wakeup(board_key(id), wakeup);
    let mail = begun.is_told.then(|| reply::vacation_began(world, id, seat, &begun, env.now));
    Ok(mail.into_iter().collect())
}

/// Closes a board, and returns it, so that its players and observers are told.
fn close(
    id: BoardId,
    closing: Closing,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<BoardId, Fault> {
    let board = documents.world.board(id).expect("it was there just now");
    let observers: Vec<Key> = board.observers.iter().map(user_key).collect();
    documents.world.load(&observers, env.store)?;
    apply_and_log(&Event::Board(id, BoardEvent::Closed(closing)), documents, env)?;
    turn_notices::note(&[id], None, documents, env)?;
    Ok(id)
}

/// Returns how a board ends on time. A player who never moved has not accepted the challenge, so
/// the board lapses and counts for nothing; a challenge on a ladder need not be accepted.
fn closing_on_time(is_accepted: bool, seat: Seat, at: Time) -> Closing {
    let by = if is_accepted { ClosedBy::Forfeiting } else { ClosedBy::Lapsing };
    Closing { at, seat: seat.0, by }
}
