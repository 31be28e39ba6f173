//! Keys of programs that act in a user's name. A key is shown once; the server stores only a
//! digest.

use crate::base::chance::RandomSource;
use crate::base::digest::Digest;
use crate::base::ids::UserId;
use crate::base::time::Time;
use data_encoding::BASE32_NOPAD;
use serde::{Deserialize, Serialize};

/// Random bytes of a key: 160 bits, 32 letters.
const BYTES: usize = 20;

/// The stored part of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramKey {
    /// The name that the user gave it.
    pub name: String,
    /// When it was made.
    pub at: Time,
    /// The digest of the key.
    tag: String,
}

fn tag(secret: &str) -> String {
    Digest::of(format!("program key {secret}")).hex()
}

impl ProgramKey {
    /// Creates a key. Returns the stored part, and the key itself: `alice:` and 32 letters.
    pub fn new(
        user: &UserId,
        name: String,
        at: Time,
        chance: &mut dyn RandomSource,
    ) -> (Self, String) {
        let mut bytes = [0; BYTES];
        chance.fill(&mut bytes);
        let letters = BASE32_NOPAD.encode(&bytes).to_ascii_lowercase();
        let secret = format!("{}:{letters}", user.folded());
        (Self { name, at, tag: tag(&secret) }, secret)
    }

    /// Returns the user named in a key.
    pub fn holder(secret: &str) -> Option<UserId> {
        UserId::parse(secret.split_once(':')?.0)
    }

    /// Returns whether `secret` is this key.
    pub fn is(&self, secret: &str) -> bool {
        // Digests are compared, so the duration reveals nothing about the key.
        self.tag == tag(secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::ScriptedRandom;

    #[test]
    fn a_key_is_recognized_and_not_stored() {
        let alice = UserId::parse("Alice").unwrap();
        let chance = &mut ScriptedRandom::counting();
        let (key, secret) = ProgramKey::new(&alice, "bot".into(), Time::from_unix(1), chance);
        let (_, other) = ProgramKey::new(&alice, "bot".into(), Time::from_unix(1), chance);
        assert!(key.is(&secret) && !key.is(&other) && !key.is(""));
        assert_eq!(ProgramKey::holder(&secret), Some(alice));
        let text = serde_json::to_string(&key).unwrap();
        assert!(!text.contains(secret.split_once(':').unwrap().1), "{text}");
    }
}
