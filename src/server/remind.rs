//! `remind`: the ends of clocks. Players who let a board wait are reminded, and forfeit in the
//! end; those who let the offer of a draw wait agree to it.
//!
//! The store's index says which boards have to be looked at; the board says what has to be done.
//! Changes are committed with their mails, so that a run that is broken off, late, or twice at
//! once does everything once. A board at which a run dies is found out ([`Guard`]) and put off, so
//! that it holds up no other.

use crate::base::ids::BoardId;
use crate::base::time::{DAY, HOUR, Time};
use crate::model::board::{BoardEvent, ClosedBy, Closing};
use crate::model::clock::DueAction;
use crate::model::user::OptOut;
use crate::model::world::event::Event;
use crate::model::world::{board_key, count_key, user_key};
use crate::reply::{self, OutgoingMail};
use crate::server::Server;
use crate::server::batch::UnitOfWork;
use crate::server::env::Env;
use crate::server::gather::DocumentSet;
use crate::server::letters::LetterCause;
use crate::store::{Fault, IndexUpdates, Key, Store, Wakeups};
use games::{GAMES, Seat};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Boards that are committed together.
const GROUP: usize = 64;
/// How often a run may die at a board before that is put off.
const TRIES: u32 = 3;

/// The boards that a run was at when it died.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suspects {
    /// It was one of these.
    pub boards: Vec<BoardId>,
    /// How many runs died at them.
    pub tries: u32,
}

/// Sees to it that a run that dies, or has to, tells the next one where.
pub trait Guard {
    /// The board that the last run was at when it died.
    ///
    /// # Errors
    /// The machine failed.
    fn suspects(&mut self) -> Result<Suspects, Fault> {
        Ok(Suspects::default())
    }

    /// These boards are begun.
    ///
    /// # Errors
    /// The machine failed.
    fn begin(&mut self, boards: &[BoardId], tries: u32) -> Result<(), Fault> {
        let _ = (boards, tries);
        Ok(())
    }

    /// They are done, except for their commit.
    fn end(&mut self) {}
}

/// For a run whose end nobody would outlive.
struct NoGuard;

impl Guard for NoGuard {}

/// The boards after that one that have to be looked at by now, in order.
///
/// # Errors
/// The machine failed.
pub fn due(store: &dyn Store, after: Option<BoardId>, now: Time) -> Result<Vec<BoardId>, Fault> {
    let mut found = Vec::new();
    let mut games: Vec<&'static str> = GAMES.iter().map(|game| game.spec().name).collect();
    games.sort_unstable();
    for game in games {
        if after.is_some_and(|after| game < after.game) {
            continue;
        }
        let wakeups = store.wakeups(game)?;
        let count = store.load(&count_key(game))?.text.unwrap_or_default();
        // A count that was lost must not keep the boards that are known from being looked at.
        let known = u32::try_from(wakeups.boards.len()).unwrap_or(u32::MAX);
        let last = count.trim().parse().unwrap_or(0).max(known);
        let first = after.filter(|after| after.game == game).map_or(0, |after| after.number) + 1;
        // Where the last run was later than now, the index was written while a clock was ahead.
        let is_wrong = wakeups.walked > now + DAY;
        let is_due =
            |number: &u32| is_wrong || wakeups.board(*number).is_none_or(|wakeup| wakeup <= now);
        found.extend((first..=last).filter(is_due).map(|number| BoardId { game, number }));
    }
    Ok(found)
}

/// Does what is due on the boards after that one, group by group, for as long as `may_go_on` says.
/// Returns the board after which it stopped, if there are more.
///
/// # Errors
/// The machine failed: of the group that was under way nothing is done.
pub fn run(
    server: &mut Server,
    store: &mut dyn Store,
    after: Option<BoardId>,
    now: Time,
    may_go_on: &mut dyn FnMut(&mut Server) -> bool,
) -> Result<Option<BoardId>, Fault> {
    run_guarded(server, store, after, now, &mut NoGuard, may_go_on)
}

/// [`run`], guarded.
///
/// # Errors
/// As [`run`].
pub fn run_guarded(
    server: &mut Server,
    store: &mut dyn Store,
    after: Option<BoardId>,
    now: Time,
    guard: &mut dyn Guard,
    may_go_on: &mut dyn FnMut(&mut Server) -> bool,
) -> Result<Option<BoardId>, Fault> {
    let Suspects { boards, tries } = guard.suspects()?;
    if let ([board], true) = (&boards[..], tries >= TRIES) {
        // It is tried again when a player moves there, and once a day.
        server.batch.documents.world.look(*board, now + DAY);
        store.commit(server.take())?;
        server.log.push(format!("{board}: a run ended at it {tries} times; put off for a day"));
    } else {
        one_by_one(server, &boards, store, now, guard, tries + 1)?;
    }
    let boards = due(store, after, now)?;
    let mut groups = boards.chunks(GROUP).peekable();
    while let Some(group) = groups.next() {
        if let Err(failure) = together(server, group, store, now, guard, 1) {
            server.forget();
            failure.passed()?;
            one_by_one(server, group, store, now, guard, 1)?;
        }
        let last = group.last().copied();
        if !may_go_on(server) && groups.peek().is_some() {
            return Ok(last);
        }
    }
    note_run(server, store, now)?;
    Ok(None)
}

/// The others do not wait for one that fails.
fn one_by_one(
    server: &mut Server,
    boards: &[BoardId],
    store: &mut dyn Store,
    now: Time,
    guard: &mut dyn Guard,
    tries: u32,
) -> Result<(), Fault> {
    for board in boards {
        if let Err(failure) = together(server, &[*board], store, now, guard, tries) {
            server.forget();
            let why = failure.passed()?;
            server.log.push(format!("{board}: cannot be looked at: {why}"));
        }
    }
    Ok(())
}

