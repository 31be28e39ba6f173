//! Men: discs that differ in brightness, with a number where several share a point.

use super::palette::Paint;
use super::sheet::{SheetPoint, SvgSheet};
use games::Seat;

/// Draws a man.
pub(super) fn man(sheet: &mut SvgSheet, seat: Seat, at: SheetPoint, radius: f32) {
    let (face, ring) = [(Paint::O, Paint::ORing), (Paint::X, Paint::XRing)][seat.index()];
    sheet.circle(Paint::Shadow, at.by(0.0, radius * 0.09), radius);
    sheet.circle(face, at, radius - 0.8);
    sheet.circle(ring, at, radius * 0.68);
}

/// Writes words on a man.
pub(super) fn written(sheet: &mut SvgSheet, seat: Seat, at: SheetPoint, radius: f32, words: &str) {
    let ink = [Paint::OInk, Paint::XInk][seat.index()];
    sheet.label(ink, at, Some(radius * 0.92), words);
}

/// Draws the rim of a man that was moved last.
pub(super) fn moved(sheet: &mut SvgSheet, at: SheetPoint, radius: f32) {
    sheet.circle(Paint::Last, at, radius - 1.2);
}
