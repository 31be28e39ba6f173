//! Chess by the laws of FIDE, and Chess960.
//!
//! Rules: FIDE, *Laws of Chess* (2023), articles 3, 5.2, 9.2, 9.3, 9.6 and guideline II for Chess960.
//! What is checked on the board and where men may go comes from the crate `cozy-chess`; ends of games,
//! notation, records and the program are here. White is seat 0.
//!
//! A player claims a draw after a third repetition or fifty moves with `claim`; a fifth repetition and
//! seventy-five moves end the game by themselves. Of the dead positions of article 5.2.2, those are
//! recognised in which the men that are left can mate nowhere.

mod draws;
mod notation;
mod past;
mod pgn;
mod player;
mod san;
#[cfg(test)]
mod tests;
mod uci;

use crate::kit::{
    Choices, Deal, Diagram, EngineProtocol, EngineQuestion, Format, Game, Manner, MenKind,
    MoveError, Next, Outcome, Piece, RandomBelow, Seat, Spec, Spot, Switch, TiledBoard, Transcript,
    Values, View,
};
use cozy_chess::{Board, Color, GameStatus, Move, Square};
use past::Past;
use std::fmt::{self, Display};

/// The sides, first mover first.
const SIDES: [&str; 2] = ["White", "Black"];

/// The number of starts of Chess960, and the number of the usual one.
const STARTS: u32 = 960;
const USUAL: u32 = 518;

/// The word that claims a draw.
const CLAIM: &str = "claim";

/// A position of Chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    board: Board,
    /// Whether kings and rooks may start elsewhere than in the usual game.
    is_960: bool,
    /// Whether a start is still to be drawn.
    is_undrawn: bool,
    past: Past,
    /// Whether a player has claimed a draw.
    is_claimed: bool,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChessMove {
    /// A man's move.
    Man {
        /// The move as `cozy-chess` writes it: a king that castles takes its rook.
        m: Move,
        /// The places to click: where the man is, and where it goes.
        path: [Square; 2],
        /// The move in standard algebraic notation.
        san: String,
    },
    /// A draw by a third repetition or fifty moves.
    Claim,
}

impl Display for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Man { san, .. } => f.write_str(san),
            Self::Claim => f.write_str(CLAIM),
        }
    }
}

fn seat(color: Color) -> Seat {
    Seat::BOTH[color as usize]
}

fn spot(square: Square) -> Spot {
    let number = |index: usize| u8::try_from(index + 1).unwrap_or(u8::MAX);
    Spot::Square(number(square.file() as usize), number(square.rank() as usize))
}

impl Position {
    fn from_board(board: Board, is_960: bool) -> Self {
        let past = Past::new(&board);
        Self { board, is_960, is_undrawn: false, past, is_claimed: false }
    }

    /// Returns the start with a number of Scharnagl's, which Chess960 uses.
    fn numbered(number: u32) -> Self {
        Self::from_board(Board::chess960_startpos(number), number != USUAL)
    }

    fn turn(&self) -> Seat {
        seat(self.board.side_to_move())
    }

    /// Returns whether the game goes on.
    fn is_on(&self) -> bool {
        !self.is_undrawn && self.outcome().is_none()
    }

    /// Returns how the game ended.
    fn outcome(&self) -> Option<Outcome> {
        // The status knows only fifty moves, which do not end a game by themselves.
        let has_moves = self.board.generate_moves(|_| true);
        if !has_moves && self.board.status() == GameStatus::Won {
            let by = seat(!self.board.side_to_move());
            return Some(Outcome::Won { by, points: 1, reason: "by checkmate" });
        }
        let reason = if has_moves { self.drawn()? } else { "stalemate" };
        Some(Outcome::Drawn { reason })
    }

    /// Builds a move with its notation.
    fn with_san(&self, m: Move) -> ChessMove {
        let san = cozy_chess::util::display_san_move(&self.board, m).to_string();
        ChessMove::Man { m, path: [m.from, self.clicked(m)], san }
    }

    /// Returns the place that is clicked as the end of a move: in the usual game a king castles by its
    /// own move, in Chess960, where that may be another move, onto its rook.
    fn clicked(&self, m: Move) -> Square {
        if self.is_960 { m.to } else { san::end_of_king(&self.board, m).unwrap_or(m.to) }
    }

    fn make(&mut self, m: Move) {
        let before = self.board.clone();
        self.board.play_unchecked(m);
        self.past.add(&before, m, &self.board);
    }

    /// Returns where the man that moved last was and is. A king that has castled left its rook's place.
    fn last_path(&self) -> Option<[Square; 2]> {
        let [from, to] = self.past.last()?;
        let mover = !self.board.side_to_move();
        let is_there = self.board.color_on(to) == Some(mover);
        Some([from, if is_there { to } else { self.board.king(mover) }])
    }

    /// Returns what the board says besides its men.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.is_on() {
            return notes;
        }
        let side = SIDES[self.turn().index()];
        if !self.board.checkers().is_empty() {
            notes.push(format!("{side} is in check"));
        }
        if let Some(reason) = self.claimable() {
            notes.push(format!("{side} may claim a draw with `{CLAIM}`: {reason}"));
        }
        notes
    }
}

impl Game for Position {
    type Move = ChessMove;

