//! Games in Portable Game Notation (Edwards, *PGN Specification and Implementation Guide*, 1994).
//!
//! What is written is the export format: the seven tags, and the moves in lines of less than 80
//! characters. What is read is the import format: comments, annotations, variations and lines that begin
//! with `%` are skipped. A game of Chess960 has the tags `SetUp` and `FEN`.

mod read;

pub(super) use read::read;

use super::{CLAIM, Position};
use crate::kit::game_text::{NO_RESULT, seven_tags, termination, write_game};
use crate::kit::{Entry, Game, GameResult, Seat, Transcript, apply_entry};

/// The results of games: White has won, Black has won, a draw, none yet.
const RESULTS: [&str; 4] = ["1-0", "0-1", DRAWN, NO_RESULT];
const DRAWN: &str = "1/2-1/2";

/// Writes a record.
pub(super) fn write(transcript: &Transcript) -> Result<String, String> {
    let mut position = Position::setup(&transcript.options);
    let mut begin = position.clone();
    let mut words = Vec::new();
    for (index, entry) in transcript.record.iter().enumerate() {
        let number = position.board.fullmove_number();
        apply_entry(&mut position, entry)
            .map_err(|error| format!("entry {} of the record: {error}", index + 1))?;
        match entry {
            Entry::Moved { text, .. } if text == CLAIM => {}
            Entry::Moved { seat, text, .. } => {
                if *seat == Seat(0) {
                    words.push(format!("{number}."));
                }
                words.push(text.clone());
            }
            _ => begin = position.clone(),
        }
    }
    let result = match transcript.result(&position.next()) {
        GameResult::Won(by) => RESULTS[by.index()],
        GameResult::Drawn => DRAWN,
        GameResult::None => NO_RESULT,
    };
    words.push(result.to_owned());
    let mut tags = seven_tags(transcript.players.each_ref().map(String::as_str), result);
    // The rooks of a start are the outermost, so that the usual letters say which may castle.
    let fen = begin.board.to_string();
    if begin.is_960 && !begin.is_undrawn {
        tags.extend([("Variant", "Chess960"), ("SetUp", "1"), ("FEN", &*fen)]);
    }
    tags.extend(termination(transcript.ending));
    Ok(write_game(&tags, &words))
}
