//! Boards of tiles: squares in rows, hexagons in a rhombus. Ranks are numbered, files lettered.
//!
//! The last tiles are in brackets, legal tiles and star points are `+`. Territory has its owner's letter in
//! lower case. Hexagons are drawn where the board has room for
//! them in a mail; larger boards have a sign for each.

use super::canvas::Canvas;
use games::{MenKind, Seat, Spot, TiledBoard, Tiling};

/// The most columns of a drawing.
const COLUMNS: usize = 78;
/// The column of the first tile, behind the numbers.
const EDGE: usize = 3;
/// The columns of a hexagon, half of which each rank is further right than the one above it.
const HEXAGON: usize = 4;
/// The sign of a man that counts for the other side.
const DEAD: char = 'x';
/// The columns of a square with lines around it, and of one with a number.
const SQUARE: usize = 4;
const NUMBERED_SQUARE: usize = 6;

/// Draws a board. The score and the side whose light is on are beside the board, or below it.
pub(super) fn draw(board: &TiledBoard, names: Option<[&str; 2]>) -> String {
    let mut sheet = Canvas::default();
    let (files, ranks) = (usize::from(board.files), usize::from(board.ranks()));
    let lines = sides(board, names);
    // The light of either side has room, so that no turn moves the lines.
    let room = |line: &String| line.trim_end_matches(" *").chars().count() + 2;
    let longest = lines.iter().map(room).max().unwrap_or(0);
    let hexagons_end = EDGE + HEXAGON * files + HEXAGON / 2 * ranks + 3;
    let beside = match board.tiling {
        Tiling::Square | Tiling::Lines => {
            let width = match board.men {
                MenKind::Chessmen => squares(board, &mut sheet, SQUARE),
                MenKind::Draughtsmen => squares(board, &mut sheet, NUMBERED_SQUARE),
                MenKind::Lights | MenKind::Discs => {
                    signs(board, &mut sheet, 0);
                    2
                }
            };
            Some(width * files + 8).filter(|left| left + longest <= COLUMNS)
        }
        Tiling::Hex => {
            if hexagons_end <= COLUMNS {
                hexagons(board, &mut sheet);
            } else {
                signs(board, &mut sheet, 1);
            }
            None
        }
    };
    let (left, top) = beside.map_or_else(|| (EDGE, sheet.height()), |left| (left, 1));
    for (row, line) in (top..).zip(&lines) {
        sheet.put(left, row, line);
    }
    sheet.into_text()
}

/// Draws each tile as one sign. Each rank is `slant` columns further right than the rank above it.
fn signs(board: &TiledBoard, sheet: &mut Canvas, slant: usize) {
    let files = usize::from(board.files);
    let letters = letters(board, 2);
    sheet.put(EDGE, 0, &letters);
    let rows = board.rows();
    for (row, spots) in (1..).zip(&rows) {
        let left = slant * (row - 1);
        let rank = rank_of(spots);
        sheet.put(left, row, &format!("{rank:>2}"));
        let mut is_last_before = false;
        for (file, spot) in spots.iter().enumerate() {
            let column = left + EDGE + 2 * file;
            sheet.put(column, row, &sign(board, *spot).to_string());
            let is_last = board.last.contains(spot);
            if is_last {
                sheet.put(column - 1, row, if is_last_before { "|" } else { "[" });
                sheet.put(column + 1, row, "]");
            }
            is_last_before = is_last;
        }
        // A bracket at the last column precedes the number.
        sheet.put(left + EDGE + 2 * files, row, &rank.to_string());
    }
    sheet.put(EDGE + slant * rows.len(), rows.len() + 1, &letters);
}

