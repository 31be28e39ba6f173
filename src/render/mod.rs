//! A [`Diagram`] as plain text: ASCII, at most 78 columns, no trailing blanks.

mod canvas;
mod corridor;
mod dice;
mod grid;

use games::Diagram;

/// Draws a position; every line ends in `\n`.
pub fn text(diagram: &Diagram) -> String {
    match diagram {
        Diagram::Corridor(board) => corridor::draw(board),
        Diagram::Grid(board) => grid::draw(board),
    }
}
