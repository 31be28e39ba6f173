//! Passwords: Argon2id and nothing else.

use crate::base::digest::{Digest, digest};
use crate::base::ids::UserId;
use argon2::password_hash::phc::{Output, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use icu_normalizer::ComposingNormalizerBorrowed;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// How passwords are hashed.
///
/// The memory for this is allocated once and used again. If it were allocated for each hash, other
/// allocations in between would keep the heap from using the same place, and a mail with many
/// passwords would take many times the memory of one.
pub struct Hashing {
    params: Params,
    memory: Mutex<Vec<Block>>,
}

impl fmt::Debug for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hashing")
    }
}

impl Default for Hashing {
    /// 19 MiB, two passes, one lane: the OWASP recommendation.
    fn default() -> Self {
        Self::with(19_456, 2)
    }
}

impl Hashing {
    /// A cheap kind for tests: only its cost is different.
    pub fn quick() -> Self {
        Self::with(8, 1)
    }

    fn with(kibibytes: u32, passes: u32) -> Self {
        let params = Params::new(kibibytes, passes, 1, None).expect("constants within the bounds");
        Self { params, memory: Mutex::default() }
    }

    /// Argon2id's output for a password; none if the parameters or the salt are not valid, or if there
    /// is not enough memory.
    fn output(&self, params: &Params, password: &str, salt: &[u8]) -> Option<Output> {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if memory.len() < params.block_count() {
            // The smaller one goes first, so that there are never two.
            *memory = Vec::new();
            memory.try_reserve_exact(params.block_count()).ok()?;
            memory.resize(params.block_count(), Block::default());
        }
        let mut out = [0; Output::MAX_LENGTH];
        let out = out.get_mut(..params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN))?;
        let password = composed(password);
        argon2
            .hash_password_into_with_memory(password.as_bytes(), salt, out, &mut memory[..])
            .ok()?;
        Output::new(out).ok()
    }

    /// What [`accepts`](Self::accepts) asks for.
    pub const RULE: &str = "6 to 128 characters, without blanks, quotes or colons";

    /// Whether a word can be a password: 6 to 128 printable characters without blank, quote or
    /// colon.
    pub fn accepts(password: &str) -> bool {
        let password = &*composed(password);
        (6..=128).contains(&password.chars().count())
            && !password
                .chars()
                .any(|c| c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | ':'))
    }

    /// The hash to store.
    pub fn hash(&self, password: &str, salt: [u8; 16]) -> String {
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: (&self.params).try_into().expect("three numbers are parameters"),
            salt: Some(Salt::new(&salt).expect("the salt is of the right length")),
            hash: Some(self.output(&self.params, password, &salt).expect("the memory is there")),
        };
        hash.to_string()
    }

    /// Whether a password belongs to a stored hash; without one the answer is no, and takes as
    /// long.
    pub fn verify(&self, password: &str, stored: Option<&str>) -> bool {
        let stored = stored.and_then(|stored| PasswordHash::new(stored).ok()).filter(is_ours);
        let parts =
            stored.and_then(|hash| Some((Params::try_from(&hash).ok()?, hash.salt?, hash.hash?)));
        let Some((params, salt, hash)) = parts else {
            self.hash(password, [0; 16]);
            return false;
        };
        self.output(&params, password, &salt).is_some_and(|output| output == hash)
    }
}

/// Whether it is a hash of the only kind that we make.
fn is_ours(hash: &PasswordHash) -> bool {
    hash.algorithm == Algorithm::Argon2id.ident() && hash.version == Some(Version::V0x13.into())
}

/// The passwords of one mail that were checked: each is hashed only once, however many commands have
/// it.
#[derive(Default)]
pub struct PasswordCache {
    known: HashMap<Digest, bool>,
    /// The users in whose name wrong passwords came that are not counted yet.
    wrong: Vec<UserId>,
}

impl fmt::Debug for PasswordCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordCache")
    }
}

impl PasswordCache {
    /// Whether a password was right, if it was checked.
    pub fn find(&self, user: &UserId, password: &str, stored: Option<&str>) -> Option<bool> {
        self.known.get(&Self::key(user, password, stored)).copied()
    }

    /// Remembers the result of a check.
    pub fn record(&mut self, user: &UserId, password: &str, stored: Option<&str>, right: bool) {
        self.known.insert(Self::key(user, password, stored), right);
        if !right {
            self.wrong.push(user.clone());
        }
    }

    /// The users in whose name wrong passwords came since the last call.
    pub fn take_wrong(&mut self) -> Vec<UserId> {
        std::mem::take(&mut self.wrong)
    }

    /// With the hash, so that a changed password is checked again.
    fn key(user: &UserId, password: &str, stored: Option<&str>) -> Digest {
        digest(format!("{} {password} {stored:?}", user.folded()).as_bytes())
    }
}

/// A password in Unicode's form NFC: some machines send a letter and its accent as one character,
/// some as two.
pub fn composed(password: &str) -> Cow<'_, str> {
    ComposingNormalizerBorrowed::new_nfc().normalize(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_belongs_to_its_own_hash_only() {
        let hashing = Hashing::quick();
        let stored = hashing.hash("secret", [7; 16]);
        assert!(stored.starts_with("$argon2id$v=19$"));
        assert!(hashing.verify("secret", Some(&stored)));
        assert!(!hashing.verify("Secret", Some(&stored)));
        assert!(!hashing.verify("secret", None));
        assert!(!hashing.verify("secret", Some("damaged")));
        assert_ne!(stored, hashing.hash("secret", [8; 16]));
    }

    #[test]
    fn an_accent_is_the_same_however_it_is_typed() {
        let hashing = Hashing::quick();
        let (one, two) = ("gr\u{fc}\u{df}gott", "gru\u{308}\u{df}gott");
        for (chosen, typed) in [(one, two), (two, one)] {
            let stored = hashing.hash(chosen, [7; 16]);
            assert!(hashing.verify(typed, Some(&stored)));
            assert!(!hashing.verify("gru\u{df}gott", Some(&stored)));
        }
        assert!(!Hashing::accepts("gru\u{308}\u{df}e"), "five characters, however typed");
    }

    #[test]
    fn stored_hashes_have_the_recommended_cost() {
        let stored = Hashing::default().hash("secret", [7; 16]);
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
    }

    #[test]
    fn passwords_can_be_typed_and_told_from_other_words() {
        for good in ["secret", "a-b=c/d", "пароль"] {
            assert!(Hashing::accepts(good), "{good}");
        }
        for bad in ["short", "with blank", "quo\"te66", "col:on66", "bell\u{7}66", &"x".repeat(129)]
        {
            assert!(!Hashing::accepts(bad), "{bad}");
        }
    }
}
