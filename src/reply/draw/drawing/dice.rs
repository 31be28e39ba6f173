//! Dice with four and with six faces, and the doubling cube.

use super::palette::Paint;
use super::shapes::{Area, SheetPoint};
use super::sheet::Sheet;
use games::{Cube, DiceOnTable};

use crate::reply::draw::text::points::face;

/// The width of a die.
pub(super) const SIDE: f32 = 36.0;
/// The distance between the centres of two dice.
const STEP: f32 = 43.0;

/// The pips of a face, in columns and rows from its centre.
type DieFace = &'static [[f32; 2]];

const SQUARE: [DieFace; 6] = [
    &[[0.0, 0.0]],
    &[[-1.0, 1.0], [1.0, -1.0]],
    &[[-1.0, 1.0], [0.0, 0.0], [1.0, -1.0]],
    &[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]],
    &[[-1.0, -1.0], [1.0, -1.0], [0.0, 0.0], [-1.0, 1.0], [1.0, 1.0]],
    &[[-1.0, -1.0], [1.0, -1.0], [-1.0, 0.0], [1.0, 0.0], [-1.0, 1.0], [1.0, 1.0]],
];

const TRIANGLE: [DieFace; 4] = [
    &[[0.0, 0.25]],
    &[[-0.62, 0.8], [0.62, 0.8]],
    &[[0.0, -0.35], [-0.75, 0.85], [0.75, 0.85]],
    &[[0.0, -0.6], [-0.85, 0.9], [0.85, 0.9], [0.0, 0.35]],
];

/// Returns how often each die is played.
fn times(dice: &DiceOnTable) -> usize {
    if dice.is_double { 4 } else { 1 }
}

pub(super) fn width(dice: &DiceOnTable) -> f32 {
    let all = u16::try_from(times(dice) * dice.show.len()).unwrap_or(u16::MAX);
    STEP * f32::from(all)
}

/// Draws dice in a row around a centre, used dice faded.
pub(super) fn row(sheet: &mut Sheet, middle: SheetPoint, dice: &DiceOnTable) {
    let mut at = middle.by((STEP - width(dice)) / 2.0, 0.0);
    for (index, value) in dice.show.iter().enumerate() {
        let used = dice.used.get(index).copied().unwrap_or_default();
        for turn in 0..times(dice) {
            if turn < usize::from(used) {
                sheet.group(Paint::Used, |sheet| die(sheet, at, dice.faces, *value));
            } else {
                die(sheet, at, dice.faces, *value);
            }
            at = at.by(STEP, 0.0);
        }
    }
}

fn die(sheet: &mut Sheet, at: SheetPoint, faces: u8, value: u8) {
    let index = usize::from(value.max(1)) - 1;
    let (spots, step): (DieFace, f32) = if faces == 4 {
        let (half, foot, top) = (SIDE * 0.56, SIDE * 0.42, SIDE * 0.56);
        sheet.shapes(Paint::Die, &[&[at.by(0.0, -top), at.by(half, foot), at.by(-half, foot)]]);
        (TRIANGLE[index.min(3)], SIDE * 0.29)
    } else {
        sheet.rectangle(Paint::Die, Area::around(at, SIDE), SIDE * 0.2);
        (SQUARE[index.min(5)], SIDE * 0.26)
    };
    for [column, line] in spots {
        sheet.circle(Paint::Pip, at.by(column * step, line * step), SIDE * 0.09);
    }
}

/// Draws the cube with its value, or with the value of an open double.
pub(super) fn cube(sheet: &mut Sheet, at: SheetPoint, cube: Cube) {
    let value = if cube.turned.is_some() { cube.value.saturating_mul(2) } else { face(cube) };
    let side = if cube.turned.is_some() { 50.0 } else { SIDE };
    sheet.rectangle(Paint::Die, Area::around(at, side), 6.0);
    let figures = value.to_string();
    let size = side * [0.58, 0.58, 0.52, 0.44, 0.34, 0.28][figures.len().min(5)];
    sheet.label(Paint::Cube, at, Some(size), figures);
}
