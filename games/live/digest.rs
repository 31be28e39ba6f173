//! Digests of states with the same value on every machine.

use crate::kit::chance::{FNV_START, fnv_1a};

/// A 64-bit FNV-1a hash. Numbers are written as eight bytes, little-endian.
#[derive(Debug)]
pub(crate) struct StateDigest(u64);

impl StateDigest {
    /// Creates the digest of no data.
    pub(crate) const fn new() -> Self {
        Self(FNV_START)
    }

    /// Writes bytes without their length.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0 = fnv_1a(self.0, bytes);
    }

    /// Writes a number.
    pub(crate) fn number(&mut self, number: impl Into<u64>) {
        self.bytes(&number.into().to_le_bytes());
    }

    /// Writes an optional number.
    pub(crate) fn maybe(&mut self, number: Option<impl Into<u64>>) {
        match number {
            Some(number) => {
                self.bytes(&[1]);
                self.number(number);
            }
            None => self.bytes(&[0]),
        }
    }

    /// Writes text with its length.
    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// Writes a set of points.
    pub(crate) fn squares(&mut self, squares: crate::grid::Squares) {
        squares.halves().into_iter().for_each(|half| self.number(half));
    }

    /// Writes stones.
    pub(crate) fn stones(&mut self, stones: &crate::grid::Stones) {
        for seat in crate::kit::Seat::BOTH {
            self.squares(stones[seat]);
        }
    }

    /// Returns the digest.
    pub(crate) const fn value(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are the authors' test vectors.
    #[test]
    fn is_the_published_hash() {
        for (text, value) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            let mut digest = StateDigest::new();
            digest.bytes(text.as_bytes());
            assert_eq!(digest.value(), value, "{text}");
        }
    }
}
