//! Slow, silent and many clients over real connections: the server disconnects them and continues
//! to answer other clients. The limits are short; a client that is not disconnected fails its test
//! after a minute.

use crate::support::web::browser::forms;
use crate::support::web::home::{MALAKA, WebHome};
use postboard::config::WebLimits;
use postboard::web::WebListener;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;

pub(crate) const SOON: Duration = Duration::from_millis(100);
const LATER: Duration = Duration::from_mins(10);

/// Limits that no test reaches.
pub(crate) const WIDE: WebLimits = WebLimits {
    connections: 1_000,
    per_network: 1_000,
    header: LATER,
    body: LATER,
    answer: LATER,
    idle: LATER,
    push: LATER,
    push_retry: LATER,
};

/// A served home.
pub(crate) struct Served {
    pub(crate) town: WebHome,
    pub(crate) at: SocketAddr,
    pub(crate) threads: Runtime,
    end: Option<oneshot::Sender<()>>,
}

impl Served {
    /// Serves a home with these limits. If `is_proxy` is set, clients on this machine count as a
    /// proxy, otherwise as one visitor.
    fn new(bounds: &WebLimits, is_proxy: bool) -> Self {
        Self::over(bounds, is_proxy, None)
    }

    /// Serves a home over connections that `acceptor` encrypts, if it is set.
    pub(crate) fn over(bounds: &WebLimits, is_proxy: bool, acceptor: Option<TlsAcceptor>) -> Self {
        let town = WebHome::bounded(bounds, is_proxy);
        let threads = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        socket.set_nonblocking(true).unwrap();
        let address = socket.local_addr().unwrap();
        let door = threads.block_on(async { WebListener::new(socket, acceptor) }).unwrap();
        let at = address;
        let (end, ended) = oneshot::channel();
        let site = town.site.clone();
        threads.spawn(door.serve(site, async { drop(ended.await) }));
        Self { town, at, threads, end: Some(end) }
    }

    /// Tells the server to stop.
    pub(crate) fn ends(&mut self) {
        drop(self.end.take());
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.at).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream.set_write_timeout(Some(Duration::from_mins(1))).unwrap();
        stream
    }

    /// Sends a text and reads until the connection ends.
    pub(crate) fn said(&self, text: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        rest(&mut stream)
    }

    /// Requests a page through a proxy that forwards for the visitor `whom`.
    fn get_as(&self, whom: &str, path: &str) -> String {
        self.said(&format!(
            "GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {whom}\r\nConnection: close\r\n\r\n"
        ))
    }

    fn get(&self, path: &str) -> String {
        self.said(&format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
    }

    /// Signs in as the visitor `whom` behind a proxy, and returns the status.
    fn sign_in(&self, whom: &str, user: &str, password: &str) -> u16 {
        let page = self.get_as(whom, "/signin");
        let cookie = page.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap();
        let form = forms(page.split("\r\n\r\n").nth(1).unwrap());
        let form = form.into_iter().find(|form| form.action == "/signin").unwrap();
        let body = form.with("user", user).with("password", password).body();
        let reply = self.said(&format!(
            "POST /signin HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {whom}\r\nCookie: {cookie}\r\n\
             Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        status(&reply)
    }

    /// Subscribes to the events of a board as the visitor `whom` behind a proxy.
    fn listener(&self, whom: &str) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        let asked = format!(
            "GET /events?board=malaka+1 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {whom}\r\n\r\n"
        );
        stream.write_all(asked.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream);
        hears(&mut lines, "listening");
        lines
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.ends();
    }
}

fn status(reply: &str) -> u16 {
    let status = reply.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5));
    status.unwrap_or_else(|| panic!("{reply}")).parse().unwrap()
}

/// Reads until a line contains these words.
pub(super) fn hears(lines: &mut BufReader<TcpStream>, words: &str) {
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "it ended before {words}");
    }
}

