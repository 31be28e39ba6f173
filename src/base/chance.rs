//! Dice and random bytes.

use super::digest::Digest;
use games::{AnyPosition, Deal, Roll, Scripted, Throw, Thrower};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;

/// A source of dice and random bytes.
pub trait RandomSource: Thrower + Send {
    /// Fills the bytes.
    fn fill(&mut self, bytes: &mut [u8]);

    /// Returns the seed from which each mail gets its own generator. None if dice are scripted and
    /// fall in the order of the mails.
    fn seed(&self) -> Option<Seed> {
        None
    }
}

/// The secret seed of generators, one for each name: a mail that is executed once more rolls the
/// same dice, whatever was rolled meanwhile.
#[derive(Clone)]
pub struct Seed([u8; 32]);

impl Seed {
    /// Returns the generator of a name, which has two parts.
    pub fn chance(&self, name: [&[u8]; 2]) -> Entropy {
        let [first, second] = name;
        let seed = Digest::of_all([&self.0, first, second]);
        Entropy(ChaCha20Rng::from_seed(std::array::from_fn(|at| seed[at])))
    }

    /// Returns the generator that this seed was taken from, at the start of its sequence.
    pub fn restart(&self) -> Entropy {
        Entropy(ChaCha20Rng::from_seed(self.0))
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// A cryptographic generator.
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

impl RandomSource for Entropy {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }

    fn seed(&self) -> Option<Seed> {
        Some(Seed(self.0.get_seed()))
    }
}

/// Scripted dice and predictable bytes, for tests and examples.
#[derive(Clone, Debug)]
pub struct ScriptedRandom {
    /// The dice.
    pub dice: Scripted,
    bytes: BytePattern,
}

/// The bytes that a scripted source returns.
#[derive(Clone, Copy, Debug)]
enum BytePattern {
    /// Always the same byte.
    Alike(u8),
    /// One more at each call.
    Counted(u8),
    /// No bytes: any use panics with this message.
    None(&'static str),
}

impl ScriptedRandom {
    /// Returns a source with these dice; all bytes are 7.
    pub fn new(dice: Scripted) -> Self {
        Self { dice, bytes: BytePattern::Alike(7) }
    }

    /// Returns a source without dice, with other bytes at each call.
    pub fn counting() -> Self {
        Self { dice: Scripted::default(), bytes: BytePattern::Counted(0) }
    }

    /// Returns a source whose use panics with a message.
    pub fn nothing(why: &'static str) -> Self {
        Self { dice: Scripted::default(), bytes: BytePattern::None(why) }
    }

    fn dice(&mut self) -> &mut Scripted {
        if let BytePattern::None(why) = self.bytes {
            panic!("{why}");
        }
        &mut self.dice
    }
}

impl Thrower for ScriptedRandom {
    fn throw(&mut self, throw: Throw) -> Roll {
        self.dice().throw(throw)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.dice().below(limit)
    }

    fn deal(&mut self, position: &dyn AnyPosition) -> Deal {
        self.dice().deal(position)
    }
}

impl RandomSource for ScriptedRandom {
    fn fill(&mut self, bytes: &mut [u8]) {
        match &mut self.bytes {
            BytePattern::Alike(byte) => bytes.fill(*byte),
            BytePattern::Counted(byte) => {
                *byte += 1;
                bytes.fill(*byte);
            }
            BytePattern::None(why) => panic!("{why}"),
        }
    }
}
