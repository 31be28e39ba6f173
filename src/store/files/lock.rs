//! The lock of a home: one writer or any number of readers.
//!
//! The system releases the lock when the process ends, however it ends; the file itself is never
//! removed. A home may be replaced while a process waits: then the lock that the process got is not
//! the lock of the new home, and it starts over.
//!
//! The system gives a free lock to the first process that asks: most often the one that has just
//! released it, or one that came last. So a process that does not get it at once queues in the
//! folder `line` beside it: it creates a file there with the next number, and locks the file while
//! it waits. When all before it have gone it is its turn, and later processes wait behind it. A
//! process that is killed while it waits leaves an unlocked file, which delays nobody.
//!
//! A writer whose wait may be broken off (`lock_wait`) leaves the queue for a few seconds if readers
//! have the lock for more than a second at its turn: other readers do not wait behind it until a
//! backup is finished.

use super::lock_holder;
use super::lock_wait::{BreakableWait, LockMode, is_broken_off, retried};
use crate::store::Fault;
use crate::store::paths::found;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// How often a writer tries at its turn before it lets readers pass: for about a second.
const TURN_TRIES: usize = 17;

/// How often it then tries outside of the queue: for about four seconds.
const ASIDE_TRIES: usize = 47;

/// A lock, held until dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    fn open(path: &Path) -> Result<File, Fault> {
        OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(Fault::at("cannot open", path))
    }

    /// Opens the file for a reader, also on a read-only disk.
    fn open_to_read(path: &Path) -> Result<File, Fault> {
        match Self::open(path) {
            Err(fault) if fault.source.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                File::open(path).map_err(Fault::at("cannot open", path))
            }
            opened => opened,
        }
    }

    /// Takes it for a writer, as soon as nobody else has it.
    pub(crate) fn exclusive(path: &Path) -> Result<Self, Fault> {
        Self::wait(path, Self::open, LockMode::Exclusive)
    }

    /// Takes it for a reader, as soon as no writer has it or has queued for it before.
    pub(crate) fn shared(path: &Path) -> Result<Self, Fault> {
        Self::wait(path, Self::open_to_read, LockMode::Shared)
    }

    fn wait(
        path: &Path,
        open: impl Fn(&Path) -> Result<File, Fault>,
        mode: LockMode,
    ) -> Result<Self, Fault> {
        loop {
            let file = open(path)?;
            let line = path.with_file_name("line");
            let is_free = LockTicket::is_free(&line) && mode.try_lock(&file).is_ok();
            if !is_free {
                lock_holder::report_waiting();
                queue(&file, &line, mode).map_err(Fault::at("cannot lock", path))?;
            }
            let is_same =
                |now: Metadata, then: Metadata| (now.dev(), now.ino()) == (then.dev(), then.ino());
            let then = file.metadata().map_err(Fault::at("cannot lock", path))?;
            let now = found(fs::metadata(path), path)?;
            if now.is_some_and(|now| is_same(now, then)) {
                return Ok(Self { _file: file });
            }
        }
    }

    /// Takes it without waiting; `None` if another process has it.
    pub(crate) fn try_exclusive(path: &Path) -> Result<Option<Self>, Fault> {
        let file = Self::open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(Fault::at("cannot lock", path)(error)),
        }
    }
}

/// Takes the lock of a file when all who queued before have gone.
fn queue(file: &File, line: &Path, mode: LockMode) -> io::Result<()> {
    loop {
        let ticket = LockTicket::take(line);
        if let Some(ticket) = &ticket {
            ticket.wait()?;
        }
        let Some(wait) = BreakableWait::of_thread() else { return mode.lock(file) };
        loop {
            if wait.try_up_to(TURN_TRIES, || mode.obtain(file))? {
                return Ok(());
            }
            if mode == LockMode::Exclusive && have_readers(file)? {
                break;
            }
        }
        drop(ticket);
        if wait.try_up_to(ASIDE_TRIES, || Ok(LockTicket::is_free(line) && mode.obtain(file)?))? {
            return Ok(());
        }
    }
}

/// Returns whether readers have the lock of a file, or nobody.
fn have_readers(file: &File) -> io::Result<bool> {
    let is_shared = LockMode::Shared.obtain(file)?;
    if is_shared {
        file.unlock()?;
    }
    Ok(is_shared)
}

/// Returns whether a process queues for the lock at a path.
pub(crate) fn is_awaited(path: &Path) -> bool {
    !LockTicket::is_free(&path.with_file_name("line"))
}

