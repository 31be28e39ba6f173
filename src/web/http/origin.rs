//! The user and the client behind a request.

use crate::base::network::Network;
use crate::web::http::request::WebRequest;
use crate::web::site::Site;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderValue, header};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

impl WebRequest {
    /// Reads what a request asks.
    pub(in crate::web) fn read(parts: &Parts, site: &Site) -> Self {
        let headers = &parts.headers;
        let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let mut query = BTreeMap::new();
        for (name, value) in pairs {
            query.entry(name.into_owned()).or_insert_with(|| value.into_owned());
        }
        let has = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let origin = site.origin(headers, &parts.extensions);
        let path = parts.uri.path().to_owned();
        let is_program = path.starts_with("/api/");
        let key = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let key = key.and_then(|key| key.strip_prefix("Bearer ")).unwrap_or_default();
        Self {
            path,
            query,
            has: has.map(str::to_owned),
            cookie: site.cookie(headers).filter(|_| !is_program),
            known: site.known_cookie(headers).filter(|_| !is_program),
            key: is_program.then(|| key.to_owned()),
            network: origin.address.into(),
            place: origin.counted_network(),
        }
    }
}

/// Headers that only proxies write: a request with one of them did not come straight from its client.
const PROXY_HEADERS: [&str; 7] = [
    "x-forwarded-for",
    "forwarded",
    "via",
    "x-real-ip",
    "x-forwarded-proto",
    "x-forwarded-host",
    "x-forwarded-server",
];

/// The address that counts as the client of every request whose client cannot be read.
const STRANGER: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// The client of a request, as the connection and our proxies show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::web) struct RequestOrigin {
    /// The client's address.
    pub(in crate::web) address: IpAddr,
    /// Whether a proxy passed the request on.
    is_forwarded: bool,
    /// Whether the other end of the connection is a proxy of ours.
    is_from_proxy: bool,
}

impl RequestOrigin {
    /// Reads the origin of a request that came from `peer`.
    fn read(peer: IpAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> Self {
        let is_ours = |address: &IpAddr| proxies.contains(&address.to_canonical());
        let is_forwarded = PROXY_HEADERS.iter().any(|name| headers.contains_key(*name));
        let is_from_proxy = is_ours(&peer);
        let address = if is_from_proxy && is_forwarded {
            client(headers, is_ours)
        } else {
            peer.to_canonical()
        };
        Self { address, is_forwarded, is_from_proxy }
    }

    /// Whether a program on this machine asks, without any proxy between.
    pub(in crate::web) fn is_this_machine(self) -> bool {
        !self.is_forwarded && self.address.is_loopback()
    }

    /// The network whose requests are counted together with this one; none for a request that a
    /// machine of ours makes itself.
    pub(in crate::web) fn counted_network(self) -> Option<Network> {
        (self.is_forwarded || !self.is_from_proxy).then(|| self.address.into())
    }
}

/// The client that our proxies name: the last address, read from the right, that is no proxy of
/// ours. What cannot be read there is a stranger.
fn client(headers: &HeaderMap, is_ours: impl Fn(&IpAddr) -> bool) -> IpAddr {
    let lines = headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes);
    let mut named: Vec<&[u8]> = lines.flat_map(|line| line.split(|byte| *byte == b',')).collect();
    let mut last = STRANGER;
    while let Some(word) = named.pop() {
        match forwarded_address(word) {
            Some(address) if is_ours(&address) => last = address,
            Some(address) => return address,
            None => return STRANGER,
        }
    }
    last
}

