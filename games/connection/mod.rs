//! The engine of games in which two sides place stones on a board of hexagons, and a chain that touches the
//! right edges wins. The second player may take over the first stone.

mod chains;
mod player;
mod record;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use chains::{BOTTOM, CORNERS, LEFT, RIGHT, SIDES_OF_HEXAGON, TOP, TRIANGLE, Touched};
pub(crate) use player::LEVELS;

use crate::kit::cell::Cell;
use crate::kit::sgf::SgfRecord;
use crate::kit::text::{TextCursor, parse_move};
use crate::kit::tiled_line::{TiledLine, line_of};
use crate::kit::{
    Choices, Diagram, Game, HexShape, MenKind, MoveError, Next, Outcome, Piece, RandomBelow, Seat,
    Spec, Spot, Switch, TiledBoard, Tiling, View, playout_search,
};
use chains::{Chains, Geometry};
use std::fmt::{self, Debug, Display};
use std::marker::PhantomData;

/// The sides, first mover first.
pub(crate) const SIDES: [&str; 2] = ["O", "X"];

/// The word that takes over the first stone.
pub(crate) const SWAP: &str = "swap";

/// The option without a swap.
pub(crate) const NO_SWAP: Switch =
    Switch::flag("noswap", "the second player may not take over the first stone");

/// The differences between two games of this kind.
pub(crate) trait ConnectionGame: Clone + Debug + Eq + Send + 'static {
    /// The game's declaration.
    const SPEC: Spec;

    /// The outline of the board.
    const SHAPE: HexShape;

    /// The cells along an edge of a board, the usual number first.
    const SIZES: &'static [&'static str];

    /// The seat that owns the edges beside the first and the last rank, if edges have owners.
    const OWNER_OF_RANK_EDGES: Option<Seat>;

    /// Whether a stone that is taken over is mirrored in the long diagonal of a rhombus: then it is for its
    /// new side what it was for the other one.
    const MIRRORS: bool;

    /// What the ways to win are called. Where several apply at once, the first one counts.
    const REASONS: &'static [&'static str];

    /// The number of the game in SGF, if it has one.
    const SGF_NUMBER: Option<i64> = None;

    /// The word of SGF for a swap.
    const SGF_SWAP: &'static str = SWAP;

    /// Returns the way to win, as an index into the list of them, that a chain has found for its side.
    fn way_to_win(seat: Seat, touched: Touched) -> Option<usize>;

    /// Translates what certain programs write in their own way.
    fn sgf_translate(_record: &mut SgfRecord) {}
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position<G> {
    /// The number of files, equal to the number of ranks.
    files: u8,
    /// Whether the second player may swap.
    may_swap: bool,
    /// The stones, rank by rank from rank 1; those of cells that the board does not have are never there.
    stones: Vec<Option<Seat>>,
    turn: Seat,
    last: Option<Cell>,
    /// The side that has won, and its way to win.
    won: Option<(Seat, usize)>,
    game: PhantomData<fn() -> G>,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellMove {
    /// A stone on a cell.
    Stone(Cell),
    /// The second player's takeover of the first stone.
    Swap,
}

impl Display for CellMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stone(cell) => Display::fmt(cell, f),
            Self::Swap => f.write_str(SWAP),
        }
    }
}

