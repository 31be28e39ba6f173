//! `[web]`: how the boards are shown in a browser.

use super::{Section, Wrong};
use std::net::IpAddr;
use toml::Spanned;

/// How the boards are shown in a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Web {
    /// Where people find it: `https://games.example.org`, without a slash at the end.
    pub address: Option<String>,
    /// The proxies that are believed when they say whom they ask for.
    pub proxies: Vec<IpAddr>,
    /// The files of a certificate and its key, where no proxy encrypts.
    pub tls: Option<TlsFiles>,
}

/// The files with which connections are encrypted, both in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate with those that vouch for it.
    pub certificate: String,
    /// Its private key.
    pub key: String,
}

impl Web {
    /// Whether people reach it encrypted, so that cookies may go no other way.
    pub fn is_encrypted(&self) -> bool {
        let address = self.address.as_ref();
        self.tls.is_some() || address.is_some_and(|address| address.starts_with("https://"))
    }
}

pub(super) fn read(section: &Section) -> Result<Web, Wrong> {
    let (certificate, key) = (section.path("certificate")?, section.path("key")?);
    let tls = match (certificate, key) {
        (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
        (None, None) => None,
        (certificate, _) => {
            let (has, lacks) =
                if certificate.is_some() { ("certificate", "key") } else { ("key", "certificate") };
            let at = section.get(has).map(Spanned::span);
            let what = format!("`{has}` needs `{lacks}` beside it: to encrypt takes both");
            return Err(Wrong { at, what });
        }
    };
    Ok(Web { address: address(section)?, proxies: proxies(section)?, tls })
}

/// `https://games.example.org`, or with a port; no path.
fn address(section: &Section) -> Result<Option<String>, Wrong> {
    let Some(address) = section.text("address")? else { return Ok(None) };
    let given = address.get_ref().trim_end_matches('/');
    let host = given.strip_prefix("https://").or_else(|| given.strip_prefix("http://"));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    if host.is_none_or(|host| host.is_empty() || !host.chars().all(is_sign)) {
        let what = format!(
            "address = \"{given}\" is no address of a site, such as \"https://games.example.org\""
        );
        return Err(Wrong::at(&address, what));
    }
    Ok(Some(given.to_owned()))
}

/// Those of this machine, if nothing is said.
fn proxies(section: &Section) -> Result<Vec<IpAddr>, Wrong> {
    let Some(list) = section.get("proxies") else {
        return Ok(vec![IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])]);
    };
    let wrong = |what: String| Wrong::at(list, what);
    let all = list.get_ref().as_array().ok_or_else(|| {
        wrong("`proxies` must be a list of addresses, such as [\"127.0.0.1\"]".into())
    })?;
    let one = |value: &Spanned<toml::de::DeValue>| {
        let text = value.get_ref().as_str().unwrap_or_default();
        text.parse().map_err(|_| wrong(format!("proxies: \"{text}\" is no address of a machine")))
    };
    all.iter().map(one).collect()
}
