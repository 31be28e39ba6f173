//! The home in files: recovery despite an operator's edits, locks, receipts and their expiry.

use super::{NOW, board, contents, expected, home, log, mail, story, told, transaction, waiting};
use crate::support::faults::{ENOSPC, EROFS, Trouble, troubled};
use crate::support::program::names;
use postboard::base::digest::Digest;
use postboard::base::time::{Time, days};
use postboard::model::caches::is_readable;
use postboard::model::user;
use postboard::store::disk::{Disk, DiskHook, DiskStep};
use postboard::store::outbox::FileOutbox;
use postboard::store::spool::{self, Spool};
use postboard::store::{
    DocumentChange, DocumentKind, Documents as _, FileHome, FileStore, Key, MailKey, MemoryStore,
    Outbox as _, ReceiptStatus, Receipts as _, Store, Transaction, executed, expire,
};
use proptest::prelude::*;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Runs the first transactions of the story and stops: all are in the journal, none is applied.
pub(super) fn stopped(home: &Path, transactions: usize) {
    stopped_after(home, |store| {
        for number in 0..transactions {
            let next = story(number, store);
            store.commit(next).unwrap();
        }
    });
}

/// Opens a home, commits, and stops: what was committed stays in the journal.
fn stopped_after(home: &Path, commit: impl FnOnce(&mut FileStore)) {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    let watch: DiskHook = Arc::new(move |_| {
        if seen.load(Ordering::SeqCst) { Err(io::Error::other("the end")) } else { Ok(()) }
    });
    let mut store = FileStore::open_on(home, Disk::watched(watch)).unwrap();
    commit(&mut store);
    stop.store(true, Ordering::SeqCst);
}

fn told_by(home: &Path) -> super::Told {
    told(&FileStore::open(home).unwrap(), &waiting(home))
}

#[test]
fn a_stop_at_any_step_of_a_recovery_is_recovered_from() {
    for at in 0.. {
        let dir = home();
        stopped(dir.path(), 3);
        let (disk, _) = troubled(at, Trouble::Stop);
        let opened = FileStore::open_on(dir.path(), disk).is_ok();
        assert_eq!(told_by(dir.path()), expected()[3], "stopped at {at}");
        if opened {
            assert!(at > 20, "a recovery in {at} steps only");
            break;
        }
    }
}

#[test]
fn a_reader_finds_what_a_crash_left_in_the_journal() {
    let dir = home();
    stopped(dir.path(), 2);
    let reading = FileStore::read(dir.path()).unwrap();
    let another = FileStore::read(dir.path()).unwrap();
    assert_eq!(told(&*reading, &waiting(dir.path())), expected()[2]);
    assert_eq!(told(&*another, &waiting(dir.path())), expected()[2]);
}

/// Opens the home with the server's validator of documents.
fn judged(home: &Path) -> FileStore {
    FileStore::open_in(&FileHome::new(home).with_validator(is_readable)).unwrap()
}

