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

/// The file called i, which boards of Go leave out.
const FILE_I: u8 = 9;

impl Spot {
    /// Returns the place of a column and a rank, each from 1, on a board whose files leave out i: the
    /// ninth column is file j.
    pub const fn without_i(column: u8, rank: u8) -> Self {
        Self::Square(if column < FILE_I { column } else { column + 1 }, rank)
    }

    /// Returns the column and the rank of a place of such a board; the inverse of [`Spot::without_i`].
    pub const fn column_without_i(self) -> Option<[u8; 2]> {
        match self {
            Self::Square(file, rank) if file < FILE_I => Some([file, rank]),
            Self::Square(file, rank) if file > FILE_I => Some([file - 1, rank]),
            Self::Square(..) | Self::Point(_) | Self::Bar | Self::Off => None,
        }
    }
}

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
        let columns: String =
            (1..=19).map(|column| Spot::without_i(column, 1).to_string()).collect();
        assert_eq!(columns.replace('1', ""), "abcdefghjklmnopqrst");
        for place in (1..=19).map(|column| [column, 3]) {
            assert_eq!(Spot::without_i(place[0], place[1]).column_without_i(), Some(place));
        }
        assert_eq!("i3".parse::<Spot>().unwrap().column_without_i(), None);
        for wrong in ["", "c", "3c", "0", "25", "?3", "C3", "c-3", "c256", "é1"] {
            wrong.parse::<Spot>().unwrap_err();
        }
    }
}
