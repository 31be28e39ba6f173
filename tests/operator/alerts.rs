//! Alerts: cron mails the operator about a delay, once when it begins and once when it ends.

use crate::support::program::{DEAD_PORT, Home, Mail, names};
use postboard::base::time::{HOUR, Time};
use std::fs;
use std::time::SystemTime;

const OLD: &str = "001795000000.1.2.3";

fn home() -> Home {
    let home = Home::with_board();
    home.configure("[alert]", "[alert]\nto = \"ops@pbm.test\"\nparked_minutes = 5");
    home
}

/// Runs cron and returns its mails to the operator.
fn told(home: &Home) -> Vec<Mail> {
    assert_eq!(home.run(&["cron"], b"").code, Some(0));
    home.delivered().into_iter().filter(|mail| mail.to == "ops@pbm.test").collect()
}

fn put_aside(home: &Home) {
    let bad = home.path().join("spool/bad");
    fs::create_dir_all(&bad).unwrap();
    fs::write(bad.join(OLD), "From: alice@pbm.test\n\n").unwrap();
    fs::write(bad.join(format!("{OLD}.why")), "a bug in this program\n").unwrap();
}

#[test]
fn a_delay_is_reported_once_and_its_end_once() {
    let home = home();
    assert_eq!(told(&home), []);
    put_aside(&home);
    let first = told(&home);
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].subject, "Postboard: something has been waiting too long");
    let text = first[0].text.replace('\n', " ");
    assert!(text.contains("A mail that was put aside waits for you and has done so for"), "{text}");
    assert!(text.contains("postboard mail list"), "{text}");
    assert_eq!(told(&home), [], "it is told once");
    assert_eq!(home.run(&["mail", "drop", OLD], b"").code, Some(0));
    let over = told(&home);
    assert_eq!(over.len(), 1);
    assert_eq!(over[0].subject, "Postboard: all is well again");
    assert!(
        over[0]
            .text
            .replace('\n', " ")
            .contains("a mail that was put aside waits for you too long")
    );
    assert_eq!(told(&home), []);
    put_aside(&home);
    assert_eq!(told(&home).len(), 1, "it has begun anew");
}

#[test]
fn nothing_is_reported_before_the_limit() {
    let home = home();
    put_aside(&home);
    home.configure("parked_minutes = 5", "parked_minutes = 100000");
    let now = Time::from(SystemTime::now());
    let recent = format!("{}.1.2.3", (now - HOUR).digits());
    let bad = home.path().join("spool/bad");
    fs::rename(bad.join(OLD), bad.join(&recent)).unwrap();
    fs::rename(bad.join(format!("{OLD}.why")), bad.join(format!("{recent}.why"))).unwrap();
    assert_eq!(told(&home), []);
}

#[test]
fn an_alert_that_could_not_leave_is_sent_when_mails_leave_again() {
    let home = home();
    let folder = home.by_folder();
    let dead = format!("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = {DEAD_PORT}");
    home.configure(&folder, &dead);
    put_aside(&home);
    home.run(&["cron"], b"");
    home.configure(&dead, &folder);
    assert_eq!(names(&home.base().join("sent")), [""; 0]);
    assert_eq!(told(&home).len(), 1);
}