#[test]
fn a_hand_edit_that_parses_stays_and_ours_is_put_beside() {
    let dir = home();
    stopped(dir.path(), 2);
    let path = dir.path().join("boards/malaka/0/17.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let edited = edited();
    fs::write(&path, &edited).unwrap();
    fs::write(path.with_extension("json.conflict"), "an earlier one").unwrap();
    let store = judged(dir.path());
    assert_eq!(store.load(&board(17)).unwrap().text.unwrap(), edited);
    let ours = fs::read_to_string(dir.path().join("boards/malaka/0/17.json.conflict.2")).unwrap();
    assert_eq!(ours, "{\"a\":22}");
    assert!(log(dir.path()).contains("17.json was changed by hand"), "{}", log(dir.path()));
    assert_eq!(store.keys(DocumentKind::Boards("malaka")).unwrap(), [board(17), board(50)]);
    // The rest of the transaction is applied.
    assert!(
        store
            .load(&Key::In(user::COLLECTION, "alice".into()))
            .unwrap()
            .text
            .unwrap()
            .starts_with("[17")
    );
}

#[test]
fn a_hand_edit_that_does_not_parse_gives_way() {
    let dir = home();
    stopped(dir.path(), 2);
    let path = dir.path().join("boards/malaka/0/17.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\"by\": 1}").unwrap();
    fs::remove_dir_all(dir.path().join("log")).unwrap();
    fs::write(dir.path().join("log"), "no folder").unwrap();
    drop(judged(dir.path()));
    assert_eq!(told_by(dir.path()), expected()[2]);
    fs::remove_file(dir.path().join("log")).unwrap();
    stopped_with_a_late_change(dir.path());
    fs::write(&path, "{\"by\": 2}").unwrap();
    drop(judged(dir.path()));
    assert_eq!(fs::read_to_string(path.with_extension("json.damaged")).unwrap(), "{\"by\": 1}");
    assert_eq!(fs::read_to_string(path.with_extension("json.damaged.2")).unwrap(), "{\"by\": 2}");
    assert!(log(dir.path()).contains("17.json"), "{}", log(dir.path()));
}

#[test]
fn a_text_of_ours_from_the_middle_of_the_journal_is_no_hand_edit() {
    let dir = home();
    stopped(dir.path(), 4);
    let path = dir.path().join("boards/malaka/0/17.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\"a\":22}").unwrap();
    assert_eq!(told_by(dir.path()), expected()[4]);
    assert!(!path.with_extension("json.conflict").exists());
    assert_eq!(log(dir.path()), "");
}

#[test]
fn a_damaged_record_is_put_aside_and_the_ones_before_it_count() {
    let dir = home();
    stopped(dir.path(), 3);
    let path = dir.path().join("journal/0.txn");
    let mut bytes = fs::read(&path).unwrap();
    let third = 5 * 4096;
    assert!(bytes[third..].starts_with(b"postboard-journal"));
    let text = b"{\"group\":1}";
    let at = bytes.windows(text.len()).position(|part| part == text).unwrap();
    assert!(at > third);
    bytes[at + text.len() - 2] = b'2';
    fs::write(&path, &bytes).unwrap();
    // The folder of its new name is synced before that of its old one.
    let synced = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&synced);
    let watch: DiskHook = Arc::new(move |step| {
        if let DiskStep::SyncFolder(path) = step {
            seen.lock().unwrap().push(path.to_owned());
        }
        Ok(())
    });
    drop(FileStore::open_on(dir.path(), Disk::watched(watch)).unwrap());
    let synced = synced.lock().unwrap();
    let is_in_order =
        |two: &[PathBuf]| two[0].ends_with("journal/bad") && two[1].ends_with("journal");
    assert!(synced.windows(2).any(is_in_order), "{synced:?}");
    assert_eq!(told_by(dir.path()), expected()[2]);
    assert_eq!(fs::read(dir.path().join("journal/bad/0.txn")).unwrap(), bytes);
    assert!(log(dir.path()).contains("journal/0.txn has no valid record from byte 20480 on"));
    // A new journal replaces the damaged journal.
    let mut store = FileStore::open(dir.path()).unwrap();
    let next = story(2, &store);
    store.commit(next).unwrap();
    store.close().unwrap();
    assert_eq!(told_by(dir.path()), expected()[3]);
}

