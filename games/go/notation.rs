//! The position as a line of text: the side to move, the rows from the top, and the moves that led to
//! them, from which follows what the superko rule forbids: `W .../.B./... moves=bb`.
//!
//! A move is two letters, as in SGF: the column from the left and the row from the top.

use super::board::{Board, Point};
use super::{GoMove, Position};
use crate::kit::tiled_line::{TiledLine, line_of};
use crate::kit::{Game, Piece, Seat, sgf};

const EXPECTED: &str = "a position is the side to move, the rows from the top, and the moves that led \
                        to them, such as `W .../.B./... moves=bb`";

/// The words without a point.
const WORDS: [(&str, GoMove); 3] =
    [("--", GoMove::Pass), ("==", GoMove::Agree), ("++", GoMove::Continue)];

/// Writes a point of a board as two letters.
pub(super) fn letters(point: Point, size: u8) -> String {
    let [column, rank] = point.place();
    sgf::letters([column - 1, size - rank])
}

/// Reads a point of a board from two letters.
pub(super) fn point(letters: &str, size: u8) -> Option<Point> {
    let [column, row] = sgf::place(letters, size)?;
    Some(Point::at(column + 1, size - row))
}

/// Writes a position.
pub(super) fn write(position: &Position) -> String {
    let mut line = line_of(&Position::tiles(&position.board), position.turn);
    if position.is_placed && !position.moves.is_empty() {
        let (board, turn) = &position.start;
        line += " from=";
        line += &line_of(&Position::tiles(board), *turn).replace(' ', ":");
    }
    if !position.moves.is_empty() {
        line += " moves=";
    }
    for m in &position.moves {
        match *m {
            GoMove::Stone(point) | GoMove::Mark { stone: point, .. } => {
                line += &letters(point, position.board.size());
            }
            word => line.extend(WORDS.iter().filter(|(_, m)| *m == word).map(|(word, _)| *word)),
        }
    }
    line
}

/// Reads a position of the board that begins so.
pub(super) fn place(start: &Position, text: &str) -> Result<Position, String> {
    let mut line =
        TiledLine::read(Position::tiles(&Board::new(start.board.size())), text, EXPECTED)?;
    let reached = (board_of(&line)?, line.turn);
    let (from, moves) = (line.take("from"), line.take("moves"));
    line.end()?;
    let placed = |(board, turn): (Board, Seat)| Position {
        is_placed: (board, turn) != start.start,
        ..Position::begun(&board, turn, start.komi)
    };
    let mut position = match from {
        Some(from) => {
            let empty = Position::tiles(&Board::new(start.board.size()));
            let line = from.replace(':', " ");
            let line = TiledLine::read(empty, &line, EXPECTED)?;
            placed((board_of(&line)?, line.turn))
        }
        None if moves.is_some() => start.clone(),
        None => placed(reached),
    };
    let moves = moves.unwrap_or_default();
    if !moves.is_ascii() || moves.len() % 2 == 1 {
        return Err(EXPECTED.into());
    }
    for at in (0..moves.len()).step_by(2) {
        let letters = &moves[at..at + 2];
        let word = WORDS.iter().find(|(word, _)| *word == letters).map(|(_, m)| *m);
        let stone = || point(letters, position.board.size());
        let m = match word {
            Some(word) => word,
            None => position.at_point(stone().ok_or(EXPECTED)?),
        };
        if !position.is_legal(&m) {
            return Err(format!("move {}: {}", at / 2 + 1, position.explain_illegal(&m)));
        }
        position.play(&m);
    }
    if (position.board, position.turn) == reached {
        Ok(position)
    } else {
        Err("the moves lead to another position".into())
    }
}

/// Returns the stones of a line.
fn board_of(line: &TiledLine) -> Result<Board, String> {
    let mut board = Board::new(line.board.files);
    for point in board.points() {
        match line.board.at(point.into()) {
            None => {}
            Some(Piece::Man(seat)) => board.put(seat, point),
            Some(_) => return Err(EXPECTED.into()),
        }
    }
    match board.without_liberty() {
        Some(stone) => Err(format!("the stone on {stone} has no liberty")),
        None => Ok(board),
    }
}
