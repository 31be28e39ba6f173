//! Arrows for moves that are compared: the one that was played, and the best one. They differ in their
//! lines and heads, not in colour alone.

use super::BoardLayout;
use super::palette::Paint;
use super::shapes::SheetPoint;
use super::sheet::Sheet;
use games::Spot;

/// The distance of an arrow from the line between the men, so that equal moves stay visible.
const ASIDE: f32 = 4.5;
/// The distance between two equal arrows.
const APART: f32 = 8.0;
/// The length and half the width of a head.
const HEAD: [f32; 2] = [17.0, 8.5];

/// The move that an arrow shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// The move that was played: a solid line with a full head.
    Played,
    /// The best move: a dashed line with an open head.
    Best,
}

/// The arrow of one man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveArrow {
    /// The move that it belongs to.
    pub kind: ArrowKind,
    /// The path of the man, from place to place.
    pub path: Vec<Spot>,
}

impl ArrowKind {
    /// Returns the paints of the line and of the head, and on which side of the way it is drawn.
    const fn looks(self) -> (Paint, Paint, f32) {
        match self {
            Self::Played => (Paint::Played, Paint::PlayedHead, ASIDE),
            Self::Best => (Paint::Best, Paint::BestHead, -ASIDE),
        }
    }
}

/// Draws arrows. The first place of a path is its man, the others are where a man would arrive.
pub(super) fn draw(sheet: &mut Sheet, board: &impl BoardLayout, arrows: &[MoveArrow]) {
    for (index, arrow) in arrows.iter().enumerate() {
        let (line, head, side) = arrow.kind.looks();
        let equal = arrows[..index].iter().filter(|other| *other == arrow);
        let aside = equal.fold(side, |aside, _| aside + APART.copysign(side));
        let places = (0..).zip(&arrow.path);
        let mut places: Vec<SheetPoint> =
            places.map(|(step, spot)| board.place(*spot, step > 0)).collect();
        let &[.., before, end] = &places[..] else { continue };
        let Some(way) = Direction::between(before, end) else { continue };
        for place in &mut places {
            *place = way.beside(*place, aside);
        }
        let tip = way.beside(end, aside);
        let [length, width] = HEAD;
        let neck = way.back(tip, length);
        if let Some(last) = places.last_mut() {
            *last = way.back(tip, length - 2.0);
        }
        sheet.line(Paint::ArrowRim, &places);
        sheet.line(line, &places);
        let head_shape = [tip, way.beside(neck, width), way.beside(neck, -width)];
        sheet.shapes(head, &[&head_shape]);
    }
}

/// A direction on the sheet, of length 1.
#[derive(Clone, Copy)]
struct Direction {
    x: f32,
    y: f32,
}

impl Direction {
    /// Returns the direction from one place to another, unless they are the same.
    fn between(from: SheetPoint, to: SheetPoint) -> Option<Self> {
        let (x, y) = (to.x - from.x, to.y - from.y);
        let length = x.hypot(y);
        (length > 1.0).then(|| Self { x: x / length, y: y / length })
    }

    /// Returns the place at a distance to the right of the direction.
    fn beside(self, at: SheetPoint, distance: f32) -> SheetPoint {
        at.by(-self.y * distance, self.x * distance)
    }

    /// Returns the place at a distance behind.
    fn back(self, at: SheetPoint, distance: f32) -> SheetPoint {
        at.by(-self.x * distance, -self.y * distance)
    }
}
