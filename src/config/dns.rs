//! `[dns]`: what `doctor` asks the DNS, and which server.

use super::section::{ConfigError, Section};
use std::net::{IpAddr, SocketAddr};
use toml::Spanned;

/// The usual port of a DNS server.
const PORT: u16 = 53;

/// What `doctor` asks the DNS, and which server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DnsConfig {
    /// The DNS server. By default, the one that the machine uses.
    pub server: Option<SocketAddr>,
    /// The selector of the DKIM key that signs our mails.
    pub dkim_selector: Option<String>,
}

pub(super) fn read(section: &Section) -> Result<DnsConfig, ConfigError> {
    let server = section.text("server")?.map(|server| {
        let word = server.get_ref();
        let only = || word.parse().map(|ip: IpAddr| SocketAddr::from((ip, PORT))).ok();
        let what = || {
            format!(
                "server = \"{word}\" must be an address such as \"127.0.0.1\" or \"127.0.0.1:5353\""
            )
        };
        word.parse().ok().or_else(only).ok_or_else(|| ConfigError::at(&server, what()))
    });
    let selector = section.text("dkim_selector")?;
    let is_label = |label: &str| {
        let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        (1..=63).contains(&label.len()) && label.bytes().all(is_known)
    };
    if let Some(selector) = selector.as_ref().filter(|it| !it.get_ref().split('.').all(is_label)) {
        let what = format!(
            "dkim_selector = \"{}\" is not a DKIM selector such as \"mail\"",
            selector.get_ref()
        );
        return Err(ConfigError::at(selector, what));
    }
    Ok(DnsConfig { server: server.transpose()?, dkim_selector: selector.map(Spanned::into_inner) })
}
