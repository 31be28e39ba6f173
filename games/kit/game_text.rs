//! Files of games as PGN and its relatives have them: tags, then moves between comments, annotations and
//! variations (Edwards, *PGN Specification and Implementation Guide*, 1994, sections 7, 8 and 10).

use super::{Ending, Seat};
use std::fmt::Write as _;

/// The most characters of a line, as in a mail.
const COLUMNS: usize = 78;

/// The result of a game without one.
pub(crate) const NO_RESULT: &str = "*";

/// The tag that says how a game ended (section 9.8.1).
const TERMINATION: &str = "Termination";

/// A game of a file.
#[derive(Default)]
pub(crate) struct GameText<'a> {
    tags: Vec<(String, String)>,
    /// The line where its moves begin, behind the tags.
    pub(crate) line: usize,
    /// The moves, without their numbers, each with its line.
    pub(crate) moves: Vec<(usize, &'a str)>,
    /// The result at its end.
    pub(crate) result: Option<&'a str>,
}

impl<'a> GameText<'a> {
    /// Returns the value of a tag.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| &**value)
    }

    /// Returns the players of two sides.
    pub(crate) fn players(&self, sides: [&str; 2]) -> [String; 2] {
        sides.map(|side| self.tag(side).unwrap_or("?").to_owned())
    }

    /// Reads the games of a file, in which these words are results: each, or what is wrong with it and in
    /// which line. There is at least one.
    pub(crate) fn read_all(text: &'a str, results: &[&str]) -> Vec<Result<Self, String>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut games = Vec::new();
        let mut line = 1;
        for section in sections(text) {
            Self::read_section(Tokens::new(section, line), results, &mut games);
            line += section.matches('\n').count();
        }
        if games.is_empty() { vec![Err("there is no game in the file".into())] } else { games }
    }

    /// Reads games up to the first mistake.
    fn read_section(tokens: Tokens<'a>, results: &[&str], games: &mut Vec<Result<Self, String>>) {
        let mut game = Self::default();
        for Token { line, kind } in tokens {
            let kind = match kind {
                Ok(kind) => kind,
                Err(error) => return games.push(Err(format!("line {line}: {error}"))),
            };
            if matches!(kind, TokenKind::Tag(..)) && !game.moves.is_empty() {
                games.push(Ok(std::mem::take(&mut game)));
            }
            if game.moves.is_empty() {
                game.line = line;
            }
            match kind {
                TokenKind::Tag(name, value) => {
                    game.tags.push((name, value));
                }
                TokenKind::Word(word) if results.contains(&word) => {
                    game.result = Some(word);
                    games.push(Ok(std::mem::take(&mut game)));
                }
                TokenKind::Word(word) => {
                    let word = without_number(word);
                    game.moves.extend((!word.is_empty()).then_some((line, word)));
                }
            }
        }
        if !game.tags.is_empty() || !game.moves.is_empty() {
            games.push(Ok(game));
        }
    }

    /// Returns how the game ended where its last position does not show it, of a game in which this seat
    /// has White.
    pub(crate) fn ending(&self, white: Seat) -> Option<Ending> {
        let loser = match self.result.or_else(|| self.tag("Result"))? {
            "1-0" | "2-0" => white.other(),
            "0-1" | "0-2" => white,
            "1/2-1/2" | "1-1" => return Some(Ending::Drawn),
            _ => return None,
        };
        let how = self.tag(TERMINATION).unwrap_or_default().to_ascii_lowercase();
        let end = if how.contains("time") { Ending::OutOfTime } else { Ending::Resigned };
        Some(end(loser))
    }
}

/// Splits a file before each first tag of a game, so that a mistake in one game spoils no other one.
fn sections(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("\n[Event ").map(|(at, _)| at + 1);
    let mut from = 0;
    starts.chain([text.len()]).map(move |to| &text[std::mem::replace(&mut from, to)..to])
}

/// Returns the tag of a game that ended on time.
pub(crate) fn termination(ending: Option<Ending>) -> Option<(&'static str, &'static str)> {
    matches!(ending, Some(Ending::OutOfTime(_))).then_some((TERMINATION, "time forfeit"))
}

/// Returns a word without the number of a move, which may be joined to the move or be by itself.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// Writes a game: its tags, an empty line, and its words in lines.
pub(crate) fn write_game(tags: &[(&str, &str)], words: &[String]) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a `String` never fails.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut column = 0;
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

