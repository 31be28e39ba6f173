//! Commands that need no home: positions in, plays and counts out.

use games::{AnyGame, Choices, perft};
use serde::Serialize;
use std::io::{self, BufRead, Write};

/// One line of `plays`.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Plays { plays: Vec<Play> },
    Error { error: String },
}

/// One legal play, and the position it leads to.
#[derive(Serialize)]
struct Play {
    play: String,
    after: String,
}

/// A game and its options as words of the shell.
///
/// # Errors
/// No such game, or no such option: a line for the operator.
pub fn game_of(words: &[String]) -> Result<(&'static dyn AnyGame, Choices), String> {
    let (name, options) = words.split_first().ok_or("the game is missing")?;
    let game = games::find(name).ok_or_else(|| format!("there is no game `{name}`"))?;
    let spec = game.spec();
    let options = Choices::parse(spec.options, spec.exclusive, options.iter().map(String::as_str))
        .map_err(|error| error.to_string())?;
    Ok((game, options))
}

/// Reads positions, one a line, and writes the legal plays of each as a JSON line.
///
/// # Errors
/// Reading or writing failed.
pub fn plays(
    game: &dyn AnyGame,
    options: &Choices,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    for text in input.split(b'\n') {
        let text = text?;
        let text = String::from_utf8_lossy(&text);
        let line = match game.place(options, text.trim()) {
            Err(error) => Line::Error { error },
            Ok(position) => Line::Plays {
                plays: position
                    .outlook()
                    .into_iter()
                    .map(|(play, after)| Play { play, after: after.notation() })
                    .collect(),
            },
        };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Writes the count of every depth up to `depth`, a line each.
///
/// # Errors
/// Writing failed.
pub fn counts(
    game: &dyn AnyGame,
    options: &Choices,
    depth: u32,
    out: &mut dyn Write,
) -> io::Result<()> {
    for depth in 1..=depth {
        writeln!(out, "{}", perft(game, options, depth))?;
        out.flush()?;
    }
    Ok(())
}
