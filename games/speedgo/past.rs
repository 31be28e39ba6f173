//! The positions that may come back.

use std::fmt::{self, Display};
use std::str::FromStr;

/// How often the same position with the same side to move may come: then the game is a draw.
const OFTEN: usize = 3;

/// The letters of a number, five of five bits each: those of Crockford's base 32.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS: usize = 5;

/// The positions that stood just after stones were taken, oldest first, each as the 25 bits of its
/// key and the side to move.
///
/// Stones only come to a board until some are taken, so whatever cycle a game runs through holds
/// such a position, and it comes back as often as the cycle: no game goes on for ever though the
/// others are forgotten. That keeps the line of notation short. Two different positions of a game
/// have the same key once in some ten thousand games, and three, as a wrong draw needs, never.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PositionHistory(Vec<u32>);

impl PositionHistory {
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a position in which stones were just taken.
    pub(super) fn add(&mut self, key: u32) {
        self.0.push(key);
    }

    /// Whether the position that stood last has done so often enough for a draw.
    pub(super) fn repeats(&self) -> bool {
        self.0.last().is_some_and(|last| self.times(*last) >= OFTEN)
    }

    fn times(&self, key: u32) -> usize {
        self.0.iter().map(|&other| usize::from(other == key)).sum()
    }
}

impl Display for PositionHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for key in &self.0 {
            for digit in (0..DIGITS).rev() {
                let letter = LETTERS[(key >> (5 * digit)) as usize % LETTERS.len()];
                write!(f, "{}", char::from(letter))?;
            }
        }
        Ok(())
    }
}

impl FromStr for PositionHistory {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "five letters for each position";
        let key = |word: &[u8]| {
            word.iter().try_fold(0, |key, letter| {
                let digit = LETTERS.iter().position(|known| known == letter)?;
                Some(key << 5 | u32::try_from(digit).ok()?)
            })
        };
        if !text.len().is_multiple_of(DIGITS) {
            return Err(EXPECTED);
        }
        let keys = text.as_bytes().chunks(DIGITS).map(key).collect::<Option<_>>();
        keys.map(Self).ok_or(EXPECTED)
    }
}
