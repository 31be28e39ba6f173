//! The spool: a mail is durable before its sender gets a reply, is executed once, and does not
//! block others.

use super::{contents, home};
use crate::support::faults::{ENOSPC, Trouble, troubled};
use crate::support::files::folder;
use postboard::store::disk::{Disk, DiskHook};
use postboard::store::maildir::Maildir;
use postboard::store::spool::{self, MAX_MAIL_BYTES, RetryDecision, Spool};
use postboard::store::{FileStore, disk::DiskStep};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

fn bad(home: &Path) -> Vec<(String, String)> {
    contents(&home.join("spool/bad"))
}

/// Takes all mails, but dies at the mail `deadly` as if killed.
fn run(home: &Path, deadly: &str) -> Vec<String> {
    let files = FileStore::open(home).unwrap();
    let mut spool = Spool::open(&files).unwrap();
    let mut done = Vec::new();
    while let Some(mail) = spool.take().unwrap() {
        let text = String::from_utf8(mail.bytes.clone()).unwrap();
        if text == deadly {
            // Skips the destructor, as a kill does.
            std::mem::forget(spool);
            return done;
        }
        spool.done(mail).unwrap();
        done.push(text);
    }
    spool.close().unwrap();
    done
}

#[test]
fn mails_come_in_the_order_in_which_they_arrived() {
    let dir = home();
    let texts: Vec<_> = (0..30).map(|n| format!("mail {n}")).collect();
    for text in &texts {
        spool::put(dir.path(), text.as_bytes()).unwrap();
    }
    assert_eq!(run(dir.path(), ""), texts);
    assert_eq!(contents(&dir.path().join("spool")), []);
}

#[test]
fn a_mail_is_durable_before_the_sender_is_told_and_needs_no_lock() {
    let dir = home();
    let _held = FileStore::open(dir.path()).unwrap();
    let steps = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&steps);
    let watch: DiskHook = Arc::new(move |step| {
        seen.lock().unwrap().push(match step {
            DiskStep::Create(_) => "create",
            DiskStep::Write(..) => "write",
            DiskStep::Sync(_) => "sync",
            DiskStep::Rename(_, to) if to.parent().unwrap().ends_with("spool/new") => "rename",
            DiskStep::SyncFolder(path) if path.ends_with("spool/new") => "sync new",
            _ => "another",
        });
        Ok(())
    });
    spool::put_on(&Disk::watched(watch), dir.path(), b"mail", None).unwrap();
    assert_eq!(*steps.lock().unwrap(), ["create", "write", "sync", "rename", "sync new"]);
}

#[test]
fn a_mail_that_cannot_be_kept_leaves_nothing() {
    for at in 0..4 {
        let dir = home();
        let (disk, _) = troubled(at, Trouble::Once(ENOSPC));
        let fault = spool::put_on(&disk, dir.path(), b"mail", None).unwrap_err();
        assert!(fault.to_string().contains("No space left on device"), "{fault}");
        assert_eq!(contents(&dir.path().join("spool")), [], "failed at {at}");
    }
}

#[test]
fn a_mail_that_kills_is_parked_after_three_runs_and_others_go_on() {
    let dir = home();
    for text in ["a", "deadly", "b"] {
        spool::put(dir.path(), text.as_bytes()).unwrap();
    }
    assert_eq!(run(dir.path(), "deadly"), ["a"]);
    // From now on, this mail is taken last.
    assert_eq!(run(dir.path(), "deadly"), Vec::<String>::new());
    spool::put(dir.path(), b"c").unwrap();
    assert_eq!(run(dir.path(), "deadly"), ["b", "c"]);
    assert_eq!(bad(dir.path()), []);
    spool::put(dir.path(), b"d").unwrap();
    assert_eq!(run(dir.path(), "deadly"), ["d"]);
    let parked = bad(dir.path());
    assert_eq!(parked[0].1, "deadly");
    assert!(parked[1].0.contains(".why") && parked[1].1.contains("each of 3 runs"), "{parked:?}");
    assert_eq!(contents(&dir.path().join("spool/cur")), []);
    assert!(!dir.path().join("spool/running").exists());
}

#[test]
fn a_run_that_only_stops_counts_against_no_mail() {
    let dir = home();
    spool::put(dir.path(), b"mail").unwrap();
    for _ in 0..5 {
        assert_eq!(run(dir.path(), "mail"), Vec::<String>::new());
        // After the crash the spool is careful; this run ends normally, as on a full disk.
        let files = FileStore::open(dir.path()).unwrap();
        let mut spool = Spool::open(&files).unwrap();
        assert!(spool.is_careful() && spool.take().unwrap().is_some());
    }
    assert_eq!(run(dir.path(), ""), ["mail"]);
    assert_eq!(bad(dir.path()), []);
}

