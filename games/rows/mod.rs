//! The engine of games in which two sides place stones on the points of a board, and so many of one side in
//! a row win: Black places one stone, and then both sides in turn so many.
//!
//! A game may begin with the opening called swap2 (Gomoku World Championship, *Rules of Gomoku*): the first
//! player places two black stones and a white one; the second player chooses a colour, or places two more
//! stones and leaves the choice to the first player. Ours: seats keep their colours, so who takes the other
//! colour has the colours of all stones changed.

mod player;
mod record;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use player::LEVELS;

use crate::kit::cell::Cell;
use crate::kit::minimax::Budget;
use crate::kit::text::{TextCursor, parse_move};
use crate::kit::tiled_line::{TiledLine, line_of};
use crate::kit::{
    Choices, Diagram, Game, MenKind, MoveError, Next, Outcome, Piece, RandomBelow, Seat, Spec,
    Spot, TiledBoard, Tiling, View,
};
use std::fmt::{self, Debug, Display};
use std::marker::PhantomData;

/// The sides, first mover first.
pub(crate) const SIDES: [&str; 2] = ["Black", "White"];

/// The files and ranks of the largest board.
const MAX_SIZE: u8 = 19;

/// The option without the opening.
pub(crate) const PLAIN: &str = "plain";

/// The option by which a longer row wins, too.
pub(crate) const FREESTYLE: &str = "freestyle";

/// The words of the opening with their moves.
const WORDS: [(&str, RowMove); 3] =
    [("swap", RowMove::Swap), ("two", RowMove::More), ("keep", RowMove::Keep)];

/// The four directions of lines.
const DIRECTIONS: [[i8; 2]; 4] = [[1, 0], [0, 1], [1, 1], [1, -1]];

/// The differences between two games of this kind.
pub(crate) trait RowGame: Clone + Debug + Eq + Send + 'static {
    /// The game's declaration.
    const SPEC: Spec;

    /// Whether the words of the opening are moves.
    const HAS_SWAP2: bool;

    /// What is expected where a text is no move.
    const EXPECTED: &'static str;

    /// The number of the game in SGF, if it has one.
    const SGF_NUMBER: Option<i64>;

    /// What a win is called.
    const REASON: &'static str;

    /// The limits of the program's levels.
    const BUDGETS: [Budget; LEVELS as usize];

    /// What a row that has no enemy stone in it is worth to the program, by the stones in it.
    const WORTH: [i32; 7];

    /// Returns the rules that follow from options.
    fn rules(options: &Choices) -> Rules;
}

/// The rules of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// The number of files, equal to the number of ranks.
    pub(crate) size: u8,
    /// The stones of a winning row.
    pub(crate) row: u8,
    /// Whether a longer row does not win.
    pub(crate) exact: bool,
    /// The stones of a turn after the first one.
    pub(crate) stones: usize,
    /// Whether a game begins with swap2.
    pub(crate) swap2: bool,
}

/// How far the opening is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// Seat 0 places the first three stones.
    Three,
    /// Seat 1 chooses a colour, or to place two more stones.
    Choice,
    /// Seat 1 places two more stones.
    Two,
    /// Seat 0 chooses a colour.
    Colour,
    /// Each side places its own stones.
    Over,
}

impl Opening {
    /// All stages but the last, with their words in lines of text.
    const WORDS: [(Self, &'static str); 4] = [
        (Self::Three, "three"),
        (Self::Choice, "choice"),
        (Self::Two, "two"),
        (Self::Colour, "colour"),
    ];
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position<G> {
    rules: Rules,
    /// The stones, rank by rank from a1.
    stones: Vec<Option<Seat>>,
    /// The number of stones.
    count: usize,
    opening: Opening,
    turn: Seat,
    /// The stones of the current turn, or of the last one.
    last: Vec<Cell>,
    /// The side with a winning row.
    winner: Option<Seat>,
    game: PhantomData<fn() -> G>,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowMove {
    /// A stone on a point.
    Stone(Cell),
    /// The other colour, in the opening.
    Swap,
    /// The wish to place two more stones in the opening.
    More,
    /// The own colour, once there are five stones.
    Keep,
}

impl Display for RowMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stone(cell) => Display::fmt(cell, f),
            word => {
                let (word, _) = WORDS.iter().find(|(_, m)| m == word).ok_or(fmt::Error)?;
                f.write_str(word)
            }
        }
    }
}

