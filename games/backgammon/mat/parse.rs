//! The contents of the lines of a `.mat` file, whether they can be played or not.

use super::MIDDLE;
use crate::backgammon::stakes::LONGEST;
use crate::kit::{Roll, Seat};
use crate::points::{BAR, OFF};
use std::iter::Peekable;

/// A game as a file has it.
#[derive(Debug)]
pub(super) struct MatGame {
    /// The number of its heading's line, from 1.
    pub(super) line: usize,
    pub(super) players: [String; 2],
    pub(super) score: [u32; 2],
    pub(super) cells: Vec<MatCell>,
}

/// What a side does in a column of a line.
#[derive(Debug)]
pub(super) struct MatCell {
    pub(super) line: usize,
    pub(super) seat: Seat,
    pub(super) what: MatAction,
}

#[derive(Debug)]
pub(super) enum MatAction {
    Dice(Roll, Vec<MatStep>),
    Double(Option<u32>),
    Take,
    Drop,
    Beaver,
    Wins(u32),
}

/// A man who moves by one die or several.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatStep {
    pub(super) from: u8,
    pub(super) to: u8,
}

/// The words of a line with the columns in which they begin.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split([' ', '\t', '\r'])
        .scan(0, |at, word| {
            let begin = *at;
            *at += word.len() + 1;
            Some((begin, word))
        })
        .filter(|(_, word)| !word.is_empty())
}

/// The length of the match and the games of a file.
pub(super) fn parse(text: &str) -> Result<(u32, Vec<MatGame>), String> {
    let mut length = None;
    let mut games: Vec<MatGame> = Vec::new();
    let mut heading = false;
    // Some editors put a mark of the encoding in front.
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in (1..).zip(text.lines()) {
        let all: Vec<&str> = words(line).map(|(_, word)| word).collect();
        let wrong = |expected: &str| {
            Err(format!("in line {number} {expected} was expected, not `{}`", all.join(" ")))
        };
        match &all[..] {
            [] => {}
            [first, ..] if first.starts_with(';') => {}
            _ if heading => {
                let Some((players, score)) = players(line) else {
                    return wrong("a heading such as ` alice : 0    bob : 0`");
                };
                games.push(MatGame { line: number, players, score, cells: Vec::new() });
                heading = false;
            }
            [points, point, game]
                if point.eq_ignore_ascii_case("point") && game.eq_ignore_ascii_case("match") =>
            {
                match points.parse() {
                    Ok(points) if points > LONGEST => {
                        return Err(format!(
                            "in line {number} the match is to {points} points; ours go up to \
                             {LONGEST}"
                        ));
                    }
                    Ok(points) if length.is_none() && games.is_empty() => length = Some(points),
                    _ => return wrong("one match of so many points"),
                }
            }
            [game, k] if game.eq_ignore_ascii_case("game") && k.parse::<u32>().is_ok() => {
                heading = true;
            }
            _ => match games.last_mut() {
                Some(game) => cells(number, line, &mut game.cells)?,
                None => return wrong("` 5 point match` or ` Game 1`"),
            },
        }
    }
    if games.is_empty() {
        let lines = text.lines().count();
        return Err(format!("after line {lines} a game was expected, such as ` Game 1`"));
    }
    Ok((length.unwrap_or(0), games))
}

/// The players of a game and its score: ` alice : 0      bob : 0`.
fn players(line: &str) -> Option<([String; 2], [u32; 2])> {
    let (rest, right) = line.rsplit_once(':')?;
    let (left, rest) = rest.split_once(':')?;
    let (points, name) = rest.trim().split_once([' ', '\t'])?;
    let names = [left, name].map(|name| name.trim().to_owned());
    let score = [points.parse().ok()?, right.trim().parse().ok()?];
    names.iter().all(|name| !name.is_empty()).then_some((names, score))
}

