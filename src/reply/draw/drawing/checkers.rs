//! Men: discs that differ in brightness, with a number where several share a point.

use super::palette::Paint;
use super::shapes::SheetPoint;
use super::sheet::Sheet;
use games::Seat;

/// Draws a man.
pub(super) fn man(sheet: &mut Sheet, seat: Seat, at: SheetPoint, radius: f32) {
    let (face, ring) = [(Paint::O, Paint::ORing), (Paint::X, Paint::XRing)][seat.index()];
    let middle = SheetPoint::default();
    sheet.stamp(at, |sheet| {
        sheet.circle(Paint::Shadow, middle.by(0.0, radius * 0.09), radius);
        sheet.circle(face, middle, radius - 0.8);
        sheet.circle(ring, middle, radius * 0.68);
    });
}

/// The corners of a crown, in parts of the radius of its man to the right of and below the middle.
const CROWN: [(f32, f32); 7] = [
    (-0.4, 0.36),
    (-0.5, -0.26),
    (-0.23, 0.04),
    (0.0, -0.42),
    (0.23, 0.04),
    (0.5, -0.26),
    (0.4, 0.36),
];

/// Draws a king: a man with a crown.
pub(super) fn king(sheet: &mut Sheet, seat: Seat, at: SheetPoint, radius: f32) {
    man(sheet, seat, at, radius);
    let crown = CROWN.map(|(right, down)| at.by(right * radius, down * radius));
    let paint = [Paint::OCrown, Paint::XCrown][seat.index()];
    sheet.shapes(paint, &[&crown[..]]);
}

/// Writes words on a man.
pub(super) fn written(sheet: &mut Sheet, seat: Seat, at: SheetPoint, radius: f32, words: &str) {
    let ink = [Paint::OInk, Paint::XInk][seat.index()];
    sheet.label(ink, at, Some(radius * 0.92), words);
}

/// Draws the rim of a man that was moved last.
pub(super) fn moved(sheet: &mut Sheet, at: SheetPoint, radius: f32) {
    sheet.circle(Paint::Last, at, radius - 1.2);
}
