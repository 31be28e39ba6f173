//! The state of a board in a sentence: whose turn it is, or how the game ended.

use crate::model::board::{Board, BoardStatus, ClosedBy, Closing};
use crate::reply::board_mail::names::{board_name, object_name, subject_and_verb};
use crate::reply::board_mail::recent_moves::rolled;
use crate::reply::board_mail::{offers, questions};
use games::{Entry, Next, Outcome, Roll, Seat, View};

/// Returns the questions to the reader, then the state of the board.
pub(crate) fn headline(board: &Board, view: &View) -> String {
    let state = state_with_offer(board, view);
    match questions::asked(board, view) {
        Some(asked) => format!("{asked} {state}"),
        None => state,
    }
}

/// Returns the state of the board, and an open offer that is not a question to the reader.
pub(crate) fn state_with_offer(board: &Board, view: &View) -> String {
    let state = state_sentence(board, view.seat);
    match offers::open(board, view).filter(|_| offers::asked(board, view).is_none()) {
        Some(offer) => format!("{state} {offer}"),
        None => state,
    }
}

/// Returns one sentence: whose turn it is, or how the game ended.
pub(crate) fn state_sentence(board: &Board, reader: Option<Seat>) -> String {
    let name = board_name(board);
    let won = |by: Seat, how: &str| match reader {
        Some(seat) if seat != by => format!("You lost {name}: {} won{how}.", board.player(by)),
        _ => format!("{} {name}{how}.", subject_and_verb(board, by, reader, ["won", "won"])),
    };
    match board.status() {
        BoardStatus::ToMove(seat) => {
            let whose = if reader == Some(seat) {
                "your".into()
            } else {
                format!("{}'s", board.player(seat))
            };
            let (side, next) = (board.side(seat), board.next_move());
            let dice = dice_words(board, seat, reader);
            format!("It is {whose} turn ({side}) on {name}, move {next}{dice}.")
        }
        BoardStatus::Ended(Outcome::Won { by, points, reason }) => {
            let worth = if points > 1 { format!(", {points} points") } else { String::new() };
            won(by, &format!(" {reason}{worth}"))
        }
        BoardStatus::Ended(Outcome::Drawn { reason }) => format!("{name} is a draw: {reason}."),
        BoardStatus::Closed(closing) => closed(board, closing, reader),
    }
}

/// Returns the state in short, for a place that shows the board's name and players.
pub(crate) fn short_state(board: &Board, reader: Option<Seat>) -> String {
    let BoardStatus::ToMove(seat) = board.status() else { return state_sentence(board, reader) };
    format!("Move {}{}.", board.next_move(), dice_words(board, seat, reader))
}

/// Returns the dice that the player of a seat has to play, for the end of a sentence.
fn dice_words(board: &Board, seat: Seat, reader: Option<Seat>) -> String {
    let who = if reader == Some(seat) { "you" } else { "they" };
    dice_to_play(board).map_or_else(String::new, |roll| format!(": {who} rolled {}", rolled(roll)))
}

/// Returns how a board was closed before its game was played out.
fn closed(board: &Board, Closing { seat, by, .. }: Closing, reader: Option<Seat>) -> String {
    let name = board_name(board);
    let who = Seat(seat);
    let did =
        |words: [&str; 2]| subject_and_verb(board, who, reader, words).replacen("You ", "you ", 1);
    let won = |how: String| match reader {
        Some(seat) if seat == who => format!("You lost {name}: {how}."),
        _ => format!(
            "{} {name}: {how}.",
            subject_and_verb(board, who.other(), reader, ["won", "won"])
        ),
    };
    match by {
        ClosedBy::Resigning => won(did(["resigned", "resigned"])),
        ClosedBy::Forfeiting => won(did(["ran out of time", "ran out of time"])),
        ClosedBy::Declining if board.challenger == Some(who) => {
            let did = did(["withdrew", "withdrew"]);
            format!("{name} is closed without a result: {did} the challenge.")
        }
        ClosedBy::Declining => {
            let did = did(["declined", "declined"]);
            unrated(board, &format!("{did} to play it"), "and lost it")
        }
        ClosedBy::Lapsing => {
            let did = did(["ran out of time", "ran out of time"]);
            unrated(board, &format!("{did} before the first move"), "and lost it")
        }
        ClosedBy::Aborting => unrated(board, "both players agreed", "so it is a draw"),
        ClosedBy::Withdrawing if board.is_of_ladder => {
            won(did(["left the ladder", "left the ladder"]))
        }
        ClosedBy::Withdrawing => won(did(["left the tournament", "left the tournament"])),
        ClosedBy::Adjudicating => {
            won(format!("the round is over, and {} behind", did(["were", "was"])))
        }
        ClosedBy::AdjudicatedDraw => {
            format!("{name} is a draw: the round is over, and neither player was ahead.")
        }
        ClosedBy::Agreeing => format!("{name} is a draw: both players agreed."),
        ClosedBy::Assenting => format!(
            "{name} is a draw: the draw that {} offered counts as accepted, because {} did not answer \
             in time.",
            object_name(board, who.other(), reader),
            object_name(board, who, reader)
        ),
    }
}

/// Returns why a board was closed without a winner. A tournament counts its game all the same.
fn unrated(board: &Board, why: &str, counts: &str) -> String {
    let name = board_name(board);
    match board.tournament {
        None => format!("{name} is closed without a result: {why}."),
        Some(_) => format!("{name} is closed unrated: {why}, {counts} in the tournament."),
    }
}

/// Returns the dice to be played, where the rules show them to everybody.
pub(crate) fn dice_to_play(board: &Board) -> Option<Roll> {
    let is_to_play = matches!(board.position().next(), Next::Move(_));
    match board.record.last().map(|line| &line.entry) {
        Some(Entry::Rolled(roll)) if is_to_play => Some(*roll),
        _ => None,
    }
}
