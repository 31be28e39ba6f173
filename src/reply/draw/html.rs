//! A [`Diagram`] as an HTML table that every mail program shows.
//!
//! Tables, `bgcolor` and inline styles work everywhere; styles of a page, pictures and scripts do
//! not. Programs with a dark mode of their own turn light grounds dark and dark letters light,
//! some only those: so the board is of middle and dark grounds with light letters, which such a
//! program leaves alone and one that turns everything around turns around whole. Sides differ by
//! letter, and by blue and red, which nobody mixes up.

use super::points::{doubled, face, home, man, place, score};
use crate::mail::Html;
use games::{Corridor, Cube, Diagram, DiceOnTable, Grid, Pile, Points, Rim, Seat};

/// A ground, and the style that says it. Outlook reads the attribute, others the style.
#[derive(Clone, Copy)]
struct Paint {
    ground: &'static str,
    style: &'static str,
}

macro_rules! ground {
    ($ground:literal) => {
        Paint { ground: $ground, style: concat!("background-color:", $ground) }
    };
}

/// A man, a die or a cube. It names its letters itself: some programs let a table inside another
/// inherit none.
macro_rules! piece {
    ($ground:literal, $ink:literal, $line:literal, $round:literal) => {
        Paint {
            ground: $ground,
            style: concat!(
                "background-color:",
                $ground,
                ";color:",
                $ink,
                ";font:bold 12px/14px Arial;border:1px solid ",
                $line,
                ";border-radius:",
                $round
            ),
        }
    };
}

const FRAME: &str = "#3b2c20";
/// What the letters and the ground of the frame are; cells inherit it.
const FRAME_STYLE: &str = "background-color:#3b2c20;color:#fbf3e6;border-collapse:separate;\
                           font:12px/14px Arial,Helvetica,sans-serif";
const SQUARES: [Paint; 2] = [ground!("#5d4733"), ground!("#745a41")];
/// The same beside a wall.
const WALLED: [Paint; 2] = [
    Paint { style: "background-color:#5d4733;border-right:4px solid #f0b429", ..SQUARES[0] },
    Paint { style: "background-color:#745a41;border-right:4px solid #f0b429", ..SQUARES[1] },
];
const MEN: [Paint; 2] = [
    piece!("#1d5a94", "#ffffff", "#cfe3f7", "9px"),
    piece!("#9a2a2c", "#ffffff", "#f7d6d0", "9px"),
];
const GREEN: Paint = piece!("#1f6b3a", "#ffffff", "#cfeed8", "9px");
const DIE: Paint = piece!("#fbf5e6", "#1f1a14", "#8a7a62", "4px");
/// The ground of a point that was pressed last, or may be pressed.
const LIGHT: Paint = ground!("#6b5f1f");
/// What stands beneath a square board.
const SIDES: &str =
    "margin:4px 0;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px";

/// The widest board: what a phone shows without moving it aside, less the margins.
const WIDTH: usize = 374;

/// Draws a position. Names are those of the players, seat 0's first; `words` say the position to
/// whoever hears it.
pub fn html(page: &mut Html, diagram: &Diagram, names: [&str; 2], words: &str) {
    match diagram {
        Diagram::Points(board) => points(page, board, names, words),
        Diagram::Corridor(board) => corridor(page, board, names, words),
        Diagram::Grid(board) => grid(page, board, names, words),
    }
}

// What all boards are made of.

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

/// A row of points and of what stands beside them.
fn line(page: &mut Html, cells: impl FnOnce(&mut Html)) {
    page.element("tr", &[("align", "center")], cells);
}

/// A table without lines inside another.
fn inner(page: &mut Html, rows: impl FnOnce(&mut Html)) {
    let attributes = [("align", "center"), ("cellpadding", "0"), ("cellspacing", "1")];
    page.element("table", &attributes, rows);
}

/// A man, a die or a cube: a cell with a line around it.
fn piece(page: &mut Html, paint: Paint, [width, height]: Size<'_>, text: &str) {
    let smaller;
    let style = if text.len() > 2 {
        smaller = format!("{};font-size:11px", paint.style);
        &smaller
    } else {
        paint.style
    };
    let attributes = [
        ("align", "center"),
        ("width", width),
        ("height", height),
        ("bgcolor", paint.ground),
        ("style", style),
    ];
    page.element("td", &attributes, |page| page.text(text));
}

