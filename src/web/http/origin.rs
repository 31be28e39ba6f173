//! The origin of a request: the client's address, as the connection and trusted proxies show it.

use crate::base::network::Network;
use crate::web::site::Site;
use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap, HeaderValue};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Headers that only proxies write. A request with one of them passed a proxy.
const PROXY_HEADERS: [&str; 7] = [
    "x-forwarded-for",
    "forwarded",
    "via",
    "x-real-ip",
    "x-forwarded-proto",
    "x-forwarded-host",
    "x-forwarded-server",
];

/// The address of all clients whose own address cannot be read.
const UNKNOWN: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// The origin of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RequestOrigin {
    /// The client's address.
    pub(crate) address: IpAddr,
    /// Whether a proxy passed the request on.
    is_forwarded: bool,
    /// Whether a trusted proxy opened the connection.
    is_from_proxy: bool,
}

impl RequestOrigin {
    /// Reads the origin of a request that came from `peer`.
    fn read(peer: IpAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> Self {
        let is_trusted = |address: &IpAddr| proxies.contains(&address.to_canonical());
        let is_forwarded = PROXY_HEADERS.iter().any(|name| headers.contains_key(*name));
        let is_from_proxy = is_trusted(&peer);
        let address = if is_from_proxy && is_forwarded {
            forwarded_client(headers, is_trusted)
        } else {
            peer.to_canonical()
        };
        Self { address, is_forwarded, is_from_proxy }
    }

    /// Returns whether the client is a program on this machine, without a proxy between.
    pub(crate) fn is_this_machine(self) -> bool {
        !self.is_forwarded && self.address.is_loopback()
    }

    /// Returns the network whose limits apply; none for a request that a machine of ours makes itself.
    pub(crate) fn counted_network(self) -> Option<Network> {
        (self.is_forwarded || !self.is_from_proxy).then(|| self.address.into())
    }
}

/// Returns the client named by trusted proxies: the last address of `X-Forwarded-For`, read from the
/// right, that is not a trusted proxy. An unreadable address makes the client unknown.
fn forwarded_client(headers: &HeaderMap, is_trusted: impl Fn(&IpAddr) -> bool) -> IpAddr {
    let lines = headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes);
    let mut words: Vec<&[u8]> = lines.flat_map(|line| line.split(|byte| *byte == b',')).collect();
    let mut client = UNKNOWN;
    while let Some(word) = words.pop() {
        match parse_address(word) {
            Some(address) if is_trusted(&address) => client = address,
            Some(address) => return address,
            None => return UNKNOWN,
        }
    }
    client
}

/// Parses an address as proxies write it, perhaps with a port.
fn parse_address(word: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(word.trim_ascii()).ok()?;
    let with_port = || text.parse::<SocketAddr>().ok().map(|at| at.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    let address = text.parse().ok().or_else(with_port).or_else(|| bracketed().map(IpAddr::V6))?;
    Some(address.to_canonical())
}

impl Site {
    /// Returns the origin of a request.
    pub(crate) fn origin(&self, headers: &HeaderMap, extensions: &Extensions) -> RequestOrigin {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(UNKNOWN, |ConnectInfo(at)| at.ip());
        RequestOrigin::read(peer, headers, &self.parts.setup.config.web.proxies)
    }

    /// Returns whether a machine is a trusted proxy.
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        self.parts.setup.config.web.proxies.contains(&address.to_canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUSTED: [IpAddr; 2] =
        [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::new(10, 0, 0, 9))];

    fn origin(peer: &str, lines: &[&[u8]]) -> RequestOrigin {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", HeaderValue::from_bytes(line).unwrap());
        }
        RequestOrigin::read(peer.parse().unwrap(), &headers, &TRUSTED)
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
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
    fn addresses_before_the_client_are_ignored() {
        for forged in [&b"\xff"[..], b"127.0.0.1", b"", b",", b"\xff, 127.0.0.1", b"x\ty"] {
            let line = [forged, b", 192.0.2.7"].concat();
            let client = "192.0.2.7".parse::<IpAddr>().unwrap();
            assert_eq!(origin("127.0.0.1", &[&line]).address, client);
            assert_eq!(origin("127.0.0.1", &[forged, b"192.0.2.7"]).address, client);
        }
    }

    #[test]
    fn a_client_without_a_readable_address_is_unknown() {
        for line in [&b"\xff"[..], b"nonsense", b"", b"unknown", b"192.0.2.7, \xff, 10.0.0.9"] {
            let found = origin("127.0.0.1", &[line]);
            assert_eq!(found.address, UNKNOWN, "{line:?}");
            assert_eq!(found.counted_network(), Some(UNKNOWN.into()));
        }
    }

    #[test]
    fn a_forwarded_request_is_never_from_this_machine() {
        let local = origin("127.0.0.1", &[]);
        assert!(local.is_this_machine() && local.counted_network().is_none());
        assert!(!origin("127.0.0.1", &[b"127.0.0.1"]).is_this_machine());
        assert!(!origin("127.0.0.1", &[b"::1"]).is_this_machine());
        for name in PROXY_HEADERS {
            for proxies in [&TRUSTED[..], &[]] {
                let mut headers = HeaderMap::new();
                headers.insert(name, HeaderValue::from_static("x"));
                let found = RequestOrigin::read(Ipv4Addr::LOCALHOST.into(), &headers, proxies);
                assert!(!found.is_this_machine() && found.counted_network().is_some(), "{name}");
            }
        }
    }
}
