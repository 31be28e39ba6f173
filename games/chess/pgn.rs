//! Games in Portable Game Notation (Edwards, *PGN Specification and Implementation Guide*, 1994).
//!
//! What is written is the export format: the seven tags, and the moves in lines of less than 80
//! characters. What is read is the import format: comments, annotations, variations and lines that begin
//! with `%` are skipped. A game of Chess960 has the tags `SetUp` and `FEN`.

mod read;

pub(super) use read::read;

use super::{CLAIM, Position};
use crate::kit::{Entry, Game, Next, Outcome, Seat, Transcript, apply_entry};
use std::fmt::Write as _;

/// The most characters of a line, as in a mail.
const COLUMNS: usize = 78;

/// The results of games: White has won, Black has won, a draw, none yet.
const RESULTS: [&str; 4] = ["1-0", "0-1", DRAWN, "*"];
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
    let result = match position.next() {
        Next::Over(Outcome::Won { by, .. }) => RESULTS[by.index()],
        Next::Over(Outcome::Drawn { .. }) => DRAWN,
        _ => RESULTS[3],
    };
    words.push(result.to_owned());
    Ok(tags(&transcript.players, &begin, result) + "\n" + &lines(&words))
}

/// Returns the tags of a game from its start.
fn tags(players: &[String; 2], begin: &Position, result: &str) -> String {
    let mut tags = vec![("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")];
    tags.extend([("White", &*players[0]), ("Black", &*players[1]), ("Result", result)]);
    // The rooks of a start are the outermost, so that the usual letters say which may castle.
    let fen = begin.board.to_string();
    if begin.is_960 && !begin.is_undrawn {
        tags.extend([("Variant", "Chess960"), ("SetUp", "1"), ("FEN", &*fen)]);
    }
    tags.into_iter().fold(String::new(), |mut text, (name, value)| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a `String` never fails.
        let _ = writeln!(text, "[{name} \"{value}\"]");
        text
    })
}

/// Breaks words into lines.
fn lines(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        if column > 0 {
            let fits = column + 1 + word.len() <= COLUMNS;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text.push_str(word);
        column += word.len();
    }
    text + "\n"
}
