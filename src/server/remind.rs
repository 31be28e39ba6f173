//! `remind`: acts on clocks that have run out. Players who let a board wait are reminded and
//! finally forfeit; players who leave an offer of a draw unanswered accept it.
//!
//! The store's index says which boards are due, the board says what to do. Changes are committed
//! together with their mails, so a run that is interrupted, late, or doubled does everything once.
//! A board at which runs keep dying is found by a [`Guard`] and put off, so that it does not hold
//! up the others.

use crate::base::ids::BoardId;
use crate::base::time::{DAY, HOUR, Time};
use crate::base::watchdog::Watchdog;
use crate::model::board::{BoardEvent, ClosedBy, Closing};
use crate::model::clock::DueAction;
use crate::model::user::OptOut;
use crate::model::world::event::Event;
use crate::model::world::{board_key, count_key, user_key};
use crate::reply::{self, OutgoingMail};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::letters::LetterCause;
use crate::server::unit_of_work::UnitOfWork;
use crate::server::{Server, Stages, turn_notices};
use crate::store::{Fault, IndexUpdates, Key, RunMarker, Store, Wakeups};
use games::Seat;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many boards are committed together.
const GROUP: usize = 64;
/// How often a run may die at a board before the board is put off.
const TRIES: u32 = 3;

/// The boards that a run was at when it died.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suspects {
    /// The boards; one of them was the cause.
    pub boards: Vec<BoardId>,
    /// How many runs have died at them.
    pub tries: u32,
}

/// Records which boards a run is at, for the next run if this one dies.
pub trait Guard {
    /// Returns the boards that the last run was at when it died.
    ///
    /// # Errors
    /// The machine failed.
    fn suspects(&mut self) -> Result<Suspects, Fault> {
        Ok(Suspects::default())
    }

    /// Records the beginning of work on these boards.
    ///
    /// # Errors
    /// The machine failed.
    fn begin(&mut self, boards: &[BoardId], tries: u32) -> Result<(), Fault> {
        let _ = (boards, tries);
        Ok(())
    }

    /// Records that the work is done, except for its commit.
    fn end(&mut self) {}
}

/// A guard with a marker file, which names the boards under way for the next run, and a watchdog,
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
}

impl Guard for MarkerGuard {
    fn suspects(&mut self) -> Result<Suspects, Fault> {
        // A marker cut off by a crash names nothing.
        let (tries, boards) = serde_json::from_str(&self.marker.read()?).unwrap_or_default();
        Ok(Suspects { boards, tries })
    }

    fn begin(&mut self, boards: &[BoardId], tries: u32) -> Result<(), Fault> {
        let text = serde_json::to_string(&(tries, boards)).expect("names and numbers are JSON");
        self.marker.write(&text)?;
        self.watchdog.begin();
        Ok(())
    }

    fn end(&mut self) {
        self.watchdog.end();
    }
}

/// A no-op guard.
struct NoGuard;

impl Guard for NoGuard {}

/// Returns the boards after `after` that are due, in order.
///
/// # Errors
/// The machine failed.
pub fn due(store: &dyn Store, after: Option<BoardId>, now: Time) -> Result<Vec<BoardId>, Fault> {
    let mut found = Vec::new();
    let mut games: Vec<&'static str> = games::names().collect();
    games.sort_unstable();
    for game in games {
        if after.is_some_and(|after| game < after.game) {
            continue;
        }
        let wakeups = store.wakeups(game)?;
        let count = store.load(&count_key(game))?.text.unwrap_or_default();
        // If the count was lost, boards known to the index must still be found.
        let known = u32::try_from(wakeups.boards.len()).unwrap_or(u32::MAX);
        let last = count.trim().parse().unwrap_or(0).max(known);
        let first = after.filter(|after| after.game == game).map_or(0, |after| after.number) + 1;
        // If the last run was later than now, the index was written while the clock was ahead.
        let is_wrong = wakeups.scanned > now + DAY;
        let is_due =
            |number: &u32| is_wrong || wakeups.board(*number).is_none_or(|wakeup| wakeup <= now);
        found.extend((first..=last).filter(is_due).map(|number| BoardId { game, number }));
    }
    Ok(found)
}

/// Acts on all due boards after `after`, in groups, as long as `may_continue` allows. Returns the last
/// board done if some are left.
///
/// # Errors
/// The machine failed. Nothing of the group under way is done.
pub fn run(
    server: &mut Server,
    store: &mut dyn Store,
    after: Option<BoardId>,
    now: Time,
    may_continue: &mut dyn FnMut(&mut Server) -> bool,
) -> Result<Option<BoardId>, Fault> {
    run_guarded(server, store, after, now, &mut NoGuard, may_continue)
}

/// Does the same as [`run`], under a guard.
///
/// # Errors
/// As [`run`].
pub fn run_guarded(
    server: &mut Server,
    store: &mut dyn Store,
    after: Option<BoardId>,
    now: Time,
    guard: &mut dyn Guard,
    may_continue: &mut dyn FnMut(&mut Server) -> bool,
) -> Result<Option<BoardId>, Fault> {
    let Suspects { boards, tries } = guard.suspects()?;
    if let ([board], true) = (&boards[..], tries >= TRIES) {
        // It is tried again when a player moves there, and once a day.
        server.work.documents.world.set_wakeup(*board, now + DAY);
        store.commit(server.take())?;
        server.log.push(format!("{board}: {tries} runs died at it; put off for a day"));
    } else {
        act_one_by_one(server, &boards, store, now, guard, tries + 1)?;
    }
    let boards = due(store, after, now)?;
    let mut groups = boards.chunks(GROUP).peekable();
    while let Some(group) = groups.next() {
        if let Err(failure) = act_together(server, group, store, now, guard, 1) {
            server.forget();
            failure.reason_if_passing()?;
            act_one_by_one(server, group, store, now, guard, 1)?;
        }
        let last = group.last().copied();
        if !may_continue(server) && groups.peek().is_some() {
            return Ok(last);
        }
    }
    note_run(server, store, now)?;
    Ok(None)
}