/// A place in the queue, until dropped. It gives order, not safety: where no queue can be created
/// there is no order, and no harm.
#[derive(Debug)]
struct LockTicket {
    folder: PathBuf,
    number: u64,
    _file: File,
}

impl LockTicket {
    /// Returns whether nobody queues.
    fn is_free(folder: &Path) -> bool {
        fs::read_dir(folder).map_or(true, |mut names| names.next().is_none())
    }

    /// Returns the numbers in the queue.
    fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
        let names =
            fs::read_dir(folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.filter_map(|name| name.parse().ok()).collect())
    }

    /// Takes the last place; `None` if there can be no queue.
    fn take(folder: &Path) -> Option<Self> {
        let line = File::open(folder).or_else(|_| {
            fs::create_dir(folder)?;
            File::open(folder)
        });
        let line = line.ok()?;
        // The lock of the folder is held only while a number is taken.
        retried(|| line.lock()).ok()?;
        let number = Self::numbers(folder).ok()?.into_iter().max().unwrap_or(0) + 1;
        let file = File::create_new(folder.join(number.to_string())).ok()?;
        // Nobody knows of the file yet, so this cannot fail because of others.
        file.try_lock().ok()?;
        Some(Self { folder: folder.to_owned(), number, _file: file })
    }

    /// Waits until all processes before this one have gone. Starts with the last of them, since the others
    /// have gone before it unless one was killed.
    ///
    /// # Errors
    /// The wait was broken off.
    fn wait(&self) -> io::Result<()> {
        let Ok(mut numbers) = Self::numbers(&self.folder) else { return Ok(()) };
        numbers.retain(|number| *number < self.number);
        numbers.sort_unstable();
        for number in numbers.into_iter().rev() {
            let path = self.folder.join(number.to_string());
            let Ok(file) = File::open(&path) else { continue };
            match LockMode::Shared.lock(&file) {
                // Its process has gone, or was killed.
                Ok(()) => drop(fs::remove_file(path)),
                Err(error) if is_broken_off(&error) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(())
    }
}

impl Drop for LockTicket {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.folder.join(self.number.to_string()));
    }
}

