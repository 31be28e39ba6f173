//! Hex: two sides place stones on a rhombus of hexagons, and each tries to join its two edges.
//!
//! Source: R, *Red Bean, SGF for Hex* (notation, the swap of pieces); C. Browne, *Hex Strategy: Making the
//! Right Connections* (rules). O joins top and bottom, X left and right. With the swap rule the second
//! player may answer the first stone with `swap`: the stone changes sides and is mirrored in the long
//! diagonal, so that it lies for X as it lay for O.

mod chains;
mod player;
mod record;
#[cfg(test)]
mod tests;

use crate::kit::text::{TextCursor, meant};
use crate::kit::tiled_line::{TiledLine, line_of};
use crate::kit::{
    Choices, Diagram, Game, Manner, MenKind, MoveError, Next, Outcome, Piece, RandomBelow, Seat,
    Spec, Spot, Switch, TiledBoard, Tiling, Values, View, playout_search, sgf,
};
use std::fmt::{self, Display};

/// The sizes of a board, the usual one first. The small one is to learn the game on.
const SIZES: &[&str] = &["11", "13", "14", "15", "19", "5"];

/// The sides, first mover first.
const SIDES: [&str; 2] = ["O", "X"];

/// A position of Hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The number of files, equal to the number of ranks.
    size: u8,
    /// Whether the second player may swap.
    may_swap: bool,
    /// The stones, rank by rank from the top.
    stones: Vec<Option<Seat>>,
    turn: Seat,
    last: Option<Cell>,
    /// The side that has joined its edges.
    winner: Option<Seat>,
}

/// A cell by its file and rank, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    file: u8,
    rank: u8,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HexMove {
    /// A stone on a cell.
    Stone(Cell),
    /// The second player's takeover of the first stone.
    Swap,
}

impl From<Cell> for Spot {
    fn from(cell: Cell) -> Self {
        Self::Square(cell.file, cell.rank)
    }
}

impl Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Spot::from(*self).fmt(f)
    }
}

impl Display for HexMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stone(cell) => cell.fmt(f),
            Self::Swap => f.write_str(SWAP),
        }
    }
}

const SWAP: &str = "swap";

impl Cell {
    /// Parses the name of a cell of the largest board.
    fn parse(name: &str) -> Option<Self> {
        match name.parse() {
            Ok(Spot::Square(file, rank)) if rank > 0 => Some(Self { file, rank }),
            _ => None,
        }
    }

    /// Returns the cell mirrored in the long diagonal.
    fn mirrored(self) -> Self {
        Self { file: self.rank, rank: self.file }
    }
}

impl Position {
    /// Returns the number of cells of a board before a cell; `None` beside the board.
    fn index(&self, cell: Cell) -> Option<usize> {
        let is_on_board = cell.file <= self.size && cell.rank <= self.size;
        is_on_board.then(|| {
            usize::from(cell.rank - 1) * usize::from(self.size) + usize::from(cell.file - 1)
        })
    }

    fn at(&self, cell: Cell) -> Option<Seat> {
        self.index(cell).and_then(|index| self.stones[index])
    }

    fn put(&mut self, cell: Cell, stone: Option<Seat>) {
        if let Some(index) = self.index(cell) {
            self.stones[index] = stone;
        }
    }

    /// Returns all cells, rank by rank.
    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (1..=size).flat_map(move |rank| (1..=size).map(move |file| Cell { file, rank }))
    }

    /// Returns the empty cells.
    fn empty(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells().zip(&self.stones).filter(|(_, stone)| stone.is_none()).map(|(cell, _)| cell)
    }

    fn count(&self, seat: Seat) -> usize {
        self.stones.iter().filter(|stone| **stone == Some(seat)).count()
    }

    /// Returns the board with its stones, for the drawing and the notation.
    fn tiles(&self) -> TiledBoard {
        let mut board = TiledBoard::new(SIDES, self.size, self.size);
        (board.tiling, board.men, board.place) = (Tiling::Hex, MenKind::Discs, "cell".into());
        board.owner_of_rank_edges = Some(Seat(0));
        for cell in self.cells() {
            if let Some(seat) = self.at(cell) {
                board.put(cell.into(), Piece::Man(seat));
            }
        }
        board
    }

    /// Returns the stone that can be swapped now.
    fn swappable(&self) -> Option<Cell> {
        let is_time = self.may_swap && self.turn == Seat(1) && self.count(Seat(1)) == 0;
        let mut stones = self.cells().filter(|cell| self.at(*cell).is_some());
        stones.next().filter(|_| is_time && self.count(Seat(0)) == 1)
    }

    /// Returns whether alternating moves, with or without a swap, can have led to these stones.
    fn is_reachable(&self) -> bool {
        let [own, other] = [self.count(self.turn), self.count(self.turn.other())];
        let plain = if self.turn == Seat(0) { own == other } else { own + 1 == other };
        // A swap gives the first stone to X, and the next turn to O.
        let swapped = if self.turn == Seat(0) { own + 1 == other } else { own == other && own > 0 };
        plain || self.may_swap && swapped
    }
}

impl Game for Position {
    type Move = HexMove;