/// Notes in the indexes when they were walked through, so that the next run sees whether the clock
/// went back. Once an hour is often enough.
fn note_run(server: &mut Server, store: &mut dyn Store, now: Time) -> Result<(), Fault> {
    let mut walks = Vec::new();
    for game in GAMES.iter().map(|game| game.spec().name) {
        let Wakeups { walked, boards } = store.wakeups(game)?;
        if !boards.is_empty() && (walked > now || walked < now - HOUR) {
            walks.push((game, now));
        }
    }
    server.batch.transaction.at = now;
    let mut noted = server.take();
    noted.index_updates.walks = walks;
    if noted.index_updates == IndexUpdates::default() { Ok(()) } else { store.commit(noted) }
}

/// Why a group was not done.
enum GroupFailure {
    Fault(Fault),
    Panic,
}

impl GroupFailure {
    /// In words, if it is the failure of one board, and the machine is well.
    fn passed(self) -> Result<String, Fault> {
        match self {
            Self::Fault(fault) if !fault.is_passing() && !fault.is_conflict() => Err(fault),
            Self::Fault(fault) => Ok(fault.to_string()),
            Self::Panic => Ok("a fault of this program".into()),
        }
    }
}

/// Does what is due on some boards, as one transaction.
fn together(
    server: &mut Server,
    boards: &[BoardId],
    store: &mut dyn Store,
    now: Time,
    guard: &mut dyn Guard,
    tries: u32,
) -> Result<(), GroupFailure> {
    guard.begin(boards, tries).map_err(GroupFailure::Fault)?;
    let work = AssertUnwindSafe(|| {
        let (batch, _, env) = &mut server.stages(&*store, now);
        if store.is_far() {
            let keys: Vec<_> = boards.iter().copied().map(board_key).collect();
            batch.documents.gather(&keys, env)?;
        }
        boards.iter().try_for_each(|board| look_at(*board, batch, env))?;
        let transaction = server.take();
        server.trim(store.is_far());
        Ok(transaction)
    });
    let done = catch_unwind(work);
    guard.end();
    let done = done.map_err(|_| GroupFailure::Panic)?.map_err(GroupFailure::Fault)?;
    store.commit(done).map_err(GroupFailure::Fault)
}

/// Does what is due on a board.
fn look_at(id: BoardId, batch: &mut UnitOfWork, env: &mut Env) -> Result<(), Fault> {
    // A board does not go on while it or one of its players cannot be read; users who need it are
    // told. It is looked at every time, so that nothing is late once it is mended.
    let (documents, now) = (&mut batch.documents, env.now);
    let damaged = documents.world.gather(&[board_key(id)], env.store)?;
    env.met(&damaged);
    batch.transaction.at = now;
    let Ok(board) = documents.world.board(id) else {
        // Nothing of that number: it may come back from a backup.
        if env.store.load(&board_key(id)).is_ok_and(|document| document.text.is_none()) {
            documents.world.look(id, now + DAY);
        }
        return Ok(());
    };
    if board.players.iter().any(|player| documents.world.user(player).is_none()) {
        return Ok(());
    }
    let number = board.next_move();
    if !board.is_over() && board.is_ahead(now) {
        happen(&Event::Board(id, BoardEvent::Restarted { at: now }), documents, env)?;
    }
    let board = documents.world.board(id).expect("it was there just now");
    let clock = documents.world.clock(board, now);
    let outgoing = match clock.due(now) {
        DueAction::Nothing => {
            documents.world.look(id, clock.wakeup());
            return Ok(());
        }
        DueAction::Nag(seat) => nag(id, seat, documents, env)?,
        DueAction::Draw(asked) => {
            let closing = Closing { at: now, seat: asked.0, by: ClosedBy::Assenting };
            close(id, closing, documents, env)?
        }
        DueAction::Forfeit(seat) => {
            close(id, closing(board.has_moved(seat), seat, now), documents, env)?
        }
    };
    batch.post(&outgoing, None, &LetterCause::named(&format!("{id} {number} {now}")), env)
}

/// The clock does something, and the log says what.
fn happen(event: &Event, documents: &mut DocumentSet, env: &mut Env) -> Result<(), Fault> {
    documents.apply(event, env)?;
    env.note(format!("clock: {}", event.summary()));
    Ok(())
}

/// Reminds a player. The clock of those who want no reminder goes on as if they had got it: they
/// know.
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
        happen(&event, documents, env)?;
        Ok(vec![reply::reminder(&documents.world, id, seat, env.now)])
    } else {
        documents.apply(&event, env)?;
        env.note(format!("clock: {id}: {player} wants no reminder"));
        Ok(Vec::new())
    }
}

/// Ends a board; everybody there is told.
fn close(
    id: BoardId,
    closing: Closing,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let board = documents.world.board(id).expect("it was there just now");
    let observers: Vec<Key> = board.observers.iter().map(user_key).collect();
    documents.world.gather(&observers, env.store)?;
    happen(&Event::Board(id, BoardEvent::Closed(closing)), documents, env)?;
    Ok(reply::closed_by_clock(&documents.world, id, env.now))
}

/// A player who never moved has not taken the challenge: that counts for nothing, however long it
/// took.
fn closing(has_moved: bool, seat: Seat, at: Time) -> Closing {
    let by = if has_moved { ClosedBy::Forfeiting } else { ClosedBy::Lapsing };
    Closing { at, seat: seat.0, by }
}
