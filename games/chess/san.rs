//! Moves as people and programs write them: standard algebraic notation (PGN standard, section 8.2.3;
//! FIDE, appendix C) and coordinates.

use super::{CLAIM, ChessMove, Position};
use crate::kit::{MoveError, is_dash, text};
use cozy_chess::{
    BitBoard, Board, BoardBuilder, File, Move, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// What a text says of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Claim,
    /// Castling on the side of the h-file, or of the a-file.
    Castles {
        short: bool,
    },
    Man(SaidMan),
}

/// What a text says of the move of one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SaidMan {
    /// The kind; any if the text has only coordinates.
    kind: Option<Piece>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

const EXPECTED: &str = "a move such as e4, Nf3 or e2-e4";

/// Finds the legal move that a text means.
pub(super) fn read(position: &Position, words: &str) -> Result<ChessMove, MoveError> {
    let readings = said(words)?;
    let is_on = position.is_on();
    let mut error = MoveError::NothingToMove;
    for (index, reading) in readings.into_iter().enumerate().filter(|_| is_on) {
        let found = meant(position, reading);
        match &found[..] {
            [] if index == 0 => error = MoveError::Illegal(why_not(position, reading)),
            [] => {}
            [only] => return Ok(only.clone()),
            several => {
                return Err(MoveError::Ambiguous(
                    several.iter().map(ToString::to_string).collect(),
                ));
            }
        }
    }
    Err(error)
}

/// Returns where the man of a move in a record goes, as far as the text alone says it.
pub(super) fn end(words: &str) -> Option<Square> {
    match said(words).ok()?.first()? {
        Said::Man(man) => Some(man.to),
        Said::Claim | Said::Castles { .. } => None,
    }
}

/// Returns what a text can say, the likeliest first. `b` may be a file or a bishop.
fn said(words: &str) -> Result<Vec<Said>, MoveError> {
    let unreadable = || {
        let at = words.chars().take_while(|sign| sign.is_whitespace()).count();
        MoveError::Unreadable { at, expected: EXPECTED }
    };
    let bare = without_marks(without_number(words.trim()));
    if bare.eq_ignore_ascii_case(CLAIM) {
        return Ok(vec![Said::Claim]);
    }
    let signs = plain_signs(bare).ok_or_else(unreadable)?;
    match &*signs.to_ascii_lowercase() {
        "o-o" | "0-0" => return Ok(vec![Said::Castles { short: true }]),
        "o-o-o" | "0-0-0" => return Ok(vec![Said::Castles { short: false }]),
        _ => {}
    }
    let kind = signs.chars().next().and_then(|letter| kind(letter.to_ascii_lowercase()));
    let with_kind = kind.and_then(|kind| man(&signs[1..], Some(kind)));
    let with_file = man(&signs, None);
    let mut readings: Vec<Said> =
        [with_kind, with_file].into_iter().flatten().map(Said::Man).collect();
    if signs.starts_with('b') {
        readings.reverse();
    }
    if readings.is_empty() { Err(unreadable()) } else { Ok(readings) }
}

/// Drops a move number such as `12.` or `12...`.
fn without_number(words: &str) -> &str {
    let rest = words.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let behind = rest.trim_start_matches(['.', ')', '\u{2026}']);
    if rest.len() < words.len() && behind.len() < rest.len() { behind.trim_start() } else { words }
}

/// Drops what comments on a move behind it: check, mate, `!?`, `e.p.`
fn without_marks(words: &str) -> &str {
    let is_mark = |sign: char| sign.is_whitespace() || "+#!?.,;\u{2020}\u{2021}".contains(sign);
    let bare = words.trim_end_matches(is_mark);
    let passing = ["e.p", "ep"].into_iter().find_map(|mark| {
        let rest = bare.get(..bare.len().checked_sub(mark.len())?)?;
        let has_mark = bare[rest.len()..].eq_ignore_ascii_case(mark);
        (has_mark && rest.ends_with(|sign: char| sign.is_ascii_digit() || sign.is_whitespace()))
            .then_some(rest)
    });
    passing.map_or(bare, |rest| rest.trim_end_matches(is_mark))
}