/// Reads an address as proxies write it, perhaps with a port.
fn forwarded_address(word: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(word.trim_ascii()).ok()?;
    let with_port = || text.parse::<SocketAddr>().ok().map(|at| at.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    let address = text.parse().ok().or_else(with_port).or_else(|| bracketed().map(IpAddr::V6))?;
    Some(address.to_canonical())
}

impl Site {
    /// Returns where a request comes from.
    pub(in crate::web) fn origin(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> RequestOrigin {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(STRANGER, |ConnectInfo(at)| at.ip());
        RequestOrigin::read(peer, headers, &self.parts.setup.config.web.proxies)
    }

    /// Whether a machine is a proxy of ours.
    pub(in crate::web) fn is_proxy(&self, at: IpAddr) -> bool {
        self.parts.setup.config.web.proxies.contains(&at.to_canonical())
    }
}

impl FromRequestParts<Arc<Site>> for WebRequest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, Infallible> {
        Ok(Self::read(parts, site))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: [IpAddr; 2] =
        [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::new(10, 0, 0, 9))];

    fn origin(peer: &str, lines: &[&[u8]]) -> RequestOrigin {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", HeaderValue::from_bytes(line).unwrap());
        }
        RequestOrigin::read(peer.parse().unwrap(), &headers, &OURS)
    }

    #[test]
    fn only_our_proxies_are_believed() {
        for (peer, lines, client) in [
            ("127.0.0.1", &[&b"192.0.2.7"[..]][..], "192.0.2.7"),
            ("::ffff:127.0.0.1", &[b"192.0.2.7"], "192.0.2.7"),
            ("127.0.0.1", &[b"6.6.6.6, 192.0.2.7, 10.0.0.9"], "192.0.2.7"),
            ("127.0.0.1", &[b"6.6.6.6", b"192.0.2.7", b"10.0.0.9"], "192.0.2.7"),
            ("127.0.0.1", &[b"192.0.2.7:4711"], "192.0.2.7"),
            ("127.0.0.1", &[b"[2001:db8::1]:4711"], "2001:db8::1"),
            ("127.0.0.1", &[b"[2001:db8::1]"], "2001:db8::1"),
            ("192.0.2.66", &[b"127.0.0.1"], "192.0.2.66"),
            ("192.0.2.66", &[b"\xff"], "192.0.2.66"),
        ] {
            let found = origin(peer, lines);
            assert_eq!(found.address, client.parse::<IpAddr>().unwrap(), "{peer} {lines:?}");
            assert!(found.counted_network().is_some() && !found.is_this_machine());
        }
    }

    #[test]
    fn bytes_before_the_client_change_nothing() {
        for forged in [&b"\xff"[..], b"127.0.0.1", b"", b",", b"\xff, 127.0.0.1", b"x\ty"] {
            let line = [forged, b", 192.0.2.7"].concat();
            assert_eq!(
                origin("127.0.0.1", &[&line]).address,
                "192.0.2.7".parse::<IpAddr>().unwrap()
            );
            let two = origin("127.0.0.1", &[forged, b"192.0.2.7"]);
            assert_eq!(two.address, "192.0.2.7".parse::<IpAddr>().unwrap());
        }
    }

    #[test]
    fn an_unreadable_client_is_a_stranger() {
        for line in [&b"\xff"[..], b"nonsense", b"", b"unknown", b"192.0.2.7, \xff, 10.0.0.9"] {
            let found = origin("127.0.0.1", &[line]);
            assert_eq!(found.address, STRANGER, "{line:?}");
            assert_eq!(found.counted_network(), Some(STRANGER.into()));
        }
    }

    #[test]
    fn a_request_through_a_proxy_is_never_of_this_machine() {
        let here = origin("127.0.0.1", &[]);
        assert!(here.is_this_machine() && here.counted_network().is_none());
        assert!(!origin("127.0.0.1", &[b"127.0.0.1"]).is_this_machine());
        assert!(!origin("127.0.0.1", &[b"::1"]).is_this_machine());
        for name in PROXY_HEADERS {
            for proxies in [&OURS[..], &[]] {
                let mut headers = HeaderMap::new();
                headers.insert(name, HeaderValue::from_static("x"));
                let found = RequestOrigin::read(Ipv4Addr::LOCALHOST.into(), &headers, proxies);
                assert!(!found.is_this_machine() && found.counted_network().is_some(), "{name}");
            }
        }
    }
}