#[test]
fn a_journal_of_a_later_program_is_left_alone() {
    let dir = home();
    stopped(dir.path(), 1);
    let path = dir.path().join("journal/0.txn");
    let mut bytes = fs::read(&path).unwrap();
    bytes[18..28].copy_from_slice(b"0000000003");
    fs::write(&path, &bytes).unwrap();
    let fault = FileStore::open(dir.path()).unwrap_err().to_string();
    assert!(fault.contains("format 3 was written by a later program"), "{fault}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_journal_of_an_earlier_program_is_recovered_unless_it_is_torn() {
    for torn in [false, true] {
        let dir = home();
        stopped(dir.path(), 2);
        let path = dir.path().join("journal/0.txn");
        let mut bytes = fs::read(&path).unwrap();
        // Format 1 has the same header, with the SHA-256 of the remaining bytes at its end.
        bytes[18..28].copy_from_slice(b"0000000001");
        let length: usize = std::str::from_utf8(&bytes[61..73]).unwrap().parse().unwrap();
        let mut rest = bytes[..74].to_vec();
        rest.extend_from_slice(&bytes[139..139 + length]);
        let sum = Digest::of(rest).hex();
        bytes[74..138].copy_from_slice(sum.as_bytes());
        bytes[139 + length / 2] ^= u8::from(torn);
        fs::write(&path, &bytes).unwrap();
        assert_eq!(told_by(dir.path()), expected()[if torn { 0 } else { 2 }], "{torn}");
    }
}

#[test]
fn the_second_opening_waits_for_the_first() {
    let dir = home();
    let mut first = FileStore::open(dir.path()).unwrap();
    let path = dir.path().to_owned();
    let second = std::thread::spawn(move || {
        let second = FileStore::open(&path).unwrap();
        second.load(&board(17)).unwrap().text
    });
    let path = dir.path().to_owned();
    let reader =
        std::thread::spawn(move || FileStore::read(&path).unwrap().load(&board(17)).unwrap().text);
    std::thread::sleep(Duration::from_millis(100));
    let next = story(0, &first);
    first.commit(next).unwrap();
    assert!(!second.is_finished() && !reader.is_finished());
    drop(first);
    assert_eq!(second.join().unwrap().as_deref(), Some("{\"a\":1}"));
    assert_eq!(reader.join().unwrap().as_deref(), Some("{\"a\":1}"));
}

#[test]
fn a_change_of_something_that_was_changed_since_is_refused() {
    let dir = home();
    let mut files = FileStore::open(dir.path()).unwrap();
    let mut memory = MemoryStore::new();
    let early = story(0, &files);
    let refused = |store: &mut dyn Store| {
        let fault = store.commit(early.clone()).unwrap_err().to_string();
        assert!(fault.contains("since it was read"), "{fault}");
        assert_eq!(store.load(&board(17)).unwrap().text.unwrap(), "{\"a\":1}");
    };
    for store in [&mut files as &mut dyn Store, &mut memory] {
        store.commit(early.clone()).unwrap();
        refused(store);
    }
    // What is in its file, and no longer in the journal.
    files.settle().unwrap();
    refused(&mut files);
}

#[test]
fn a_backup_by_hard_links_is_never_written_to() {
    let dir = home();
    let texts = ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}", "{\"a\":4}"];
    let path = dir.path().join("boards/malaka/0/17.json");
    for (number, text) in texts.iter().enumerate() {
        let mut store = FileStore::open(dir.path()).unwrap();
        let next = transaction(&store, &[(board(17), text)], &[], &[]);
        store.commit(next).unwrap();
        store.close().unwrap();
        fs::hard_link(&path, dir.path().join(format!("backup-{number}"))).unwrap();
    }
    for (number, text) in texts.iter().enumerate() {
        assert_eq!(fs::read_to_string(dir.path().join(format!("backup-{number}"))).unwrap(), *text);
    }
}

#[test]
fn the_room_of_an_old_text_is_used_again() {
    use std::os::unix::fs::MetadataExt as _;
    let dir = home();
    let path = dir.path().join("boards/malaka/0/17.json");
    let mut inodes = Vec::new();
    for text in ["{\"a\":1}", "{\"a\":2222}", "{\"a\":3}", "{\"a\":4}"] {
        let mut store = FileStore::open(dir.path()).unwrap();
        let next = transaction(&store, &[(board(17), text)], &[], &[]);
        store.commit(next).unwrap();
        store.close().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        inodes.push(fs::metadata(&path).unwrap().ino());
    }
    assert_eq!((inodes[0], inodes[1]), (inodes[2], inodes[3]), "two files take turns");
    assert_eq!(contents(&dir.path().join("spare")).len(), 1);
}