    const SPEC: Spec = Spec {
        name: "chess",
        title: "Chess",
        about: "attack the king so that it cannot escape",
        sides: SIDES,
        help: include_str!("../../help/chess.md"),
        verbs: &[CLAIM],
        options: &[
            Switch::flag("960", "Chess960: one of 960 starts, drawn at random"),
            Switch {
                name: "start",
                values: Values::Number { min: 0, max: STARTS - 1, default: USUAL },
                help: "Chess960 from the start with this number",
            },
        ],
        exclusive: &[&["960", "start"]],
        formats: &[
            Format {
                name: "pgn",
                about: "Portable Game Notation, which all chess programs read",
                write: pgn::write,
                read: Some(pgn::read),
            },
            Format {
                name: "fen",
                about: "Forsyth-Edwards Notation of the position",
                write: notation::write_fen,
                read: None,
            },
        ],
        manner: Manner {
            levels: player::LEVELS,
            has_draws: true,
            has_case: true,
            asks_for_forced: true,
            turns: 40,
            minutes_to_learn: 20,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const ENGINE: Option<EngineProtocol> = Some(EngineProtocol::Uci);

    fn engine_question(record: &Transcript) -> Option<EngineQuestion> {
        uci::question(record)
    }

    fn setup(options: &Choices) -> Self {
        let number = options.get("start").and_then(|number| number.parse().ok()).unwrap_or(USUAL);
        let mut start = Self::numbered(number);
        if options.has("960") {
            (start.is_960, start.is_undrawn) = (true, true);
        }
        start
    }

    fn place(options: &Choices, line: &str) -> Result<Self, String> {
        notation::place(options, line)
    }

    fn notation(&self) -> String {
        notation::write(self)
    }

    fn next(&self) -> Next {
        match self.outcome() {
            _ if self.is_undrawn => Next::Deal,
            Some(outcome) => Next::Over(outcome),
            None => Next::Move(self.turn()),
        }
    }

    fn moves(&self) -> Vec<ChessMove> {
        let mut moves = Vec::new();
        if self.is_on() {
            self.board.generate_moves(|men| {
                moves.extend(men.into_iter().map(|m| self.with_san(m)));
                false
            });
            moves.extend(self.claimable().map(|_| ChessMove::Claim));
        }
        moves
    }

    /// Counts without writing each move, whose notation depends on the others.
    fn move_count(&self) -> Option<usize> {
        if !self.is_on() {
            return Some(0);
        }
        let mut count = usize::from(self.claimable().is_some());
        self.board.generate_moves(|men| {
            count += men.len();
            false
        });
        Some(count)
    }

    fn read(&self, text: &str) -> Result<ChessMove, MoveError> {
        san::read(self, text)
    }

    fn path(m: &ChessMove) -> Vec<Spot> {
        match m {
            ChessMove::Man { path, .. } => path.map(spot).to_vec(),
            ChessMove::Claim => Vec::new(),
        }
    }

    fn paths(text: &str) -> Vec<Vec<Spot>> {
        san::end(text).map(|square| vec![spot(square)]).into_iter().collect()
    }

    fn play(&mut self, m: &ChessMove) {
        match m {
            ChessMove::Man { m, .. } => self.make(*m),
            ChessMove::Claim => self.is_claimed = true,
        }
    }

    fn deal(&self, below: RandomBelow) -> Deal {
        below(STARTS as usize).to_string().parse().unwrap_or_default()
    }

    fn lay(&mut self, start: &Deal) -> Result<(), MoveError> {
        let text = start.to_string();
        let number = text.parse::<u32>().ok().filter(|number| *number < STARTS);
        let Some(number) = number.filter(|number| number.to_string() == text) else {
            return Err(MoveError::Illegal(format!("there is no start {text}")));
        };
        *self = Self { is_960: true, ..Self::numbered(number) };
        Ok(())
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<ChessMove> {
        self.program_move(level, below)
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let mut board = TiledBoard::new(SIDES, 8, 8);
        (board.men, board.place) = (MenKind::Chessmen, "square".into());
        for square in self.board.occupied() {
            if let (Some(kind), Some(color)) =
                (self.board.piece_on(square), self.board.color_on(square))
            {
                board.put(spot(square), Piece::Chessman(seat(color), kind_of(kind)));
            }
        }
        board.last = self.last_path().map(|path| path.map(spot).to_vec()).unwrap_or_default();
        if !self.board.checkers().is_empty() {
            board.attacked = Some(spot(self.board.king(self.board.side_to_move())));
        }
        board.light = self.is_on().then(|| self.turn());
        board.notes = self.notes();
        Diagram::Board(board)
    }

    fn perft(options: &Choices, depth: u32) -> u64 {
        let start = Self::setup(options);
        perft_of(&start.board, depth)
    }
}

fn kind_of(piece: cozy_chess::Piece) -> crate::kit::ManKind {
    use crate::kit::ManKind;
    match piece {
        cozy_chess::Piece::Pawn => ManKind::Pawn,
        cozy_chess::Piece::Knight => ManKind::Knight,
        cozy_chess::Piece::Bishop => ManKind::Bishop,
        cozy_chess::Piece::Rook => ManKind::Rook,
        cozy_chess::Piece::Queen => ManKind::Queen,
        cozy_chess::Piece::King => ManKind::King,
    }
}

/// Counts the sequences of moves from a board. The moves of the last ply are counted without being
/// made. Draws that end a game early are too far from a start for any depth that can be counted.
fn perft_of(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    board.generate_moves(|men| {
        if depth == 1 {
            count += men.len() as u64;
        } else {
            for m in men {
                let mut after = board.clone();
                after.play_unchecked(m);
                count += perft_of(&after, depth - 1);
            }
        }
        false
    });
    count
}
