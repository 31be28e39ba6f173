//! The sockets of LMTP and SMTP: binds them, and speaks with the mail servers that connect.

#![expect(clippy::disallowed_methods, reason = "a Unix socket is a file")]

use super::smtp::{Dialect, MailSession, SessionStep};
use crate::mail::Identity;
use std::fmt::{self, Display};
use std::fs::{self, Permissions};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener as StdTcpListener};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener as StdUnixListener, UnixStream as StdUnixStream};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

/// The most connections; further ones wait. Postfix opens 20 by default.
const MAX_CONNECTIONS: u32 = 64;

/// How long a connection may be silent, and how long it may take to read a reply (RFC 5321, 4.5.3.2.7).
const IDLE: Duration = Duration::from_mins(5);

/// How long mails may take to become durable after a shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// The bytes read at once.
const PIECE: usize = 16 * 1024;

/// Everybody on this machine may connect, as everybody may run `sendmail`. Postfix's clients belong to no
/// other group than their own; the folder of the socket can keep others away.
const SOCKET_MODE: u32 = 0o666;

/// Where to listen for LMTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LmtpAddress {
    /// A Unix socket.
    Socket(PathBuf),
    /// A port of this machine.
    Port(SocketAddr),
}

impl FromStr for LmtpAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            let path = Path::new(path);
            return if path.is_absolute() {
                Ok(Self::Socket(path.to_owned()))
            } else {
                Err("write the whole path of the socket: unix:/run/postboard/lmtp".into())
            };
        }
        let address: SocketAddr = text
            .parse()
            .map_err(|_| "write unix:/run/postboard/lmtp or 127.0.0.1:2424".to_owned())?;
        // Whoever can connect can write mails in anybody's name.
        if !address.ip().is_loopback() {
            return Err("LMTP has no passwords: listen at 127.0.0.1, [::1] or a Unix socket".into());
        }
        Ok(Self::Port(address))
    }
}

impl Display for LmtpAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(path) => write!(f, "unix:{}", path.display()),
            Self::Port(address) => write!(f, "{address}"),
        }
    }
}

/// Where to listen for SMTP: an address of a private network, and a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmtpAddress(SocketAddr);

impl FromStr for SmtpAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let address: SocketAddr =
            text.parse().map_err(|_| "write 127.0.0.1:2525 or 10.0.0.5:2525".to_owned())?;
        // Whoever can connect can write mails in anybody's name.
        if !is_private(address.ip()) {
            return Err(
                "SMTP has no passwords here: listen at an address of a private network, such as \
                 127.0.0.1 or 10.0.0.5, where only your mail server can connect"
                    .into(),
            );
        }
        Ok(Self(address))
    }
}

impl Display for SmtpAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returns whether an address can be reached only from this machine or its own networks: RFC 1918, 4193,
/// 3927 and 4291, and the shared addresses of RFC 6598.
fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let is_shared = matches!(address.octets(), [100, 64..=127, ..]);
            address.is_loopback() || address.is_private() || address.is_link_local() || is_shared
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

/// What becomes of mails.
#[derive(Clone)]
pub struct MailIntake {
    /// The protocol that the mail servers speak.
    pub dialect: Dialect,
    /// The addresses of this server.
    pub identity: Identity,
    /// Makes a mail durable; returns whether it is.
    pub take: Arc<dyn Fn(Vec<u8>) -> bool + Send + Sync>,
}

/// A bound socket.
#[derive(Debug)]
pub struct MailListener {
    socket: Socket,
}

#[derive(Debug)]
enum Socket {
    Unix(StdUnixListener, SocketFile),
    /// A Unix socket whose file belongs to the service manager.
    Passed(StdUnixListener),
    Tcp(StdTcpListener),
}

impl Socket {
    fn of_port(address: SocketAddr) -> io::Result<Self> {
        let listener = StdTcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Self::Tcp(listener))
    }
}