/// Pixels of a cell across and down.
type Size<'a> = [&'a str; 2];

/// Words on the frame.
fn words_cell(page: &mut Html, align: &str, span: &str, content: impl FnOnce(&mut Html)) {
    let style = "font-size:14px;line-height:18px;padding:2px 5px;word-break:break-word";
    page.element("td", &[("align", align), ("colspan", span), ("style", style)], content);
}

fn dice(page: &mut Html, thrown: &DiceOnTable) {
    for value in &thrown.show {
        piece(page, DIE, ["26", "26"], &value.to_string());
    }
    if thrown.double {
        words_cell(page, "left", "1", |page| page.text("x4"));
    }
}

/// A side's letter, and how many of its men where there are more than one.
fn men_of(seat: Seat, count: u8) -> String {
    let man = man(seat);
    if count > 1 { format!("{man}{count}") } else { man.to_owned() }
}

// The 24 points.

/// Points of a half, and pixels of a point, of what stands between the halves, and of a man.
const HALF: usize = 6;
const POINT: &str = "26";
const BAR: &str = "28";
const LINE: &str = "6";
const MAN: Size<'static> = ["22", "20"];
const CUBE: Size<'static> = ["32", "28"];
/// Men of a pile that are drawn; the first says how many there are.
const DEPTH: usize = 5;
const HEIGHT: &str = "148";
/// All columns: the points of both halves, and what stands between.
const COLUMNS: &str = "13";

fn points(page: &mut Html, position: &Points, names: [&str; 2], words: &str) {
    board(page, words, |page| {
        if let Some(of) = &position.game_of {
            let score = score(of);
            page.element("tr", &[], |page| {
                words_cell(page, "center", COLUMNS, |page| page.text(&score));
            });
        }
        for upper in [true, false] {
            let seat = if upper { position.upper } else { position.upper.other() };
            let label = |page: &mut Html| {
                page.element("tr", &[], |page| {
                    words_cell(page, "center", COLUMNS, |page| side(page, position, names, seat));
                });
            };
            if upper {
                label(page);
            }
            row(page, position, upper);
            if upper {
                page.element("tr", &[], |page| {
                    words_cell(page, "center", COLUMNS, |page| middle(page, position));
                });
            } else {
                label(page);
            }
        }
    });
}

/// The points of the upper or the lower side, and what stands between the halves.
fn row(page: &mut Html, position: &Points, upper: bool) {
    let mut order: Vec<(usize, usize)> = (1..=24)
        .filter_map(|point| {
            let (stands, column) = place(position, point);
            (stands == upper).then_some((column, point))
        })
        .collect();
    order.sort_unstable();
    line(page, |page| {
        for (index, (_, number)) in order.into_iter().enumerate() {
            if index == HALF {
                between(page, position.rim, position.upper, upper);
            }
            let pile = position.piles[number - 1];
            let valign = if upper { "top" } else { "bottom" };
            let Paint { ground, style } = SQUARES[number % 2];
            let attributes = [
                ("valign", valign),
                ("width", POINT),
                ("height", HEIGHT),
                ("bgcolor", ground),
                ("style", style),
            ];
            page.element("td", &attributes, |page| {
                if upper {
                    page.text(&number.to_string());
                }
                column(page, &standing(pile), upper);
                if !upper {
                    page.text(&number.to_string());
                }
            });
        }
    });
}

/// The men of a pile from the rim on.
fn standing(pile: Pile) -> Vec<(Seat, String)> {
    let Some(holder) = pile.holder else { return Vec::new() };
    let mut stood = stack(holder, pile.men, DEPTH - usize::from(pile.pins));
    if pile.pins {
        stood.insert(0, (holder.other(), man(holder.other()).to_owned()));
    }
    stood
}

/// Men of one side: the first says how many there are, no more than `most` are drawn.
fn stack(seat: Seat, count: u8, most: usize) -> Vec<(Seat, String)> {
    let one = |index| (seat, if index == 0 { men_of(seat, count) } else { man(seat).to_owned() });
    (0..usize::from(count).min(most)).map(one).collect()
}

