//! Requests through the proxies of docs/operating/web.md, with forged headers of a client.

use super::limits::{Served, WIDE};
use crate::support::web::home::WebHome;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::request::Builder;
use axum::http::{HeaderValue, Request};
use postboard::config::WebLimits;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use std::net::SocketAddr;

/// Header lines in order.
pub(super) type Lines = Vec<(&'static str, Vec<u8>)>;

/// A proxy on this machine, as docs/operating/web.md configures it.
#[derive(Clone, Copy, Debug)]
enum Proxy {
    /// Uses `proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for`, which appends the
    /// client's address to the client's header.
    Nginx,
    /// Replaces the `X-Forwarded-*` headers of untrusted clients.
    Caddy,
}

impl Proxy {
    /// Returns the header lines that the server receives for the lines of a client.
    fn passes(self, client: &str, sent: &Lines) -> Lines {
        let is_named = |name: &str| name == "x-forwarded-for";
        let named: Vec<&[u8]> =
            sent.iter().filter(|(name, _)| is_named(name)).map(|(_, value)| &value[..]).collect();
        let kept = |name: &str| match self {
            Self::Nginx => !is_named(name),
            Self::Caddy => !name.starts_with("x-forwarded-"),
        };
        let mut passed: Lines = sent.iter().filter(|(name, _)| kept(name)).cloned().collect();
        match self {
            Self::Nginx => {
                let all = [named, vec![client.as_bytes()]].concat();
                passed.push(("x-forwarded-for", all.join(&b", "[..])));
            }
            Self::Caddy => {
                passed.push(("x-forwarded-for", client.into()));
                passed.push(("x-forwarded-proto", b"https".to_vec()));
                passed.push(("x-forwarded-host", b"games.example.org".to_vec()));
            }
        }
        passed
    }
}

/// Builds a request that a proxy on this machine forwards.
fn through_proxy(path: &str, lines: &Lines) -> Request<Body> {
    let peer: SocketAddr = "127.0.0.1:40000".parse().unwrap();
    let add = |request: Builder, (name, value): &(&'static str, Vec<u8>)| {
        request.header(*name, HeaderValue::from_bytes(value).unwrap())
    };
    let request = lines.iter().fold(Request::get(path), add);
    request.extension(ConnectInfo(peer)).body(Body::empty()).unwrap()
}

/// The values of forged headers, before random changes.
const FORGED: [&[u8]; 16] = [
    b"",
    b"\xff",
    b"127.0.0.1",
    b"::1",
    b"127.0.0.1, 127.0.0.1",
    b"198.51.100.4",
    b"198.51.100.4:80",
    b"[::1]:80",
    b"::ffff:127.0.0.1",
    b"unknown",
    b"for=127.0.0.1;proto=https",
    b"\"127.0.0.1\"",
    b"127.0.0.1,",
    b",127.0.0.1",
    b"1.1 localhost",
    b"localhost\t\xc3\xa9",
];

/// The names of forged headers.
const NAMES: [&str; 8] = [
    "x-forwarded-for",
    "x-forwarded-for",
    "x-forwarded-for",
    "forwarded",
    "x-real-ip",
    "x-forwarded-proto",
    "via",
    "cookie",
];

/// Returns random forged header lines.
pub(super) fn forged(chance: &mut ChaCha20Rng) -> Lines {
    let mut lines = Lines::new();
    for _ in 0..chance.random_range(1..4) {
        let mut value = FORGED.choose(chance).unwrap().to_vec();
        for _ in 0..chance.random_range(0..4) {
            // All bytes that a header value may contain.
            let byte = [b'\t', b',', b' ', b':', b'.', chance.random_range(32..127)];
            let byte = [&byte[..], &[chance.random_range(128..=255)]].concat();
            value.insert(chance.random_range(0..=value.len()), *byte.choose(chance).unwrap());
        }
        // Proxies strip the blanks around a value.
        lines.push((*NAMES.choose(chance).unwrap(), value.trim_ascii().to_vec()));
    }
    lines
}

#[test]
fn limits_per_client_hold_for_ten_thousand_forged_headers() {
    let town = WebHome::bounded(&WebLimits { per_network: 1, ..WIDE }, true);
    town.say("malaka challenge alice bob");
    let mut chance = ChaCha20Rng::seed_from_u64(20);
    for (busy, free) in [("192.0.2.7", "192.0.2.8"), ("2001:db8::1:2", "2001:db8:0:1::1")] {
        // The busy client uses up its limit.
        let held = Proxy::Nginx.passes(busy, &Lines::new());
        let (status, _body) = town.listen(through_proxy("/events?board=malaka+1", &held));
        assert_eq!(status, 200);
        for _ in 0..2_500 {
            let sent = forged(&mut chance);
            for proxy in [Proxy::Nginx, Proxy::Caddy] {
                let answer = town.send(through_proxy("/metrics", &proxy.passes(busy, &sent)));
                assert_eq!(answer.status, 429, "{proxy:?} {sent:?}");
                let answer = town.send(through_proxy("/metrics", &proxy.passes(free, &sent)));
                assert_eq!(answer.status, 404, "{proxy:?} {sent:?}");
            }
        }
    }
}

#[test]
fn an_unreadable_client_has_limits_and_no_metrics() {
    let town = WebHome::bounded(&WebLimits { per_network: 1, ..WIDE }, true);
    town.say("malaka challenge alice bob");
    let lines = |value: &[u8]| vec![("x-forwarded-for", value.to_vec())];
    let held = lines(b"\xff");
    let (status, body) = town.listen(through_proxy("/events?board=malaka+1", &held));
    assert_eq!(status, 200);
    // All clients with unreadable addresses count as one client.
    for value in [&b"\xff"[..], b"unknown", b"", b"192.0.2.7, nonsense"] {
        assert_eq!(town.send(through_proxy("/", &lines(value))).status, 429, "{value:?}");
    }
    drop(body);
    for name in ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-proto"] {
        for value in [&b"\xff"[..], b"127.0.0.1", b"::1", b""] {
            let answer = town.send(through_proxy("/metrics", &vec![(name, value.to_vec())]));
            assert_eq!(answer.status, 404, "{name}: {value:?}");
        }
    }
    assert_eq!(town.send(through_proxy("/metrics", &Lines::new())).status, 200);
}