/// Returns all bytes until the connection ends, by a close or an error.
fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("nobody ends it"),
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// Returns all bytes until the connection ends, or the beginning of an event stream, which never
/// ends by itself.
fn begun(stream: &mut TcpStream) -> String {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut piece) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("nobody ends it"),
            Ok(0) | Err(_) => break,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
        if String::from_utf8_lossy(&bytes).contains("text/event-stream") {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn clients_with_slow_headers_are_cut_off() {
    let served = Served::new(&WebLimits { header: SOON, ..WIDE }, false);
    // The clients include one with an answered request, and one that begins another protocol.
    let asked = "GET /assets/x HTTP/1.1\r\nHost: x\r\n\r\n";
    for begin in ["", "G", "GET / HTTP/1.1\r\nHost", "PRI * HTT", "\r\n\r\n", asked] {
        let mut silent = served.connect();
        silent.write_all(begin.as_bytes()).unwrap();
        let mut steady = served.connect();
        steady.write_all(begin.as_bytes()).unwrap();
        steady.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let is_cut = |stream: &mut TcpStream| {
            let gone = stream.write_all(b"x").is_err();
            let read = stream.read(&mut [0; 4096]);
            gone || match read {
                Ok(read) => read == 0,
                Err(error) => error.kind() != ErrorKind::WouldBlock,
            }
        };
        assert!((0..3_000).any(|_| is_cut(&mut steady)), "{begin}: a byte now and then");
        let reply = rest(&mut silent);
        assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{begin}: {reply}");
        assert!(served.get("/").starts_with("HTTP/1.1 200"));
    }
}

#[test]
fn a_slow_form_is_refused_and_changes_nothing() {
    let served = Served::new(&WebLimits { body: SOON, ..WIDE }, false);
    let documents = served.town.documents();
    for (path, said) in [("/say", "<p>Your request took too long"), ("/api/v1/say", "\"error\"")] {
        let reply = served.said(&format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 50\r\n\r\nv"
        ));
        assert!(reply.starts_with("HTTP/1.1 408") && reply.contains(said), "{reply}");
        assert!(reply.to_lowercase().contains("content-security-policy"), "{reply}");
        let reply = served.said(&format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\
             \r\n1\r\nv\r\n"
        ));
        assert!(reply.starts_with("HTTP/1.1 408"), "{reply}");
    }
    assert_eq!(served.town.documents(), documents);
}

#[test]
fn clients_that_read_no_response_are_cut_off() {
    let served = Served::new(&WebLimits { answer: SOON, idle: SOON, ..WIDE }, false);
    let mut greedy = served.connect();
    // The client reads one byte per requested page until the server stops reading.
    let failed = loop {
        let asked = greedy.write_all(b"GET /help/commands HTTP/1.1\r\nHost: x\r\n\r\n");
        match asked.and_then(|()| greedy.read(&mut [0])) {
            Ok(0) => break ErrorKind::ConnectionReset,
            Ok(_) => {}
            Err(error) => break error.kind(),
        }
    };
    assert_ne!(failed, ErrorKind::WouldBlock, "nobody ends it");
    assert!(served.get("/").starts_with("HTTP/1.1 200"));
}

#[test]
fn listeners_are_not_cut_off() {
    let served = Served::new(&WebLimits { header: SOON, answer: SOON, idle: SOON, ..WIDE }, false);
    served.town.say("malaka challenge alice bob");
    let mut listener = served.listener("");
    // Other clients connect later and are disconnected for silence.
    for _ in 0..5 {
        rest(&mut served.connect());
    }
    served.town.play(MALAKA, 1);
    hears(&mut listener, "data: changed");
}

#[test]
fn the_connections_of_a_network_are_limited() {
    let served = Served::new(&WebLimits { per_network: 3, ..WIDE }, false);
    let held: Vec<TcpStream> = (0..3).map(|_| served.connect()).collect();
    assert_eq!(rest(&mut served.connect()), "");
    // A proxy that is not configured is a visitor itself, and so its clients share one limit.
    assert_eq!(served.get_as("192.0.2.7", "/"), "");
    drop(held);
    assert!((0..1_000).any(|_| served.get("/").starts_with("HTTP/1.1 200")));
}

#[test]
fn the_requests_of_a_network_behind_a_proxy_are_limited() {
    let served = Served::new(&WebLimits { per_network: 3, ..WIDE }, true);
    served.town.say("malaka challenge alice bob");
    let held: Vec<_> = (0..3).map(|_| served.listener("192.0.2.7")).collect();
    let refused = served.get_as("192.0.2.7", "/");
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("retry-after"), "{refused}");
    assert!(refused.contains("Too many requests come from your network at once"), "{refused}");
    let refused = served.get_as("192.0.2.7", "/api/v1/games");
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("\"error\""), "{refused}");
    // An IPv6 network has one limit; other visitors and requests without a forwarded address are
    // still answered.
    assert!(served.get_as("192.0.2.8", "/").starts_with("HTTP/1.1 200"));
    let six: Vec<_> = (1..4).map(|at| served.listener(&format!("2001:db8::{at}"))).collect();
    assert!(served.get_as("2001:db8::9", "/").starts_with("HTTP/1.1 429"));
    assert!(served.get("/").starts_with("HTTP/1.1 200"));
    drop((held, six));
    assert!((0..1_000).any(|_| served.get_as("192.0.2.7", "/").starts_with("HTTP/1.1 200")));
}

