//! Checks the users' lists of their boards.

use super::{CheckedUser, HomeCheck};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::program;
use std::collections::HashMap;

/// A user's boards, each with its sort key.
#[derive(Default)]
pub(super) struct BoardLists {
    active: Vec<(Time, BoardId)>,
    finished: Vec<(Time, BoardId)>,
}

/// Adds a board to the lists of its players. The program has no lists unless it has an account.
pub(super) fn add(board: &Board, lists: &mut HashMap<UserId, BoardLists>, home: &HomeCheck) {
    let has_lists =
        |player: &&UserId| program::level(player).is_none() || home.users.contains_key(player);
    for player in board.players.iter().filter(has_lists) {
        let lists = lists.entry(player.clone()).or_default();
        match board.ended_at() {
            Some(at) => lists.finished.push((at, board.id)),
            None => lists.active.push((board.started, board.id)),
        }
    }
}

/// Compares the users' lists with those that follow from the boards.
pub(super) fn compare(mut lists: HashMap<UserId, BoardLists>, home: &mut HomeCheck) {
    let report = &mut home.report;
    for (id, CheckedUser { should: user, .. }) in &mut home.users {
        let BoardLists { active, finished } = lists.remove(id).unwrap_or_default();
        let stopped = user.stopped.len();
        user.stopped.retain(|address| user.addresses.contains(address));
        if user.stopped.len() < stopped {
            report.mended.push(format!("{id} has no mails sent to an address that is not theirs"));
        }
        if user.left.is_some() && !active.is_empty() {
            report.wrong.push(format!("{id} has left, but still plays"));
        }
        for (what, has, mut should) in
            [("active", &mut user.active, active), ("finished", &mut user.finished, finished)]
        {
            should.sort_unstable();
            let should: Vec<BoardId> = should.into_iter().map(|(_, board)| board).collect();
            if sorted(has) != sorted(&should) {
                report
                    .mended
                    .push(format!("the list of {what} boards of {id} differs from the boards"));
                *has = should;
            }
        }
    }
    for id in lists.keys() {
        report.wrong.push(format!("{id} has boards, but no account"));
    }
}

fn sorted(boards: &[BoardId]) -> Vec<BoardId> {
    let mut boards = boards.to_vec();
    boards.sort_unstable();
    boards
}
