//! Reads Portable Game Notation.

use super::{DRAWN, RESULTS};
use crate::chess::{CLAIM, ChessMove, Position, STARTS, USUAL};
use crate::kit::{Choices, Entry, Game, Next, Transcript};
use cozy_chess::Board;

/// Reads all games of a file.
pub(in crate::chess) fn read(text: &str) -> Result<Vec<Transcript>, String> {
    let mut games = Vec::new();
    let mut game = PgnGame::default();
    for Token { line, kind } in Tokens::new(text) {
        let at_line = |error: String| format!("line {line}: {error}");
        match kind.map_err(at_line)? {
            TokenKind::Tag(name, value) => {
                if game.position.is_some() {
                    games.push(game.finished(None)?);
                    game = PgnGame::default();
                }
                game.tags.push((name, value));
            }
            TokenKind::Word(word) if RESULTS.contains(&word) => {
                games.push(game.finished(Some(word)).map_err(at_line)?);
                game = PgnGame::default();
            }
            TokenKind::Word(word) => game.play(word).map_err(at_line)?,
        }
    }
    if !game.tags.is_empty() || game.position.is_some() {
        games.push(game.finished(None)?);
    }
    if games.is_empty() { Err("there is no game in the file".into()) } else { Ok(games) }
}

/// A game as far as it is read.
#[derive(Default)]
struct PgnGame {
    tags: Vec<(String, String)>,
    /// The options and the position, once the moves have begun.
    position: Option<(Choices, Position)>,
    record: Vec<Entry>,
}

impl PgnGame {
    fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| &**value)
    }

    /// Returns the options of the game and its position.
    fn position(&mut self) -> Result<&mut (Choices, Position), String> {
        let begun = if let Some(begun) = self.position.take() {
            begun
        } else {
            let options = options(self.tag("FEN"), self.tag("Variant"))?;
            let start = Position::setup(&options);
            (options, start)
        };
        Ok(self.position.insert(begun))
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        // Numbers may be joined to a move or be by themselves.
        let word = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let word = if word.starts_with('.') { word.trim_start_matches('.') } else { word };
        if word.is_empty() {
            return Ok(());
        }
        let (_, position) = self.position()?;
        let Next::Move(seat) = position.next() else {
            return Err(format!("the game is over before {word}"));
        };
        let m = position.read(word).map_err(|error| format!("{word}: {error}"))?;
        position.play(&m);
        self.record.push(Entry::Moved { seat, text: m.to_string(), auto: false });
        Ok(())
    }

    /// Returns the game with its result. A draw at a position that allows a claim was claimed.
    fn finished(mut self, result: Option<&str>) -> Result<Transcript, String> {
        let players = ["White", "Black"].map(|side| self.tag(side).unwrap_or("?").to_owned());
        let (_, position) = self.position()?;
        if let (Some(DRAWN), Next::Move(seat)) = (result, position.next())
            && position.claimable().is_some()
        {
            position.play(&ChessMove::Claim);
            self.record.push(Entry::Moved { seat, text: CLAIM.into(), auto: false });
        }
        let options = self.position()?.0.clone();
        Ok(Transcript { players, options, record: self.record })
    }
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
    fn new(text: &'a str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, is_new_line: true }
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
