//! The highlights of a board's picture: the last move, and the men that its reader can move now.

use games::{Seat, Spot};
use serde::{Deserialize, Serialize};

/// The highlights of a picture. Spots are numbered as in its diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "HighlightsJson", try_from = "HighlightsJson")]
pub struct Highlights {
    /// The paths of the men that were moved last.
    pub last: Vec<Vec<Spot>>,
    /// The spots of the men that the reader can move.
    pub movable: Vec<Spot>,
    /// The side to move.
    pub turn: Option<Seat>,
}

impl Highlights {
    /// Returns whether nothing is highlighted.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Highlights as JSON, with spots named as players name them.
#[derive(Serialize, Deserialize)]
struct HighlightsJson {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    last: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    can: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<u8>,
}

impl From<Highlights> for HighlightsJson {
    fn from(of: Highlights) -> Self {
        let words =
            |spots: &[Spot]| spots.iter().map(Spot::to_string).collect::<Vec<_>>().join(" ");
        Self {
            last: of.last.iter().map(|way| words(way)).collect(),
            can: words(&of.movable),
            turn: of.turn.map(|seat| seat.0),
        }
    }
}

impl TryFrom<HighlightsJson> for Highlights {
    type Error = &'static str;

    fn try_from(json: HighlightsJson) -> Result<Self, &'static str> {
        let spots = |words: &String| {
            let spots = words.split(' ').filter(|word| !word.is_empty());
            spots.map(str::parse).collect::<Result<Vec<Spot>, _>>()
        };
        let seat = |number: u8| Seat::BOTH.get(usize::from(number)).copied().ok_or("no such seat");
        Ok(Self {
            last: json.last.iter().map(spots).collect::<Result<_, _>>()?,
            movable: spots(&json.can)?,
            turn: json.turn.map(seat).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_are_stored_by_their_names() {
        let highlights = Highlights {
            last: vec![vec![Spot::Bar, Spot::Point(21)], vec![Spot::Square(3, 12)]],
            movable: vec![Spot::Point(6), Spot::Off],
            turn: Some(Seat(1)),
        };
        let text = serde_json::to_string(&highlights).unwrap();
        assert_eq!(text, r#"{"last":["bar 21","c12"],"can":"6 off","turn":1}"#);
        assert_eq!(serde_json::from_str::<Highlights>(&text).unwrap(), highlights);
        assert_eq!(serde_json::from_str::<Highlights>("{}").unwrap(), Highlights::default());
        for bad in [r#"{"can":"25"}"#, r#"{"can":"0"}"#, r#"{"can":"?3"}"#, r#"{"turn":2}"#] {
            assert!(serde_json::from_str::<Highlights>(bad).is_err(), "{bad}");
        }
    }
}