/// Draws each tile as a square of some columns with lines around it, and returns the columns. Dark squares
/// have colons or their number. A man that must be saved is in round brackets.
fn squares(board: &TiledBoard, sheet: &mut Canvas, width: usize) -> usize {
    let files = usize::from(board.files);
    let letters = letters(board, width);
    let line = format!("+{}", format!("{}+", "-".repeat(width - 1)).repeat(files));
    let rows = board.rows();
    sheet.put(EDGE + 2, 0, &letters);
    sheet.put(EDGE, 1, &line);
    for (row, spots) in (2..).step_by(2).zip(&rows) {
        let rank = rank_of(spots);
        sheet.put(0, row, &format!("{rank:>2} |"));
        for (file, spot) in spots.iter().enumerate() {
            let has_colons = width == SQUARE && (file + 1 + usize::from(rank)).is_multiple_of(2);
            let [open, close] = match has_colons {
                _ if board.attacked == Some(*spot) => ['(', ')'],
                _ if board.last.contains(spot) => ['[', ']'],
                true => [':'; 2],
                false => [' '; 2],
            };
            let sign = match sign(board, *spot) {
                '.' if has_colons => ':',
                '.' => ' ',
                sign => sign,
            };
            let number = board.number(*spot).map_or_else(String::new, |number| number.to_string());
            let room = width - SQUARE;
            let square = format!("{open}{sign}{close}{number:>room$}|");
            sheet.put(EDGE + width * file + 1, row, &square);
        }
        sheet.put(EDGE + width * files + 2, row, &rank.to_string());
        sheet.put(EDGE, row + 1, &line);
    }
    sheet.put(EDGE + 2, 2 * rows.len() + 2, &letters);
    width
}

/// Draws each tile as a hexagon.
fn hexagons(board: &TiledBoard, sheet: &mut Canvas) {
    let files = usize::from(board.files);
    let letters = letters(board, HEXAGON);
    let rows = board.rows();
    sheet.put(EDGE + HEXAGON / 2, 0, &letters);
    for (index, spots) in rows.iter().enumerate() {
        let (left, row) = (EDGE + HEXAGON / 2 * index, 2 * (index + 1));
        let rank = rank_of(spots);
        sheet.put(left - EDGE, row, &format!("{rank:>2}"));
        for (file, spot) in spots.iter().enumerate() {
            let column = left + HEXAGON * file;
            let [open, close] = if board.last.contains(spot) { ['[', ']'] } else { [' ', ' '] };
            sheet.put(column, row, &format!("|{open}{}{close}|", sign(board, *spot)));
            for (row, upper, lower) in [(row - 1, "/", "\\"), (row + 1, "\\", "/")] {
                sheet.put(column + 1, row, upper);
                sheet.put(column + 3, row, lower);
            }
        }
        sheet.put(left + HEXAGON * files + 2, row, &rank.to_string());
    }
    let left = EDGE + HEXAGON / 2 * rows.len();
    sheet.put(left, 2 * (rows.len() + 1), &letters);
}

/// Returns the letters of the files, `pitch` columns apart.
fn letters(board: &TiledBoard, pitch: usize) -> String {
    let letters = board.letters().map(|letter| letter.to_string());
    letters.collect::<Vec<_>>().join(&" ".repeat(pitch - 1))
}

fn rank_of(spots: &[Spot]) -> u8 {
    if let Some(Spot::Square(_, rank)) = spots.first() { *rank } else { 0 }
}

/// Returns what is on a tile, whose it is, or whether an empty tile is legal or a star point.
pub(in crate::reply::draw) fn sign(board: &TiledBoard, spot: Spot) -> char {
    match (board.mark(spot), board.owners.get(&spot)) {
        ('.', Some(owner)) => board.letter(*owner).to_ascii_lowercase(),
        (_, Some(_)) => DEAD,
        ('.', None) if board.legal.contains(&spot) || board.stars().contains(&spot) => '+',
        (mark, None) => mark,
    }
}