/// Acts on boards one by one, so that a failing board does not stop the others.
fn act_one_by_one(
    server: &mut Server,
    boards: &[BoardId],
    store: &mut dyn Store,
    now: Time,
    guard: &mut dyn Guard,
    tries: u32,
) -> Result<(), Fault> {
    for board in boards {
        if let Err(failure) = act_together(server, &[*board], store, now, guard, tries) {
            server.forget();
            let why = failure.reason_if_passing()?;
            server.log.push(format!("{board}: skipped: {why}"));
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
    let mut noted = server.take();
    noted.index_updates.scans = scans;
    if noted.index_updates == IndexUpdates::default() { Ok(()) } else { store.commit(noted) }
}

/// Why a group failed.
enum GroupFailure {
    Fault(Fault),
    Panic,
}

impl GroupFailure {
    /// Returns the reason if only these boards failed; returns the fault if the machine did.
    fn reason_if_passing(self) -> Result<String, Fault> {
        match self {
            Self::Fault(fault) if !fault.is_passing() && !fault.is_conflict() => Err(fault),
            Self::Fault(fault) => Ok(fault.to_string()),
            Self::Panic => Ok("a fault of this program".into()),
        }
    }
}

/// Acts on some boards in one transaction.
fn act_together(
    server: &mut Server,
    boards: &[BoardId],
    store: &mut dyn Store,
    now: Time,
    guard: &mut dyn Guard,
    tries: u32,
) -> Result<(), GroupFailure> {
    guard.begin(boards, tries).map_err(GroupFailure::Fault)?;
    let work = AssertUnwindSafe(|| {
        let Stages { work, env, .. } = &mut server.stages(&*store, now);
        if store.is_remote() {
            let keys: Vec<_> = boards.iter().copied().map(board_key).collect();
            work.documents.gather(&keys, env)?;
        }
        boards.iter().try_for_each(|board| act_on(*board, work, env))?;
        let transaction = server.take();
        server.trim(store.is_remote());
        Ok(transaction)
    });
    let done = catch_unwind(work);
    guard.end();
    let done = done.map_err(|_| GroupFailure::Panic)?.map_err(GroupFailure::Fault)?;
    store.commit(done).map_err(GroupFailure::Fault)
}

/// Acts on a board, if it is due.
fn act_on(id: BoardId, work: &mut UnitOfWork, env: &mut Env) -> Result<(), Fault> {
    // A board stands still while it or one of its players cannot be read; users who need it are
    // told. Its wakeup is not moved, so that nothing is late once it is mended.
    let (documents, now) = (&mut work.documents, env.now);
    let damaged = documents.world.load(&[board_key(id)], env.store)?;
    env.note_unreadable(&damaged);
    work.transaction.at = now;
    let Ok(board) = documents.world.board(id) else {
        // No such board. It may come back from a backup.
        if env.store.load(&board_key(id)).is_ok_and(|document| document.text.is_none()) {
            documents.world.set_wakeup(id, now + DAY);
        }
        return Ok(());
    };
    if board.players.iter().any(|player| documents.world.user(player).is_none()) {
        return Ok(());
    }
    let number = board.next_move();
    if !board.is_over() && board.is_ahead(now) {
        apply_and_log(&Event::Board(id, BoardEvent::Restarted { at: now }), documents, env)?;
    }
    let board = documents.world.board(id).expect("it was there just now");
    let clock = documents.world.clock(board, now);
    let outgoing = match clock.due(now) {
        DueAction::Nothing => {
            documents.world.set_wakeup(id, clock.wakeup());
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
    work.post(&outgoing, None, &LetterCause::named(&format!("{id} {number} {now}")), env)
}

/// Applies an event of a clock and logs it.
fn apply_and_log(event: &Event, documents: &mut DocumentSet, env: &mut Env) -> Result<(), Fault> {
    documents.apply(event, env)?;
    env.note(format!("clock: {}", event.summary()));
    Ok(())
}

/// Reminds a player. If they opted out of reminders, their clock goes on as if they had got one.
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

/// Closes a board and tells its players and observers.
fn close(
    id: BoardId,
    closing: Closing,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<OutgoingMail>, Fault> {
    let board = documents.world.board(id).expect("it was there just now");
    let observers: Vec<Key> = board.observers.iter().map(user_key).collect();
    documents.world.load(&observers, env.store)?;
    apply_and_log(&Event::Board(id, BoardEvent::Closed(closing)), documents, env)?;
    turn_notices::note(&[id], None, documents, env)?;
    Ok(reply::closed_by_clock(&documents.world, id, env.now))
}

/// Returns how a board ends on time. A player who never moved has not accepted the challenge, so
/// the board lapses and counts for nothing.
fn closing(has_moved: bool, seat: Seat, at: Time) -> Closing {
    let by = if has_moved { ClosedBy::Forfeiting } else { ClosedBy::Lapsing };
    Closing { at, seat: seat.0, by }
}
