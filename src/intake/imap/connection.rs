//! The connection to an IMAP server, encrypted as configured.

use super::ImapError;
use crate::config::{ImapConfig, Tls};
use crate::intake::Stream;
use crate::post::TLS;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, CertificateError};

/// How long it may take until the connection is encrypted.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(30);

/// The most bytes of a line before the connection is encrypted.
const MAX_LINE: usize = 8 * 1024;

/// How many lines the server may say before it answers STARTTLS.
const MAX_LINES: usize = 20;

/// A connection, and whether the server's greeting was read from it.
pub(super) struct Connected {
    pub(super) stream: Box<dyn Stream>,
    pub(super) is_greeted: bool,
}

/// Connects to a server.
pub(super) async fn connect(config: &ImapConfig) -> Result<Connected, ImapError> {
    let late = || ImapError::Failed("the server does not answer".into());
    timeout(CONNECTION_TIMEOUT, connect_without_limit(config)).await.unwrap_or_else(|_| Err(late()))
}

async fn connect_without_limit(config: &ImapConfig) -> Result<Connected, ImapError> {
    let mut stream = TcpStream::connect((config.host.as_str(), config.port)).await?;
    let is_greeted = config.tls == Tls::Starttls;
    if is_greeted {
        start_tls(&mut stream).await?;
    }
    let stream: Box<dyn Stream> = match config.tls {
        Tls::None => Box::new(stream),
        Tls::Starttls | Tls::Tls => {
            let name = ServerName::try_from(config.host.clone())
                .map_err(|error| ImapError::Failed(error.to_string()))?;
            let connected = TLS.connect(name, stream).await;
            Box::new(connected.map_err(|error| tls_failure(&error, &config.host))?)
        }
    };
    Ok(Connected { stream, is_greeted })
}

/// Returns why a connection cannot be encrypted, with the remedy.
fn tls_failure(error: &io::Error, host: &str) -> ImapError {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    ImapError::Failed(match cause {
        Some(rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer)) => {
            "its certificate is signed by no authority that this machine trusts: install the authority's \
             certificate (Debian: a .crt file in /usr/local/share/ca-certificates, then \
             update-ca-certificates)"
                .into()
        }
        Some(rustls::Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        )) => format!("its certificate is not for {host}: set `host` to the name in the certificate"),
        Some(rustls::Error::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        )) => "its certificate has expired, or the clock of this machine is wrong".into(),
        Some(rustls::Error::InvalidMessage(_)) => {
            "it does not speak TLS at this port: correct `port` or `tls` under [imap]".into()
        }
        _ => error.to_string(),
    })
}

/// Reads the greeting, and asks the server to encrypt the connection.
async fn start_tls(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> Result<(), ImapError> {
    let greeting = read_line(stream).await?;
    if !greeting.starts_with("* OK") {
        return Err(ImapError::Failed("the server does not greet".into()));
    }
    stream.write_all(b"S STARTTLS\r\n").await?;
    for _ in 0..MAX_LINES {
        let said = read_line(stream).await?;
        if said.starts_with("S ") {
            // What follows this line is read as TLS, so nobody can put words before the encryption.
            let refused = || ImapError::Failed("the server refuses STARTTLS".into());
            return if said.starts_with("S OK") { Ok(()) } else { Err(refused()) };
        }
    }
    Err(ImapError::Failed("the server does not answer STARTTLS".into()))
}

/// Reads a line, byte by byte: what follows it is for the TLS client.
async fn read_line(stream: &mut (impl AsyncRead + Unpin)) -> Result<String, ImapError> {
    let mut line = Vec::new();
    while line.len() < MAX_LINE {
        match stream.read_u8().await? {
            b'\n' => return Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
            byte => line.push(byte),
        }
    }
    Err(ImapError::Failed("the server does not speak IMAP".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what `start_tls` says of a server that says all this.
    fn started(server: &[u8]) -> Result<(), ImapError> {
        let threads = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        threads.block_on(async {
            let (mut ours, mut theirs) = tokio::io::duplex(100_000);
            theirs.write_all(server).await.unwrap();
            theirs.shutdown().await.unwrap();
            start_tls(&mut ours).await
        })
    }

    #[test]
    fn starttls_is_not_believed_of_a_server_that_does_not_agree() {
        assert_eq!(started(b"* OK hello\r\n* CAPABILITY X\r\nS OK begin\r\n"), Ok(()));
        for server in [
            &b"* BYE go away\r\n"[..],
            b"* OK hello\r\nS NO not here\r\n",
            b"* OK hello\r\nS BAD what\r\n",
            b"* OK hello\r\n",
            b"",
        ] {
            assert!(started(server).is_err(), "{}", String::from_utf8_lossy(server));
        }
        assert!(started(&b"*".repeat(50_000)).is_err(), "an endless line");
        let chatter = [&b"* OK hello\r\n"[..], &b"* OK wait\r\n".repeat(1000)].concat();
        assert!(started(&chatter).is_err(), "endless lines");
    }
}
