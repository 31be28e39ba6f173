//! The program: its evaluation of a position, in hundredths of a pawn.
//!
//! The values are our own. The middle game and the endgame are evaluated apart and mixed by the men that
//! are left.

use super::draws::is_dead;
use super::{ChessMove, Position, seat};
use crate::kit::minimax::{self, Budget, Searched};
use crate::kit::{Next, Outcome, RandomBelow, Seat};
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Square, get_bishop_moves, get_knight_moves,
    get_rook_moves,
};

/// The number of levels, and the limits of each.
pub(super) const LEVELS: u8 = 4;
const BUDGETS: [Budget; LEVELS as usize] = [
    Budget { depth: 1, nodes: 1_000, careless: 40 },
    Budget { depth: 2, nodes: 4_000, careless: 8 },
    Budget { depth: 64, nodes: 4_000, careless: 0 },
    Budget { depth: 64, nodes: 24_000, careless: 0 },
];

/// The values of the men, pawn to king.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];
/// What the men other than pawns weigh for the phase of the game, and their sum at the start.
const WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];
const WHOLE: i32 = 24;

impl Position {
    /// Returns the program's move. It claims a draw when it does not stand better.
    pub(super) fn program_move(&self, level: u8, below: RandomBelow) -> Option<ChessMove> {
        let Next::Move(turn) = crate::kit::Game::next(self) else { return None };
        let root =
            SearchedBoard { board: self.board.clone(), past: self.past.keys(), is_root: true };
        if self.claimable().is_some() && root.value(turn) <= 0 {
            return Some(ChessMove::Claim);
        }
        let budget = BUDGETS[usize::from(level.clamp(1, LEVELS)) - 1];
        minimax::best(&root, budget, below).map(|m| self.with_san(m))
    }
}

/// A board within a search.
#[derive(Clone)]
struct SearchedBoard<'a> {
    board: Board,
    /// The keys of the positions that can be repeated.
    past: &'a [u64],
    /// Whether it is the position to find a move for.
    is_root: bool,
}

impl SearchedBoard<'_> {
    /// Returns whether the game is drawn, or practically: a position of the game comes again.
    fn is_drawn(&self) -> bool {
        let clock = self.board.halfmove_clock();
        clock >= 100
            || clock > 0 && self.past.contains(&self.board.hash_without_ep())
            || is_dead(&self.board)
    }

    fn captures_of(&self, color: Color) -> BitBoard {
        self.board.colors(!color)
    }
}

impl Searched for SearchedBoard<'_> {
    type Move = Move;

    const SLOTS: usize = Square::NUM * Square::NUM;

    fn slot(m: Move) -> usize {
        m.from as usize * Square::NUM + m.to as usize
    }

    fn next(&self) -> Next {
        let turn = seat(self.board.side_to_move());
        if !self.board.generate_moves(|_| true) {
            return Next::Over(if self.board.checkers().is_empty() {
                Outcome::Drawn { reason: "stalemate" }
            } else {
                Outcome::Won { by: turn.other(), points: 1, reason: "by checkmate" }
            });
        }
        if !self.is_root && self.is_drawn() {
            return Next::Over(Outcome::Drawn { reason: "it goes no further" });
        }
        Next::Move(turn)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.board.generate_moves(|men| {
            moves.extend(men);
            false
        });
        moves
    }

    fn captures(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let color = self.board.side_to_move();
        let taken = self.captures_of(color);
        let last = cozy_chess::Rank::Eighth.relative_to(color).bitboard();
        self.board.generate_moves(|mut men| {
            men.to &= if men.piece == Piece::Pawn { taken | last } else { taken };
            moves.extend(
                men.into_iter().filter(|m| m.promotion.is_none_or(|to| to == Piece::Queen)),
            );
            false
        });
        moves
    }

    fn promise(&self, m: Move) -> i32 {
        let taken = self.captures_of(self.board.side_to_move()).has(m.to);
        let victim = self.board.piece_on(m.to).filter(|_| taken);
        let gain = victim.map_or(0, |victim| (1 << 21) + 16 * VALUES[victim as usize]);
        let risk = match (victim, self.board.piece_on(m.from)) {
            (Some(_), Some(piece)) => VALUES[piece as usize],
            _ => 0,
        };
        gain - risk + m.promotion.map_or(0, |to| VALUES[to as usize] << 11)
    }

    fn is_urgent(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    fn make(&mut self, m: Move) {
        self.board.play_unchecked(m);
        self.is_root = false;
    }

    fn value(&self, of: Seat) -> i32 {
        let value = evaluate(&self.board, Color::White) - evaluate(&self.board, Color::Black);
        if of == Seat(0) { value } else { -value }
    }

    fn key(&self) -> Option<u64> {
        Some(self.board.hash())
    }
}