/// The file of a Unix socket, removed on drop.
#[derive(Debug)]
struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl MailListener {
    /// Binds a port for SMTP.
    ///
    /// # Errors
    /// The port is in use, or cannot be bound.
    pub fn bind_smtp(SmtpAddress(address): SmtpAddress) -> io::Result<Self> {
        Ok(Self { socket: Socket::of_port(address)? })
    }

    /// Binds a socket for LMTP. Replaces the file of a Unix socket that nobody listens on.
    ///
    /// # Errors
    /// The address is in use, or cannot be bound.
    pub fn bind(address: &LmtpAddress) -> io::Result<Self> {
        let socket = match address {
            LmtpAddress::Port(address) => Socket::of_port(*address)?,
            LmtpAddress::Socket(path) => {
                remove_stale(path)?;
                let listener = StdUnixListener::bind(path)?;
                let file = SocketFile(path.clone());
                fs::set_permissions(path, Permissions::from_mode(SOCKET_MODE))?;
                listener.set_nonblocking(true)?;
                Socket::Unix(listener, file)
            }
        };
        Ok(Self { socket })
    }

    /// Wraps a Unix socket that the service manager has bound.
    ///
    /// # Errors
    /// The system refuses to make it non-blocking.
    pub fn passed(listener: StdUnixListener) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        Ok(Self { socket: Socket::Passed(listener) })
    }

    /// Returns the bound port; none for a Unix socket.
    pub fn port(&self) -> Option<SocketAddr> {
        match &self.socket {
            Socket::Tcp(listener) => listener.local_addr().ok(),
            Socket::Unix(..) | Socket::Passed(_) => None,
        }
    }

    /// Returns the bound address as Postfix writes it behind `lmtp:`.
    ///
    /// # Errors
    /// The system does not report it.
    pub fn address(&self) -> io::Result<String> {
        match &self.socket {
            Socket::Unix(_, SocketFile(path)) => Ok(format!("unix:{}", path.display())),
            Socket::Passed(listener) => {
                let address = listener.local_addr()?;
                let path = address.as_pathname().unwrap_or(Path::new("a socket without a name"));
                Ok(format!("unix:{}", path.display()))
            }
            Socket::Tcp(listener) => Ok(format!("inet:{}", listener.local_addr()?)),
        }
    }

    /// Returns the connections to the socket, which outlive this value.
    ///
    /// # Errors
    /// Too many files are open.
    pub fn connections(&self) -> io::Result<MailConnections> {
        Ok(match &self.socket {
            Socket::Unix(listener, _) | Socket::Passed(listener) => {
                MailConnections::Unix(UnixListener::from_std(listener.try_clone()?)?)
            }
            Socket::Tcp(listener) => {
                MailConnections::Tcp(TcpListener::from_std(listener.try_clone()?)?)
            }
        })
    }
}

/// The connections of mail servers to a socket.
#[derive(Debug)]
pub enum MailConnections {
    /// Of processes of this machine.
    Unix(UnixListener),
    /// To a port.
    Tcp(TcpListener),
}

