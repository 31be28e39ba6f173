//! A crash or an I/O error at each step of a story: each transaction is applied completely or not
//! at all, and completely if its commit was acknowledged.

use super::{
    MAILBOX, NOW, PAUSE, STORY, Told, board, contents, expected, folder, home, is_blamed, log,
    story, told, waiting,
};
use crate::support::faults::{EIO, ENOSPC, Trouble};
use postboard::base::time::{Day, Time, TimeSlot};
use postboard::store::disk::{Disk, DiskHook, DiskStep};
use postboard::store::{
    DocumentChange, DocumentKind, DocumentVersion, Documents, Fault, FileStore, Indexes, Key,
    MailKey, OpenHome as _, ReceiptStatus, Receipts, Register, Store, StoredDocument, Transaction,
    Wakeups,
};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns a hook that disturbs a step. A write that fails or is interrupted leaves half of its bytes.
fn watch(at: usize, trouble: Trouble, count: Arc<AtomicUsize>) -> DiskHook {
    Arc::new(move |step| {
        let number = count.fetch_add(1, Ordering::SeqCst);
        if let (true, DiskStep::Write(path, offset, bytes)) = (number == at, step) {
            // A write of a few bytes in one page is atomic.
            let half = if bytes.len() < 64 { 0 } else { bytes.len() / 2 };
            let file = OpenOptions::new().write(true).open(path).unwrap();
            file.write_all_at(&bytes[..half], offset).unwrap();
        }
        trouble.result(number, at)
    })
}

/// A function that opens a store; the control passes another store to the same test.
type Open = fn(&Path, Disk, usize) -> Result<Box<dyn Store>, Fault>;

fn files(home: &Path, disk: Disk, batch: usize) -> Result<Box<dyn Store>, Fault> {
    let mut files = FileStore::open_on(home, disk)?;
    files.set_batch_bytes(batch);
    Ok(Box::new(files))
}

/// Runs the story with one reopening until a failure ends it; returns the number of acknowledged
/// commits.
fn tell(open: Open, home: &Path, watch: &DiskHook, batch: usize) -> usize {
    let mut done = 0;
    for range in [0..PAUSE, PAUSE..STORY] {
        let Ok(mut store) = open(home, Disk::watched(Arc::clone(watch)), batch) else {
            return done;
        };
        for number in range {
            let next = story(number, &*store);
            // The error may be temporary, so the commit is retried once.
            if store.commit(next.clone()).is_err() && store.commit(next).is_err() {
                return done;
            }
            done += 1;
        }
    }
    done
}

/// Runs the story with [`FileStore::begin`]: the next begin acknowledges the previous commit.
fn tell_begun(_: Open, home: &Path, watch: &DiskHook, batch: usize) -> usize {
    let mut done = 0;
    for range in [0..PAUSE, PAUSE..STORY] {
        let disk = Disk::watched(Arc::clone(watch));
        let Ok(mut store) = FileStore::open_on(home, disk) else { return done };
        store.set_batch_bytes(batch);
        for number in range.clone() {
            let next = story(number, &store);
            if store.begin_commit(next).is_err() {
                return done;
            }
            done = number;
        }
        if store.finish_commits().is_err() {
            return done;
        }
        done = range.end;
    }
    done
}

fn after(open: Open, home: &Path) -> (Told, usize) {
    let store = open(home, Disk::default(), 1 << 20).unwrap();
    (told(&*store, &waiting(home)), store.sent_count(MAILBOX, NOW).unwrap())
}

type Tell = fn(Open, &Path, &DiskHook, usize) -> usize;

/// Disturbs each step of the story in turn and returns the errors.
fn sweep(tell: Tell, open: Open, batch: usize, trouble: Trouble) -> Vec<String> {
    let states = expected();
    let mut wrong = Vec::new();
    for at in 0.. {
        let dir = home();
        let count = Arc::new(AtomicUsize::new(0));
        let done = tell(open, dir.path(), &watch(at, trouble, Arc::clone(&count)), batch);
        let reached = count.load(Ordering::SeqCst) > at;
        let (state, sent) = after(open, dir.path());
        let found = states.iter().position(|told| *told == state);
        // A sent letter counts once, even if it was written twice.
        let miscounted = sent != state.letters.iter().sum::<usize>();
        // A write that failed and succeeded on retry must leave no damage report.
        let odd = is_blamed(dir.path())
            || trouble == Trouble::Once(ENOSPC)
                && !contents(&dir.path().join("journal/bad")).is_empty();
        let lost = found.is_none_or(|found| found < done) || (!reached && found != Some(STORY));
        if lost || odd || miscounted {
            let log = log(dir.path());
            wrong.push(format!(
                "{trouble:?} at {at}: {done} done, found {found:?}, {sent} sent; {log}"
            ));
        }
        if !reached {
            assert!(at > 20, "the story takes {at} steps only: is it watched?");
            break;
        }
    }
    wrong
}

/// Commits at once or in two steps; applies the journal after each commit or at the end.
const WAYS: [(Tell, usize); 4] =
    [(tell, 1), (tell, 1 << 20), (tell_begun, 1), (tell_begun, 1 << 20)];

#[test]
fn a_stop_at_any_step_leaves_all_or_nothing() {
    for (tell, batch) in WAYS {
        assert_eq!(sweep(tell, files, batch, Trouble::Stop), Vec::<String>::new());
    }
}

