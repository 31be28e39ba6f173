//! Drawings of a [`games::Diagram`]: as ASCII text, as an HTML table for mail programs, as SVG for
//! pages and pictures, as PNG, and as the words that stand in for a picture.

mod alt_text;
mod html;
pub mod png;
pub mod svg;
mod text;

pub(super) use alt_text::alt_text;
pub use html::html;
pub use svg::{
    ArrowKind, BoardTheme, DrawOptions, Ink, Link, Look, Marks, MenTheme, MoveArrow, Orientation,
    Theme, style, svg,
};
pub use text::text;
pub(super) use text::tiled_board::links_in_words;
