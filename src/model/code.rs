//! Confirmation codes: a person who sends one back has read a mail that went to a certain address.
//!
//! A code is `alice-abcdefghijklmnop`: a userid and 80 random bits. It is mailed and forgotten;
//! the server keeps a tag of it that belongs to one user, one purpose and one day.

use crate::base::chance::RandomSource;
use crate::base::ids::UserId;
use crate::base::time::{DAY, Span, Time, minutes};
use crate::mail::Address;
use data_encoding::{BASE32_NOPAD, HEXLOWER};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;

/// A code as it is mailed.
#[derive(Clone, PartialEq, Eq)]
pub struct OneTimeCode(String);

/// How long the link of a mail can be used to sign in.
pub const SIGN_IN_TIME: Span = minutes(20);

/// Random bytes of a code: 80 bits, 16 letters.
const BYTES: usize = 10;

/// What a code lets its reader do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CodePurpose {
    /// Choose a new password.
    Password,
    /// Sign in with a browser.
    SignIn,
    /// Leave.
    Signoff,
    /// Leave, and have what is stored erased.
    Delete,
    /// Have mails sent to an address.
    Address {
        /// Which address; the code was mailed there.
        address: Address,
        /// Whether it takes the place of all addresses until now.
        replaces: bool,
    },
}

/// A code that was mailed and not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PendingCode {
    /// What it is for.
    #[serde(rename = "for")]
    pub purpose: CodePurpose,
    /// When it was mailed.
    pub at: Time,
    /// By what the code is known again; none once it is void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
}

impl OneTimeCode {
    /// A new code for a user.
    pub fn new(user: &UserId, chance: &mut dyn RandomSource) -> Self {
        let mut bytes = [0; BYTES];
        chance.fill(&mut bytes);
        let letters = BASE32_NOPAD.encode(&bytes).to_ascii_lowercase();
        Self(format!("{}-{letters}", user.folded()))
    }

    /// The code, for the one mail that contains it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for OneTimeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(..)")
    }
}

/// The user that a word would have been made for, if it looks like a code.
pub fn holder(word: &str) -> Option<UserId> {
    UserId::parse(word.rsplit_once('-')?.0)
}

impl CodePurpose {
    /// Whether both are of the same kind, whatever the address.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// How long a code for that is good.
    fn lasts(&self) -> Span {
        if *self == Self::SignIn { SIGN_IN_TIME } else { DAY }
    }

    fn label(&self) -> String {
        match self {
            Self::Password => "password".into(),
            Self::SignIn => "signin".into(),
            Self::Signoff => "signoff".into(),
            Self::Delete => "delete".into(),
            Self::Address { address, .. } => {
                format!("address {}", address.as_str().to_ascii_lowercase())
            }
        }
    }
}

impl PendingCode {
    /// The part of a code that is kept.
    pub fn new(code: &OneTimeCode, user: &UserId, purpose: CodePurpose, at: Time) -> Self {
        let tag = mac(&code.0, user, &purpose).finalize().into_bytes();
        Self { purpose, at, tag: Some(HEXLOWER.encode(&tag)) }
    }

    /// Whether a code is the one that was mailed, compared in constant time, and still good.
    pub fn fits(&self, word: &str, user: &UserId, now: Time) -> bool {
        let is_good = self.at > now - self.purpose.lasts();
        let tag = self.tag.as_ref().filter(|_| is_good);
        let tag = tag.and_then(|tag| HEXLOWER.decode(tag.as_bytes()).ok());
        tag.is_some_and(|tag| mac(word, user, &self.purpose).verify_slice(&tag).is_ok())
    }

    /// Whether it was mailed within a day.
    pub fn is_recent(&self, now: Time) -> bool {
        self.at > now - DAY
    }

    /// Makes the code useless; that it was mailed is remembered.
    pub fn void(&mut self) {
        self.tag = None;
    }

    /// Whether the code can still be used.
    pub fn is_open(&self) -> bool {
        self.tag.is_some()
    }
}

/// The code is random enough that nobody finds it from its tag, whatever the key.
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
    fn a_word_fits_its_user_its_purpose_and_its_day_only() {
        let (alice, chance) = (id("Alice"), &mut ScriptedRandom::counting());
        let word = OneTimeCode::new(&alice, chance);
        let other = OneTimeCode::new(&alice, chance);
        assert_ne!(word, other);
        assert_eq!(holder(word.as_str()), Some(id("alice")));
        let now = Time::from_unix(1000);
        let pending = PendingCode::new(&word, &alice, CodePurpose::Password, now);
        assert!(pending.fits(&word.as_str().to_uppercase(), &id("alice"), now + DAY - seconds(1)));
        assert!(!pending.fits(word.as_str(), &alice, now + DAY));
        assert!(!pending.fits(word.as_str(), &id("bob"), now));
        assert!(!pending.fits(other.as_str(), &alice, now));
        let moved = PendingCode { purpose: CodePurpose::Signoff, ..pending.clone() };
        assert!(!moved.fits(word.as_str(), &alice, now));
        let mut void = pending;
        void.void();
        assert!(!void.fits(word.as_str(), &alice, now));
    }

    #[test]
    fn a_word_is_in_no_text_but_its_own() {
        let alice = id("alice");
        let word = OneTimeCode::new(&alice, &mut ScriptedRandom::counting());
        let pending = PendingCode::new(&word, &alice, CodePurpose::Delete, Time::EPOCH);
        let secret = word.as_str().rsplit_once('-').unwrap().1;
        let shown = format!("{word:?} {pending:?} {}", serde_json::to_string(&pending).unwrap());
        assert!(!shown.contains(secret), "{shown}");
    }

    #[test]
    fn a_userid_with_dashes_is_found_in_its_word() {
        let user = id("bob.the-3rd");
        assert_eq!(
            holder(OneTimeCode::new(&user, &mut ScriptedRandom::counting()).as_str()),
            Some(user)
        );
        for odd in ["", "alice", "-x", "1-x"] {
            assert_eq!(holder(odd), None, "{odd}");
        }
    }
}
