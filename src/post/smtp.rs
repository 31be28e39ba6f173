//! Mails out by SMTP.

use super::{Carrier, Undelivered, for_now, with_lines};
use crate::config::Tls;
use crate::message::Address;
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{SmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{Error, response};
use std::time::Duration;

/// How long the other side may take for one answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// A user at the mail server.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// The name.
    pub user: String,
    /// The password.
    pub password: String,
}

/// A mail server. One connection serves all mails; once it cannot be reached, no further mail
/// waits for it: a fresh value tries again.
pub struct Smtp {
    host: String,
    port: u16,
    tls: Tls,
    login: Option<Login>,
    connection: Option<SmtpConnection>,
    down: Option<String>,
}

impl Smtp {
    /// A mail server, not yet connected to.
    pub fn new(host: &str, port: u16, tls: Tls, login: Option<Login>) -> Self {
        Self { host: host.to_owned(), port, tls, login, connection: None, down: None }
    }

    fn connect(&self) -> Result<SmtpConnection, Error> {
        let hello = ClientId::default();
        let tls = match self.tls {
            Tls::None => None,
            Tls::Starttls | Tls::Tls => Some(TlsParameters::new(self.host.clone())?),
        };
        let at_once = tls.as_ref().filter(|_| self.tls == Tls::Tls);
        let server = (self.host.as_str(), self.port);
        let mut connection =
            SmtpConnection::connect(server, Some(PATIENCE), &hello, at_once, None)?;
        if let (Tls::Starttls, Some(tls)) = (self.tls, &tls) {
            connection.starttls(tls, &hello)?;
        }
        if let Some(Login { user, password }) = &self.login {
            let credentials = Credentials::new(user.clone(), password.clone());
            connection.auth(DEFAULT_MECHANISMS, &credentials)?;
        }
        Ok(connection)
    }

    /// The open connection, and whether it was open before.
    fn connection(&mut self) -> Result<(SmtpConnection, bool), Undelivered> {
        if let Some(connection) = self.connection.take() {
            return Ok((connection, true));
        }
        if let Some(why) = &self.down {
            return Err(for_now(why.clone()));
        }
        match self.connect() {
            Ok(connection) => Ok((connection, false)),
            Err(error) => {
                // That this server does not let us in says nothing of the mail.
                let why = format!("{}:{}: {}", self.host, self.port, sentence(&error));
                self.down = Some(why.clone());
                Err(for_now(why))
            }
        }
    }
}

impl Carrier for Smtp {
    fn send(
        &mut self,
        sender: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), Undelivered> {
        let envelope = envelope(sender, to)?;
        let mail = with_lines(bytes, b"\r\n");
        // lettre ends the last line itself.
        let mail = mail.strip_suffix(b"\r\n").unwrap_or(&mail);
        loop {
            let (mut connection, old) = self.connection()?;
            match connection.send(&envelope, mail) {
                Ok(_) => {
                    self.connection = Some(connection);
                    return Ok(());
                }
                // An old connection may have been closed meanwhile.
                Err(error) if old && error.status().is_none() => {}
                Err(error) => {
                    return Err(Undelivered { permanent: is_final(&error), why: sentence(&error) });
                }
            }
        }
    }
}

impl Drop for Smtp {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            // Out of politeness.
            let _ = connection.quit();
        }
    }
}

fn envelope(sender: Option<&Address>, to: &Address) -> Result<Envelope, Undelivered> {
    let unfit = |error: lettre::address::AddressError| Undelivered {
        permanent: true,
        why: error.to_string(),
    };
    let sender = sender.map(|sender| sender.as_str().parse()).transpose().map_err(unfit)?;
    let to = to.as_str().parse().map_err(unfit)?;
    Envelope::new(sender, vec![to])
        .map_err(|error| Undelivered { permanent: true, why: error.to_string() })
}

/// Whether trying again will not help. That we have to log in first (530) is our own affair.
fn is_final(error: &Error) -> bool {
    let login = |code: response::Code| u16::from(code) == 530;
    error.is_permanent() && !error.status().is_some_and(login)
}

/// The error with its causes: lettre's own words name the kind only.
fn sentence(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
