//! Cookies and sessions. A session cookie is an HMAC that only this server can make; the home keeps
//! nothing about it. It ends when the user's generations change.

use super::request::WebRequest;
use crate::base::ids::UserId;
use crate::base::time::{DAY, Span, Time, days, seconds};
use crate::model::token::SessionGenerations;
use crate::model::user::{RAISED_TIME, User};
use crate::model::world::World;
use crate::web::site::{Site, random_name};
use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite};

/// How long a user stays signed in.
const SESSION_LIFETIME: Span = days(60);

/// How long we know a browser where a user has signed in.
const KNOWN_LIFETIME: Span = days(400);

/// The name of the cookie by which a browser flips one board.
const FLIP_COOKIE: &str = "postboard-flip";

/// The path of the administrators' pages.
const ADMINISTRATION: &str = "/admin";

/// The prefix of the cookie of a visitor who has not signed in. The tokens of their forms need a cookie.
const VISITOR: &str = "guest.";

/// The contents of a session cookie, not yet verified: `1795348800.abcdefgh.alice`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionCookie {
    pub(crate) user: UserId,
    pub(crate) until: Time,
    pub(crate) token: String,
}

impl SessionCookie {
    pub(crate) fn parse(cookie: &str) -> Option<Self> {
        let (until, rest) = cookie.split_once('.')?;
        let (token, user) = rest.split_once('.')?;
        let until = until.parse().ok().map(Time::from_unix)?;
        Some(Self { user: UserId::parse(user)?, until, token: token.to_owned() })
    }
}

/// Returns the generations that the sessions of a user depend on.
pub(crate) fn generations(user: &User) -> SessionGenerations {
    SessionGenerations { tokens: user.tokens, sessions: user.sessions }
}

/// Returns whether a request comes from the raised session of its viewer. Their document must be loaded.
pub(crate) fn is_raised(request: &WebRequest, viewer: &User, now: Time) -> bool {
    let (cookie, secret) = (request.cookie.as_deref(), request.raised_cookie.as_deref());
    let raised = viewer.raised.as_ref().zip(cookie.zip(secret));
    raised.is_some_and(|(raised, (cookie, secret))| raised.is_of(cookie, secret, now))
}

impl Site {
    /// Returns the user of a session that has not ended. The user's document must be loaded.
    pub(crate) fn session_user(
        &self,
        cookie: &SessionCookie,
        world: &World,
        now: Time,
    ) -> Option<UserId> {
        let until = cookie.until;
        let is_current = now < until && until < now + SESSION_LIFETIME + days(1);
        let user = self.user_of(cookie, world).filter(|_| is_current)?;
        (!user.ended.contains(&until)).then(|| user.id.clone())
    }

    /// Returns the user who has signed in with this browser before, even if the session has ended.
    /// Signing out everywhere makes the browser unknown. The user's document must be loaded.
    pub(crate) fn known_user(&self, request: &WebRequest, world: &World) -> Option<UserId> {
        let cookie = SessionCookie::parse(request.known_cookie.as_deref()?)?;
        self.user_of(&cookie, world).map(|user| user.id.clone())
    }

