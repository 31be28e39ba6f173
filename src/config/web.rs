//! `[web]`: the boards in a browser.

use super::section::{ConfigError, Section};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;
use toml::{Spanned, Value};

/// The settings of the web server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebConfig {
    /// The public address, `https://games.example.org`, without a slash at the end.
    pub address: Option<String>,
    /// Proxies whose statement about the client's address is trusted.
    pub proxies: Vec<IpAddr>,
    /// The certificate and its key, unless a proxy encrypts.
    pub tls: Option<TlsFiles>,
    /// The file with the token for `/metrics`, which clients on other machines need.
    pub metrics_token_file: Option<String>,
    /// Limits on what visitors may use.
    pub bounds: WebLimits,
    /// Whether push services may be on this machine, for tests alone.
    pub has_local_push: bool,
}

/// Limits on what visitors may use. The operator sets the two counts; tests set the times, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebLimits {
    /// The most connections. Others wait until one ends.
    pub connections: usize,
    /// The most connections and simultaneous requests of one network. Our proxies may have more.
    pub per_network: usize,
    /// How long a client may take for the header of a request, or for a TLS handshake.
    pub header: Duration,
    /// How long a client may take for the rest of a request.
    pub body: Duration,
    /// How long a client may take to receive an answer. Event streams are exempt.
    pub answer: Duration,
    /// How long an idle HTTP/2 connection is kept open; HTTP/1.1 waits for the next header.
    pub idle: Duration,
    /// How long a push service may take for a notice.
    pub push: Duration,
    /// The pause before a notice is sent again to a push service that failed.
    pub push_retry: Duration,
}

impl Default for WebLimits {
    fn default() -> Self {
        Self {
            connections: CONNECTIONS as usize,
            per_network: CONNECTIONS_PER_NETWORK as usize,
            header: Duration::from_secs(15),
            body: Duration::from_secs(15),
            answer: Duration::from_mins(1),
            idle: Duration::from_mins(1),
            push: Duration::from_secs(10),
            push_retry: Duration::from_secs(5),
        }
    }
}

const CONNECTIONS: u32 = 15_000;
const CONNECTIONS_PER_NETWORK: u32 = 256;

/// The files of a certificate, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate with its chain.
    pub certificate: String,
    /// The private key.
    pub key: String,
}

impl WebConfig {
    /// Returns whether the site is reached by HTTPS, so that cookies can be restricted to it.
    pub fn is_encrypted(&self) -> bool {
        let address = self.address.as_ref();
        self.tls.is_some() || address.is_some_and(|address| address.starts_with("https://"))
    }
}

pub(super) fn read(section: &Section) -> Result<WebConfig, ConfigError> {
    let (certificate, key) = (section.path("certificate")?, section.path("key")?);
    let tls = match (certificate, key) {
        (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
        (None, None) => None,
        (certificate, _) => {
            let (has, lacks) =
                if certificate.is_some() { ("certificate", "key") } else { ("key", "certificate") };
            let at = section.get(has).map(Spanned::span);
            let what = format!("`{has}` requires `{lacks}`: TLS needs both");
            return Err(ConfigError { at, what });
        }
    };
    let (address, proxies, bounds) = (address(section)?, proxies(section)?, bounds(section)?);
    let metrics_token_file = section.path("metrics_token_file")?;
    let has_local_push = false;
    Ok(WebConfig { address, proxies, tls, metrics_token_file, bounds, has_local_push })
}

fn bounds(section: &Section) -> Result<WebLimits, ConfigError> {
    let count = |key, range, usual| {
        section.whole(key, range, usual).map(|it| usize::try_from(it).unwrap_or(usize::MAX))
    };
    Ok(WebLimits {
        connections: count("connections", 100..=1_000_000, CONNECTIONS)?,
        per_network: count("connections_of_one_place", 8..=1_000_000, CONNECTIONS_PER_NETWORK)?,
        ..WebLimits::default()
    })
}

/// Reads `https://games.example.org`, with an optional port and no path.
fn address(section: &Section) -> Result<Option<String>, ConfigError> {
    let Some(address) = section.text("address")? else { return Ok(None) };
    let given = address.get_ref().trim_end_matches('/');
    let host = given.strip_prefix("https://").or_else(|| given.strip_prefix("http://"));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    if host.is_none_or(|host| host.is_empty() || !host.chars().all(is_sign)) {
        let what = format!(
            "address = \"{given}\" is not the address of a site, such as \"https://games.example.org\""
        );
        return Err(ConfigError::at(&address, what));
    }
    Ok(Some(given.to_owned()))
}

/// Reads the list of proxies. By default, this machine.
fn proxies(section: &Section) -> Result<Vec<IpAddr>, ConfigError> {
    let all = named_proxies(section)?
        .unwrap_or_else(|| vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
    let shown = all.iter().map(|it| Value::from(it.to_string())).collect();
    section.note("proxies", Some(Value::Array(shown)));
    Ok(all)
}

fn named_proxies(section: &Section) -> Result<Option<Vec<IpAddr>>, ConfigError> {
    let Some(list) = section.get("proxies") else { return Ok(None) };
    let all = list.get_ref().as_array().ok_or_else(|| {
        let what = "`proxies` must be a list of addresses, such as [\"127.0.0.1\"]";
        ConfigError::at(list, what.into())
    })?;
    let one = |value: &Spanned<toml::de::DeValue>| {
        let text = value.get_ref().as_str().ok_or_else(|| {
            let what = "proxies: write addresses in quotes, such as \"127.0.0.1\"";
            ConfigError::at(value, what.into())
        })?;
        text.parse().map_err(|_| {
            let what = format!("proxies: \"{text}\" is not an IP address, such as \"127.0.0.1\"");
            ConfigError::at(value, what)
        })
    };
    all.iter().map(one).collect::<Result<_, _>>().map(Some)
}
