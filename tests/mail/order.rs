//! Mails from one sender, and mails about one board, are executed in the order of their arrival,
//! whatever fails.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "the tests write into homes")]

use crate::support::faults::EIO;
use crate::support::home::{seeded, setup};
use crate::support::program::{Home, mail};
use postboard::base::time::Time;
use postboard::shell::mails::batch::MailBatch;
use postboard::shell::settings;
use postboard::store::disk::{Disk, DiskHook, DiskStep};
use postboard::store::spool::{self, RetryDecision, Spool, Strands};
use postboard::store::{Fault, FileStore};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const OWN: &str = "postboard@localhost";

/// Returns the first letter of a mail as its sender and the second as its board.
fn letters(raw: &[u8]) -> Strands {
    let text = String::from_utf8_lossy(raw);
    text.chars().take(2).map(String::from).collect()
}

/// Returns a disk that fails `times` times to read the mail with these words.
fn unread(words: &'static str, times: usize) -> Disk {
    let left = AtomicUsize::new(times);
    let watch: DiskHook = Arc::new(move |step| match step {
        DiskStep::Read(path) if fs::read_to_string(path).unwrap_or_default().contains(words) => {
            let is_left = |left: usize| left.checked_sub(1);
            match left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, is_left) {
                Ok(_) => Err(io::Error::from_raw_os_error(EIO)),
                Err(_) => Ok(()),
            }
        }
        _ => Ok(()),
    });
    Disk::watched(watch)
}

/// Returns the order in which a run finishes mails; mails with `!` always fail.
fn order(home: &Path) -> Vec<String> {
    let files = FileStore::open(home).unwrap();
    let mut spool = Spool::open(&files).unwrap().with_strands(letters);
    let mut order = Vec::new();
    while let Some(mail) = spool.take().unwrap() {
        let text = String::from_utf8(mail.bytes.clone()).unwrap();
        if text.contains('!') {
            if spool.failed(mail, "a panic").unwrap() == RetryDecision::Parked {
                order.push(format!("{text} parked"));
            }
        } else {
            spool.done(mail).unwrap();
            order.push(text);
        }
    }
    spool.close().unwrap();
    order
}

#[test]
fn mails_of_a_strand_wait_for_one_that_is_put_off_until_it_is_parked() {
    let home = Home::new();
    // Strands: alice and board 1; bob and board 1; bob and board 2; and unrelated mails.
    for text in ["a1!", "b1", "c3", "b2", "d4", "a5", "c6"] {
        spool::put(&home.path(), text.as_bytes()).unwrap();
    }
    let wanted = ["c3", "d4", "c6", "a1! parked", "b1", "b2", "a5"];
    assert_eq!(order(&home.path()), wanted);
    assert_eq!(home.names("spool/new").len() + home.names("spool/cur").len(), 0);
}

#[test]
fn a_run_that_died_leaves_the_order_as_it_was() {
    let home = Home::new();
    for text in ["a1!", "b2", "a3"] {
        spool::put(&home.path(), text.as_bytes()).unwrap();
    }
    let files = FileStore::open(&home.path()).unwrap();
    let mut spool = Spool::open(&files).unwrap().with_strands(letters);
    let first = spool.take().unwrap().unwrap();
    assert_eq!(spool.failed(first, "a panic").unwrap(), RetryDecision::Again);
    // A kill skips all cleanup.
    std::mem::forget(spool);
    drop(files);
    assert_eq!(order(&home.path()), ["b2", "a1! parked", "a3"]);
}

