//! How soon a mail is answered: from the end of its data by LMTP to the end of the answer at a mail
//! server, beside the floor in the same run, a mail, a board and a reply made durable one after the other.
//!
//! `cargo bench -p benches --features peers --bench latency` runs `postboard run` on the disk of
//! `target/`. `-- --burst` sends 10,000 mails at once instead.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench times the disk")]
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

mod town;

use benches::durable;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};
use town::home;

const MAILS: u32 = 300;
const BURST: u32 = 10_000;
/// The connections that send a burst.
const CONNECTIONS: usize = 4;
/// Reminders of the boards may leave at first; no letter for so long means that they are gone.
const QUIET: Duration = Duration::from_secs(2);

/// After this pause no letter of a mail is left.
const PAUSE: Duration = Duration::from_millis(100);

/// A letter that has arrived: to whom, and when its last line came.
struct Arrived {
    to: String,
    at: Instant,
}

fn main() {
    let program = benches::program(env!("CARGO_TARGET_TMPDIR"));
    let is_burst = std::env::args().any(|word| word == "--burst");
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("target/tmp can be written");
    let path = dir.path().join("home");
    let mails = if is_burst { BURST } else { MAILS };
    let replies = home(&path, mails.max(1_000), mails);
    let (port, arrivals) = mail_server();
    let config = path.join("postboard.toml");
    let mut config = OpenOptions::new().append(true).open(config).expect("a configuration");
    write!(config, "\n[deliver]\nby = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}\n")
        .expect("it is written");
    let socket = dir.path().join("lmtp");
    let mut server = begin(&program, &path, &socket);
    while arrivals.recv_timeout(QUIET).is_ok() {}
    println!("  memory of `run` without work: {} KB", benches::memory(&server, "VmRSS"));
    if is_burst {
        burst(&socket, &replies, &path);
    } else {
        one_by_one(&socket, &replies, &arrivals, dir.path());
    }
    println!("  its largest memory: {} KB", benches::memory(&server, "VmHWM"));
    server.kill().and_then(|()| server.wait()).expect("it was running");
}

/// Starts `run`, and waits until it listens.
fn begin(program: &Path, home: &Path, socket: &Path) -> Child {
    let mut command = Command::new(program);
    command.arg("--home").arg(home).args(["run", "--lmtp"]);
    command.arg(format!("unix:{}", socket.display())).stdout(Stdio::piped());
    let mut server = command.spawn().expect("the program runs");
    let mut line = String::new();
    let out = server.stdout.as_mut().expect("it was piped");
    BufReader::new(out).read_line(&mut line).expect("it says where it listens");
    server
}

/// Sends each mail after all letters that the one before has caused.
fn one_by_one(socket: &Path, replies: &[Vec<u8>], arrivals: &Receiver<Arrived>, dir: &Path) {
    let (mut answers, mut floors) = (Vec::new(), Vec::new());
    let mut client = Client::new(socket);
    for raw in replies {
        let text = String::from_utf8_lossy(raw);
        let to =
            text.split_once('<').and_then(|(_, rest)| rest.split_once('>')).expect("a sender").0;
        let sent = client.mail(raw);
        let answer = arrivals.iter().find(|letter| letter.to == to).expect("an answer");
        answers.push(answer.at - sent);
        while arrivals.recv_timeout(PAUSE).is_ok() {}
        let start = Instant::now();
        for name in ["mail", "board", "reply"] {
            durable(dir, name, raw);
        }
        floors.push(start.elapsed());
    }
    let [answer, floor] = [&mut answers, &mut floors].map(|times| {
        times.sort();
        (times[times.len() / 2], times[times.len() * 95 / 100])
    });
    println!("  {} mails, one after the other", replies.len());
    println!(
        "  from the end of the data to the answer: median {:?}, 95 of 100 within {:?}",
        answer.0, answer.1
    );
    println!(
        "  floor, three files made durable:        median {:?}, 95 of 100 within {:?}",
        floor.0, floor.1
    );
    println!("  {:.2} x the floor", answer.0.as_secs_f64() / floor.0.as_secs_f64());
}

