//! Sends notices to the push services of browsers, by HTTPS.
//!
//! Anybody can name any address as that of a push service. The client looks its name up and connects to
//! public addresses alone; it follows no redirects, and reads only the head of a response. A push service
//! that does not answer in time gets nothing for a minute, so that it delays no other.

use super::tls_client::TLS;
use crate::base::web_push::PushEndpoint;
use axum::body::Body;
use hyper::client::conn::http1;
use hyper::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{Instant, timeout};
use tokio_rustls::rustls::pki_types::ServerName;

/// The most names that are looked up at once. A slow lookup keeps its thread until it ends.
pub const MAX_LOOKUPS: usize = 32;

/// How long a push service that did not answer in time gets no messages.
const SLOW_PAUSE: Duration = Duration::from_mins(1);

/// The limit on push services that are remembered as slow. One more removes all others.
const MAX_SLOW: usize = 1000;

/// The most bytes of the head of a response.
const MAX_HEAD: usize = 16 * 1024;

/// How many addresses of a push service are tried.
const MAX_ADDRESSES: usize = 3;

/// How long a push service keeps a message for a browser that is offline, in seconds: a week.
const TIME_TO_LIVE: &str = "604800";

/// A message for a browser.
#[derive(Clone, Debug)]
pub struct PushMessage {
    /// Where it is sent.
    pub endpoint: PushEndpoint,
    /// The signature of the server.
    pub authorization: String,
    /// The name of the notice, at most 32 letters of base64url. A later message of the same name replaces
    /// one that still waits for the browser.
    pub topic: String,
    /// The encrypted message.
    pub body: Vec<u8>,
}

/// The answer of a push service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushOutcome {
    /// The service has taken the message.
    Accepted,
    /// The browser no longer wants messages.
    Gone,
    /// The service fails, or has too much to do: another try may help.
    Failed(u16),
    /// The service refuses the message.
    Refused(u16),
}

/// A client of push services.
#[derive(Debug)]
pub struct PushClient {
    lookups: Arc<Semaphore>,
    /// Whether push services may be on this machine.
    allows_local: bool,
    /// How long a message may take to be sent.
    timeout: Duration,
    /// When push services did not answer in time, by their origins.
    slow: Mutex<HashMap<String, Instant>>,
}

impl PushClient {
    /// Creates a client that gives a message up after `timeout`. `allows_local` permits push services on this
    /// machine.
    pub fn new(allows_local: bool, timeout: Duration) -> Self {
        let lookups = Arc::new(Semaphore::new(MAX_LOOKUPS));
        Self { lookups, allows_local, timeout, slow: Mutex::default() }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// The push service cannot be reached, is at an address that is not public, or is too slow.
    pub async fn send(&self, message: PushMessage) -> io::Result<PushOutcome> {
        let service = message.endpoint.origin();
        if self.is_slow(&service) {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "it was too slow a moment ago"));
        }
        // The wait for other lookups is no fault of this push service.
        let permit = Arc::clone(&self.lookups).acquire_owned().await.map_err(io::Error::other)?;
        let Ok(sent) = timeout(self.timeout, self.send_at_once(message, permit)).await else {
            self.note_slow(service);
            return Err(io::ErrorKind::TimedOut.into());
        };
        sent
    }

    fn is_slow(&self, service: &str) -> bool {
        let slow = self.slow.lock().unwrap_or_else(PoisonError::into_inner);
        slow.get(service).is_some_and(|at| at.elapsed() < SLOW_PAUSE)
    }

    fn note_slow(&self, service: String) {
        let mut slow = self.slow.lock().unwrap_or_else(PoisonError::into_inner);
        slow.retain(|_, at| at.elapsed() < SLOW_PAUSE);
        if slow.len() >= MAX_SLOW {
            slow.clear();
        }
        slow.insert(service, Instant::now());
    }

    async fn send_at_once(
        &self,
        message: PushMessage,
        permit: OwnedSemaphorePermit,
    ) -> io::Result<PushOutcome> {
        let addresses = self.addresses(&message.endpoint, permit).await?;
        let stream = TcpStream::connect(&addresses[..]).await?;
        if !message.endpoint.is_encrypted {
            return exchange(stream, message).await;
        }
        let name = ServerName::try_from(message.endpoint.host.clone()).map_err(io::Error::other)?;
        exchange(TLS.connect(name, stream).await?, message).await
    }

    /// Returns the public addresses of a push service.
    async fn addresses(
        &self,
        endpoint: &PushEndpoint,
        permit: OwnedSemaphorePermit,
    ) -> io::Result<Vec<SocketAddr>> {
        let (host, port) = (endpoint.host.clone(), endpoint.port);
        let lookup = spawn_blocking(move || {
            let _permit = permit;
            LazyLock::force(&TLS);
            (host, port).to_socket_addrs().map(Iterator::collect::<Vec<_>>)
        });
        let is_local = self.allows_local && !endpoint.is_encrypted;
        let mut addresses = lookup.await.map_err(io::Error::other)??;
        addresses.retain(|address| is_public(address.ip()) || is_local);
        addresses.truncate(MAX_ADDRESSES);
        if addresses.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it has no public address",
            ));
        }
        Ok(addresses)
    }
}