#[test]
fn a_panic_is_tried_three_times_in_one_run_behind_the_others() {
    let dir = home();
    for text in ["panic", "a", "b"] {
        spool::put(dir.path(), text.as_bytes()).unwrap();
    }
    let files = FileStore::open(dir.path()).unwrap();
    let mut spool = Spool::open(&files).unwrap();
    assert!(!spool.is_careful());
    let mut order = Vec::new();
    while let Some(mail) = spool.take().unwrap() {
        let text = String::from_utf8(mail.bytes.clone()).unwrap();
        order.push((text.clone(), mail.tries));
        if text == "panic" {
            let last = mail.tries == 3;
            let fate = spool.failed(mail, "index out of bounds").unwrap();
            assert_eq!(fate, if last { RetryDecision::Parked } else { RetryDecision::Again });
        } else {
            spool.done(mail).unwrap();
        }
    }
    let order: Vec<_> = order.iter().map(|(text, tries)| (text.as_str(), *tries)).collect();
    assert_eq!(order, [("panic", 1), ("a", 1), ("b", 1), ("panic", 2), ("panic", 3)]);
    assert_eq!(bad(dir.path())[1].1, "index out of bounds\n");
}

#[test]
fn a_group_can_be_taken_before_the_previous_one_is_finished() {
    let dir = home();
    for text in ["a", "b", "c"] {
        spool::put(dir.path(), text.as_bytes()).unwrap();
    }
    let files = FileStore::open(dir.path()).unwrap();
    let mut spool = Spool::open(&files).unwrap();
    let mut group = Vec::new();
    while let Some(mail) = spool.take().unwrap() {
        group.push(mail);
    }
    assert_eq!(group.len(), 3, "none comes twice");
    spool::put(dir.path(), b"late").unwrap();
    assert_eq!(spool.take().unwrap().unwrap().bytes, b"late");
    for mail in group {
        spool.done(mail).unwrap();
    }
    drop(spool);
    assert_eq!(contents(&dir.path().join("spool")).len(), 1, "the late one is not done with");
}

#[test]
fn a_mail_too_long_is_read_by_one_byte_more() {
    let dir = home();
    spool::put(dir.path(), &vec![b'x'; MAX_MAIL_BYTES * 3]).unwrap();
    let files = FileStore::open(dir.path()).unwrap();
    let mut spool = Spool::open(&files).unwrap();
    let mail = spool.take().unwrap().unwrap();
    assert_eq!(mail.bytes.len(), MAX_MAIL_BYTES + 1);
    spool.park(mail, "longer than 1 MB").unwrap();
    assert_eq!(bad(dir.path())[0].1.len(), MAX_MAIL_BYTES * 3, "it is kept whole");
}

#[test]
fn files_that_are_no_mails_are_put_aside() {
    let dir = home();
    fs::create_dir(dir.path().join("spool/new/0-folder")).unwrap();
    spool::put(dir.path(), b"mail").unwrap();
    assert_eq!(run(dir.path(), ""), ["mail"]);
    assert!(dir.path().join("spool/bad/0-folder").is_dir());
    assert!(bad(dir.path())[0].1.starts_with("cannot be read"));
}

fn maildir() -> tempfile::TempDir {
    let dir = folder();
    for part in ["new", "cur", "tmp"] {
        fs::create_dir(dir.path().join(part)).unwrap();
    }
    fs::write(dir.path().join("new/100.a.host"), "a").unwrap();
    fs::write(dir.path().join("new/200.b.host"), "b").unwrap();
    fs::write(dir.path().join("cur/050.read.host:2,S"), "read").unwrap();
    dir
}

#[test]
fn mails_of_a_maildir_are_claimed_and_flagged() {
    let dir = maildir();
    let mut source = Maildir::open(dir.path()).unwrap();
    let a = source.claim().unwrap().unwrap();
    assert_eq!((&a.bytes[..], a.tries), (&b"a"[..], 1));
    assert!(dir.path().join("cur/100.a.host,P1:2,").exists());
    source.done(&a).unwrap();
    assert!(dir.path().join("cur/100.a.host:2,S").exists());
    let b = source.claim().unwrap().unwrap();
    source.done(&b).unwrap();
    assert!(source.claim().unwrap().is_none());
    assert!(Maildir::open(dir.path()).unwrap().claim().unwrap().is_none(), "all are flagged");
}

/// A symbolic link to itself, and a folder.
#[test]
fn a_mail_of_a_maildir_that_cannot_be_read_holds_up_the_others_for_three_runs() {
    for kind in ["link", "folder"] {
        let dir = maildir();
        let path = dir.path().join("new/000.odd.host");
        if kind == "link" {
            std::os::unix::fs::symlink("000.odd.host,P1:2,", &path).unwrap();
        } else {
            fs::create_dir(&path).unwrap();
        }
        for tries in 1..=2 {
            let mut source = Maildir::open(dir.path()).unwrap();
            let fault = source.claim().unwrap_err().to_string();
            assert!(fault.contains(&format!("000.odd.host,P{tries}")), "{fault}");
        }
        let mut source = Maildir::open(dir.path()).unwrap();
        let first = source.claim().unwrap().unwrap();
        assert_eq!(first.bytes, b"a", "{kind}");
        let notes = source.take_notes();
        assert!(notes[0].contains("cur/000.odd.host:2,F"), "{notes:?}");
        assert!(dir.path().join("cur/000.odd.host:2,F").symlink_metadata().is_ok());
    }
}

#[test]
fn a_mail_of_a_maildir_that_kills_is_known_by_its_tries() {
    let dir = maildir();
    for tries in 1..=4 {
        let mut source = Maildir::open(dir.path()).unwrap();
        let mut poison = None;
        while let Some(mail) = source.claim().unwrap() {
            if mail.bytes == b"a" { poison = Some(mail) } else { source.done(&mail).unwrap() }
        }
        assert_eq!(poison.unwrap().tries, tries);
    }
}
