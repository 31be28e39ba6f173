//! The real program, over real connections.

#![expect(clippy::disallowed_types, reason = "a program serves, and another one asks it")]
#![expect(clippy::disallowed_methods, reason = "programs are run")]

use crate::program::program;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A program that serves a demonstration; it ends with this.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn new() -> Self {
        let mut command = program();
        command.args(["serve", "--demo", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().trim().trim_end_matches('/');
        Self { address: address.to_owned(), child }
    }

    /// Sends that, and reads until the connection ends.
    fn said(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        // Who is cut off may see the connection reset.
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    }

    fn get(&self, path: &str) -> String {
        let host = &self.address;
        self.said(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_demonstration_is_served_until_the_process_is_told_to_end() {
    let mut served = Served::new();
    assert!(served.get("/").contains("Play as alice"));
    for game in games::GAMES {
        let board = served.get(&format!("/{}/1", game.spec().name));
        assert!(board.starts_with("HTTP/1.1 200") && board.contains("<svg"), "{board}");
    }
    let compressed = served.said(
        "GET /malaka/1 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
    );
    assert!(compressed.contains("content-encoding: gzip"), "{compressed}");
    // Somebody listens, and is let go.
    let mut listener = TcpStream::connect(&served.address).unwrap();
    listener.write_all(b"GET /events?board=malaka+1 HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut lines = BufReader::new(listener);
    let mut line = String::new();
    while !line.contains("listening") {
        line.clear();
        lines.read_line(&mut line).unwrap();
    }
    let pid = rustix::process::Pid::from_child(&served.child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(served.child.wait().unwrap().success());
    assert!(lines.read_to_string(&mut line).is_ok());
}

#[test]
fn what_is_no_request_is_refused_and_the_next_one_served() {
    let served = Served::new();
    for (request, status) in [
        ("nonsense\r\n\r\n", "HTTP/1.1 400"),
        ("GET / HTTP/9.9\r\n\r\n", "HTTP/1.1 400"),
        ("GET / HTTP/1.1\r\nHost: x\r\nx y: z\r\n\r\n", "HTTP/1.1 400"),
        ("POST /say HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400"),
        (
            "POST /say HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n",
            "HTTP/1.1 4",
        ),
    ] {
        let reply = served.said(request);
        assert!(reply.starts_with(status), "{request}: {reply}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: x\r\nx: {}\r\n\r\n", "y".repeat(100_000));
    let reply = served.said(&long);
    assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 431"), "{reply}");
    let path = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "y".repeat(100_000));
    let reply = served.said(&path);
    assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{reply}");
    assert!(served.get("/").starts_with("HTTP/1.1 200"));
}

/// The example for those who write programs: two of it play each other.
#[test]
#[ignore = "needs python3: `cargo test --test postboard example_bot -- --ignored`"]
fn the_example_bot_plays_a_game_of_malaka_to_its_end() {
    let served = Served::new();
    let bot = |user: &str, more: &[&str]| {
        let mut command = Command::new("python3");
        command.arg("docs/examples/malaka_bot.py").arg(format!("http://{}", served.address));
        command.args([user, "a-password", &format!("{user}@example.org")]).args(more);
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    // One waits to be challenged; it has signed up before.
    let signed_up = bot("marian", &["nobody-of-that-name"]).wait_with_output().unwrap();
    assert!(signed_up.stdout.is_empty());
    let (waits, begins) = (bot("marian", &[]), bot("robin", &["marian"]));
    for bot in [waits, begins] {
        let told = String::from_utf8(bot.wait_with_output().unwrap().stdout).unwrap();
        assert!(told.contains(" wins by "), "{told}");
    }
}
