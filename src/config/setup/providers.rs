//! Mail providers: how programs reach the mailboxes of common domains.

use serde::Deserialize;

/// The table of providers.
const PROVIDERS: &str = include_str!("../../../data/providers.toml");

/// A provider of mailboxes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Its name.
    pub name: String,
    /// The domains of its addresses.
    domains: Vec<String>,
    /// Where its mails are fetched.
    pub imap: ProviderServer,
    /// Where its mails are sent.
    pub smtp: ProviderServer,
    /// Whether mails to `name+anything` come to `name`.
    pub plus: bool,
    /// The user name for IMAP.
    #[serde(default)]
    user: LoginName,
    /// What the operator must know before giving a password.
    pub note: String,
}

/// Where mails are fetched or sent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderServer {
    /// The name of the host.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How the connection is encrypted: `tls` or `starttls`.
    #[serde(default = "encrypted")]
    pub tls: String,
}

/// Which part of an address is the user name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LoginName {
    /// The whole address.
    #[default]
    Address,
    /// The part before the `@`.
    Local,
}

fn encrypted() -> String {
    "tls".into()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderTable {
    provider: Vec<Provider>,
}

impl Provider {
    /// Returns the provider of an address. For a domain that is not in the table, guesses the most common names
    /// of servers: `imap.` and `smtp.` before the domain.
    pub fn of(address: &str) -> Self {
        let domain = address.rsplit_once('@').map_or(address, |(_, domain)| domain);
        let domain = domain.to_ascii_lowercase();
        let known = all().into_iter().find(|it| it.domains.contains(&domain));
        known.unwrap_or_else(|| Self::guess(domain))
    }

    fn guess(domain: String) -> Self {
        Self {
            imap: ProviderServer { host: format!("imap.{domain}"), port: 993, tls: encrypted() },
            smtp: ProviderServer { host: format!("smtp.{domain}"), port: 465, tls: encrypted() },
            name: domain.clone(),
            note: format!(
                "{domain} is not in our table: imap.{domain} and smtp.{domain} are guesses; compare them \
                 with what your provider writes, and change postboard.toml if they differ."
            ),
            domains: vec![domain],
            plus: false,
            user: LoginName::Address,
        }
    }

    /// Returns what the operator must know before giving a password: the servers, and a note.
    pub fn login_notes(&self) -> [String; 2] {
        let Self { name, imap, smtp, note, .. } = self;
        let servers = format!(
            "{name}: mails come from {}:{} and leave by {}:{}.",
            imap.host, imap.port, smtp.host, smtp.port
        );
        [servers, note.clone()]
    }

    /// Returns the name with which the owner of an address logs in by IMAP.
    pub fn imap_user(&self, address: &str) -> String {
        let local = address.rsplit_once('@').map_or(address, |(local, _)| local);
        if self.user == LoginName::Local { local } else { address }.to_owned()
    }
}

fn all() -> Vec<Provider> {
    // A test reads the table.
    toml::from_str(PROVIDERS).map_or_else(|_| Vec::new(), |table: ProviderTable| table.provider)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_is_read_and_each_domain_has_one_provider() {
        let table: ProviderTable = toml::from_str(PROVIDERS).unwrap();
        let domains: Vec<_> = table.provider.iter().flat_map(|it| &it.domains).collect();
        assert_eq!(domains.iter().collect::<BTreeSet<_>>().len(), domains.len(), "{domains:?}");
        for domain in [
            "gmail.com",
            "outlook.com",
            "fastmail.com",
            "gmx.net",
            "web.de",
            "mailbox.org",
            "posteo.de",
            "yahoo.com",
            "icloud.com",
            "proton.me",
        ] {
            let provider = Provider::of(&format!("games@{domain}"));
            assert!(!provider.note.contains("guesses"), "{domain}");
            assert!(provider.note.ends_with('.') && provider.imap.port > 0, "{domain}");
            let ProviderServer { host, port, tls } = provider.smtp;
            let text = format!(
                "address = \"games@{domain}\"\n[deliver]\nby = \"smtp\"\nhost = \"{host}\"\nport = {port}\n\
                 tls = \"{tls}\"\n"
            );
            Config::read(&text).unwrap();
        }
    }

    #[test]
    fn an_unknown_domain_gets_a_guess_that_says_so() {
        let provider = Provider::of("games@Club.example");
        assert!(provider.note.contains("guesses"));
        assert_eq!(
            (&*provider.imap.host, &*provider.smtp.host),
            ("imap.club.example", "smtp.club.example")
        );
        assert_eq!(provider.imap_user("games@club.example"), "games@club.example");
        assert_eq!(Provider::of("a@icloud.com").imap_user("a@icloud.com"), "a");
    }
}
