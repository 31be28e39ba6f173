//! Dots and Boxes: both sides draw lines between dots, and who draws the fourth side of a box closes it and
//! draws again. The side with more boxes wins.
//!
//! Source: E. Berlekamp, *The Dots and Boxes Game* (2000). Nobody has to close a box. A board has a place for
//! each dot, each line and each box, so a line has one name: with dots on a1, c1, a3 and c3 the box is b2, and
//! its sides are b1, a2, c2 and b3. Moves are also read as two dots, `a1-c1`.
//! No format of records is agreed on for this game: SGF has no number for it, and the programs that play it keep
//! records of their own, if any.

mod board;
mod player;
#[cfg(test)]
mod tests;

use crate::kit::cell::Cell;
use crate::kit::text::{TextCursor, parse_move};
use crate::kit::tiled_line::{TiledLine, line_of};
use crate::kit::{
    Choices, Diagram, Game, Manner, MenKind, MoveError, Next, Piece, RandomBelow, Seat, Spec, Spot,
    Switch, TiledBoard, Tiling, View,
};
use board::{Board, members};

/// The boxes of a row, the usual number first. The small boards are to learn the game on.
const SIZES: &[&str] = &["5", "4", "6", "7", "3", "2"];

const SIDES: [&str; 2] = ["O", "X"];

/// A position of Dots and Boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    board: Board,
    last: Option<Cell>,
}

/// Returns the edge on a place.
fn edge_named(name: &str) -> Result<Cell, MoveError> {
    let Cell { file, rank } = Cell::named(name, "place")?;
    let what = match [file % 2, rank % 2] {
        [1, 1] => "a dot",
        [0, 0] => "the place of a box",
        _ => return Ok(Cell { file, rank }),
    };
    Err(MoveError::Illegal(format!("{name} is {what}: lines are between two dots, such as b1")))
}

/// Returns the edge between two dots.
fn edge_between(from: &str, to: &str) -> Result<Cell, MoveError> {
    let [one, other] = [Cell::named(from, "place")?, Cell::named(to, "place")?];
    let far = [one.file.abs_diff(other.file), one.rank.abs_diff(other.rank)];
    let are_dots = [one, other].iter().all(|cell| cell.file % 2 == 1 && cell.rank % 2 == 1);
    if are_dots && matches!(far, [2, 0] | [0, 2]) {
        return Ok(Cell {
            file: one.file.midpoint(other.file),
            rank: one.rank.midpoint(other.rank),
        });
    }
    Err(MoveError::Illegal(format!("{from} and {to} are not two dots side by side")))
}

impl Position {
    /// Returns the board with its lines and boxes, for the drawing and the notation.
    fn tiles(&self) -> TiledBoard {
        let places = 2 * self.board.size + 1;
        let mut tiles = TiledBoard::new(SIDES, places, places);
        (tiles.tiling, tiles.men, tiles.place) = (Tiling::Dots, MenKind::Discs, "place".into());
        for line in members(self.board.lines) {
            tiles.put(self.board.edge(line).into(), Piece::Line);
        }
        for seat in Seat::BOTH {
            for at in members(self.board.boxes[seat.index()]) {
                tiles.put(self.spot_of_box(at), Piece::Man(seat));
            }
        }
        tiles
    }

    /// Returns the place of a box.
    fn spot_of_box(&self, at: usize) -> Spot {
        let size = usize::from(self.board.size);
        let [file, rank] =
            [at % size, at / size].map(|number| u8::try_from(2 * number + 2).unwrap_or(u8::MAX));
        Spot::Square(file, rank)
    }
}

impl Game for Position {
    type Move = Cell;