/// Returns a text without blanks and with plain signs; `None` for a sign that no move has.
fn plain_signs(words: &str) -> Option<String> {
    let plain = |sign: char| match sign {
        _ if is_dash(sign) || text::is_arrow(sign) => Some('-'),
        '\u{d7}' | ':' => Some('x'),
        _ if sign.is_ascii_alphanumeric() || "=/()".contains(sign) => Some(sign),
        _ => None,
    };
    let arrows = words.replace("->", "-");
    let signs: Option<String> =
        arrows.chars().filter(|sign| !sign.is_whitespace()).map(plain).collect();
    signs.filter(|signs| (2..=12).contains(&signs.len()))
}

fn kind(letter: char) -> Option<Piece> {
    Piece::try_from(letter).ok()
}

/// Reads a move without the letter of its man: `f3`, `bd7`, `1xe2`, `e2-e4`, `exd8=Q`.
fn man(signs: &str, kind: Option<Piece>) -> Option<SaidMan> {
    let signs = signs.to_ascii_lowercase();
    let (way, promotion) = promoted(&signs);
    let (before, to) = way.split_at_checked(way.len().checked_sub(2)?)?;
    let to: Square = to.parse().ok()?;
    let before = before.strip_suffix(['-', 'x']).unwrap_or(before);
    let mut from = before.chars().peekable();
    let file = from.next_if(|sign| File::try_from(*sign).is_ok());
    let rank = from.next_if(|sign| Rank::try_from(*sign).is_ok());
    let (file, rank): (Option<File>, Option<Rank>) =
        (file.and_then(|sign| sign.try_into().ok()), rank.and_then(|sign| sign.try_into().ok()));
    // Without a letter a move is a pawn's, unless its whole start is said. A file alone is that of a
    // capture.
    let is_pawn = kind.is_none() && (file.is_none() || rank.is_none());
    let is_capture = file.is_none_or(|file| file != to.file());
    let kind = kind.or(is_pawn.then_some(Piece::Pawn));
    (from.next().is_none() && (!is_pawn || is_capture)).then_some(SaidMan {
        kind,
        file,
        rank,
        to,
        promotion,
    })
}

/// Splits the kind to promote to from the end of a move: `e8=q`, `e8q`, `e8(q)`, `e8/q`.
fn promoted(signs: &str) -> (&str, Option<Piece>) {
    let bare = signs.strip_suffix(')').unwrap_or(signs);
    let found = bare.chars().last().and_then(kind).filter(|kind| *kind != Piece::Pawn);
    let way = found.and_then(|_| bare.get(..bare.len() - 1));
    let way = way.map(|way| way.strip_suffix(['=', '(', '/']).unwrap_or(way));
    match way.filter(|way| way.ends_with(|sign: char| sign.is_ascii_digit())) {
        Some(way) => (way, found),
        None => (signs, None),
    }
}

/// Returns the legal moves that a text may mean.
fn meant(position: &Position, said: Said) -> Vec<ChessMove> {
    let board = &position.board;
    let color = board.side_to_move();
    let rights = board.castle_rights(color);
    let mut found = Vec::new();
    match said {
        Said::Claim => return position.claimable().map(|_| ChessMove::Claim).into_iter().collect(),
        Said::Castles { short } => {
            let king = board.king(color);
            let rook = if short { rights.short } else { rights.long };
            let castle = rook.map(|file| Move {
                from: king,
                to: Square::new(file, king.rank()),
                promotion: None,
            });
            found.extend(castle.filter(|m| board.is_legal(*m)));
        }
        Said::Man(man) => {
            board.generate_moves_for(starts(board, man), |men| {
                let fits = |m: &Move| {
                    m.to == man.to && (man.promotion.is_none() || m.promotion == man.promotion)
                };
                found.extend(men.into_iter().filter(fits));
                false
            });
            if found.is_empty() && man.promotion.is_none() {
                // A king may say where it stands after castling.
                board.generate_moves_for(starts(board, man), |men| {
                    let castles = |m: &Move| end_of_king(board, *m) == Some(man.to);
                    found.extend(men.into_iter().filter(castles));
                    false
                });
            }
        }
    }
    found.into_iter().map(|m| position.with_san(m)).collect()
}

/// Returns where the men are that a text may mean.
fn starts(board: &Board, man: SaidMan) -> BitBoard {
    let color = board.side_to_move();
    let men =
        man.kind.map_or_else(|| board.colors(color), |kind| board.colored_pieces(color, kind));
    let file = man.file.map_or(BitBoard::FULL, File::bitboard);
    men & file & man.rank.map_or(BitBoard::FULL, Rank::bitboard)
}

