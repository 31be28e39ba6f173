//! A [`Diagram`] as plain text: ASCII, at most 78 columns, no trailing blanks.

mod canvas;
mod corridor;
mod dice;
pub(super) mod points;
pub(super) mod tiled_board;

use games::Diagram;

/// Draws a position as text whose lines all end with `\n`. `names` are the players', seat 0's first.
pub fn text(diagram: &Diagram, names: Option<[&str; 2]>) -> String {
    match diagram {
        Diagram::Points(board) => points::draw(board, names),
        Diagram::Corridor(board) => corridor::draw(board),
        Diagram::Board(board) => tiled_board::draw(board, names),
    }
}
