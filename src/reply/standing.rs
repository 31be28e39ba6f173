//! The state of a board, as you would tell it to its reader across a table.

use super::named::{name, verb, whom};
use super::turns::rolled;
use super::{offer, question};
use crate::model::board::{Board, BoardStatus, ClosedBy, Closing};
use games::{Entry, Next, Outcome, Roll, Seat, View};

/// The state of the board behind the questions to its reader.
pub(super) fn headline(board: &Board, view: &View) -> String {
    let standing = with_offer(board, view);
    match question::asked(board, view) {
        Some(asked) => format!("{asked} {standing}"),
        None => standing,
    }
}

/// The state of the board, and an offer that its reader is not asked about.
pub(super) fn with_offer(board: &Board, view: &View) -> String {
    let standing = standing(board, view.seat);
    match offer::open(board, view).filter(|_| offer::asked(board, view).is_none()) {
        Some(offer) => format!("{standing} {offer}"),
        None => standing,
    }
}

/// One sentence: whose turn it is, or how the game ended.
pub(super) fn standing(board: &Board, reader: Option<Seat>) -> String {
    let name = name(board);
    let won = |by: Seat, how: &str| match reader {
        Some(seat) if seat != by => format!("You lost {name}: {} won{how}.", board.player(by)),
        _ => format!("{} {name}{how}.", verb(board, by, reader, ["won", "won"])),
    };
    match board.status() {
        BoardStatus::ToMove(seat) => {
            let whose = if reader == Some(seat) {
                "your".into()
            } else {
                format!("{}'s", board.player(seat))
            };
            let who = if reader == Some(seat) { "you" } else { "they" };
            let dice = on_the_table(board)
                .map_or_else(String::new, |roll| format!(": {who} rolled {}", rolled(roll)));
            format!(
                "It is {whose} turn ({}) on {name}, move {}{dice}.",
                board.side(seat),
                board.next_move()
            )
        }
        BoardStatus::Ended(Outcome::Won { by, points, reason }) => {
            let worth = if points > 1 { format!(", {points} points") } else { String::new() };
            won(by, &format!(" {reason}{worth}"))
        }
        BoardStatus::Ended(Outcome::Drawn { reason }) => format!("{name} is a draw: {reason}."),
        BoardStatus::Closed(closing) => closed(board, closing, reader),
    }
}

/// The same in short, where the names of the board and of its players are beside it.
pub(super) fn in_short(board: &Board, reader: Option<Seat>) -> String {
    let BoardStatus::ToMove(seat) = board.status() else { return standing(board, reader) };
    let who = if reader == Some(seat) { "you" } else { "they" };
    let dice = on_the_table(board)
        .map_or_else(String::new, |roll| format!(": {who} rolled {}", rolled(roll)));
    format!("Move {}{dice}.", board.next_move())
}

/// How a board was closed before its game was played out.
fn closed(board: &Board, Closing { seat, by, .. }: Closing, reader: Option<Seat>) -> String {
    let name = name(board);
    let who = Seat(seat);
    let did = |words: [&str; 2]| verb(board, who, reader, words).replacen("You ", "you ", 1);
    let own_time = if reader == Some(who) {
        "your time".into()
    } else {
        format!("the time of {}", board.player(who))
    };
    let won = |how: String| match reader {
        Some(seat) if seat == who => format!("You lost {name}: {how}."),
        _ => format!("{} {name}: {how}.", verb(board, who.other(), reader, ["won", "won"])),
    };
    match by {
        ClosedBy::Resigning => won(did(["resigned", "resigned"])),
        ClosedBy::Forfeiting => won(format!("{own_time} is up")),
        ClosedBy::Declining => {
            format!(
                "{name} is closed without a result: {} to play it.",
                did(["declined", "declined"])
            )
        }
        ClosedBy::Lapsing => {
            format!("{name} is closed without a result: {own_time} was up before the first move.")
        }
        ClosedBy::Agreeing => format!("{name} is a draw: both players agreed."),
        ClosedBy::Assenting => format!(
            "{name} is a draw: {} the draw that {} offered unanswered for so long that it counts \
             as accepted.",
            did(["left", "left"]),
            whom(board, who.other(), reader)
        ),
    }
}

/// The dice that wait to be played, where the rules show them to everybody.
fn on_the_table(board: &Board) -> Option<Roll> {
    let is_to_play = matches!(board.position().next(), Next::Move(_));
    match board.record.last().map(|line| &line.entry) {
        Some(Entry::Rolled(roll)) if is_to_play => Some(*roll),
        _ => None,
    }
}
