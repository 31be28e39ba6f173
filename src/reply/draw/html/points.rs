//! Boards of 24 points.

use super::{
    CellSize, DIE, MEN, PieceFace, board, bold, dice, inner, line, piece, row, words_cell,
};
use crate::mail::Html;
use crate::reply::draw::text::points::{doubled, face, home, man, place, score};
use games::{Cube, Pile, Points, Rim, Seat};

/// The points of a half.
const HALF: usize = 6;
const MAN: CellSize = CellSize { width: 22, height: 20 };
const CUBE: CellSize = CellSize { width: 32, height: 28 };
/// The most men drawn of a pile; the first shows the number of men.
const DEPTH: usize = 5;
/// The columns: the points of both halves, and the bar.
const COLUMNS: usize = 13;

macro_rules! point {
    ($valign:literal, $ground:literal) => {
        concat!(
            "<td valign=\"",
            $valign,
            "\" width=\"26\" height=\"148\" bgcolor=\"",
            $ground,
            "\" style=\"background-color:",
            $ground,
            "\">"
        )
    };
}

/// The tags of the points of the lower and of the upper side.
const POINTS: [[&str; 2]; 2] = [
    [point!("bottom", "#5d4733"), point!("bottom", "#745a41")],
    [point!("top", "#5d4733"), point!("top", "#745a41")],
];

pub(super) fn draw(page: &mut Html, position: &Points, names: [&str; 2], words: &str) {
    board(page, words, |page| {
        if let Some(of) = &position.game_of {
            row(page, |page| words_cell(page, "center", COLUMNS, |page| page.text(&score(of))));
        }
        let label = |page: &mut Html, seat: Seat| {
            row(page, |page| {
                words_cell(page, "center", COLUMNS, |page| side(page, position, names, seat));
            });
        };
        label(page, position.upper);
        points(page, position, true);
        row(page, |page| words_cell(page, "center", COLUMNS, |page| middle(page, position)));
        points(page, position, false);
        label(page, position.upper.other());
    });
}

/// Prints the points of the upper or the lower side, and the bar.
fn points(page: &mut Html, position: &Points, upper: bool) {
    let mut order: Vec<(usize, usize)> = (1..=24)
        .filter_map(|point| {
            let (is_upper, column) = place(position, point);
            (is_upper == upper).then_some((column, point))
        })
        .collect();
    order.sort_unstable();
    line(page, |page| {
        for (index, (_, number)) in order.into_iter().enumerate() {
            if index == HALF {
                between(page, position.rim, position.upper, upper);
            }
            page.markup(POINTS[usize::from(upper)][number % 2]);
            if upper {
                page.show(number);
            }
            pile(page, position.piles[number - 1], upper);
            if !upper {
                page.show(number);
            }
            page.line("</td>");
        }
    });
}

fn pile(page: &mut Html, pile: Pile, upper: bool) {
    if let Some(holder) = pile.holder {
        let below = pile.pins.then_some(holder.other());
        column(page, below, holder, pile.men, upper);
    }
}

/// Prints a column of men from the upper or the lower rim on: a pinned man, then `count` men of `seat`,
/// the first with their number.
fn column(page: &mut Html, pinned: Option<Seat>, seat: Seat, count: u8, upper: bool) {
    let most = DEPTH - usize::from(pinned.is_some());
    let drawn = usize::from(count).min(most);
    if drawn == 0 && pinned.is_none() {
        return;
    }
    let draw = |page: &mut Html, seat: Seat, men: u8| {
        row(page, |page| piece(page, MEN[seat.index()], MAN, PieceFace::Men(seat, men)));
    };
    let below = |page: &mut Html| {
        if let Some(pinned) = pinned {
            draw(page, pinned, 1);
        }
    };
    let men = |index: usize| if index == 0 { count } else { 1 };
    inner(page, |page| {
        if upper {
            below(page);
            (0..drawn).for_each(|index| draw(page, seat, men(index)));
        } else {
            (0..drawn).rev().for_each(|index| draw(page, seat, men(index)));
            below(page);
        }
    });
}

/// Prints the bar, or the line between the halves.
fn between(page: &mut Html, rim: Rim, upper_seat: Seat, upper: bool) {
    match rim {
        Rim::Line => page.line("<td width=\"6\">&#160;</td>"),
        Rim::Bar(waiting) => {
            // Men on the bar are across from their own side.
            let seat = if upper { upper_seat.other() } else { upper_seat };
            page.markup(if upper {
                "<td valign=\"bottom\" width=\"28\">"
            } else {
                "<td valign=\"top\" width=\"28\">"
            });
            let waiting = waiting[seat.index()];
            if waiting == 0 {
                page.text("BAR");
            }
            column(page, None, seat, waiting, !upper);
            page.line("</td>");
        }
    }
}

/// Prints a side's row: player, pips and men, and the side's cube and dice.
fn side(page: &mut Html, position: &Points, names: [&str; 2], seat: Seat) {
    let index = seat.index();
    let cube = cube(position);
    page.line("<table width=\"100%\" cellpadding=\"0\" cellspacing=\"1\">");
    row(page, |page| {
        piece(page, MEN[index], CellSize { width: 24, height: 22 }, PieceFace::Word(man(seat)));
        words_cell(page, "left", 1, |page| {
            bold(page, names[index]);
            page.text(" ");
            page.show(position.pips[index]);
            page.text("/");
            page.show(position.men[index]);
            if let Some(cube) = cube.filter(|cube| cube.turned == Some(seat)) {
                page.text(" ");
                page.text(&doubled(cube));
            }
        });
        if let Some(cube) = cube.filter(|cube| cube.owner == Some(seat)) {
            piece(page, DIE, CUBE, PieceFace::Number(face(cube)));
        }
        if let Some((_, thrown)) = position.dice.as_ref().filter(|(of, _)| *of == seat) {
            dice(page, thrown);
        }
    });
    page.line("</table>");
}

/// Prints the men borne off, and a centred cube.
fn middle(page: &mut Html, position: &Points) {
    inner(page, |page| {
        row(page, |page| {
            words_cell(page, "center", 1, |page| {
                page.text(&home(position.off));
                page.text("\u{A0}\u{A0}");
            });
            if let Some(cube) = cube(position).filter(|cube| cube.owner.is_none()) {
                piece(page, DIE, CUBE, PieceFace::Number(face(cube)));
            }
        });
    });
}

/// Returns the cube; a Crawford game has none.
fn cube(position: &Points) -> Option<Cube> {
    position.cube.filter(|_| !position.game_of.is_some_and(|of| of.is_crawford))
}