impl<G: ConnectionGame> Position<G> {
    fn geometry(&self) -> &'static Geometry {
        Geometry::of(G::SHAPE, self.files)
    }

    /// Returns the number of cells of the list before a cell; `None` beside the board.
    fn index(&self, cell: Cell) -> Option<usize> {
        cell.index(self.files).filter(|_| G::SHAPE.has(self.files, cell.file, cell.rank))
    }

    pub(crate) fn at(&self, cell: Cell) -> Option<Seat> {
        self.index(cell).and_then(|index| self.stones[index])
    }

    pub(crate) fn put(&mut self, cell: Cell, stone: Option<Seat>) {
        if let Some(index) = self.index(cell) {
            self.stones[index] = stone;
        }
    }

    /// Returns all cells, rank by rank.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<G> {
        self.geometry().cells.iter().map(|(cell, _)| *cell)
    }

    /// Returns the empty cells.
    fn empty(&self) -> impl Iterator<Item = Cell> + '_ {
        let cells = self.geometry().cells.iter();
        cells.filter(|(_, at)| self.stones[*at].is_none()).map(|(cell, _)| *cell)
    }

    fn count(&self, seat: Seat) -> usize {
        self.stones.iter().filter(|stone| **stone == Some(seat)).count()
    }

    fn is_over(&self) -> bool {
        self.won.is_some() || self.empty().next().is_none()
    }

    /// Returns the board without stones.
    fn blank(files: u8) -> TiledBoard {
        let mut board = TiledBoard::new(SIDES, files, files);
        (board.tiling, board.men, board.place) =
            (Tiling::Hex(G::SHAPE), MenKind::Discs, "cell".into());
        board.owner_of_rank_edges = G::OWNER_OF_RANK_EDGES;
        board
    }

    /// Returns the board with its stones, for the drawing and the notation.
    fn tiles(&self) -> TiledBoard {
        let mut board = Self::blank(self.files);
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

    /// Returns where a stone lies after a swap.
    pub(crate) const fn swapped(cell: Cell) -> Cell {
        if G::MIRRORS { Cell { file: cell.rank, rank: cell.file } } else { cell }
    }

    /// Returns the number of files and ranks of a board with so many cells along an edge.
    const fn files_of(side: u8) -> u8 {
        match G::SHAPE {
            HexShape::Rhombus | HexShape::Triangle => side,
            HexShape::Hexagon => 2 * side - 1,
        }
    }

    /// Returns the number of cells along an edge.
    const fn side(&self) -> u8 {
        match G::SHAPE {
            HexShape::Rhombus | HexShape::Triangle => self.files,
            HexShape::Hexagon => self.files.div_ceil(2),
        }
    }

    /// Returns whether alternating moves, with or without a swap, can have led to these stones.
    fn is_reachable(&self) -> bool {
        let [own, other] = [self.count(self.turn), self.count(self.turn.other())];
        let plain = if self.turn == Seat(0) { own == other } else { own + 1 == other };
        // A swap gives the first stone to X, and the next turn to O.
        let swapped = if self.turn == Seat(0) { own + 1 == other } else { own == other && own > 0 };
        plain || self.may_swap && swapped
    }

    /// Explains that the board does not have a cell.
    fn explain_outside(&self, cell: Cell) -> String {
        let [middle, last] = [self.files.div_ceil(2), self.files];
        let corners = match G::SHAPE {
            HexShape::Rhombus => {
                let end = Cell { file: last, rank: last };
                return format!("there is no cell {cell}: this board ends at {end}");
            }
            HexShape::Triangle => vec![(1, 1), (last, 1), (1, last)],
            HexShape::Hexagon => {
                vec![(1, 1), (middle, 1), (last, middle), (last, last), (middle, last), (1, middle)]
            }
        };
        let corners = corners.into_iter().map(|(file, rank)| Cell { file, rank }.to_string());
        let mut corners: Vec<String> = corners.collect();
        let end = corners.pop().unwrap_or_default();
        let others = corners.join(", ");
        format!("there is no cell {cell}: the corners of this board are {others} and {end}")
    }

    /// Finds who has won and how, from the stones alone.
    ///
    /// # Errors
    /// Both sides have won.
    pub(crate) fn find_winner(&self) -> Result<Option<(Seat, usize)>, String> {
        let geometry = self.geometry();
        let (mut chains, mut placed) = (Chains::new(geometry), vec![None; self.stones.len()]);
        let mut ways = [None; 2];
        for &(_, at) in &geometry.cells {
            let Some(seat) = self.stones[at] else { continue };
            placed[at] = Some(seat);
            let way: &mut Option<usize> = &mut ways[seat.index()];
            let found = G::way_to_win(seat, chains.add(&placed, at));
            *way = way.iter().copied().chain(found).min();
        }
        match ways {
            [Some(_), Some(_)] => Err("both sides have won".into()),
            [one, other] => Ok(one.map(|way| (Seat(0), way)).or(other.map(|way| (Seat(1), way)))),
        }
    }
}

impl<G: ConnectionGame> Game for Position<G> {
    type Move = CellMove;

    const SPEC: Spec = G::SPEC;

