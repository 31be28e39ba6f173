//! The address of a database, and encrypted connections to it.

#![expect(clippy::disallowed_methods, reason = "the store uses files")]

use super::error::DatabaseError;
use super::password_file;
use crate::store::Fault;
use ::postgres::config::{Host, SslMode};
use ::postgres::{Client, Config, NoTls};
use std::fmt::{self, Debug, Display};
use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The longest time to make a connection.
const CONNECTING: Duration = Duration::from_secs(5);
/// The time after which a silent connection counts as lost.
const SILENT: Duration = Duration::from_secs(30);

/// The address of a database: hosts, database, user and password.
#[derive(Clone)]
pub(super) struct DatabaseAddress(Config);

impl DatabaseAddress {
    /// Parses a URL. The password may be the first line of a file.
    ///
    /// # Errors
    /// It is no URL of a database, or the file cannot be read.
    pub(super) fn read(url: &str, password_file: Option<&Path>) -> Result<Self, Fault> {
        let mut config: Config = split_hosts(url).parse().map_err(|_| {
            // The message of the parser may quote the password.
            let why = "it must be like postgres://postboard@db.example.org/postboard";
            Fault::because(
                "cannot use",
                "the address of the store",
                io::ErrorKind::InvalidData,
                why,
            )
        })?;
        if let Some(file) = password_file {
            let text = fs::read_to_string(file).map_err(Fault::at("cannot read", file))?;
            config.password(text.lines().next().unwrap_or_default());
        }
        if config.get_password().is_none()
            && let Some(password) = password_file::password(&config)
        {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECTING);
        }
        config.tcp_user_timeout(SILENT);
        config.keepalives_idle(SILENT);
        if config.get_application_name().is_none() {
            config.application_name("postboard");
        }
        Ok(Self(config))
    }

    pub(super) fn connect(&self) -> Result<Client, DatabaseError> {
        if self.is_plain() {
            return Ok(self.0.connect(NoTls)?);
        }
        let mut config = self.0.clone();
        config.ssl_mode(SslMode::Require);
        Ok(config.connect(MakeRustlsConnect::new(system_tls_config()))?)
    }

    /// Returns whether the connection is not encrypted: on this machine, or with `sslmode=disable`.
    fn is_plain(&self) -> bool {
        let is_local = |host: &Host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => {
                name == "localhost" || name.parse().is_ok_and(|at: IpAddr| at.is_loopback())
            }
        };
        match self.0.get_ssl_mode() {
            SslMode::Disable => true,
            SslMode::Prefer => self.0.get_hosts().iter().all(is_local),
            _ => false,
        }
    }
}

/// Rewrites `host=a,b`, which other programs accept, as `host=a&host=b`.
fn split_hosts(url: &str) -> String {
    let Some((place, query)) = url.split_once('?') else { return url.to_owned() };
    let words = query.split('&').map(|word| match word.strip_prefix("host=") {
        Some(hosts) => format!("host={}", hosts.replace(',', "&host=")),
        None => word.to_owned(),
    });
    format!("{place}?{}", words.collect::<Vec<_>>().join("&"))
}

/// Returns a configuration that trusts the authorities of the machine.
fn system_tls_config() -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    ClientConfig::builder().with_root_certificates(roots).with_no_client_auth()
}

/// For faults: where a home in files has a path, one in a database has its address.
impl From<&DatabaseAddress> for PathBuf {
    fn from(address: &DatabaseAddress) -> Self {
        Self::from(address.to_string())
    }
}

/// Without the password.
impl Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the database {}", self.0.get_dbname().unwrap_or("of its user"))?;
        for (number, host) in self.0.get_hosts().iter().enumerate() {
            f.write_str(if number == 0 { " at " } else { " or " })?;
            match host {
                Host::Tcp(host) => f.write_str(host)?,
                Host::Unix(path) => write!(f, "{}", path.display())?,
            }
        }
        Ok(())
    }
}

impl Debug for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_ever_told() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("password");
        fs::write(&file, "hidden\n").unwrap();
        let address = DatabaseAddress::read("postgres://me@db.example/games", Some(&file)).unwrap();
        assert_eq!(address.0.get_password(), Some(&b"hidden"[..]));
        let address = DatabaseAddress::read("postgres://me:hidden@db.example/games", None).unwrap();
        assert_eq!(
            format!("{address} {address:?}"),
            ["the database games at db.example"; 2].join(" ")
        );
        let address = DatabaseAddress::read("postgres://me:hidden@one,two/games", None).unwrap();
        assert_eq!(address.to_string(), "the database games at one or two");
        let address =
            DatabaseAddress::read("postgres:///games?host=/one,/two&user=me", None).unwrap();
        assert_eq!(address.to_string(), "the database games at /one or /two");
        let fault =
            DatabaseAddress::read("postgres://me:hidden@db.example:no/games", None).unwrap_err();
        assert!(!fault.to_string().contains("hidden"), "{fault}");
    }

    #[test]
    fn what_leaves_the_machine_is_encrypted_unless_that_is_switched_off() {
        let is_plain = |url: &str| DatabaseAddress::read(url, None).unwrap().is_plain();
        assert!(is_plain("postgres:///games?host=/run/postgresql"));
        assert!(is_plain("postgres://localhost/games") && is_plain("postgres://127.0.0.1/games"));
        assert!(is_plain("postgres://db.example/games?sslmode=disable"));
        assert!(!is_plain("postgres://db.example/games"));
        assert!(!is_plain("postgres://localhost/games?sslmode=require"));
    }
}
