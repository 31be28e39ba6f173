//! The sockets of LMTP and SMTP: binds them, and speaks with the mail servers that connect.

#![expect(clippy::disallowed_methods, reason = "a Unix socket is a file")]

use super::Stream;
use super::smtp::{Dialect, MailSession, SessionStep};
use crate::base::peer_limit::PeerLimiter;
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
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// How long mails that are being made durable may take after a shutdown.
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

/// Limits on what mail servers may use.
#[derive(Clone, Copy, Debug)]
pub struct MailLimits {
    /// The most connections to a socket. Others wait until one ends.
    pub connections: u32,
    /// The most connections of one user of this machine, or of one address. Others are closed.
    pub of_one_peer: usize,
    /// How long a whole command may take, and a mail server to read the reply.
    pub command: Duration,
    /// How long the whole text of a mail may take.
    pub mail: Duration,
}

impl Default for MailLimits {
    fn default() -> Self {
        Self {
            connections: 64,
            // Postfix opens 20 by default.
            of_one_peer: 32,
            // RFC 5321, 4.5.3.2.7.
            command: Duration::from_mins(5),
            mail: Duration::from_mins(10),
        }
    }
}

/// How mails that come over a socket are taken.
#[derive(Clone)]
pub struct MailIntake {
    /// The protocol that the mail servers speak.
    pub dialect: Dialect,
    /// The addresses of this server.
    pub identity: Identity,
    /// Makes a mail durable; returns whether it is.
    pub take: Arc<dyn Fn(Vec<u8>) -> bool + Send + Sync>,
    /// The limits of its socket.
    pub limits: MailLimits,
}

/// A bound socket of LMTP or SMTP.
#[derive(Debug)]
pub struct MailSocket {
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

impl MailSocket {
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
    /// Takes mails until `shutdown` is true. Mails that are being made durable at that moment get their replies.
    pub async fn serve(self, intake: MailIntake, mut shutdown: watch::Receiver<bool>) {
        let max_connections = intake.limits.connections;
        let connections = Arc::new(Semaphore::new(max_connections as usize));
        let peers = PeerLimiter::new(intake.limits.of_one_peer);
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
            let Ok((stream, peer)) = accepted else {
                // Most likely the process has no file descriptors left: wait until connections end.
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            let peer_permit = peers.try_acquire(peer);
            let (intake, shutdown) = (intake.clone(), shutdown.clone());
            tokio::spawn(async move {
                // A mail server that hangs up, breaks off or is refused tries again.
                let _ = if peer_permit.is_some() {
                    converse(stream, &intake, shutdown).await
                } else {
                    refuse(stream, &intake).await
                };
                drop((permit, peer_permit));
            });
        }
        drop(self);
        // All permits are free when all connections have ended.
        let _ = timeout(SHUTDOWN_GRACE, connections.acquire_many(max_connections)).await;
    }

    async fn accept(&self) -> io::Result<(Box<dyn Stream>, Peer)> {
        Ok(match self {
            Self::Unix(listener) => {
                let (stream, _) = listener.accept().await?;
                let user = stream.peer_cred().ok().map(|it| it.uid());
                (Box::new(stream), Peer::User(user))
            }
            Self::Tcp(listener) => {
                let (stream, address) = listener.accept().await?;
                (Box::new(stream), Peer::Address(address.ip().to_canonical()))
            }
        })
    }
}

/// Who has connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Peer {
    /// A user of this machine, if the system tells.
    User(Option<u32>),
    Address(IpAddr),
}

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

/// Refuses a connection; the mail server will try again.
async fn refuse(mut stream: Box<dyn Stream>, intake: &MailIntake) -> io::Result<()> {
    let session = MailSession::new(intake.dialect, intake.identity.clone());
    let reply = session.too_many_connections();
    timeout(intake.limits.command, stream.write_all(reply.as_bytes())).await?
}

