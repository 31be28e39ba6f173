//! The notation of a square game's position: `G ..G/.R./... last=e5`.

use super::{SIZE, Square, Stones};
use crate::kit::Seat;
use std::fmt::{self, Display};
use std::str::FromStr;

/// The parts of a line of notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotationLine {
    /// The side to move; `None` before stones are dealt.
    pub(crate) side: Option<Seat>,
    /// The stones on the board; none before they are dealt.
    pub(crate) stones: Stones,
    /// The number of lines and columns.
    pub(crate) size: u8,
    /// Other facts as keys and values, in order.
    rest: Vec<(String, String)>,
}

impl NotationLine {
    /// Creates a line for the board of 81 points.
    pub(crate) fn new(side: Option<Seat>, stones: Stones) -> Self {
        Self { side, stones, size: SIZE, rest: Vec::new() }
    }

    /// Sets the size of the board.
    #[must_use]
    pub(crate) fn sized(self, size: u8) -> Self {
        Self { size, ..self }
    }

    /// Appends a key and its value.
    #[must_use]
    pub(crate) fn with(mut self, key: &str, value: impl Display) -> Self {
        self.rest.push((key.to_owned(), value.to_string()));
        self
    }

    /// Appends a key if it has a value.
    #[must_use]
    pub(crate) fn with_some(self, key: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Takes the value of a key, if it is there.
    ///
    /// # Errors
    /// The value has a wrong format.
    pub(crate) fn take<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, String> {
        let Some(place) = self.rest.iter().position(|(said, _)| said == key) else {
            return Ok(None);
        };
        let (_, value) = self.rest.remove(place);
        let read = value.parse().map_err(|_| format!("`{key}={value}` has no meaning here"))?;
        Ok(Some(read))
    }

    /// Checks that no keys are left.
    ///
    /// # Errors
    /// A key is unknown or repeated.
    pub(crate) fn end(&self) -> Result<(), String> {
        match self.rest.first() {
            Some((key, value)) => Err(format!("`{key}={value}` has no meaning here")),
            None => Ok(()),
        }
    }

    /// Parses a line.
    ///
    /// # Errors
    /// What is wrong, without a full stop.
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

/// A list of points in one value: `e5,f6`.
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
        line.end().unwrap_err();
        assert_eq!(line.take("last"), Ok("c3".parse::<Square>().ok()));
        assert_eq!(line.take::<u8>("last"), Ok(None));
        line.take::<u8>("score").unwrap_err();
        line.end().unwrap();
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
