//! Repetition of positions.

use std::fmt::{self, Display};
use std::str::FromStr;

/// The number of occurrences of a position, with the same side to move, that makes a draw.
const OFTEN: usize = 3;

/// The digits of Crockford's base 32, five for each number of 25 bits.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS: usize = 5;

/// The positions just after captures, oldest first: 25 bits of each key, which includes the side to
/// move.
///
/// Between captures stones are only added, so every cycle of a game contains such a position as
/// often as it repeats: no game can go on for ever, and the notation stays short. Two positions of
/// one game share a key in one of ten thousand games; three, as a false draw needs, practically
/// never.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PositionHistory(Vec<u32>);

impl PositionHistory {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a position just after a capture.
    pub(super) fn add(&mut self, key: u32) {
        self.0.push(key);
    }

    /// Returns whether the last position has occurred often enough for a draw.
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
