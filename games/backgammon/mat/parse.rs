//! A parser of `.mat` files that does not check the rules.

use super::MIDDLE;
use crate::kit::{Roll, Seat};
use crate::points::{BAR, LONGEST, OFF};
use std::iter::Peekable;
use std::num::ParseIntError;

/// A game in a file.
#[derive(Debug)]
pub(super) struct MatGame {
    /// The line number of its heading, from 1.
    pub(super) line: usize,
    pub(super) players: [String; 2],
    /// The score before the game, if the heading has it.
    pub(super) score: Option<[u32; 2]>,
    pub(super) cells: Vec<MatCell>,
}

/// An action of a side in one column of a line.
#[derive(Debug)]
pub(super) struct MatCell {
    pub(super) line: usize,
    pub(super) seat: Seat,
    pub(super) what: MatAction,
}

#[derive(Debug)]
pub(super) enum MatAction {
    Dice(Roll, MatPlay),
    /// A turn without dice, and the words in their place.
    NoDice(String),
    Double(Option<u32>),
    Take,
    Drop,
    Beaver,
    Wins(u32),
    /// A resignation, and the kind of win if the file names it.
    Concedes(Option<u32>),
}

/// What follows the dice.
#[derive(Debug)]
pub(super) enum MatPlay {
    /// The steps; empty if nothing follows.
    Steps(Vec<MatStep>),
    /// `Cannot Move`.
    CannotMove,
    /// `????`: the play was not recorded.
    Unrecorded,
}

impl MatPlay {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Steps(steps) if steps.is_empty())
    }
}

/// A man's move by one or more dice.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatStep {
    pub(super) from: u8,
    pub(super) to: u8,
}

/// The distance between tab stops: two tabs lead to the right column.
const TAB: usize = 16;

/// Splits a line into words with their columns.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split_inclusive([' ', '\t', '\r', '\u{a0}']).flat_map(move |piece| {
        let begin = at;
        let word = piece.trim_end_matches([' ', '\t', '\r', '\u{a0}']);
        at += piece.chars().count();
        if piece.ends_with('\t') {
            at = at.next_multiple_of(TAB);
        }
        split_glued(begin, word)
    })
}

/// Splits what some programs write without blanks: `1)31:8/5`.
fn split_glued(begin: usize, word: &str) -> impl Iterator<Item = (usize, &str)> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let count = word.find(')').filter(|&end| digits(&word[..end])).map_or(0, |end| end + 1);
    let (count, rest) = word.split_at(count);
    let dice = rest.find(':').filter(|&end| {
        rest[..end].bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && end > 0
    });
    let (dice, rest) = rest.split_at(dice.map_or(0, |end| end + 1));
    let at = [begin, begin + count.len(), begin + count.len() + dice.len()];
    at.into_iter().zip([count, dice, rest]).filter(|(_, word)| !word.is_empty())
}

/// Returns whether a line tells the length of a match: `5 point match`.
pub(super) fn is_match_heading(line: &str) -> bool {
    let words: Vec<&str> = words(line.trim_end()).map(|(_, word)| word).collect();
    match_length(&words).is_some()
}

/// Returns whether a line begins a game: `Game 1`.
pub(super) fn is_game_heading(line: &str) -> bool {
    let words: Vec<&str> = words(line.trim_end()).map(|(_, word)| word).collect();
    matches!(words[..], [game, number] if game.eq_ignore_ascii_case("game") && is_game_number(number))
}

