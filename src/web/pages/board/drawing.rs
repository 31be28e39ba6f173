//! The picture of a board, with what can be done there as links.

use super::{ViewedBoard, path};
use crate::base::ids::UserId;
use crate::model::board::BoardStatus;
use crate::reply::board_view::BoardView;
use crate::reply::draw::{DrawOptions, Ink, Link, Marks, SpotName, svg};
use games::{NextStep, Seat, Spot};
use maud::{Markup, PreEscaped};

/// The board.
pub(super) fn board(looked: &ViewedBoard, sight: &BoardView) -> Markup {
    let board = looked.board;
    let diagram = looked.begun.as_ref().map_or(&sight.diagram, |begun| &begun.diagram);
    let names = board.players.each_ref().map(UserId::as_str);
    let turn = match board.status() {
        BoardStatus::ToMove(seat) if looked.after.is_none() => Some(seat),
        _ => None,
    };
    let marks = marks(looked);
    let look = DrawOptions { names, beside: ["", ""], turn, marks: &marks, ink: Ink::Page };
    PreEscaped(svg(diagram, &look))
}

fn marks(looked: &ViewedBoard) -> Marks {
    let Some(begun) = &looked.begun else {
        return Marks { last: last(looked), ..Marks::default() };
    };
    let last = if begun.paths.is_empty() { last(looked) } else { begun.paths.clone() };
    let is_from = |spot: Spot| looked.from.as_deref() == Some(&*SpotName(spot).to_string());
    let chosen = begun.next.iter().filter_map(|step| step.from).find(|spot| is_from(*spot));
    let mut can: Vec<(Spot, Link)> = Vec::new();
    for step in begun.next.iter().filter(|step| step.from.is_none() || step.from != chosen) {
        let (spot, link) = match step.from {
            Some(from) => (from, choose(looked, from)),
            None => (step.to, make(looked, step)),
        };
        if can.iter().all(|(known, _)| *known != spot) {
            can.push((spot, link));
        }
    }
    let to = begun.next.iter().filter(|step| chosen.is_some() && step.from == chosen);
    let mut targets: Vec<(Spot, Link)> = Vec::new();
    for step in to {
        if targets.iter().all(|(known, _)| *known != step.to) {
            targets.push((step.to, make(looked, step)));
        }
    }
    Marks { last, can, chosen, targets }
}

/// The ways of the latest moves of one player.
fn last(looked: &ViewedBoard) -> Vec<Vec<Spot>> {
    let board = looked.board;
    let turns: Vec<_> = board.moves().collect();
    let made = &turns[..looked.after.unwrap_or(turns.len()).min(turns.len())];
    let by = made.last().map(|turn| turn.seat);
    let is_run = |seat: Seat| Some(seat) == by;
    let run = made.iter().rev().take_while(|turn| is_run(turn.seat)).take(4);
    let ways = run.flat_map(|turn| {
        board.game.paths(&board.game.text_for_diagram(&looked.view, turn.text.to_string()))
    });
    ways.collect()
}

/// A man is chosen.
fn choose(looked: &ViewedBoard, from: Spot) -> Link {
    let mut link = format!("{}?from={}", path(looked.board.id), SpotName(from));
    if !looked.steps.is_empty() {
        link = format!("{link}&play={}", escaped(&looked.steps.join(",")));
    }
    Link { href: Some(link), label: format!("{}: choose", SpotName(from)) }
}

/// A step is made.
fn make(looked: &ViewedBoard, step: &NextStep) -> Link {
    let mut steps = looked.steps.clone();
    steps.push(step.words.clone());
    Link { href: Some(played(looked, &steps)), label: step.words.clone() }
}

/// Where the board is after these steps.
pub(super) fn played(looked: &ViewedBoard, steps: &[String]) -> String {
    let path = path(looked.board.id);
    if steps.is_empty() { path } else { format!("{path}?play={}", escaped(&steps.join(","))) }
}

fn escaped(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