/// Returns the tags that every game has, those of a result and players included.
pub(crate) fn seven_tags<'a>(
    [white, black]: [&'a str; 2],
    result: &'a str,
) -> Vec<(&'static str, &'a str)> {
    let unknown = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")];
    unknown.into_iter().chain([("White", white), ("Black", black), ("Result", result)]).collect()
}

/// A part of a file, and the number of its line.
struct Token<'a> {
    line: usize,
    kind: Result<TokenKind<'a>, String>,
}

enum TokenKind<'a> {
    /// A tag and its value.
    Tag(String, String),
    /// A move, a number of moves or a result.
    Word(&'a str),
}

/// The parts of a file without comments, annotations and variations.
struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    /// Whether the rest is at the beginning of a line.
    is_new_line: bool,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str, line: usize) -> Self {
        Self { rest: text, line, is_new_line: true }
    }

    /// Takes bytes off the rest and counts their lines.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.is_new_line = taken.ends_with('\n');
        self.rest = rest;
        taken
    }

    /// Takes the rest up to a sign, the sign included; `None` if it does not come.
    fn take_to(&mut self, sign: char) -> Option<&'a str> {
        self.rest.find(sign).map(|at| self.take(at + sign.len_utf8()))
    }

    /// Skips blanks, comments, annotations and variations, and returns the first other sign.
    fn skip(&mut self) -> Result<Option<char>, String> {
        let mut depth = 0_usize;
        let mut opened = self.line;
        loop {
            let Some(sign) = self.rest.chars().next() else {
                return if depth == 0 {
                    Ok(None)
                } else {
                    self.line = opened;
                    Err("a variation has no end".into())
                };
            };
            match sign {
                '%' if self.is_new_line => self.skip_line(),
                ';' => self.skip_line(),
                '{' => {
                    self.take_to('}').ok_or("a comment has no end")?;
                }
                '(' => {
                    opened = if depth == 0 { self.line } else { opened };
                    depth += 1;
                    self.take(1);
                }
                ')' if depth == 0 => return Err("a variation ends that has not begun".into()),
                ')' => {
                    depth -= 1;
                    self.take(1);
                }
                '$' => {
                    let digits = self.rest[1..].trim_start_matches(|c: char| c.is_ascii_digit());
                    self.take(self.rest.len() - digits.len());
                }
                _ if sign.is_whitespace() || depth > 0 || "!?".contains(sign) => {
                    self.take(sign.len_utf8());
                }
                _ => return Ok(Some(sign)),
            }
        }
    }

    fn skip_line(&mut self) {
        if self.take_to('\n').is_none() {
            self.take(self.rest.len());
        }
    }

    /// Takes a tag: `[White "alice"]`.
    fn tag(&mut self) -> Result<TokenKind<'a>, String> {
        const WRONG: &str = "a tag is written as [White \"alice\"]";
        self.take(1);
        let name = self.take_to('"').ok_or(WRONG)?.trim_end_matches('"').trim().to_owned();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return Err(WRONG.into());
        }
        let mut value = String::new();
        loop {
            let sign = self.rest.chars().next().filter(|sign| *sign != '\n').ok_or(WRONG)?;
            self.take(sign.len_utf8());
            match sign {
                '"' => break,
                '\\' => {
                    let escaped = self.rest.chars().next().ok_or(WRONG)?;
                    value.push(escaped);
                    self.take(escaped.len_utf8());
                }
                _ => value.push(sign),
            }
        }
        let between = self.take_to(']').ok_or(WRONG)?;
        if between.trim() == "]" { Ok(TokenKind::Tag(name, value)) } else { Err(WRONG.into()) }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let sign = match self.skip() {
            Ok(sign) => sign?,
            Err(error) => {
                let line = self.line;
                self.rest = "";
                return Some(Token { line, kind: Err(error) });
            }
        };
        let line = self.line;
        let kind = if sign == '[' {
            self.tag()
        } else {
            let is_end = |sign: char| sign.is_whitespace() || "{}();$[".contains(sign);
            let end = self.rest.find(is_end).unwrap_or(self.rest.len());
            // A stray bracket is a word by itself.
            Ok(TokenKind::Word(self.take(end.max(sign.len_utf8()))))
        };
        Some(Token { line, kind })
    }
}
