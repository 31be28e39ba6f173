//! A position point by point, as the alternative text of its picture.

use crate::base::words::AndList;
use games::{Diagram, MenKind, Piece, Pile, Points, Rim, Seat, Spot};
use std::fmt::{self, Display, Write as _};

/// Returns a position as alternative text: `a8: 2 O; e3: X pinned by O`.
pub(in crate::reply) fn alt_text(diagram: &Diagram) -> String {
    let mut list = PlaceList::default();
    match diagram {
        Diagram::Points(board) => list.points(board),
        Diagram::Corridor(board) => {
            let size = board.size;
            let ranks = (1..=size).flat_map(|rank| (1..=size).map(move |file| (file, rank)));
            for (pile, (file, rank)) in board.piles.iter().zip(ranks) {
                list.pile(Spot::Square(file, rank), *pile);
            }
            if let Some(dice) = &board.dice {
                list.add("dice", AndList(&dice.higher_first()));
            }
        }
        Diagram::Board(board) => {
            for spot in board.rows().concat() {
                match board.at(spot) {
                    Some(Piece::Chessman(seat, kind)) => {
                        let side = board.sides[seat.index()].to_ascii_lowercase();
                        list.add(spot, format_args!("{side} {}", kind.name()));
                    }
                    Some(piece @ (Piece::Man(seat) | Piece::King(seat)))
                        if board.men == MenKind::Draughtsmen =>
                    {
                        let side = board.sides[seat.index()].to_ascii_lowercase();
                        let kind = if piece == Piece::King(seat) { "king" } else { "man" };
                        list.add(board.name(spot), format_args!("{side} {kind}"));
                    }
                    Some(_) if board.owners.contains_key(&spot) => {
                        list.add(spot, format_args!("{} dead", board.mark(spot)));
                    }
                    Some(Piece::Line) => list.add(spot, "line"),
                    Some(_) => list.add(spot, board.mark(spot)),
                    None => {
                        if let Some(owner) = board.owners.get(&spot) {
                            list.add(spot, format_args!("territory of {}", board.letter(*owner)));
                        }
                    }
                }
            }
            if list.0.is_empty() {
                list.0.push_str(match board.men {
                    MenKind::Lights => "no point is lit",
                    MenKind::Discs | MenKind::Chessmen | MenKind::Draughtsmen => {
                        "the board is empty"
                    }
                });
            }
        }
    }
    list.0
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
