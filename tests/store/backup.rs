//! Backups: a backup or restore is complete or absent after any interruption, and damaged or forged
//! archives are refused.

use super::{NOW, board, contents, home, story};
use crate::support::faults::{ENOSPC, Trouble, troubled};
use crate::support::files::{files_below, folder};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use postboard::base::progress::NoProgress;
use postboard::shell::settings;
use postboard::store::backup::{decrypted, save, send};
use postboard::store::disk::{Disk, DiskHook, DiskStep};
use postboard::store::restore::{RestoreTarget, is_vacant, open};
use postboard::store::{
    DocumentChange, Documents as _, Fault, FileStore, OpenHome as _, Store, Transaction, spool,
};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use tar::{Builder, EntryType, Header};
use tempfile::TempDir;

/// Builds a home with settings, documents, a waiting mail and a rejected letter.
pub(super) fn full_home() -> TempDir {
    let dir = home();
    settings::write_sample(dir.path()).unwrap();
    let mut files = FileStore::open(dir.path()).unwrap();
    for number in 0..4 {
        files.commit(story(number, &files)).unwrap();
    }
    files.close().unwrap();
    spool::put(dir.path(), b"Subject: waits\n\n").unwrap();
    // This name is too long for the name field of a tar header.
    fs::write(dir.path().join("outbox/bad").join("x".repeat(200)), "long").unwrap();
    dir
}

/// Returns all files of a home except those that the server creates again.
pub(super) fn state(home: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    const MADE_AGAIN: [&str; 8] = [
        "backup-manifest",
        "backup-manifest.tmp",
        "lock",
        "outbox/lock",
        "log",
        "spare",
        "journal/0.txn",
        "restoring",
    ];
    let files = files_below(home).into_iter().map(PathBuf::from);
    let lasting = files.filter(|file| {
        home.join(file).is_file() && !MADE_AGAIN.iter().any(|made| file.starts_with(made))
    });
    let mut found: Vec<_> = lasting
        .map(|file| {
            let bytes = fs::read(home.join(&file)).unwrap();
            (file, bytes)
        })
        .collect();
    found.sort();
    found
}

fn archive(home: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    send(&FileStore::read(home).unwrap(), &mut bytes, &[], &NoProgress).unwrap();
    bytes
}

fn restore_on(disk: Disk, home: &Path, bytes: &[u8]) -> Result<Option<PathBuf>, Fault> {
    let restoring = RestoreTarget::begin_on(disk, home)?;
    restoring.unpack(Path::new("a.tgz"), bytes, true)?;
    restoring.publish()
}

fn restore(home: &Path, bytes: &[u8]) -> Result<Option<PathBuf>, Fault> {
    restore_on(Disk::default(), home, bytes)
}

/// A disk that is full from some step on, or at one step.
pub(super) const FULL_DISKS: [Trouble; 2] = [Trouble::From(ENOSPC), Trouble::Once(ENOSPC)];

#[test]
fn a_restored_home_equals_the_saved_one() {
    let (from, base) = (full_home(), folder());
    let (file, to) = (base.path().join("a.tgz"), base.path().join("home"));
    fs::write(from.path().join("notes"), "mine").unwrap();
    fs::write(from.path().join("users/.swp"), "mine").unwrap();
    let reading = FileStore::read(from.path()).unwrap();
    let saved = save(&Disk::default(), &reading, &file, &[], &NoProgress).unwrap();
    drop(reading);
    assert_eq!(saved.left_out, ["notes", "users/.swp"]);
    for name in saved.left_out {
        fs::remove_file(from.path().join(name)).unwrap();
    }
    let restoring = RestoreTarget::begin(&to).unwrap();
    let files = restoring.unpack(&file, open(&file).unwrap().0, true).unwrap();
    assert_eq!(files, saved.files);
    assert!(is_vacant(&to).unwrap(), "nothing is there before all is");
    restoring.publish().unwrap();
    assert!(state(from.path()).len() > 15);
    assert_eq!(state(&to), state(from.path()));
    assert_eq!(archive(&to).len() / 1024, archive(from.path()).len() / 1024);
    let mut files = FileStore::open(&to).unwrap();
    files.commit(story(4, &files)).unwrap();
}

#[test]
fn a_backup_has_the_transaction_that_a_crash_left_in_the_journal() {
    let dir = home();
    settings::write_sample(dir.path()).unwrap();
    super::files::stopped(dir.path(), 2);
    let base = folder();
    let to = base.path().join("home");
    restore(&to, &archive(dir.path())).unwrap();
    assert_eq!(FileStore::read(&to).unwrap().load(&board(17)).unwrap().text.unwrap(), "{\"a\":22}");
}

