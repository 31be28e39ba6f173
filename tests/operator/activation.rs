//! `run` with sockets that the service manager has opened: `postboard.socket`.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs systemd-socket-activate"
)]

use crate::support::program::{Home, PROGRAM, Ran};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the sockets of the unit.
fn sockets() -> Vec<String> {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/systemd/postboard.socket");
    let text = fs::read_to_string(unit).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("ListenStream=")).map(Into::into).collect()
}

#[test]
#[ignore = "needs systemd: .ci/run installs it and runs this by name"]
fn the_sockets_of_the_unit_are_served_and_stay_when_the_program_ends() {
    let home = Home::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let socket = home.base().join("lmtp");
    assert_eq!(sockets(), ["/run/postboard.lmtp", "127.0.0.1:8080"]);
    let mut child = Command::new("systemd-socket-activate")
        .args(["--listen", socket.to_str().unwrap(), "--listen", &port.to_string(), PROGRAM])
        .arg("--home")
        .arg(home.path())
        .arg("run")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The first connection starts the program.
    let mail_server = loop {
        if let Ok(stream) = UnixStream::connect(&socket) {
            break stream;
        }
        assert_eq!(child.try_wait().unwrap(), None);
    };
    let mut greeting = String::new();
    BufReader::new(mail_server).read_line(&mut greeting).unwrap();
    assert!(greeting.starts_with("220 localhost LMTP"), "{greeting}");
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(said.next().unwrap().unwrap(), format!("The boards are at http://{port}/"));
    let line = format!("Mails are taken at lmtp:unix:{}", socket.display());
    assert_eq!(said.next().unwrap().unwrap(), line);
    let mut browser = TcpStream::connect(port).unwrap();
    write!(browser, "GET /readyz HTTP/1.1\r\nHost: {port}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    browser.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(socket.exists(), "the file belongs to the service manager");
}

#[test]
#[ignore = "needs systemd: .ci/run installs it and runs this by name"]
fn a_socket_that_is_passed_and_named_is_refused() {
    let home = Home::new();
    let (socket, other) = (home.base().join("lmtp"), home.base().join("other"));
    let child = Command::new("systemd-socket-activate")
        .args(["--listen", socket.to_str().unwrap(), PROGRAM, "--home"])
        .arg(home.path())
        .args(["run", "--lmtp", &format!("unix:{}", other.display())])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while UnixStream::connect(&socket).is_err() {}
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(64), "{ran:?}");
    assert!(ran.err.contains("there are two sockets for LMTP"), "{}", ran.err);
}
