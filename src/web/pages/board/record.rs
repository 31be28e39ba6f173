//! The record of a board: all moves, and the way through them.

use super::{PROOFS, ViewedBoard, path};
use crate::base::ids::BoardId;
use crate::command;
use crate::model::board::Board;
use crate::model::dice::{self, BoardDice, RollLevel, WaitingWord};
use crate::reply::board_view::{self, BoardView};
use crate::reply::{Highlights, Picture};
use crate::web::html::blocks;
use games::Seat;
use maud::{Markup, html};

/// Through the record, a move at a time.
pub(super) fn steps(board: &Board, after: Option<usize>) -> Markup {
    let made = board.next_move() - 1;
    let at = after.unwrap_or(made);
    let to = |moves: usize| {
        if moves == made { path(board.id) } else { format!("{}/{moves}", path(board.id)) }
    };
    html! {
        nav.steps aria-label="Moves" data-path=(path(board.id)) data-at=(at) data-made=(made) {
            @if at > 0 {
                a rel="first" href=(to(0)) { "First" } " "
                a rel="prev" href=(to(at - 1)) { "Back" } " "
            }
            span { "Move " (at) " of " (made) } " "
            @if at < made {
                a rel="next" href=(to(at + 1)) { "Forward" } " "
                a rel="last" href=(to(made)) { "Last" }
            }
        }
    }
}

/// All moves, each a link to the board after it.
pub(super) fn list(looked: &ViewedBoard) -> Markup {
    let moves = board_view::all_moves(looked.board, &looked.view);
    let at = looked.after.unwrap_or(moves.len());
    html! {
        @if !moves.is_empty() {
            h2 { "Moves" }
            ol.record {
                @for one in &moves {
                    li.second[one.seat == Seat(1)] {
                        a href={ (path(looked.board.id)) "/" (one.number) }
                            aria-current=[(at == one.number).then_some("step")] {
                            (blocks::turn(one))
                        }
                    }
                }
            }
        }
    }
}

/// The form to try other moves.
pub(super) fn what_if(looked: &ViewedBoard) -> Markup {
    let board = looked.board;
    let after = looked.after.unwrap_or(board.next_move() - 1);
    html! {
        @if !board.game.spec().manner.is_blind() {
            details { summary { "What if" } (form(board.id, after, "")) }
        }
    }
}

/// The board as text, and as other programs read it.
pub(super) fn more(looked: &ViewedBoard, sight: &BoardView) -> Markup {
    let board = looked.board;
    let names = board.players.each_ref().map(ToString::to_string);
    let picture = Picture {
        diagram: sight.diagram.clone(),
        names: Some(names),
        highlights: Highlights::default(),
    };
    let after = looked.after.map_or_else(String::new, |after| format!("?after={after}"));
    html! {
        details.more {
            summary { "As text, and for other programs" }
            pre.board tabindex="0" { (picture.as_text()) }
            @if let Some(words) = &sight.words { (blocks::blocks(std::slice::from_ref(words))) }
            p.position { "Position: " code data-copy { (sight.position) } }
            @if let Some(dice) = &board.dice {
                p.position { "Key of the dice: " code data-copy { (dice.key) } }
                @if dice.rules > 1 {
                    p.position { "Digest: " code data-copy { (dice::digest(board, dice)) } }
                    p { (rolls_by_level(dice)) }
                }
                @if board.drawn() > 0 {
                    p {
                        a href={ (path(board.id)) "/" (PROOFS) } { "All rolls with their proofs" }
                        "; " a href={ "/help/" (command::DICE) } { "how to check them" }
                    }
                }
            }
            @if !board.game.spec().formats.is_empty() {
                p { "For other programs: "
                    @for format in board.game.spec().formats {
                        a href={ (path(board.id)) "/" (format.name) (after) } title=(format.about) {
                            (format.name) } " "
                    }
                }
            }
        }
    }
}

/// Asks what a board would be like after these moves.
pub(in crate::web) fn form(id: BoardId, after: usize, moves: &str) -> Markup {
    html! {
        form.say method="get" action={ (path(id)) "/preview" } {
            input type="hidden" name="after" value=(after);
            label { "Moves, with dice between them"
                input name="moves" value=(moves) autocomplete="off" maxlength="2000"; }
            button type="submit" { "Look ahead" }
        }
    }
}

/// What nobody could choose about the rolls, in a sentence.
fn rolls_by_level(dice: &BoardDice) -> String {
    let shared = dice::levels(dice).into_iter().find(|(level, _)| *level == RollLevel::Shared);
    match shared {
        Some((_, from)) => {
            let linked = dice.links.iter().filter(|it| !it.is_end).map(|it| it.roll);
            let linked: Vec<String> = linked.map(|roll| roll.to_string()).collect();
            let more = match (dice.has_chains(), &linked[..]) {
                (false, _) => String::new(),
                (true, []) => " None has level 2 yet.".into(),
                (true, rolls) => format!(
                    " Those with a new value of the player who rolled have level 2: {}. The others \
                     that player could choose with the operator, one roll of two.",
                    rolls.join(", ")
                ),
            };
            format!(
                "Rolls before {from} have level 0: they follow from what the first mail says. From \
                 roll {from} on they have level 1: a value of each player is in them.{more}"
            )
        }
        None => match dice.waiting.as_ref().and_then(WaitingWord::lost_after) {
            Some(lost) => format!(
                "All rolls have level 0: they follow from what the first mail says. But the \
                 challenger has lost a value: behind roll {lost} they could choose, with the \
                 operator, between the rolls with it and those without."
            ),
            None => "All rolls have level 0: they follow from what the first mail says.".into(),
        },
    }
}
