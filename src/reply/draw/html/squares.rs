//! The walled board, and what it shares with boards of tiles.

use super::{
    CellSize, MEN, PieceFace, WIDTH, board, bold, dice, inner, line, piece, row, words_cell,
};
use crate::mail::Html;
use crate::reply::draw::text::points::man;
use games::{Corridor, Pile, Seat};

/// The attributes and the end of the tag of a square.
macro_rules! square {
    ($ground:literal) => {
        square!($ground, "")
    };
    ($ground:literal, $more:literal) => {
        concat!(" bgcolor=\"", $ground, "\" style=\"background-color:", $ground, $more, "\">")
    };
}
pub(super) use square;

pub(super) const SQUARES: [&str; 2] = [square!("#5d4733"), square!("#745a41")];
/// Squares beside a wall.
const WALLED: [&str; 2] = [
    square!("#5d4733", ";border-right:4px solid #f0b429"),
    square!("#745a41", ";border-right:4px solid #f0b429"),
];
/// The width of the coordinates in pixels.
pub(super) const RIM: usize = 14;

/// Returns the side of a point in pixels, for a board of this many files.
pub(super) fn side_of(files: usize) -> usize {
    ((WIDTH - 2 * RIM - 24) / files.max(1)).min(34) - 1
}

/// Draws the walled board.
pub(super) fn corridor(page: &mut Html, position: &Corridor, names: [&str; 2], words: &str) {
    let size = usize::from(position.size);
    let side = side_of(size);
    board(page, words, |page| {
        counter(page, position, names, Seat(0), "right");
        letters(page, size, side);
        ranks(page, size, side, |page, file, rank| {
            let grounds = if is_walled(position, file, rank) { WALLED } else { SQUARES };
            page.markup("<td");
            page.markup(grounds[(file + rank) % 2]);
            match position.piles[(rank - 1) * size + file] {
                Pile { holder: Some(holder), men, pins } => {
                    pile(page, holder, men, pins, side);
                }
                Pile { holder: None, .. } => page.text(EMPTY),
            }
            page.line("</td>");
        });
        letters(page, size, side);
        counter(page, position, names, Seat(1), "left");
        if let Some(thrown) = &position.dice {
            row(page, |page| {
                words_cell(page, "center", size + 2, |page| {
                    inner(page, |page| row(page, |page| dice(page, thrown)));
                });
            });
        }
    });
}

/// Prints the steps that a side needs to connect.
fn counter(
    page: &mut Html,
    position: &Corridor,
    names: [&str; 2],
    seat: Seat,
    align: &'static str,
) {
    let span = usize::from(position.size) + 2;
    row(page, |page| {
        words_cell(page, align, span, |page| {
            bold(page, man(seat));
            page.text(" = ");
            page.show(position.connection[seat.index()]);
            page.text("  ");
            page.text(names[seat.index()]);
        });
    });
}

fn is_walled(position: &Corridor, file: usize, rank: usize) -> bool {
    position.walls.iter().any(|wall| {
        usize::from(wall.after_file) == file + 1
            && (wall.from_rank..=wall.to_rank).contains(&u8_of(rank))
    })
}

/// Prints the men of a point. A pinned man takes half of the point.
fn pile(page: &mut Html, holder: Seat, men: u8, pins: bool, side: usize) {
    let high = if pins { side / 2 - 3 } else { side.min(28) - 6 };
    let size = CellSize { width: side - 6, height: high };
    let draw = |page: &mut Html, seat: Seat, men: u8| {
        row(page, |page| piece(page, MEN[seat.index()], size, PieceFace::Men(seat, men)));
    };
    inner(page, |page| {
        draw(page, holder, men);
        if pins {
            draw(page, holder.other(), 1);
        }
    });
}

fn u8_of(rank: usize) -> u8 {
    u8::try_from(rank).unwrap_or(u8::MAX)
}

/// Prints the points rank by rank from above, with the ranks' numbers beside them. The first cell sets
/// the height of a row.
pub(super) fn ranks(
    page: &mut Html,
    size: usize,
    side: usize,
    mut point: impl FnMut(&mut Html, usize, usize),
) {
    for rank in (1..=size).rev() {
        line(page, |page| {
            page.markup("<td height=\"");
            page.show(side);
            page.markup("\">");
            page.show(rank);
            page.line("</td>");
            (0..size).for_each(|file| point(page, file, rank));
            page.markup("<td>");
            page.show(rank);
            page.line("</td>");
        });
    }
}

/// Prints the letters of the files, whose cells set the widths of the columns.
pub(super) fn letters(page: &mut Html, size: usize, side: usize) {
    line(page, |page| {
        page.line("<td width=\"14\">&#160;</td>");
        for file in 0..size {
            page.markup("<td width=\"");
            page.show(side);
            page.markup("\">");
            page.text(letter(file).encode_utf8(&mut [0; 4]));
            page.line("</td>");
        }
        page.line("<td width=\"14\">&#160;</td>");
    });
}

/// The text of an empty point: some programs do not draw an empty cell.
pub(super) const EMPTY: &str = "\u{A0}";

pub(super) fn letter(file: usize) -> char {
    char::from(b'a' + u8_of(file).min(25))
}