/// A value in the middle game and in the endgame.
#[derive(Clone, Copy, Default)]
struct Phases {
    middle: i32,
    end: i32,
}

impl Phases {
    fn add(&mut self, middle: i32, end: i32) {
        self.middle += middle;
        self.end += end;
    }
}

/// Returns how far a square is from the rim of the board, 0 to 3.
fn centrality(square: Square) -> i32 {
    let from_rim = |index: usize| index.min(7 - index);
    let rings = from_rim(square.file() as usize).min(from_rim(square.rank() as usize));
    i32::try_from(rings).unwrap_or(0)
}

/// Evaluates the men of one side.
fn evaluate(board: &Board, color: Color) -> i32 {
    let (own, occupied) = (board.colors(color), board.occupied());
    let mut sum = Phases::default();
    let mut weight = 0;
    for piece in Piece::ALL {
        for square in board.colored_pieces(color, piece) {
            let value = VALUES[piece as usize];
            sum.add(value, value);
            weight += WEIGHTS[piece as usize];
            let at = square.relative_to(color);
            let middle = centrality(at);
            match piece {
                Piece::Pawn => pawn(board, color, square, &mut sum),
                Piece::Knight => {
                    let moves = len(get_knight_moves(square) - own);
                    sum.add(middle * 10 + 4 * moves - 30, middle * 8 + 3 * moves - 20);
                }
                Piece::Bishop => {
                    let moves = len(get_bishop_moves(square, occupied) - own);
                    sum.add(middle * 4 + 5 * moves - 30, 5 * moves - 25);
                }
                Piece::Rook => {
                    let moves = len(get_rook_moves(square, occupied) - own);
                    sum.add(2 * moves - 14 + open_file(board, color, square), 4 * moves - 20);
                }
                Piece::Queen => {
                    let lines =
                        get_rook_moves(square, occupied) | get_bishop_moves(square, occupied);
                    sum.add(len(lines - own) - 10, 2 * len(lines - own) + 4 * middle - 20);
                }
                Piece::King => king(board, color, square, &mut sum),
            }
        }
    }
    if board.colored_pieces(color, Piece::Bishop).len() > 1 {
        sum.add(30, 45);
    }
    let enemy: i32 = Piece::ALL
        .into_iter()
        .map(|piece| WEIGHTS[piece as usize] * len(board.colored_pieces(!color, piece)))
        .sum();
    // What counts for a king and its pawns is how many enemies could attack them.
    let phase = (weight + enemy).min(WHOLE);
    mate_help(board, color) + (sum.middle * phase + sum.end * (WHOLE - phase)) / WHOLE
}

fn len(squares: BitBoard) -> i32 {
    i32::try_from(squares.len()).unwrap_or(0)
}

/// Returns the files beside one.
fn beside(file: File) -> BitBoard {
    file.adjacent()
}

