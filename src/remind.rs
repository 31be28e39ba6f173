//! `remind`: what comes of clocks. Whoever lets a board wait is reminded, and forfeits in the end.
//!
//! The store's index says which boards have to be looked at; the board says what has to be done.
//! What was done is committed with its mails, so that a run that is broken off, late, or twice at
//! once does everything once.

use crate::board::{ClosedBy, Closing};
use crate::clock::{DAY, Due};
use crate::event::Event;
use crate::ids::BoardId;
use crate::reply;
use crate::server::Server;
use crate::store::{Fault, Key, Store};
use crate::world::board_key;
use games::{GAMES, Seat};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Boards that are committed together.
const GROUP: usize = 64;

/// The boards behind that one that have to be looked at by now, in order.
///
/// # Errors
/// The machine failed.
pub fn due(store: &dyn Store, after: Option<BoardId>, now: i64) -> Result<Vec<BoardId>, Fault> {
    let mut found = Vec::new();
    let mut games: Vec<&'static str> = GAMES.iter().map(|game| game.spec().name).collect();
    games.sort_unstable();
    for game in games {
        if after.is_some_and(|after| game < after.game) {
            continue;
        }
        let looks = store.looks(game)?;
        let count = store.load(&Key::Count(game))?.text.unwrap_or_default();
        // A count that was lost must not keep the boards that are known from being looked at.
        let known = u32::try_from(looks.len()).unwrap_or(u32::MAX).saturating_sub(1);
        let last = count.trim().parse().unwrap_or(0).max(known);
        let first = after.filter(|after| after.game == game).map_or(0, |after| after.number) + 1;
        let is_due = |number: &u32| looks.get(*number as usize).is_none_or(|look| *look <= now);
        found.extend((first..=last).filter(is_due).map(|number| BoardId { game, number }));
    }
    Ok(found)
}

/// Does what is due on the boards behind that one, group by group, for as long as `may_go_on`
/// says. Returns the board it stopped behind, if there are more.
///
/// # Errors
/// The machine failed: of the group that was under way nothing is done.
pub fn run(
    server: &mut Server,
    store: &mut dyn Store,
    after: Option<BoardId>,
    now: i64,
    may_go_on: &mut dyn FnMut(&mut Server) -> bool,
) -> Result<Option<BoardId>, Fault> {
    let boards = due(store, after, now)?;
    let mut groups = boards.chunks(GROUP).peekable();
    while let Some(group) = groups.next() {
        if let Err(trouble) = together(server, group, store, now) {
            server.forget();
            trouble.passed()?;
            for board in group {
                // The others do not wait for one that fails.
                if let Err(trouble) = together(server, &[*board], store, now) {
                    server.forget();
                    let why = trouble.passed()?;
                    server.log.push(format!("{board}: cannot be looked at: {why}"));
                }
            }
        }
        let last = group.last().copied();
        if !may_go_on(server) && groups.peek().is_some() {
            return Ok(last);
        }
    }
    Ok(None)
}

/// Why a group was not done.
enum Trouble {
    Fault(Fault),
    Panic,
}

impl Trouble {
    /// In words, if it is the trouble of one board and the machine is well.
    fn passed(self) -> Result<String, Fault> {
        match self {
            Self::Fault(fault) if !fault.is_passing() => Err(fault),
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
    now: i64,
) -> Result<(), Trouble> {
    let work = AssertUnwindSafe(|| {
        boards.iter().try_for_each(|board| server.remind(*board, &*store, now))?;
        let transaction = server.take();
        server.trim();
        Ok(transaction)
    });
    let done = catch_unwind(work).map_err(|_| Trouble::Panic)?.map_err(Trouble::Fault)?;
    store.commit(&done).map_err(Trouble::Fault)
}

impl Server<'_> {
    /// Does what is due on a board.
    ///
    /// # Errors
    /// The machine failed.
    pub fn remind(&mut self, id: BoardId, store: &dyn Store, now: i64) -> Result<(), Fault> {
        // A board or a player that cannot be read stands still; who needs it is told. It is looked
        // at every time, so that nothing is late once it is mended.
        self.world.gather(&[board_key(id)], store)?;
        self.done.at = now;
        let Ok(board) = self.world.board(id) else {
            // Nothing of that number: it may come back from a backup.
            if store.load(&board_key(id)).is_ok_and(|document| document.text.is_none()) {
                self.world.look(id, now + DAY);
            }
            return Ok(());
        };
        if board.players.iter().any(|player| self.world.user(player).is_none()) {
            return Ok(());
        }
        let clock = self.world.clock(board, now);
        let number = board.next_move();
        let (event, outgoing) = match clock.due(now) {
            Due::Nothing => {
                self.world.look(id, clock.look());
                return Ok(());
            }
            Due::Nag(seat) => {
                let event = Event::Reminded { board: id, at: now };
                self.world.apply(&event);
                (event, vec![reply::remind(&self.world, id, seat, now)])
            }
            Due::Forfeit(seat) => {
                let event =
                    Event::Closed { board: id, closing: closing(board.has_moved(seat), seat, now) };
                self.world.apply(&event);
                (event, reply::forfeit(&self.world, id, now))
            }
        };
        self.log.push(format!("clock: {}", event.summary()));
        self.post_all(&outgoing, &format!("{id} {number} {now}"), store, now)
    }
}

/// Who never moved has not taken the challenge: that counts for nothing, however long it took.
fn closing(has_moved: bool, seat: Seat, at: i64) -> Closing {
    let by = if has_moved { ClosedBy::Forfeiting } else { ClosedBy::Lapsing };
    Closing { at, seat: seat.0, by }
}
