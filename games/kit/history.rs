//! Repetition of positions.

use std::fmt::{self, Display};
use std::str::FromStr;

/// The number of occurrences of a position, with the same side to move, that makes a draw.
const OFTEN: usize = 3;

/// The digits of Crockford's base 32, five for each number of 25 bits.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS: usize = 5;

/// The positions of a game that can come again, oldest first: 25 bits of each key, which includes the
/// side to move. A game adds the positions of which every cycle contains one, and clears the history
/// where the men on the board can never be the same again, so that its notation stays short.
///
/// Two positions of one game share a key in one of ten thousand games; three, as a false draw needs,
/// practically never.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PositionHistory(Vec<u32>);

impl PositionHistory {
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of positions.
    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether one of the positions has this hash.
    pub(crate) fn contains(&self, hash: u64) -> bool {
        self.0.contains(&Self::key(hash))
    }

    /// Forgets all positions, since none of them can come again.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a position by a hash of it, of which 25 bits are kept.
    pub(crate) fn add_hash(&mut self, hash: u64) {
        self.add(Self::key(hash));
    }

    /// Returns the 25 bits of a hash that are kept.
    fn key(hash: u64) -> u32 {
        u32::try_from(hash >> 39).expect("a number of 25 bits")
    }

    /// Returns whether the last position has this hash.
    pub(crate) fn ends_with(&self, hash: u64) -> bool {
        self.0.last() == Some(&Self::key(hash))
    }

    /// Adds a position by its key.
    pub(crate) fn add(&mut self, key: u32) {
        self.0.push(key);
    }

    /// Returns whether the last position has occurred often enough for a draw.
    pub(crate) fn repeats(&self) -> bool {
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