impl<G: RowGame> Position<G> {
    fn at(&self, cell: Cell) -> Option<Seat> {
        cell.index(self.rules.size).and_then(|index| self.stones[index])
    }

    fn is_free(&self, cell: Cell) -> bool {
        cell.index(self.rules.size).is_some_and(|index| self.stones[index].is_none())
    }

    /// Returns the free points.
    fn free(&self) -> impl Iterator<Item = Cell> + '_ {
        let cells = Cell::all(self.rules.size).zip(&self.stones);
        cells.filter(|(_, stone)| stone.is_none()).map(|(cell, _)| cell)
    }

    fn is_over(&self) -> bool {
        self.winner.is_some() || self.count == self.stones.len()
    }

    /// Returns the colour of the next stone: in the opening one player places those of both sides.
    fn colour(&self) -> Seat {
        match self.opening {
            Opening::Three | Opening::Two => Seat(u8::from(self.count % 2 == 1)),
            Opening::Choice | Opening::Colour | Opening::Over => self.turn,
        }
    }

    /// Returns whether no stone of the current turn has been placed.
    fn is_fresh(&self) -> bool {
        match self.opening {
            Opening::Three => self.count == 0,
            Opening::Two => self.count == 3,
            Opening::Choice | Opening::Colour => true,
            Opening::Over => self.count == 0 || self.is_end_of_turn(),
        }
    }

    /// Returns whether a turn has just ended: the first one has one stone.
    fn is_end_of_turn(&self) -> bool {
        self.count > 0 && (self.count - 1).is_multiple_of(self.rules.stones)
    }

    /// Returns the length of the row of a stone in a direction.
    fn row(&self, seat: Seat, cell: Cell, [right, up]: [i8; 2]) -> usize {
        let arm = |step: [i8; 2]| {
            let cells = std::iter::successors(cell.beside(step, self.rules.size), move |at| {
                at.beside(step, self.rules.size)
            });
            cells.take_while(|at| self.at(*at) == Some(seat)).count()
        };
        1 + arm([right, up]) + arm([-right, -up])
    }

    /// Returns whether a stone is in a winning row.
    fn wins(&self, seat: Seat, cell: Cell) -> bool {
        let needed = usize::from(self.rules.row);
        DIRECTIONS.into_iter().any(|step| {
            let length = self.row(seat, cell, step);
            length == needed || length > needed && !self.rules.exact
        })
    }

    /// Places the next stone and gives the turn to the side that has it then.
    fn put(&mut self, cell: Cell) {
        let Some(index) = cell.index(self.rules.size) else { return };
        if self.is_fresh() {
            self.last.clear();
        }
        let colour = self.colour();
        self.stones[index] = Some(colour);
        self.count += 1;
        self.last.push(cell);
        if self.wins(colour, cell) {
            self.winner = Some(colour);
        }
        (self.opening, self.turn) = match (self.opening, self.count) {
            (Opening::Three, 3) => (Opening::Choice, Seat(1)),
            (Opening::Two, 5) => (Opening::Colour, Seat(0)),
            (Opening::Three | Opening::Two, _) => (self.opening, self.turn),
            _ if self.is_end_of_turn() => (Opening::Over, self.turn.other()),
            _ => (Opening::Over, self.turn),
        };
    }

    /// Changes the colours of all stones.
    fn swap_colours(&mut self) {
        for stone in &mut self.stones {
            *stone = stone.map(Seat::other);
        }
    }

    /// Returns why a word of the opening cannot be said; `None` if it can.
    fn forbids(&self, m: RowMove) -> Option<&'static str> {
        match (m, self.opening) {
            (RowMove::Swap | RowMove::More, Opening::Choice)
            | (RowMove::Swap | RowMove::Keep, Opening::Colour) => None,
            _ if !self.rules.swap2 => Some("on this board the opening is not swap2"),
            (RowMove::More, _) => {
                Some("only the second player may place two more stones, once there are three")
            }
            (RowMove::Keep, _) => {
                Some("only the first player may keep a colour, once there are five stones")
            }
            _ => Some(
                "colours are swapped only by the second player once there are three stones, or by the \
                 first player once there are five",
            ),
        }
    }

    fn explain_stone(&self, cell: Cell) -> String {
        let size = self.rules.size;
        if cell.index(size).is_none() {
            let end = Cell { file: size, rank: size };
            format!("there is no point {cell}: this board ends at {end}")
        } else if self.is_free(cell) {
            format!("first say `keep` or `swap`: whose colour is Black decides who places {cell}")
        } else {
            format!("there is already a stone on {cell}")
        }
    }

    /// Returns an empty board.
    fn empty(rules: &Rules) -> TiledBoard {
        let mut tiles = TiledBoard::new(SIDES, rules.size, rules.size);
        (tiles.tiling, tiles.men, tiles.dark) = (Tiling::Lines, MenKind::Discs, Seat(0));
        tiles
    }

    /// Returns the board with its stones, for the drawing and the notation.
    fn tiles(&self) -> TiledBoard {
        let mut tiles = Self::empty(&self.rules);
        for cell in Cell::all(self.rules.size) {
            if let Some(seat) = self.at(cell) {
                tiles.put(cell.into(), Piece::Man(seat));
            }
        }
        tiles
    }

    /// Returns whether a game can have come to these numbers of stones with this side to move.
    fn is_reachable(&self) -> bool {
        let count = |seat| self.stones.iter().filter(|stone| **stone == Some(seat)).count();
        let counts = Seat::BOTH.map(count);
        let [own, other] = [counts[self.turn.index()], counts[self.turn.other().index()]];
        match self.opening {
            Opening::Three => {
                self.count < 3 && self.turn == Seat(0) && alternating(self.count) == counts
            }
            Opening::Choice => self.turn == Seat(1) && counts == [2, 1],
            Opening::Two => self.turn == Seat(1) && (counts == [2, 1] || counts == [2, 2]),
            Opening::Colour => self.turn == Seat(0) && counts == [3, 2],
            // Who has taken the other colour moves as White would.
            Opening::Over if self.rules.swap2 => {
                self.count > 2 && (own == other || own + 1 == other)
            }
            Opening::Over => placed(self.count, self.rules.stones) == (counts, self.turn),
        }
    }

    /// Returns what is to be done in the opening.
    fn note(&self) -> Option<&'static str> {
        match self.opening {
            Opening::Three => Some("opening: Black places two black stones and a white one"),
            Opening::Choice => Some(
                "opening: White places the next white stone, says `swap` to take the black stones, or \
                 `two` to place a white and a black stone and leave the choice to Black",
            ),
            Opening::Two => Some("opening: White places a white and a black stone"),
            Opening::Colour => {
                Some("opening: Black says `keep`, or `swap` to take the white stones")
            }
            Opening::Over => None,
        }
    }
}

