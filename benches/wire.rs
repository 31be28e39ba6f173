//! A minimal HTTP/1.1 client.

use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A persistent connection.
pub(crate) struct Wire {
    stream: TcpStream,
    /// The bytes read but not used.
    rest: Vec<u8>,
}

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// Returns the bytes of a request for a page.
pub(crate) fn request(path: &str, packed: bool) -> Vec<u8> {
    let accepts = if packed { "Accept-Encoding: gzip\r\n" } else { "" };
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{accepts}\r\n").into_bytes()
}

impl Wire {
    pub(crate) async fn open(at: SocketAddr) -> Self {
        let stream = TcpStream::connect(at).await.expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, rest: Vec::new() }
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn get(&mut self, request: &[u8]) -> Response {
        let (status, head) = self.ask(request).await;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let body = match length {
            Some(length) => self.take(length.trim().parse().expect("a length")).await,
            None => self.chunks().await,
        };
        Response { status, body }
    }

    /// Sends a request for an event stream.
    pub(crate) async fn listen(&mut self, path: &str) {
        let (status, _) = self.ask(&request(path, false)).await;
        assert_eq!(status, 200);
    }

    /// Waits for an event with data.
    pub(crate) async fn event(&mut self) {
        while !self.line().await.starts_with("data:") {}
    }

    async fn ask(&mut self, request: &[u8]) -> (u16, String) {
        self.stream.write_all(request).await.expect("it listens");
        let mut head = String::new();
        loop {
            let line = self.line().await;
            if line.is_empty() {
                break;
            }
            head.push_str(&line.to_ascii_lowercase());
            head.push('\n');
        }
        let status = head.split(' ').nth(1).expect("a status").parse().expect("a number");
        (status, head)
    }

    async fn chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line().await, 16).expect("a length");
            body.extend(self.take(length).await);
            assert!(self.line().await.is_empty(), "a chunk ends");
            if length == 0 {
                return body;
            }
        }
    }

    async fn take(&mut self, length: usize) -> Vec<u8> {
        while self.rest.len() < length {
            self.more().await;
        }
        let rest = self.rest.split_off(length);
        std::mem::replace(&mut self.rest, rest)
    }

    async fn line(&mut self) -> String {
        let mut looked = 0;
        loop {
            let end = self.rest[looked..].iter().position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let line = self.take(looked + end + 1).await;
                let line = String::from_utf8(line).expect("a line is ASCII");
                return line.trim_end_matches(['\r', '\n']).to_owned();
            }
            looked = self.rest.len();
            self.more().await;
        }
    }

    async fn more(&mut self) {
        let read = self.stream.read_buf(&mut self.rest).await.expect("it answers");
        assert!(read > 0, "it hung up");
    }
}