#[test]
fn a_flood_of_sign_ins_is_held_back_and_others_sign_in() {
    let served = Served::new(&WIDE, true);
    let user = |served: &Served| {
        let documents = served.town.documents();
        documents.into_iter().find(|(key, _)| format!("{key:?}").contains("alice")).unwrap()
    };
    let before = user(&served);
    let mut refused = 0;
    thread::scope(|scope| {
        // The requests come from four addresses, ten at a time from each.
        let flood: Vec<_> = (0..40_u8)
            .map(|number| {
                let whom = format!("192.0.2.{}", number % 4);
                let served = &served;
                scope.spawn(move || served.sign_in(&whom, "alice", "wrong-one"))
            })
            .collect();
        for page in ["/", "/help", "/malaka"] {
            assert_eq!(status(&served.get_as("198.51.100.1", page)), 200);
        }
        assert_eq!(served.sign_in("198.51.100.1", "bob", "secret"), 303);
        for one in flood {
            let status = one.join().unwrap();
            assert!([422, 429].contains(&status), "{status}");
            refused += 1;
        }
    });
    assert_eq!(refused, 40);
    assert_eq!(user(&served), before);
    // The right password does not help during alice's pause; other users can sign in.
    assert_eq!(served.sign_in("203.0.113.9", "alice", "secret"), 422);
    assert_eq!(served.sign_in("203.0.113.9", "carol", "secret"), 303);
}

/// Valid and malformed requests.
const REQUESTS: [&str; 24] = [
    "GET /malaka/1 HTTP/1.1\r\nHost: x\r\nCookie: postboard=1.2.alice\r\nAccept-Encoding: gzip\r\n\r\n",
    "POST /malaka/1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n\
     Content-Length: 25\r\n\r\ntoken=x&once=y&say=resign",
    "POST /api/v1/boards/malaka/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice:x\r\n\
     Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"say\":\"resign\"}",
    "POST /say HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nverb=\r\n0\r\n\r\n",
    "POST /say HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nverb=\r\n0\r\n\r\n",
    "POST /say HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nv",
    "POST /say HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    "POST /say HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
    "POST /say HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    "POST /say HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\nabcd",
    "POST /say HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99999\r\n\r\n",
    "POST /say HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u{1f}\u{0b}\u{8}",
    "GET http://evil.example/malaka/1 HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n folded\r\n\r\n",
    "GET / HTTP/1.1\nHost: x\n\n",
    "GET / HTTP/1.0\r\n\r\n",
    "GET /%zz%%?%=%&&==&;#%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /events?board=malaka+1&board=%00 HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nRange: bytes=0-0,9-1\r\nIf-None-Match: \u{e9}\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}",
];

/// Changes, duplicates, removes and inserts random bytes.
fn mutated(request: &str, chance: &mut ChaCha20Rng) -> Vec<u8> {
    const SIGNS: &[u8] = b"\r\n\0: ;,%=&?/\\\"'<>{}[]\xff\x80aZ09-+.";
    let mut bytes = request.as_bytes().to_vec();
    for _ in 0..chance.random_range(1..6) {
        let at = chance.random_range(0..bytes.len());
        let sign = SIGNS[chance.random_range(0..SIGNS.len())];
        match chance.random_range(0..4) {
            0 => bytes[at] = sign,
            1 => bytes.insert(at, sign),
            2 if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => {
                let end = chance.random_range(at..bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

/// Sends valid and mutated requests; checks that they change no document and cause no server error.
fn no_bytes_do_harm(mutations: usize, seed: u64) {
    let served = Served::new(&WIDE, false);
    served.town.say("malaka challenge alice bob");
    let documents = served.town.documents();
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let mut answered = 0;
    for number in 0..mutations + REQUESTS.len() {
        let request = REQUESTS[number % REQUESTS.len()];
        let bytes = if number < REQUESTS.len() {
            request.as_bytes().to_vec()
        } else {
            mutated(request, &mut chance)
        };
        let mut stream = served.connect();
        let _ = stream.write_all(&bytes);
        // Marks the end of the request.
        let _ = stream.shutdown(Shutdown::Write);
        let reply = begun(&mut stream);
        let told = String::from_utf8_lossy(&bytes);
        if !reply.is_empty() {
            let status = status(&reply);
            assert!((100..500).contains(&status), "{told:?}: {reply}");
            answered += 1;
        }
    }
    assert!(answered > mutations / 2, "{answered}");
    assert_eq!(served.town.documents(), documents);
    assert_eq!(status(&served.get("/malaka/1")), 200);
}

#[test]
fn malformed_requests_do_no_harm() {
    no_bytes_do_harm(500, 1);
}

#[test]
#[ignore = "5 seconds: `cargo test --test postboard ten_thousand_requests -- --ignored`"]
fn ten_thousand_requests_that_are_none_do_no_harm() {
    for seed in 2..4 {
        no_bytes_do_harm(5_000, seed);
    }
}
