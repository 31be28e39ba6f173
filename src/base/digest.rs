//! Digests of contents.

use sha2::{Digest as _, Sha256};

/// The digest by which contents are compared: SHA-256.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