#[test]
fn letters_may_be_left_out() {
    let (from, base) = (full_home(), folder());
    let to = base.path().join("home");
    let restoring = RestoreTarget::begin(&to).unwrap();
    restoring.unpack(Path::new("a.tgz"), &*archive(from.path()), false).unwrap();
    restoring.publish().unwrap();
    assert_eq!(contents(&to.join("outbox/new")), []);
    assert_eq!(contents(&to.join("outbox/bad")).len(), 1);
    assert_ne!(contents(&from.path().join("outbox/new")), []);
}

/// Repeats `act` while it is refused because of a lock. A process that another test starts at this
/// moment inherits the locks of all tests until it executes its own program.
pub(super) fn until_unlocked<T>(mut act: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    for _ in 0..100_000 {
        match act() {
            Err(fault) if fault.source.kind() == io::ErrorKind::WouldBlock => {
                std::thread::yield_now();
            }
            done => return done,
        }
    }
    act()
}

#[test]
fn a_backup_stopped_at_any_step_is_complete_or_the_old_one() {
    for full in FULL_DISKS {
        for at in 0.. {
            let (from, base) = (full_home(), folder());
            let file = base.path().join("a.tgz");
            fs::write(&file, "old").unwrap();
            let reading = FileStore::read(from.path()).unwrap();
            let saved = save(&troubled(at, full).0, &reading, &file, &[], &NoProgress);
            let there = fs::read(&file).unwrap();
            assert!(there == b"old" || there == archive(from.path()), "step {at}");
            assert!(saved.is_err() || there != b"old", "step {at}");
            if saved.is_err() && full == Trouble::Once(ENOSPC) {
                assert!(!base.path().join("a.tgz.part").exists(), "step {at} leaves a part");
            }
            until_unlocked(|| save(&Disk::default(), &reading, &file, &[], &NoProgress)).unwrap();
            assert_eq!(fs::read(&file).unwrap(), archive(from.path()), "again after step {at}");
            if saved.is_ok() {
                assert!(at >= 5, "only {at} steps");
                break;
            }
        }
    }
}

#[test]
fn an_encrypted_backup_stopped_at_any_step_is_whole_or_the_old_one() {
    use age::secrecy::ExposeSecret as _;
    let (identity, beside) = (age::x25519::Identity::generate(), folder());
    let private = beside.path().join("key");
    fs::write(&private, identity.to_string().expose_secret()).unwrap();
    let keys = [identity.to_public().to_string().parse().unwrap()];
    let whole = |file: &Path, from: &Path| {
        let bytes = fs::read(file).unwrap();
        let mut plain = Vec::new();
        let mut stream = decrypted(file, &*bytes, Some(&private)).unwrap();
        stream.read_to_end(&mut plain).unwrap();
        plain == archive(from)
    };
    for full in FULL_DISKS {
        for at in 0.. {
            let (from, base) = (full_home(), folder());
            let file = base.path().join("a.tgz.age");
            fs::write(&file, "old").unwrap();
            let reading = FileStore::read(from.path()).unwrap();
            let (disk, _) = troubled(at, full);
            let saved = save(&disk, &reading, &file, &keys, &NoProgress);
            if saved.is_ok() {
                assert!(whole(&file, from.path()) && at >= 5, "only {at} steps");
                break;
            }
            let is_old = fs::read(&file).unwrap() == b"old";
            assert!(is_old || whole(&file, from.path()), "step {at}");
        }
    }
}

type Restore = fn(Disk, &Path, &[u8]) -> Result<Option<PathBuf>, Fault>;

/// Interrupts a restore at each of its steps and returns the errors.
fn sweep(restore: Restore, there: bool, full: Trouble) -> Vec<String> {
    let from = full_home();
    let (bytes, new) = (archive(from.path()), state(from.path()));
    let mut wrong = Vec::new();
    for at in 0.. {
        let base = folder();
        let to = base.path().join("home");
        if there {
            FileStore::init(&to, &[1; 32]).unwrap();
        }
        let old = state(&to);
        let done = restore(troubled(at, full).0, &to, &bytes);
        let now = state(&to);
        let vanished = there && !to.exists();
        if vanished || now != old && now != new || done.is_ok() && now != new {
            wrong.push(format!("step {at}: {} files", now.len()));
        }
        if now == new && to.join("lock").exists() != to.join("journal/0.txn").exists() {
            wrong.push(format!("step {at}: half furnished"));
        }
        // Repeats the restore as an operator would.
        let again = until_unlocked(|| self::restore(&to, &bytes));
        if let Err(fault) = again {
            wrong.push(format!("step {at}, again: {fault}"));
        }
        if state(&to) != new {
            wrong.push(format!("step {at}: the second one is not whole"));
        }
        let names = crate::support::program::names(base.path());
        let olds = names.iter().filter(|name| state(&base.path().join(name)) == old).count();
        if there && olds != 1 {
            wrong.push(format!("step {at}: the old home is there {olds} times: {names:?}"));
        }
        if names.iter().any(|name| name.ends_with("restoring")) {
            wrong.push(format!("step {at}: something is left: {names:?}"));
        }
        if done.is_ok() {
            assert!(at > 3, "only {at} steps");
            break;
        }
    }
    wrong
}

