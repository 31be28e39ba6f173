//! `[web]`: how the boards are shown in a browser.

use super::section::{ConfigError, Section};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;
use toml::{Spanned, Value};

/// How the boards are shown in a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebConfig {
    /// Where people find it: `https://games.example.org`, without a slash at the end.
    pub address: Option<String>,
    /// The proxies that are trusted when they say for which client they ask.
    pub proxies: Vec<IpAddr>,
    /// The files of a certificate and its key, where no proxy encrypts.
    pub tls: Option<TlsFiles>,
    /// The file with the token that a client on another machine needs for `/metrics`.
    pub metrics_token_file: Option<String>,
    /// How much of the machine visitors may use.
    pub bounds: WebLimits,
}

/// How much of the machine visitors may use. The operator chooses the two counts; tests change the
/// times, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebLimits {
    /// Connections at a time. Others wait until one ends.
    pub connections: usize,
    /// Connections of one place of the net, and what it asks for at a time. Our proxies may have more.
    pub of_one_place: usize,
    /// How long a client may take for the header of a request, or to agree on a key.
    pub header: Duration,
    /// How long it may take for the rest of the request.
    pub body: Duration,
    /// How long an answer may take, until the client has all of it. Events may go on.
    pub answer: Duration,
    /// How long a connection on which nothing is asked is kept open.
    pub idle: Duration,
}

impl Default for WebLimits {
    fn default() -> Self {
        Self {
            connections: CONNECTIONS as usize,
            of_one_place: OF_ONE_PLACE as usize,
            header: Duration::from_secs(15),
            body: Duration::from_secs(15),
            answer: Duration::from_mins(1),
            idle: Duration::from_mins(1),
        }
    }
}

const CONNECTIONS: u32 = 15_000;
const OF_ONE_PLACE: u32 = 256;

/// The files with which connections are encrypted, both in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate with those that vouch for it.
    pub certificate: String,
    /// Its private key.
    pub key: String,
}

impl WebConfig {
    /// Whether people reach it encrypted, so that cookies may go no other way.
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
            let what = format!("`{has}` needs `{lacks}` beside it: to encrypt takes both");
            return Err(ConfigError { at, what });
        }
    };
    let (address, proxies, bounds) = (address(section)?, proxies(section)?, bounds(section)?);
    let metrics_token_file = section.path("metrics_token_file")?;
    Ok(WebConfig { address, proxies, tls, metrics_token_file, bounds })
}

fn bounds(section: &Section) -> Result<WebLimits, ConfigError> {
    let count = |key, range, usual| {
        section.whole(key, range, usual).map(|it| usize::try_from(it).unwrap_or(usize::MAX))
    };
    Ok(WebLimits {
        connections: count("connections", 100..=1_000_000, CONNECTIONS)?,
        of_one_place: count("connections_of_one_place", 8..=1_000_000, OF_ONE_PLACE)?,
        ..WebLimits::default()
    })
}

/// `https://games.example.org`, or with a port; no path.
fn address(section: &Section) -> Result<Option<String>, ConfigError> {
    let Some(address) = section.text("address")? else { return Ok(None) };
    let given = address.get_ref().trim_end_matches('/');
    let host = given.strip_prefix("https://").or_else(|| given.strip_prefix("http://"));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    if host.is_none_or(|host| host.is_empty() || !host.chars().all(is_sign)) {
        let what = format!(
            "address = \"{given}\" is no address of a site, such as \"https://games.example.org\""
        );
        return Err(ConfigError::at(&address, what));
    }
    Ok(Some(given.to_owned()))
}

/// Those of this machine, if nothing is said.
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
            let what = "proxies: an address stands in quotes, such as \"127.0.0.1\"";
            ConfigError::at(value, what.into())
        })?;
        text.parse().map_err(|_| {
            let what =
                format!("proxies: \"{text}\" is no address of a machine, such as \"127.0.0.1\"");
            ConfigError::at(value, what)
        })
    };
    all.iter().map(one).collect::<Result<_, _>>().map(Some)
}
