//! Amazons: a queen moves and shoots an arrow, which closes a square for ever. Who can move no more loses.
//!
//! Source: W. Zamkauskas, *El Juego de las Amazonas* (1992), as played on Richard's play-by-mail server and at the
//! Computer Olympiad: White moves first. M. Müller, *SGF for Amazons* (start). Ours: where the queens start on the
//! boards of eight and six, by the pattern of the large one.

mod board;
mod player;
mod record;
#[cfg(test)]
mod tests;

use crate::kit::text::{TextCursor, parse_move};
use crate::kit::tile::{Tile, TileSet};
use crate::kit::tiled_line::{TiledLine, line_of};
use crate::kit::{
    Choices, Diagram, Game, Manner, MenKind, MoveError, Next, Piece, RandomBelow, Seat, Spec, Spot,
    Switch, TiledBoard, View, minimax, sgf,
};
use board::Board;
use std::fmt::{self, Display};

/// The sizes of a board, the usual one first.
const SIZES: &[&str] = &["10", "8", "6"];

/// The sides, first mover first.
const SIDES: [&str; 2] = ["White", "Black"];

/// The sign of an arrow.
const ARROW: char = '*';

/// The queens of a side.
const QUEENS: u32 = 4;

/// A position of Amazons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    board: Board,
    last: Option<AmazonsMove>,
    can_move: bool,
}

/// A square of the largest board.
pub(crate) type Square = Tile<10>;

/// A move: where the queen starts, where it ends, and the square that its arrow closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AmazonsMove([Square; 3]);

impl Display for AmazonsMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to, arrow] = self.0;
        write!(f, "{from}-{to}/{arrow}")
    }
}

impl Position {
    /// Returns the board with queens and arrows, for the drawing and the notation.
    fn tiles(&self) -> TiledBoard {
        let mut tiles = TiledBoard::of_squares(SIDES, self.board.size);
        for seat in Seat::BOTH {
            for square in Square::all_in(self.board.queens[seat.index()]) {
                tiles.put(square.into(), Piece::Man(seat));
            }
        }
        for square in Square::all_in(self.board.arrows) {
            tiles.put(square.into(), Piece::Sign(ARROW));
        }
        tiles
    }

    /// Explains why nothing goes from one square to another in a straight line over free squares.
    fn explain_line(&self, [from, to]: [Square; 2], taken: TileSet, what: &str) -> String {
        let Some(step) = from.direction(to) else {
            return format!("{to} is not on a line with {from}");
        };
        let way = from.ray(step, self.board.size).take_while(|at| *at != to).chain([to]);
        match way.into_iter().find(|at| at.is_in(taken)) {
            Some(at) if at.is_in(self.board.arrows) => {
                format!("the arrow on {at} stops {what} from {from} to {to}")
            }
            Some(at) => format!("the queen on {at} stops {what} from {from} to {to}"),
            None => format!("{what} cannot go from {from} to {to}"),
        }
    }

    fn read_last(&self, text: &str) -> Option<AmazonsMove> {
        let AmazonsMove(last) = Self::spell(text).ok().filter(|last| last.to_string() == text)?;
        let [from, to, arrow] = last;
        let is_here = to.is_in(self.board.queens[self.board.turn.other().index()])
            && arrow.is_in(self.board.arrows)
            && (from == arrow || !from.is_in(self.board.taken()));
        is_here.then_some(AmazonsMove(last))
    }
}

/// Returns the error for a queen's move without its arrow.
fn half_a_move(names: &[String]) -> MoveError {
    let queen = names.join("-");
    MoveError::Illegal(format!("the arrow of {queen} is missing: add its square, as in d1-d7/g7"))
}

impl Game for Position {
    type Move = AmazonsMove;