    fn setup(options: &Choices) -> Self {
        let side = options.get("size").unwrap_or(G::SIZES[0]);
        let files = Self::files_of(side.parse().expect("sizes are numbers"));
        Self {
            files,
            may_swap: !options.has(NO_SWAP.name),
            stones: vec![None; usize::from(files).pow(2)],
            turn: Seat(0),
            last: None,
            won: None,
            game: PhantomData,
        }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        const EXPECTED: &str = "a position is the side to move, the rows from the top, and the last move, \
                                such as `X ..O/.../... last=c1`";
        let mut position = Self::setup(options);
        let mut line = TiledLine::read(Self::blank(position.files), notation, EXPECTED)?;
        position.turn = line.turn;
        for cell in position.cells() {
            match line.board.at(cell.into()) {
                None => {}
                Some(Piece::Man(seat)) => position.put(cell, Some(seat)),
                Some(_) => return Err(EXPECTED.into()),
            }
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
        position.won = position.find_winner()?;
        Ok(position)
    }

    fn notation(&self) -> String {
        let last = self.last.map_or_else(String::new, |cell| format!(" last={cell}"));
        line_of(&self.tiles(), self.turn) + &last
    }

    fn next(&self) -> Next {
        match self.won {
            Some((by, way)) => Next::Over(Outcome::Won { by, points: 1, reason: G::REASONS[way] }),
            None if self.is_over() => Next::Over(Outcome::Drawn { reason: "the board is full" }),
            None => Next::Move(self.turn),
        }
    }

    fn moves(&self) -> Vec<CellMove> {
        if self.won.is_some() {
            return Vec::new();
        }
        let swap = self.swappable().map(|_| CellMove::Swap);
        self.empty().map(CellMove::Stone).chain(swap).collect()
    }

    fn spell(text: &str) -> Result<CellMove, MoveError> {
        parse_move(text, None, |mut reader: TextCursor| {
            let spelled = if reader.whole_word(SWAP) {
                Ok(CellMove::Swap)
            } else {
                let Some(name) = reader.tile() else {
                    return Err(reader.expected("a cell such as c3, or `swap`"));
                };
                Cell::named(&name, "cell").map(CellMove::Stone)
            };
            if reader.is_done() { spelled } else { Err(reader.expected("nothing more")) }
        })
    }

    fn is_legal(&self, m: &CellMove) -> bool {
        self.won.is_none()
            && match *m {
                CellMove::Stone(cell) => {
                    self.index(cell).is_some_and(|at| self.stones[at].is_none())
                }
                CellMove::Swap => self.swappable().is_some(),
            }
    }

    fn explain_illegal(&self, m: &CellMove) -> String {
        match *m {
            CellMove::Stone(cell) if self.index(cell).is_none() => self.explain_outside(cell),
            CellMove::Stone(cell) => format!("there is already a stone on {cell}"),
            CellMove::Swap if !self.may_swap => "on this board nobody may swap".into(),
            CellMove::Swap => {
                "only the second player may swap, as the answer to the first stone".into()
            }
        }
    }

    fn path(m: &CellMove) -> Vec<Spot> {
        match *m {
            CellMove::Stone(cell) => vec![cell.into()],
            CellMove::Swap => Vec::new(),
        }
    }

    fn play(&mut self, m: &CellMove) {
        let played = match *m {
            CellMove::Stone(cell) => cell,
            CellMove::Swap => {
                let Some(first) = self.swappable() else { return };
                self.put(first, None);
                Self::swapped(first)
            }
        };
        if let Some(at) = self.index(played) {
            let mut chains = Chains::of(self.geometry(), &self.stones);
            self.stones[at] = Some(self.turn);
            let way = G::way_to_win(self.turn, chains.add(&self.stones, at));
            self.won = way.map(|way| (self.turn, way));
        }
        self.last = Some(played);
        self.turn = self.turn.other();
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<CellMove> {
        playout_search::choose(self, self.playouts(level), below)
    }

    fn diagram(&self, view: &View) -> Diagram {
        let is_on = !self.is_over();
        let mut board = self.tiles();
        board.last = self.last.into_iter().map(Spot::from).collect();
        if view.legal && is_on {
            board.legal = self.empty().map(Spot::from).collect();
        }
        board.light = is_on.then_some(self.turn);
        if let Some(first) = self.swappable() {
            let swapped = Self::swapped(first);
            let note = if first == swapped {
                format!("X may swap: the stone on {first} becomes X's")
            } else {
                format!(
                    "X may swap: instead of O's stone on {first} there is then one of X on {swapped}"
                )
            };
            board.notes.push(note);
        }
        Diagram::Board(board)
    }
}
