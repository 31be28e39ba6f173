//! A board as JSON, in the lists of the API and of the shell.

use crate::model::board::{Board, BoardStatus};
use games::Outcome;
use serde_json::{Value, json};

/// Returns the public facts of a board: its players, whose turn it is, and its result.
pub fn board_summary(board: &Board) -> Value {
    let (turn, over) = match board.status() {
        BoardStatus::ToMove(seat) => (Some(seat), None),
        BoardStatus::Ended(Outcome::Won { by, points, reason }) => {
            (None, Some(json!({ "winner": board.player(by), "points": points, "reason": reason })))
        }
        BoardStatus::Ended(Outcome::Drawn { reason }) => {
            (None, Some(json!({ "winner": null, "reason": reason })))
        }
        BoardStatus::Closed(closing) => {
            let winner = closing.winner().filter(|_| board.is_answered());
            let winner = winner.map(|seat| board.player(seat));
            (None, Some(json!({ "winner": winner, "reason": "closed" })))
        }
    };
    json!({
        "game": board.id.game,
        "board": board.id.number,
        "players": board.players,
        "turn": turn.map(|seat| board.player(seat)),
        "move": board.next_move(),
        "over": over,
    })
}
