//! Dice and random bytes.

use games::{Roll, Throw, Thrower};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha20Rng;

/// A source of dice and of random bytes.
pub trait Chance: Thrower {
    /// Fills the bytes.
    fn fill(&mut self, bytes: &mut [u8]);
}

/// Dice and bytes from a cryptographic generator, so that no player can tell what comes next.
#[derive(Debug)]
pub struct Entropy(pub ChaCha20Rng);

impl Thrower for Entropy {
    fn throw(&mut self, throw: Throw) -> Roll {
        let mut die = || self.0.random_range(1..=throw.faces);
        loop {
            let roll = if throw.dice == 1 { Roll::One(die()) } else { Roll::Two(die(), die()) };
            if roll.fits(throw) {
                return roll;
            }
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.random_range(0..limit)
    }
}

impl Chance for Entropy {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}
