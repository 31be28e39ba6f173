//! What a board and its players are called in a sentence.

use crate::model::board::Board;
use games::Seat;

/// The name of a board in a sentence.
pub(crate) fn board_name(board: &Board) -> String {
    format!("{} board {}", board.game.spec().title, board.id.number)
}

/// `You` or the name of a player, with the verb that goes with each.
pub(crate) fn subject_and_verb(
    board: &Board,
    seat: Seat,
    reader: Option<Seat>,
    [you, they]: [&str; 2],
) -> String {
    if reader == Some(seat) {
        format!("You {you}")
    } else {
        format!("{} {they}", board.player(seat))
    }
}

/// `you` or the name of a player, in a sentence.
pub(crate) fn object_name(board: &Board, seat: Seat, reader: Option<Seat>) -> String {
    if reader == Some(seat) { "you".into() } else { board.player(seat).to_string() }
}

/// The names of the players, seat 0 first.
pub(crate) fn player_names(board: &Board) -> [&str; 2] {
    [board.players[0].as_str(), board.players[1].as_str()]
}
