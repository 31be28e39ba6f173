//! A [`Diagram`] as an HTML table that every mail program shows.
//!
//! Tables, `bgcolor` and inline styles work everywhere; styles of a page, pictures and scripts do
//! not. Programs with a dark mode of their own turn light grounds dark and dark letters light,
//! some only those: so the board is of middle and dark grounds with light letters, which such a
//! program leaves alone and one that turns everything around turns around whole. Sides differ by
//! letter, and by blue and red, which nobody mixes up.

use super::points::{doubled, face, home, man, place, score};
use crate::message::Html;
use games::{Corridor, Cube, Diagram, DiceOnTable, Grid, Pile, Points, Rim, Seat};

/// A ground, the letters on it, and the line around it.
#[derive(Clone, Copy)]
struct Paint {
    ground: &'static str,
    ink: &'static str,
    line: &'static str,
}

const FRAME: Paint = Paint { ground: "#3b2c20", ink: "#f6ecdc", line: "#3b2c20" };
const SQUARES: [Paint; 2] = [
    Paint { ground: "#5d4733", ink: "#f3e6d2", line: "#5d4733" },
    Paint { ground: "#745a41", ink: "#fbf3e6", line: "#745a41" },
];
const MEN: [Paint; 2] = [
    Paint { ground: "#1d5a94", ink: "#ffffff", line: "#cfe3f7" },
    Paint { ground: "#9a2a2c", ink: "#ffffff", line: "#f7d6d0" },
];
const GREEN: Paint = Paint { ground: "#1f6b3a", ink: "#ffffff", line: "#cfeed8" };
const DIE: Paint = Paint { ground: "#fbf5e6", ink: "#1f1a14", line: "#8a7a62" };
/// The ground of a point that was pressed last, or may be pressed.
const LIGHT: &str = "#6b5f1f";
/// What stands beneath a square board.
const SIDES: &str =
    "margin:4px 0;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px";
/// The line of a wall.
const WALL: &str = ";border-right:4px solid #f0b429";

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
    let style = format!(
        "background-color:{};color:{};border-collapse:separate;font-family:Arial,Helvetica,sans-serif",
        FRAME.ground, FRAME.ink
    );
    let attributes = [
        ("role", "img"),
        ("aria-label", words),
        ("border", "0"),
        ("cellpadding", "0"),
        ("cellspacing", "1"),
        ("bgcolor", FRAME.ground),
        ("style", style.as_str()),
    ];
    page.element("table", &attributes, rows);
}

/// A table without lines inside another.
fn inner(page: &mut Html, style: &str, rows: impl FnOnce(&mut Html)) {
    let style = format!("border-collapse:separate{style}");
    let attributes = [
        ("border", "0"),
        ("cellpadding", "0"),
        ("cellspacing", "1"),
        ("align", "center"),
        ("style", style.as_str()),
    ];
    page.element("table", &attributes, rows);
}

/// How a cell stands in its row.
struct Cell {
    paint: Paint,
    width: usize,
    height: usize,
    /// Pixels of its letters.
    letters: usize,
    /// What else its style says, each with `;` before it.
    style: &'static str,
    valign: &'static str,
}

impl Cell {
    const fn of(paint: Paint, width: usize, height: usize, letters: usize) -> Self {
        Self { paint, width, height, letters, style: "", valign: "middle" }
    }

    fn draw(&self, page: &mut Html, content: impl FnOnce(&mut Html)) {
        let Paint { ground, ink, .. } = self.paint;
        let style = format!(
            "background-color:{ground};color:{ink};font-size:{}px;line-height:{}px{}",
            self.letters,
            self.letters + 3,
            self.style
        );
        let (width, height) = (self.width.to_string(), self.height.to_string());
        let attributes = [
            ("align", "center"),
            ("valign", self.valign),
            ("width", width.as_str()),
            ("height", height.as_str()),
            ("bgcolor", ground),
            ("style", style.as_str()),
        ];
        page.element("td", &attributes, content);
    }
}

