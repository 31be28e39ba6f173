//! What is marked on the picture of a board: the last move, and what its reader can move now.

use crate::reply::draw::SpotName;
use games::{Seat, Spot};
use serde::{Deserialize, Serialize};

/// What is marked on a picture. Places are those of its diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "KeptHighlights", try_from = "KeptHighlights")]
pub struct Highlights {
    /// The ways of the men that were moved last.
    pub last: Vec<Vec<Spot>>,
    /// Where men are that its reader can move.
    pub can: Vec<Spot>,
    /// Whose turn it is.
    pub turn: Option<Seat>,
}

impl Highlights {
    /// Whether nothing is marked.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The same in plain values, as a letter that waits keeps it: places as players name them.
#[derive(Serialize, Deserialize)]
struct KeptHighlights {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    last: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    can: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<u8>,
}

impl From<Highlights> for KeptHighlights {
    fn from(of: Highlights) -> Self {
        let words = |spots: &[Spot]| {
            spots.iter().map(|spot| SpotName(*spot).to_string()).collect::<Vec<_>>().join(" ")
        };
        Self {
            last: of.last.iter().map(|way| words(way)).collect(),
            can: words(&of.can),
            turn: of.turn.map(|seat| seat.0),
        }
    }
}

impl TryFrom<KeptHighlights> for Highlights {
    type Error = &'static str;

    fn try_from(kept: KeptHighlights) -> Result<Self, &'static str> {
        let spots = |words: &String| {
            let spots = words.split(' ').filter(|word| !word.is_empty());
            spots.map(spot).collect::<Option<Vec<Spot>>>().ok_or("no such place of a board")
        };
        let seat = |number: u8| Seat::BOTH.get(usize::from(number)).copied().ok_or("no such seat");
        Ok(Self {
            last: kept.last.iter().map(spots).collect::<Result<_, _>>()?,
            can: spots(&kept.can)?,
            turn: kept.turn.map(seat).transpose()?,
        })
    }
}

/// The place of that name.
fn spot(name: &str) -> Option<Spot> {
    match name {
        "bar" => Some(Spot::Bar),
        "off" => Some(Spot::Off),
        _ if name.starts_with(|c: char| c.is_ascii_digit()) => {
            name.parse().ok().filter(|point| (1..=24).contains(point)).map(Spot::Point)
        }
        _ => {
            let (file, rank) = name.split_at_checked(1)?;
            let file = (b'a'..=b'z').position(|letter| file.as_bytes() == [letter])?;
            Some(Spot::Square(u8::try_from(file + 1).ok()?, rank.parse().ok()?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_by_their_names() {
        let marked = Highlights {
            last: vec![vec![Spot::Bar, Spot::Point(21)], vec![Spot::Square(3, 12)]],
            can: vec![Spot::Point(6), Spot::Off],
            turn: Some(Seat(1)),
        };
        let text = serde_json::to_string(&marked).unwrap();
        assert_eq!(text, r#"{"last":["bar 21","c12"],"can":"6 off","turn":1}"#);
        assert_eq!(serde_json::from_str::<Highlights>(&text).unwrap(), marked);
        assert_eq!(serde_json::from_str::<Highlights>("{}").unwrap(), Highlights::default());
        for bad in [r#"{"can":"25"}"#, r#"{"can":"0"}"#, r#"{"can":"?3"}"#, r#"{"turn":2}"#] {
            assert!(serde_json::from_str::<Highlights>(bad).is_err(), "{bad}");
        }
    }
}