#[test]
fn a_mail_is_remembered_for_ninety_days_over_the_ends_of_months() {
    let dir = home();
    let mut files = FileStore::open(dir.path()).unwrap();
    let mut memory = MemoryStore::new();
    // From 31 January 2027 on, because February has only 28 days.
    let at = Time::from_unix(1_801_396_800);
    for store in [&mut files as &mut dyn Store, &mut memory] {
        let mut next = transaction(store, &[], &[], &["m"]);
        next.at = at;
        store.commit(next).unwrap();
    }
    files.settle().unwrap();
    for day in 0..=90 {
        let now = at + days(day);
        // The receipts of January do not expire before the end of February.
        let told = if day <= 28 { ReceiptStatus::Executed } else { ReceiptStatus::Expiring };
        assert_eq!(files.receipt(&mail("m"), now).unwrap(), told, "day {day}");
        expire(dir.path(), now).unwrap();
    }
    for day in -40..200 {
        let now = at + days(day);
        assert_eq!(
            files.receipt(&mail("m"), now).unwrap(),
            memory.receipt(&mail("m"), now).unwrap()
        );
    }
    expire(dir.path(), at + days(130)).unwrap();
    assert_eq!(fs::read_dir(dir.path().join("seen")).unwrap().count(), 0);
    assert_eq!(files.receipt(&mail("m"), at).unwrap(), ReceiptStatus::Never);
}

#[test]
fn a_fading_record_is_renewed() {
    let dir = home();
    let mut files = FileStore::open(dir.path()).unwrap();
    let mut memory = MemoryStore::new();
    let later = NOW + days(80);
    for store in [&mut files as &mut dyn Store, &mut memory] {
        for at in [NOW, later] {
            let next = Transaction { receipts: vec![mail("m")], at, ..Transaction::default() };
            store.commit(next).unwrap();
        }
    }
    files.settle().unwrap();
    let after = NOW + days(150);
    expire(dir.path(), after).unwrap();
    for store in [&files as &dyn Store, &memory] {
        assert_eq!(store.receipt(&mail("m"), later).unwrap(), ReceiptStatus::Executed);
        assert_ne!(store.receipt(&mail("m"), after).unwrap(), ReceiptStatus::Never);
    }
}

#[test]
fn folders_and_pipes_in_the_spool_hold_up_no_mail() {
    let dir = home();
    fs::create_dir_all(dir.path().join("spool/new/0.folder")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("spool/new/1.link")).unwrap();
    fs::remove_dir(dir.path().join("spool/tmp")).unwrap();
    fs::write(dir.path().join("spool/new/000000000001.old"), "late").unwrap();
    spool::put(dir.path(), b"a mail").unwrap();
    for _ in 0..4 {
        let files = FileStore::open(dir.path()).unwrap();
        let mut run = Spool::open(&files).unwrap();
        while let Some(mail) = run.take().unwrap() {
            assert!(["a mail", "late"].map(str::as_bytes).contains(&&*mail.bytes));
            run.done(mail).unwrap();
        }
        run.close().unwrap();
    }
    assert_eq!(fs::read_dir(dir.path().join("spool/new")).unwrap().count(), 0);
    fs::write(dir.path().join("spool/tmp/000000000001.2.3"), "half a mail").unwrap();
    expire(dir.path(), NOW).unwrap();
    assert_eq!(fs::read_dir(dir.path().join("spool/tmp")).unwrap().count(), 0);
}