/// Returns a line for each side: its letter, its player, its score or its edges, and `*` if its light is
/// on.
pub(in crate::reply::draw) fn sides(board: &TiledBoard, names: Option<[&str; 2]>) -> Vec<String> {
    let line = |seat: Seat| {
        let side = &*board.sides[seat.index()];
        let is_whole = board.lower_side().is_some();
        let mark = if is_whole { side } else { &side[..board.letter(seat).len_utf8()] };
        let name = names.map_or(if is_whole { "" } else { side }, |names| names[seat.index()]);
        let name =
            if name.len() > 1 || names.is_some() { format!(" {name}") } else { String::new() };
        let facts = score(board, seat).into_iter().chain(edges(board, seat).map(str::to_owned));
        let facts = facts.fold(String::new(), |facts, fact| facts + ": " + &fact);
        let light = if board.light == Some(seat) { " *" } else { "" };
        format!("{mark}{name}{facts}{light}")
    };
    if board.score.is_none() && board.light.is_none() && board.owner_of_rank_edges.is_none() {
        return Vec::new();
    }
    let mut lines = Seat::BOTH.map(line).to_vec();
    if !board.owners.is_empty() {
        let [one, other] = Seat::BOTH.map(|seat| board.letter(seat).to_ascii_lowercase());
        lines.push(format!("{one}, {other}: territory; {DEAD}: dead"));
    }
    lines
}

/// Returns the score of a side with its unit: `1 point`.
pub(in crate::reply::draw) fn score(board: &TiledBoard, seat: Seat) -> Option<String> {
    board.score.as_ref().map(|(score, what)| {
        let of = score[seat.index()];
        let what = if of == 1 { what.trim_end_matches('s') } else { what.as_ref() };
        format!("{of} {what}")
    })
}

