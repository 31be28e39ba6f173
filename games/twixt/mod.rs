//! `TwixT`: two sides put pegs into a board, link pegs a knight's move apart, and each tries to join its two
//! edges.
//!
//! Sources: A. Randolph, the rules of 3M (1962); Little Golem, *`TwixT` PP*, the usual game by mail and on
//! servers, whose rules these are: a peg is linked as it is put, links are never removed, and a side may
//! cross its own links but not those of the other. With `nocross` it may not cross its own either. With the
//! swap rule the second player may answer the first peg with `swap`: the peg changes sides and is mirrored
//! in the long diagonal, so that it is for X what it was for O.

mod board;
mod player;
mod record;
#[cfg(test)]
mod tests;

use crate::kit::cell::Cell;
use crate::kit::text::{TextCursor, parse_move};
use crate::kit::tiled_line::{TiledLine, line_of};
use crate::kit::{
    Choices, Diagram, Game, Manner, MenKind, MoveError, Next, Outcome, Piece, RandomBelow, Seat,
    Spec, Spot, Switch, TiledBoard, Tiling, View, minimax, sgf,
};
use board::{Board, Chains, Link};
use std::fmt::{self, Display};

/// The sizes of a board, the usual one first. The small one is to learn the game on.
const SIZES: &[&str] = &["24", "12", "16", "18", "20", "6", "8"];

/// The sides, first mover first.
const SIDES: [&str; 2] = ["O", "X"];

const SWAP: &str = "swap";

/// A position of `TwixT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    board: Board,
    /// Whether the second player may swap.
    may_swap: bool,
    turn: Seat,
    last: Option<Cell>,
    /// The shortest chains that would join the edges of each side.
    chains: [Chains; 2],
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TwixtMove {
    /// A peg in a hole.
    Peg(Cell),
    /// The second player's takeover of the first peg.
    Swap,
}

impl Display for TwixtMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Peg(cell) => cell.fmt(f),
            Self::Swap => f.write_str(SWAP),
        }
    }
}

/// Returns a hole mirrored in the long diagonal.
const fn mirrored(cell: Cell) -> Cell {
    Cell { file: cell.rank, rank: cell.file }
}

impl Position {
    /// Returns the board with its pegs and links, for the drawing and the notation.
    fn tiles(&self) -> TiledBoard {
        let size = self.board.size;
        let mut tiles = TiledBoard::new(SIDES, size, size);
        (tiles.tiling, tiles.men, tiles.place) = (Tiling::Pegs, MenKind::Discs, "hole".into());
        tiles.owner_of_rank_edges = Some(Seat(0));
        for (cell, seat) in self.board.pegs() {
            tiles.put(cell.into(), Piece::Man(seat));
        }
        let links = self.board.links().filter_map(|(link, seat)| Some((link.ends(size)?, seat)));
        tiles.links = links.map(|(ends, seat)| (ends.map(Spot::from), seat)).collect();
        tiles
    }

    /// Returns the peg that can be swapped now.
    fn swappable(&self) -> Option<Cell> {
        let is_time = self.may_swap && self.turn == Seat(1) && self.board.count(Seat(1)) == 0;
        let mut pegs = self.board.pegs();
        let first = pegs.next().filter(|_| is_time && pegs.next().is_none());
        first.map(|(cell, _)| cell)
    }

    /// Returns whether moves, with or without a swap, can have led to these numbers of pegs. A side
    /// without a hole for another peg lets the other one go on.
    fn is_reachable(&self) -> bool {
        let [own, other] = [self.turn, self.turn.other()].map(|seat| self.board.count(seat));
        let plain = if self.turn == Seat(0) { own == other } else { own + 1 == other };
        // A swap gives the first peg to X, and the next turn to O.
        let swapped = if self.turn == Seat(0) { own + 1 == other } else { own == other && own > 0 };
        plain
            || self.may_swap && swapped
            || !Seat::BOTH.into_iter().all(|seat| self.board.can_move(seat))
    }

    /// Finds the shortest chains of both sides.
    fn measure(&mut self) {
        self.chains = Seat::BOTH.map(|seat| self.board.chains(seat));
    }

