//! Boards of tiles, as drawing data.

use super::{Seat, Spot};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// How the tiles of a board meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tiling {
    /// Squares. Rank 1 is the lowest.
    #[default]
    Square,
    /// Points where lines cross. Rank 1 is the lowest.
    Lines,
    /// Hexagons, in a board of this outline.
    Hex(HexShape),
    /// Holes for pegs in rows, without the four corners. Rank 1 is the highest. Pegs can be linked.
    Pegs,
    /// Dots with lines between them and boxes among the lines. The places of odd files and ranks are
    /// dots, those of even files and ranks are boxes, and the others are lines. Rank 1 is the lowest.
    Dots,
}

/// The outline of a board of hexagons. Ranks are horizontal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HexShape {
    /// A rhombus. Rank 1 is the highest; each rank is half a tile further right than the rank above it.
    Rhombus,
    /// A triangle that points up, with as many files as ranks. Rank 1 is the lowest; each rank has one
    /// tile less than the rank below it, and is half a tile further right.
    Triangle,
    /// A regular hexagon, with as many files as ranks. Rank 1 is the lowest; file a of each rank is half a
    /// tile further left than that of the rank below it.
    Hexagon,
}

impl HexShape {
    /// Returns whether a board of this size has a tile, whose file and rank are counted
    /// from 1.
    pub const fn has(self, files: u8, file: u8, rank: u8) -> bool {
        match self {
            Self::Rhombus => true,
            Self::Triangle => file + rank <= files + 1,
            Self::Hexagon => file.abs_diff(rank) <= files / 2,
        }
    }

    /// Returns the steps to the six neighbours of a tile in a circle, each in files and ranks.
    pub(crate) const fn neighbours(self) -> [[i8; 2]; 6] {
        match self {
            Self::Rhombus | Self::Triangle => [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]],
            Self::Hexagon => [[1, 0], [1, 1], [0, 1], [-1, 0], [-1, -1], [0, -1]],
        }
    }
}

/// How the men of both sides look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MenKind {
    /// Lights, one colour a side.
    #[default]
    Lights,
    /// Discs, as on the boards of dice games.
    Discs,
    /// The men of Chess.
    Chessmen,
    /// The men and kings of draughts: discs, on dark squares that have numbers.
    Draughtsmen,
}

/// The kinds of the men of Chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ManKind {
    /// The king.
    King,
    /// The queen.
    Queen,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A knight.
    Knight,
    /// A pawn.
    Pawn,
}

impl ManKind {
    /// All kinds, as words list them.
    pub const ALL: [Self; 6] =
        [Self::King, Self::Queen, Self::Rook, Self::Bishop, Self::Knight, Self::Pawn];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::Queen => "queen",
            Self::Rook => "rook",
            Self::Bishop => "bishop",
            Self::Knight => "knight",
            Self::Pawn => "pawn",
        }
    }

    /// Returns the name of several.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::King => "kings",
            Self::Queen => "queens",
            Self::Rook => "rooks",
            Self::Bishop => "bishops",
            Self::Knight => "knights",
            Self::Pawn => "pawns",
        }
    }

    /// Returns the letter: upper case for seat 0, lower case for seat 1.
    pub const fn letter(self, seat: Seat) -> char {
        let letter = match self {
            Self::King => 'K',
            Self::Queen => 'Q',
            Self::Rook => 'R',
            Self::Bishop => 'B',
            Self::Knight => 'N',
            Self::Pawn => 'P',
        };
        if seat.0 == 0 { letter } else { letter.to_ascii_lowercase() }
    }
}

/// What is on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A man of a side.
    Man(Seat),
    /// A king of draughts.
    King(Seat),
    /// A man of Chess.
    Chessman(Seat, ManKind),
    /// A man of a side that nobody has found.
    Unfound(Seat),
    /// A line between two dots.
    Line,
    /// A letter or a digit that [`TiledBoard::notes`] explain.
    Sign(char),
}