#[test]
fn a_restore_stopped_at_any_step_leaves_the_old_home_or_the_new_one() {
    for there in [false, true] {
        for full in FULL_DISKS {
            assert_eq!(sweep(restore_on, there, full), [""; 0], "{there} {full:?}");
        }
    }
}

/// Control: the test detects a restore that removes the old home first.
#[test]
fn a_careless_restore_is_caught() {
    let careless: Restore = |disk, home, bytes| {
        let other = home.with_extension("other");
        restore(&other, bytes)?;
        let step = |step| disk.before(step).map_err(|source| fault(home, source));
        step(DiskStep::Remove(home))?;
        fs::remove_dir_all(home).unwrap();
        for number in 0..4 {
            step(DiskStep::Truncate(home, number))?;
        }
        step(DiskStep::Rename(&other, home))?;
        fs::rename(other, home).unwrap();
        Ok(None)
    };
    assert!(!sweep(careless, true, Trouble::From(ENOSPC)).is_empty());
}

fn fault(path: &Path, source: io::Error) -> Fault {
    Fault { doing: "cannot", path: path.to_owned(), source }
}

/// Builds an archive of these entries between a valid beginning and a valid end.
fn forged(entries: &[(&str, EntryType, &str)]) -> Vec<u8> {
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let right = [
        ("postboard-backup", EntryType::Regular, "1\n"),
        ("key", EntryType::Regular, "01234567890123456789012345678901"),
        ("postboard.toml", EntryType::Regular, ""),
    ];
    let end = format!("{}\n", entries.len() + 2);
    let end = [("postboard-backup-end", EntryType::Regular, &*end)];
    for (name, kind, text) in right.iter().chain(entries).chain(&end) {
        raw(&mut tar, name, *kind, text.as_bytes(), text.len() as u64);
    }
    tar.into_inner().unwrap().finish().unwrap()
}

/// Appends an entry with any header fields, also invalid ones.
fn raw(tar: &mut Builder<GzEncoder<Vec<u8>>>, name: &str, kind: EntryType, text: &[u8], size: u64) {
    let mut header = Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o6777);
    if kind.is_symlink() || kind.is_hard_link() {
        header.set_link_name_literal("/etc/passwd").unwrap();
    }
    header.set_cksum();
    tar.append(&header, text).unwrap();
}

/// Checks that a restore refuses this archive with these words and leaves no home.
pub(super) fn refused(bytes: &[u8], words: &str) {
    let base = folder();
    let fault = restore(&base.path().join("home"), bytes).unwrap_err().to_string();
    assert!(fault.starts_with("cannot restore a.tgz: ") && fault.contains(words), "{fault}");
    assert_eq!(crate::support::program::names(base.path()), [""; 0], "{words}");
}

#[test]
fn a_forged_backup_is_refused_and_the_entry_named() {
    use EntryType::{Block, Directory, Fifo, Link, Regular, Symlink, XHeader};
    let base = folder();
    let good = forged(&[("boards/malaka/count", Regular, "1\n")]);
    restore(&base.path().join("home"), &good).unwrap();
    let mode = |name: &str| {
        use std::os::unix::fs::PermissionsExt as _;
        fs::metadata(base.path().join("home").join(name)).unwrap().permissions().mode() & 0o7777
    };
    assert_eq!((mode("key"), mode("boards/malaka/count")), (0o600, 0o640), "not what it says");

    for name in [
        "/etc/passwd",
        "../x",
        "boards/../../x",
        "boards/malaka/../x",
        "./key",
        "lock",
        "log/postboard.log",
        "boards/running",
        ".ssh/authorized_keys",
        "outbox/lock",
        "",
    ] {
        refused(&forged(&[(name, Regular, "x")]), &format!("`{name}` is not a file of a home"));
    }
    refused(&forged(&[("users/\n", Regular, "x")]), "`users/\\n` is not a file of a home");
    for (kind, what) in [
        (Symlink, "a symbolic link"),
        (Link, "a hard link"),
        (Fifo, "a pipe"),
        (Block, "a device"),
        (Directory, "a folder"),
        (XHeader, "no file"),
    ] {
        refused(&forged(&[("boards/malaka", kind, "")]), &format!("`boards/malaka` is {what}"));
    }
    let twice = ("boards/malaka/count", Regular, "1\n");
    refused(&forged(&[twice, twice]), "`boards/malaka/count` occurs twice");
    refused(&forged(&[("key", Regular, "other")]), "`key` occurs twice");
    let within = [("boards/malaka", Regular, ""), ("boards/malaka/0/1.json", Regular, "")];
    refused(&forged(&within), "`boards/malaka/0/1.json` is below a file");
}