    const SPEC: Spec = Spec {
        name: "amazons",
        title: "Amazons",
        about: "move a queen, close a square, and move last",
        sides: SIDES,
        help: include_str!("../../help/amazons.md"),
        options: &[Switch::one_of("size", SIZES, "files and ranks of the board")],
        formats: &[sgf::format::<Self>("Smart Game Format")],
        manner: Manner {
            levels: player::LEVELS,
            small: &["size=6"],
            turns: 40,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        let size = options.get("size").unwrap_or(SIZES[0]);
        let board = Board::start(size.parse().expect("sizes are numbers"));
        Self { board, last: None, can_move: true }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        const EXPECTED: &str = "a position is the side to move, the rows from the top, and the last move, \
                                such as `B ..B..B/B....B/...W../....../W.*..W/.W.... last=e1-d4/c2`";
        let mut position = Self::setup(options);
        let empty = TiledBoard::of_squares(SIDES, position.board.size);
        let mut line = TiledLine::read(empty, notation, EXPECTED)?;
        let Board { turn, queens, arrows, .. } = &mut position.board;
        (*turn, *queens, *arrows) = (line.turn, [0; 2], 0);
        for spot in line.board.rows().concat() {
            match (line.board.at(spot), Square::named(&spot.to_string())) {
                (None, _) => {}
                (Some(Piece::Man(seat)), Ok(square)) => queens[seat.index()] |= square.bit(),
                (Some(Piece::Sign(ARROW)), Ok(square)) => *arrows |= square.bit(),
                _ => return Err(line.error()),
            }
        }
        if !queens.iter().all(|queens| queens.count_ones() == QUEENS) {
            return Err(format!("each side has {QUEENS} queens"));
        }
        if arrows.count_ones() % 2 != u32::from(turn.0) {
            return Err("the number of arrows does not fit the side to move".into());
        }
        if let Some(text) = line.take("last") {
            position.last = Some(position.read_last(text).ok_or_else(|| line.error())?);
        }
        line.end()?;
        position.can_move = position.board.can_move();
        Ok(position)
    }

    fn notation(&self) -> String {
        let last = self.last.map_or_else(String::new, |last| format!(" last={last}"));
        line_of(&self.tiles(), self.board.turn) + &last
    }

    fn next(&self) -> Next {
        if self.can_move { Next::Move(self.board.turn) } else { self.board.lost() }
    }

    fn moves(&self) -> Vec<AmazonsMove> {
        self.moves_up_to(usize::MAX)
    }

    fn moves_up_to(&self, most: usize) -> Vec<AmazonsMove> {
        self.board.moves().take(most).map(AmazonsMove).collect()
    }

    fn spell(text: &str) -> Result<AmazonsMove, MoveError> {
        const EXPECTED: [&str; 3] = [
            "a move such as d1-d7/g7",
            "the square where the queen ends, as in d1-d7/g7",
            "the square that the arrow closes, as in d1-d7/g7",
        ];
        parse_move(text, None, |mut reader: TextCursor| {
            let mut names = Vec::new();
            for expected in EXPECTED {
                // `d1-d7/g7`, `d1-d7,g7`, `d1 d7 g7`, `d1d7g7`, `d1-d7(g7)`.
                if !names.is_empty() && !reader.connector() && !reader.word("(") {
                    reader.separator();
                }
                match reader.tile() {
                    Some(name) => names.push(name),
                    None if names.len() == 2 && reader.is_done() => {
                        return Err(half_a_move(&names));
                    }
                    None => return Err(reader.expected(expected)),
                }
            }
            reader.word(")");
            if !reader.is_done() {
                return Err(reader.expected("nothing more"));
            }
            Ok(AmazonsMove([
                Square::named(&names[0])?,
                Square::named(&names[1])?,
                Square::named(&names[2])?,
            ]))
        })
    }

    fn is_legal(&self, m: &AmazonsMove) -> bool {
        let [from, to, arrow] = m.0;
        m.0.into_iter().all(|square| square.is_on(self.board.size))
            && from.is_in(self.board.own())
            && to.is_in(self.board.reach(from, self.board.taken()))
            && arrow.is_in(self.board.shots([from, to]))
    }

    fn explain_illegal(&self, m: &AmazonsMove) -> String {
        let [from, to, arrow] = m.0;
        if let Some(outside) = Square::explain_outside(&m.0, self.board.size) {
            return outside;
        }
        if !from.is_in(self.board.own()) {
            let side = SIDES[self.board.turn.index()].to_lowercase();
            return format!("there is no {side} queen on {from}");
        }
        let taken = self.board.taken();
        if to.is_in(self.board.reach(from, taken)) {
            self.explain_line([to, arrow], taken & !from.bit(), "the arrow")
        } else {
            self.explain_line([from, to], taken, "the queen")
        }
    }

    fn path(m: &AmazonsMove) -> Vec<Spot> {
        m.0.map(Spot::from).to_vec()
    }

    fn play(&mut self, m: &AmazonsMove) {
        self.board.play(m.0);
        self.last = Some(*m);
        self.can_move = self.board.can_move();
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<AmazonsMove> {
        minimax::best(&self.board, player::budget(level), below).map(AmazonsMove)
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let mut tiles = self.tiles();
        tiles.men = MenKind::Discs;
        tiles.last = self.last.into_iter().flat_map(|last| last.0).map(Spot::from).collect();
        tiles.light = self.can_move.then_some(self.board.turn);
        if self.board.arrows != 0 {
            tiles.notes.push(format!("{ARROW} is an arrow: its square is closed"));
        }
        Diagram::Board(tiles)
    }
}