/// The lock of a folder, held until dropped. It gives order among processes, not safety: on a file
/// system without such locks there is no order, and no harm.
#[derive(Debug)]
pub(crate) struct FolderLock(#[expect(dead_code, reason = "held until drop")] File);

impl FolderLock {
    /// Takes it as soon as it is free; `None` if the file system has no such lock.
    ///
    /// # Errors
    /// Another process has it, and the wait was broken off.
    pub(crate) fn acquire(folder: &Path) -> Result<Option<Self>, AlreadyLocked> {
        let Ok(file) = File::open(folder) else { return Ok(None) };
        if file.try_lock().is_err() {
            lock_holder::report_waiting();
            match LockMode::Exclusive.lock(&file) {
                Ok(()) => {}
                Err(error) if is_broken_off(&error) => return Err(AlreadyLocked),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(Self(file)))
    }

    /// Takes it without waiting; `None` if the file system has no such lock.
    ///
    /// # Errors
    /// Another process has it.
    pub(crate) fn try_acquire(folder: &Path) -> Result<Option<Self>, AlreadyLocked> {
        let Ok(file) = File::open(folder) else { return Ok(None) };
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(fs::TryLockError::WouldBlock) => Err(AlreadyLocked),
            Err(fs::TryLockError::Error(_)) => Ok(None),
        }
    }
}

/// The error that another process has the lock of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AlreadyLocked;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::files::lock_wait::break_off_waits;
    use std::cell::Cell;
    use std::rc::Rc;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::{Duration, Instant};

    /// Waits until a condition holds, at most a minute.
    fn until(holds: impl Fn() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < Duration::from_mins(1), "nobody queues");
            std::thread::yield_now();
        }
    }

    #[test]
    fn who_comes_first_is_served_first() {
        const WAITING: usize = 12;
        let folder = tempfile::tempdir().unwrap();
        let (path, line) = (folder.path().join("lock"), folder.path().join("line"));
        let held = Lock::exclusive(&path).unwrap();
        // Two processes that were killed while they waited, the second with others before it.
        let killed = |number: usize| File::create(line.join(number.to_string())).unwrap();
        fs::create_dir(&line).unwrap();
        killed(1);
        let served = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for number in 1..=WAITING {
                let (path, served) = (&path, &served);
                scope.spawn(move || {
                    // Readers wait for the writers before them.
                    let lock =
                        if number % 3 == 0 { Lock::shared(path) } else { Lock::exclusive(path) };
                    served.lock().unwrap().push(number);
                    drop(lock.unwrap());
                });
                // The next thread starts when this one queues; killed processes leave no gap.
                let place = number + 1 + usize::from(number > WAITING / 2);
                until(|| {
                    LockTicket::numbers(&line).unwrap().into_iter().max() == Some(place as u64)
                });
                if number == WAITING / 2 {
                    killed(place + 1);
                }
            }
            drop(held);
        });
        assert_eq!(*served.lock().unwrap(), (1..=WAITING).collect::<Vec<_>>());
        assert!(LockTicket::is_free(&line));
    }

    #[test]
    fn who_waits_looks_once_for_whom() {
        static LOOKS: AtomicU32 = AtomicU32::new(0);
        lock_holder::on_first_wait(|| {
            LOOKS.fetch_add(1, Ordering::Relaxed);
        });
        let folder = tempfile::tempdir().unwrap();
        let (path, line) = (folder.path().join("lock"), folder.path().join("line"));
        for _ in 0..2 {
            let held = Lock::exclusive(&path).unwrap();
            std::thread::scope(|scope| {
                scope.spawn(|| Lock::exclusive(&path).unwrap());
                until(|| !LockTicket::is_free(&line));
                drop(held);
            });
            assert_eq!(LOOKS.load(Ordering::Relaxed), 1);
        }
    }

    #[test]
    fn who_could_have_it_at_once_waits_behind_those_who_wait() {
        let folder = tempfile::tempdir().unwrap();
        let (path, line) = (folder.path().join("lock"), folder.path().join("line"));
        let held = Lock::shared(&path).unwrap();
        let served = Mutex::new(Vec::new());
        let serve = |name, lock: fn(&Path) -> Result<Lock, Fault>| {
            let lock = lock(&path);
            served.lock().unwrap().push(name);
            drop(lock.unwrap());
        };
        let stand = |count| LockTicket::numbers(&line).is_ok_and(|numbers| numbers.len() == count);
        std::thread::scope(|scope| {
            scope.spawn(|| serve("writer", Lock::exclusive));
            until(|| stand(1));
            // Another reader would delay the waiting writer only.
            scope.spawn(|| serve("reader", Lock::shared));
            until(|| stand(2) || !served.lock().unwrap().is_empty());
            drop(held);
        });
        assert_eq!(*served.lock().unwrap(), ["writer", "reader"]);
    }

    #[test]
    fn a_wait_that_is_broken_off_leaves_the_queue() {
        let folder = tempfile::tempdir().unwrap();
        let (path, line) = (folder.path().join("lock"), folder.path().join("line"));
        for mode in [LockMode::Shared, LockMode::Exclusive] {
            let held = Lock::open(&path).unwrap();
            mode.lock(&held).unwrap();
            let asked = Rc::new(Cell::new(0));
            let of_wait = Rc::clone(&asked);
            let _waits = break_off_waits(move || {
                of_wait.set(of_wait.get() + 1);
                of_wait.get() < 3
            });
            let fault = Lock::exclusive(&path).unwrap_err();
            assert!(fault.is_broken_off(), "{fault}");
            assert_eq!(asked.get(), 3);
            assert!(LockTicket::is_free(&line));
            let working = FolderLock::acquire(folder.path()).unwrap().unwrap();
            let waiting = FolderLock::acquire(folder.path());
            assert_eq!(waiting.unwrap_err(), AlreadyLocked);
            drop((working, held));
            // What need not wait is not asked.
            Lock::exclusive(&path).unwrap();
        }
    }

    /// As the main thread of `run` waits during a backup, while pages are read.
    #[test]
    fn readers_pass_a_writer_that_may_break_off_while_others_read() {
        let folder = tempfile::tempdir().unwrap();
        let (path, line) = (folder.path().join("lock"), folder.path().join("line"));
        let served = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let backup = Lock::shared(&path).unwrap();
            scope.spawn(|| {
                let _waits = break_off_waits(|| true);
                let lock = Lock::exclusive(&path);
                served.lock().unwrap().push("writer");
                drop(lock.unwrap());
            });
            until(|| !LockTicket::is_free(&line));
            scope.spawn(|| {
                let lock = Lock::shared(&path);
                served.lock().unwrap().push("reader");
                drop(lock.unwrap());
            });
            until(|| !served.lock().unwrap().is_empty());
            drop(backup);
        });
        assert_eq!(*served.lock().unwrap(), ["reader", "writer"]);
        assert!(LockTicket::is_free(&line));
    }
}
