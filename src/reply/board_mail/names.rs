//! Names of a board and its players in a sentence.

use crate::model::board::Board;
use crate::model::program;
use games::Seat;

/// Returns the name of a board: `Malaka board 17`.
pub(crate) fn board_name(board: &Board) -> String {
    format!("{} board {}", board.game.spec().title, board.id.number)
}

/// Returns `You` or the player's name with its verb: `You have won`, `bob has won`.
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

/// Returns `you` or the player's name, within a sentence.
pub(crate) fn object_name(board: &Board, seat: Seat, reader: Option<Seat>) -> String {
    if reader == Some(seat) { "you".into() } else { board.player(seat).to_string() }
}

/// Returns a player's userid, for `board5` with the program that has made its latest move:
/// `board5 (Stockfish 15.1)`.
pub(crate) fn player_and_engine(board: &Board, seat: Seat) -> String {
    let player = board.player(seat);
    match &board.engine {
        Some(engine) if player == program::engine() => format!("{player} ({engine})"),
        _ => player.to_string(),
    }
}

/// Returns the names of the players, seat 0's first.
pub(crate) fn player_names(board: &Board) -> [&str; 2] {
    [board.players[0].as_str(), board.players[1].as_str()]
}
