//! A [`Diagram`] as one SVG: the same drawing for the page of a browser and for the picture in a mail.
//!
//! It has no script, no style of its own, no filter, no font and no address but those it is given.
//! On a page its colours come from the style sheet ([`style`]), in a mail they are written into it.
//! All boards are about equally wide, so that words and figures are equally large on a phone. Men
//! of a row are at whole steps from each other: drawn in pixels they are equal, and a picture is
//! small.

mod checkers;
mod corridor;
mod dice;
mod grid;
mod palette;
mod player_strip;
mod points;
mod sheet;
mod square_frame;
mod text_outlines;

#[cfg(test)]
mod tests;

pub use palette::{Theme, style};

use games::{Diagram, Seat, Spot};
use sheet::{SheetPoint, SvgSheet};
use std::fmt::{self, Display};

/// Where the colours of a drawing come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// From the style sheet of a page: shapes have classes, and marks can be pressed.
    Page,
    /// From the drawing itself; nothing can be pressed.
    Mail(Theme),
    /// The same, and the board alone: without the players' lines, for lists.
    Small(Theme),
}

impl Ink {
    /// Whether the drawing has the players' lines.
    fn has_players(self) -> bool {
        !matches!(self, Self::Small(_))
    }
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions<'a> {
    /// The players, seat 0's first; empty where nobody plays.
    pub names: [&'a str; 2],
    /// What is written behind each name, such as the time that is left.
    pub beside: [&'a str; 2],
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// The marks.
    pub marks: &'a Marks,
    /// Where the colours come from.
    pub ink: Ink,
}

/// What is marked on a board. Points are those of the diagram, as it numbers them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The ways of the men that were moved last, each from where it came to where it went.
    pub last: Vec<Vec<Spot>>,
    /// Where something can be chosen: a man to be moved, a point to be pressed.
    pub can: Vec<(Spot, Link)>,
    /// Where a man has been chosen.
    pub chosen: Option<Spot>,
    /// Where the chosen man can go.
    pub targets: Vec<(Spot, Link)>,
}

/// What a mark leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The address, where there is one.
    pub href: Option<String>,
    /// What it does, in words.
    pub label: String,
}

/// Draws a position, with what it shows in words for people who do not see it.
pub fn svg(diagram: &Diagram, look: &DrawOptions) -> String {
    let words = &crate::reply::draw::alt_text(diagram);
    match diagram {
        Diagram::Points(board) => points::draw(board, look, words),
        Diagram::Corridor(board) => corridor::draw(board, look, words),
        Diagram::Grid(board) => grid::draw(board, look, words),
    }
}

/// A place of a board as addresses and scripts name it: `13`, `bar`, `off`, `c3`.
#[derive(Clone, Copy, Debug)]
pub struct SpotName(pub Spot);

impl Display for SpotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Spot::Point(number) => write!(f, "{number}"),
            Spot::Bar => f.write_str("bar"),
            Spot::Off => f.write_str("off"),
            Spot::Square(file, rank) => {
                let letter = (b'a'..=b'z').nth(usize::from(file.saturating_sub(1)));
                write!(f, "{}{rank}", char::from(letter.unwrap_or(b'?')))
            }
        }
    }
}

impl Marks {
    /// Whether anything can be pressed.
    fn is_pressed(&self) -> bool {
        !self.can.is_empty() || !self.targets.is_empty()
    }
}

/// What a board knows of its places, so that marks are drawn on it.
trait BoardLayout {
    /// Where a man there is drawn, or one that would come there.
    fn place(&self, spot: Spot, comes: bool) -> SheetPoint;
    /// Whether a man that comes there would come upon others.
    fn is_held(&self, spot: Spot) -> bool;
    /// The area that is pressed to mean this place.
    fn area(&self, spot: Spot) -> sheet::Area;
    /// How large a man is.
    fn radius(&self) -> f32;
}

/// Draws what is chosen, what can be chosen and where it can go: rings that are links.
fn marks(sheet: &mut SvgSheet, board: &impl BoardLayout, marks: &Marks) {
    use palette::Paint;
    let radius = board.radius();
    if let Some(spot) = marks.chosen {
        sheet.circle(Paint::Chosen, board.place(spot, false), radius + 1.5);
    }
    let kinds = [(Paint::Can, &marks.can, false), (Paint::Target, &marks.targets, true)];
    for (paint, links, comes) in kinds {
        for (spot, Link { href, label }) in links {
            let ring = |sheet: &mut SvgSheet| {
                let at = board.place(*spot, comes);
                let rim = if comes && !board.is_held(*spot) { -3.0 } else { 1.5 };
                sheet.circle(paint, at, radius + rim);
            };
            if !sheet.is_live() {
                ring(sheet);
                continue;
            }
            sheet.link(href.as_deref(), SpotName(*spot), label, |sheet| {
                sheet.box_of(Paint::Hit, board.area(*spot), 6.0);
                ring(sheet);
            });
        }
    }
}