/// A board of tiles in files and ranks, at most one piece on each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TiledBoard {
    /// How the tiles meet.
    pub tiling: Tiling,
    /// The word for a tile.
    pub place: Cow<'static, str>,
    /// How men look.
    pub men: MenKind,
    /// The seat whose discs are dark.
    pub dark: Seat,
    /// The names of the sides, which begin with different letters.
    pub sides: [Cow<'static, str>; 2],
    /// The number of files.
    pub files: u8,
    /// Whether no file is called i, so that the ninth file is j.
    pub skips_i: bool,
    /// The pieces, rank by rank from rank 1, each rank from file a.
    pub pieces: Vec<Option<Piece>>,
    /// The seat that owns the edges beside the first and the last rank, if edges have owners; the
    /// other seat owns the edges beside the first and the last file.
    pub owner_of_rank_edges: Option<Seat>,
    /// The tiles that count for a side without a man of it: its territory, with the dead men of the
    /// other side.
    pub owners: BTreeMap<Spot, Seat>,
    /// The links between men, each with its side.
    pub links: BTreeMap<[Spot; 2], Seat>,
    /// The tiles of the last move.
    pub last: Vec<Spot>,
    /// The tile of a man that is attacked and must be saved: a king in check.
    pub attacked: Option<Spot>,
    /// The tiles to mark as legal.
    pub legal: BTreeSet<Spot>,
    /// The score of each side and its unit, such as `points`.
    pub score: Option<([u32; 2], Cow<'static, str>)>,
    /// The seat whose turn light is on.
    pub light: Option<Seat>,
    /// Other facts, one a line, without a full stop.
    pub notes: Vec<String>,
}

impl TiledBoard {
    /// Creates an empty board of squares for these sides.
    ///
    /// # Panics
    /// Panics if there are no tiles, or more than [`super::MAX_FILES`] files or ranks.
    pub fn new(sides: [&'static str; 2], files: u8, ranks: u8) -> Self {
        let sizes = 1..=super::MAX_FILES;
        assert!(sizes.contains(&files) && sizes.contains(&ranks), "{files} by {ranks} tiles");
        Self {
            tiling: Tiling::Square,
            place: Cow::Borrowed("point"),
            men: MenKind::Lights,
            dark: Seat(1),
            sides: sides.map(Cow::Borrowed),
            files,
            skips_i: false,
            pieces: vec![None; usize::from(files) * usize::from(ranks)],
            owner_of_rank_edges: None,
            owners: BTreeMap::new(),
            links: BTreeMap::new(),
            last: Vec::new(),
            attacked: None,
            legal: BTreeSet::new(),
            score: None,
            light: None,
            notes: Vec::new(),
        }
    }

    /// Creates an empty board of as many files as ranks, whose places are called squares.
    pub(crate) fn of_squares(sides: [&'static str; 2], size: u8) -> Self {
        Self { place: Cow::Borrowed("square"), ..Self::new(sides, size, size) }
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u8 {
        let ranks = self.pieces.len() / usize::from(self.files.max(1));
        u8::try_from(ranks).unwrap_or(u8::MAX)
    }

    /// Returns the place of a column and a rank, each from 1.
    pub const fn spot(&self, column: u8, rank: u8) -> Spot {
        if self.skips_i { Spot::without_i(column, rank) } else { Spot::Square(column, rank) }
    }

    /// Returns the column and the rank of a place, each from 1; `None` beside the board.
    pub fn column_and_rank(&self, spot: Spot) -> Option<[u8; 2]> {
        let place = match spot {
            _ if self.skips_i => spot.column_without_i()?,
            Spot::Square(file, rank) => [file, rank],
            _ => return None,
        };
        let [files, ranks] = [self.files, self.ranks()].map(|most| 1..=most);
        (files.contains(&place[0]) && ranks.contains(&place[1]) && self.has(place)).then_some(place)
    }

    /// Returns whether the outline of the board has the tile of a column and a rank within its files and
    /// ranks.
    fn has(&self, [column, rank]: [u8; 2]) -> bool {
        match self.tiling {
            Tiling::Square | Tiling::Lines | Tiling::Dots => true,
            Tiling::Hex(shape) => shape.has(self.files, column, rank),
            Tiling::Pegs => {
                let is_end = |number: u8, most: u8| number == 1 || number == most;
                !(is_end(column, self.files) && is_end(rank, self.ranks()))
            }
        }
    }

    /// Returns whether the tiles are hexagons.
    pub const fn is_hex(&self) -> bool {
        matches!(self.tiling, Tiling::Hex(_))
    }

    /// Returns whether rank 1 is the lowest of the drawing.
    pub const fn is_upward(&self) -> bool {
        !matches!(self.tiling, Tiling::Hex(HexShape::Rhombus) | Tiling::Pegs)
    }

    /// Returns where in the drawing file a of rank 1 is, and by how much file a of each rank is further
    /// right than that of the rank before, both in halves of a tile. A file is two halves wide.
    pub fn slant(&self) -> [i16; 2] {
        match self.tiling {
            Tiling::Square | Tiling::Lines | Tiling::Pegs | Tiling::Dots => [0, 0],
            Tiling::Hex(HexShape::Rhombus | HexShape::Triangle) => [0, 1],
            Tiling::Hex(HexShape::Hexagon) => [i16::from(self.files / 2), -1],
        }
    }

    /// Returns how far right a tile begins in the drawing, in halves of a tile; its column and rank are
    /// counted from 1.
    pub fn halves_before(&self, column: u8, rank: u8) -> usize {
        let [start, step] = self.slant();
        let halves = start + step * (i16::from(rank) - 1) + 2 * (i16::from(column) - 1);
        usize::try_from(halves).unwrap_or(0)
    }

    /// Returns how many halves of a tile the drawing is wide.
    pub fn width_in_halves(&self) -> usize {
        let ends = (1..=self.ranks()).filter_map(|rank| {
            let last = (1..=self.files).rev().find(|column| self.has([*column, rank]))?;
            Some(self.halves_before(last, rank) + 2)
        });
        ends.max().unwrap_or(0)
    }

    /// Returns the rank of the tile of a file that comes first, from rank 1 on.
    pub fn first_rank(&self, column: u8) -> u8 {
        (1..=self.ranks()).find(|rank| self.has([column, *rank])).unwrap_or(1)
    }

    /// Returns the letters of the files.
    pub fn letters(&self) -> impl Iterator<Item = char> + use<> {
        let skips_i = self.skips_i;
        ('a'..='z').filter(move |letter| !(skips_i && *letter == 'i')).take(self.files.into())
    }

    /// Returns the seat whose men begin at the lower end of the board, where each side has an end: the
    /// light men of Chess and of draughts.
    pub const fn lower_side(&self) -> Option<Seat> {
        match self.men {
            MenKind::Chessmen | MenKind::Draughtsmen => Some(self.dark.other()),
            MenKind::Lights | MenKind::Discs => None,
        }
    }

    /// Returns the number of a square of draughts: the dark squares are counted row by row from the
    /// upper left one. Light squares and the places of other boards have none.
    pub fn number(&self, spot: Spot) -> Option<u32> {
        let [column, rank] = self.column_and_rank(spot)?.map(u32::from);
        let is_dark = (column + rank).is_multiple_of(2);
        let rows_above = u32::from(self.ranks()) - rank;
        (self.men == MenKind::Draughtsmen && is_dark)
            .then(|| rows_above * u32::from(self.files / 2) + column.div_ceil(2))
    }

    /// Returns the name by which players call a place: its number if it has one, or its coordinates.
    pub fn name(&self, spot: Spot) -> String {
        self.number(spot).map_or_else(|| spot.to_string(), |number| number.to_string())
    }

    fn index(&self, spot: Spot) -> Option<usize> {
        let [column, rank] = self.column_and_rank(spot)?;
        Some(usize::from(rank - 1) * usize::from(self.files) + usize::from(column - 1))
    }

    /// Returns how far the outer star points of a board of lines are from its edge, counted from 1.
    pub(crate) const fn star_distance(lines: u8) -> u8 {
        match lines {
            0..=6 => 2,
            7..=12 => 3,
            _ => 4,
        }
    }

    /// Returns the dots of a board of dots, and the star points of a board of lines: near the corners and in
    /// the centre, and on large boards in the middle of the sides.
    pub fn stars(&self) -> Vec<Spot> {
        if self.tiling == Tiling::Dots {
            let mut dots = self.rows().concat();
            dots.retain(|spot| Self::is_dot(*spot));
            return dots;
        }
        let lines = self.files;
        if self.tiling != Tiling::Lines || lines != self.ranks() || lines < 5 {
            return Vec::new();
        }
        let low = Self::star_distance(lines);
        let (middle, high) = (lines.div_ceil(2), lines + 1 - low);
        let corners = [(low, low), (low, high), (high, low), (high, high)];
        let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
        let centre = (lines % 2 == 1).then_some((middle, middle));
        let sides = sides.into_iter().filter(|_| lines >= 15 && lines % 2 == 1);
        let all = corners.into_iter().chain(centre).chain(sides);
        all.map(|(column, rank)| self.spot(column, rank)).collect()
    }

    /// Returns whether a place of a board of dots is a dot.
    pub const fn is_dot(spot: Spot) -> bool {
        matches!(spot, Spot::Square(file, rank) if file % 2 == 1 && rank % 2 == 1)
    }

    /// Returns whether a place of a board of dots is a box.
    pub const fn is_box(spot: Spot) -> bool {
        matches!(spot, Spot::Square(file, rank) if file % 2 == 0 && rank % 2 == 0)
    }

    /// Returns whether the line on a place of a board of dots joins two dots of a rank.
    pub const fn is_level(spot: Spot) -> bool {
        matches!(spot, Spot::Square(file, _) if file % 2 == 0)
    }

    /// Returns the piece on a tile.
    pub fn at(&self, spot: Spot) -> Option<Piece> {
        self.index(spot).and_then(|index| self.pieces[index])
    }

    /// Puts a piece on a tile of the board.
    pub fn put(&mut self, spot: Spot, piece: Piece) {
        if let Some(index) = self.index(spot) {
            self.pieces[index] = Some(piece);
        }
    }

    /// Moves a man along the path of a partial move, and marks the path as the last move.
    pub(crate) fn move_man(&mut self, path: &[Spot]) {
        if let [from, .., to] = *path
            && let (Some(start), Some(end)) = (self.index(from), self.index(to))
        {
            self.pieces[end] = self.pieces[start].take();
            self.last = path.to_vec();
        }
    }

    /// Returns the tiles of each rank in the order of the drawing, from the top.
    pub fn rows(&self) -> Vec<Vec<Spot>> {
        let rank = |rank| {
            let columns = (1..=self.files).filter(|column| self.has([*column, rank]));
            columns.map(|column| self.spot(column, rank)).collect()
        };
        let ranks = 1..=self.ranks();
        if self.is_upward() { ranks.rev().map(rank).collect() } else { ranks.map(rank).collect() }
    }

    /// Returns the letter of a side: the first of its name.
    pub fn letter(&self, seat: Seat) -> char {
        self.sides[seat.index()].chars().next().unwrap_or('?')
    }

    /// Returns the letter of what is on a tile; `.` for nothing.
    pub fn mark(&self, spot: Spot) -> char {
        match self.at(spot) {
            None => '.',
            Some(Piece::Man(seat)) if self.men == MenKind::Draughtsmen => {
                self.letter(seat).to_ascii_lowercase()
            }
            Some(Piece::Man(seat) | Piece::King(seat)) => self.letter(seat),
            Some(Piece::Chessman(seat, kind)) => kind.letter(seat),
            Some(Piece::Unfound(seat)) => self.letter(seat).to_ascii_lowercase(),
            Some(Piece::Line) => {
                if Self::is_level(spot) {
                    '-'
                } else {
                    '|'
                }
            }
            Some(Piece::Sign(sign)) => sign,
        }
    }

    /// Returns the piece with a letter; the inverse of [`TiledBoard::mark`].
    pub fn piece(&self, mark: char) -> Option<Piece> {
        let of = |mark: char| Seat::BOTH.into_iter().find(|&seat| self.letter(seat) == mark);
        let chessman = |seat| {
            let kind = ManKind::ALL.into_iter().find(|kind| kind.letter(seat) == mark);
            kind.map(|kind| Piece::Chessman(seat, kind))
        };
        match mark {
            '.' => None,
            '-' | '|' if self.tiling == Tiling::Dots => Some(Piece::Line),
            _ if self.men == MenKind::Chessmen => Seat::BOTH.into_iter().find_map(chessman),
            _ => Some(match (of(mark), of(mark.to_ascii_uppercase())) {
                (Some(seat), _) if self.men == MenKind::Draughtsmen => Piece::King(seat),
                (None, Some(seat)) if self.men == MenKind::Draughtsmen => Piece::Man(seat),
                (Some(seat), _) => Piece::Man(seat),
                (None, Some(seat)) => Piece::Unfound(seat),
                (None, None) => Piece::Sign(mark),
            }),
        }
    }

    /// Puts pieces on the board by their letters, given row by row from the top of the drawing.
    pub fn put_rows<R: AsRef<str>>(&mut self, rows: &[R]) {
        for (spots, row) in self.rows().into_iter().zip(rows) {
            for (spot, mark) in spots.into_iter().zip(row.as_ref().chars()) {
                if let Some(piece) = self.piece(mark) {
                    self.put(spot, piece);
                }
            }
        }
    }

    /// Returns the letters of the board row by row from the top of the drawing.
    pub fn marks(&self) -> Vec<String> {
        let row = |spots: Vec<Spot>| spots.into_iter().map(|spot| self.mark(spot)).collect();
        self.rows().into_iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RHOMBUS: Tiling = Tiling::Hex(HexShape::Rhombus);

    /// Neighbours touch in the drawing: beside each other, or half a tile apart in neighbouring rows.
    #[test]
    fn hexagons_have_the_neighbours_that_they_touch() {
        for shape in [HexShape::Rhombus, HexShape::Triangle, HexShape::Hexagon] {
            let tiling = Tiling::Hex(shape);
            let board = TiledBoard { tiling, ..TiledBoard::new(["O", "X"], 9, 9) };
            let rows = board.rows();
            let row = |rank| {
                rows.iter().position(|row| matches!(row[0], Spot::Square(_, it) if it == rank))
            };
            let tiles: Vec<[u8; 2]> =
                rows.concat().into_iter().filter_map(|spot| board.column_and_rank(spot)).collect();
            assert_eq!(
                tiles.len(),
                match shape {
                    HexShape::Rhombus => 81,
                    HexShape::Triangle => 45,
                    HexShape::Hexagon => 61,
                }
            );
            for [file, rank] in &tiles {
                for [other, above] in &tiles {
                    let step = [other.wrapping_sub(*file), above.wrapping_sub(*rank)];
                    let step = step.map(u8::cast_signed);
                    let across = board
                        .halves_before(*file, *rank)
                        .abs_diff(board.halves_before(*other, *above));
                    let down = row(*rank).unwrap().abs_diff(row(*above).unwrap());
                    let touches = matches!((across, down), (2, 0) | (1, 1));
                    assert_eq!(
                        shape.neighbours().contains(&step),
                        touches,
                        "{shape:?} {file} {rank} {step:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn letters_of_any_board_read_back_as_its_pieces() {
        for (tiling, files, ranks) in
            [(Tiling::Square, 3, 2), (RHOMBUS, 19, 19), (Tiling::Square, 24, 24)]
        {
            let empty = TiledBoard { tiling, ..TiledBoard::new(["Red", "Blue"], files, ranks) };
            let mut board = empty.clone();
            board.put(Spot::Square(1, 1), Piece::Man(Seat(0)));
            board.put(Spot::Square(files, 1), Piece::Unfound(Seat(1)));
            board.put(Spot::Square(files, ranks), Piece::Sign('?'));
            board.put(Spot::Square(files + 1, 1), Piece::Man(Seat(1)));
            board.put(Spot::Square(1, ranks + 1), Piece::Man(Seat(1)));
            assert_eq!(board.pieces.iter().flatten().count(), 3);
            let mut again = empty;
            again.put_rows(&board.marks());
            assert_eq!(again, board);
            let first = &board.marks()[0];
            assert_eq!(first.ends_with('b'), tiling == RHOMBUS, "{first}");
        }
    }

    #[test]
    fn letters_of_chessmen_read_back_as_their_kinds() {
        let men = MenKind::Chessmen;
        let mut board = TiledBoard { men, ..TiledBoard::new(["White", "Black"], 6, 2) };
        let rows = ["kqrbnp", "KQRBNP"];
        board.put_rows(&rows);
        assert_eq!(board.marks(), rows);
        assert_eq!(board.at(Spot::Square(5, 2)), Some(Piece::Chessman(Seat(1), ManKind::Knight)));
        assert_eq!(board.piece('x'), None);
    }

    #[test]
    fn letters_of_draughtsmen_read_back_and_dark_squares_have_numbers() {
        let men = MenKind::Draughtsmen;
        let mut board = TiledBoard { men, ..TiledBoard::new(["White", "Black"], 10, 10) };
        let rows = ["bBwW......"; 10];
        board.put_rows(&rows);
        assert_eq!(board.marks(), rows);
        assert_eq!(board.at(Spot::Square(4, 1)), Some(Piece::King(Seat(0))));
        for (place, name) in
            [("b10", "1"), ("j10", "5"), ("a9", "6"), ("a1", "46"), ("i1", "50"), ("b1", "b1")]
        {
            assert_eq!(board.name(place.parse().unwrap()), name);
        }
        let small = TiledBoard { men, ..TiledBoard::new(["Black", "White"], 8, 8) };
        for (place, number) in [("b8", 1), ("h8", 4), ("a7", 5), ("a1", 29), ("g1", 32)] {
            assert_eq!(small.number(place.parse().unwrap()), Some(number));
        }
        board.men = MenKind::Discs;
        assert_eq!(board.number(Spot::Square(1, 1)), None);
    }
}
