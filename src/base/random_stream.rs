//! Dice and other small numbers from 64 random bytes, by a published rule.
//!
//! Bytes are taken in order: first the given ones, then the SHA-512 of these followed by a counter
//! (four bytes, big endian: 1, 2, 3 ...). A number below a limit is a byte modulo the limit. Bytes
//! at or above the largest multiple of the limit up to 256 are skipped, since they would favour
//! small numbers. A die shows a number below its faces, plus one. Two dice are drawn in order. If
//! they decide who begins, equal dice are drawn again.

use super::vrf::VrfOutput;
use games::{Roll, Throw};
use sha2::{Digest as _, Sha512};

/// Numbers drawn from a VRF output.
#[derive(Clone, Debug)]
pub struct RandomStream {
    first: VrfOutput,
    bytes: VrfOutput,
    taken: usize,
    counter: u32,
}

impl RandomStream {
    /// Returns a stream from which nothing is drawn yet.
    pub fn new(output: VrfOutput) -> Self {
        Self { first: output, bytes: output, taken: 0, counter: 0 }
    }

    fn byte(&mut self) -> usize {
        if self.taken == self.bytes.len() {
            self.counter += 1;
            let mut more = Sha512::new();
            more.update(self.first);
            more.update(self.counter.to_be_bytes());
            (self.bytes, self.taken) = (more.finalize().into(), 0);
        }
        self.taken += 1;
        usize::from(self.bytes[self.taken - 1])
    }

    /// Draws a number below `limit`, uniformly: from one byte, or from two, the higher first, where one
    /// does not suffice.
    ///
    /// # Panics
    /// `limit` is 0 or more than 65,536. No game has such a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        assert!((1..=0x1_0000).contains(&limit), "a number is drawn from at most two bytes");
        let all = if limit <= 0x100 { 0x100 } else { 0x1_0000 };
        let fair = all - all % limit;
        loop {
            let mut drawn = self.byte();
            if limit > 0x100 {
                drawn = 0x100 * drawn + self.byte();
            }
            if drawn < fair {
                return drawn % limit;
            }
        }
    }

    /// Draws a roll of dice.
    pub fn roll(&mut self, throw: Throw) -> Roll {
        let faces = usize::from(throw.faces);
        let mut die = || u8::try_from(1 + self.below(faces)).expect("a die has few faces");
        loop {
            let roll = if throw.dice == 1 { Roll::One(die()) } else { Roll::Two(die(), die()) };
            if roll.fits(throw) {
                return roll;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_numbers_by_the_written_rule() {
        let mut output = [255; 64];
        output[..5].copy_from_slice(&[251, 252, 7, 4, 16]);
        let mut lots = RandomStream::new(output);
        // 252 is the largest multiple of six. From it on, 0 to 3 would be favoured.
        assert_eq!([6, 6, 4].map(|limit| lots.below(limit)), [5, 1, 0]);
        assert_eq!(lots.below(256), 16);
        let rest = (0..59).map(|_| lots.below(256)).all(|byte| byte == 255);
        let more = Sha512::digest([&[251, 252, 7, 4, 16][..], &[255; 59], &[0, 0, 0, 1]].concat());
        assert!(rest);
        assert_eq!([256; 2].map(|limit| lots.below(limit)), [more[0], more[1]].map(usize::from));
    }

    #[test]
    fn a_start_of_chess960_is_drawn_from_two_bytes() {
        let mut output = [0; 64];
        // 65,280 is the largest multiple of 960 that two bytes hold.
        output[..6].copy_from_slice(&[255, 0, 254, 255, 1, 2]);
        let mut lots = RandomStream::new(output);
        assert_eq!([960; 2].map(|limit| lots.below(limit)), [959, 0x102]);
    }

    #[test]
    fn dice_are_drawn_in_order_and_equal_ones_of_an_opening_again() {
        let of = |bytes: &[u8], throw| {
            let mut output = [0; 64];
            output[..bytes.len()].copy_from_slice(bytes);
            RandomStream::new(output).roll(throw).to_string()
        };
        assert_eq!(of(&[5, 0], Throw::new(2, 6)), "61");
        assert_eq!(of(&[4, 4], Throw::new(2, 6)), "55");
        assert_eq!(of(&[4, 4, 1, 2], Throw::to_begin(6)), "23");
        assert_eq!(of(&[7], Throw::new(1, 4)), "4");
    }
}
