//! A seeded random number generator with the same output on every machine.

use super::{Roll, Throw};

/// A function that returns a random number below a limit.
pub type RandomBelow<'a> = &'a mut dyn FnMut(usize) -> usize;

/// The 64-bit FNV-1a hash of no bytes.
pub(crate) const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a 64-bit FNV-1a hash (Fowler, Noll, Vo) with these bytes.
pub(crate) fn fnv_1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The step between the states of `SplitMix64` (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
/// Generators*, 2014).
pub(crate) const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the output of `SplitMix64` for a state: a well-mixed number.
pub(crate) const fn split_mix(state: u64) -> u64 {
    let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The generator xoshiro256** (Blackman and Vigna). `SplitMix64` makes its state from a seed, as
/// its authors advise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance([u64; 4]);

impl Chance {
    /// Creates a generator from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self(std::array::from_fn(|_| {
            state = state.wrapping_add(SPLIT_MIX_STEP);
            split_mix(state)
        }))
    }

    /// Returns the whole state.
    pub(crate) const fn state(&self) -> [u64; 4] {
        self.0
    }

    /// Creates a generator from the 64-bit FNV-1a hash of a text: for choices
    /// that look random but must follow from known data.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self::new(fnv_1a(FNV_START, text.as_bytes()))
    }

    /// Returns the next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.0;
        let (c, d) = (c ^ a, d ^ b);
        self.0 = [a ^ d, b ^ c, c ^ b << 17, d.rotate_left(45)];
        b.wrapping_mul(5).rotate_left(7).wrapping_mul(9)
    }

    /// Returns a uniform random number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let Some(limit) = std::num::NonZeroU64::new(limit as u64) else { return 0 };
        // Values from the incomplete last multiple of the limit would bias the result: they are
        // drawn again.
        let taken = u64::MAX - (u64::MAX % limit + 1) % limit;
        loop {
            let bits = self.bits();
            if bits <= taken {
                return usize::try_from(bits % limit).expect("it is below a usize");
            }
        }
    }

    /// Rolls dice. Equal dice of an opening throw are rolled again.
    pub fn roll(&mut self, throw: Throw) -> Roll {
        let faces = usize::from(throw.faces);
        let mut face = || u8::try_from(1 + self.below(faces)).expect("a die has few faces");
        loop {
            let roll = if throw.dice == 1 { Roll::One(face()) } else { Roll::Two(face(), face()) };
            if roll.fits(throw) {
                return roll;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of the authors' C programs: `SplitMix64` seeded with 0, and xoshiro256** in state
    /// 1, 2, 3, 4.
    #[test]
    fn is_the_published_generator() {
        assert_eq!(Chance::new(0).0[..2], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        let mut known = Chance([1, 2, 3, 4]);
        let first: [u64; 4] = std::array::from_fn(|_| known.bits());
        assert_eq!(first, [11520, 0, 1_509_978_240, 1_215_971_899_390_074_240]);
    }

    /// The hash of `foobar` is one of the authors' test values.
    #[test]
    fn a_text_is_its_hash() {
        assert_eq!(Chance::from_text("foobar"), Chance::new(0x8594_4171_f739_67e8));
    }

    #[test]
    fn numbers_stay_below_their_limit_and_reach_it() {
        let mut chance = Chance::new(7);
        let mut seen = [0_u32; 6];
        for _ in 0..6_000 {
            seen[chance.below(6)] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        assert_eq!((chance.below(1), chance.below(0)), (0, 0));
    }
}