/// Parses the match length and the games of a match, whose first line has this number.
pub(super) fn parse(first: usize, text: &str) -> Result<(u32, Vec<MatGame>), String> {
    let mut length = None;
    let mut games: Vec<MatGame> = Vec::new();
    let mut heading = false;
    if text.trim_start().starts_with("(;") {
        return Err("this is SGF, which is not read here: open the file in GNU Backgammon and \
                    export the match as `.mat`"
            .into());
    }
    for (number, line) in (first..).zip(text.lines()) {
        let all: Vec<&str> = words(line).map(|(_, word)| word).collect();
        let wrong = |expected: &str| {
            Err(format!("in line {number} {expected} was expected, not `{}`", all.join(" ")))
        };
        match &all[..] {
            [] => {}
            [first, ..] if first.starts_with(';') => {}
            [first, ..] if games.is_empty() && !heading && first.starts_with('[') => {}
            _ if heading => {
                let Some((players, score)) = players(line) else {
                    return wrong("a heading such as ` alice : 0    bob : 0`");
                };
                games.push(MatGame { line: number, players, score, cells: Vec::new() });
                heading = false;
            }
            words if games.is_empty() && match_length(words).is_some() => {
                match match_length(words).and_then(Result::ok) {
                    Some(points) if points > LONGEST => {
                        return Err(format!(
                            "in line {number} the match is to {points} points; ours go up to \
                             {LONGEST}"
                        ));
                    }
                    Some(points) if length.is_none() => length = Some(points),
                    _ => return wrong("one match of so many points"),
                }
            }
            [game, k] if game.eq_ignore_ascii_case("game") && is_game_number(k) => {
                heading = true;
            }
            _ => match games.last_mut() {
                Some(game) => cells(number, line, &mut game.cells)?,
                None => return wrong("` 5 point match` or ` Game 1`"),
            },
        }
    }
    if games.is_empty() {
        let last = first + text.lines().count() - 1;
        return Err(format!("after line {last} a game was expected, such as ` Game 1`"));
    }
    Ok((length.unwrap_or(0), games))
}

/// Parses a line such as `5 point match` or `Money session`; `None` for other lines.
fn match_length(words: &[&str]) -> Option<Result<u32, ParseIntError>> {
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match lower[..] {
        [points, "point" | "points", "match"] => Some(points.parse()),
        ["money" | "unlimited", "game" | "games" | "match" | "session"] => Some(Ok(0)),
        [points, "match"] => {
            let points = points.strip_suffix("-point").or(points.strip_suffix("-points"))?;
            Some(points.parse())
        }
        _ => None,
    }
}

/// Returns whether a word is a game number: `1`, `1:`, `#1`.
fn is_game_number(word: &str) -> bool {
    let number = word.trim_start_matches('#').trim_end_matches([':', '.']);
    number.parse::<u32>().is_ok()
}

/// Parses the players and the score, if present: ` alice : 0      bob : 0`.
fn players(line: &str) -> Option<([String; 2], Option<[u32; 2]>)> {
    let blank = |c: char| c.is_whitespace();
    let (names, score) = match line.rsplit_once(':') {
        Some((rest, right)) if right.trim().parse::<u32>().is_ok() => {
            // A name may contain a colon; the colon of the score follows a blank.
            let splits = |is_apart: bool| {
                rest.match_indices(':').find_map(|(at, _)| {
                    if is_apart && !rest[..at].ends_with(blank) {
                        return None;
                    }
                    let (points, name) = rest[at + 1..].trim().split_once(blank)?;
                    Some((&rest[..at], points.parse::<u32>().ok()?, name))
                })
            };
            let (left, points, name) = splits(true).or_else(|| splits(false))?;
            ([left, name], Some([points, right.trim().parse().ok()?]))
        }
        Some(_) => return None,
        None => {
            let line = line.trim();
            let gap = [line.find("  "), line.find('\t')].into_iter().flatten().min()?;
            ([&line[..gap], &line[gap..]], None)
        }
    };
    let names = names.map(|name| without_rating(name.trim()).to_owned());
    names.iter().all(|name| !name.is_empty()).then_some((names, score))
}

/// Removes the rating after a name: `alice(1500)`.
fn without_rating(name: &str) -> &str {
    let rated = name.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let is_rating = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    match rated {
        Some((name, rating)) if is_rating(rating) && !name.trim().is_empty() => name.trim_end(),
        _ => name,
    }
}

