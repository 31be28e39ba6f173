//! What is marked on the picture of a board for its reader.

use crate::model::board::Board;
use crate::reply::board_mail::board_section::BoardViewer;
use crate::reply::letters::highlights::Highlights;
use games::{AnyPosition, Diagram, Next, NextStep, Seat, Spot, View};

impl Highlights {
    /// A board as it is now, for that reader.
    pub(crate) fn now(board: &Board, reader: &BoardViewer, diagram: &Diagram) -> Self {
        let turn = if board.is_over() { None } else { on_turn(board.position()) };
        let is_theirs = turn.is_some() && turn == reader.view.seat;
        let steps = if is_theirs { reader.first_steps(board) } else { &[] };
        Self { last: last(board, &reader.view, diagram), can: movable(steps), turn }
    }

    /// A board as it would be after a move that its mover wrote so.
    pub(crate) fn after(board: &Board, words: &str, position: &dyn AnyPosition) -> Self {
        Self { last: board.game.paths(words), can: Vec::new(), turn: on_turn(position) }
    }
}

fn on_turn(position: &dyn AnyPosition) -> Option<Seat> {
    match position.next() {
        Next::Move(seat) | Next::Ready(seat, _) => Some(seat),
        Next::Roll(_) | Next::Deal | Next::Over(_) => None,
    }
}

/// The ways of the last move, if it was made in this game: a match may have begun another.
fn last(board: &Board, view: &View, diagram: &Diagram) -> Vec<Vec<Spot>> {
    let Some(turn) = board.moves().last() else { return Vec::new() };
    match diagram {
        // It says itself what was pressed last.
        Diagram::Grid(_) => return Vec::new(),
        Diagram::Points(points) => {
            let start = board.start().diagram(view);
            if matches!(start, Diagram::Points(start) if start.piles == points.piles) {
                return Vec::new();
            }
        }
        Diagram::Corridor(_) => {}
    }
    board.game.paths(&board.game.text_for_diagram(view, turn.text.into_owned()))
}

/// Where the men are that can make these steps.
fn movable(steps: &[NextStep]) -> Vec<Spot> {
    let mut from: Vec<Spot> = steps.iter().filter_map(|step| step.from).collect();
    from.sort_unstable();
    from.dedup();
    from
}
