//! Dice: triangles with four faces, squares with six.

use super::canvas::Canvas;
use games::DiceOnTable;

/// The height of dice in rows.
pub(super) const HEIGHT: usize = 6;

/// Draws dice side by side with their lower edges on row `top + HEIGHT - 1`.
pub(super) fn draw(sheet: &mut Canvas, left: usize, top: usize, dice: &DiceOnTable) {
    let mut column = left;
    for &value in &dice.show {
        let rows: Vec<String> = if dice.faces == 4 { triangle(value) } else { square(value) };
        let width = rows.iter().map(String::len).max().unwrap_or(0);
        for (row, text) in rows.iter().enumerate() {
            sheet.put(column, top + HEIGHT - rows.len() + row, text);
        }
        column += width + 1;
    }
    if dice.is_double {
        sheet.put(column, top + HEIGHT - 3, "x4");
    }
}

/// Returns the width of dice side by side, in columns.
pub(super) fn width(dice: &DiceOnTable) -> usize {
    let die = if dice.faces == 4 { 9 } else { 7 };
    let times = if dice.is_double { 3 } else { 0 };
    (dice.show.len() * (die + 1)).saturating_sub(1) + times
}

fn triangle(value: u8) -> Vec<String> {
    let foot = ["       ", "   o   ", " o   o ", " o o o "][usize::from(value.clamp(1, 4)) - 1];
    ["    _", "   / \\", "  / o \\", " /     \\"]
        .into_iter()
        .map(str::to_owned)
        .chain([format!("/{foot}\\"), "`-------'".to_owned()])
        .collect()
}

fn square(value: u8) -> Vec<String> {
    let (top, middle, bottom) = [
        ("     ", "  o  ", "     "),
        ("o    ", "     ", "    o"),
        ("o    ", "  o  ", "    o"),
        ("o   o", "     ", "o   o"),
        ("o   o", "  o  ", "o   o"),
        ("o   o", "o   o", "o   o"),
    ][usize::from(value.clamp(1, 6)) - 1];
    let face = [top, middle, bottom].map(|row| format!("|{row}|"));
    [".-----.".to_owned()].into_iter().chain(face).chain(["`-----'".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(faces: u8, show: Vec<u8>, is_double: bool) -> String {
        let mut sheet = Canvas::default();
        draw(&mut sheet, 0, 0, &DiceOnTable { faces, show, is_double, used: [0; 2] });
        sheet.into_text()
    }

    #[test]
    fn every_face_of_the_triangle() {
        let art = r"
    _         _         _         _
   / \       / \       / \       / \
  / o \     / o \     / o \     / o \
 /     \   /     \   /     \   /     \
/       \ /   o   \ / o   o \ / o o o \
`-------' `-------' `-------' `-------'
";
        assert_eq!(drawn(4, vec![1, 2, 3, 4], false), art[1..]);
    }

    #[test]
    fn every_face_of_the_square() {
        let art = r"
.-----. .-----. .-----. .-----. .-----. .-----.
|     | |o    | |o    | |o   o| |o   o| |o   o|
|  o  | |     | |  o  | |     | |  o  | |o   o|
|     | |    o| |    o| |o   o| |o   o| |o   o|
`-----' `-----' `-----' `-----' `-----' `-----'
";
        assert_eq!(drawn(6, vec![1, 2, 3, 4, 5, 6], false).trim_start(), &art[1..]);
    }

    #[test]
    fn a_double_is_shown_once() {
        assert!(drawn(4, vec![2], true).lines().any(|line| line == " /     \\  x4"));
    }
}