    const SPEC: Spec = Spec {
        name: "hex",
        title: "Hex",
        about: "join your two edges with a chain of stones",
        sides: SIDES,
        help: include_str!("../../help/hex.md"),
        verbs: &[SWAP],
        options: &[
            Switch {
                name: "size",
                values: Values::OneOf(SIZES),
                help: "files and ranks of the board",
            },
            Switch::flag("noswap", "the second player may not take over the first stone"),
        ],
        exclusive: &[],
        settings: &[],
        stakes: &[],
        formats: &[sgf::format::<Self>("Smart Game Format, as HexGui writes it")],
        manner: Manner {
            levels: player::LEVELS,
            small: &["size=5"],
            turns: 30,
            minutes_to_learn: 2,
            ..Manner::PLAIN
        },
    };

    fn setup(options: &Choices) -> Self {
        let size = options.get("size").unwrap_or(SIZES[0]);
        let size: u8 = size.parse().expect("sizes are numbers");
        Self {
            size,
            may_swap: !options.has("noswap"),
            stones: vec![None; usize::from(size).pow(2)],
            turn: Seat(0),
            last: None,
            winner: None,
        }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        const EXPECTED: &str = "a position is the side to move, the rows from the top, and the last move, \
                                such as `X ..O/.../... last=c1`";
        let mut position = Self::setup(options);
        let mut line = TiledLine::read(position.tiles(), notation, EXPECTED)?;
        position.turn = line.turn;
        for (index, spot) in line.board.rows().concat().into_iter().enumerate() {
            position.stones[index] = match line.board.at(spot) {
                None => None,
                Some(Piece::Man(seat)) => Some(seat),
                Some(_) => return Err(EXPECTED.into()),
            };
        }
        if let Some(name) = line.take("last") {
            let cell = Cell::parse(name).ok_or(EXPECTED)?;
            if position.at(cell) != Some(position.turn.other()) {
                return Err(format!("there is no stone of the last move on {cell}"));
            }
            position.last = Some(cell);
        }
        line.end()?;
        if !position.is_reachable() {
            return Err("the numbers of stones do not fit the side to move".into());
        }
        position.winner = chains::winner(position.size, &position.stones);
        Ok(position)
    }

    fn notation(&self) -> String {
        let last = self.last.map_or_else(String::new, |cell| format!(" last={cell}"));
        line_of(&self.tiles(), self.turn) + &last
    }

    fn next(&self) -> Next {
        match self.winner {
            None => Next::Move(self.turn),
            Some(by) => {
                let reason = ["by joining top and bottom", "by joining left and right"][by.index()];
                Next::Over(Outcome::Won { by, points: 1, reason })
            }
        }
    }

    fn moves(&self) -> Vec<HexMove> {
        if self.winner.is_some() {
            return Vec::new();
        }
        let swap = self.swappable().map(|_| HexMove::Swap);
        self.empty().map(HexMove::Stone).chain(swap).collect()
    }

    fn spell(text: &str) -> Result<HexMove, MoveError> {
        meant(text, None, |mut reader: TextCursor| {
            let spelled = if reader.whole_word(SWAP) {
                Ok(HexMove::Swap)
            } else {
                let Some(name) = reader.tile() else {
                    return Err(reader.expected("a cell such as c3, or `swap`"));
                };
                let cell = Cell::parse(&name).map(HexMove::Stone);
                cell.ok_or_else(|| MoveError::Illegal(format!("there is no cell {name}")))
            };
            if reader.is_done() { spelled } else { Err(reader.expected("nothing more")) }
        })
    }

    fn is_legal(&self, m: &HexMove) -> bool {
        self.winner.is_none()
            && match *m {
                HexMove::Stone(cell) => {
                    self.index(cell).is_some_and(|at| self.stones[at].is_none())
                }
                HexMove::Swap => self.swappable().is_some(),
            }
    }

    fn explain_illegal(&self, m: &HexMove) -> String {
        match *m {
            HexMove::Stone(cell) if self.index(cell).is_none() => {
                let end = Cell { file: self.size, rank: self.size };
                format!("there is no cell {cell}: this board ends at {end}")
            }
            HexMove::Stone(cell) => format!("there is already a stone on {cell}"),
            HexMove::Swap if !self.may_swap => "on this board nobody may swap".into(),
            HexMove::Swap => {
                "only the second player may swap, as the answer to the first stone".into()
            }
        }
    }

    fn way(m: &HexMove) -> Vec<Spot> {
        match *m {
            HexMove::Stone(cell) => vec![cell.into()],
            HexMove::Swap => Vec::new(),
        }
    }

    fn play(&mut self, m: &HexMove) {
        let played = match *m {
            HexMove::Stone(cell) => cell,
            HexMove::Swap => {
                let Some(first) = self.swappable() else { return };
                self.put(first, None);
                first.mirrored()
            }
        };
        self.put(played, Some(self.turn));
        self.last = Some(played);
        self.winner = chains::winner(self.size, &self.stones);
        self.turn = self.turn.other();
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<HexMove> {
        playout_search::choose(self, self.playouts(level), below)
    }

    fn diagram(&self, view: &View) -> Diagram {
        let is_on = self.winner.is_none();
        let mut board = self.tiles();
        board.last = self.last.into_iter().map(Spot::from).collect();
        if view.legal && is_on {
            board.legal = self.empty().map(Spot::from).collect();
        }
        board.light = is_on.then_some(self.turn);
        if let Some(first) = self.swappable() {
            let mirrored = first.mirrored();
            let note = if first == mirrored {
                format!("X may swap: the stone on {first} becomes X's")
            } else {
                format!(
                    "X may swap: instead of O's stone on {first} there is then one of X on {mirrored}"
                )
            };
            board.notes.push(note);
        }
        Diagram::Board(board)
    }
}
