//! The men of Chess: outlines of our own, drawn in a square of 100 by 100 around the middle of a tile.

use super::palette::Paint;
use super::shapes::SheetPoint;
use super::sheet::Sheet;
use games::{ManKind, Seat};

/// A polygon by the corners from the left upper one, each to the right of and below the upper left
/// corner of the square.
type Outline = &'static [(f32, f32)];

const BASE: Outline =
    &[(24.0, 90.0), (24.0, 82.0), (29.0, 77.0), (71.0, 77.0), (76.0, 82.0), (76.0, 90.0)];

const PAWN: Outline = &[
    (38.0, 77.0),
    (44.0, 56.0),
    (37.0, 53.0),
    (37.0, 49.0),
    (42.0, 47.0),
    (37.0, 40.0),
    (36.5, 33.0),
    (40.0, 26.0),
    (46.0, 22.5),
    (54.0, 22.5),
    (60.0, 26.0),
    (63.5, 33.0),
    (63.0, 40.0),
    (58.0, 47.0),
    (63.0, 49.0),
    (63.0, 53.0),
    (56.0, 56.0),
    (62.0, 77.0),
];

const ROOK: Outline = &[
    (32.0, 77.0),
    (36.0, 42.0),
    (27.0, 35.0),
    (27.0, 15.0),
    (37.0, 15.0),
    (37.0, 23.0),
    (45.0, 23.0),
    (45.0, 15.0),
    (55.0, 15.0),
    (55.0, 23.0),
    (63.0, 23.0),
    (63.0, 15.0),
    (73.0, 15.0),
    (73.0, 35.0),
    (64.0, 42.0),
    (68.0, 77.0),
];

const KNIGHT: Outline = &[
    (31.0, 77.0),
    (33.0, 66.0),
    (41.0, 56.0),
    (48.0, 48.0),
    (39.0, 50.0),
    (32.0, 58.0),
    (25.0, 59.0),
    (20.0, 53.0),
    (21.0, 46.0),
    (30.0, 35.0),
    (34.0, 25.0),
    (42.0, 20.0),
    (44.0, 10.0),
    (51.0, 18.0),
    (61.0, 21.0),
    (69.0, 29.0),
    (74.0, 41.0),
    (75.0, 57.0),
    (72.0, 77.0),
];

const BISHOP: Outline = &[
    (36.0, 77.0),
    (43.0, 60.0),
    (36.0, 57.0),
    (36.0, 53.0),
    (42.0, 51.0),
    (35.0, 43.0),
    (34.0, 35.0),
    (39.0, 26.0),
    (47.0, 18.0),
    (44.5, 14.0),
    (46.0, 9.5),
    (50.0, 8.0),
    (54.0, 9.5),
    (55.5, 14.0),
    (53.0, 18.0),
    (61.0, 26.0),
    (66.0, 35.0),
    (65.0, 43.0),
    (58.0, 51.0),
    (64.0, 53.0),
    (64.0, 57.0),
    (57.0, 60.0),
    (64.0, 77.0),
];

const QUEEN: Outline = &[
    (31.0, 77.0),
    (28.0, 60.0),
    (15.0, 28.0),
    (18.0, 24.0),
    (22.0, 27.0),
    (33.0, 44.0),
    (32.0, 19.0),
    (35.0, 15.0),
    (39.0, 19.0),
    (46.0, 41.0),
    (47.0, 16.0),
    (50.0, 11.0),
    (53.0, 16.0),
    (54.0, 41.0),
    (61.0, 19.0),
    (65.0, 15.0),
    (68.0, 19.0),
    (67.0, 44.0),
    (78.0, 27.0),
    (82.0, 24.0),
    (85.0, 28.0),
    (72.0, 60.0),
    (69.0, 77.0),
];

const KING: Outline = &[
    (31.0, 77.0),
    (28.0, 64.0),
    (18.0, 53.0),
    (16.0, 43.0),
    (20.0, 35.0),
    (30.0, 31.0),
    (39.0, 34.0),
    (46.0, 41.0),
    (44.0, 33.0),
    (46.0, 25.0),
    (46.0, 22.0),
    (39.0, 22.0),
    (39.0, 15.0),
    (46.0, 15.0),
    (46.0, 8.0),
    (54.0, 8.0),
    (54.0, 15.0),
    (61.0, 15.0),
    (61.0, 22.0),
    (54.0, 22.0),
    (54.0, 25.0),
    (56.0, 33.0),
    (54.0, 41.0),
    (61.0, 34.0),
    (70.0, 31.0),
    (80.0, 35.0),
    (84.0, 43.0),
    (82.0, 53.0),
    (72.0, 64.0),
    (69.0, 77.0),
];

/// Returns the outline above the base and the lines on a man.
fn outlines(kind: ManKind) -> (Outline, &'static [[(f32, f32); 2]]) {
    match kind {
        ManKind::Pawn => (PAWN, &[]),
        ManKind::Rook => (ROOK, &[[(36.0, 42.0), (64.0, 42.0)], [(32.0, 69.0), (68.0, 69.0)]]),
        ManKind::Knight => (KNIGHT, &[[(38.0, 32.0), (41.0, 30.0)], [(25.0, 51.0), (28.0, 49.0)]]),
        ManKind::Bishop => (BISHOP, &[[(50.0, 28.0), (50.0, 42.0)], [(43.0, 35.0), (57.0, 35.0)]]),
        ManKind::Queen => (QUEEN, &[[(28.0, 60.0), (72.0, 60.0)], [(30.0, 68.0), (70.0, 68.0)]]),
        ManKind::King => (KING, &[[(28.0, 64.0), (72.0, 64.0)], [(50.0, 44.0), (50.0, 58.0)]]),
    }
}

/// Draws a man that fills a circle of this radius.
pub(super) fn man(sheet: &mut Sheet, seat: Seat, kind: ManKind, at: SheetPoint, radius: f32) {
    let place = |(x, y): (f32, f32)| SheetPoint {
        x: (x - 50.0) * radius / 46.0,
        y: (y - 50.0) * radius / 46.0,
    };
    let (outline, lines) = outlines(kind);
    let [upper, base] =
        [outline, BASE].map(|shape| shape.iter().copied().map(place).collect::<Vec<_>>());
    let (face, line) = [(Paint::O, Paint::OLine), (Paint::X, Paint::XLine)][seat.index()];
    sheet.stamp(at, |sheet| {
        sheet.shapes(face, &[&upper, &base]);
        if !lines.is_empty() {
            let lines: Vec<_> = lines.iter().map(|ends| ends.map(place)).collect();
            sheet.lines(line, &lines);
        }
    });
}
