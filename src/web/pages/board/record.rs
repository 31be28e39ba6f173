//! The record of a board: its moves, the links through them, and its text for other programs.

use super::{PROOFS, ViewedBoard, path};
use crate::command;
use crate::model::board::Board;
use crate::model::dice::{self, BoardDice, RollLevel, WaitingWord};
use crate::reply::board_view::{self, BoardView};
use crate::reply::{Highlights, Picture};
use crate::web::html::blocks;
use crate::web::html::evaluations::verdict_mark;
use crate::web::pages::study;
use crate::web::site::Snapshot;
use games::Seat;
use maud::{Markup, html};

/// Renders the links to the first, previous, next and last position.
pub(super) fn navigation(board: &Board, after: Option<usize>) -> Markup {
    let played = board.next_move() - 1;
    let current = after.unwrap_or(played);
    let path_after = |moves: usize| {
        if moves == played { path(board.id) } else { format!("{}/{moves}", path(board.id)) }
    };
    html! {
        nav.steps aria-label="Moves" data-path=(path(board.id)) data-at=(current) data-made=(played) {
            @if current > 0 {
                a rel="first" href=(path_after(0)) { "First" } " "
                a rel="prev" href=(path_after(current - 1)) { "Back" } " "
            }
            span { "Move " (current) " of " (played) } " "
            @if current < played {
                a rel="next" href=(path_after(current + 1)) { "Forward" } " "
                a rel="last" href=(path_after(played)) { "Last" }
            }
        }
    }
}

/// Lists all moves, each a link to the board after it. The mistakes of a finished board are marked once
/// somebody has asked for its analysis.
pub(super) fn moves(snapshot: &Snapshot, viewed: &ViewedBoard) -> Markup {
    let moves = board_view::all_moves(viewed.board, &viewed.view);
    let is_analysable = command::check_analysable(viewed.board).is_ok();
    let judgement = is_analysable.then(|| snapshot.site.analyses.cached(viewed.board)).flatten();
    let judged = judgement.as_ref().map(|judgement| judgement.moves()).unwrap_or_default();
    let current = viewed.after.unwrap_or(moves.len());
    html! {
        @if !moves.is_empty() {
            h2 { "Moves" }
            ol.record {
                @for turn in &moves {
                    li.second[turn.seat == Seat(1)] {
                        a href={ (path(viewed.board.id)) "/" (turn.number) }
                            aria-current=[(current == turn.number).then_some("step")] {
                            (blocks::listed_move(turn))
                            @if let Some(judged) = judged.get(turn.number - 1) {
                                (verdict_mark(judged.verdict))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Renders the links to pages where moves are tried or judged.
pub(super) fn tools(viewed: &ViewedBoard) -> Markup {
    let board = viewed.board;
    let after = viewed.after.unwrap_or(board.next_move() - 1);
    html! {
        p.tools {
            @if command::check_analysable(board).is_ok() {
                a.key href={ (path(board.id)) "/analysis" } { "Analysis" } " "
            }
            @if !board.game.spec().manner.is_blind() {
                a.key href={ (path(board.id)) "/preview?after=" (after) } { "What if" } " "
            }
            a.key href=(study::path(board.game)) { "Study board" }
        }
    }
}

/// Renders the board as text, its position, its dice, and links to its exports.
pub(super) fn text_and_exports(viewed: &ViewedBoard, board_view: &BoardView) -> Markup {
    let board = viewed.board;
    let names = board.players.each_ref().map(ToString::to_string);
    let picture = Picture {
        diagram: board_view.diagram.clone(),
        names: Some(names),
        highlights: Highlights::default(),
    };
    let after = viewed.after.map_or_else(String::new, |after| format!("?after={after}"));
    html! {
        section.text aria-label="The board as text, and for other programs" {
            h2 { "As text, and for other programs" }
            pre.board tabindex="0" { (picture.as_text()) }
            @if let Some(words) = &board_view.words { (blocks::blocks(std::slice::from_ref(words))) }
            p.position { "Position: " code data-copy { (board_view.position) } }
            @if let Some(dice) = &board.dice { (dice_facts(board, dice)) }
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

/// Renders what a player needs to check the dice.
fn dice_facts(board: &Board, dice: &BoardDice) -> Markup {
    html! {
        p.position { "Key of the dice: " code data-copy { (dice.key) } }
        @if dice.rules > 1 {
            p.position { "Digest: " code data-copy { (dice::digest(board, dice)) } }
            p { (roll_levels(dice)) }
        }
        @if board.drawn() > 0 {
            p {
                a href={ (path(board.id)) "/" (PROOFS) } { "All rolls with their proofs" }
                "; " a href={ "/help/" (command::DICE) } { "how to check them" }
            }
        }
    }
}

/// Returns which rolls have which level: who could have influenced them.
fn roll_levels(dice: &BoardDice) -> String {
    let shared = dice::roll_levels(dice).into_iter().find(|(level, _)| *level == RollLevel::Shared);
    match shared {
        Some((_, from)) => {
            let linked = dice.links.iter().filter(|it| !it.is_end).map(|it| it.roll);
            let linked: Vec<String> = linked.map(|roll| roll.to_string()).collect();
            let more = match (dice.has_chains(), &linked[..]) {
                (false, _) => String::new(),
                (true, []) => " None has level 2 yet.".into(),
                (true, rolls) => format!(
                    " Rolls with a new value of the player who rolled have level 2: {}. For each of \
                     the others, that player and the operator together could choose between two \
                     rolls.",
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
                 challenger has lost a value: after roll {lost} the challenger and the operator \
                 together could choose between the rolls with it and those without."
            ),
            None => "All rolls have level 0: they follow from what the first mail says.".into(),
        },
    }
}