impl MailConnections {
    /// Takes mails until `shutdown` is true. A mail that is being made durable then gets its reply.
    pub async fn serve(self, intake: MailIntake, mut shutdown: watch::Receiver<bool>) {
        let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
        loop {
            let accept = async {
                let permit = Arc::clone(&connections).acquire_owned().await;
                (self.accept().await, permit)
            };
            let (accepted, permit) = tokio::select! {
                biased;
                () = ended(&mut shutdown) => break,
                accepted = accept => accepted,
            };
            let Ok(stream) = accepted else {
                // Most likely the process has no file descriptors left: wait until connections end.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let (intake, shutdown) = (intake.clone(), shutdown.clone());
            tokio::spawn(async move {
                // A mail server that hangs up or breaks off tries again.
                let _ = converse(stream, &intake, shutdown).await;
                drop(permit);
            });
        }
        drop(self);
        // All permits are free when all connections have ended.
        let _ = timeout(SHUTDOWN_GRACE, connections.acquire_many(MAX_CONNECTIONS)).await;
    }

    async fn accept(&self) -> io::Result<Box<dyn Stream>> {
        Ok(match self {
            Self::Unix(listener) => Box::new(listener.accept().await?.0),
            Self::Tcp(listener) => Box::new(listener.accept().await?.0),
        })
    }
}

/// A connection of either kind.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// Removes the file of a Unix socket that nobody listens on.
fn remove_stale(path: &Path) -> io::Result<()> {
    let is_socket = match path.symlink_metadata() {
        Ok(file) => file.file_type().is_socket(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !is_socket {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "the file is not a socket"));
    }
    match StdUnixStream::connect(path) {
        Ok(_) => Err(io::Error::new(io::ErrorKind::AddrInUse, "another process listens there")),
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => fs::remove_file(path),
        Err(error) => Err(error),
    }
}

/// Completes when `shutdown` is true.
async fn ended(shutdown: &mut watch::Receiver<bool>) {
    let _ = shutdown.wait_for(|is_over| *is_over).await;
}

/// Speaks with one mail server.
async fn converse(
    mut stream: Box<dyn Stream>,
    intake: &MailIntake,
    mut shutdown: watch::Receiver<bool>,
) -> io::Result<()> {
    let mut session = MailSession::new(intake.dialect, intake.identity.clone());
    let mut replies = session.greeting();
    let mut buffer = vec![0; PIECE];
    loop {
        timeout(IDLE, stream.write_all(replies.as_bytes())).await??;
        replies.clear();
        let read = tokio::select! {
            biased;
            () = ended(&mut shutdown) => None,
            read = timeout(IDLE, stream.read(&mut buffer)) => Some(read??),
        };
        let count = match read {
            Some(0) => return Ok(()),
            Some(count) => count,
            None => return stream.write_all(session.farewell().as_bytes()).await,
        };
        let mut input = &buffer[..count];
        while let Some(step) = session.next(&mut input) {
            match step {
                SessionStep::Reply(text) => replies += &text,
                SessionStep::Take(mail) => {
                    let take = Arc::clone(&intake.take);
                    let taken = tokio::task::spawn_blocking(move || take(mail)).await;
                    replies += &session.taken(taken.unwrap_or(false));
                }
                SessionStep::Close(text) => {
                    replies += &text;
                    return timeout(IDLE, stream.write_all(replies.as_bytes())).await?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_can_connect() {
        let read = |text: &str| text.parse::<LmtpAddress>();
        assert_eq!(read("unix:/run/p/lmtp"), Ok(LmtpAddress::Socket("/run/p/lmtp".into())));
        for text in ["127.0.0.1:2424", "[::1]:24"] {
            assert_eq!(read(text), Ok(LmtpAddress::Port(text.parse().unwrap())));
        }
        for text in ["0.0.0.0:2424", "192.0.2.1:24", "[::]:24", "unix:lmtp", "unix:", "24", ""] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn smtp_is_for_private_networks() {
        let read = |text: &str| text.parse::<SmtpAddress>();
        for text in [
            "127.0.0.1:2525",
            "10.1.2.3:25",
            "172.31.0.1:25",
            "192.168.1.5:25",
            "100.100.1.1:25",
            "[::1]:2525",
            "[fd00::5]:25",
        ] {
            assert_eq!(read(text).map(|it| it.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "0.0.0.0:25",
            "[::]:25",
            "192.0.2.1:25",
            "172.32.0.1:25",
            "100.128.0.1:25",
            "[2001:db8::1]:25",
            "[::ffff:192.0.2.1]:25",
            "mx.example.org:25",
            "25",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_stale_socket_is_replaced_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| LmtpAddress::Socket(dir.path().join(name));
        let bind = |name: &str| MailListener::bind(&at(name));
        // This listener leaves its file behind.
        drop(std::os::unix::net::UnixListener::bind(dir.path().join("lmtp")).unwrap());
        let first = bind("lmtp").unwrap();
        let file = dir.path().join("lmtp").symlink_metadata().unwrap();
        assert_eq!(file.permissions().mode() & 0o777, SOCKET_MODE);
        assert_eq!(bind("lmtp").unwrap_err().kind(), io::ErrorKind::AddrInUse);
        drop(first);
        assert!(!dir.path().join("lmtp").exists());
        fs::write(dir.path().join("text"), "a text").unwrap();
        assert_eq!(bind("text").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(dir.path().join("text")).unwrap(), b"a text");
        assert!(bind(&"x".repeat(200)).is_err(), "the path is too long for a socket");
    }
}
