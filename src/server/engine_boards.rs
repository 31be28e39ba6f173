//! Finds the boards that wait for a move of `board5`: those that the indexes call due at once.

use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::model::world::{World, board_key};
use crate::store::{Fault, Store};
use games::{GAMES, Transcript};

/// A board that waits for a move of `board5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitedMove {
    /// The board.
    pub board: BoardId,
    /// Its record.
    pub record: Transcript,
}

/// Returns the boards that wait for a move of `board5`, the longest waiting first, at most `most`.
///
/// # Errors
/// The machine failed.
pub fn awaited_moves(store: &dyn Store, now: Time, most: usize) -> Result<Vec<AwaitedMove>, Fault> {
    let mut due = Vec::new();
    for game in GAMES.iter().filter(|game| game.engine_protocol().is_some()) {
        let name = game.spec().name;
        let wakeups = (1..).zip(store.wakeups(name)?.boards);
        // A board whose wakeup was lost gets it again from the next run over clocks.
        let is_due = |at: &Time| *at <= now && *at != Time::EPOCH;
        let boards = wakeups.filter(|(_, at)| is_due(at));
        due.extend(boards.map(|(number, at)| (at, BoardId { game: name, number })));
    }
    due.sort_unstable();
    let mut found = Vec::new();
    for (_, board) in due {
        if found.len() == most {
            break;
        }
        let mut world = World::default();
        // A damaged board waits until it is mended, as it does for players.
        world.load(&[board_key(board)], store)?;
        let Ok(loaded) = world.board(board) else { continue };
        if world.awaits_engine(loaded) {
            found.push(AwaitedMove { board, record: loaded.transcript(None) });
        }
    }
    Ok(found)
}
