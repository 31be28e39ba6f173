//! What chance deals beside dice.

use std::fmt::{self, Display};
use std::str::FromStr;

/// What was dealt to a position, such as the stones of a start: one word of the record, whose
/// format only the game knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deal(String);

/// The most bytes of a deal: a board of 26 lines of 26 points.
const MOST: usize = 26 * 27;

impl Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Deal {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_word = text.bytes().all(|byte| byte.is_ascii_graphic());
        let fits = (1..=MOST).contains(&text.len()) && is_word;
        fits.then(|| Self(text.to_owned())).ok_or("one word of visible characters")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_is_one_word_that_has_room_for_every_board() {
        let large = vec!["G".repeat(26); 26].join("/");
        for word in ["G./.R", &large] {
            assert_eq!(word.parse::<Deal>().unwrap().to_string(), word);
        }
        for wrong in ["", "G ", "G\n.", "é", &format!("{large}/.")] {
            wrong.parse::<Deal>().unwrap_err();
        }
    }
}
