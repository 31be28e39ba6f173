//! Square boards: ranks numbered from the bottom, files lettered.

use super::canvas::Canvas;
use games::{Grid, Seat, Square};

/// Draws a board. The last points are in brackets, legal points are `+`. The score and the side whose
/// light is on are beside the board.
pub(super) fn draw(board: &Grid, names: Option<[&str; 2]>) -> String {
    let mut sheet = Canvas::default();
    let height = board.rows.len();
    let width = board.rows.iter().map(String::len).max().unwrap_or(0);
    let letters: String =
        (b'a'..=b'z').take(width).flat_map(|letter| [char::from(letter), ' ']).collect();
    sheet.put(3, 0, letters.trim_end());
    for (row, marks) in board.rows.iter().enumerate() {
        let rank = height - row;
        sheet.put(0, row + 1, &format!("{rank:>2}"));
        for (column, mark) in marks.chars().enumerate() {
            let square = square_at(column, rank);
            let is_in = |square: Option<Square>| square.is_some_and(|at| board.legal.contains(at));
            let mark = if mark == '.' && is_in(square) { '+' } else { mark };
            sheet.put(3 + 2 * column, row + 1, &mark.to_string());
            if square.is_some_and(|square| board.last.contains(&square)) {
                let before = column.checked_sub(1).and_then(|column| square_at(column, rank));
                let beside = before.is_some_and(|before| board.last.contains(&before));
                sheet.put(2 + 2 * column, row + 1, if beside { "|" } else { "[" });
                sheet.put(4 + 2 * column, row + 1, "]");
            }
        }
        // A bracket at the last column precedes the number.
        sheet.put(3 + 2 * width, row + 1, &rank.to_string());
    }
    sheet.put(3, height + 1, letters.trim_end());
    for (row, line) in (1..).zip(sides(board, names)) {
        sheet.put(2 * width + 8, row, &line);
    }
    sheet.into_text()
}

/// Returns the point at a column, counted from 0, and a rank, counted from 1 at the bottom.
pub(in crate::reply::draw) fn square_at(column: usize, rank: usize) -> Option<Square> {
    let line = usize::from(games::SIZE).checked_sub(rank)?;
    Square::at(u8::try_from(line).ok()?, u8::try_from(column).ok()?)
}

/// Returns a line for each side: its letter, its player, its score, and `*` if its light is on.
pub(in crate::reply::draw) fn sides(board: &Grid, names: Option<[&str; 2]>) -> Vec<String> {
    let line = |seat: Seat| {
        let mark = ["G", "R"][seat.index()];
        let name = names.map_or(["Green", "Red"][seat.index()], |names| names[seat.index()]);
        let score = board.score.as_ref().map(|(score, what)| {
            let of = score[seat.index()];
            let what = if of == 1 { what.trim_end_matches('s') } else { what.as_ref() };
            format!(": {of} {what}")
        });
        let light = if board.light == Some(seat) { " *" } else { "" };
        format!("{mark} {name}{}{light}", score.unwrap_or_default())
    };
    if board.score.is_none() && board.light.is_none() {
        return Vec::new();
    }
    Seat::BOTH.map(line).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_on_all_sides() {
        let board = Grid { rows: vec!["G.".into(), ".R".into()], ..Grid::default() };
        assert_eq!(draw(&board, None), "   a b\n 2 G . 2\n 1 . R 1\n   a b\n");
    }

    #[test]
    fn last_and_legal_points_are_marked() {
        let at = |name: &str| name.parse::<Square>().unwrap();
        let board = Grid {
            rows: vec!["G.".into(), ".R".into()],
            last: vec![at("a2"), at("a1"), at("b1")],
            legal: [at("b2"), at("b1")].into_iter().collect(),
            score: Some(([1, 2], "points".into())),
            light: Some(Seat(1)),
            notes: Vec::new(),
        };
        let drawn = "   a b\n 2[G]+ 2    G alice: 1 point\n 1[.|R]1    R bob: 2 points *\n   a b\n";
        assert_eq!(draw(&board, Some(["alice", "bob"])), drawn);
    }
}
