//! Square boards: rows numbered from the bottom, columns lettered.

use super::canvas::Canvas;
use games::Grid;

pub(super) fn draw(board: &Grid) -> String {
    let mut sheet = Canvas::default();
    let height = board.rows.len();
    let width = board.rows.iter().map(String::len).max().unwrap_or(0);
    let letters: String =
        (b'a'..=b'z').take(width).flat_map(|letter| [char::from(letter), ' ']).collect();
    sheet.put(3, 0, letters.trim_end());
    for (row, marks) in board.rows.iter().enumerate() {
        let spaced: String = marks.chars().flat_map(|mark| [mark, ' ']).collect();
        let rank = height - row;
        sheet.put(0, row + 1, &format!("{rank:>2} {spaced}{rank}"));
    }
    sheet.put(3, height + 1, letters.trim_end());
    sheet.into_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_stand_on_all_sides() {
        let board = Grid { rows: vec!["G.".into(), ".R".into()] };
        assert_eq!(draw(&board), "   a b\n 2 G . 2\n 1 . R 1\n   a b\n");
    }
}
