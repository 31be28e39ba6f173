//! `run` reads a mailbox of Dovecot by TLS, with passwords and with access tokens.

use super::Boxes;
use super::idle::{all_arrived_once, chat};
use crate::operator::run::{Manager, Running};
use crate::support::program::Home;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

const TOKEN: &str = "a-good-token";

/// Starts the server that knows whose token is whose, as providers have one. Returns its port.
fn token_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let is_known = head[0].contains(&format!("access_token={TOKEN} "));
            let (status, body) = if is_known {
                ("200 OK", r#"{"email":"postboard"}"#)
            } else {
                ("400 Bad Request", r#"{"error":"invalid_token"}"#)
            };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    port
}

/// Creates a home that reads the mailbox; `secret` is the key that names the password or token.
fn reading(host: &str, tls: &str, port: u16, secret: &str) -> Home {
    let home = Home::with_board();
    fs::write(home.base().join("secret"), "secret\n").unwrap();
    let file = home.base().join("secret").display().to_string();
    let section = format!(
        "[imap]\nhost = \"{host}\"\nport = {port}\ntls = \"{tls}\"\nuser = \"postboard\"\n{}",
        secret.replace("FILE", &file)
    );
    home.configure("[imap]", &section);
    home
}

/// Returns a command that trusts the authority of the certificate.
fn trusting(home: &Home, boxes: &Boxes) -> Command {
    let mut command = home.command();
    command.env("SSL_CERT_FILE", boxes.dir.path().join("authority.pem"));
    command
}

const PASSWORD: &str = "password_file = \"FILE\"";

#[test]
#[ignore = "needs Dovecot: .ci/run installs it and runs this by name"]
fn mails_are_read_by_tls_and_a_certificate_of_strangers_is_refused() {
    let boxes = Boxes::secure(token_server());
    boxes.make_folder("");
    for (number, tls, port) in [(1, "tls", boxes.imaps), (2, "starttls", boxes.imap)] {
        let home = reading("localhost", tls, port, PASSWORD);
        boxes.arrive(number, &chat(1));
        let mut running = Running::begin(&home, trusting(&home, &boxes), &[]);
        running.sent(&home, 2);
        assert_eq!(running.end(), "", "{tls}");
        all_arrived_once(&home, 1);
    }
    let log = super::bench("log", boxes.dir.path(), &[]);
    let logins = log.lines().filter(|line| line.contains("Login: user=<postboard>"));
    assert_eq!(logins.clone().count(), 2, "{log}");
    assert!(logins.clone().all(|line| line.contains(", TLS, ")), "{log}");

    for (host, is_trusted, port, tls, why) in [
        ("localhost", false, boxes.imaps, "tls", "no authority that this machine trusts"),
        ("localhost", false, boxes.imap, "starttls", "no authority that this machine trusts"),
        ("127.0.0.1", true, boxes.imaps, "tls", "its certificate is not for 127.0.0.1"),
        ("localhost", true, boxes.imap, "tls", "it does not speak TLS at this port"),
    ] {
        let home = reading(host, tls, port, PASSWORD);
        let command = if is_trusted { trusting(&home, &boxes) } else { home.command() };
        let mut running = Running::begin(&home, command, &["--listen", "127.0.0.1:0"]);
        assert!(running.ready("503").contains("imap"));
        let said = running.end();
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(&format!("[imap] {host}:{port}: ")) && said.contains(why), "{said}");
    }
    // The password was never sent.
    let log = super::bench("log", boxes.dir.path(), &[]);
    assert_eq!(
        log.matches("user=<postboard>").count(),
        log.matches("Login: user=<postboard>").count()
    );
}

#[test]
#[ignore = "needs Dovecot: .ci/run installs it and runs this by name"]
fn an_access_token_logs_in_and_one_that_is_refused_is_told_once() {
    let boxes = Boxes::secure(token_server());
    boxes.make_folder("");
    let cases = [
        (1, "token_file = \"FILE\"", "renew the token in "),
        (2, "token_command = \"/bin/cat FILE\"", "see what /bin/cat prints"),
    ];
    for (number, secret, remedy) in cases {
        let home = reading("localhost", "tls", boxes.imaps, secret);
        fs::write(home.base().join("secret"), "an-old-token\n").unwrap();
        boxes.arrive(number, &chat(1));
        let mut command = trusting(&home, &boxes);
        let manager = Manager::of(&home, &mut command);
        let mut running = Running::begin(&home, command, &["--listen", "127.0.0.1:0"]);
        assert_eq!(manager.told(), "READY=1\n");
        assert!(running.ready("503").contains("imap"));
        fs::write(home.base().join("secret"), format!("{TOKEN}\n")).unwrap();
        manager.reload(&running);
        running.sent(&home, 2);
        running.ready("200");
        let said = running.end();
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.contains("the login of postboard is refused") && said.contains(remedy),
            "{said}"
        );
        assert!(!said.contains("an-old-token"), "{said}");
        all_arrived_once(&home, 1);
    }
    let log = super::bench("log", boxes.dir.path(), &[]);
    let by_token =
        log.lines().filter(|line| line.contains("Login:") && line.contains("method=XOAUTH2"));
    assert_eq!(by_token.count(), 2, "{log}");
}
