//! Letters on their way to a mail server: one connection for many, and limits for the domains of their
//! recipients.

use crate::operator::run::Running;
use crate::support::program::{Home, mail};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A mail server that puts mails to the domain `dead.test` off.
struct Sink {
    port: u16,
    heard: Receiver<String>,
}

impl Sink {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, heard) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut out, tell) = (stream.unwrap(), tell.clone());
                thread::spawn(move || {
                    let lines = BufReader::new(out.try_clone().unwrap()).lines();
                    let _ = tell.send("connected".to_owned());
                    let _ = out.write_all(b"220 ready\r\n");
                    let mut is_mail = false;
                    for line in lines.map_while(Result::ok) {
                        let answer = match &*line {
                            "." => "250 taken",
                            _ if is_mail => continue,
                            "DATA" => "354 go on",
                            line if line.starts_with("RCPT") && line.contains("@dead.test") => {
                                "451 4.4.1 no answer from that domain"
                            }
                            line if line.starts_with("EHLO") => "250-x\r\n250 8BITMIME",
                            _ => "250 ok",
                        };
                        is_mail = answer.starts_with("354");
                        // Told before the program goes on.
                        if ["RCPT", "QUIT", "."].iter().any(|it| line.starts_with(it)) {
                            let _ = tell.send(line.clone());
                        }
                        if out.write_all(format!("{answer}\r\n").as_bytes()).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Self { port, heard }
    }

    /// Returns what was said until a mail was taken.
    fn until_taken(&self) -> Vec<String> {
        let next = || self.heard.recv_timeout(Duration::from_mins(1)).unwrap();
        let mut heard = Vec::new();
        while heard.last().is_none_or(|line| line != ".") {
            heard.push(next());
        }
        heard
    }

    /// Returns what else was said.
    fn rest(&self) -> Vec<String> {
        self.heard.try_iter().collect()
    }

    /// Makes this the mail server of a home.
    fn serve(&self, home: &Home, more: &str) {
        let smtp = format!("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = {}{more}", self.port);
        home.configure(&home.by_folder(), &smtp);
    }
}

#[test]
fn letters_of_a_process_that_stays_share_a_connection() {
    let (home, sink) = (Home::new(), Sink::new());
    sink.serve(&home, "");
    let mut running = Running::begin(&home, home.command(), &[]);
    let sign_up = |number: u32, name: &str| {
        let raw = mail(number, name, "postboard@localhost", &format!("signup {name} secret"), "");
        home.receive(raw.as_bytes());
    };
    sign_up(1, "alice");
    assert_eq!(sink.until_taken(), ["connected", "RCPT TO:<alice@pbm.test>", "."]);
    // Later letters find the connection open.
    for (number, name) in [(2, "bob"), (3, "carol")] {
        sign_up(number, name);
        assert_eq!(sink.until_taken(), [format!("RCPT TO:<{name}@pbm.test>"), ".".into()]);
    }
    assert_eq!(running.end(), "");
    assert_eq!(sink.rest(), ["QUIT"]);
}

/// Creates a home with three boards between players at `dead.test`, and one between others: two letters
/// about each.
fn home_with_letters() -> Home {
    let home = Home::new();
    for name in ["dan", "dora"] {
        home.done(&format!("signup {name} secret {name}@dead.test"));
    }
    for name in ["alice", "bob"] {
        home.done(&format!("signup {name} secret {name}@pbm.test"));
    }
    home.delivered();
    for _ in 0..3 {
        home.done("malaka challenge dan dora");
    }
    home.done("malaka challenge alice bob");
    home
}

#[test]
fn a_domain_whose_server_puts_mails_off_waits_and_others_get_theirs() {
    let (home, sink) = (home_with_letters(), Sink::new());
    sink.serve(&home, "\ndomain_failures = 2");
    let ran = home.run(&["deliver"], b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    assert!(ran.err.contains("2 mails cannot be sent") && ran.err.contains("451"), "{ran:?}");
    let heard = sink.rest();
    let count = |part: &str| heard.iter().filter(|line| line.contains(part)).count();
    assert_eq!(
        (count("connected"), count("@dead.test"), count("@pbm.test"), count("QUIT")),
        (1, 2, 2, 1),
        "{heard:?}"
    );
    let waiting = home.names("outbox/new");
    let with = |tries: &str| waiting.iter().filter(|name| name.contains(tries)).count();
    assert_eq!((waiting.len(), with(",1,"), with(",0,")), (6, 2, 4), "{waiting:?}");
    // They wait for their time.
    assert_eq!(home.run(&["deliver"], b"").code, Some(0));
    assert_eq!(sink.rest(), [""; 0]);
}

#[test]
fn a_domain_gets_as_many_letters_a_minute_as_configured() {
    let (home, sink) = (home_with_letters(), Sink::new());
    sink.serve(&home, "\ndomain_mails_a_minute = 1");
    let ran = home.run(&["deliver"], b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let heard = sink.rest();
    let count = |part: &str| heard.iter().filter(|line| line.contains(part)).count();
    assert_eq!((count("@dead.test"), count("@pbm.test")), (1, 1), "{heard:?}");
    assert_eq!(home.names("outbox/new").len(), 7);
    assert_eq!(home.run(&["deliver"], b"").code, Some(0));
    assert_eq!(sink.rest(), [""; 0], "the minute is not over");
}