/// Builds an archive of these entries and nothing else.
pub(super) fn entries(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, text) in entries {
        raw(&mut tar, name, EntryType::Regular, text.as_bytes(), text.len() as u64);
    }
    tar.into_inner().unwrap().finish().unwrap()
}

#[test]
fn incomplete_backups_are_refused() {
    use EntryType::{GNULongName, Regular};
    let first = ("postboard-backup", "1\n");
    refused(b"", "");
    refused(b"PK\x03\x04", "damaged or truncated");
    refused(&entries(&[]), "its end is missing");
    refused(&entries(&[("key", "x")]), "it is not a Postboard backup");
    refused(&entries(&[("postboard-backup", "3\n")]), "format 3 needs a later version");
    refused(&entries(&[("postboard-backup", "one")]), "it is not a Postboard backup");
    refused(&entries(&[first, ("key", "x"), ("postboard.toml", "")]), "its end is missing");
    let end = |count| ("postboard-backup-end", count);
    refused(&entries(&[first, ("key", "x"), ("postboard.toml", ""), end("3\n")]), "missing");
    refused(&entries(&[first, ("key", "x"), end("1\n")]), "it has no postboard.toml");
    refused(&entries(&[first, ("postboard.toml", ""), end("1\n")]), "it has no key");
    let behind =
        entries(&[first, ("key", "x"), ("postboard.toml", ""), end("2\n"), ("seen/x", "")]);
    refused(&behind, "there is data after its end");
    refused(&[forged(&[]), b"more".to_vec()].concat(), "there is data after its end");

    // One archive has an entry larger than any disk, the other a name of 1 MiB.
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    raw(&mut tar, "postboard-backup", Regular, b"1\n", 2);
    raw(&mut tar, "seen/x", Regular, b"x", 1 << 60);
    refused(&tar.into_inner().unwrap().finish().unwrap(), "the disk has no space for `seen/x`");
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    raw(&mut tar, "postboard-backup", Regular, b"1\n", 2);
    raw(&mut tar, "././@LongLink", GNULongName, &vec![b'x'; 1 << 20], 1 << 20);
    refused(&tar.into_inner().unwrap().finish().unwrap(), "the name is too long");
}

#[test]
fn a_backup_cut_off_or_damaged_anywhere_changes_nothing() {
    let from = full_home();
    let (bytes, new) = (archive(from.path()), state(from.path()));
    let base = folder();
    let to = base.path().join("home");
    for end in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
        assert!(restore(&to, &bytes[..end]).is_err(), "cut off at {end}");
        assert!(!to.exists(), "cut off at {end}");
    }
    let mut caught = 0;
    for at in (0..bytes.len()).step_by(5) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        if restore(&to, &bytes).is_ok() {
            assert_eq!(state(&to), new, "flipped at {at}");
            fs::remove_dir_all(&to).unwrap();
        } else {
            caught += 1;
        }
        assert!(!to.exists(), "flipped at {at}");
    }
    // Another distance in a compressed run of zeros may decode to the same bytes, which is no
    // damage.
    assert!(caught > bytes.len() / 5 * 9 / 10, "{caught} of {}", bytes.len() / 5);
}

#[test]
fn a_tar_archive_cut_between_entries_is_refused() {
    let from = full_home();
    let mut tar = Vec::new();
    GzDecoder::new(&*archive(from.path())).read_to_end(&mut tar).unwrap();
    for end in (0..tar.len() - 1024).step_by(512) {
        let mut zip = GzEncoder::new(Vec::new(), Compression::fast());
        zip.write_all(&tar[..end]).unwrap();
        refused(&zip.finish().unwrap(), "");
    }
}

