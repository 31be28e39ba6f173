//! Boards of tiles: squares, hexagons as cells of which each rank begins half a cell further right, and lines
//! between dots as narrow cells.

use super::squares::{EMPTY, RIM, SQUARES, side_of, square};
use super::{
    CellSize, DIE, GREEN, MEN, PieceFace, PieceStyle, WIDTH, board, inner, line, paint, piece, row,
};
use crate::mail::Html;
use crate::reply::draw::text::tiled_board::{links_in_words, sides, sign};
use games::{MenKind, Piece, Seat, Spot, TiledBoard, Tiling};

/// A last or legal point.
const LIGHT: &str = square!("#6b5f1f");

/// The men of the last move on hexagons.
const LAST: [PieceStyle; 2] =
    [paint!("#1d5a94", "#ffffff", "#f0b429", "0"), paint!("#9a2a2c", "#ffffff", "#f0b429", "0")];

/// Men of squares, the light ones first.
const SHADES: [PieceStyle; 2] = [
    paint!("#f4ead6", "#1f1a14", "#3a2c1a", "6px"),
    paint!("#17202e", "#ffffff", "#9fb4d6", "6px"),
];

/// The ground of a king in check.
const ATTACKED: &str = square!("#8c2f22");

/// The sign of a square that is no longer in play.
const CLOSED: PieceStyle = paint!("#3b2c20", "#fbf3e6", "#3b2c20", "0");

/// A dot or a line between two, the last line, and the boxes of each side.
const LINE: &str = square!("#fbf3e6", ";color:#1f1a14");
const LAST_LINE: &str = square!("#0f6b4f");
const BOXES: [&str; 2] =
    [square!("#1d5a94", ";font-weight:bold"), square!("#9a2a2c", ";font-weight:bold")];

/// The width of a line between dots in pixels: the height of a rank's number.
const LINE_WIDTH: usize = 14;

/// The fewest pixels of a hexagon with room for a letter in brackets.
const ROOM_FOR_BRACKETS: usize = 18;

pub(super) fn draw(page: &mut Html, position: &TiledBoard, names: [&str; 2], words: &str) {
    let halves = if position.is_hex() { position.width_in_halves() } else { 0 };
    // The two columns of a hexagon have the pixel between them, too.
    let tiles = usize::from(position.files).max(halves.div_ceil(2));
    let side = match position.tiling {
        Tiling::Dots => side_of_boxes(tiles / 2),
        _ => side_of(tiles) + usize::from(position.is_hex()),
    };
    let plan = TilePlan { position, halves, side };
    let rows = position.rows();
    let letters = |row: Option<&Vec<Spot>>| {
        let has_all = |row: &&Vec<Spot>| row.len() == usize::from(position.files);
        row.filter(|row| !position.is_hex() || has_all(row)).map(|row| plan.shift(row))
    };
    board(page, words, |page| {
        if let Some(shift) = letters(rows.first()) {
            plan.letters(page, shift);
        }
        for spots in &rows {
            plan.rank(page, spots);
        }
        // A hexagon has all files in its middle row alone.
        plan.letters(page, letters(rows.last()).unwrap_or(0));
    });
    for line in sides(position, Some(names)).into_iter().chain(links_in_words(position)) {
        page.markup(
            "<p style=\"margin:4px 0;font-family:Arial,Helvetica,sans-serif;font-size:14px;\
             line-height:20px\">",
        );
        page.text(&line);
        page.line("</p>");
    }
}

/// Returns the side of a box in pixels, for a board with `boxes` boxes in a row.
fn side_of_boxes(boxes: usize) -> usize {
    let dots = (boxes + 1) * (LINE_WIDTH + 1);
    (WIDTH.saturating_sub(2 * RIM + 24 + dots) / boxes.max(1)).min(42) - 1
}

/// The cells of a board.
struct TilePlan<'a> {
    position: &'a TiledBoard,
    /// The half cells of the width of a board of hexagons, on which a tile has two columns; 0 for other
    /// tiles.
    halves: usize,
    /// The side of a tile in pixels.
    side: usize,
}