/// Returns how many stones of each colour there are if the colours alternate.
const fn alternating(count: usize) -> [usize; 2] {
    [count.div_ceil(2), count / 2]
}

/// Returns how many stones each side has placed after so many, and whose turn it is then.
fn placed(count: usize, stones: usize) -> ([usize; 2], Seat) {
    let turn = |index: usize| Seat(u8::from(index.div_ceil(stones) % 2 == 1));
    let second = (0..count).filter(|index| turn(*index) == Seat(1)).count();
    ([count - second, second], turn(count))
}

impl<G: RowGame> Game for Position<G> {
    type Move = RowMove;

    const SPEC: Spec = G::SPEC;

    fn setup(options: &Choices) -> Self {
        let rules = G::rules(options);
        Self {
            rules,
            stones: vec![None; usize::from(rules.size).pow(2)],
            count: 0,
            opening: if rules.swap2 { Opening::Three } else { Opening::Over },
            turn: Seat(0),
            last: Vec::new(),
            winner: None,
            game: PhantomData,
        }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        const EXPECTED: &str = "a position is the side to move, the rows from the top, the stage of the \
                                opening, and the stones of the last turn, such as `W .../.B./... last=b2`";
        let mut position = Self::setup(options);
        let mut line = TiledLine::read(Self::empty(&position.rules), notation, EXPECTED)?;
        position.turn = line.turn;
        for (cell, stone) in Cell::all(position.rules.size).zip(&mut position.stones) {
            *stone = match line.board.at(cell.into()) {
                None => None,
                Some(Piece::Man(seat)) => Some(seat),
                Some(_) => return Err(EXPECTED.into()),
            };
        }
        position.count = position.stones.iter().flatten().count();
        position.opening = match line.take("opening") {
            None => Opening::Over,
            Some(word) => {
                let mut stages = Opening::WORDS.into_iter();
                let stage = stages.find(|(_, name)| position.rules.swap2 && *name == word);
                stage.ok_or(EXPECTED)?.0
            }
        };
        if !position.is_reachable() {
            return Err("the numbers of stones do not fit the side to move".into());
        }
        if let Some(names) = line.take("last") {
            for name in names.split(',') {
                let cell = Cell::parse(name).ok_or(EXPECTED)?;
                if position.at(cell).is_none() {
                    return Err(format!("there is no stone of the last turn on {cell}"));
                }
                position.last.push(cell);
            }
        }
        line.end()?;
        for cell in Cell::all(position.rules.size) {
            let Some(seat) = position.at(cell).filter(|seat| position.wins(*seat, cell)) else {
                continue;
            };
            if position.winner.is_some_and(|winner| winner != seat) {
                return Err("both sides have won".into());
            }
            position.winner = Some(seat);
        }
        Ok(position)
    }

