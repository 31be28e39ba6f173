//! Games in Portable Draughts Notation (A. Rijnders, W. Wesselink, *PDN 3.0*): the tags and moves of PGN, the
//! type of the game, and positions in FEN.
//!
//! What is read may also have the results of draughts, such as `2-0`, and all squares of a capture.

use super::notation::fen;
use super::{Ballot, Position, Variant};
use crate::kit::game_text::{GameText, NO_RESULT, seven_tags, termination, write_game};
use crate::kit::{Choices, Entry, Game, GameResult, Next, POSITION, Seat, Transcript, apply_entry};

/// The results of games as they are written: White has won, Black has won, a draw.
const WON: [&str; 2] = ["1-0", "0-1"];
const DRAWN: &str = "1/2-1/2";

/// The results of games as they are read.
const RESULTS: [&str; 8] = [WON[0], WON[1], DRAWN, NO_RESULT, "2-0", "0-2", "1-1", "0-0"];

/// What annotates a move without a blank between.
const PRAISE: [char; 3] = ['!', '?', '*'];

/// The tag of the type of a game.
const TYPE: &str = "GameType";

/// Writes a record.
pub(crate) fn write<V: Variant>(transcript: &Transcript) -> Result<String, String> {
    let mut position = Position::<V>::setup(&transcript.options);
    let start = fen(&position.board);
    let mut moves: Vec<String> = Vec::new();
    let first = position.board.turn;
    for (index, entry) in transcript.record.iter().enumerate() {
        apply_entry(&mut position, entry)
            .map_err(|error| format!("entry {} of the record: {error}", index + 1))?;
        if let Entry::Moved { text, .. } = entry {
            moves.push(text.clone());
        }
    }
    if let Some(Ballot::Drawn(number)) = position.ballot {
        let ballot = V::moves_of_ballot(number).unwrap_or_default();
        moves.splice(0..0, ballot.split_ascii_whitespace().map(str::to_owned));
    }
    let white = V::RULES.black.other();
    let result = match transcript.result(&position.next()) {
        GameResult::Won(by) => WON[usize::from(by != white)],
        GameResult::Drawn => DRAWN,
        GameResult::None => NO_RESULT,
    };
    let players = [white, white.other()].map(|seat| &*transcript.players[seat.index()]);
    let mut tags = seven_tags(players, result);
    tags.push((TYPE, V::PDN_TYPE));
    let is_placed = transcript.options.has(POSITION);
    if is_placed {
        tags.extend([("SetUp", "1"), ("FEN", &*start)]);
    }
    tags.extend(termination(transcript.ending));
    // Where a placed position is one of the ballot, its moves were made by no player.
    let first = if is_placed { first } else { Seat(0) };
    Ok(write_game(&tags, &numbered(first, &moves, result)))
}

/// Returns the moves with their numbers, and the result.
fn numbered(first: Seat, moves: &[String], result: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, text) in moves.iter().enumerate() {
        let ply = index + first.index();
        let number = ply / 2 + 1;
        if ply.is_multiple_of(2) {
            words.push(format!("{number}."));
        } else if index == 0 {
            words.push(format!("{number}..."));
        }
        words.push(text.clone());
    }
    words.push(result.to_owned());
    words
}

/// Reads all games of a file.
pub(crate) fn read<V: Variant>(text: &str) -> Vec<Result<Transcript, String>> {
    let games = GameText::read_all(text, &RESULTS);
    games.into_iter().map(|game| game.and_then(|game| transcript::<V>(&game))).collect()
}

/// Plays a game.
fn transcript<V: Variant>(game: &GameText) -> Result<Transcript, String> {
    let at_begin = |error: String| format!("line {}: {error}", game.line);
    let number = |kind: &str| kind.split(',').next().unwrap_or_default().trim().to_owned();
    if let Some(kind) = game.tag(TYPE).filter(|kind| number(kind) != number(V::PDN_TYPE)) {
        let title = V::SPEC.title;
        return Err(at_begin(format!(
            "{TYPE} {} is not {title}, which is {}",
            number(kind),
            number(V::PDN_TYPE)
        )));
    }
    let options = options::<V>(game.tag("FEN")).map_err(at_begin)?;
    let mut position = Position::<V>::setup(&options);
    let mut record = Vec::new();
    for (line, word) in &game.moves {
        let at_line = |error: String| format!("line {line}: {error}");
        let Next::Move(seat) = position.next() else {
            return Err(at_line(format!("the game is over before {word}")));
        };
        let m = position.read(word.trim_end_matches(PRAISE));
        let m = m.map_err(|error| at_line(format!("{word}: {error}")))?;
        position.play(&m);
        record.push(Entry::Moved { seat, text: m.to_string(), auto: false });
    }
    let [white, black] = game.players(["White", "Black"]);
    let players = if V::RULES.black == Seat(0) { [black, white] } else { [white, black] };
    let is_over = matches!(position.next(), Next::Over(_));
    let ending = game.ending(V::RULES.black.other()).filter(|_| !is_over);
    Ok(Transcript { players, options, record, ending })
}

/// Returns the options of a game that begins with a position.
fn options<V: Variant>(text: Option<&str>) -> Result<Choices, String> {
    let Some(text) = text else { return Ok(Choices::default()) };
    let board =
        super::notation::read_fen(V::RULES, text).map_err(|error| format!("FEN: {error}"))?;
    if board == Position::<V>::setup(&Choices::default()).board {
        return Ok(Choices::default());
    }
    let word = format!("{POSITION}={}", fen(&board));
    let spec = &V::SPEC;
    Choices::parse(spec.options, spec.exclusive, [&*word]).map_err(|error| error.to_string())
}
