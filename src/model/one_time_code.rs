//! One-time codes. A person who sends a code back has read the mail with it.
//!
//! A code is `alice-abcdefghijklmnop`: a userid and 80 random bits. The code is mailed and
//! forgotten; the server keeps a tag (an HMAC), which is valid for one user, one purpose and one
//! day.

use crate::base::chance::RandomSource;
use crate::base::ids::UserId;
use crate::base::time::{DAY, Span, Time, minutes};
use crate::mail::Address;
use data_encoding::{BASE32_NOPAD, HEXLOWER};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;

/// A code in clear, for the mail.
#[derive(Clone, PartialEq, Eq)]
pub struct OneTimeCode(String);

/// How long a sign-in link is valid.
pub const SIGN_IN_TIME: Span = minutes(20);

/// How long the code of an administrator is valid.
pub const ADMINISTER_TIME: Span = minutes(10);

/// Random bytes of a code: 80 bits, 16 letters.
const BYTES: usize = 10;

/// The permission that a code grants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodePurpose {
    /// Choose a new password.
    Password,
    /// Sign in with a browser.
    SignIn,
    /// Enter the administrators' pages, or do something there that cannot be undone.
    Administer {
        /// What is done, in words that name its subject.
        what: String,
    },
    /// Leave the server.
    Signoff,
    /// Leave the server and have the stored data erased.
    Delete,
    /// Use an address.
    Address {
        /// The address, to which the code was mailed.
        address: Address,
        /// Whether it replaces all present addresses.
        replaces: bool,
    },
}

/// A mailed code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PendingCode {
    /// The purpose.
    #[serde(rename = "for")]
    pub purpose: CodePurpose,
    /// When the code was mailed.
    pub at: Time,
    /// The tag of the code; `None` once the code is void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
}

impl OneTimeCode {
    /// Creates a code for a user.
    pub fn new(user: &UserId, chance: &mut dyn RandomSource) -> Self {
        let mut bytes = [0; BYTES];
        chance.fill(&mut bytes);
        let letters = BASE32_NOPAD.encode(&bytes).to_ascii_lowercase();
        Self(format!("{}-{letters}", user.folded()))
    }

    /// Returns the code in clear, for the one mail that contains it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for OneTimeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(..)")
    }
}

/// Returns the user named in a code, if the word has the shape of a code.
pub fn code_holder(word: &str) -> Option<UserId> {
    UserId::parse(word.rsplit_once('-')?.0)
}

impl CodePurpose {
    /// Returns whether both purposes are of the same kind, whatever the address.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Returns whether a code for this purpose may be used for `wanted`: an administrator's code is for one act
    /// alone.
    pub fn grants(&self, wanted: &Self) -> bool {
        match self {
            Self::Administer { .. } => self == wanted,
            Self::Password | Self::SignIn | Self::Signoff | Self::Delete | Self::Address { .. } => {
                self.is_like(wanted)
            }
        }
    }

    /// Returns how long a code for this purpose is valid.
    fn lasts(&self) -> Span {
        match self {
            Self::SignIn => SIGN_IN_TIME,
            Self::Administer { .. } => ADMINISTER_TIME,
            Self::Password | Self::Signoff | Self::Delete | Self::Address { .. } => DAY,
        }
    }

    fn label(&self) -> String {
        match self {
            Self::Password => "password".into(),
            Self::SignIn => "signin".into(),
            Self::Administer { what } => format!("administer {what}"),
            Self::Signoff => "signoff".into(),
            Self::Delete => "delete".into(),
            Self::Address { address, .. } => {
                format!("address {}", address.as_str().to_ascii_lowercase())
            }
        }
    }
}

impl PendingCode {
    /// Derives the stored part of a code.
    pub fn new(code: &OneTimeCode, user: &UserId, purpose: CodePurpose, at: Time) -> Self {
        let tag = mac(&code.0, user, &purpose).finalize().into_bytes();
        Self { purpose, at, tag: Some(HEXLOWER.encode(&tag)) }
    }

    /// Returns whether `word` is the mailed code and still valid. Compares in constant time.
    pub fn fits(&self, word: &str, user: &UserId, now: Time) -> bool {
        let is_good = self.at > now - self.purpose.lasts();
        let tag = self.tag.as_ref().filter(|_| is_good);
        let tag = tag.and_then(|tag| HEXLOWER.decode(tag.as_bytes()).ok());
        tag.is_some_and(|tag| mac(word, user, &self.purpose).verify_slice(&tag).is_ok())
    }

    /// Returns whether the code was mailed within a day.
    pub fn is_recent(&self, now: Time) -> bool {
        self.at > now - DAY
    }

    /// Voids the code. It still counts as mailed.
    pub fn void(&mut self) {
        self.tag = None;
    }

    /// Returns whether the code is not void.
    pub fn is_open(&self) -> bool {
        self.tag.is_some()
    }
}

/// The code itself has enough entropy, so the key need not be secret.
fn mac(word: &str, user: &UserId, purpose: &CodePurpose) -> Hmac<Sha256> {
    let key = user.folded();
    let mut mac = Hmac::new_from_slice(key.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(format!("{} {}", purpose.label(), word.to_ascii_lowercase()).as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::ScriptedRandom;
    use crate::base::time::seconds;

    fn id(name: &str) -> UserId {
        UserId::parse(name).unwrap()
    }

    #[test]
    fn a_code_fits_its_user_its_purpose_and_its_day_only() {
        let (alice, chance) = (id("Alice"), &mut ScriptedRandom::counting());
        let code = OneTimeCode::new(&alice, chance);
        let other = OneTimeCode::new(&alice, chance);
        assert_ne!(code, other);
        assert_eq!(code_holder(code.as_str()), Some(id("alice")));
        let now = Time::from_unix(1000);
        let pending = PendingCode::new(&code, &alice, CodePurpose::Password, now);
        assert!(pending.fits(&code.as_str().to_uppercase(), &id("alice"), now + DAY - seconds(1)));
        assert!(!pending.fits(code.as_str(), &alice, now + DAY));
        assert!(!pending.fits(code.as_str(), &id("bob"), now));
        assert!(!pending.fits(other.as_str(), &alice, now));
        let moved = PendingCode { purpose: CodePurpose::Signoff, ..pending.clone() };
        assert!(!moved.fits(code.as_str(), &alice, now));
        let mut void = pending;
        void.void();
        assert!(!void.fits(code.as_str(), &alice, now));
    }

    #[test]
    fn debug_output_and_documents_do_not_contain_the_code() {
        let alice = id("alice");
        let code = OneTimeCode::new(&alice, &mut ScriptedRandom::counting());
        let pending = PendingCode::new(&code, &alice, CodePurpose::Delete, Time::EPOCH);
        let secret = code.as_str().rsplit_once('-').unwrap().1;
        let shown = format!("{code:?} {pending:?} {}", serde_json::to_string(&pending).unwrap());
        assert!(!shown.contains(secret), "{shown}");
    }

    #[test]
    fn a_userid_with_dashes_is_found_in_its_code() {
        let user = id("bob.the-3rd");
        assert_eq!(
            code_holder(OneTimeCode::new(&user, &mut ScriptedRandom::counting()).as_str()),
            Some(user)
        );
        for odd in ["", "alice", "-x", "1-x"] {
            assert_eq!(code_holder(odd), None, "{odd}");
        }
    }
}
