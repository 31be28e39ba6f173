//! Questions to the reader of a mail, which come before anything else: a double, an offer to resign,
//! an offer of a draw, an undo or an analysis.

use crate::base::words::OrList;
use crate::model::board::Board;
use crate::reply::board_mail::{offers, recent_moves};
use games::{Diagram, Next, Seat, View};

/// Returns what the opponent did that the player of a seat has to answer, as it follows the
/// opponent's name: `doubles`, `offers to resign a gammon`.
pub(crate) fn to_answer(board: &Board, seat: Seat) -> Option<String> {
    if board.is_over() || board.position().next() != Next::Move(seat) {
        return None;
    }
    let last = board.moves().last().filter(|last| last.seat != seat)?;
    // Who resigns all that can be lost asks nothing: the next game of the match has begun.
    let is_offered = match board.position().diagram(&View::default()) {
        Diagram::Points(points) => points.resigns.is_some(),
        Diagram::Corridor(_) | Diagram::Board(_) => false,
    };
    recent_moves::question_of(&last.text).filter(|_| is_offered || !last.text.starts_with("resign"))
}

/// Returns the questions to the reader: `bob doubles: do you take or drop?`
pub(crate) fn asked(board: &Board, view: &View) -> Option<String> {
    let word = about_move(board, view.seat?);
    let offer = offers::asked(board, view);
    let questions: Vec<String> = word.into_iter().chain(offer).collect();
    (!questions.is_empty()).then(|| questions.join(" "))
}

/// Returns the question that the opponent's last move asks the player of a seat, for a page that has a
/// button for each answer.
pub(crate) fn with_buttons(board: &Board, seat: Seat) -> Option<String> {
    let did = to_answer(board, seat)?;
    let asks = if did.contains("resign") { "do you accept?" } else { "do you take or pass?" };
    Some(format!("{} {did}: {asks}", board.player(seat.other())))
}

/// Returns the question that the opponent's last move asks the player of a seat.
fn about_move(board: &Board, seat: Seat) -> Option<String> {
    let did = to_answer(board, seat)?;
    let answers = board.position().moves();
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    Some(format!("{} {did}: do you {}?", board.player(seat.other()), OrList(&answers)))
}