/// Men one above the other, the first next to the upper or the lower rim.
fn column(page: &mut Html, stack: &[(Seat, String)], upper: bool) {
    if stack.is_empty() {
        return;
    }
    inner(page, |page| {
        let draw = |(seat, text): &(Seat, String)| {
            page.element("tr", &[], |page| piece(page, MEN[seat.index()], MAN, text));
        };
        if upper { stack.iter().for_each(draw) } else { stack.iter().rev().for_each(draw) }
    });
}

fn between(page: &mut Html, rim: Rim, upper_seat: Seat, upper: bool) {
    match rim {
        Rim::Line => page.element("td", &[("width", LINE)], |page| page.text("\u{A0}")),
        Rim::Bar(waiting) => {
            // They wait where they enter, across from their own side.
            let seat = if upper { upper_seat.other() } else { upper_seat };
            let valign = if upper { "bottom" } else { "top" };
            page.element("td", &[("valign", valign), ("width", BAR)], |page| {
                let waiting = waiting[seat.index()];
                if waiting == 0 {
                    page.text("BAR");
                }
                column(page, &stack(seat, waiting, DEPTH), !upper);
            });
        }
    }
}

/// A side's line: who, the pips and men, the cube if it is this side's, the dice if they are.
fn side(page: &mut Html, position: &Points, names: [&str; 2], seat: Seat) {
    let index = seat.index();
    let wide = [("width", "100%"), ("cellpadding", "0"), ("cellspacing", "1")];
    page.element("table", &wide, |page| {
        page.element("tr", &[], |page| {
            piece(page, MEN[index], ["24", "22"], man(seat));
            words_cell(page, "left", "1", |page| {
                page.element("b", &[], |page| page.text(names[index]));
                page.text(&format!(" {}/{}", position.pips[index], position.men[index]));
                if let Some(cube) = cube(position).filter(|cube| cube.turned == Some(seat)) {
                    page.text(&format!(" {}", doubled(cube)));
                }
            });
            if let Some(cube) = cube(position).filter(|cube| cube.owner == Some(seat)) {
                piece(page, DIE, CUBE, &face(cube).to_string());
            }
            if let Some((_, thrown)) = position.dice.as_ref().filter(|(of, _)| *of == seat) {
                dice(page, thrown);
            }
        });
    });
}

/// The men borne off, and the cube while it is nobody's.
fn middle(page: &mut Html, position: &Points) {
    inner(page, |page| {
        page.element("tr", &[], |page| {
            words_cell(page, "center", "1", |page| {
                page.text(&home(position.off));
                page.text("\u{A0}\u{A0}");
            });
            if let Some(cube) = cube(position).filter(|cube| cube.owner.is_none()) {
                piece(page, DIE, CUBE, &face(cube).to_string());
            }
        });
    });
}

/// A Crawford game is played without it.
fn cube(position: &Points) -> Option<Cube> {
    position.cube.filter(|_| !position.game_of.is_some_and(|of| of.is_crawford))
}

// The walled board.

/// Pixels of the coordinates beside a board.
const RIM: usize = 14;

/// Pixels of a point of a board of so many files.
fn side_of(files: usize) -> usize {
    ((WIDTH - 2 * RIM - 24) / files.max(1)).min(34) - 1
}

