//! Drawings of a [`games::Diagram`]: as ASCII text, as an HTML table for mail programs, as SVG for
//! pages, as PNG for mails, and as the words that stand in for a picture.

mod alt_text;
pub mod drawing;
mod html;
pub mod png;
mod text;

pub(super) use alt_text::alt_text;
pub use drawing::{
    ArrowKind, BoardTheme, DrawOptions, Drawing, Ink, Link, Look, Marks, MenTheme, MoveArrow,
    Orientation, Theme, draw, style, svg,
};
pub use html::html;
pub use text::text;
pub(super) use text::tiled_board::links_in_words;
