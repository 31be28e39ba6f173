//! Players who begin a board, or make its first or last moves, are noted as active in its game.

use crate::base::ids::{BoardId, UserId};
use crate::command::Needs;
use crate::command::reactions::{Cause, Consequence, Reaction};
use crate::model::board::BoardEvent;
use crate::model::recent_players::{PlayersActive, recent_players_key};
use crate::model::service::ServiceContext;
use crate::model::world::World;
use crate::model::world::event::Event;
use games::Seat;

pub(super) struct ActivePlayers;

/// The moves of a board at which its players are noted: the first of each.
const FIRST_MOVES: usize = 2;

/// A board, and those of its players who were active there.
struct Activity {
    board: BoardId,
    users: Vec<UserId>,
}

/// Returns the activity that an event shows.
fn activity(cause: &Cause, world: &World) -> Option<Activity> {
    let (board, seats) = match cause {
        // Who asks for a board is active; who is asked may not be.
        Cause::Event(Event::Challenged(new)) => {
            let asked_by = new.challenger.map_or_else(|| Seat::BOTH.to_vec(), |seat| vec![seat]);
            (new.board, asked_by)
        }
        Cause::Event(Event::Board(id, BoardEvent::Played { .. })) => {
            let board = world.loaded_board(*id)?;
            let is_early = board.next_move() <= 1 + FIRST_MOVES;
            let moved = Seat::BOTH.into_iter().filter(|seat| board.has_moved(*seat)).collect();
            (*id, if is_early || board.is_over() { moved } else { Vec::new() })
        }
        _ => return None,
    };
    let found = world.loaded_board(board)?;
    // A game for one player has no opponents.
    let players = Some(&found.players).filter(|_| !found.game.spec().manner.is_solo)?;
    let is_person = |user: &&UserId| world.level(user).is_none() && !world.is_guest(user);
    let users = seats.into_iter().map(|seat| &players[seat.index()]).filter(is_person);
    let users: Vec<UserId> = users.cloned().collect();
    (!users.is_empty()).then_some(Activity { board, users })
}

impl Reaction for ActivePlayers {
    fn needs(&self, cause: &Cause, world: &World) -> Option<Needs> {
        let Activity { board, .. } = activity(cause, world)?;
        Some(Needs::Keys(vec![recent_players_key(board.game)]))
    }

    fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence> {
        let Some(Activity { board, mut users }) = activity(cause, world) else { return Vec::new() };
        let recent = world.recent_players(board.game);
        if recent.is_some_and(|recent| recent.is_busy(cx.now)) {
            return Vec::new();
        }
        users.retain(|user| recent.is_none_or(|recent| !recent.is_noted(user, cx.now)));
        users.dedup();
        if users.is_empty() {
            return Vec::new();
        }
        let event = Event::PlayersActive(board.game, PlayersActive { users, at: cx.now });
        vec![Consequence::silent(event)]
    }
}
