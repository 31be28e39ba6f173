//! The secret keys that the dice of a home follow from.

use crate::base::vrf::{PublicKey, SecretKey};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::sync::OnceLock;

/// The label that separates the first dice key from other secrets derived from the key of the home.
const FIRST: &[u8] = b"postboard dice key";

/// The dice keys of a home, oldest first. New boards get the newest; a board keeps its key.
///
/// The first key is derived from the key of the home, so every home has one, and backups contain
/// it.
#[derive(Debug)]
pub struct DiceKeys {
    seeds: Vec<KeySeed>,
    keys: OnceLock<Vec<SecretKey>>,
    /// The replacement of this list, once another process has added keys.
    renewed: OnceLock<Box<Self>>,
}

/// The seed of a key.
#[derive(Clone, Copy)]
struct KeySeed([u8; 32]);

impl std::fmt::Debug for KeySeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeySeed(..)")
    }
}

impl DiceKeys {
    /// Derives the first key from the key of the home and adds the later ones.
    pub fn new(home: &[u8; 32], later: Vec<[u8; 32]>) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(home).expect("HMAC takes keys of any length");
        mac.update(FIRST);
        let first = [KeySeed(mac.finalize().into_bytes().into())];
        Self::from_seeds(first.into_iter().chain(later.into_iter().map(KeySeed)).collect())
    }

    fn from_seeds(seeds: Vec<KeySeed>) -> Self {
        Self { seeds, keys: OnceLock::new(), renewed: OnceLock::new() }
    }

    /// Adds the keys that another process has made meanwhile.
    pub fn learn(&self, later: &[[u8; 32]]) {
        let known = self.known();
        if known.seeds.len() <= later.len() {
            let seeds =
                known.seeds.iter().take(1).copied().chain(later.iter().copied().map(KeySeed));
            // If another thread was faster, it has set the same keys.
            let _ = known.renewed.set(Box::new(Self::from_seeds(seeds.collect())));
        }
    }

    /// Returns the newest list.
    fn known(&self) -> &Self {
        let mut known = self;
        while let Some(renewed) = known.renewed.get() {
            known = renewed;
        }
        known
    }

    /// Returns all keys. They are derived on first use, because most commands roll nothing.
    fn keys(&self) -> &[SecretKey] {
        let Self { seeds, keys, .. } = self.known();
        keys.get_or_init(|| seeds.iter().map(|seed| SecretKey::new(&seed.0)).collect())
    }

    /// Returns the key for new boards.
    pub fn newest(&self) -> &SecretKey {
        self.keys().last().expect("the first key always exists")
    }

    /// Returns the key with this public half; `None` if the home has never had it.
    pub fn find(&self, public: PublicKey) -> Option<&SecretKey> {
        self.keys().iter().find(|key| key.public() == public)
    }

    /// Returns the public halves, oldest first.
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