/// Speaks with one mail server.
async fn converse(
    mut stream: Box<dyn Stream>,
    intake: &MailIntake,
    mut shutdown: watch::Receiver<bool>,
) -> io::Result<()> {
    let MailLimits { command, mail, .. } = intake.limits;
    let mut session = MailSession::new(intake.dialect, intake.identity.clone());
    let mut replies = session.greeting();
    let mut buffer = vec![0; PIECE];
    let mut deadline = Instant::now();
    loop {
        // Bytes that end neither a command nor a mail have no reply, and gain no time.
        if !replies.is_empty() {
            timeout(command, stream.write_all(replies.as_bytes())).await??;
            replies.clear();
            deadline = Instant::now() + if session.is_receiving() { mail } else { command };
        }
        let read = tokio::select! {
            biased;
            () = ended(&mut shutdown) => Err(session.farewell()),
            // Before the read, since bytes may come without a pause.
            () = sleep_until(deadline) => Err(session.too_slow()),
            read = stream.read(&mut buffer) => Ok(read?),
        };
        let count = match read {
            Ok(0) => return Ok(()),
            Ok(count) => count,
            Err(last) => return timeout(command, stream.write_all(last.as_bytes())).await?,
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
                    return timeout(command, stream.write_all(replies.as_bytes())).await?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Address, HeaderText};
    use std::io::{BufReader, Read as _, Write as _};
    use tokio::net::TcpSocket;
    use tokio::runtime::{Builder, Runtime};

    const LATER: Duration = Duration::from_mins(10);

    /// Limits that are not reached.
    const WIDE: MailLimits =
        MailLimits { connections: 64, of_one_peer: 64, command: LATER, mail: LATER };

    /// Serves LMTP with these limits until the threads are dropped.
    fn served(listener: &MailSocket, limits: MailLimits) -> Runtime {
        let threads = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let address = Address::parse("games@play.test").unwrap();
        let identity = Identity { address, name: HeaderText::new("Games"), plus: true };
        let intake =
            MailIntake { dialect: Dialect::Lmtp, identity, take: Arc::new(|_| true), limits };
        let connections = threads.block_on(async { listener.connections() }).unwrap();
        threads.spawn(async move {
            let (_ending, is_over) = watch::channel(false);
            connections.serve(intake, is_over).await;
        });
        threads
    }

    /// Returns the next line, empty if the connection has ended.
    fn line(stream: &mut impl io::BufRead) -> String {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        line
    }

    /// Sends a byte now and then, and returns what the server said when it has ended the connection.
    fn drip(mut stream: StdUnixStream, byte: u8) -> String {
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let (mut said, mut piece) = (Vec::new(), [0; 4096]);
        // For a minute.
        let is_over = (0..3_000).any(|_| {
            let is_gone = stream.write_all(&[byte]).is_err();
            match stream.read(&mut piece) {
                Ok(0) => true,
                Ok(count) => {
                    said.extend_from_slice(&piece[..count]);
                    false
                }
                Err(error) => is_gone || error.kind() != io::ErrorKind::WouldBlock,
            }
        });
        let said = String::from_utf8(said).unwrap();
        assert!(is_over, "nobody ends it: {said}");
        said
    }

    #[test]
    fn a_mail_server_that_sends_a_byte_now_and_then_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let soon = Duration::from_millis(100);
        let begun = "LHLO mx\r\nMAIL FROM:<>\r\nRCPT TO:<games@play.test>\r\nDATA\r\n";
        for (name, limits, begin) in [
            ("command", MailLimits { command: soon, ..WIDE }, ""),
            ("mail", MailLimits { mail: soon, ..WIDE }, begun),
        ] {
            let path = dir.path().join(name);
            let listener = MailSocket::bind(&LmtpAddress::Socket(path.clone())).unwrap();
            let threads = served(&listener, limits);
            let mut stream = StdUnixStream::connect(&path).unwrap();
            stream.write_all(begin.as_bytes()).unwrap();
            let said = drip(stream, b'a');
            assert_eq!(said.contains("\r\n354 "), !begin.is_empty(), "{said}");
            assert!(said.ends_with("\r\n421 4.4.2 play.test has waited too long\r\n"), "{said}");
            drop(threads);
        }
    }

    #[test]
    fn a_user_has_a_part_of_the_connections() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lmtp");
        let listener = MailSocket::bind(&LmtpAddress::Socket(path.clone())).unwrap();
        let _threads = served(&listener, MailLimits { of_one_peer: 2, ..WIDE });
        let connect = || BufReader::new(StdUnixStream::connect(&path).unwrap());
        let mut held = [connect(), connect()];
        assert!(held.iter_mut().all(|stream| line(stream).starts_with("220 ")));
        let mut refused = connect();
        let reply = "421 4.7.0 play.test has enough connections of yours\r\n";
        assert_eq!([line(&mut refused), line(&mut refused)], [reply, ""]);
    }

    #[test]
    fn an_address_has_a_part_of_the_connections_and_others_get_in() {
        let at = LmtpAddress::Port("127.0.0.1:0".parse().unwrap());
        let listener = MailSocket::bind(&at).unwrap();
        let threads = served(&listener, MailLimits { connections: 4, of_one_peer: 2, ..WIDE });
        let connect = |from: &str| {
            let from = SocketAddr::new(from.parse().unwrap(), 0);
            let stream = threads.block_on(async {
                let socket = TcpSocket::new_v4().unwrap();
                socket.bind(from).unwrap();
                socket.connect(listener.port().unwrap()).await.unwrap()
            });
            let stream = stream.into_std().unwrap();
            stream.set_nonblocking(false).unwrap();
            stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
            BufReader::new(stream)
        };
        let mut held = ["127.0.0.2"; 2].map(connect);
        assert!(held.iter_mut().all(|stream| line(stream).starts_with("220 ")));
        let first_line = |from| line(&mut connect(from));
        for _ in 0..10 {
            assert!(first_line("127.0.0.2").starts_with("421 4.7.0 "));
        }
        assert!(first_line("127.0.0.3").starts_with("220 "));
        drop(held);
        assert!((0..10_000).any(|_| first_line("127.0.0.2").starts_with("220 ")));
    }

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
        let bind = |name: &str| MailSocket::bind(&at(name));
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