#[test]
fn a_used_message_id_with_other_content_is_told_and_both_are_remembered() {
    let dir = home();
    let mut files = FileStore::open(dir.path()).unwrap();
    let with = |content| MailKey { id: [1; 32].into(), content: [content; 32].into() };
    for content in [1, 2, 3] {
        let known = if content == 1 { ReceiptStatus::Never } else { ReceiptStatus::Reused };
        assert_eq!(files.receipt(&with(content), NOW).unwrap(), known);
        let seen = vec![with(content)];
        files.commit(Transaction { receipts: seen, at: NOW, ..Transaction::default() }).unwrap();
        assert_eq!(files.receipt(&with(content), NOW).unwrap(), ReceiptStatus::Executed);
        if content != 2 {
            files.settle().unwrap();
        }
    }
    drop(files);
    let files = FileStore::read(dir.path()).unwrap();
    for content in [1, 2, 3] {
        assert_eq!(files.receipt(&with(content), NOW).unwrap(), ReceiptStatus::Executed);
    }
    assert_eq!(files.receipt(&with(4), NOW).unwrap(), ReceiptStatus::Reused);
}

#[test]
fn names_of_any_kind_stay_in_the_home() {
    let dir = home();
    let ids = ["../../../x", "/etc/passwd", "..", "", "a b", "\n", "é/", "%2e", "con"];
    let mut store = FileStore::open(dir.path()).unwrap();
    for id in ids {
        let key = Key::In(user::COLLECTION, id.to_owned());
        let next = transaction(&store, &[(key.clone(), id)], &[], &[]);
        store.commit(next).unwrap();
    }
    store.close().unwrap();
    let store = FileStore::read(dir.path()).unwrap();
    for id in ids {
        assert_eq!(
            store.load(&Key::In(user::COLLECTION, id.to_owned())).unwrap().text.as_deref(),
            Some(id)
        );
    }
    let mut sorted: Vec<_> =
        ids.iter().map(|id| Key::In(user::COLLECTION, (*id).to_owned())).collect();
    sorted.sort();
    assert_eq!(store.keys(DocumentKind::In(user::COLLECTION)).unwrap(), sorted);
    let long = Key::In(user::COLLECTION, "x".repeat(5000));
    assert_eq!(
        store.load(&long).unwrap().text,
        None,
        "nobody has such a name, and that is no fault"
    );
}