/// Parses the cells of a line: `  2)  Doubles => 2          Takes`, or just the winner.
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
        && !needs_no_turn_number(word)
    {
        return wrong("the number of a turn such as `3)`", *column, word);
    }
    // Some programs write dice before words that need none.
    let mut no_dice: Option<(usize, &str)> = None;
    while let Some((column, word)) = words.next() {
        let is_behind_dice = in_line > 0 && no_dice.is_none();
        let open = is_behind_dice.then(|| play_behind_dice(number, cells)).flatten();
        let what = match (said(word, &mut words), open) {
            (Err(expected), _) => return wrong(expected, column, word),
            (Ok(Some(MatAction::NoDice(text))), Some(play)) if play.is_empty() => {
                *play = play_without_steps(&text);
                continue;
            }
            (Ok(Some(what)), _) => what,
            (Ok(None), open) => match (dice(word), open) {
                (Some(NO_DICE), _) => {
                    let next = words.peek().map(|(_, word)| *word);
                    if next.is_some_and(|word| dice(word).is_none()) {
                        no_dice = Some((column, word));
                        continue;
                    }
                    MatAction::NoDice(word.to_owned())
                }
                (Some((a @ 1..=6, b @ 1..=6)), _) => {
                    MatAction::Dice(Roll::Two(a, b), MatPlay::Steps(Vec::new()))
                }
                (None, Some(MatPlay::Steps(hops))) => {
                    let Some(more) = hops_of(word) else { return wrong(EXPECTED, column, word) };
                    hops.extend(more);
                    continue;
                }
                _ => return wrong(EXPECTED, column, word),
            },
        };
        let column = no_dice.take().map_or(column, |(column, _)| column);
        let mut seat = Seat(u8::from(in_line > 0 || column >= MIDDLE));
        in_line += 1;
        if let (true, MatAction::Wins(_)) = (in_line > 2, &what) {
            seat = Seat(1);
        } else if in_line > 2
            || cells.last().is_some_and(|cell| cell.line == number && cell.seat == seat)
        {
            return wrong("the end of the line", column, word);
        }
        cells.push(MatCell { line: number, seat, what });
    }
    Ok(())
}

/// Returns the play of the last dice, if they are in this line.
fn play_behind_dice(number: usize, cells: &mut [MatCell]) -> Option<&mut MatPlay> {
    match cells.last_mut()? {
        MatCell { line, what: MatAction::Dice(_, play), .. } if *line == number => Some(play),
        _ => None,
    }
}

/// Returns the play that a word stands for, behind dice, in place of steps.
fn play_without_steps(word: &str) -> MatPlay {
    if word.starts_with('?') { MatPlay::Unrecorded } else { MatPlay::CannotMove }
}

/// The dice that some programs write where nobody has rolled: `00:`.
const NO_DICE: (u8, u8) = (0, 0);

/// Parses dice such as `31:` or `3-1:`.
fn dice(word: &str) -> Option<(u8, u8)> {
    let digits: Vec<u8> = word.strip_suffix(':')?.bytes().filter(|&byte| byte != b'-').collect();
    match digits[..] {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some((a - b'0', b - b'0')),
        _ => None,
    }
}

/// Returns whether a word tells how a game ended, which some programs write without a turn number.
fn needs_no_turn_number(word: &str) -> bool {
    ["wins", "concedes", "resigns"].iter().any(|end| word.eq_ignore_ascii_case(end))
}

