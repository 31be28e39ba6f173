//! The words of a notice that a board waits for a player. They appear on a lock screen, so they say no more
//! than the subject of a mail.

use crate::base::ids::UserId;
use crate::model::board::{Board, Proposal};

/// Returns the words of a notice to a player, or those that replace it when it is taken back.
pub fn turn_notice(board: &Board, user: &UserId) -> String {
    let name = format!("{} {}", board.game.spec().title, board.id.number);
    if board.is_over() {
        return format!("{name} has ended");
    }
    if !board.waits_for(user) {
        return format!("You have played in {name}");
    }
    let Some(seat) = board.seat(user).filter(|_| !board.game.spec().manner.is_solo) else {
        return format!("Your turn in {name}");
    };
    let opponent = board.player(seat.other());
    match board.offered_to(seat) {
        Some(Proposal::Draw) => format!("{opponent} offers a draw in {name}"),
        Some(Proposal::Undo) => format!("{opponent} asks to take a move back in {name}"),
        Some(Proposal::Analysis) => format!("{opponent} offers an analysis of {name}"),
        Some(Proposal::Abort) => format!("{opponent} asks to cancel {name}"),
        None => format!("Your turn in {name} with {opponent}"),
    }
}
