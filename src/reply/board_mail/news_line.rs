//! The first line of a board's page: what was played since the reader's last decision, and whose turn
//! it is.

use crate::model::board::{Board, BoardStatus, RecordedMove};
use crate::reply::board_mail::state_sentence::{dice_to_play, state_sentence};
use crate::reply::board_mail::{questions, recent_moves};
use games::{Next, View};

/// Returns the line: `bob played 24/20,13/10 with 6-4. Your turn: 4-3.`
pub(crate) fn news_line(board: &Board, view: &View) -> String {
    let mut played = recent_moves::sentences(board, new_moves(board, view), view);
    if board.is_over() {
        played.insert(0, state_sentence(board, view.seat));
    } else {
        played.push(turn(board, view));
    }
    played.join(" ")
}

/// Returns how many moves are new for the reader. For a player who is to move, these are the moves
/// after their last decision; for their opponent, that decision, too; for others, the last turn.
fn new_moves(board: &Board, view: &View) -> usize {
    let moves: Vec<RecordedMove> = board.moves().collect();
    let Some(seat) = view.seat else {
        let last = moves.last().map(|turn| turn.seat);
        return moves.iter().rev().take_while(|turn| Some(turn.seat) == last).count();
    };
    let is_own = |turn: &RecordedMove| turn.seat == seat && !turn.auto;
    let after = moves.iter().rev().take_while(|turn| !is_own(turn)).count();
    if board.position().next().asks(seat) {
        return after;
    }
    // The last turn of the reader may have had several moves.
    let own = moves.iter().rev().skip(after).take_while(|turn| is_own(turn)).count();
    after + if board.game.spec().manner.has_multi_move_turns { own } else { own.min(1) }
}

/// Returns whose turn it is.
fn turn(board: &Board, view: &View) -> String {
    let BoardStatus::ToMove(seat) = board.status() else { return String::new() };
    let dice = dice_to_play(board).map(recent_moves::rolled);
    if view.seat != Some(seat) {
        let dice = dice.map_or_else(String::new, |dice| format!(": {dice}"));
        return format!("It is {}'s turn{dice}.", board.player(seat));
    }
    if questions::to_answer(board, seat).is_some() {
        return "Your turn to answer.".into();
    }
    match (board.position().next(), dice) {
        (Next::Ready(..), _) => match board.position().first_move() {
            Some(action) => format!("Your turn: roll or {action}."),
            None => "Your turn: roll.".into(),
        },
        (_, Some(dice)) => format!("Your turn: {dice}."),
        (_, None) => "Your turn.".into(),
    }
}
