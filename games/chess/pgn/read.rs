//! Reads Portable Game Notation.

use super::{DRAWN, RESULTS};
use crate::chess::{CLAIM, Position, STARTS, USUAL};
use crate::kit::game_text::GameText;
use crate::kit::{Choices, Entry, Game, Next, Seat, Transcript};
use cozy_chess::Board;

/// Reads all games of a file.
pub(in crate::chess) fn read(text: &str) -> Vec<Result<Transcript, String>> {
    let games = GameText::read_all(text, &RESULTS);
    games.into_iter().map(|game| game.and_then(|game| transcript(&game))).collect()
}

/// Plays a game. A draw at a position that allows a claim was claimed.
fn transcript(game: &GameText) -> Result<Transcript, String> {
    let options = options(game.tag("FEN"), game.tag("Variant"))
        .map_err(|error| format!("line {}: {error}", game.line))?;
    let mut position = Position::setup(&options);
    let mut record = Vec::new();
    for (line, word) in &game.moves {
        let at_line = |error: String| format!("line {line}: {error}");
        let Next::Move(seat) = position.next() else {
            return Err(at_line(format!("the game is over before {word}")));
        };
        let m = position.read(word).map_err(|error| at_line(format!("{word}: {error}")))?;
        position.play(&m);
        record.push(Entry::Moved { seat, text: m.to_string(), auto: false });
    }
    if let (Some(DRAWN), Next::Move(seat)) = (game.result, position.next())
        && position.claimable().is_some()
    {
        record.push(Entry::Moved { seat, text: CLAIM.into(), auto: false });
    }
    let is_over = matches!(position.next(), Next::Over(_));
    let ending = game.ending(Seat(0)).filter(|_| !is_over);
    Ok(Transcript { players: game.players(["White", "Black"]), options, record, ending })
}

/// Returns the options of a game that starts with this position.
fn options(fen: Option<&str>, variant: Option<&str>) -> Result<Choices, String> {
    let is_960 = variant.is_some_and(|name| {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        let name = letters.collect::<String>().to_ascii_lowercase();
        ["chess960", "fischerandom", "fischerrandom", "freestyle"].contains(&&*name)
    });
    let men = |fen: &str| fen.split(' ').next().unwrap_or_default().to_owned();
    let Some(fen) = fen else { return Ok(Choices::default()) };
    let is_start = |number: &u32| {
        let start = Board::chess960_startpos(*number);
        let fields: Vec<&str> = fen.split_ascii_whitespace().take(3).collect();
        let rights = |text: &str| text.split(' ').nth(2).unwrap_or_default().to_owned();
        let all = [rights(&start.to_string()), rights(&format!("{start:#}"))];
        matches!(fields[..], [placed, "w", castle]
            if placed == men(&start.to_string()) && all.iter().any(|all| all == castle))
    };
    let number = (0..STARTS).find(is_start).ok_or(
        "a game must begin at the usual start or at one of Chess960, and this one does not",
    )?;
    if number == USUAL && !is_960 {
        return Ok(Choices::default());
    }
    let word = format!("start={number}");
    let spec = &Position::SPEC;
    Choices::parse(spec.options, spec.exclusive, [&*word]).map_err(|error| error.to_string())
}
