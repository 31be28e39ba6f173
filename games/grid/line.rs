//! A position of a square game as one line of text: `G ..G/.R./... last=e5`.

use super::{SIZE, Square, Stones};
use crate::kit::Seat;
use std::fmt::{self, Display};
use std::str::FromStr;

/// The contents of a line of notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotationLine {
    /// The side to move; nobody's before stones are laid by chance.
    pub(crate) side: Option<Seat>,
    /// The stones on the board; there are none before they are laid.
    pub(crate) stones: Stones,
    /// Lines and columns of the board.
    pub(crate) size: u8,
    /// Other facts of the game, in the order in which they are written.
    rest: Vec<(String, String)>,
}

impl NotationLine {
    /// A line for that side and these stones on the board of 81 points.
    pub(crate) fn new(side: Option<Seat>, stones: Stones) -> Self {
        Self { side, stones, size: SIZE, rest: Vec::new() }
    }

    /// The line of a board of that size.
    #[must_use]
    pub(crate) fn sized(self, size: u8) -> Self {
        Self { size, ..self }
    }

    /// The line with one thing more to remember; the key and the value are words.
    #[must_use]
    pub(crate) fn with(mut self, key: &str, value: impl Display) -> Self {
        self.rest.push((key.to_owned(), value.to_string()));
        self
    }

    /// The line with one thing more to remember, if there is something.
    #[must_use]
    pub(crate) fn with_some(self, key: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Takes the line's value of a key: none if it has none.
    ///
    /// # Errors
    /// Its text is no such value.
    pub(crate) fn take<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, String> {
        let Some(place) = self.rest.iter().position(|(said, _)| said == key) else {
            return Ok(None);
        };
        let (_, value) = self.rest.remove(place);
        let read = value.parse().map_err(|_| format!("`{key}={value}` says nothing here"))?;
        Ok(Some(read))
    }

    /// Nothing is left to take.
    ///
    /// # Errors
    /// The game knows no such key, or not twice.
    pub(crate) fn is_taken(&self) -> Result<(), String> {
        match self.rest.first() {
            Some((key, value)) => Err(format!("`{key}={value}` says nothing here")),
            None => Ok(()),
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong, as a sentence without a full stop.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let side = match words.next() {
            Some("G") => Some(Seat(0)),
            Some("R") => Some(Seat(1)),
            Some("-") => None,
            _ => return Err("a position begins with the side to move, G or R".into()),
        };
        let rows = words.next().ok_or("the rows of the board are missing")?;
        let (stones, size) = match rows {
            "-" => (Stones::default(), SIZE),
            rows => Stones::of_rows(rows).map_err(|expected| format!("expected {expected}"))?,
        };
        let pair = |word: &str| match word.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => Err(format!("expected key=value, not `{word}`")),
        };
        Ok(Self { side, stones, size, rest: words.map(pair).collect::<Result<_, _>>()? })
    }
}

impl Display for NotationLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Some(Seat(0)) => f.write_str("G "),
            Some(_) => f.write_str("R "),
            None => f.write_str("- "),
        }?;
        f.write_str(&self.stones.rows(self.size).join("/"))?;
        self.rest.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}

/// Several points in one value: `e5,f6`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SquareList(pub(crate) Vec<Square>);

impl Display for SquareList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(Square::to_string).collect();
        f.write_str(&words.join(","))
    }
}

impl FromStr for SquareList {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split(',').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_was_put_into_it() {
        let text = "R G../.R./... last=c3 score=1,2";
        let mut line = NotationLine::parse(text).unwrap();
        assert_eq!((line.to_string(), line.size, line.side), (text.into(), 3, Some(Seat(1))));
        line.is_taken().unwrap_err();
        assert_eq!(line.take("last"), Ok("c3".parse::<Square>().ok()));
        assert_eq!(line.take::<u8>("last"), Ok(None));
        line.take::<u8>("score").unwrap_err();
        line.is_taken().unwrap();
        assert_eq!("e5,f6".parse::<SquareList>().unwrap().to_string(), "e5,f6");
    }

    #[test]
    fn what_is_no_line_is_refused_with_its_reason() {
        for (text, reason) in [
            ("", "a position begins with the side to move, G or R"),
            ("O ../..", "a position begins with the side to move, G or R"),
            ("G", "the rows of the board are missing"),
            ("G ../.x", "expected rows such as ..G/.R./... with a letter for each point"),
            ("G ../.. last", "expected key=value, not `last`"),
        ] {
            assert_eq!(NotationLine::parse(text).unwrap_err(), reason);
        }
    }
}