/// Sends all mails at once by some connections, and waits until they are executed.
fn burst(socket: &Path, replies: &[Vec<u8>], home: &Path) {
    let start = Instant::now();
    thread::scope(|scope| {
        for part in replies.chunks(replies.len().div_ceil(CONNECTIONS)) {
            scope.spawn(move || {
                let mut client = Client::new(socket);
                for raw in part {
                    client.mail(raw);
                }
                client.finish();
            });
        }
    });
    let taken = start.elapsed();
    let waiting = || fs::read_dir(home.join("spool/new")).expect("a spool").count();
    while waiting() > 0 {
        thread::sleep(Duration::from_millis(5));
    }
    let executed = start.elapsed();
    let rate = |time: Duration| f64::from(BURST) / time.as_secs_f64();
    println!("  {BURST} mails at once, {CONNECTIONS} connections");
    println!("  durable after {taken:?}: {:.0} a second", rate(taken));
    println!("  executed after {executed:?}: {:.0} a second", rate(executed));
}

/// A connection to `run`, as a mail server makes it.
struct Client {
    stream: BufReader<UnixStream>,
    /// Whether the reply to the last mail has not been read.
    is_open: bool,
}

impl Client {
    fn new(socket: &Path) -> Self {
        let stream = UnixStream::connect(socket).expect("it listens");
        let mut client = Self { stream: BufReader::new(stream), is_open: false };
        client.reply();
        client.say(b"LHLO mx.example.org\r\n");
        client.reply();
        client
    }

    fn say(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).expect("it listens");
    }

    /// Reads a reply to its last line.
    fn reply(&mut self) {
        let mut line = String::new();
        while line.as_bytes().get(3) != Some(&b' ') {
            line.clear();
            assert!(self.stream.read_line(&mut line).expect("it answers") > 0, "it hung up");
        }
        assert!(line.starts_with('2') || line.starts_with("354"), "{line}");
    }

    /// Waits until the last mail has been taken.
    fn finish(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.reply();
        }
    }

    /// Sends a mail, and returns when its data ended.
    fn mail(&mut self, raw: &[u8]) -> Instant {
        let text = String::from_utf8_lossy(raw);
        let to = text.split_once("To: Postboard <").expect("a recipient").1;
        let to = to.split_once('>').expect("an address").0;
        self.finish();
        let head = format!("MAIL FROM:<a@example.org>\r\nRCPT TO:<{to}>\r\nDATA\r\n");
        self.say(head.as_bytes());
        (0..3).for_each(|_| self.reply());
        self.say(raw);
        self.say(b"\r\n.\r\n");
        self.is_open = true;
        Instant::now()
    }
}

/// Starts a mail server that accepts everything; returns its port, and the letters as they arrive.
fn mail_server() -> (u16, Receiver<Arrived>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let (sender, arrivals) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let sender = sender.clone();
            thread::spawn(move || accept(stream, &sender));
        }
    });
    (port, arrivals)
}

/// Takes letters by SMTP until the other side leaves.
fn accept(stream: TcpStream, sender: &Sender<Arrived>) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut out = stream.try_clone().ok()?;
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    out.write_all(b"220 sink\r\n").ok()?;
    let mut to = String::new();
    while let Some(line) = lines.next() {
        let word = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        if word == "RCPT" {
            line.split(['<', '>']).nth(1).unwrap_or_default().clone_into(&mut to);
        }
        let reply: &[u8] = match &*word {
            "DATA" => {
                out.write_all(b"354 go on\r\n").ok()?;
                lines.by_ref().find(|line| line == ".")?;
                let _ = sender.send(Arrived { to: to.clone(), at: Instant::now() });
                b"250 kept\r\n"
            }
            "EHLO" => b"250-sink\r\n250 8BITMIME\r\n",
            "QUIT" => return out.write_all(b"221 bye\r\n").ok(),
            _ => b"250 sink\r\n",
        };
        out.write_all(reply).ok()?;
    }
    None
}
