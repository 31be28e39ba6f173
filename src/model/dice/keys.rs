//! The keys from which the dice of a home follow.

use crate::base::vrf::{PublicKey, SecretKey};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::sync::OnceLock;

/// The label from which the first key of a home is made, so that it is no other secret of it.
const FIRST: &[u8] = b"postboard dice key";

/// The keys of a home, the oldest first. New boards get the newest; a board keeps the one it has.
///
/// The first follows from the key of the home, so every home has one, and a backup has it, too.
#[derive(Debug)]
pub struct DiceKeys {
    seeds: Vec<KeySeed>,
    keys: OnceLock<Vec<SecretKey>>,
    /// All of them with those that were made meanwhile, in a program that goes on running.
    renewed: OnceLock<Box<Self>>,
}

/// What a key is made from.
#[derive(Clone, Copy)]
struct KeySeed([u8; 32]);

impl std::fmt::Debug for KeySeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeySeed(..)")
    }
}

impl DiceKeys {
    /// Those of a home with that key, for which these were made later.
    pub fn new(home: &[u8; 32], later: Vec<[u8; 32]>) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(home).expect("any length will do");
        mac.update(FIRST);
        let first = [KeySeed(mac.finalize().into_bytes().into())];
        Self::from_seeds(first.into_iter().chain(later.into_iter().map(KeySeed)).collect())
    }

    fn from_seeds(seeds: Vec<KeySeed>) -> Self {
        Self { seeds, keys: OnceLock::new(), renewed: OnceLock::new() }
    }

    /// Learns which keys the home has now besides the first, where some were made meanwhile.
    pub fn learn(&self, later: &[[u8; 32]]) {
        let known = self.known();
        if known.seeds.len() <= later.len() {
            let seeds =
                known.seeds.iter().take(1).copied().chain(later.iter().copied().map(KeySeed));
            // Where another thread was faster, the keys are the same.
            let _ = known.renewed.set(Box::new(Self::from_seeds(seeds.collect())));
        }
    }

    /// These keys, with all that were learned of.
    fn known(&self) -> &Self {
        let mut known = self;
        while let Some(renewed) = known.renewed.get() {
            known = renewed;
        }
        known
    }

    /// Made when they are first asked for: most commands roll nothing.
    fn keys(&self) -> &[SecretKey] {
        let Self { seeds, keys, .. } = self.known();
        keys.get_or_init(|| seeds.iter().map(|seed| SecretKey::new(&seed.0)).collect())
    }

    /// The one for new boards.
    pub fn newest(&self) -> &SecretKey {
        self.keys().last().expect("there is a first")
    }

    /// The one that everybody knows by that half; none if this home has never had it.
    pub fn find(&self, public: PublicKey) -> Option<&SecretKey> {
        self.keys().iter().find(|key| key.public() == public)
    }

    /// The public parts of them, the oldest first.
    pub fn public(&self) -> impl Iterator<Item = PublicKey> {
        self.keys().iter().map(SecretKey::public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_is_for_new_boards_and_the_old_ones_stay() {
        let before = DiceKeys::new(&[7; 32], Vec::new());
        let after = DiceKeys::new(&[7; 32], vec![[8; 32]]);
        assert_ne!(before.newest().public(), after.newest().public());
        assert!(after.find(before.newest().public()).is_some());
        assert!(before.find(after.newest().public()).is_none());
        assert_ne!(before.newest().public(), SecretKey::new(&[7; 32]).public(), "it is its own");
        assert_eq!(after.public().count(), 2);
        before.learn(&[[8; 32]]);
        before.learn(&[[8; 32]]);
        assert!(before.public().eq(after.public()), "it has learned of the new one");
        before.learn(&[[8; 32], [9; 32]]);
        assert_eq!(before.public().count(), 3);
        assert!(format!("{after:?}").contains("KeySeed(..)"));
    }
}