impl TilePlan<'_> {
    /// Prints the letters of the files, `shift` half cells to the right. The cells of squares set the
    /// widths of their columns.
    fn letters(&self, page: &mut Html, shift: usize) {
        line(page, |page| {
            page.line("<td width=\"14\">&#160;</td>");
            self.gap(page, shift);
            for (file, letter) in (1..).zip(self.position.letters()) {
                page.markup("<td");
                self.span(page);
                page.markup(" width=\"");
                page.show(self.side_at(file));
                page.markup("\">");
                page.text(letter.encode_utf8(&mut [0; 4]));
                page.line("</td>");
            }
            self.gap(page, self.behind(shift, usize::from(self.position.files)));
            page.line("<td width=\"14\">&#160;</td>");
        });
    }

    /// Prints a rank with its number on both sides. The first cell sets the height of a row.
    fn rank(&self, page: &mut Html, spots: &[Spot]) {
        let rank = if let Some(Spot::Square(_, rank)) = spots.first() { *rank } else { 0 };
        let shift = self.shift(spots);
        line(page, |page| {
            page.markup("<td height=\"");
            page.show(self.side_at(rank));
            page.markup("\">");
            page.show(rank);
            page.line("</td>");
            self.gap(page, shift);
            // Half cells have been left out already.
            let missing = usize::from(self.position.files).saturating_sub(spots.len());
            let corners = if self.halves > 0 { 0 } else { missing / 2 };
            Self::corners(page, corners);
            for (file, spot) in spots.iter().enumerate() {
                self.tile(page, *spot, (file + usize::from(rank)) % 2);
            }
            Self::corners(page, corners);
            page.markup("<td>");
            page.show(rank);
            page.line("</td>");
            self.gap(page, self.behind(shift, spots.len()));
        });
    }

    /// Returns the pixels of a file or a rank, counted from 1.
    fn side_at(&self, number: u8) -> usize {
        let is_line = self.position.tiling == Tiling::Dots && number % 2 == 1;
        if is_line { LINE_WIDTH } else { self.side }
    }

    /// Prints a dot, the place of a line, or a box with its owner's letter.
    fn place(&self, page: &mut Html, spot: Spot) {
        let is_last = self.position.last.contains(&spot);
        let piece = self.position.at(spot);
        page.markup("<td");
        page.markup(match piece {
            Some(Piece::Line) if is_last => LAST_LINE,
            Some(Piece::Man(owner)) => BOXES[owner.index()],
            None if !TiledBoard::is_dot(spot) => SQUARES[usize::from(TiledBoard::is_box(spot))],
            _ => LINE,
        });
        match piece {
            Some(Piece::Man(_)) => page.text(&self.face(spot, false)),
            _ => page.text(EMPTY),
        }
        page.line("</td>");
    }

    /// Returns the half cells before a row.
    fn shift(&self, spots: &[Spot]) -> usize {
        let first = spots.first().and_then(|spot| self.position.column_and_rank(*spot));
        let halves = first.map_or(0, |[column, rank]| self.position.halves_before(column, rank));
        halves.min(self.halves)
    }

    /// Returns the half cells behind a row of `tiles` tiles.
    const fn behind(&self, shift: usize, tiles: usize) -> usize {
        self.halves.saturating_sub(shift + 2 * tiles)
    }

    /// Prints the cells of corners without a tile.
    fn corners(page: &mut Html, number: usize) {
        for _ in 0..number {
            page.markup("<td>");
            page.text(EMPTY);
            page.line("</td>");
        }
    }

    /// Prints half cells without a tile.
    fn gap(&self, page: &mut Html, halves: usize) {
        if halves > 0 {
            page.markup("<td colspan=\"");
            page.show(halves);
            page.markup("\" width=\"");
            page.show(halves * self.side / 2);
            page.markup("\">");
            page.text(EMPTY);
            page.line("</td>");
        }
    }

    /// Prints a tile. `shade` is 0 or 1: the darker or the lighter square.
    fn tile(&self, page: &mut Html, spot: Spot, shade: usize) {
        if self.position.tiling == Tiling::Dots {
            self.place(page, spot);
            return;
        }
        let TiledBoard { last, legal, .. } = self.position;
        let (is_last, is_legal) = (last.contains(&spot), legal.contains(&spot));
        let man = self.position.at(spot).map(|piece| self.style(piece, is_last));
        if let (Some(style), true) = (man, self.position.is_hex()) {
            page.markup("<td colspan=\"2\" width=\"");
            page.show(self.side);
            page.markup(style.small);
            page.text(&self.face(spot, is_last && self.side >= ROOM_FOR_BRACKETS));
            page.line("</td>");
            return;
        }
        page.markup("<td");
        self.span(page);
        let is_attacked = self.position.attacked == Some(spot);
        page.markup(match shade {
            _ if is_attacked => ATTACKED,
            _ if is_last || is_legal => LIGHT,
            _ if matches!(self.position.tiling, Tiling::Lines | Tiling::Pegs) => SQUARES[1],
            shade => SQUARES[shade],
        });
        match (man, sign(self.position, spot)) {
            (None, '.') => match self.position.number(spot) {
                Some(number) => page.show(number),
                None => page.text(EMPTY),
            },
            (None, sign) => page.text(sign.encode_utf8(&mut [0; 4])),
            (Some(style), _) => {
                let man = self.face(spot, is_last);
                inner(page, |page| {
                    let size = CellSize { width: self.side - 6, height: self.side - 8 };
                    row(page, |page| piece(page, style, size, PieceFace::Word(&man)));
                });
            }
        }
        page.line("</td>");
    }

    /// Returns the letter on a tile, in brackets or without.
    fn face(&self, spot: Spot, in_brackets: bool) -> String {
        let mark = sign(self.position, spot);
        if in_brackets { format!("[{mark}]") } else { mark.to_string() }
    }

    fn style(&self, piece: Piece, is_last: bool) -> PieceStyle {
        let TiledBoard { men, dark, .. } = self.position;
        let is_hex = self.position.is_hex();
        match (piece, *men) {
            (Piece::Man(seat) | Piece::King(seat), MenKind::Discs | MenKind::Draughtsmen)
                if !is_hex =>
            {
                SHADES[usize::from(seat == *dark)]
            }
            (Piece::Sign(_), MenKind::Discs) => CLOSED,
            (Piece::Man(seat), _) if is_hex && is_last => LAST[seat.index()],
            (Piece::Man(Seat(0)), MenKind::Lights) => GREEN,
            (Piece::Chessman(seat, _), _) => SHADES[seat.index()],
            (Piece::Man(seat) | Piece::King(seat), _) => MEN[seat.index()],
            (Piece::Unfound(_) | Piece::Line | Piece::Sign(_), _) => DIE,
        }
    }

    fn span(&self, page: &mut Html) {
        if self.halves > 0 {
            page.markup(" colspan=\"2\"");
        }
    }
}