/// Returns the edges that a side owns.
pub(in crate::reply::draw) fn edges(board: &TiledBoard, seat: Seat) -> Option<&'static str> {
    let owner = board.owner_of_rank_edges?;
    Some(if owner == seat { "top and bottom" } else { "left and right" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Piece;

    fn two_by_two() -> TiledBoard {
        let mut board = TiledBoard::new(["Green", "Red"], 2, 2);
        board.put_rows(&["G.", ".R"]);
        board
    }

    fn at(name: &str) -> Spot {
        name.parse().unwrap()
    }

    #[test]
    fn coordinates_are_on_all_sides() {
        assert_eq!(draw(&two_by_two(), None), "   a b\n 2 G . 2\n 1 . R 1\n   a b\n");
    }

    #[test]
    fn last_and_legal_points_are_marked() {
        let board = TiledBoard {
            last: vec![at("a2"), at("a1"), at("b1")],
            legal: [at("b2"), at("b1")].into_iter().collect(),
            score: Some(([1, 2], "points".into())),
            light: Some(Seat(1)),
            ..two_by_two()
        };
        let drawn = "   a b\n 2[G]+ 2    G alice: 1 point\n 1[.|R]1    R bob: 2 points *\n   a b\n";
        assert_eq!(draw(&board, Some(["alice", "bob"])), drawn);
    }

    #[test]
    fn a_board_of_lines_has_star_points_territory_and_no_file_i() {
        let mut board = TiledBoard {
            tiling: Tiling::Lines,
            skips_i: true,
            light: Some(Seat(0)),
            ..TiledBoard::new(["Black", "White"], 9, 9)
        };
        board.put(at("c7"), Piece::Man(Seat(0)));
        board.put(at("j9"), Piece::Man(Seat(1)));
        board.put(at("h9"), Piece::Man(Seat(1)));
        board.put(at("i5"), Piece::Man(Seat(1)));
        board.owners = [(at("j9"), Seat(0)), (at("j1"), Seat(0)), (at("a1"), Seat(1))].into();
        board.last = vec![at("h9")];
        let drawn = "   a b c d e f g h j
 9 . . . . . . .[W]x 9    B alice *
 8 . . . . . . . . . 8    W bob
 7 . . B . . . + . . 7    b, w: territory; x: dead
 6 . . . . . . . . . 6
 5 . . . . + . . . . 5
 4 . . . . . . . . . 4
 3 . . + . . . + . . 3
 2 . . . . . . . . . 2
 1 w . . . . . . . b 1
   a b c d e f g h j
";
        let text = draw(&board, Some(["alice", "bob"]));
        assert_eq!(text, drawn, "\n{text}");
    }

    #[test]
    fn a_board_of_chessmen_has_lines_and_dark_squares() {
        let men = MenKind::Chessmen;
        let mut board = TiledBoard { men, ..TiledBoard::new(["White", "Black"], 4, 2) };
        board.put_rows(&["k..q", ".K.P"]);
        board.last = vec![at("d2"), at("c2")];
        board.attacked = Some(at("b1"));
        board.light = Some(Seat(0));
        let drawn = "     a   b   c   d
   +---+---+---+---+    White alice *
 2 | k |:::|[ ]|[q]| 2  Black bob
   +---+---+---+---+
 1 |:::|(K)|:::| P | 1
   +---+---+---+---+
     a   b   c   d
";
        let text = draw(&board, Some(["alice", "bob"]));
        assert_eq!(text, drawn, "\n{text}");
    }

    #[test]
    fn a_board_of_draughtsmen_has_the_numbers_of_its_dark_squares() {
        let men = MenKind::Draughtsmen;
        let mut board = TiledBoard { men, ..TiledBoard::new(["Black", "White"], 4, 4) };
        board.dark = Seat(0);
        board.put_rows(&["...b", "....", ".b..", "W.w."]);
        board.last = vec![at("c3"), at("b2")];
        board.light = Some(Seat(1));
        let drawn = "     a     b     c     d
   +-----+-----+-----+-----+    Black alice
 4 |     |    1|     | b  2| 4  White bob *
   +-----+-----+-----+-----+
 3 |    3|     |[ ] 4|     | 3
   +-----+-----+-----+-----+
 2 |     |[b] 5|     |    6| 2
   +-----+-----+-----+-----+
 1 | W  7|     | w  8|     | 1
   +-----+-----+-----+-----+
     a     b     c     d
";
        let text = draw(&board, Some(["alice", "bob"]));
        assert_eq!(text, drawn, "\n{text}");
    }

    fn hex(size: u8) -> TiledBoard {
        let mut board = TiledBoard {
            tiling: Tiling::Hex,
            owner_of_rank_edges: Some(Seat(0)),
            light: Some(Seat(1)),
            ..TiledBoard::new(["O", "X"], size, size)
        };
        board.put(at("b1"), Piece::Man(Seat(0)));
        board.put(at("c2"), Piece::Man(Seat(1)));
        board.last = vec![at("c2")];
        board.legal = [at("a3")].into_iter().collect();
        board
    }

    #[test]
    fn a_small_board_of_hexagons_shows_them() {
        let drawn = r"     a   b   c
    / \ / \ / \
 1 |   | O |   | 1
    \ / \ / \ / \
   2 |   |   |[X]| 2
      \ / \ / \ / \
     3 | + |   |   | 3
        \ / \ / \ /
         a   b   c
   O alice: top and bottom
   X bob: left and right *
"
        .replace("|   ", "| . ");
        let board = draw(&hex(3), Some(["alice", "bob"]));
        assert_eq!(board, drawn, "\n{board}");
    }

    /// Every board that a game may have fits into a mail, however its players are called.
    #[test]
    fn large_boards_have_at_most_78_columns() {
        for size in 1..=24 {
            let longest = "a".repeat(30);
            let square =
                TiledBoard { light: Some(Seat(0)), ..TiledBoard::new(["O", "X"], size, size) };
            for board in [square, hex(size)] {
                let text = draw(&board, Some([&longest, "bob"]));
                assert!(text.lines().all(|line| line.len() <= COLUMNS), "\n{text}");
                let signs = text.matches(['.', '+']).count() + text.matches("[X]").count();
                let men = board.pieces.iter().flatten().count();
                assert!(signs >= usize::from(size).pow(2) - men, "\n{text}");
            }
        }
        assert!(draw(&hex(19), None).starts_with("   a b c d"));
    }
}