/// Returns whether a word is a turn number: `3)`.
fn is_count(word: &str) -> bool {
    word.strip_suffix(')').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Parses a word that is neither dice nor a step, with the words that belong to it.
/// # Errors
/// What was expected instead.
fn said<'a>(
    word: &str,
    words: &mut Peekable<impl Iterator<Item = (usize, &'a str)>>,
) -> Result<Option<MatAction>, &'static str> {
    let (name, tied) = word.split_once("=>").unwrap_or((word, ""));
    let name = name.to_ascii_lowercase();
    let mut value = || {
        words.next_if(|(_, word)| *word == "=>");
        let number = |word: &str| word.strip_prefix("=>").unwrap_or(word).parse::<u32>().ok();
        number(tied).or_else(|| {
            words.next_if(|(_, word)| number(word).is_some()).and_then(|(_, word)| number(word))
        })
    };
    let name = name.trim_end_matches(['.', ',', '!']);
    Ok(Some(match name {
        "double" | "doubles" | "redouble" | "redoubles" => MatAction::Double(value()),
        "beaver" | "beavers" => {
            value();
            MatAction::Beaver
        }
        "raccoon" | "raccoons" | "racoon" | "racoons" => {
            return Err("a word other than `raccoon` (raccoons are not played here)");
        }
        "take" | "takes" | "accept" | "accepts" => MatAction::Take,
        "drop" | "drops" | "pass" | "passes" | "reject" | "rejects" | "refuses" => MatAction::Drop,
        "wins" => {
            let points = value().ok_or("the points of a win, as in `Wins 2 points`")?;
            let trailing = ["point", "points", "and", "the", "match", "game"];
            let is_trailing = |word: &str| {
                let word = word.trim_end_matches(['.', ',', '!']).to_ascii_lowercase();
                trailing.contains(&word.as_str())
            };
            while words.next_if(|(_, word)| is_trailing(word)).is_some() {}
            MatAction::Wins(points)
        }
        "concede" | "concedes" | "conceded" | "resign" | "resigns" | "resigned" => {
            let mut kind = None;
            let filler = ["a", "the", "game", "match", "for"];
            while let Some((_, word)) = words.next_if(|(_, word)| {
                let word = word.to_ascii_lowercase();
                stake(&word).is_some() || filler.contains(&word.as_str())
            }) {
                kind = kind.or(stake(&word.to_ascii_lowercase()));
            }
            MatAction::Concedes(kind)
        }
        "cannot" | "can't" | "cant" | "can" | "no" | "cannotmove" | "dances" => {
            words.next_if(|(_, word)| word.eq_ignore_ascii_case("not"));
            words.next_if(|(_, word)| {
                let word = word.trim_end_matches(['.', '!']).to_ascii_lowercase();
                word == "move" || word == "moves"
            });
            MatAction::NoDice("Cannot Move".into())
        }
        marks if !marks.is_empty() && marks.bytes().all(|byte| byte == b'?') => {
            MatAction::NoDice("????".into())
        }
        _ => return Ok(None),
    }))
}

/// Returns the kind of win that a word names.
fn stake(word: &str) -> Option<u32> {
    match word {
        "single" => Some(1),
        "gammon" => Some(2),
        "backgammon" => Some(3),
        _ => None,
    }
}

/// Parses steps such as `24/18*/13`, `bar/20` or `6/4(2)`.
fn hops_of(word: &str) -> Option<Vec<MatStep>> {
    let word = word.trim_end_matches([',', ';', '.', '!', '?']);
    let hops: Vec<Vec<MatStep>> = word.split(',').map(hops_of_man).collect::<Option<_>>()?;
    Some(hops.concat())
}

fn hops_of_man(word: &str) -> Option<Vec<MatStep>> {
    let (path, times) = match word.split_once('(') {
        Some((path, times)) => {
            let times = times.trim_end_matches('*').strip_suffix(')')?;
            (path, times.parse::<usize>().ok()?)
        }
        None => (word, 1),
    };
    // Hits follow from the board, so stars are ignored.
    let point = |name: &str| match name.trim_end_matches('*').to_ascii_lowercase().as_str() {
        "bar" | "b" => Some(BAR),
        "off" | "o" | "f" => Some(OFF),
        number => number.parse().ok().filter(|&point| point <= BAR),
    };
    let between = if path.contains('/') { '/' } else { '-' };
    let points: Vec<u8> = path.split(between).map(point).collect::<Option<_>>()?;
    let hops: Vec<MatStep> =
        points.windows(2).map(|pair| MatStep { from: pair[0], to: pair[1] }).collect();
    let fine = !hops.is_empty() && (1..=4).contains(&times) && hops.iter().all(|h| h.from > h.to);
    fine.then(|| hops.repeat(times))
}