#[test]
fn a_request_names_one_host() {
    let served = Served::over(&WIDE, false, None);
    for (path, word) in [("/help", "one Host header"), ("/api/v1/games", "\"error\"")] {
        for (version, hosts, status) in [
            ("1.1", "", 400),
            ("1.1", "Host: x\r\nHost: x\r\n", 400),
            ("1.1", "Host: x\r\nHost: y\r\n", 400),
            ("1.0", "Host: x\r\nHost: y\r\n", 400),
            ("1.1", "Host: x y\r\n", 400),
            ("1.1", "Host: me@x\r\n", 400),
            ("1.1", "Host: \u{e9}\r\n", 400),
            ("1.1", "Host:\r\n", 400),
            ("1.1", "Host: x:8080\r\n", 200),
            ("1.1", "Host: [::1]:8080\r\n", 200),
            ("1.0", "", 200),
        ] {
            let reply = served
                .said(&format!("GET {path} HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n"));
            assert!(reply.contains(&format!(" {status} ")), "{hosts}: {reply}");
            assert_eq!(reply.contains(word), status == 400, "{hosts}: {reply}");
            assert!(reply.contains("content-security-policy"), "{hosts}: {reply}");
        }
    }
}

#[test]
fn keys_and_origins_that_cannot_be_read_are_refused() {
    let town = WebHome::new();
    for (name, values) in [
        ("authorization", &[&b"Bearer alice:\xff"[..]][..]),
        ("authorization", &[b"Bearer a-token", b"Bearer a-token"]),
        ("origin", &[b"https://games.example.org", b"https://evil.example"]),
        ("origin", &[b"\xff"]),
    ] {
        for path in ["/metrics", "/api/v1/games"] {
            let lines = values.iter().map(|value| (name, value.to_vec())).collect();
            let reply = town.send(through_proxy(path, &lines));
            assert_eq!(reply.status, 400, "{path} {values:?}: {}", reply.body);
        }
    }
}