    /// Reads links, `b3-c5,c5-e6`, and lays them.
    fn lay_all(&mut self, links: &str) -> Result<(), String> {
        for words in links.split(',') {
            let wrong = || format!("{words} is no link between pegs of one side");
            let (one, other) = words.split_once('-').ok_or_else(wrong)?;
            let ends = Cell::parse(one).zip(Cell::parse(other)).ok_or_else(wrong)?;
            let seat = self.board.peg(ends.0).ok_or_else(wrong)?;
            let link = Link::between(ends.0, ends.1, self.board.size).ok_or_else(wrong)?;
            if self.board.peg(ends.1) != Some(seat) {
                return Err(wrong());
            }
            if !self.board.may_lay(link, seat) {
                return Err(format!("the link {words} crosses another one"));
            }
            self.board.lay(link, seat);
        }
        Ok(())
    }
}

impl Game for Position {
    type Move = TwixtMove;

    const SPEC: Spec = Spec {
        name: "twixt",
        title: "TwixT",
        about: "link pegs by knight's moves from edge to edge",
        sides: SIDES,
        help: include_str!("../../help/twixt.md"),
        verbs: &[SWAP],
        options: &[
            Switch::one_of("size", SIZES, "files and ranks of the board"),
            Switch::flag("noswap", "the second player may not take over the first peg"),
            Switch::flag("nocross", "a side's links may not cross its own links either"),
        ],
        formats: &[sgf::format::<Self>("Smart Game Format; Little Golem's files are read, too")],
        manner: Manner {
            levels: player::LEVELS,
            has_draws: true,
            small: &["size=6"],
            turns: 30,
            minutes_to_learn: 4,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        let size = options.get("size").unwrap_or(SIZES[0]);
        let size: u8 = size.parse().expect("sizes are numbers");
        let mut position = Self {
            board: Board::new(size, !options.has("nocross")),
            may_swap: !options.has("noswap"),
            turn: Seat(0),
            last: None,
            chains: Default::default(),
        };
        position.measure();
        position
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        const EXPECTED: &str = "a position is the side to move, the rows from the top, the last move and \
                                the links, such as `X ..O./...../.X.O./...../..... last=d3 links=c1-d3`";
        let mut position = Self::setup(options);
        let mut line = TiledLine::read(position.tiles(), notation, EXPECTED)?;
        position.turn = line.turn;
        for spot in line.board.rows().concat() {
            let (Some(piece), Spot::Square(file, rank)) = (line.board.at(spot), spot) else {
                continue;
            };
            let (Piece::Man(seat), cell) = (piece, Cell { file, rank }) else {
                return Err(EXPECTED.into());
            };
            if !position.board.may_use(seat, cell) {
                return Err(format!("{} may have no peg on {cell}", SIDES[seat.index()]));
            }
            position.board.put(cell, Some(seat));
        }
        if let Some(name) = line.take("last") {
            let cell = Cell::parse(name).ok_or(EXPECTED)?;
            if position.board.peg(cell).is_none() {
                return Err(format!("there is no peg of the last move on {cell}"));
            }
            position.last = Some(cell);
        }
        if let Some(links) = line.take("links") {
            position.lay_all(links)?;
        }
        line.end()?;
        if !position.is_reachable() {
            return Err("the numbers of pegs do not fit the side to move".into());
        }
        position.measure();
        Ok(position)
    }

    fn notation(&self) -> String {
        let last = self.last.map_or_else(String::new, |cell| format!(" last={cell}"));
        let ends = self.board.links().filter_map(|(link, _)| link.ends(self.board.size));
        let links: Vec<String> = ends.map(|[one, other]| format!("{one}-{other}")).collect();
        let gap = if links.is_empty() { "" } else { " links=" };
        line_of(&self.tiles(), self.turn) + &last + gap + &links.join(",")
    }

    fn next(&self) -> Next {
        match self.chains.map(|chains| chains.needs) {
            [Some(0), _] => Next::Over(Outcome::Won {
                by: Seat(0),
                points: 1,
                reason: "by joining top and bottom",
            }),
            [_, Some(0)] => Next::Over(Outcome::Won {
                by: Seat(1),
                points: 1,
                reason: "by joining left and right",
            }),
            [None, None] => {
                Next::Over(Outcome::Drawn { reason: "neither side can join its edges any more" })
            }
            _ => Next::Move(self.turn),
        }
    }

    fn moves(&self) -> Vec<TwixtMove> {
        if !matches!(self.next(), Next::Move(_)) {
            return Vec::new();
        }
        let swap = self.swappable().map(|_| TwixtMove::Swap);
        self.board.free(self.turn).map(TwixtMove::Peg).chain(swap).collect()
    }

    fn spell(text: &str) -> Result<TwixtMove, MoveError> {
        parse_move(text, None, |mut reader: TextCursor| {
            let spelled = if reader.whole_word(SWAP) {
                Ok(TwixtMove::Swap)
            } else {
                let Some(name) = reader.tile() else {
                    return Err(reader.expected("a hole such as c3, or `swap`"));
                };
                // Books write a star behind a peg that is linked.
                reader.hit_mark();
                Cell::named(&name, "hole").map(TwixtMove::Peg)
            };
            if reader.is_done() { spelled } else { Err(reader.expected("nothing more")) }
        })
    }

    fn is_legal(&self, m: &TwixtMove) -> bool {
        matches!(self.next(), Next::Move(_))
            && match *m {
                TwixtMove::Peg(cell) => {
                    self.board.may_use(self.turn, cell) && self.board.peg(cell).is_none()
                }
                TwixtMove::Swap => self.swappable().is_some(),
            }
    }

    fn explain_illegal(&self, m: &TwixtMove) -> String {
        let size = self.board.size;
        match *m {
            TwixtMove::Peg(cell) if cell.index(size).is_none() => {
                let end = Cell { file: size, rank: size };
                format!("there is no hole {cell}: this board ends at {end}")
            }
            TwixtMove::Peg(cell) if !self.board.has(cell) => {
                format!("there is no hole in the corner {cell}")
            }
            TwixtMove::Peg(cell) if self.board.peg(cell).is_some() => {
                format!("there is already a peg in {cell}")
            }
            TwixtMove::Peg(cell) => {
                format!("{cell} is behind the line of {}", SIDES[self.turn.other().index()])
            }
            TwixtMove::Swap if !self.may_swap => "on this board nobody may swap".into(),
            TwixtMove::Swap => {
                "only the second player may swap, as the answer to the first peg".into()
            }
        }
    }

    fn path(m: &TwixtMove) -> Vec<Spot> {
        match *m {
            TwixtMove::Peg(cell) => vec![cell.into()],
            TwixtMove::Swap => Vec::new(),
        }
    }

    fn play(&mut self, m: &TwixtMove) {
        let played = match *m {
            TwixtMove::Peg(cell) => cell,
            TwixtMove::Swap => {
                let Some(first) = self.swappable() else { return };
                self.board.put(first, None);
                mirrored(first)
            }
        };
        self.board.play(played, self.turn);
        self.last = Some(played);
        self.measure();
        if self.board.can_move(self.turn.other()) {
            self.turn = self.turn.other();
        }
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<TwixtMove> {
        minimax::best(self, player::budget(level), below)
    }

    fn diagram(&self, view: &View) -> Diagram {
        let is_on = matches!(self.next(), Next::Move(_));
        let mut board = self.tiles();
        board.last = self.last.into_iter().map(Spot::from).collect();
        if view.legal && is_on {
            board.legal = self.board.free(self.turn).map(Spot::from).collect();
        }
        board.light = is_on.then_some(self.turn);
        if let Some(first) = self.swappable() {
            let mirrored = mirrored(first);
            let note = if first == mirrored {
                format!("X may swap: the peg in {first} becomes X's")
            } else {
                format!(
                    "X may swap: instead of O's peg in {first} there is then one of X in {mirrored}"
                )
            };
            board.notes.push(note);
        }
        Diagram::Board(board)
    }
}