/// A man, a die or a cube: a cell with a line around it.
fn piece(page: &mut Html, paint: Paint, [width, height]: [usize; 2], round: usize, text: &str) {
    let Paint { ground, ink, line } = paint;
    let letters = if text.len() > 2 { 11 } else { 12 };
    let style = format!(
        "background-color:{ground};color:{ink};font-size:{letters}px;line-height:{}px;\
         font-weight:bold;border:1px solid {line};border-radius:{round}px",
        letters + 2
    );
    let (width, height) = (width.to_string(), height.to_string());
    let attributes = [
        ("align", "center"),
        ("width", width.as_str()),
        ("height", height.as_str()),
        ("bgcolor", ground),
        ("style", style.as_str()),
    ];
    page.element("td", &attributes, |page| page.text(text));
}

/// Words on the frame.
fn words_cell(page: &mut Html, align: &str, span: usize, content: impl FnOnce(&mut Html)) {
    let style = format!(
        "background-color:{};color:{};font-size:14px;line-height:18px;\
         padding:2px 5px;word-break:break-word",
        FRAME.ground, FRAME.ink
    );
    let span = span.to_string();
    let attributes = [
        ("align", align),
        ("colspan", span.as_str()),
        ("bgcolor", FRAME.ground),
        ("style", style.as_str()),
    ];
    page.element("td", &attributes, content);
}

fn dice(page: &mut Html, thrown: &DiceOnTable) {
    for value in &thrown.show {
        piece(page, DIE, [26, 26], 4, &value.to_string());
    }
    if thrown.double {
        words_cell(page, "left", 1, |page| page.text("x4"));
    }
}

/// A side's letter, and how many of its men where there are more than one.
fn men(seat: Seat, count: u8) -> String {
    let man = man(seat);
    if count > 1 { format!("{man}{count}") } else { man.to_owned() }
}

fn paint(seat: Seat) -> Paint {
    MEN[seat.index()]
}

// The 24 points.

/// Points of a half, and pixels of a point, of what stands between the halves, and of a man.
const HALF: usize = 6;
const POINT: usize = 26;
const BAR: usize = 28;
const LINE: usize = 6;
const MAN: [usize; 2] = [22, 20];
/// Men of a pile that are drawn; the first says how many there are.
const DEPTH: usize = 5;
const HEIGHT: usize = 148;

