//! Boards of tiles: squares in rows, hexagons in a rhombus, a triangle or a hexagon, pegs with their links,
//! dots with boxes. Ranks are numbered, files lettered.
//!
//! The last tiles are in brackets. Legal tiles, star points and dots are `+`. Territory has its owner's letter
//! in lower case. Hexagons are drawn where the board has room for them in a mail; larger boards have one sign
//! for each tile.

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
/// The columns of a tile drawn as one sign, of a square with lines around it, and of one with a number.
const SIGN: usize = 2;
const SQUARE: usize = 4;
const NUMBERED_SQUARE: usize = 6;

/// The columns of a hole on a board of up to eighteen files.
const HOLE: usize = 4;

/// Draws a board. The score and the side whose light is on are beside the board, or below it.
pub(super) fn draw(board: &TiledBoard, names: Option<[&str; 2]>) -> String {
    let mut sheet = Canvas::default();
    let files = usize::from(board.files);
    let lines = sides(board, names);
    // The light of either side has room, so that no turn moves the lines.
    let room = |line: &String| line.trim_end_matches(" *").chars().count() + 2;
    let longest = lines.iter().map(room).max().unwrap_or(0);
    let beside = match board.tiling {
        Tiling::Square | Tiling::Lines => {
            let width = match board.men {
                MenKind::Chessmen => SQUARE,
                MenKind::Draughtsmen => NUMBERED_SQUARE,
                MenKind::Lights | MenKind::Discs => SIGN,
            };
            if width == SIGN {
                signs(board, &mut sheet);
            } else {
                squares(board, &mut sheet, width);
            }
            Some(width * files + 8).filter(|left| left + longest <= COLUMNS)
        }
        Tiling::Dots => {
            dots(board, &mut sheet);
            Some(2 * files + 8).filter(|left| left + longest <= COLUMNS)
        }
        Tiling::Pegs => {
            pegs(board, &mut sheet);
            None
        }
        Tiling::Hex(_) => {
            // Behind the hexagons is a half of one, and the number of the rank.
            if EDGE + HEXAGON / 2 * (board.width_in_halves() + 1) + 3 <= COLUMNS {
                hexagons(board, &mut sheet);
            } else {
                signs(board, &mut sheet);
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

/// Draws each tile as one sign, two columns wide.
fn signs(board: &TiledBoard, sheet: &mut Canvas) {
    let rows = board.rows();
    let top = letters_above(board, sheet, EDGE, 2);
    for (row, spots) in (top..).zip(&rows) {
        let (rank, left) = (rank_of(spots), left_of(board, spots));
        sheet.put(left, row, &format!("{rank:>2}"));
        let mut is_last_before = false;
        for (index, spot) in spots.iter().enumerate() {
            let column = left + EDGE + 2 * index;
            sheet.put(column, row, &sign(board, *spot).to_string());
            let is_last = board.last.contains(spot);
            if is_last {
                sheet.put(column - 1, row, if is_last_before { "|" } else { "[" });
                sheet.put(column + 1, row, "]");
            }
            is_last_before = is_last;
        }
        if has_number_behind(&rows, row - top) {
            // A bracket at the last column precedes the number.
            sheet.put(left + EDGE + 2 * spots.len(), row, &rank.to_string());
        }
    }
    for (column, row, letter) in letters_below(board) {
        let shift = usize::from(board.is_hex());
        let column = EDGE + column;
        let column = if is_leftward(board) { column - shift } else { column + shift };
        sheet.put(column, row + top, &letter.to_string());
    }
}

/// Returns how many halves of a tile the first tile of a row is from the left.
fn left_of(board: &TiledBoard, spots: &[Spot]) -> usize {
    let first = spots.first().and_then(|spot| board.column_and_rank(*spot));
    first.map_or(0, |[column, rank]| board.halves_before(column, rank))
}

/// Returns whether files run to the left on their way down.
fn is_leftward(board: &TiledBoard) -> bool {
    board.is_upward() && board.slant()[1] > 0
}

/// Returns whether the number of a rank is behind its row, too: where the row above is longer, the letter of
/// its last file is there.
fn has_number_behind(rows: &[Vec<Spot>], row: usize) -> bool {
    let file = |row: &Vec<Spot>| match row.last() {
        Some(Spot::Square(file, _)) => *file,
        _ => 0,
    };
    row == 0 || file(&rows[row - 1]) <= file(&rows[row])
}

/// Puts the letters of the files above the first row if it has all of them, and returns the lines used.
fn letters_above(board: &TiledBoard, sheet: &mut Canvas, column: usize, pitch: usize) -> usize {
    let has_all = board.rows().first().is_some_and(|row| row.len() == usize::from(board.files));
    if has_all {
        sheet.put(column, 0, &letters(board, pitch));
    }
    usize::from(has_all)
}

/// Returns where the letters of files come below their lowest tiles: the halves of a tile from the left to
/// the tile, and its row, counted from 1.
fn letters_below(board: &TiledBoard) -> Vec<(usize, usize, char)> {
    let rows = board.rows();
    let lowest = |column: u8| {
        let is_of = |spot: &Spot| board.column_and_rank(*spot).is_some_and(|[it, _]| it == column);
        let row = rows.iter().rposition(|row| row.iter().any(is_of))?;
        Some((board.halves_before(column, rank_of(&rows[row])), row + 1))
    };
    let columns = (1..=board.files).zip(board.letters());
    columns
        .filter_map(|(column, letter)| lowest(column).map(|(left, row)| (left, row, letter)))
        .collect()
}

/// Draws dots, the lines between them, and the owners of boxes. Places where nothing is drawn are empty.
fn dots(board: &TiledBoard, sheet: &mut Canvas) {
    let letters = letters(board, 2);
    sheet.put(EDGE, 0, &letters);
    let rows = board.rows();
    for (row, spots) in (1..).zip(&rows) {
        let rank = rank_of(spots);
        sheet.put(0, row, &format!("{rank:>2}"));
        for (file, spot) in spots.iter().enumerate() {
            let column = EDGE + 2 * file;
            match board.mark(*spot) {
                '.' if TiledBoard::is_dot(*spot) => sheet.put(column, row, "+"),
                '.' => {}
                '-' => sheet.put(column - 1, row, "---"),
                mark => sheet.put(column, row, &mark.to_string()),
            }
            if board.last.contains(spot) {
                sheet.put(column - 1, row, "[");
                sheet.put(column + 1, row, "]");
            }
        }
        sheet.put(EDGE + 2 * spots.len(), row, &rank.to_string());
    }
    sheet.put(EDGE, rows.len() + 1, &letters);
}

/// Draws each tile as a square of `width` columns with lines around it. Dark squares have colons or their
/// number. A man that must be saved is in round brackets.
fn squares(board: &TiledBoard, sheet: &mut Canvas, width: usize) {
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
}

/// Draws each tile as a hexagon.
fn hexagons(board: &TiledBoard, sheet: &mut Canvas) {
    let rows = board.rows();
    let top = letters_above(board, sheet, EDGE + HEXAGON / 2, HEXAGON);
    for (index, spots) in rows.iter().enumerate() {
        let (left, row) = (EDGE + HEXAGON / 2 * left_of(board, spots), 2 * index + 1 + top);
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
        if has_number_behind(&rows, index) {
            sheet.put(left + HEXAGON * spots.len() + 2, row, &rank.to_string());
        }
    }
    for (left, row, letter) in letters_below(board) {
        // Below the last row a letter is under its tile, beside it at the place of the next tile.
        let beside = if row == rows.len() { 0 } else { HEXAGON / 2 };
        let column = EDGE + HEXAGON / 2 * left + HEXAGON / 2 + beside;
        sheet.put(column, 2 * row + 1 + top, &letter.to_string());
    }
}

/// Draws holes with the pegs in them, the links between pegs, and a frame between the holes that both sides may
/// use and those of one side. Larger boards are narrower.
fn pegs(board: &TiledBoard, sheet: &mut Canvas) {
    let files = usize::from(board.files);
    let pitch = if 2 * EDGE + HOLE * files <= COLUMNS { HOLE } else { HOLE - 1 };
    let place = |spot: Spot| {
        let [column, rank] = board.column_and_rank(spot)?.map(usize::from);
        Some([EDGE + 1 + pitch * (column - 1), 2 * rank - 1])
    };
    let letters = letters(board, pitch);
    sheet.put(EDGE + 1, 0, &letters);
    let inside = pitch * files.saturating_sub(2);
    let edge = format!("+{}+", "=".repeat(inside.saturating_sub(1)));
    let (first, last) = (EDGE + 1 + pitch / 2, 2 * usize::from(board.ranks()) - 2);
    for row in [2, last] {
        sheet.put(first, row, &edge);
    }
    for row in 3..last {
        for column in [first, first + inside] {
            sheet.put(column, row, "|");
        }
    }
    for ends in board.links.keys().map(|ends| ends.map(place)) {
        if let [Some(one), Some(other)] = ends {
            link(sheet, one, other);
        }
    }
    for (row, spots) in (1..).step_by(2).zip(board.rows()) {
        let rank = rank_of(&spots);
        sheet.put(0, row, &format!("{rank:>2}"));
        for spot in spots {
            let Some([column, row]) = place(spot) else { continue };
            let sign = sign(board, spot);
            if board.last.contains(&spot) {
                sheet.put(column - 1, row, &format!("[{sign}]"));
            } else {
                sheet.put(column, row, &sign.to_string());
            }
        }
        sheet.put(EDGE + 1 + pitch * files, row, &rank.to_string());
    }
    sheet.put(EDGE + 1, last + 2, &letters);
}

/// Draws a link between two pegs: a steep one through the row of holes between them, a flat one through the
/// line between their rows.
fn link(sheet: &mut Canvas, one: [usize; 2], other: [usize; 2]) {
    let [upper, lower] = if one[1] < other[1] { [one, other] } else { [other, one] };
    let (width, height) = (upper[0].abs_diff(lower[0]), lower[1] - upper[1]);
    let left = upper[0].min(lower[0]);
    let falls = upper[0] < lower[0];
    if height > 2 {
        for step in 1..height {
            let across = (step * width + height / 2) / height;
            let column = if falls { upper[0] + across } else { upper[0] - across };
            sheet.put(column, upper[1] + step, if falls { "\\" } else { "/" });
        }
    } else {
        // Half as long as the link, so that parallel links beside each other do not touch.
        let line = "-".repeat((width / 2).saturating_sub(2));
        let line = if falls { format!("`{line}.") } else { format!(".{line}'") };
        sheet.put(left + 2, upper[1] + 1, &line);
    }
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

/// Returns the links of each side that has any, as a sentence: `Links of O: b3-c5, c5-e6.`
pub(in crate::reply) fn links_in_words(board: &TiledBoard) -> Vec<String> {
    let of = |seat: Seat| {
        let own = board.links.iter().filter(|(_, side)| **side == seat);
        let names: Vec<String> = own.map(|([one, other], _)| format!("{one}-{other}")).collect();
        let side = &board.sides[seat.index()];
        (!names.is_empty()).then(|| format!("Links of {side}: {}.", names.join(", ")))
    };
    Seat::BOTH.into_iter().filter_map(of).collect()
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
    use games::{HexShape, Piece};

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
            tiling: Tiling::Hex(HexShape::Rhombus),
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

    fn shaped(shape: HexShape, files: u8, man: &str) -> String {
        let mut board = TiledBoard {
            tiling: Tiling::Hex(shape),
            light: Some(Seat(0)),
            last: vec![at(man)],
            ..TiledBoard::new(["O", "X"], files, files)
        };
        board.put(at(man), Piece::Man(Seat(1)));
        draw(&board, None)
    }

    #[test]
    fn a_triangle_of_hexagons_points_up() {
        let drawn = r"
        / \
     3 | . | 3
      / \ / \
   2 |[X]| . | 2
    / \ / \ / \
 1 | . | . | . | 1
    \ / \ / \ /
     a   b   c
   O *
   X
"
        .trim_start_matches('\n');
        let text = shaped(HexShape::Triangle, 3, "a2");
        assert_eq!(text, drawn, "\n{text}");
    }

    #[test]
    fn a_hexagon_of_hexagons_has_its_letters_below_and_at_the_right() {
        let drawn = r"
      / \ / \
   3 | . | . | 3
    / \ / \ / \
 2 | . | . | . | 2
    \ / \ / \ /
   1 | . |[X]| c
      \ / \ /
       a   b
   O *
   X
"
        .trim_start_matches('\n');
        let text = shaped(HexShape::Hexagon, 3, "b1");
        assert_eq!(text, drawn, "\n{text}");
        let large = shaped(HexShape::Hexagon, 19, "s19");
        assert!(large.starts_with("         19 . . . ."), "\n{large}");
    }

    #[test]
    fn links_lead_from_peg_to_peg_in_all_directions() {
        let mut board = TiledBoard {
            tiling: Tiling::Pegs,
            owner_of_rank_edges: Some(Seat(0)),
            light: Some(Seat(1)),
            last: vec![at("e5")],
            ..TiledBoard::new(["O", "X"], 6, 6)
        };
        for (seat, ends) in
            [(0, ["c1", "d3"]), (0, ["d3", "b4"]), (1, ["d2", "f3"]), (1, ["e5", "f3"])]
        {
            for end in ends {
                board.put(at(end), Piece::Man(Seat(seat)));
            }
            board.links.insert(ends.map(at), Seat(seat));
        }
        let drawn = r"
    a   b   c   d   e   f
 1      .   O   .   .       1
      +======\========+
 2  . | .   . \ X   . | .   2
      |        \  `--.|
 3  . | .   .   O   . | X   3
      |   .--'        |/
 4  . | O   .   .   . / .   4
      |              /|
 5  . | .   .   .  [X]| .   5
      +===============+
 6      .   .   .   .       6
    a   b   c   d   e   f
   O: top and bottom
   X: left and right *
";
        let text = draw(&board, None);
        assert_eq!(text, drawn.trim_start_matches('\n'), "\n{text}");
        let large = TiledBoard::new(["O", "X"], 24, 24);
        let text = draw(&TiledBoard { tiling: Tiling::Pegs, ..large }, None);
        assert!(text.lines().all(|line| line.len() <= COLUMNS), "\n{text}");
    }

    #[test]
    fn lines_join_dots_and_boxes_have_the_letters_of_their_owners() {
        let mut board = TiledBoard {
            tiling: Tiling::Dots,
            light: Some(Seat(0)),
            score: Some(([1, 0], "points".into())),
            last: vec![at("c4")],
            ..TiledBoard::new(["O", "X"], 5, 5)
        };
        for line in ["b5", "a4", "c4", "b3", "d3", "c2", "b1"] {
            board.put(at(line), Piece::Line);
        }
        board.put(at("b4"), Piece::Man(Seat(0)));
        let drawn = r"
   a b c d e
 5 +---+   + 5    O alice: 1 point *
 4 | O[|]    4    X bob: 0 points
 3 +---+---+ 3
 2     |     2
 1 +---+   + 1
   a b c d e
";
        let text = draw(&board, Some(["alice", "bob"]));
        assert_eq!(text, drawn.trim_start_matches('\n'), "\n{text}");
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
