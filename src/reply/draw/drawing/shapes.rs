//! The shapes of a drawing, before they are written as SVG or painted.

use super::Ink;
use super::palette::Paint;
use std::fmt::{self, Display};
use std::ops::Range;

/// A drawing.
pub struct Drawing {
    pub(super) ink: Ink,
    pub(super) area: Area,
    /// The description for screen readers.
    pub(super) words: String,
    /// Whether parts of it are links.
    pub(super) has_links: bool,
    pub(super) shapes: Vec<Shape>,
    /// The shapes of the board without men, which are the same in most drawings of a game. No shape before them
    /// overlaps them.
    pub(super) background: Range<usize>,
}

/// A shape on a sheet. Later shapes cover earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A disc or a ring.
    Circle { paint: Paint, at: SheetPoint, radius: f32 },
    /// A rectangle, with this radius at its corners.
    Rectangle { paint: Paint, area: Area, round: f32 },
    /// Lines and polygons.
    Path { paint: Paint, steps: Vec<PathStep>, dots: Option<Dots> },
    /// A line of text, and another that may follow it after a gap.
    Text { at: SheetPoint, anchor: Anchor, text: StyledText, then: Option<StyledText> },
    /// Shapes around a place, such as a man, which a drawing repeats: discs, rectangles and paths with lines of
    /// up to 8 units. Their places are relative to it.
    Stamp { at: SheetPoint, shapes: Vec<Shape> },
    /// Shapes that are painted together. Of the properties of its paint only the opacity counts.
    Group { paint: Paint, shapes: Vec<Shape> },
    /// Shapes that are a link, or without an address a labelled group.
    Link { href: Option<String>, spot: String, label: String, shapes: Vec<Shape> },
}

/// A step of a pen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PathStep {
    /// Begins a line at a place.
    Move(SheetPoint),
    /// Draws a line to a place.
    Line(SheetPoint),
    /// Draws a line without length, whose round ends are a disc.
    Dot,
    /// Draws a line back to where it began.
    Close,
}

/// The line of a path of dots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dots {
    /// The diameter of a dot.
    pub(super) width: f32,
    /// The distance from a dot to the next on a line of dots.
    pub(super) distance: Option<f32>,
}

impl Dots {
    /// Returns the lengths of a dash and of a gap on a line of dots. Some programs draw no dash without a
    /// length.
    pub(super) fn dashes(self) -> Option<[f32; 2]> {
        const DOT: f32 = 0.01;
        self.distance.map(|distance| [DOT, distance - DOT])
    }
}

/// The part of a line of text that is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text with its look.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StyledText {
    pub(super) paint: Paint,
    /// The size; none for that of the labels beside a board, which the paint has, too.
    pub(super) size: Option<f32>,
    pub(super) words: String,
}

/// The gap between two texts on a line.
pub(super) const GAP: f32 = 10.0;

/// A place on the sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SheetPoint {
    /// The distance from the left.
    pub(super) x: f32,
    /// The distance from the top.
    pub(super) y: f32,
}

impl SheetPoint {
    /// Returns the place moved to the right and down.
    pub(super) fn by(self, right: f32, down: f32) -> Self {
        Self { x: self.x + right, y: self.y + down }
    }

    /// Returns the place with one decimal place.
    pub(super) fn rounded(self) -> Self {
        Self { x: rounded(self.x), y: rounded(self.y) }
    }
}

/// A rectangle: its upper left corner, its width and its height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) at: SheetPoint,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Area {
    /// Builds a rectangle.
    pub(super) const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { at: SheetPoint { x, y }, width, height }
    }

    /// Builds the square around a place.
    pub(super) fn around(at: SheetPoint, side: f32) -> Self {
        Self { at: at.by(-side / 2.0, -side / 2.0), width: side, height: side }
    }

    /// Returns the centre.
    pub(super) fn middle(self) -> SheetPoint {
        self.at.by(self.width / 2.0, self.height / 2.0)
    }

    /// Returns the rectangle reduced by `rim` on each side.
    pub(super) fn within(self, rim: f32) -> Self {
        let at = self.at.by(rim, rim);
        Self { at, width: self.width - 2.0 * rim, height: self.height - 2.0 * rim }
    }
}

/// Rounds a number to one decimal place. SVG has the rounded numbers, since they are short, and pictures
/// too, so that they look the same.
pub(super) fn rounded(number: f32) -> f32 {
    let rounded = (number * 10.0).round() / 10.0;
    // No `-0`.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A number with at most one decimal place.
pub(super) struct Number(pub(super) f32);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", rounded(self.0))
    }
}