#[test]
fn all_wait_for_a_mail_that_cannot_be_read_and_no_longer_than_three_runs() {
    let home = Home::new();
    for text in ["z0", "a1 bad sector", "b2"] {
        spool::put(&home.path(), text.as_bytes()).unwrap();
    }
    let run = |disk: Disk| {
        let files = FileStore::open_on(&home.path(), disk).unwrap();
        let mut spool = Spool::open(&files).unwrap().with_strands(letters);
        let mut done = Vec::new();
        let ended: Result<(), Fault> = loop {
            match spool.take() {
                Ok(Some(mail)) => {
                    done.push(String::from_utf8(mail.bytes.clone()).unwrap());
                    spool.done(mail).unwrap();
                }
                Ok(None) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        (done, ended.map_err(|fault| fault.to_string()), spool.take_notes())
    };
    let disk = || unread("bad sector", usize::MAX);
    let (done, ended, _) = run(disk());
    assert_eq!(done, ["z0"]);
    assert!(ended.unwrap_err().contains("Input/output error"));
    let (done, ended, _) = run(disk());
    assert!(done.is_empty() && ended.is_err(), "b2 waits: {done:?}");
    let (done, ended, notes) = run(disk());
    assert_eq!((done, ended), (vec!["b2".to_owned()], Ok(())));
    assert!(notes[0].contains("was parked"), "{notes:?}");
    assert_eq!(home.names("spool/bad").len(), 2);
}

#[test]
fn a_disk_that_fails_for_a_moment_changes_nothing() {
    let home = Home::new();
    for text in ["a1 once", "a2"] {
        spool::put(&home.path(), text.as_bytes()).unwrap();
    }
    let files = FileStore::open_on(&home.path(), unread("once", 1)).unwrap();
    let mut spool = Spool::open(&files).unwrap().with_strands(letters);
    let first = spool.take().unwrap().unwrap();
    assert_eq!((&first.bytes[..], first.tries), (&b"a1 once"[..], 1));
}

/// Executes the spool of a home as `process` does, on this disk.
fn process(home: &Home, disk: Disk) -> Result<bool, Fault> {
    let config = settings::load(&home.path()).unwrap();
    let mut files = FileStore::open_on(&home.path(), disk)?;
    let setup = setup(config);
    let mut chance = seeded(7);
    let clock = || Time::from_unix(1_795_000_000);
    let mut batch = MailBatch::new(&setup, &mut chance, &clock, &|_| ());
    let done = batch.execute_spool(&mut files, &|| false)?;
    files.close()?;
    batch.take_unread().map_or(Ok(done), Err)
}

/// Regression test: alice's mail could not be read at first, and bob's answer was executed before
/// her offer.
#[test]
fn an_answer_does_not_overtake_the_offer() {
    let home = Home::with_board();
    home.done("reversi challenge alice bob");
    home.delivered();
    home.receive(mail(1, "alice", OWN, "reversi propose 1 alice secret", "").as_bytes());
    home.receive(mail(2, "bob", OWN, "reversi accept 1 bob secret draw", "").as_bytes());
    // The first run reads the mail twice in the spool, and the second run twice more to find its
    // sender.
    let disk = unread("propose", 6);
    assert!(process(&home, disk.clone()).is_err());
    assert!(process(&home, disk.clone()).is_err());
    assert!(!process(&home, disk).unwrap());
    let board = home.read("boards/reversi/0/1.json");
    let log = home.read("log/postboard.log");
    assert!(board.contains("agreeing"), "the draw is agreed on: {board}\n{log}");
}

/// A file that one of the mails needs is unreadable: reading /proc/self/mem from its beginning
/// fails with EIO. Each run reports the fault, and the third run parks the mail.
#[test]
fn mails_about_a_board_wait_for_one_that_needs_a_file_that_cannot_be_read() {
    let home = Home::with_board();
    home.done("signup carol secret carol@pbm.test");
    let send = |number, from, subject: &str| {
        home.receive(mail(number, from, OWN, subject, "").as_bytes());
    };
    std::os::unix::fs::symlink("/proc/self/mem", home.path().join("users/da.json")).unwrap();
    fs::create_dir_all(home.path().join("users/da")).unwrap();
    fs::rename(home.path().join("users/da.json"), home.path().join("users/da/dave.json")).unwrap();
    // The first mail needs dave, whose document is unreadable, and concerns board 1, as does the
    // second mail.
    send(1, "eve", "malaka subscribe 1 dave secret");
    send(2, "alice", "malaka show 1");
    send(3, "carol", "set carol secret html off");
    for run in 1..=3 {
        let fault = process(&home, Disk::default()).unwrap_err();
        assert!(fault.path.ends_with("users/da/dave.json"), "{fault}");
        let log = home.read("log/postboard.log");
        assert!(log.contains("carol@pbm.test"), "carol waits for nobody:\n{log}");
        assert_eq!(log.contains("alice@pbm.test"), run == 3, "alice waits:\n{log}");
        assert_eq!(home.names("spool/bad").len(), if run == 3 { 2 } else { 0 });
    }
    assert!(!process(&home, Disk::default()).unwrap());
}