#[test]
fn a_mail_comes_in_while_a_backup_is_taken_and_a_writer_waits() {
    let from = full_home();
    let home = from.path().to_owned();
    let (file, writer) = (folder(), Arc::new(Mutex::new(None)));
    let (sender, writes) = mpsc::channel();
    let (sender, started) = (Mutex::new(sender), Arc::clone(&writer));
    let watch: DiskHook = Arc::new(move |step| {
        if let DiskStep::Write(..) = step {
            spool::put(&home, b"Subject: meanwhile\n\n").unwrap();
            let (home, sender) = (home.clone(), sender.lock().unwrap().clone());
            let thread = std::thread::spawn(move || {
                let mut files = FileStore::open(&home).unwrap();
                sender.send(()).unwrap();
                files.commit(story(4, &files)).unwrap();
            });
            *started.lock().unwrap() = Some(thread);
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    });
    let reading = FileStore::read(from.path()).unwrap();
    save(&Disk::watched(watch), &reading, &file.path().join("a.tgz"), &[], &NoProgress).unwrap();
    assert!(writes.try_recv().is_err(), "a writer went in");
    drop(reading);
    writer.lock().unwrap().take().expect("there was a write").join().unwrap();
    let waits = contents(&from.path().join("spool/new"));
    assert!(waits.iter().any(|(_, text)| text.contains("meanwhile")), "{waits:?}");
}

#[test]
fn a_process_that_waited_during_a_restore_locks_the_new_home() {
    let (from, base) = (full_home(), folder());
    let to = base.path().join("home");
    FileStore::init(&to, &[1; 32]).unwrap();
    let (tell, has) = mpsc::channel();
    let (done, until) = mpsc::channel::<()>();
    let (tell, until) = (Mutex::new(tell), Arc::new(Mutex::new(until)));
    let home = to.clone();
    let watch: DiskHook = Arc::new(move |step| {
        if let DiskStep::Exchange(..) = step {
            let (home, tell, until) =
                (home.clone(), tell.lock().unwrap().clone(), Arc::clone(&until));
            std::thread::spawn(move || {
                let files = FileStore::open(&home).unwrap();
                tell.send(files.key().unwrap()).unwrap();
                let _ = until.lock().unwrap().recv();
            });
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    });
    let aside = restore_on(Disk::watched(watch), &to, &archive(from.path())).unwrap().unwrap();
    assert_eq!(aside, base.path().canonicalize().unwrap().join("home.aside"));
    assert_eq!(has.recv().unwrap(), [7; 32], "the key of the new home");
    assert!(File::open(to.join("lock")).unwrap().try_lock().is_err(), "the new home is locked");
    drop(done);
}

#[test]
fn two_at_once_and_strange_places_are_refused() {
    let (from, base) = (full_home(), folder());
    let to = base.path().join("home");
    let first = RestoreTarget::begin(&to).unwrap();
    let fault = RestoreTarget::begin(&to).unwrap_err().to_string();
    assert!(fault.ends_with("another restore is running"), "{fault}");
    drop(first);
    assert!(!base.path().join("home.restoring").exists());
    // Another program's folder happens to have the name of a restore's folder.
    fs::create_dir(base.path().join("home.restoring")).unwrap();
    fs::write(base.path().join("home.restoring/precious"), "x").unwrap();
    let fault = RestoreTarget::begin(&to).unwrap_err().to_string();
    assert!(fault.ends_with("it was not left by a restore"), "{fault}");
    assert!(base.path().join("home.restoring/precious").exists());
    let reading = FileStore::read(from.path()).unwrap();
    let fault = save(&Disk::default(), &reading, base.path(), &[], &NoProgress);
    let fault = fault.unwrap_err().to_string();
    assert!(fault.contains("it is not a file"), "{fault}");
    assert!(is_vacant(&to).unwrap() && !is_vacant(from.path()).unwrap());
}

#[test]
fn a_damaged_document_is_saved_and_restored_as_it_is() {
    let (from, base) = (full_home(), folder());
    let mut files = FileStore::open(from.path()).unwrap();
    let was = files.load(&board(50)).unwrap().version;
    let change = DocumentChange { key: board(50), was, text: "no board".into() };
    let change = Transaction { changes: vec![change], at: NOW, ..Transaction::default() };
    files.commit(change).unwrap();
    files.close().unwrap();
    let to = base.path().join("home");
    restore(&to, &archive(from.path())).unwrap();
    assert_eq!(fs::read_to_string(to.join("boards/malaka/0/50.json")).unwrap(), "no board");
}