    /// Returns the user of a genuine cookie, whether its session has ended or not.
    fn user_of<'w>(&self, cookie: &SessionCookie, world: &'w World) -> Option<&'w User> {
        let user = world.user(&cookie.user)?;
        let key = &self.parts.setup.key;
        key.is_session(&cookie.token, &user.id, generations(user), cookie.until).then_some(user)
    }

    /// Makes a session cookie. Its expiry is random within a day, which distinguishes it from the
    /// user's other cookies.
    pub(crate) fn new_session_cookie(&self, user: &User, now: Time) -> String {
        let mut bytes = [0; 4];
        self.chance().fill(&mut bytes);
        let earlier = seconds(i64::from(u32::from_le_bytes(bytes)) % DAY.seconds());
        let mut until = now + SESSION_LIFETIME - earlier;
        while user.ended.contains(&until) {
            until = until - seconds(1);
        }
        let token = self.parts.setup.key.session(&user.id, generations(user), until);
        format!("{}.{token}.{}", until.unix(), user.id.folded())
    }

    /// Makes a cookie for a visitor who has not signed in.
    pub(crate) fn new_visitor_cookie(&self) -> String {
        format!("{VISITOR}{}", self.nonce())
    }

    /// Returns 16 random bytes in hexadecimal.
    pub(crate) fn nonce(&self) -> String {
        random_name(&mut **self.chance())
    }

    /// The browser sends this cookie to the administrators' pages alone, and never after a link of another
    /// site.
    fn raised_cookie_name(&self) -> &'static str {
        if self.is_encrypted { "__Secure-postboard-raised" } else { "postboard-raised" }
    }

    /// Returns the session cookie of a request.
    pub(crate) fn session_cookie(&self, headers: &HeaderMap) -> Option<String> {
        cookie_value(session_cookie_name(self.is_encrypted), headers)
    }

    /// Returns the cookie of the latest session of a browser, which stays when the session ends.
    pub(crate) fn known_cookie(&self, headers: &HeaderMap) -> Option<String> {
        cookie_value(&known_cookie_name(self.is_encrypted), headers)
    }

    /// Returns the secret of a raised session.
    pub(crate) fn raised_cookie(&self, headers: &HeaderMap) -> Option<String> {
        cookie_value(self.raised_cookie_name(), headers)
    }

    /// Returns the `Set-Cookie` header with the secret of a raised session. An empty value deletes it.
    pub(crate) fn set_raised_cookie(&self, secret: &str) -> HeaderValue {
        let lifetime = if secret.is_empty() { Span::ZERO } else { RAISED_TIME };
        let name = self.raised_cookie_name().to_owned();
        let same_site = SameSite::Strict;
        cookie_header(name, secret, ADMINISTRATION, same_site, lifetime, self.is_encrypted)
    }

    /// Returns the `Set-Cookie` header of the session cookie. An empty value deletes it.
    pub(crate) fn set_session_cookie(&self, value: &str) -> HeaderValue {
        let lifetime = if value.is_empty() { Span::ZERO } else { SESSION_LIFETIME };
        let name = session_cookie_name(self.is_encrypted).to_owned();
        cookie_header(name, value, "/", SameSite::Lax, lifetime, self.is_encrypted)
    }

    /// Returns the `Set-Cookie` header that flips the board at a path, or turns it back. The browser
    /// sends the cookie for this board alone.
    pub(crate) fn set_flip_cookie(&self, path: &str, is_flipped: bool) -> HeaderValue {
        let lifetime = if is_flipped { KNOWN_LIFETIME } else { Span::ZERO };
        let (name, same_site) = (FLIP_COOKIE.to_owned(), SameSite::Lax);
        cookie_header(name, "yes", path, same_site, lifetime, self.is_encrypted)
    }
}

/// Returns the `Set-Cookie` headers of a new session, at a site that is reached by `https` or not: of the
/// session cookie, and of the cookie by which we know the browser later.
pub(crate) fn session_cookies(value: &str, is_encrypted: bool) -> [HeaderValue; 2] {
    let session = (session_cookie_name(is_encrypted).to_owned(), SESSION_LIFETIME);
    let known = (known_cookie_name(is_encrypted), KNOWN_LIFETIME);
    [session, known].map(|(name, lifetime)| {
        cookie_header(name, value, "/", SameSite::Lax, lifetime, is_encrypted)
    })
}

/// Returns the name of the session cookie. Over TLS its prefix binds it to this host.
fn session_cookie_name(is_encrypted: bool) -> &'static str {
    if is_encrypted { "__Host-postboard" } else { "postboard" }
}

/// Returns the name of the cookie by which we know a browser.
fn known_cookie_name(is_encrypted: bool) -> String {
    format!("{}-known", session_cookie_name(is_encrypted))
}

/// Returns the `Set-Cookie` header of a cookie.
fn cookie_header(
    name: String,
    value: &str,
    path: &str,
    same_site: SameSite,
    lifetime: Span,
    is_encrypted: bool,
) -> HeaderValue {
    let cookie = Cookie::build((name, value.to_owned()))
        .path(path.to_owned())
        .http_only(true)
        .secure(is_encrypted)
        .same_site(same_site)
        .build();
    let text = format!("{cookie}; Max-Age={}", lifetime.seconds());
    HeaderValue::from_str(&text).expect("a cookie of ours has letters and digits")
}

/// Returns whether a request comes from a browser in which the board of its path is flipped.
pub(crate) fn is_flipped(headers: &HeaderMap) -> bool {
    cookie_value(FLIP_COOKIE, headers).is_some()
}

/// Returns the value of a cookie, or `None` if it is empty, unreadable, or repeated with different values.
fn cookie_value(name: &str, headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().map(HeaderValue::as_bytes);
    let pairs = lines.flat_map(|line| line.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
    let name = name.as_bytes();
    let mut values = pairs.filter_map(|pair| pair.strip_prefix(name)?.strip_prefix(b"="));
    let first = values.next()?;
    let is_readable = !first.is_empty() && first.iter().all(u8::is_ascii_graphic);
    (is_readable && values.all(|other| other == first))
        .then(|| String::from_utf8_lossy(first).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_cookies_are_no_sessions() {
        for cookie in ["", ".", "..", "1.a", "x.abc.alice", "1.abc.", "1.abc.al ice", "guest.0a0b"]
        {
            assert_eq!(SessionCookie::parse(cookie), None, "{cookie}");
        }
        let dotted = SessionCookie::parse("7.abc.bob.the-3rd").unwrap();
        assert_eq!((dotted.user.as_str(), &*dotted.token), ("bob.the-3rd", "abc"));
    }
}
