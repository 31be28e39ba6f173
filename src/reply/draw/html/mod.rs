//! A [`Diagram`] as an HTML table that every mail program shows.
//!
//! Tables, `bgcolor` and inline styles work everywhere; style sheets, pictures and scripts do not. Some
//! programs with a dark mode darken light backgrounds and lighten dark letters. The board therefore has
//! medium and dark backgrounds with light letters: such a program leaves it alone, and a program that
//! inverts everything inverts all of it. Sides differ by letter, and by blue and red, which colour-blind
//! people can tell apart. Outlook reads the attribute of a background, others the style.
//!
//! All tags are constants with the values written between them, since a page is made for every mail.

mod points;
mod squares;
mod tiles;

use super::text::points::man;
use crate::mail::Html;
use games::{Diagram, DiceOnTable, Seat};

const FRAME: &str = "#3b2c20";
/// The colours of the frame; cells inherit them.
const FRAME_STYLE: &str = "background-color:#3b2c20;color:#fbf3e6;border-collapse:separate;\
                           font:12px/14px Arial,Helvetica,sans-serif";

/// The end of the tag of a man, a die or a cube, in two sizes of letters. It sets its font itself, since
/// in some programs an inner table inherits none.
#[derive(Clone, Copy)]
struct PieceStyle {
    tag: &'static str,
    small: &'static str,
}

macro_rules! paint {
    ($ground:literal, $ink:literal, $line:literal, $round:literal) => {
        PieceStyle {
            tag: paint!(@tag $ground, $ink, $line, $round, "\">"),
            small: paint!(@tag $ground, $ink, $line, $round, ";font-size:11px\">"),
        }
    };
    (@tag $ground:literal, $ink:literal, $line:literal, $round:literal, $end:literal) => {
        concat!(
            "\" bgcolor=\"", $ground, "\" style=\"background-color:", $ground, ";color:", $ink,
            ";font:bold 12px/14px Arial;border:1px solid ", $line, ";border-radius:", $round, $end
        )
    };
}

use paint;

const MEN: [PieceStyle; 2] = [
    paint!("#1d5a94", "#ffffff", "#cfe3f7", "9px"),
    paint!("#9a2a2c", "#ffffff", "#f7d6d0", "9px"),
];
const GREEN: PieceStyle = paint!("#1f6b3a", "#ffffff", "#cfeed8", "9px");
const DIE: PieceStyle = paint!("#fbf5e6", "#1f1a14", "#8a7a62", "4px");

/// The size of a cell in pixels.
#[derive(Clone, Copy)]
struct CellSize {
    width: usize,
    height: usize,
}

/// The most pixels of a board's width: a phone's screen without the margins.
const WIDTH: usize = 374;

/// Draws a position. `names` are the players', seat 0's first; `words` describe the position for screen
/// readers.
pub fn html(page: &mut Html, diagram: &Diagram, names: [&str; 2], words: &str) {
    match diagram {
        Diagram::Points(board) => points::draw(page, board, names, words),
        Diagram::Corridor(board) => squares::corridor(page, board, names, words),
        Diagram::Board(board) => tiles::draw(page, board, names, words),
    }
}

/// Prints the table of a board.
fn board(page: &mut Html, words: &str, rows: impl FnOnce(&mut Html)) {
    let attributes = [
        ("role", "img"),
        ("aria-label", words),
        ("border", "0"),
        ("cellpadding", "0"),
        ("cellspacing", "1"),
        ("bgcolor", FRAME),
        ("style", FRAME_STYLE),
    ];
    page.element("table", &attributes, rows);
}

/// Prints a row.
fn row(page: &mut Html, cells: impl FnOnce(&mut Html)) {
    page.line("<tr>");
    cells(page);
    page.line("</tr>");
}

/// Prints a row with centred cells.
fn line(page: &mut Html, cells: impl FnOnce(&mut Html)) {
    page.line("<tr align=\"center\">");
    cells(page);
    page.line("</tr>");
}

/// Prints a table without borders inside another.
fn inner(page: &mut Html, rows: impl FnOnce(&mut Html)) {
    page.line("<table align=\"center\" cellpadding=\"0\" cellspacing=\"1\">");
    rows(page);
    page.line("</table>");
}

/// The text on a piece.
#[derive(Clone, Copy)]
enum PieceFace<'a> {
    Word(&'a str),
    Number(u32),
    /// A side's letter, with the number of men if there are several.
    Men(Seat, u8),
}

impl PieceFace<'_> {
    fn length(self) -> usize {
        let digits = |number: u32| number.checked_ilog10().unwrap_or(0) as usize + 1;
        match self {
            Self::Word(word) => word.len(),
            Self::Number(number) => digits(number),
            Self::Men(_, 0 | 1) => 1,
            Self::Men(_, men) => 1 + digits(men.into()),
        }
    }

    fn print(self, page: &mut Html) {
        match self {
            Self::Word(word) => page.text(word),
            Self::Number(number) => page.show(number),
            Self::Men(seat, men) => {
                page.text(man(seat));
                if men > 1 {
                    page.show(men);
                }
            }
        }
    }
}

/// Prints a man, a die or a cube: a cell with a border.
fn piece(page: &mut Html, paint: PieceStyle, size: CellSize, face: PieceFace) {
    page.markup("<td align=\"center\" width=\"");
    page.show(size.width);
    page.markup("\" height=\"");
    page.show(size.height);
    page.markup(if face.length() > 2 { paint.small } else { paint.tag });
    face.print(page);
    page.line("</td>");
}

/// Prints a cell of text on the frame.
fn words_cell(page: &mut Html, align: &'static str, span: usize, content: impl FnOnce(&mut Html)) {
    page.markup("<td align=\"");
    page.markup(align);
    page.markup("\" colspan=\"");
    page.show(span);
    page.markup(
        "\" style=\"font-size:14px;line-height:18px;padding:2px 5px;word-break:break-word\">",
    );
    content(page);
    page.line("</td>");
}

fn bold(page: &mut Html, words: &str) {
    page.markup("<b>");
    page.text(words);
    page.markup("</b>");
}

/// Prints dice.
fn dice(page: &mut Html, thrown: &DiceOnTable) {
    for value in &thrown.show {
        piece(page, DIE, CellSize { width: 26, height: 26 }, PieceFace::Number((*value).into()));
    }
    if thrown.is_double {
        words_cell(page, "left", 1, |page| page.text("x4"));
    }
}
