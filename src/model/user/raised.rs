//! Raised sessions: an administrator who has sent back a mailed code may use the administrators' pages for a
//! short time, in one browser.

use crate::base::digest::Digest;
use crate::base::time::{Span, Time, minutes};
use serde::{Deserialize, Serialize};

/// How long a session stays raised.
pub const RAISED_TIME: Span = minutes(30);

/// A raised session. The document has only a digest of what the browser must send: its session cookie and
/// a secret in a second cookie. Neither of both is enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaisedSession {
    /// The digest of the session cookie and the secret.
    tag: String,
    /// When it ends.
    pub until: Time,
}

impl RaisedSession {
    /// Builds the session of a browser with this session cookie, from now on.
    pub fn new(cookie: &str, secret: &str, now: Time) -> Self {
        Self { tag: tag(cookie, secret), until: now + RAISED_TIME }
    }

    /// Returns whether a browser with these cookies has the session, and it has not ended.
    pub fn is_of(&self, cookie: &str, secret: &str, now: Time) -> bool {
        // Digests are compared, so that the time tells nothing about the secret.
        now < self.until && self.tag == tag(cookie, secret)
    }
}

/// Neither a cookie nor a secret has a space.
fn tag(cookie: &str, secret: &str) -> String {
    Digest::of(format!("raised {cookie} {secret}")).hex()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::seconds;

    #[test]
    fn a_session_is_raised_for_one_pair_of_cookies_and_half_an_hour() {
        let now = Time::from_unix(1_000);
        let raised = RaisedSession::new("cookie", "secret", now);
        assert!(raised.is_of("cookie", "secret", now + RAISED_TIME - seconds(1)));
        assert!(!raised.is_of("cookie", "secret", now + RAISED_TIME));
        assert!(!raised.is_of("cookie", "", now) && !raised.is_of("cookie", "other", now));
        assert!(!raised.is_of("other", "secret", now));
    }
}
