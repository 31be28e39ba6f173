//! `board undo`: takes moves back.

use super::draft::RepairDraft;
use super::replace_board::{RatingUpdate, replace_board};
use super::{
    Repair, RepairError, finish, is_program, rating_summary, read_players, tell, time_off,
};
use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::model::board::{Board, DecisionPoint, RewindRecord, entry_word};
use crate::model::clock::{TimeOff, WaitingTimes, waiting_times};
use crate::model::world::board_key;
use crate::model::world::event::Event;
use crate::refusal::{OperatorRefusal, TextError};
use crate::reply::{BoardNews, OperatorUndo};
use crate::server::{Server, Stages};
use crate::store::{Documents as _, Store};
use games::{Entry, Seat};

/// Takes back the latest decisions on a board, or reopens it.
///
/// # Errors
/// The machine failed, or there are not so many decisions.
pub fn undo(
    server: &mut Server,
    store: &dyn Store,
    id: BoardId,
    decisions: usize,
    new_dice: bool,
    now: Time,
) -> Result<Repair, RepairError> {
    let Stages { work, env, .. } = &mut server.stages(store, now);
    let mut draft = RepairDraft::new(store);
    let was = draft.board(id)?.ok_or(OperatorRefusal::NoBoard(id))?;
    let mut board = draft.board(id)?.ok_or(OperatorRefusal::NoBoard(id))?;
    let players = read_players(&draft, &board)?;
    let off = time_off(&players);
    let [one, other] = Seat::BOTH.map(|seat| is_program(&draft, &board, seat));
    let programs = [one?, other?];
    let (undone, entries) = take_back(&mut board, decisions, new_dice, programs, off, now)?;
    let dropped = drop_plans(&mut board);
    let version = draft.load(&board_key(id))?.version;
    let RatingUpdate { rerated, unrated } =
        replace_board(&mut draft, Some(&was), version, board, now)?;
    if let Some(line) = unrated {
        return Err(RepairError::Unrated(line));
    }
    let words: Vec<String> = entries.iter().map(entry_word).collect();
    let closing = was.closing.map(|closing| format!("{:?}", closing.by).to_lowercase());
    let taken: Vec<String> = closing.into_iter().chain(words).collect();
    let dice = if new_dice { "; new dice" } else { "" };
    let line = format!("{id}: taken back: {}{dice}", taken.join(" "));
    let told = tell(&draft, id, &BoardNews::OperatorUndone(undone), &dropped, work, env)?;
    env.note(&*line);
    let said = format!("{line}\n{told}{}", rating_summary(id, rerated));
    Ok(Repair { transaction: finish(draft, work, now), said })
}

/// Returns how many decisions can be taken back on a board; the way it was closed counts as one.
///
/// # Errors
/// The machine failed, or the board or a player cannot be read.
pub fn decision_count(store: &dyn Store, id: BoardId) -> Result<usize, RepairError> {
    let draft = RepairDraft::new(store);
    let board = draft.board(id)?.ok_or(OperatorRefusal::NoBoard(id))?;
    let [one, other] = Seat::BOTH.map(|seat| is_program(&draft, &board, seat));
    Ok(undoable_decisions(&board, [one?, other?]).len() + usize::from(board.closing.is_some()))
}

/// Checks that a board still has the number of decisions that an administrator saw.
///
/// # Errors
/// It has another number, the machine failed, or the board or a player cannot be read.
pub fn check_decision_count(
    store: &dyn Store,
    id: BoardId,
    shown: usize,
) -> Result<(), RepairError> {
    let decisions = decision_count(store, id)?;
    if decisions == shown {
        return Ok(());
    }
    Err(OperatorRefusal::DecidedSince { board: id, shown, decisions }.into())
}

/// Returns the decisions that can be taken back, latest first. A decision of the program is undone
/// with the one that it answered.
fn undoable_decisions(board: &Board, programs: [bool; 2]) -> Vec<DecisionPoint> {
    let mut decided = board.decisions();
    decided.retain(|one| {
        let entry = &board.record[board.record.len() - one.entries].entry;
        !Seat::BOTH.into_iter().any(|seat| programs[seat.index()] && entry.is_decision_of(seat))
    });
    decided
}

/// Drops the plans of both players, since they were meant for another course of the game.
fn drop_plans(board: &mut Board) -> Vec<Event> {
    let ended = board.plans_undone();
    board.plans = Default::default();
    ended.into_iter().map(|event| Event::Board(board.id, event)).collect()
}

/// Takes back the latest `decisions` of a board; the way it was closed counts as one. Returns the
/// removed entries, oldest first.
fn take_back(
    board: &mut Board,
    decisions: usize,
    new_dice: bool,
    programs: [bool; 2],
    off: [TimeOff; 2],
    at: Time,
) -> Result<(OperatorUndo, Vec<Entry>), OperatorRefusal> {
    let id = board.id;
    let is_reopened = board.closing.is_some();
    let decided = undoable_decisions(board, programs);
    let all = decided.len() + usize::from(is_reopened);
    if all == 0 {
        return Err(OperatorRefusal::NothingDecided(id));
    }
    if decisions > all {
        return Err(OperatorRefusal::TooFew { board: id, decisions: all });
    }
    let from = decisions.checked_sub(1 + usize::from(is_reopened)).map(|last| decided[last]);
    // The undone decisions, and the time since, count for no clock.
    let kept = board.record.len() - from.map_or(0, |from| from.entries);
    board.rewound = board.rewound.filter(|rewound| rewound.entries <= kept);
    let WaitingTimes { used, banks, .. } = waiting_times(board, kept, off, at);
    let moved = Seat::BOTH.map(|seat| board.had_moved(seat, kept));
    let stays = RewindRecord { at, entries: kept, used, banks, moved };
    if is_reopened {
        board.reopen(stays);
    }
    let mut entries = Vec::new();
    if let Some(from) = from {
        let taken = &board.record[board.record.len() - from.entries..];
        entries.extend(taken.iter().map(|line| line.entry.clone()));
        board.take_back(stays);
    }
    board.void_replies();
    if new_dice {
        board.renew_dice(at);
    }
    if board.lacks_chance() {
        let why = "the record ends before a roll, `board edit` has to add it";
        return Err(OperatorRefusal::NoGoodBoard(vec![TextError::of_all(why)]));
    }
    let from = from.map(|from| from.moveno);
    Ok((OperatorUndo { is_reopened, from, has_new_dice: new_dice }, entries))
}
