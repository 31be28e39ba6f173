//! nginx and Caddy, configured as in docs/operating/web.md, with forged headers of a client.

#![expect(clippy::disallowed_types, reason = "the proxy is a separate program")]
#![expect(clippy::disallowed_methods, reason = "the proxy reads its configuration from a file")]

use super::forwarding::{Lines, forged};
use super::real::Served;
use crate::support::program::Home;
use rand::SeedableRng as _;
use rand_chacha::ChaCha20Rng;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const DOCUMENT: &str = include_str!("../../docs/operating/web.md");

/// Returns the code block of the document that starts with `begins`.
fn block(begins: &str) -> String {
    let block = DOCUMENT.split("```").find_map(|block| {
        let text = block.strip_prefix("text\n")?;
        text.starts_with(begins).then(|| text.to_owned())
    });
    block.unwrap_or_else(|| panic!("docs/operating/web.md has no block that begins with {begins}"))
}

/// Replaces parts of a block and checks that each part exists.
fn with(block: String, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(block, |block, (from, to)| {
        assert!(block.contains(from), "the documented configuration has no `{from}`: {block}");
        block.replace(from, to)
    })
}

/// A running proxy; it is killed when this value is dropped.
struct Proxy {
    child: Child,
    address: SocketAddr,
}

impl Proxy {
    /// Runs nginx with the documented server block, without encryption.
    fn nginx(folder: &Path, server: &str) -> Self {
        let address = free_address();
        let listen = format!("listen {address}");
        let block = with(
            block("server {"),
            &[
                ("listen 443 ssl http2", &listen),
                ("ssl_certificate ", "# "),
                ("ssl_certificate_key ", "# "),
                ("127.0.0.1:8080", server),
            ],
        );
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {};", folder.join(name).display()));
        // The tests may run as root; the workers of nginx read no files.
        let text = format!(
            "daemon off; pid {}; error_log stderr emerg; events {{}}\n\
             http {{ access_log off; keepalive_requests 100000; {}\n{block}\n}}\n",
            folder.join("pid").display(),
            folders.concat(),
        );
        fs::write(folder.join("nginx.conf"), text).unwrap();
        let mut command = Command::new("/usr/sbin/nginx");
        command.arg("-e").arg("stderr").arg("-c").arg(folder.join("nginx.conf"));
        Self::of(command, address)
    }

    /// Runs Caddy with the documented site, without encryption.
    fn caddy(folder: &Path, server: &str) -> Self {
        let address = free_address();
        let site = format!("http://games.example.org:{} {{\n    bind 127.0.0.1\n", address.port());
        let block = with(
            block("games.example.org {"),
            &[("games.example.org {\n", &site), ("127.0.0.1:8080", server)],
        );
        fs::write(folder.join("Caddyfile"), format!("{{\n    admin off\n}}\n{block}")).unwrap();
        let mut command = Command::new("/usr/bin/caddy");
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
        command.env("HOME", folder);
        Self::of(command, address)
    }

    fn of(mut command: Command, address: SocketAddr) -> Self {
        command.stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // Caddy listens after it has read its configuration.
        while TcpStream::connect(address).is_err() {
            assert!(child.try_wait().unwrap().is_none(), "{command:?} has ended");
            std::thread::yield_now();
        }
        Self { child, address }
    }

    /// Connects from this local address.
    fn client(&self, client: &str) -> Client {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::new(client.parse().unwrap(), 0)).unwrap();
            socket.connect(self.address).await.unwrap().into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        stream.set_nodelay(true).unwrap();
        Client(BufReader::new(stream))
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // SIGTERM also ends the workers of nginx.
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.child.wait();
    }
}

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A client's connection to a proxy.
struct Client(BufReader<TcpStream>);

impl Client {
    /// Sends a request and returns the head of its response.
    fn asks(&mut self, path: &str, sent: &Lines) -> String {
        let mut request =
            format!("GET {path} HTTP/1.1\r\nHost: games.example.org\r\n").into_bytes();
        for (name, value) in sent {
            request.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        request.extend(b"\r\n");
        self.0.get_mut().write_all(&request).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(self.0.read_line(&mut head).unwrap() > 0, "{path} {sent:?}: {head}");
        }
        head.to_ascii_lowercase()
    }

    /// Sends a request, reads its response, and returns the status and whether the connection stays
    /// open.
    fn status(&mut self, path: &str, sent: &Lines) -> (u16, bool) {
        let head = self.asks(path, sent);
        let status = head[9..12].parse().unwrap();
        if head.contains("connection: close") {
            return (status, false);
        }
        match head.split("content-length: ").nth(1) {
            Some(length) => self.skip(length.split("\r\n").next().unwrap().parse().unwrap()),
            None => self.skip_chunks(),
        }
        (status, true)
    }

    fn skip(&mut self, length: u64) {
        std::io::copy(&mut self.0.by_ref().take(length), &mut std::io::sink()).unwrap();
    }

    /// Reads a body in chunks, as Caddy sends bodies that it may compress.
    fn skip_chunks(&mut self) {
        loop {
            let mut size = String::new();
            assert!(self.0.read_line(&mut size).unwrap() > 0, "the end of a body is missing");
            let length = u64::from_str_radix(size.trim_end(), 16).unwrap();
            self.skip(length + 2);
            if length == 0 {
                return;
            }
        }
    }
}

/// Requests the metrics with forged headers, as a client that has used up its limit and as another
/// client: the server distinguishes the clients and gives the metrics to neither.
fn limits_hold(proxy: &Proxy, requests: usize) {
    let held: Vec<Client> = (0..HELD)
        .map(|_| {
            let mut client = proxy.client("127.0.0.7");
            let head = client.asks("/events?board=malaka+1", &Lines::new());
            assert!(head.starts_with("http/1.1 200"), "{head}");
            client
        })
        .collect();
    let mut chance = ChaCha20Rng::seed_from_u64(21);
    let mut reached = 0;
    for (address, wanted) in [("127.0.0.7", 429), ("127.0.0.8", 404)] {
        let mut client = proxy.client(address);
        for _ in 0..requests {
            let sent = forged(&mut chance);
            let (status, is_open) = client.status("/metrics", &sent);
            // The proxies refuse some headers themselves.
            assert!(status == wanted || status == 400, "{address} {sent:?}: {status}");
            reached += usize::from(status == wanted);
            if !is_open {
                client = proxy.client(address);
            }
        }
    }
    assert!(reached > requests, "most of them reach the server: {reached}");
    drop(held);
}

/// The number of connections of a client, at least its limit.
const HELD: usize = 8;

#[test]
#[ignore = "needs nginx and Caddy: .ci/run installs them and runs this by name"]
fn limits_per_client_hold_behind_nginx_and_caddy() {
    let home = Home::with_board();
    home.configure("[web]", &format!("[web]\nconnections_of_one_place = {HELD}"));
    let served = Served::of(&home);
    let folder = tempfile::tempdir().unwrap();
    for proxy in [Proxy::nginx, Proxy::caddy] {
        limits_hold(&proxy(folder.path(), &served.address), 2_500);
    }
    // A request from this machine without a proxy gets the metrics.
    assert!(served.said("GET /metrics HTTP/1.0\r\n\r\n").contains(" 200 "));
}
