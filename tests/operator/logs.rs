//! The log: a line for each command with its mail, its board and its letters, in the configured
//! format and without secrets.

#![expect(clippy::disallowed_types, reason = "a separate process plays the journal")]

use crate::support::program::{Home, Ran, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Executes a mail of alice; returns the program's output.
fn executed(home: &Home, subject: &str, text: &str) -> Ran {
    let raw =
        format!("From: alice@pbm.test\nTo: postboard@localhost\nSubject: {subject}\n\n{text}\n");
    home.receive(raw.as_bytes());
    home.run(&["process"], b"")
}

fn entries(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_command_has_a_line_with_its_number_its_outcome_and_its_letters() {
    let home = Home::with_board();
    home.configure("format = \"text\"", "format = \"json\"");
    let before = home.read("log/postboard.log").len();
    assert_eq!(executed(&home, "malaka show 1", "").err, "");
    assert_eq!(executed(&home, "malaka show 77", "").err, "");
    assert_eq!(executed(&home, "malaka challenge alice bob", "").err, "");
    let log = entries(&home.read("log/postboard.log")[before..]);
    let commands: Vec<&Value> = log.iter().filter(|it| it["message"] == "command").collect();
    let outcomes: Vec<&str> = commands.iter().map(|it| it["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["carried out", "refused", "carried out"]);
    let numbers: BTreeSet<&str> =
        commands.iter().map(|it| it["number"].as_str().unwrap()).collect();
    assert_eq!(numbers.len(), 3);
    assert!(commands.iter().all(|it| it["ms"].as_f64().unwrap() >= 0.0));
    let boards: Vec<&str> = commands.iter().map(|it| it["boards"].as_str().unwrap()).collect();
    assert_eq!(boards, ["malaka 1", "malaka 77", "malaka 2"]);
    // The notes about a mail have its number, too.
    let line = log.iter().find(|it| it["message"].as_str().unwrap().contains("malaka 1: answered"));
    assert_eq!(line.unwrap()["number"], commands[0]["number"]);
    // The log names the letters of the outbox.
    let list = home.run(&["mail", "list"], b"").out;
    for command in commands {
        let letters: Vec<&str> = command["letters"].as_str().unwrap().split(',').collect();
        assert!(!letters.is_empty());
        for letter in letters {
            assert!(letter.len() == 12 && list.contains(letter), "{letter}: {list}");
        }
    }
}

#[test]
fn the_log_goes_where_the_configuration_says() {
    let home = Home::with_board();
    let before = home.read("log/postboard.log");
    home.configure("to = \"file\"", "to = \"stderr\"");
    let ran = executed(&home, "malaka show 1", "");
    assert!(ran.err.contains("malaka 1: answered number="), "{}", ran.err);
    assert!(ran.err.contains(" command number=") && ran.err.contains("outcome=\"carried out\""));
    let mut command = home.command();
    command.env("POSTBOARD_LOG_FORMAT", "json");
    let ran = run(command.args(["malaka", "show", "1"]), b"");
    assert_eq!(ran.code, Some(0));
    assert!(!entries(&ran.err).is_empty());
    assert_eq!(home.read("log/postboard.log"), before);
}

#[test]
fn no_password_and_no_reply_address_stands_in_the_log() {
    const PASSWORD: &str = "Sw0rdfish";
    let home = Home::with_board();
    home.configure("format = \"text\"", "format = \"json\"");
    executed(&home, &format!("change password alice secret {PASSWORD}"), "");
    for subject in [
        format!("malaka challenge alice {PASSWORD} bob"),
        "malaka challenge alice bob".into(),
        format!("malaka show 1 {PASSWORD} alice"),
        PASSWORD.to_owned(),
        format!("malaka {PASSWORD} 1 alice"),
        format!("malaka challenge alice {PASSWORD} bob"),
        format!("set alice {PASSWORD} reminders {PASSWORD}"),
        format!("signup alice {PASSWORD} alice@pbm.test"),
    ] {
        executed(&home, &subject, PASSWORD);
    }
    let tags: BTreeSet<String> =
        home.delivered().into_iter().filter_map(|mail| mail.reply_to).collect();
    assert!(!tags.is_empty());
    let log = home.read("log/postboard.log");
    assert!(log.lines().count() > 10);
    assert!(!log.contains(PASSWORD) && !log.contains("secret"), "{log}");
    for tag in tags {
        let token = tag.split(['+', '@']).nth(1).unwrap();
        assert!(token.len() > 8 && !log.contains(token), "{token}");
    }
}

/// A script that makes a systemd journal in a file system that only the test sees.
const JOURNAL: &str = r#"
import os, socket, subprocess, sys
os.makedirs("/run/systemd/journal", exist_ok=True)
journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
journal.bind("/run/systemd/journal/socket")
journal.settimeout(20)
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
journal.setblocking(False)
try:
    while True:
        sys.stdout.buffer.write(journal.recv(65536) + b"\n")
except BlockingIOError:
    pass
"#;

#[test]
#[ignore = "needs root for a file system of its own, and Python: .ci/run runs it by name"]
fn the_journal_gets_fields() {
    let home = Home::with_board();
    home.configure("to = \"file\"", "to = \"journald\"");
    let mut command = Command::new("unshare");
    command.args([
        "--mount",
        "sh",
        "-c",
        "mount -t tmpfs tmpfs /run && exec python3 -c \"$0\" \"$@\"",
    ]);
    command.arg(JOURNAL).arg(crate::support::program::PROGRAM).arg("--home").arg(home.path());
    let ran = run(command.args(["malaka", "show", "1"]), b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for word in ["F_OUTCOME", "carried out", "F_NUMBER", "SYSLOG_IDENTIFIER", "malaka 1: answered"]
    {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }
    assert!(!ran.out.contains("secret"));
}
