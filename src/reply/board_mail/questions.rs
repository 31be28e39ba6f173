//! Questions to the reader of a mail, which come before anything else: a double, an offer to resign,
//! an offer of a draw, an undo or an analysis.

use crate::base::words::OrList;
use crate::model::board::Board;
use crate::reply::board_mail::{offers, recent_moves};
use games::{Next, Seat, View};

/// Returns what the opponent did that the player of a seat has to answer, as it follows the
/// opponent's name: `doubles`, `offers to resign a gammon`.
pub(crate) fn to_answer(board: &Board, seat: Seat) -> Option<String> {
    if board.is_over() || board.position().next() != Next::Move(seat) {
        return None;
    }
    let last = board.moves().last().filter(|last| last.seat != seat)?;
    recent_moves::question_of(&last.text)
}

/// Returns the questions to the reader: `bob doubles: do you take or drop?`
pub(crate) fn asked(board: &Board, view: &View) -> Option<String> {
    let seat = view.seat?;
    let word = to_answer(board, seat).map(|did| {
        let answers = board.position().moves();
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        format!("{} {did}: do you {}?", board.player(seat.other()), OrList(&answers))
    });
    let offer = offers::asked(board, view);
    let questions: Vec<String> = word.into_iter().chain(offer).collect();
    (!questions.is_empty()).then(|| questions.join(" "))
}
