//! Passwords, hashed with Argon2id.

use crate::base::digest::Digest;
use crate::base::ids::UserId;
use argon2::password_hash::phc::{Output, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use icu_normalizer::ComposingNormalizerBorrowed;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// A hash function for passwords.
///
/// Its memory is allocated once and reused. Allocated anew for each hash, it would fragment the
/// heap, and a mail with many passwords would take many times the memory.
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
    /// Returns the OWASP recommendation: 19 MiB, two passes, one lane.
    fn default() -> Self {
        Self::with(19_456, 2)
    }
}

impl Hashing {
    /// Returns a cheap variant for tests. Only its cost differs.
    pub fn quick() -> Self {
        Self::with(8, 1)
    }

    fn with(kibibytes: u32, passes: u32) -> Self {
        let params = Params::new(kibibytes, passes, 1, None).expect("constants within the bounds");
        Self { params, memory: Mutex::default() }
    }

    /// Returns Argon2id's output for a password. None if the parameters or the salt are invalid, or
    /// if memory is short.
    fn output(&self, params: &Params, password: &str, salt: &[u8]) -> Option<Output> {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if memory.len() < params.block_count() {
            // Free the smaller block first, so that there are never two.
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

    /// The rule of [`accepts`](Self::accepts), in words.
    pub const RULE: &str = "6 to 128 characters, without blanks, quotes or colons";

    /// Returns whether a word can be a password: 6 to 128 printable characters without blank, quote
    /// or colon.
    pub fn accepts(password: &str) -> bool {
        let password = &*composed(password);
        (6..=128).contains(&password.chars().count())
            && !password
                .chars()
                .any(|c| c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | ':'))
    }

    /// Returns the hash to store.
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

    /// Returns whether a password matches a stored hash. Without a stored hash it returns false after
    /// the same time, so that nobody learns which userids exist.
    pub fn verify(&self, password: &str, stored: Option<&str>) -> bool {
        let stored = stored.and_then(|stored| PasswordHash::new(stored).ok()).filter(is_ours);
        let parts =
            stored.and_then(|hash| Some((Params::try_from(&hash).ok()?, hash.salt?, hash.hash?)));
        let Some((params, salt, hash)) = parts else {
            let _ = self.output(&self.params, password, &[0; 16]);
            return false;
        };
        self.output(&params, password, &salt).is_some_and(|output| output == hash)
    }
}

/// Returns whether a hash is of the only kind that we make.
fn is_ours(hash: &PasswordHash) -> bool {
    hash.algorithm == Algorithm::Argon2id.ident() && hash.version == Some(Version::V0x13.into())
}

/// Results of the password checks of one mail: each password is hashed once, however many commands
/// contain it.
#[derive(Default)]
pub struct PasswordCache {
    known: HashMap<Digest, bool>,
    /// The users of wrong passwords since the last call of `take_wrong`, one for each wrong password.
    wrong: Vec<UserId>,
}

impl fmt::Debug for PasswordCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordCache")
    }
}

impl PasswordCache {
    /// Returns the result of an earlier check.
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

    /// Takes the users of wrong passwords since the last call.
    pub fn take_wrong(&mut self) -> Vec<UserId> {
        std::mem::take(&mut self.wrong)
    }

    /// Returns the key of a check. It includes the hash, so that a changed password is checked
    /// again.
    fn key(user: &UserId, password: &str, stored: Option<&str>) -> Digest {
        Digest::of(format!("{} {password} {stored:?}", user.folded()))
    }
}

/// Returns a password in Unicode's form NFC. Some machines send a letter and its accent as one
/// character, some as two.
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
