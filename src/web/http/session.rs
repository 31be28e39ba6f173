//! Signed-in users: a cookie that only this server can write, and that ends with its user's
//! generations.

use crate::base::ids::UserId;
use crate::base::time::{DAY, Span, Time, days, seconds};
use crate::model::token::TokenKey;
use crate::model::user::User;
use crate::model::world::World;
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite};
use data_encoding::HEXLOWER;

/// How long a user stays signed in.
pub(in crate::web) const LASTS: Span = days(60);

/// How long a browser stays known in which a user has signed in.
const KNOWN: Span = days(400);

/// The beginning of the cookie of a visitor who has not signed in: forms need one, too.
const GUEST: &str = "guest.";

impl Site {
    /// The user who has signed in with that cookie. Their document is loaded.
    pub(in crate::web) fn signed_in(
        &self,
        cookie: Option<&str>,
        world: &World,
        now: Time,
    ) -> Option<UserId> {
        let SessionCookie { user, until, token } = SessionCookie::parse(cookie?)?;
        let user = world.user(&user).filter(|_| now < until && until < now + LASTS + days(1))?;
        let user = user_of(&self.parts.setup.key, user, &token, until)?;
        (!user.ended.contains(&until)).then(|| user.id.clone())
    }

    /// The user who has signed in with that browser at some time, even if the session has ended
    /// since. Their document is loaded. Signing out everywhere makes the browser a stranger.
    pub(in crate::web) fn known_to(&self, ask: &WebRequest, world: &World) -> Option<UserId> {
        let SessionCookie { user, until, token } = SessionCookie::parse(ask.known.as_deref()?)?;
        let user = user_of(&self.parts.setup.key, world.user(&user)?, &token, until)?;
        Some(user.id.clone())
    }

    /// The cookie of a user who signs in now. Its end tells it from the user's other cookies.
    pub(in crate::web) fn ticket(&self, user: &User, now: Time) -> String {
        let mut bytes = [0; 4];
        self.chance().fill(&mut bytes);
        let earlier = seconds(i64::from(u32::from_le_bytes(bytes)) % DAY.seconds());
        let mut until = now + LASTS - earlier;
        while user.ended.contains(&until) {
            until = until - seconds(1);
        }
        let generations = [user.tokens, user.sessions];
        let token = self.parts.setup.key.session(&user.id, generations, until);
        format!("{}.{token}.{}", until.unix(), user.id.folded())
    }

    /// A cookie for a visitor who has not signed in.
    pub(in crate::web) fn guest(&self) -> String {
        format!("{GUEST}{}", self.nonce())
    }

    /// Letters that nobody can guess.
    pub(in crate::web) fn nonce(&self) -> String {
        let mut bytes = [0; 16];
        self.chance().fill(&mut bytes);
        HEXLOWER.encode(&bytes)
    }

    /// The token in the forms of a page that is sent to a browser with that cookie.
    pub(in crate::web) fn form_token(&self, cookie: &str) -> String {
        self.parts.setup.key.form_token(cookie)
    }

    /// Where a browser connects to nothing but us, it keeps the cookie from everybody else.
    fn cookie_name(&self) -> &'static str {
        if self.is_encrypted { "__Host-postboard" } else { "postboard" }
    }

    /// Returns our cookie among those of a request; none if it is empty, cannot be read, or comes
    /// twice with different values.
    pub(in crate::web) fn cookie(&self, headers: &HeaderMap) -> Option<String> {
        cookie_named(self.cookie_name(), headers)
    }

    /// The cookie of the session that began last in a browser, which it keeps when the session ends.
    pub(in crate::web) fn known_cookie(&self, headers: &HeaderMap) -> Option<String> {
        cookie_named(&self.known_name(), headers)
    }

    fn known_name(&self) -> String {
        format!("{}-known", self.cookie_name())
    }

    /// The header that makes a browser keep our cookie; forget it, if it is empty.
    pub(in crate::web) fn set_cookie(&self, value: &str) -> HeaderValue {
        let lasts = if value.is_empty() { Span::ZERO } else { LASTS };
        self.header(self.cookie_name().to_owned(), value, lasts)
    }

    /// The header that makes a browser keep by what it is known.
    pub(in crate::web) fn set_known(&self, value: &str) -> HeaderValue {
        self.header(self.known_name(), value, KNOWN)
    }

    fn header(&self, name: String, value: &str, lasts: Span) -> HeaderValue {
        let cookie = Cookie::build((name, value.to_owned()))
            .path("/")
            .http_only(true)
            .secure(self.is_encrypted)
            .same_site(SameSite::Lax)
            .build();
        let text = format!("{cookie}; Max-Age={}", lasts.seconds());
        HeaderValue::from_str(&text).expect("a cookie of ours has letters and digits")
    }
}

/// The user of a session, whether it has ended or not.
fn user_of<'u>(key: &TokenKey, user: &'u User, token: &str, until: Time) -> Option<&'u User> {
    key.is_session(token, &user.id, [user.tokens, user.sessions], until).then_some(user)
}

fn cookie_named(name: &str, headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().map(HeaderValue::as_bytes);
    let pairs = lines.flat_map(|line| line.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
    let name = name.as_bytes();
    let mut ours = pairs.filter_map(|pair| pair.strip_prefix(name)?.strip_prefix(b"="));
    let first = ours.next()?;
    let is_readable = !first.is_empty() && first.iter().all(u8::is_ascii_graphic);
    (is_readable && ours.all(|other| other == first))
        .then(|| String::from_utf8_lossy(first).into_owned())
}

/// The contents of a cookie, not yet checked: `1795348800.abcdefgh.alice`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct SessionCookie {
    pub(in crate::web) user: UserId,
    pub(in crate::web) until: Time,
    pub(in crate::web) token: String,
}

impl SessionCookie {
    pub(in crate::web) fn parse(cookie: &str) -> Option<Self> {
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
