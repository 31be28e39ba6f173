//! The walled board of Malaka and Moloko.
//!
//! The 9x9 board is slanted, each rank two columns further right than the one below it; the 12x12
//! board would be too wide for a mail that way and is upright.

use super::canvas::Canvas;
use super::dice;
use games::{Corridor, Pile, Seat};
use std::fmt::Write as _;

/// The columns of a point.
const POINT: usize = 5;
/// The largest size of a slanted board.
const MAX_SLANTED: usize = 9;

/// Draws a walled board.
pub(super) fn draw(board: &Corridor) -> String {
    let size = usize::from(board.size);
    let slant = if size <= MAX_SLANTED { 2 } else { 0 };
    let edge = if slant > 0 { 1 } else { 3 };
    let mut sheet = Canvas::default();

    let letters = |sheet: &mut Canvas, left: usize, row: usize| {
        for file in 0..size {
            sheet.put(left + POINT * file, row, &file_letter(file).to_string());
        }
    };
    let top_left = edge + slant * size;
    let goal_files = size / 3 * 2;
    let [o_steps, x_steps] = board.connection;
    sheet.put(top_left + POINT * goal_files + 5, 0, &format!("O = {o_steps}"));
    letters(&mut sheet, top_left + slant / 2 + 2, 1);
    for rank in (1..=size).rev() {
        let row = 2 + 2 * (size - rank);
        let left = edge + slant * rank;
        sheet.put(left, row, &border(board, rank));
        sheet.put(slant * (rank - 1), row + 1, &body(board, rank, slant > 0));
    }
    sheet.put(edge, 2 + 2 * size, &border(board, 0));
    letters(&mut sheet, edge + 2 - slant / 2, 3 + 2 * size);
    sheet.put(edge + 2, 4 + 2 * size, &format!("X = {x_steps}"));

    if let Some(thrown) = &board.dice {
        if slant > 0 {
            let left = POINT * size + 9;
            dice::draw(&mut sheet, left, 5 + 2 * size - dice::HEIGHT, thrown);
        } else {
            let below = sheet.height();
            dice::draw(&mut sheet, edge, below, thrown);
        }
    }
    sheet.into_text()
}

/// Returns the line above a rank, with the men that stand on others; rank 0 is the lower edge.
fn border(board: &Corridor, rank: usize) -> String {
    let size = usize::from(board.size);
    let mut line = String::from("+");
    for file in 0..size {
        let pile = if rank == 0 { Pile::default() } else { pile(board, file, rank) };
        let above = match pile.holder {
            None => String::new(),
            Some(holder) => match pile.men - u8::from(!pile.pins) {
                0 => String::new(),
                1 => man(holder).to_string(),
                men => format!("{}{men}", man(holder)),
            },
        };
        // A wall beside this rank or the rank above reaches this line.
        let wall = has_wall(board, file + 1, rank) || has_wall(board, file + 1, rank + 1);
        let _ = write!(line, "{above:-<4}{}", if wall { '#' } else { '+' });
    }
    line
}

/// Returns the line through a rank: its number and the lowest man of each point.
fn body(board: &Corridor, rank: usize, slanted: bool) -> String {
    let size = usize::from(board.size);
    let bar = if slanted { '/' } else { '|' };
    let width = if slanted { 1 } else { 2 };
    let mut line = format!("{rank:>width$} {bar}");
    for file in 0..size {
        let pile = pile(board, file, rank);
        let lowest = match pile.holder {
            None => ' ',
            Some(holder) => man(if pile.pins { holder.other() } else { holder }),
        };
        let edge = if has_wall(board, file + 1, rank) { '#' } else { bar };
        let _ = write!(line, " {lowest}  {edge}");
    }
    let _ = write!(line, " {rank}");
    line
}

fn pile(board: &Corridor, file: usize, rank: usize) -> Pile {
    board.piles[(rank - 1) * usize::from(board.size) + file]
}

fn has_wall(board: &Corridor, after_file: usize, rank: usize) -> bool {
    board.walls.iter().any(|wall| {
        usize::from(wall.after_file) == after_file
            && (usize::from(wall.from_rank)..=usize::from(wall.to_rank)).contains(&rank)
    })
}

fn man(seat: Seat) -> char {
    ['O', 'X'][seat.index()]
}

fn file_letter(file: usize) -> char {
    char::from(b'A' + u8::try_from(file).expect("a board has at most 26 files"))
}

#[cfg(test)]
mod tests {
    use games::{Choices, View};

    fn drawn(position: &str) -> String {
        let game = games::find("malaka").unwrap();
        let position = game.place(&Choices::default(), position).unwrap();
        crate::reply::draw::text(&position.diagram(&View::default()), None)
    }

    #[test]
    fn pictures_of_the_small_board() {
        for (position, picture) in [
            (
                "O 3 a1=OO b1=OO c1=OO a7=OO a8=OO a9=OO g9=XX h9=XX i9=XX i1=XX i2=XX i3=XX",
                include_str!("pictures/start.txt"),
            ),
            (
                "O 23 a8=OO a7=OO a1=OO b1=OO c1=OO e5=OO e3=X h5=X g9=XX h9=X i9=XX i3=X i2=XX i1=XX",
                include_str!("pictures/before.txt"),
            ),
            (
                "O 14 a7=OOOO a1=OO b1=OO c1=OO e5=O e3=XO h5=X g9=XX h9=X i9=XX i3=X i2=XX i1=XX",
                include_str!("pictures/pin.txt"),
            ),
        ] {
            assert_eq!(drawn(position), picture, "\n{}", drawn(position));
        }
    }

    #[test]
    fn the_large_board_fits_into_a_mail() {
        let game = games::find("malaka").unwrap();
        let options = Choices::parse(game.spec().options, &[], ["-large"]).unwrap();
        let picture =
            crate::reply::draw::text(&game.setup(&options).diagram(&View::default()), None);
        assert_eq!(picture, include_str!("pictures/large.txt"), "\n{picture}");
        assert!(picture.lines().all(|line| line.len() <= 78));
    }

    #[test]
    fn a_pile_of_more_than_nine_is_counted() {
        let picture = drawn("X - a1=XOOOOOOOOOOOO i9=X");
        assert!(picture.contains("+O12-+"), "{picture}");
        assert!(picture.contains("1 / X  /"), "{picture}");
    }
}
