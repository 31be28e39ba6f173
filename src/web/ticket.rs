//! What the cookie of somebody says who has signed in.

use crate::base::ids::UserId;
use crate::base::time::Time;

/// The contents of a cookie, not yet checked: `1795348800.abcdefgh.alice`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SessionCookie {
    pub(super) user: UserId,
    pub(super) until: Time,
    pub(super) token: String,
}

impl SessionCookie {
    pub(super) fn parse(cookie: &str) -> Option<Self> {
        let (until, rest) = cookie.split_once('.')?;
        let (token, user) = rest.split_once('.')?;
        let until = until.parse().ok().map(Time::from_unix)?;
        Some(Self { user: UserId::parse(user)?, until, token: token.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_cookies_are_nobodys() {
        for odd in ["", ".", "..", "1.a", "x.abc.alice", "1.abc.", "1.abc.al ice", "guest.0a0b"] {
            assert_eq!(SessionCookie::parse(odd), None, "{odd}");
        }
        let dotted = SessionCookie::parse("7.abc.bob.the-3rd").unwrap();
        assert_eq!((dotted.user.as_str(), &*dotted.token), ("bob.the-3rd", "abc"));
    }
}