#[derive(Clone, Debug)]
enum Act {
    Commit { boards: Vec<(u32, String)>, users: Vec<(String, String)>, seen: Vec<(u8, u8)> },
    Reopen,
    Settle,
    Batch(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let text = "[a-z{}\\n\"é]{0,40}";
    let commit = (
        prop::collection::vec((0_u32..2500, text), 0..4),
        prop::collection::vec(("[a-zA-Z./%é]{0,4}", text), 0..3),
        prop::collection::vec((0_u8..4, 0_u8..3), 0..3),
    );
    prop_oneof![
        6 => commit.prop_map(|(boards, users, seen)| Act::Commit { boards, users, seen }),
        1 => Just(Act::Reopen),
        1 => Just(Act::Settle),
        1 => (0_usize..10_000).prop_map(Act::Batch),
    ]
}

fn changes(store: &dyn Store, texts: Vec<(Key, String)>) -> Vec<DocumentChange> {
    let each_once: std::collections::BTreeMap<_, _> = texts.into_iter().collect();
    let change = |(key, text): (Key, String)| {
        let was = store.load(&key).unwrap().version;
        DocumentChange { key, was, text }
    };
    each_once.into_iter().map(change).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn files_and_memory_agree(acts in prop::collection::vec(act(), 1..25)) {
        let dir = home();
        let mut files = FileStore::open(dir.path()).unwrap();
        let mut memory = MemoryStore::new();
        for (number, act) in acts.into_iter().enumerate() {
            match act {
                Act::Commit { boards, users, seen } => {
                    let mut texts: Vec<_> = boards.into_iter().map(|(n, t)| (board(n % 40 * 60), t)).collect();
                    texts.extend(users.into_iter().map(|(id, text)| (Key::In(user::COLLECTION, id), text)));
                    let mails = seen.into_iter().map(|(id, content)| MailKey { id: [id; 32].into(), content: [content; 32].into() });
                    let next = Transaction {
                        changes: changes(&memory, texts),
                        letters: vec![super::letter(&format!("{number}"))],
                        receipts: mails.collect(),
                        at: NOW,
                        ..Transaction::default()
                    };
                    files.commit(next.clone()).unwrap();
                    memory.commit(next).unwrap();
                }
                Act::Reopen => {
                    files.close().unwrap();
                    files = FileStore::open(dir.path()).unwrap();
                }
                Act::Settle => files.settle().unwrap(),
                Act::Batch(bytes) => files.set_batch_bytes(bytes),
            }
            prop_assert_eq!(files.keys(DocumentKind::Boards("malaka")).unwrap(), memory.keys(DocumentKind::Boards("malaka")).unwrap());
            prop_assert_eq!(files.keys(DocumentKind::In(user::COLLECTION)).unwrap(), memory.keys(DocumentKind::In(user::COLLECTION)).unwrap());
            for key in memory.keys(DocumentKind::Boards("malaka")).unwrap().into_iter().chain(memory.keys(DocumentKind::In(user::COLLECTION)).unwrap()) {
                prop_assert_eq!(files.load(&key).unwrap(), memory.load(&key).unwrap());
            }
            for (id, content) in (0..4).flat_map(|id| (0..3).map(move |content| (id, content))) {
                let mail = MailKey { id: [id; 32].into(), content: [content; 32].into() };
                prop_assert_eq!(files.receipt(&mail, NOW).unwrap(), memory.receipt(&mail, NOW).unwrap());
            }
        }
        files.close().unwrap();
        let waits = waiting(dir.path());
        for letter in memory.letters() {
            prop_assert_eq!(waits(&letter.name), 1);
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_a_fault_of_that_document_alone_and_no_damage() {
    let dir = home();
    let path = |name: &str| dir.path().join(name);
    fs::create_dir_all(path("boards/malaka/0/17.json")).unwrap();
    std::os::unix::fs::symlink("18.json", path("boards/malaka/0/18.json")).unwrap();
    std::os::unix::fs::symlink("nowhere", path("boards/malaka/0/19.json")).unwrap();
    fs::write(path("boards/malaka/0/20.json"), b"\xff").unwrap();
    fs::write(path("boards/malaka/1"), "no folder").unwrap();
    let mut store = FileStore::open(dir.path()).unwrap();
    for number in [17, 18, 19, 1000] {
        let fault = store.load(&board(number)).unwrap_err();
        assert!(fault.is_unreadable_file() && !fault.is_damage(), "{fault}");
    }
    assert!(store.load(&board(20)).unwrap_err().is_damage());
    let next = story(1, &MemoryStore::new());
    let next = Transaction { changes: next.changes[1..].to_vec(), ..next };
    store.commit(next).unwrap();
    store.close().unwrap();
    let store = FileStore::read(dir.path()).unwrap();
    assert_eq!(store.load(&board(50)).unwrap().text.as_deref(), Some("2"));
}

#[test]
fn a_receipt_that_cannot_be_read_is_no_missing_receipt() {
    let dir = home();
    let mut store = FileStore::open(dir.path()).unwrap();
    let next = transaction(&store, &[], &[], &["m"]);
    store.commit(next).unwrap();
    store.settle().unwrap();
    let mut path = dir.path().join("seen");
    while path.is_dir() {
        path = fs::read_dir(&path).unwrap().next().unwrap().unwrap().path();
    }
    let aside = dir.path().join("aside");
    fs::rename(&path, &aside).unwrap();
    let is_fault = |store: &FileStore| {
        let fault = store.receipt(&mail("m"), NOW).unwrap_err();
        assert!(fault.is_unreadable_file() && fault.path.starts_with(dir.path()), "{fault}");
    };
    fs::create_dir(&path).unwrap();
    is_fault(&store);
    fs::remove_dir(&path).unwrap();
    for target in [&path, &dir.path().join("nowhere")] {
        std::os::unix::fs::symlink(target, &path).unwrap();
        is_fault(&store);
        fs::remove_file(&path).unwrap();
    }
    fs::rename(&aside, &path).unwrap();
    assert_eq!(store.receipt(&mail("m"), NOW).unwrap(), ReceiptStatus::Executed);
}

/// The disk is mounted read-only, or full.
#[test]
fn a_reader_says_that_an_unfinished_change_waits_on_a_disk_that_takes_nothing() {
    for error in [EROFS, ENOSPC] {
        let dir = home();
        let mut store = FileStore::open(dir.path()).unwrap();
        let next = story(1, &MemoryStore::new());
        store.commit(next).unwrap();
        // Skips the destructor, as a kill does.
        std::mem::forget(store);
        let copy = home();
        for name in fs::read_dir(dir.path().join("journal")).unwrap() {
            let name = name.unwrap().path();
            if name.is_file() {
                fs::copy(&name, copy.path().join("journal").join(name.file_name().unwrap()))
                    .unwrap();
            }
        }
        let full = Disk::watched(Arc::new(move |_| Err(io::Error::from_raw_os_error(error))));
        let folder = FileHome::new(copy.path()).with_disk(full);
        let fault = FileStore::read_in(&folder).unwrap_err().to_string();
        let path = copy.path().display();
        let expected = format!("cannot finish a commit in the journal of {path}: ");
        assert!(fault.starts_with(&expected), "{fault}");
        assert!(FileStore::read(copy.path()).is_ok());
    }
}

#[test]
fn receipts_begin_in_few_files_and_none_gets_too_long() {
    let dir = home();
    let month = dir.path().join("seen/2026-11");
    let key = |number: u16| {
        let [high, low] = number.to_be_bytes();
        let id: [u8; 32] = std::array::from_fn(|at| [0x7a, low, high][at.min(2)]);
        MailKey { id: id.into(), content: Digest::of("content") }
    };
    let mut store = FileStore::open(dir.path()).unwrap();
    let mut executed = |numbers: std::ops::Range<u16>| {
        let receipts = numbers.map(key).collect();
        store.commit(Transaction { receipts, at: NOW, ..Transaction::default() }).unwrap();
        store.settle().unwrap();
    };
    executed(0..100);
    let files = || names(&month);
    assert_eq!(files(), ["7"]);
    executed(100..2000);
    assert_eq!(files(), ["7", "7a"]);
    let length = || fs::metadata(month.join("7")).unwrap().len();
    let full = length();
    assert!((120_000..140_000).contains(&full), "{full}");
    executed(2000..2100);
    assert_eq!(length(), full);
    drop(store);
    let store = FileStore::read(dir.path()).unwrap();
    for number in 0..2100 {
        assert_eq!(store.receipt(&key(number), NOW).unwrap(), ReceiptStatus::Executed, "{number}");
    }
    assert_eq!(store.receipt(&key(2100), NOW).unwrap(), ReceiptStatus::Never);
}

#[test]
fn both_receipts_of_a_mail_begin_in_the_files_of_the_month() {
    let dir = home();
    let mail = MailKey { id: Digest::of("id"), content: Digest::of("content") };
    let mut store = FileStore::open(dir.path()).unwrap();
    let mut transaction = Transaction { at: NOW, ..Transaction::default() };
    transaction.add_receipts(mail);
    store.commit(transaction).unwrap();
    store.settle().unwrap();
    let first = |digest: Digest| digest.hex()[..1].to_owned();
    let mut files = [first(mail.id), first(mail.content)];
    files.sort();
    assert_ne!(files[0], files[1]);
    assert_eq!(names(&dir.path().join("seen/2026-11")), files);
    let copy = executed(&mail.unnamed(), |key| store.receipt(key, NOW));
    assert_eq!(copy.unwrap(), ReceiptStatus::Executed);
}

#[test]
fn the_log_makes_its_folder() {
    let dir = home();
    fs::remove_dir_all(dir.path().join("log")).unwrap();
    postboard::store::log(dir.path(), "well").unwrap();
    assert!(log(dir.path()).contains("well"));
}

/// Returns board 17 as an operator may have edited it.
fn edited() -> String {
    let game = games::find("malaka").unwrap();
    let players = ["alice", "bob"].map(|id| postboard::base::ids::UserId::parse(id).unwrap());
    let options = games::Choices::default();
    let mut board = postboard::model::board::Board::new(game, 17, players, options, NOW);
    board.append(NOW, &[games::Entry::Rolled(games::Roll::One(3))]);
    board.write()
}

/// Commits another change of board 17, which stays in the journal.
fn stopped_with_a_late_change(home: &Path) {
    stopped_after(home, |store| {
        let next = transaction(store, &[(board(17), "{\"late\":1}")], &["late"], &[]);
        store.commit(next).unwrap();
    });
}

#[test]
fn a_document_removed_by_hand_is_put_back_with_a_word() {
    let dir = home();
    let mut store = FileStore::open(dir.path()).unwrap();
    let next = story(0, &store);
    store.commit(next).unwrap();
    store.close().unwrap();
    stopped_with_a_late_change(dir.path());
    fs::remove_file(dir.path().join("boards/malaka/0/17.json")).unwrap();
    let store = FileStore::open(dir.path()).unwrap();
    assert_eq!(store.load(&board(17)).unwrap().text.as_deref(), Some("{\"late\":1}"));
    assert!(log(dir.path()).contains("17.json was removed by hand"), "{}", log(dir.path()));
}

#[test]
fn a_long_journal_and_the_spare_files_give_their_room_back() {
    let dir = home();
    let mut store = FileStore::open(dir.path()).unwrap();
    let long = "x".repeat(60_000);
    for _ in 0..2 {
        let texts: Vec<_> = (0..200).map(|number| (board(number), &*long)).collect();
        let next = transaction(&store, &texts, &[], &[]);
        store.commit(next).unwrap();
        store.settle().unwrap();
    }
    assert_eq!(fs::metadata(dir.path().join("journal/0.txn")).unwrap().len(), 256 * 1024);
    let spare: usize = contents(&dir.path().join("spare")).iter().map(|(_, text)| text.len()).sum();
    assert!(spare < 5 << 20, "{spare}");
}

#[test]
fn on_a_full_disk_the_spare_files_give_room_and_then_mails_go_out() {
    let dir = home();
    let mut store = FileStore::open(dir.path()).unwrap();
    let next = transaction(&store, &[(board(17), "1")], &["early"], &[]);
    store.commit(next).unwrap();
    store.close().unwrap();
    stopped_with_a_late_change(dir.path());
    fs::write(dir.path().join("spare/1.9"), "x").unwrap();
    let full: DiskHook = Arc::new(|step| match step {
        DiskStep::Write(..) => Err(io::Error::from_raw_os_error(ENOSPC)),
        _ => Ok(()),
    });
    let mut outbox = FileOutbox::open(&FileHome::new(dir.path()).with_disk(Disk::watched(full)))
        .unwrap()
        .unwrap();
    let due = outbox.claim(NOW).unwrap();
    assert_eq!(due.len(), 1, "the late one stands in the journal");
    let mut sent = Vec::new();
    outbox
        .deliver(&due[0], NOW, &mut |letter| {
            sent.push(letter.name.clone());
            Ok(())
        })
        .unwrap();
    assert_eq!(sent, ["early"]);
    assert!(outbox.claim(NOW).unwrap_err().to_string().contains("No space left"));
    assert!(!dir.path().join("spare/1.9").exists());
    // On a disk with free space, the next recovery completes.
    drop(outbox);
    drop(FileStore::open(dir.path()).unwrap());
    assert_eq!(waiting(dir.path())("late"), 1);
}