/// Sends a message over a connection, and reads the head of the response.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    message: PushMessage,
) -> io::Result<PushOutcome> {
    let PushMessage { endpoint, authorization, topic, body } = message;
    let host = endpoint.origin().split_once("://").map_or_else(String::new, |it| it.1.to_owned());
    let request = Request::post(endpoint.path)
        .header(HOST, host)
        .header(AUTHORIZATION, authorization)
        .header(CONTENT_TYPE, "application/octet-stream")
        .header(CONTENT_ENCODING, "aes128gcm")
        .header("ttl", TIME_TO_LIVE)
        .header("urgency", "normal")
        .header("topic", topic)
        .body(Body::from(body))
        .map_err(io::Error::other)?;
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(MAX_HEAD)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(io::Error::other)?;
    // The connection ends with this function: the body of the response is not read.
    let mut connections = JoinSet::new();
    connections.spawn(connection);
    let response = sender.send_request(request).await.map_err(io::Error::other)?;
    Ok(outcome(response.status()))
}

fn outcome(status: StatusCode) -> PushOutcome {
    match status {
        status if status.is_success() => PushOutcome::Accepted,
        StatusCode::NOT_FOUND | StatusCode::GONE => PushOutcome::Gone,
        StatusCode::TOO_MANY_REQUESTS => PushOutcome::Failed(status.as_u16()),
        status if status.is_server_error() => PushOutcome::Failed(status.as_u16()),
        status => PushOutcome::Refused(status.as_u16()),
    }
}

/// Returns whether an address is on the public internet, not in this machine's own networks.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    // "This" network, shared addresses of providers, protocol assignments, the former relays from IPv6,
    // benchmarks, reserved.
    let is_special = matches!(
        (a, b, c),
        (0 | 240..=255, ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18 | 19, _)
    );
    !(is_special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // Only 2000::/3 is in use, without protocol assignments such as Teredo, documentation, and 6to4,
    // which hides an IPv4 address.
    let is_special =
        matches!((a, b), (0x2001, 0..0x200 | 0xdb8) | (0x2002, _) | (0x3fff, 0..0x1000));
    (0x2000..0x4000).contains(&a) && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_on_the_internet_are_public() {
        let is_public = |text: &str| is_public(text.parse().unwrap());
        for text in ["1.1.1.1", "34.107.243.93", "172.15.0.1", "172.32.0.1", "100.63.0.1"] {
            assert!(is_public(text), "{text}");
        }
        for text in ["2a00:1450:4001::1", "2620:1ec::1", "::ffff:1.1.1.1"] {
            assert!(is_public(text), "{text}");
        }
        for text in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(text), "{text}");
        }
    }

    #[test]
    fn the_status_of_a_push_service_says_what_to_do() {
        for (status, wanted) in [
            (201, PushOutcome::Accepted),
            (200, PushOutcome::Accepted),
            (404, PushOutcome::Gone),
            (410, PushOutcome::Gone),
            (429, PushOutcome::Failed(429)),
            (503, PushOutcome::Failed(503)),
            (307, PushOutcome::Refused(307)),
            (403, PushOutcome::Refused(403)),
            (413, PushOutcome::Refused(413)),
        ] {
            assert_eq!(outcome(StatusCode::from_u16(status).unwrap()), wanted);
        }
    }
}