fn pawn(board: &Board, color: Color, square: Square, sum: &mut Phases) {
    const ADVANCE: [i32; 8] = [0, 0, 3, 8, 16, 30, 50, 0];
    const PASSED: [i32; 8] = [0, 5, 10, 22, 45, 80, 130, 0];
    let at = square.relative_to(color);
    let rank = at.rank() as usize;
    let own = board.colored_pieces(color, Piece::Pawn);
    let enemy = board.colored_pieces(!color, Piece::Pawn);
    let file = square.file();
    let is_inner = matches!(file, File::D | File::E);
    let centre = match rank {
        3 if is_inner => 22,
        2 if is_inner => 8,
        1 if is_inner => -14,
        3 if matches!(file, File::C) => 8,
        _ => 0,
    };
    sum.add(ADVANCE[rank] / 2 + centre, ADVANCE[rank]);
    if len(own & file.bitboard()) > 1 {
        sum.add(-8, -14);
    }
    if (own & beside(file)).is_empty() {
        sum.add(-10, -10);
    }
    let ahead = (rank + 1..8)
        .map(|rank| cozy_chess::Rank::index(rank).relative_to(color).bitboard())
        .fold(BitBoard::EMPTY, |ahead, rank| ahead | rank);
    if (enemy & ahead & (file.bitboard() | beside(file))).is_empty() {
        sum.add(PASSED[rank] / 2, PASSED[rank]);
    }
}

fn open_file(board: &Board, color: Color, square: Square) -> i32 {
    let pawns = board.pieces(Piece::Pawn) & square.file().bitboard();
    match ((pawns & board.colors(color)).is_empty(), pawns.is_empty()) {
        (_, true) => 22,
        (true, _) => 10,
        _ => 0,
    }
}

fn king(board: &Board, color: Color, square: Square, sum: &mut Phases) {
    let at = square.relative_to(color);
    let is_home = at.rank() as usize == 0;
    let is_aside = matches!(at.file(), File::A | File::B | File::C | File::G | File::H);
    let shield = cozy_chess::get_king_moves(square) & board.colored_pieces(color, Piece::Pawn);
    let place = match (is_home, is_aside) {
        (true, true) => 30,
        (true, false) => 0,
        _ => -15 * i32::try_from(at.rank() as usize).unwrap_or(0),
    };
    let attackers = board.colors(!color) - board.pieces(Piece::Pawn);
    let near = cozy_chess::get_king_moves(square);
    let danger: i32 = attackers.into_iter().map(|from| len(reach(board, from) & near)).sum();
    sum.add(place + 9 * len(shield).min(3) - 7 * danger, 9 * centrality(at));
}

/// Returns the squares that a man other than a pawn attacks.
fn reach(board: &Board, from: Square) -> BitBoard {
    match board.piece_on(from) {
        Some(Piece::Knight) => get_knight_moves(from),
        Some(Piece::Bishop) => get_bishop_moves(from, board.occupied()),
        Some(Piece::Rook) => get_rook_moves(from, board.occupied()),
        Some(Piece::Queen) => {
            get_bishop_moves(from, board.occupied()) | get_rook_moves(from, board.occupied())
        }
        _ => BitBoard::EMPTY,
    }
}

/// Returns what brings a mate nearer against a bare king: it at the rim, the other king close to it.
fn mate_help(board: &Board, color: Color) -> i32 {
    let is_bare = board.colors(!color).len() == 1;
    let strong = board.pieces(Piece::Rook) | board.pieces(Piece::Queen) | board.pieces(Piece::Pawn);
    if !is_bare || strong.is_empty() {
        return 0;
    }
    let [own, bare] = [board.king(color), board.king(!color)];
    let apart = |a: usize, b: usize| i32::try_from(a.abs_diff(b)).unwrap_or(0);
    let distance = apart(own.file() as usize, bare.file() as usize)
        .max(apart(own.rank() as usize, bare.rank() as usize));
    40 * (3 - centrality(bare)) + 8 * (7 - distance)
}
