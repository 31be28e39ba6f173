//! SHA-256 digests.

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;

/// The SHA-256 of some content, which identifies it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the digest of concatenated parts.
    pub fn of_all<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut sum = Sha256::new();
        parts.into_iter().for_each(|part| sum.update(part));
        Self(sum.finalize().into())
    }

    /// Returns all 64 hex digits.
    pub fn hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    /// Returns the first 32 hex digits, enough for a name.
    pub fn short(&self) -> String {
        HEXLOWER.encode(&self.0[..16])
    }

    /// Parses 64 hex digits.
    pub fn from_hex(hex: &str) -> Option<Self> {
        HEXLOWER.decode(hex.as_bytes()).ok()?.try_into().ok().map(Self)
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl Deref for Digest {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// A digest compares and hashes like its bytes.
impl Borrow<[u8]> for Digest {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_known_by_its_digits() {
        let abc = Digest::of("abc");
        assert!(abc.hex().starts_with("ba7816bf8f01cfea414140de5dae2223"));
        assert_eq!(abc.short(), abc.hex()[..32]);
        assert_eq!(Digest::from_hex(&abc.hex()), Some(abc));
        assert_eq!(Digest::from_hex("ba"), None);
        assert_eq!(Digest::of_all([&b"a"[..], b"bc"]), abc);
    }
}