/// Returns where a king stands after a move by which it castles.
pub(super) fn end_of_king(board: &Board, m: Move) -> Option<Square> {
    let color = board.side_to_move();
    let castles = m.from == board.king(color) && board.colors(color).has(m.to);
    let file = if m.to.file() > m.from.file() { File::G } else { File::C };
    castles.then(|| Square::new(file, m.from.rank()))
}

/// Explains why a text means no legal move.
fn why_not(position: &Position, said: Said) -> String {
    let board = &position.board;
    let color = board.side_to_move();
    let man = match said {
        Said::Claim => {
            return "a draw can be claimed when the position has occurred three times, or after 50 \
                    moves without a capture or a move of a pawn"
                .into();
        }
        Said::Castles { .. } if !board.checkers().is_empty() => {
            return "you are in check, and a king in check cannot castle".into();
        }
        Said::Castles { short } => {
            let side = if short { "h" } else { "a" };
            return format!("you cannot castle on the side of the {side}-file now");
        }
        Said::Man(man) => man,
    };
    let name = man.kind.map_or("man", name_of);
    let starts = starts(board, man);
    let reaches = |from: &Square| pseudo_moves(board, *from).has(man.to);
    if starts.is_empty() {
        return match (man.file, man.rank) {
            (Some(file), Some(rank)) => format!("you have no {name} on {file}{rank}"),
            (Some(file), None) => format!("you have no {name} on the {file}-file"),
            (None, Some(rank)) => format!("you have no {name} on rank {rank}"),
            (None, None) => format!("you have no {name}"),
        };
    }
    if board.colors(color).has(man.to) {
        return format!(
            "your own {} is on {}",
            board.piece_on(man.to).map_or("man", name_of),
            man.to
        );
    }
    if !starts.into_iter().any(|from| reaches(&from)) {
        let mut only = starts.into_iter();
        return match (only.next(), only.next()) {
            (Some(from), None) => {
                let name = board.piece_on(from).map_or("man", name_of);
                format!("your {name} on {from} cannot go to {}", man.to)
            }
            _ => format!("none of your {name}s can go to {}", man.to),
        };
    }
    match (man.promotion, board.checkers().is_empty()) {
        (Some(_), _) => {
            format!("only a pawn on the last rank becomes another man, not on {}", man.to)
        }
        (None, false) => "you would still be in check".into(),
        (None, true) => "your king would be in check".into(),
    }
}

/// Returns where a man could go if its king could not be attacked.
fn pseudo_moves(board: &Board, from: Square) -> BitBoard {
    let (color, blockers) = (board.side_to_move(), board.occupied());
    match board.piece_on(from) {
        Some(Piece::Pawn) => {
            let passing = board.en_passant().map_or(BitBoard::EMPTY, |file| {
                Square::new(file, Rank::Sixth.relative_to(color)).bitboard()
            });
            let captures = get_pawn_attacks(from, color) & (board.colors(!color) | passing);
            captures | cozy_chess::get_pawn_quiets(from, color, blockers)
        }
        Some(Piece::Knight) => get_knight_moves(from),
        Some(Piece::Bishop) => get_bishop_moves(from, blockers),
        Some(Piece::Rook) => get_rook_moves(from, blockers),
        Some(Piece::Queen) => get_bishop_moves(from, blockers) | get_rook_moves(from, blockers),
        Some(Piece::King) => get_king_moves(from),
        None => BitBoard::EMPTY,
    }
}

fn name_of(piece: Piece) -> &'static str {
    super::kind_of(piece).name()
}

/// Returns the board before a move that took nothing, of another man than a pawn and without castling,
/// with the place of a man that could be captured in passing then if it is a pawn.
pub(super) fn taken_back(after: &Board, m: Move, passing: Option<Square>) -> Option<Board> {
    let color = !after.side_to_move();
    let (piece, owner) = (after.piece_on(m.to)?, after.color_on(m.to)?);
    if owner != color || piece == Piece::Pawn || after.occupied().has(m.from) {
        return None;
    }
    let mut builder = BoardBuilder::from_board(after);
    *builder.square_mut(m.to) = None;
    *builder.square_mut(m.from) = Some((piece, color));
    builder.side_to_move = color;
    builder.en_passant = passing
        .filter(|pawn| after.colored_pieces(!color, Piece::Pawn).has(*pawn))
        .map(|pawn| Square::new(pawn.file(), Rank::Sixth.relative_to(color)));
    builder.build().ok()
}
