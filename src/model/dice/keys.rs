//! The keys from which the dice of a home follow.

use crate::base::vrf::{PublicKey, SecretKey};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::sync::OnceLock;

/// What the first key of a home is made with, so that it is no other secret of it.
const FIRST: &[u8] = b"postboard dice key";

/// The keys of a home, the oldest first. New boards get the newest; a board keeps the one it has.
///
/// The first follows from the key of the home, so every home has one, and a backup has it, too.
#[derive(Debug)]
pub struct DiceKeys {
    seeds: Vec<Seed>,
    keys: OnceLock<Vec<SecretKey>>,
}

/// What a key is made from.
struct Seed([u8; 32]);

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(..)")
    }
}

impl DiceKeys {
    /// Those of a home with that key, for which these were made later.
    pub fn new(home: &[u8; 32], later: Vec<[u8; 32]>) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(home).expect("any length will do");
        mac.update(FIRST);
        let first = [Seed(mac.finalize().into_bytes().into())];
        let seeds = first.into_iter().chain(later.into_iter().map(Seed)).collect();
        Self { seeds, keys: OnceLock::new() }
    }

    /// Made when they are first asked for: most commands roll nothing.
    fn keys(&self) -> &[SecretKey] {
        self.keys.get_or_init(|| self.seeds.iter().map(|seed| SecretKey::new(&seed.0)).collect())
    }

    /// The one for new boards.
    pub fn newest(&self) -> &SecretKey {
        self.keys().last().expect("there is a first")
    }

    /// The one that everybody knows by that half; none if this home has never had it.
    pub fn find(&self, public: PublicKey) -> Option<&SecretKey> {
        self.keys().iter().find(|key| key.public() == public)
    }

    /// What everybody may know of them, the oldest first.
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
        assert!(format!("{after:?}").contains("Seed(..)"));
    }
}
