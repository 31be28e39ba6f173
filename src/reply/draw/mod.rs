//! A [`Diagram`] as plain text: ASCII, at most 78 columns, no trailing blanks; and as HTML.

mod canvas;
mod corridor;
mod dice;
mod grid;
mod html;
pub mod png;
mod points;
mod points_in_words;
pub mod svg;

pub use html::html;
pub(super) use points_in_words::{SquareName, point_by_point};
pub use svg::{DrawOptions, Ink, Link, Marks, SpotName, Theme, style, svg};

use games::Diagram;

/// Draws a position; every line ends in `\n`. Names are those of the players, seat 0's first.
pub fn text(diagram: &Diagram, names: Option<[&str; 2]>) -> String {
    match diagram {
        Diagram::Points(board) => points::draw(board, names),
        Diagram::Corridor(board) => corridor::draw(board),
        Diagram::Grid(board) => grid::draw(board, names),
    }
}
