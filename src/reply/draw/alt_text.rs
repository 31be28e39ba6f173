//! A position point by point, as the alternative text of its picture.

use crate::base::words::AndList;
use games::{Diagram, Pile, Points, Rim, Seat};
use std::fmt::{self, Display, Write as _};

/// Returns a position as alternative text: `a8: 2 O; e3: X pinned by O`.
pub(in crate::reply) fn alt_text(diagram: &Diagram) -> String {
    let mut list = PlaceList::default();
    match diagram {
        Diagram::Points(board) => list.points(board),
        Diagram::Corridor(board) => {
            let size = usize::from(board.size).max(1);
            for (pile, index) in board.piles.iter().zip(0..) {
                list.pile(SquareName(index % size, index / size + 1), *pile);
            }
            if let Some(dice) = &board.dice {
                list.add("dice", AndList(&dice.higher_first()));
            }
        }
        Diagram::Grid(board) => {
            for (marks, row) in board.rows.iter().zip(0..) {
                for (mark, file) in marks.chars().zip(0..).filter(|(mark, _)| *mark != '.') {
                    list.add(SquareName(file, board.rows.len() - row), mark);
                }
            }
        }
    }
    if list.0.is_empty() { "no point is lit".into() } else { list.0 }
}

/// A list of points with their men.
#[derive(Default)]
struct PlaceList(String);

impl PlaceList {
    fn add(&mut self, place: impl Display, what: impl Display) {
        let gap = if self.0.is_empty() { "" } else { "; " };
        let _ = write!(self.0, "{gap}{place}: {what}");
    }

    fn pile(&mut self, place: impl Display, pile: Pile) {
        match pile.holder {
            None => {}
            Some(holder) if pile.pins => {
                let above = MenCount { seat: holder, men: pile.men };
                let below = MenCount { seat: holder.other(), men: 1 };
                self.add(place, format_args!("{below} pinned by {above}"));
            }
            Some(holder) => self.add(place, MenCount { seat: holder, men: pile.men }),
        }
    }

    fn points(&mut self, board: &Points) {
        for (pile, number) in board.piles.iter().zip(1..) {
            self.pile(number, *pile);
        }
        let waiting = if let Rim::Bar(waiting) = board.rim { waiting } else { [0; 2] };
        for (place, men) in [("bar", waiting), ("off", board.off)] {
            for seat in Seat::BOTH.into_iter().filter(|seat| men[seat.index()] > 0) {
                self.add(place, MenCount { seat, men: men[seat.index()] });
            }
        }
        if let Some((seat, dice)) = &board.dice {
            self.add(
                "dice of",
                format_args!(
                    "{} {}",
                    MenCount { seat: *seat, men: 1 },
                    AndList(&dice.higher_first())
                ),
            );
        }
    }
}

/// Men of a side: `O`, `2 X`.
struct MenCount {
    seat: Seat,
    men: u8,
}

impl Display for MenCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = ["O", "X"][self.seat.index()];
        if self.men == 1 { f.write_str(side) } else { write!(f, "{} {side}", self.men) }
    }
}

/// The name of a point of a square board, by its file, counted from 0, and its rank, counted from 1.
pub(in crate::reply) struct SquareName(pub usize, pub usize);

impl Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = (b'a'..=b'z').map(char::from).nth(self.0).unwrap_or('?');
        write!(f, "{letter}{}", self.1)
    }
}
