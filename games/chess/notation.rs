//! A position as one line: Forsyth-Edwards Notation (PGN standard, section 16.1), and behind it what
//! repetitions need. In Chess960 the rights to castle are the files of the rooks (Shredder-FEN).

use super::past::{MOST_QUIET, Past};
use super::{CLAIM, Position};
use crate::kit::{Choices, Game, Transcript};
use cozy_chess::Board;

/// The word for a start that is still to be drawn.
const UNDRAWN: &str = "undrawn";

/// The field of the moves without progress.
const QUIET: usize = 4;
/// The number of fields.
const FIELDS: usize = 6;

pub(super) fn write(position: &Position) -> String {
    if position.is_undrawn {
        return UNDRAWN.into();
    }
    let claimed = if position.is_claimed { format!(" {CLAIM}") } else { String::new() };
    format!("{}{}{claimed}", fen(position), position.past.write())
}

/// Returns the position in Forsyth-Edwards Notation.
pub(super) fn fen(position: &Position) -> String {
    let board = &position.board;
    let fen = if position.is_960 { format!("{board:#}") } else { board.to_string() };
    // The board counts no more than 100 moves without progress.
    let quiet = position.past.quiet.to_string();
    let fields = fen.split(' ').enumerate();
    let fields = fields.map(|(index, field)| if index == QUIET { &*quiet } else { field });
    fields.collect::<Vec<_>>().join(" ")
}

/// Writes the position at the end of a record.
pub(super) fn write_fen(transcript: &Transcript) -> Result<String, String> {
    let position: Position = transcript.replay().map_err(|error| error.to_string())?;
    if position.is_undrawn {
        return Err("the start is still to be drawn".into());
    }
    Ok(fen(&position) + "\n")
}

pub(super) fn place(options: &Choices, line: &str) -> Result<Position, String> {
    const EXPECTED: &str = "a position is in FEN, such as \
                            `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1`";
    let start = Position::setup(options);
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if words[..] == [UNDRAWN] {
        return Some(start).filter(|start| start.is_undrawn).ok_or_else(|| EXPECTED.into());
    }
    if words.len() < FIELDS {
        return Err(EXPECTED.into());
    }
    let (fields, more) = words.split_at(FIELDS);
    let quiet: u8 = fields[QUIET].parse().map_err(|_| EXPECTED)?;
    if quiet > MOST_QUIET {
        return Err("a game ends after 75 moves without a capture or a move of a pawn".into());
    }
    let capped = quiet.min(100).to_string();
    let fields: Vec<&str> = fields
        .iter()
        .enumerate()
        .map(|(index, field)| if index == QUIET { &*capped } else { *field })
        .collect();
    let board = Board::from_fen(&fields.join(" "), start.is_960);
    let board = board.map_err(|error| {
        let mut error = error.to_string();
        if let Some(first) = error.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        error.trim_end_matches('.').to_owned()
    })?;
    let mut position = Position::from_board(board, start.is_960);
    position.past.quiet = quiet;
    for word in more {
        if let Some(moves) = word.strip_prefix("moves=") {
            position.past = Past::read(moves, &position.board, quiet)
                .ok_or("the moves do not lead to this position")?;
        } else if *word == CLAIM && position.claimable().is_some() {
            position.is_claimed = true;
        } else {
            return Err(EXPECTED.into());
        }
    }
    Ok(position)
}