#[test]
fn a_failure_at_any_step_leaves_all_or_nothing() {
    for (tell, batch) in WAYS {
        for trouble in [Trouble::Once(ENOSPC), Trouble::Once(EIO), Trouble::From(ENOSPC)] {
            assert_eq!(sweep(tell, files, batch, trouble), Vec::<String>::new());
        }
    }
}

/// Control: the test detects a store that writes its files one by one.
#[test]
fn a_store_without_a_journal_is_caught() {
    let open: Open = |home, disk, _| Ok(Box::new(Control { home: home.to_owned(), disk }));
    assert!(!sweep(tell, open, 0, Trouble::Stop).is_empty());
    assert!(!sweep(tell, open, 0, Trouble::From(ENOSPC)).is_empty());
}

/// A store without a journal that replaces its files one by one, each atomically.
struct Control {
    home: PathBuf,
    disk: Disk,
}

impl Control {
    fn path(&self, key: &Key) -> PathBuf {
        self.home.join(format!("{key:?}").replace('/', "_"))
    }

    fn put(&self, path: &Path, text: &[u8]) -> io::Result<()> {
        let new = path.with_extension("tmp");
        self.disk.before(DiskStep::Create(&new))?;
        fs::write(&new, b"")?;
        self.disk.before(DiskStep::Write(&new, 0, text))?;
        fs::write(&new, text)?;
        self.disk.before(DiskStep::Rename(&new, path))?;
        fs::rename(&new, path)
    }
}

impl Documents for Control {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        Ok(StoredDocument { text: fs::read_to_string(self.path(key)).ok(), version: None })
    }

    fn keys(&self, _: DocumentKind) -> Result<Vec<Key>, Fault> {
        Ok(Vec::new())
    }
}

impl Receipts for Control {
    fn receipt(&self, mail: &MailKey, _: Time) -> Result<ReceiptStatus, Fault> {
        let there = self.home.join(format!("{:?}", mail.id)).exists();
        Ok(if there { ReceiptStatus::Executed } else { ReceiptStatus::Never })
    }
}

impl Indexes for Control {
    fn wakeups(&self, _: &'static str) -> Result<Wakeups, Fault> {
        Ok(Wakeups::default())
    }

    fn registered(&self, _: Register) -> Result<Vec<String>, Fault> {
        Ok(Vec::new())
    }

    fn unproved_days(&self, _: Day) -> Result<Vec<Day>, Fault> {
        Ok(Vec::new())
    }

    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault> {
        Ok(Vec::new())
    }

    fn sent_count(&self, _: [u8; 8], _: Time) -> Result<usize, Fault> {
        Ok(0)
    }
}

impl Store for Control {
    fn remove(&mut self, _: &[(Key, DocumentVersion)], _: Register) -> Result<(), Fault> {
        unreachable!("the control removes nothing")
    }

    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        let put = || {
            for DocumentChange { key, text, .. } in &transaction.changes {
                self.put(&self.path(key), text.as_bytes())?;
            }
            for letter in &transaction.letters {
                let name = format!("outbox/new/{}", letter.name);
                self.put(&self.home.join(name), &letter.bytes)?;
            }
            for mail in &transaction.receipts {
                self.put(&self.home.join(format!("{:?}", mail.id)), b"")?;
            }
            Ok(())
        };
        put().map_err(|source| Fault { doing: "cannot write", path: self.home.clone(), source })
    }
}

/// After a failed fsync the contents of the disk are unknown, so the store refuses further commits.
#[test]
fn after_a_failed_sync_nothing_is_trusted_until_it_is_opened_again() {
    let dir = home();
    let count = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&count);
    let watch: DiskHook = Arc::new(move |step| match step {
        DiskStep::Sync(_) if seen.fetch_add(1, Ordering::SeqCst) == 0 => {
            Err(io::Error::from_raw_os_error(EIO))
        }
        _ => Ok(()),
    });
    let mut store = FileStore::open_on(dir.path(), Disk::watched(watch)).unwrap();
    let next = story(0, &store);
    let fault = store.commit(next.clone()).unwrap_err().to_string();
    assert!(fault.starts_with("cannot make durable "), "{fault}");
    assert!(store.commit(next).unwrap_err().to_string().contains("not trusted"));
    assert!(store.load(&board(17)).is_err());
    assert!(store.settle().is_err());
    drop(store);
    assert_eq!(count.load(Ordering::SeqCst), 1, "nothing else was tried");
    let store = FileStore::open(dir.path()).unwrap();
    assert!(expected()[..2].contains(&told(&store, &waiting(dir.path()))));
}

#[test]
fn a_fault_names_the_file_and_the_reason() {
    let dir = home();
    let watch = watch(0, Trouble::From(ENOSPC), Arc::default());
    let mut store = FileStore::open_on(dir.path(), Disk::watched(watch)).unwrap();
    let fault = store.commit(story(0, &store)).unwrap_err().to_string();
    assert!(fault.starts_with("cannot write "), "{fault}");
    assert!(fault.contains("journal/0.txn: No space left on device"), "{fault}");
}

#[test]
fn a_home_is_made_once() {
    let dir = folder();
    let path = dir.path().join("home");
    assert!(FileStore::open(&path).is_err(), "there is none yet");
    FileStore::init(&path, &[1; 32]).unwrap();
    assert!(FileStore::init(&path, &[2; 32]).is_err(), "there is one");
    assert_eq!(FileStore::open(&path).unwrap().key().unwrap(), [1; 32]);
}