    const SPEC: Spec = Spec {
        name: "dots",
        title: "Dots and Boxes",
        about: "close more boxes, line by line",
        sides: SIDES,
        help: include_str!("../../help/dots.md"),
        options: &[Switch::one_of("size", SIZES, "boxes in a row and rows of the board")],
        manner: Manner {
            levels: player::LEVELS,
            has_multi_move_turns: true,
            has_draws: true,
            turns: 20,
            minutes_to_learn: 2,
            small: &["size=2"],
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        let size = options.get("size").unwrap_or(SIZES[0]);
        Self { board: Board::new(size.parse().unwrap_or(5)), last: None }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        const EXPECTED: &str = "a position is the side to move, the rows from the top with lines as - and | and \
                                boxes as O and X, and the last line, such as `X ...../...../...../|..../.-... last=b1`";
        let mut position = Self::setup(options);
        let mut line = TiledLine::read(position.tiles(), notation, EXPECTED)?;
        position.board.turn = line.turn;
        for spot in line.board.rows().concat() {
            let Some(piece) = line.board.at(spot) else { continue };
            let Spot::Square(file, rank) = spot else { return Err(EXPECTED.into()) };
            let edge = Cell { file, rank };
            match (piece, position.board.line(edge)) {
                (Piece::Line, Some(number)) => {
                    position.board.lines |= 1 << number;
                }
                (Piece::Man(seat), None) if file % 2 == 0 && rank % 2 == 0 => {
                    let at = usize::from(rank / 2 - 1) * usize::from(position.board.size)
                        + usize::from(file / 2 - 1);
                    position.board.boxes[seat.index()] |= 1 << at;
                }
                _ => return Err(format!("{spot} cannot have what is there")),
            }
        }
        if let Some(name) = line.take("last") {
            let edge = edge_named(name).map_err(|_| EXPECTED)?;
            let is_drawn =
                position.board.line(edge).is_some_and(|at| position.board.lines >> at & 1 == 1);
            if !is_drawn {
                return Err(format!("there is no last line on {edge}"));
            }
            position.last = Some(edge);
        }
        line.end()?;
        let closed = position.board.boxes[0] | position.board.boxes[1];
        let is_closed = |at: usize| position.board.drawn(at) == 4;
        if (0..position.board.count()).any(|at| is_closed(at) != (closed >> at & 1 == 1)) {
            return Err("a box has an owner just if its four sides are drawn".into());
        }
        Ok(position)
    }

    fn notation(&self) -> String {
        let last = self.last.map_or_else(String::new, |edge| format!(" last={edge}"));
        line_of(&self.tiles(), self.board.turn) + &last
    }

    fn next(&self) -> Next {
        self.board.outcome().map_or(Next::Move(self.board.turn), Next::Over)
    }

    fn moves(&self) -> Vec<Cell> {
        members(self.board.free()).map(|line| self.board.edge(line)).collect()
    }

    fn spell(text: &str) -> Result<Cell, MoveError> {
        parse_move(text, None, |mut reader: TextCursor| {
            let Some(name) = reader.tile() else {
                return Err(
                    reader.expected("the place of a line such as b1, or its two dots, as in a1-c1")
                );
            };
            if reader.is_done() {
                return edge_named(&name);
            }
            reader.connector();
            let Some(other) = reader.tile() else {
                return Err(reader.expected("the second dot, as in a1-c1"));
            };
            if reader.is_done() {
                edge_between(&name, &other)
            } else {
                Err(reader.expected("nothing more"))
            }
        })
    }

    fn is_legal(&self, m: &Cell) -> bool {
        self.board.line(*m).is_some_and(|line| self.board.free() >> line & 1 == 1)
    }

    fn explain_illegal(&self, m: &Cell) -> String {
        let end = 2 * self.board.size + 1;
        match self.board.line(*m) {
            None => {
                let end = Spot::Square(end, end);
                format!("there is no place {m}: this board ends at {end}")
            }
            Some(_) => format!("there is already a line on {m}"),
        }
    }

    fn path(m: &Cell) -> Vec<Spot> {
        vec![(*m).into()]
    }

    fn play(&mut self, m: &Cell) {
        if let Some(line) = self.board.line(*m) {
            self.board.draw(line);
            self.last = Some(*m);
        }
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Cell> {
        player::choose(self, level, below)
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let mut tiles = self.tiles();
        tiles.last = self.last.into_iter().map(Spot::from).collect();
        tiles.light = matches!(self.next(), Next::Move(_)).then_some(self.board.turn);
        tiles.score = Some((Seat::BOTH.map(|seat| self.board.score(seat)), "points".into()));
        Diagram::Board(tiles)
    }
}