fn points(page: &mut Html, position: &Points, names: [&str; 2], words: &str) {
    let columns = 2 * HALF + 1;
    board(page, words, |page| {
        if let Some(of) = &position.game_of {
            let score = score(of);
            page.element("tr", &[], |page| {
                words_cell(page, "center", columns, |page| page.text(&score));
            });
        }
        for upper in [true, false] {
            let seat = if upper { position.upper } else { position.upper.other() };
            let label = |page: &mut Html| {
                page.element("tr", &[], |page| {
                    words_cell(page, "center", columns, |page| side(page, position, names, seat));
                });
            };
            if upper {
                label(page);
            }
            row(page, position, upper);
            if upper {
                page.element("tr", &[], |page| {
                    words_cell(page, "center", columns, |page| middle(page, position));
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
    page.element("tr", &[], |page| {
        for (index, (_, number)) in order.into_iter().enumerate() {
            if index == HALF {
                between(page, position.rim, position.upper, upper);
            }
            let pile = position.piles[number - 1];
            let valign = if upper { "top" } else { "bottom" };
            let cell = Cell { valign, ..Cell::of(SQUARES[number % 2], POINT, HEIGHT, 11) };
            cell.draw(page, |page| {
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
    let mut men_of = stack(holder, pile.men, DEPTH - usize::from(pile.pins));
    if pile.pins {
        men_of.insert(0, (holder.other(), man(holder.other()).to_owned()));
    }
    men_of
}

/// Men of one side: the first says how many there are, no more than `most` are drawn.
fn stack(seat: Seat, count: u8, most: usize) -> Vec<(Seat, String)> {
    let one = |index| (seat, if index == 0 { men(seat, count) } else { man(seat).to_owned() });
    (0..usize::from(count).min(most)).map(one).collect()
}

/// Men one above the other, the first next to the upper or the lower rim.
fn column(page: &mut Html, stack: &[(Seat, String)], upper: bool) {
    if stack.is_empty() {
        return;
    }
    inner(page, "", |page| {
        let draw = |(seat, text): &(Seat, String)| {
            page.element("tr", &[], |page| piece(page, paint(*seat), MAN, 10, text));
        };
        if upper { stack.iter().for_each(draw) } else { stack.iter().rev().for_each(draw) }
    });
}

fn between(page: &mut Html, rim: Rim, upper_seat: Seat, upper: bool) {
    match rim {
        Rim::Line => Cell::of(FRAME, LINE, HEIGHT, 1).draw(page, |page| page.text("\u{A0}")),
        Rim::Bar(waiting) => {
            // They wait where they enter, across from their own side.
            let seat = if upper { upper_seat.other() } else { upper_seat };
            let valign = if upper { "bottom" } else { "top" };
            Cell { valign, ..Cell::of(FRAME, BAR, HEIGHT, 10) }.draw(page, |page| {
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
    inner(page, ";width:100%", |page| {
        page.element("tr", &[], |page| {
            piece(page, paint(seat), [24, 22], 11, man(seat));
            words_cell(page, "left", 1, |page| {
                page.element("b", &[], |page| page.text(names[index]));
                page.text(&format!(" {}/{}", position.pips[index], position.men[index]));
                if let Some(cube) = cube(position).filter(|cube| cube.turned == Some(seat)) {
                    page.text(&format!(" {}", doubled(cube)));
                }
            });
            if let Some(cube) = cube(position).filter(|cube| cube.owner == Some(seat)) {
                piece(page, DIE, [32, 28], 2, &face(cube).to_string());
            }
            if let Some((_, thrown)) = position.dice.as_ref().filter(|(of, _)| *of == seat) {
                dice(page, thrown);
            }
        });
    });
}

/// The men borne off, and the cube while it is nobody's.
fn middle(page: &mut Html, position: &Points) {
    inner(page, "", |page| {
        page.element("tr", &[], |page| {
            words_cell(page, "center", 1, |page| {
                page.text(&home(position.off));
                page.text("\u{A0}\u{A0}");
            });
            if let Some(cube) = cube(position).filter(|cube| cube.owner.is_none()) {
                piece(page, DIE, [32, 28], 2, &face(cube).to_string());
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

fn corridor(page: &mut Html, position: &Corridor, names: [&str; 2], words: &str) {
    let size = usize::from(position.size);
    let side = ((WIDTH - 2 * RIM - 24) / size.max(1)).min(34) - 1;
    let counter = |page: &mut Html, align: &str, seat: Seat| {
        page.element("tr", &[], |page| {
            words_cell(page, align, size + 2, |page| {
                page.element("b", &[], |page| page.text(man(seat)));
                let steps = position.connection[seat.index()];
                page.text(&format!(" = {steps}  {}", names[seat.index()]));
            });
        });
    };
    board(page, words, |page| {
        counter(page, "right", Seat(0));
        letters(page, size, side);
        for rank in (1..=size).rev() {
            page.element("tr", &[], |page| {
                rim(page, RIM, side, &rank.to_string());
                for file in 0..size {
                    let walled = position.walls.iter().any(|wall| {
                        usize::from(wall.after_file) == file + 1
                            && (wall.from_rank..=wall.to_rank).contains(&u8_of(rank))
                    });
                    let pile = position.piles[(rank - 1) * size + file];
                    square(page, pile, [file, rank], side, walled);
                }
                rim(page, RIM, side, &rank.to_string());
            });
        }
        letters(page, size, side);
        counter(page, "left", Seat(1));
        if let Some(thrown) = &position.dice {
            page.element("tr", &[], |page| {
                words_cell(page, "center", size + 2, |page| {
                    inner(page, "", |page| page.element("tr", &[], |page| dice(page, thrown)));
                });
            });
        }
    });
}

fn u8_of(rank: usize) -> u8 {
    u8::try_from(rank).unwrap_or(u8::MAX)
}

/// A point with its pile: the men of its holder, below them the one that is pinned. Without men it
/// says its name.
fn square(page: &mut Html, pile: Pile, [file, rank]: [usize; 2], side: usize, walled: bool) {
    let mut cell = Cell::of(SQUARES[(file + rank) % 2], side, side, 11);
    cell.style = if walled { WALL } else { "" };
    cell.draw(page, |page| match pile.holder {
        None => page.text(&format!("{}{rank}", letter(file))),
        Some(holder) => inner(page, "", |page| {
            let height = if pile.pins { side / 2 - 3 } else { side.min(28) - 6 };
            let size = [side - 6, height];
            let mut draw = |seat: Seat, text: &str| {
                page.element("tr", &[], |page| piece(page, paint(seat), size, 8, text));
            };
            draw(holder, &men(holder, pile.men));
            if pile.pins {
                draw(holder.other(), man(holder.other()));
            }
        }),
    });
}

fn rim(page: &mut Html, width: usize, height: usize, text: &str) {
    Cell::of(FRAME, width, height, 11).draw(page, |page| page.text(text));
}

/// The line of the files' letters.
fn letters(page: &mut Html, size: usize, side: usize) {
    page.element("tr", &[], |page| {
        rim(page, RIM, RIM, "\u{A0}");
        for file in 0..size {
            rim(page, side, RIM, &letter(file).to_string());
        }
        rim(page, RIM, RIM, "\u{A0}");
    });
}

fn letter(file: usize) -> char {
    char::from(b'a' + u8_of(file).min(25))
}

// Square boards.

fn grid(page: &mut Html, position: &Grid, names: [&str; 2], words: &str) {
    let height = position.rows.len();
    let width = position.rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    let side = ((WIDTH - 2 * RIM - 24) / width.max(1)).min(34) - 1;
    board(page, words, |page| {
        letters(page, width, side);
        for (row, marks) in position.rows.iter().enumerate() {
            let rank = height - row;
            page.element("tr", &[], |page| {
                rim(page, RIM, side, &rank.to_string());
                for (file, mark) in marks.chars().enumerate() {
                    let square = super::grid::named(file, rank);
                    let is_last = square.is_some_and(|square| position.last.contains(&square));
                    let is_legal = square.is_some_and(|square| position.legal.contains(square));
                    // What was pressed last, and what may be pressed, is lighter.
                    let paint = SQUARES[(file + rank) % 2];
                    let paint =
                        if is_last || is_legal { Paint { ground: LIGHT, ..paint } } else { paint };
                    Cell::of(paint, side, side, 11).draw(page, |page| {
                        let paint = match mark {
                            '.' if is_legal => return page.text("+"),
                            '.' => return page.text(&format!("{}{rank}", letter(file))),
                            'G' => GREEN,
                            'R' => MEN[1],
                            _ => DIE,
                        };
                        let text = if is_last { format!("[{mark}]") } else { mark.to_string() };
                        inner(page, "", |page| {
                            page.element("tr", &[], |page| {
                                piece(page, paint, [side - 6, side - 8], 8, &text);
                            });
                        });
                    });
                }
                rim(page, RIM, side, &rank.to_string());
            });
        }
        letters(page, width, side);
    });
    for line in super::grid::sides(position, Some(names)) {
        page.element("p", &[("style", SIDES)], |page| page.text(&line));
    }
}