/// The cells of a line: `  2)  Doubles => 2          Takes`, or only who wins.
fn cells(number: usize, line: &str, cells: &mut Vec<MatCell>) -> Result<(), String> {
    const EXPECTED: &str = "dice such as `31:`, a step such as `8/5`, or a word such as `Takes`";
    let wrong = |expected: &str, column: usize, word: &str| {
        let column = column + 1;
        Err(format!("in line {number}, column {column}, {expected} was expected, not `{word}`"))
    };
    let mut in_line = 0;
    let mut words = words(line).peekable();
    if words.next_if(|(_, word)| is_count(word)).is_none()
        && let Some((column, word)) = words.peek()
        && !word.eq_ignore_ascii_case("wins")
    {
        return wrong("the number of a turn such as `3)`", *column, word);
    }
    while let Some((column, word)) = words.next() {
        let what = match said(word, &mut words) {
            Err(expected) => return wrong(expected, column, word),
            Ok(Some(what)) => what,
            Ok(None) => match (word.strip_suffix(':').map(str::parse), cells.last_mut()) {
                (Some(Ok(roll @ Roll::Two(1..=6, 1..=6))), _) => MatAction::Dice(roll, Vec::new()),
                (None, Some(MatCell { line, what: MatAction::Dice(_, hops), .. }))
                    if *line == number && in_line > 0 =>
                {
                    let Some(more) = hops_of(word) else { return wrong(EXPECTED, column, word) };
                    hops.extend(more);
                    continue;
                }
                _ => return wrong(EXPECTED, column, word),
            },
        };
        let seat = Seat(u8::from(in_line > 0 || column >= MIDDLE));
        in_line += 1;
        if in_line > 2 || cells.last().is_some_and(|cell| cell.line == number && cell.seat == seat)
        {
            return wrong("the end of the line", column, word);
        }
        cells.push(MatCell { line: number, seat, what });
    }
    Ok(())
}

/// Whether a word is the number of a turn: `3)`.
fn is_count(word: &str) -> bool {
    word.strip_suffix(')').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// What a word says that is neither dice nor a step, with the words behind it that belong to it.
///
/// # Errors
/// What was expected instead.
fn said<'a>(
    word: &str,
    words: &mut Peekable<impl Iterator<Item = (usize, &'a str)>>,
) -> Result<Option<MatAction>, &'static str> {
    let mut value = || {
        words.next_if(|(_, word)| *word == "=>");
        words.next_if(|(_, word)| word.parse::<u32>().is_ok()).and_then(|(_, n)| n.parse().ok())
    };
    Ok(Some(match word.to_ascii_lowercase().as_str() {
        "doubles" | "redoubles" => MatAction::Double(value()),
        "beavers" => {
            value();
            MatAction::Beaver
        }
        "takes" => MatAction::Take,
        "drops" => MatAction::Drop,
        "wins" => {
            let points = value().ok_or("the points of a win, as in `Wins 2 points`")?;
            let trailing = ["point", "points", "and", "the", "match"];
            while words.next_if(|(_, word)| trailing.contains(word)).is_some() {}
            MatAction::Wins(points)
        }
        _ => return Ok(None),
    }))
}

/// The hops of a word such as `24/18*/13`, `bar/20` or `6/4(2)`.
fn hops_of(word: &str) -> Option<Vec<MatStep>> {
    let (path, times) = match word.split_once('(') {
        Some((path, times)) => (path, times.strip_suffix(')')?.parse::<usize>().ok()?),
        None => (word, 1),
    };
    // The board says the same as the stars.
    let point = |name: &str| match name.trim_end_matches('*').to_ascii_lowercase().as_str() {
        "bar" => Some(BAR),
        "off" => Some(OFF),
        number => number.parse().ok().filter(|&point| point <= BAR),
    };
    let points: Vec<u8> = path.split('/').map(point).collect::<Option<_>>()?;
    let hops: Vec<MatStep> =
        points.windows(2).map(|pair| MatStep { from: pair[0], to: pair[1] }).collect();
    let fine = !hops.is_empty() && (1..=4).contains(&times) && hops.iter().all(|h| h.from > h.to);
    fine.then(|| hops.repeat(times))
}
