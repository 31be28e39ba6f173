//! A [`Diagram`] as a drawing: shapes that are written as SVG for web pages (`svg`) and painted for the
//! pictures in mails (`raster`).
//!
//! The SVG has no script, style, filter or font, and no addresses except the given ones. On a page its
//! colours come from the style sheet ([`style`]), in a thumbnail they are written into the drawing. All
//! boards have about the same width, so that text has the same size on a phone. The men of a row are
//! whole units apart, so that their pixels are equal and a PNG is small.

mod arrows;
mod checkers;
mod chessmen;
mod corridor;
mod dice;
mod palette;
mod player_strip;
mod points;
mod raster;
mod shapes;
mod sheet;
mod square_frame;
mod svg;
mod text_outlines;
mod tiled_board;

#[cfg(test)]
mod tests;

pub use arrows::{ArrowKind, MoveArrow};
pub use palette::{BoardTheme, Look, MenTheme, Theme, style};
pub use raster::PaintCache;
pub use shapes::Drawing;

use games::{Diagram, Seat, Spot};
use shapes::{Area, SheetPoint};
use sheet::Sheet;

/// The source of a drawing's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// The style sheet of a page: shapes have classes, and marks are links.
    Page,
    /// The drawing itself, without links.
    Mail(Theme),
    /// The drawing itself, without links and without the players, for thumbnails.
    Small(Look),
}

impl Ink {
    /// Returns whether the drawing shows the players.
    fn has_players(self) -> bool {
        !matches!(self, Self::Small(_))
    }
}

/// The options of a drawing.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions<'a> {
    /// The players' names, seat 0's first; empty where nobody plays.
    pub names: [&'a str; 2],
    /// The text after each name, such as the time left.
    pub beside: [&'a str; 2],
    /// The side to move.
    pub turn: Option<Seat>,
    /// The marks.
    pub marks: &'a Marks,
    /// The source of the colours.
    pub ink: Ink,
    /// How a square board is drawn; a board of points has its corner and its upper side in its
    /// diagram.
    pub orientation: Orientation,
}

/// The orientation of a square board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation {
    /// The seat whose strip is below the board.
    pub bottom: Seat,
    /// Whether the board is rotated by half a turn.
    pub is_turned: bool,
}

impl Orientation {
    /// Returns the orientation of a board that is not turned.
    pub fn upright(diagram: &Diagram) -> Self {
        let lower = match diagram {
            Diagram::Board(board) => board.lower_side(),
            Diagram::Points(_) | Diagram::Corridor(_) => None,
        };
        Self { bottom: lower.unwrap_or(Seat(0)), is_turned: false }
    }
}

/// The marks on a board, at spots as the diagram numbers them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The paths of the men that were moved last, each from its start to its end.
    pub last: Vec<Vec<Spot>>,
    /// The spots that can be chosen: a man to move, a point to press.
    pub can: Vec<(Spot, Link)>,
    /// The spot of the chosen man.
    pub chosen: Option<Spot>,
    /// The spots where the chosen man can move.
    pub targets: Vec<(Spot, Link)>,
    /// The moves that are compared. Boards of lights have none: a press is no way.
    pub arrows: Vec<MoveArrow>,
}

/// The link of a mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The address, if any.
    pub href: Option<String>,
    /// The label for screen readers.
    pub label: String,
}

/// Draws a position, with a description for screen readers.
pub fn draw(diagram: &Diagram, options: &DrawOptions) -> Drawing {
    let words = &crate::reply::draw::alt_text(diagram);
    match diagram {
        Diagram::Points(board) => points::draw(board, options, words),
        Diagram::Corridor(board) => corridor::draw(board, options, words),
        Diagram::Board(board) => tiled_board::draw(board, options, words),
    }
}

/// Writes a position as SVG.
pub fn svg(diagram: &Diagram, options: &DrawOptions) -> String {
    draw(diagram, options).to_svg()
}

impl Marks {
    /// Returns whether any mark is a link.
    fn has_links(&self) -> bool {
        !self.can.is_empty() || !self.targets.is_empty()
    }
}

/// The layout of a board, for drawing marks.
trait BoardLayout {
    /// Returns the centre of the top man on a spot, or with `arrives` of a man that would move there.
    fn place(&self, spot: Spot, arrives: bool) -> SheetPoint;
    /// Returns whether a man that moves to a spot is drawn on top of others.
    fn is_held(&self, spot: Spot) -> bool;
    /// Returns the area to press for a spot.
    fn area(&self, spot: Spot) -> Area;
    /// Returns the radius of a man.
    fn radius(&self) -> f32;
}

/// Draws the marks of the chosen man, of the men that can be chosen and of the targets, as rings with
/// links.
fn marks(sheet: &mut Sheet, board: &impl BoardLayout, marks: &Marks) {
    use palette::Paint;
    let radius = board.radius();
    if let Some(spot) = marks.chosen {
        sheet.circle(Paint::Chosen, board.place(spot, false), radius + 1.5);
    }
    let kinds = [(Paint::Can, &marks.can, false), (Paint::Target, &marks.targets, true)];
    for (paint, links, arrives) in kinds {
        for (spot, Link { href, label }) in links {
            let ring = |sheet: &mut Sheet| {
                let at = board.place(*spot, arrives);
                let rim = if arrives && !board.is_held(*spot) { -3.0 } else { 1.5 };
                sheet.circle(paint, at, radius + rim);
            };
            if !sheet.is_live() {
                ring(sheet);
                continue;
            }
            sheet.link(href.as_deref(), spot, label, |sheet| {
                sheet.rectangle(Paint::Hit, board.area(*spot), 6.0);
                ring(sheet);
            });
        }
    }
}
