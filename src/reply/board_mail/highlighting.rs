//! Which points of a board are highlighted for its reader.

use crate::model::board::Board;
use crate::reply::board_mail::board_section::BoardViewer;
use crate::reply::letters::Highlights;
use games::{AnyPosition, Diagram, NextStep, Spot, View};

impl Highlights {
    /// Highlights the last move and the men that the reader can move.
    pub(crate) fn now(board: &Board, reader: &BoardViewer, diagram: &Diagram) -> Self {
        let turn = if board.is_over() { None } else { board.position().next().decider() };
        let is_reader = turn.is_some() && turn == reader.view.seat;
        let steps = if is_reader { reader.first_steps(board) } else { &[] };
        Self { last: last_move(board, &reader.view, diagram), movable: movable(steps), turn }
    }

    /// Highlights a move that is not played yet, on the position after it.
    pub(crate) fn after(board: &Board, text: &str, position: &dyn AnyPosition) -> Self {
        Self { last: board.game.paths(text), movable: Vec::new(), turn: position.next().decider() }
    }
}

/// Returns the paths of the last move; nothing where a new game of a match has begun since.
fn last_move(board: &Board, view: &View, diagram: &Diagram) -> Vec<Vec<Spot>> {
    let Some(turn) = board.moves().last() else { return Vec::new() };
    match diagram {
        // The diagram itself has the last point.
        Diagram::Board(_) => return Vec::new(),
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

/// Returns the points of the men that can make these steps.
fn movable(steps: &[NextStep]) -> Vec<Spot> {
    let mut from: Vec<Spot> = steps.iter().filter_map(|step| step.from).collect();
    from.sort_unstable();
    from.dedup();
    from
}
