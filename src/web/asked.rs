//! The user and the client behind a request.

use super::ask::WebRequest;
use super::site::Site;
use crate::base::network::Network;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, header};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

impl WebRequest {
    /// Reads what a request asks.
    pub(super) fn read(parts: &Parts, site: &Site) -> Self {
        let headers = &parts.headers;
        let pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let mut query = BTreeMap::new();
        for (name, value) in pairs {
            query.entry(name.into_owned()).or_insert_with(|| value.into_owned());
        }
        let has = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let network = site.asked_from(headers, &parts.extensions).into();
        let place = site.place(headers, &parts.extensions);
        let path = parts.uri.path().to_owned();
        let is_program = path.starts_with("/api/");
        let key = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let key = key.and_then(|key| key.strip_prefix("Bearer ")).unwrap_or_default();
        Self {
            path,
            query,
            has: has.map(str::to_owned),
            cookie: site.cookie(headers).filter(|_| !is_program),
            key: is_program.then(|| key.to_owned()),
            network,
            place,
        }
    }
}

impl Site {
    /// Where a request comes from.
    pub(super) fn asked_from(&self, headers: &HeaderMap, extensions: &Extensions) -> IpAddr {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |ConnectInfo(at)| at.ip());
        origin(peer, headers, &self.parts.setup.config.web.proxies)
    }

    /// The same; none where a proxy does not say for which client it asks.
    pub(super) fn place(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<Network> {
        let at = self.asked_from(headers, extensions);
        (!self.is_proxy(at)).then(|| at.into())
    }

    /// Whether a machine is a proxy of ours.
    pub(super) fn is_proxy(&self, at: IpAddr) -> bool {
        self.parts.setup.config.web.proxies.contains(&at.to_canonical())
    }
}

/// Where a request comes from: what our proxies say, from the nearest on, as long as they are ours.
fn origin(peer: IpAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> IpAddr {
    let is_ours = |address: &IpAddr| proxies.contains(&address.to_canonical());
    let said = headers.get_all("x-forwarded-for").iter();
    let said: Vec<&str> =
        said.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).collect();
    let mut at = peer;
    for word in said.into_iter().rev() {
        let Some(before) = word.trim().parse().ok().filter(|_| is_ours(&at)) else { break };
        at = before;
    }
    at
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

    #[test]
    fn only_our_proxies_are_believed() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let from = |peer: &str, said: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", said.parse().unwrap());
            origin(ip(peer), &headers, &[ip("127.0.0.1"), ip("10.0.0.9")])
        };
        assert_eq!(from("127.0.0.1", "192.0.2.7"), ip("192.0.2.7"));
        assert_eq!(from("127.0.0.1", "6.6.6.6, 192.0.2.7, 10.0.0.9"), ip("192.0.2.7"));
        assert_eq!(from("192.0.2.66", "127.0.0.1"), ip("192.0.2.66"));
        assert_eq!(from("127.0.0.1", "nonsense"), ip("127.0.0.1"));
    }
}
