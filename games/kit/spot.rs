//! Places of drawn boards.

use std::fmt::{self, Display};
use std::str::FromStr;

/// A place of a drawn board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// One of the 24 points, from 1, as its [`super::Points::piles`] are numbered.
    Point(u8),
    /// The bar, where men that were hit wait.
    Bar,
    /// Where men are borne off to.
    Off,
    /// A place of a board of files and ranks: its file and its rank, each from 1.
    Square(u8, u8),
}

/// The most files and ranks of a board: files have the letters of the alphabet.
pub const MAX_FILES: u8 = 26;

/// Writes the name of a spot: `13`, `bar`, `off`, `c3`.
impl Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(number) => write!(f, "{number}"),
            Self::Bar => f.write_str("bar"),
            Self::Off => f.write_str("off"),
            Self::Square(file, rank) => {
                let letter = (b'a'..=b'z').nth(usize::from(file.saturating_sub(1)));
                write!(f, "{}{rank}", char::from(letter.unwrap_or(b'?')))
            }
        }
    }
}

impl FromStr for Spot {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "a place such as c3";
        match name {
            "bar" => Ok(Self::Bar),
            "off" => Ok(Self::Off),
            _ if name.starts_with(|c: char| c.is_ascii_digit()) => name
                .parse()
                .ok()
                .filter(|point| (1..=24).contains(point))
                .map(Self::Point)
                .ok_or(EXPECTED),
            _ => {
                let (file, rank) = name.split_at_checked(1).ok_or(EXPECTED)?;
                let file = (1..).zip(b'a'..=b'z').find(|(_, letter)| file.as_bytes() == [*letter]);
                let (file, _) = file.ok_or(EXPECTED)?;
                Ok(Self::Square(file, rank.parse().map_err(|_| EXPECTED)?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_is_read_as_it_is_written() {
        let large = (1..=MAX_FILES)
            .flat_map(|file| (1..=MAX_FILES).map(move |rank| Spot::Square(file, rank)));
        let points = (1..=24).map(Spot::Point);
        for spot in large.chain(points).chain([Spot::Bar, Spot::Off]) {
            assert_eq!(spot.to_string().parse(), Ok(spot));
        }
        assert_eq!(Spot::Square(24, 19).to_string(), "x19");
        for wrong in ["", "c", "3c", "0", "25", "?3", "C3", "c-3", "c256", "é1"] {
            wrong.parse::<Spot>().unwrap_err();
        }
    }
}