    fn notation(&self) -> String {
        let mut line = line_of(&self.tiles(), self.turn);
        if let Some((_, word)) = Opening::WORDS.iter().find(|(stage, _)| *stage == self.opening) {
            line.extend([" opening=", word]);
        }
        let names: Vec<String> = self.last.iter().map(ToString::to_string).collect();
        if !names.is_empty() {
            line.extend([" last=", &names.join(",")]);
        }
        line
    }

    fn next(&self) -> Next {
        match self.winner {
            Some(by) => Next::Over(Outcome::Won { by, points: 1, reason: G::REASON }),
            None if self.is_over() => Next::Over(Outcome::Drawn { reason: "the board is full" }),
            None => Next::Move(self.turn),
        }
    }

    fn moves(&self) -> Vec<RowMove> {
        if self.is_over() {
            return Vec::new();
        }
        let is_asked = self.opening == Opening::Colour;
        let stones = self.free().filter(|_| !is_asked).map(RowMove::Stone);
        let words = WORDS.into_iter().map(|(_, m)| m).filter(|m| self.forbids(*m).is_none());
        stones.chain(words).collect()
    }

    fn spell(text: &str) -> Result<RowMove, MoveError> {
        parse_move(text, None, |mut reader: TextCursor| {
            let mut words = WORDS.into_iter().filter(|_| G::HAS_SWAP2);
            let word = words.find(|(word, _)| reader.whole_word(word));
            let spelled = if let Some((_, m)) = word {
                Ok(m)
            } else {
                let Some(name) = reader.tile() else { return Err(reader.expected(G::EXPECTED)) };
                Cell::named(&name, "point").map(RowMove::Stone)
            };
            if reader.is_done() { spelled } else { Err(reader.expected("nothing more")) }
        })
    }

    fn is_legal(&self, m: &RowMove) -> bool {
        !self.is_over()
            && match *m {
                RowMove::Stone(cell) => self.opening != Opening::Colour && self.is_free(cell),
                m => self.forbids(m).is_none(),
            }
    }

    fn explain_illegal(&self, m: &RowMove) -> String {
        match *m {
            RowMove::Stone(cell) => self.explain_stone(cell),
            m => self.forbids(m).unwrap_or("the game is over").to_owned(),
        }
    }

    fn path(m: &RowMove) -> Vec<Spot> {
        match *m {
            RowMove::Stone(cell) => vec![cell.into()],
            RowMove::Swap | RowMove::More | RowMove::Keep => Vec::new(),
        }
    }

    fn play(&mut self, m: &RowMove) {
        match *m {
            RowMove::Stone(cell) => self.put(cell),
            RowMove::More => self.opening = Opening::Two,
            RowMove::Keep => (self.opening, self.turn) = (Opening::Over, Seat(1)),
            RowMove::Swap => {
                self.swap_colours();
                (self.opening, self.turn) = (Opening::Over, Seat(0));
            }
        }
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<RowMove> {
        self.program_move(level, below)
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let mut tiles = self.tiles();
        tiles.last = self.last.iter().copied().map(Spot::from).collect();
        if !self.is_over() {
            tiles.light = Some(self.turn);
            tiles.notes.extend(self.note().map(str::to_owned));
        }
        Diagram::Board(tiles)
    }
}