fn corridor(page: &mut Html, position: &Corridor, names: [&str; 2], words: &str) {
    let size = usize::from(position.size);
    let side = side_of(size);
    let span = (size + 2).to_string();
    let counter = |page: &mut Html, align: &str, seat: Seat| {
        page.element("tr", &[], |page| {
            words_cell(page, align, &span, |page| {
                page.element("b", &[], |page| page.text(man(seat)));
                let steps = position.connection[seat.index()];
                page.text(&format!(" = {steps}  {}", names[seat.index()]));
            });
        });
    };
    let [wide, high, half] =
        [side - 6, side.min(28) - 6, side / 2 - 3].map(|pixels| pixels.to_string());
    // A man that pins another leaves it half of the point.
    let men = [[wide.as_str(), &high], [&wide, &half]];
    board(page, words, |page| {
        counter(page, "right", Seat(0));
        letters(page, size, side);
        ranks(page, size, side, |page, file, rank| {
            let walled = position.walls.iter().any(|wall| {
                usize::from(wall.after_file) == file + 1
                    && (wall.from_rank..=wall.to_rank).contains(&u8_of(rank))
            });
            let pile = position.piles[(rank - 1) * size + file];
            let grounds = if walled { WALLED } else { SQUARES };
            square(page, [file, rank], grounds[(file + rank) % 2], |page| {
                let Some(holder) = pile.holder else { return false };
                let size = men[usize::from(pile.pins)];
                inner(page, |page| {
                    let mut draw = |seat: Seat, text: &str| {
                        page.element("tr", &[], |page| piece(page, MEN[seat.index()], size, text));
                    };
                    draw(holder, &men_of(holder, pile.men));
                    if pile.pins {
                        draw(holder.other(), man(holder.other()));
                    }
                });
                true
            });
        });
        letters(page, size, side);
        counter(page, "left", Seat(1));
        if let Some(thrown) = &position.dice {
            page.element("tr", &[], |page| {
                words_cell(page, "center", &span, |page| {
                    inner(page, |page| page.element("tr", &[], |page| dice(page, thrown)));
                });
            });
        }
    });
}

fn u8_of(rank: usize) -> u8 {
    u8::try_from(rank).unwrap_or(u8::MAX)
}

/// The points rank by rank from above, with the ranks' numbers beside them. A row is as high as its
/// first cell says.
fn ranks(
    page: &mut Html,
    size: usize,
    side: usize,
    mut point: impl FnMut(&mut Html, usize, usize),
) {
    let height = side.to_string();
    for rank in (1..=size).rev() {
        let number = rank.to_string();
        line(page, |page| {
            page.element("td", &[("height", &height)], |page| page.text(&number));
            (0..size).for_each(|file| point(page, file, rank));
            page.element("td", &[], |page| page.text(&number));
        });
    }
}

/// A point with what stands on it. Where `draw` finds nothing to draw it says its name.
fn square(
    page: &mut Html,
    [file, rank]: [usize; 2],
    Paint { ground, style }: Paint,
    draw: impl FnOnce(&mut Html) -> bool,
) {
    page.element("td", &[("bgcolor", ground), ("style", style)], |page| {
        if !draw(page) {
            page.text(&format!("{}{rank}", letter(file)));
        }
    });
}

/// The line of the files' letters, which says how wide they are.
fn letters(page: &mut Html, size: usize, side: usize) {
    let [rim, side] = [RIM, side].map(|pixels| pixels.to_string());
    line(page, |page| {
        page.element("td", &[("width", &rim)], |page| page.text("\u{A0}"));
        for file in 0..size {
            let name = letter(file).to_string();
            page.element("td", &[("width", &side)], |page| page.text(&name));
        }
        page.element("td", &[("width", &rim)], |page| page.text("\u{A0}"));
    });
}

fn letter(file: usize) -> char {
    char::from(b'a' + u8_of(file).min(25))
}

// Square boards.

fn grid(page: &mut Html, position: &Grid, names: [&str; 2], words: &str) {
    let height = position.rows.len();
    let side = side_of(height);
    let [wide, high] = [side - 6, side - 8].map(|pixels| pixels.to_string());
    board(page, words, |page| {
        letters(page, height, side);
        ranks(page, height, side, |page, file, rank| {
            let mark = position.rows[height - rank].chars().nth(file).unwrap_or('.');
            let named = super::grid::named(file, rank);
            let is_last = named.is_some_and(|square| position.last.contains(&square));
            let is_legal = named.is_some_and(|square| position.legal.contains(square));
            let ground = if is_last || is_legal { LIGHT } else { SQUARES[(file + rank) % 2] };
            square(page, [file, rank], ground, |page| {
                let paint = match mark {
                    '.' if is_legal => {
                        page.text("+");
                        return true;
                    }
                    '.' => return false,
                    'G' => GREEN,
                    'R' => MEN[1],
                    _ => DIE,
                };
                inner(page, |page| {
                    let man = if is_last { format!("[{mark}]") } else { mark.to_string() };
                    page.element("tr", &[], |page| piece(page, paint, [&wide, &high], &man));
                });
                true
            });
        });
        letters(page, height, side);
    });
    for line in super::grid::sides(position, Some(names)) {
        page.element("p", &[("style", SIDES)], |page| page.text(&line));
    }
}
