//! Sending the letters of a home in files, one process at a time, and listing them.

use super::letter_file::{OutboxName, StoredLetter, parse_letters, single_letter_file, stem};
use crate::base::time::Time;
use crate::mail::Address;
use crate::store::QuarantineLimits;
use crate::store::files::fresh_letters::{self, FreshLetter};
use crate::store::files::init::lock_path;
use crate::store::files::journal::recovery::pending_letters;
use crate::store::files::lock::Lock;
use crate::store::files::quarantine;
use crate::store::letter::{
    Backlog, FailureScope, LetterClaim, NotSent, OutboxReport, UnsentLetter,
};
use crate::store::paths::{beside, names, read_file};
use crate::store::transfer::move_note::refuse_moving;
use crate::store::{Fault, FileHome, FileStore, Letter, Outbox, log};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The most files claimed at a time.
const MAX_CLAIMED: usize = 256;

/// Counts the letters that wait for a time.
pub fn backlog(home: &Path) -> Result<Backlog, Fault> {
    let mut waiting = names(&home.join("outbox/new"))?;
    // Another process may be sending.
    waiting.extend(names(&home.join("outbox/cur"))?);
    let mut backlog = Backlog::default();
    for name in waiting.iter().filter_map(|file| OutboxName::parse(file)) {
        if name.tries > 0 {
            backlog.failed += 1;
            backlog.oldest_failed = name.written().into_iter().chain(backlog.oldest_failed).min();
        } else if name.not_before > Time::EPOCH {
            backlog.put_off += 1;
        }
    }
    Ok(backlog)
}

/// Returns the letters that wait in the outbox of a home or were given up, the oldest first. Skips
/// files of others.
pub(in crate::store) fn unsent(home: &Path) -> Result<Vec<UnsentLetter>, Fault> {
    let mut unsent = Vec::new();
    for which in ["new", "cur", "bad"] {
        let folder = home.join("outbox").join(which);
        for file in names(&folder)? {
            let Some(name) = OutboxName::parse(&file) else { continue };
            let path = folder.join(&file);
            // A file that is gone was sent meanwhile.
            let Some(bytes) = read_file(&path)? else { continue };
            let stored = parse_letters(&bytes).unwrap_or_default().into_iter();
            unsent.extend(stored.filter(|stored| !stored.is_sent).map(|stored| UnsentLetter {
                letter: stored.letter,
                written_at: stored.at,
                tries: name.tries,
                not_before: name.not_before,
                is_given_up: which == "bad",
            }));
        }
    }
    unsent.sort_by(|one, other| {
        (one.written_at, &one.letter.name).cmp(&(other.written_at, &other.letter.name))
    });
    Ok(unsent)
}

/// The recipient of a letter, and the board that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ThreadKey {
    to: Address,
    board: String,
}

/// A letter that failed.
#[derive(Clone, Debug)]
struct FailedLetter {
    at: Time,
    file: OutboxName,
}

/// The outbox of a home in files, for the one process that sends.
#[derive(Debug)]
pub struct FileOutbox {
    home: FileHome,
    lock: Option<Lock>,
    /// Whether the waiting letters were scanned.
    is_scanned: bool,
    /// The latest letter about each board that failed.
    failed: HashMap<ThreadKey, FailedLetter>,
    report: OutboxReport,
    /// The fault of a file that cannot be read.
    unreadable: Option<Fault>,
}

impl FileOutbox {
    /// Opens the outbox; `None` if another process is sending, which then sends all letters.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    pub fn open(folder: &FileHome) -> Result<Option<Self>, Fault> {
        let home = &folder.path;
        lock_path(home)?;
        let Some(lock) = Lock::try_exclusive(&home.join("outbox/lock"))? else { return Ok(None) };
        refuse_moving(home)?;
        Ok(Some(Self {
            home: folder.clone(),
            lock: Some(lock),
            is_scanned: false,
            failed: HashMap::new(),
            report: OutboxReport::default(),
            unreadable: None,
        }))
    }

    fn folder(&self, which: &str) -> PathBuf {
        self.home.path.join("outbox").join(which)
    }

    fn path(&self, which: &str, name: &OutboxName) -> PathBuf {
        self.folder(which).join(name.file())
    }

    /// Puts back letters that a dead process had claimed, and notes earlier failures.
    fn scan(&mut self) -> Result<(), Fault> {
        for file in names(&self.folder("cur"))? {
            let path = self.folder("cur").join(&file);
            match OutboxName::parse(&file) {
                Some(_) => self.home.disk.rename(&path, &self.folder("new").join(&file))?,
                // A half-written copy of a letter, which is still in its file.
                None => self.home.disk.remove(&path)?,
            }
        }
        // The oldest first, so that of several failures about a board the newest stays.
        let mut waiting = names(&self.folder("new"))?;
        waiting.sort();
        for name in waiting.iter().filter_map(|file| OutboxName::parse(file)) {
            if name.tries == 0 {
                continue;
            }
            match read_file(&self.path("new", &name)) {
                Ok(bytes) => {
                    let bytes = bytes.unwrap_or_default();
                    if let Some([stored]) = parse_letters(&bytes).as_deref() {
                        self.note_failure(&name, stored)?;
                    }
                }
                // The fault is reported when the letter is to be sent.
                Err(fault) if fault.is_unreadable_file() => {}
                Err(fault) => return Err(fault),
            }
        }
        self.is_scanned = true;
        Ok(())
    }

    /// Notes a letter that failed, and replaces an older one about its board.
    fn note_failure(&mut self, name: &OutboxName, stored: &StoredLetter) -> Result<(), Fault> {
        let Some(thread) = thread_of(&stored.letter) else { return Ok(()) };
        self.replace_older(name, stored)?;
        if self.failed.get(&thread).is_none_or(|failed| failed.at <= stored.at) {
            let failed = FailedLetter { at: stored.at, file: name.clone() };
            self.failed.insert(thread, failed);
        }
        Ok(())
    }

    /// Removes a letter that failed when a newer one about its board goes to the same player.
    fn replace_older(&mut self, name: &OutboxName, stored: &StoredLetter) -> Result<(), Fault> {
        let Some(thread) = thread_of(&stored.letter) else { return Ok(()) };
        let Some(FailedLetter { at, file: older }) = self.failed.get(&thread) else {
            return Ok(());
        };
        if older == name || *at >= stored.at {
            return Ok(());
        }
        for folder in ["new", "cur"] {
            self.home.disk.remove(&self.path(folder, older))?;
        }
        self.failed.remove(&thread);
        self.report.replaced += 1;
        Ok(())
    }

    /// Gives a letter that shares a file a file of its own, in `cur`.
    fn separate(&self, stored: &StoredLetter) -> Result<OutboxName, Fault> {
        let stem = stem(std::slice::from_ref(&stored.letter), stored.at);
        let name = OutboxName { tries: 0, not_before: Time::EPOCH, stem, is_journal: false };
        let path = self.path("cur", &name);
        let new = beside(&path, "tmp");
        let bytes = single_letter_file(&stored.letter, stored.at);
        let file = self.home.disk.put(&new, &bytes, &mut |_| ())?;
        self.home.disk.sync(&file, &new)?;
        self.home.disk.rename(&new, &path)?;
        Ok(name)
    }

    /// Keeps a claimed letter for its next try, or gives it up.
    fn put_back(
        &mut self,
        name: &OutboxName,
        stored: &StoredLetter,
        why: &NotSent,
        now: Time,
    ) -> Result<(), Fault> {
        let path = self.path("cur", name);
        let error = match why {
            NotSent::PutOff(until) => {
                self.report.put_off += 1;
                return self.home.disk.rename(&path, &self.path("new", &name.put_off(*until)));
            }
            NotSent::Failed(error) => error,
        };
        if error.scope == FailureScope::Rejected {
            self.report.given_up += 1;
            return self.give_up(&path, &format!("{}.eml", name.stem), &error.why);
        }
        self.report.deferred += 1;
        let next = name.after_failure(now);
        self.home.disk.rename(&path, &self.path("new", &next))?;
        self.note_failure(&next, stored)
    }

    /// Moves a letter into the quarantine.
    fn give_up(&self, path: &Path, file: &str, why: &str) -> Result<(), Fault> {
        let plain: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let limits = QuarantineLimits::default();
        let note =
            quarantine::put(&self.home.disk, &self.folder("bad"), limits, path, file, &plain)?;
        // A log that cannot be written delays nothing.
        let _ = note.map(|note| log(&self.home.path, &note));
        Ok(())
    }
}

impl Outbox for FileOutbox {
    fn take_fresh(&mut self) -> Result<Option<Letter>, Fault> {
        // Taken first: what is offered later would be in other files.
        let Some(FreshLetter { letter, files }) = fresh_letters::take(&self.home.path) else {
            return Ok(None);
        };
        for which in ["new", "cur"] {
            let waiting = names(&self.folder(which))?;
            let mut others = waiting.iter().filter(|file| !files.contains(file));
            if others.any(|file| OutboxName::parse(file).is_some_and(|name| name.is_untried())) {
                return Ok(None);
            }
        }
        Ok(Some(letter))
    }

    fn report(&self) -> OutboxReport {
        self.report
    }

    fn claim(&mut self, now: Time) -> Result<Vec<LetterClaim>, Fault> {
        if self.lock.is_none() {
            return Ok(Vec::new());
        }
        let mut full = None;
        let mut unfinished = BTreeSet::new();
        // The home stays locked until the files are claimed, open or not.
        let locked = match FileStore::open_in(&self.home) {
            Ok(home) => Ok(home),
            // Sending letters makes room. Until there is room, all are sent except those that the
            // journal must still write.
            Err(fault) if fault.is_full() => {
                let lock = Lock::exclusive(&lock_path(&self.home.path)?)?;
                unfinished = pending_letters(&self.home.path)?;
                full = Some(fault);
                Err(lock)
            }
            Err(fault) => return Err(fault),
        };
        if !self.is_scanned {
            self.scan()?;
        }
        let waiting = names(&self.folder("new"))?;
        let complete = waiting.iter().filter(|file| !unfinished.contains(*file));
        let mut due: Vec<_> = complete.filter_map(|file| OutboxName::parse(file)).collect();
        due.retain(|name| name.not_before <= now);
        due.sort();
        due.truncate(MAX_CLAIMED);
        for name in &due {
            self.home.disk.rename(&self.path("new", name), &self.path("cur", name))?;
        }
        if due.is_empty() {
            // Released before the lock of the home: a process that commits a letter after this
            // finds nobody sending, and sends it itself.
            self.lock = None;
            if let Some(fault) = full.or(self.unreadable.take()) {
                return Err(fault);
            }
        }
        drop(locked);
        Ok(due.iter().map(|name| LetterClaim(name.file())).collect())
    }

    fn deliver(
        &mut self,
        claimed: &LetterClaim,
        now: Time,
        send: &mut dyn FnMut(&Letter) -> Result<(), NotSent>,
    ) -> Result<(), Fault> {
        let Some(name) = &OutboxName::parse(&claimed.0) else { return Ok(()) };
        let path = self.path("cur", name);
        let bytes = match read_file(&path) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(()),
            // The others do not wait for it.
            Err(fault) if fault.is_unreadable_file() => {
                self.report.deferred += 1;
                self.unreadable.get_or_insert(fault);
                // The name of a journal file has no time, so that in `new` it would be due at once. The
                // next run puts it back.
                if name.is_journal {
                    return Ok(());
                }
                let next = self.path("new", &name.after_failure(now));
                return self.home.disk.rename(&path, &next);
            }
            Err(fault) => return Err(fault),
        };
        let Some(stored) = parse_letters(&bytes) else {
            self.report.given_up += 1;
            return self.give_up(&path, &name.file(), "it is not a file of the outbox");
        };
        let is_alone = stored.len() == 1 && !name.is_journal;
        let mut has_separated = false;
        for stored in stored.iter().filter(|stored| !stored.is_sent) {
            self.replace_older(name, stored)?;
            match send(&stored.letter) {
                Ok(()) => self.report.sent += 1,
                Err(why) => {
                    let file = if is_alone { name.clone() } else { self.separate(stored)? };
                    self.put_back(&file, stored, &why, now)?;
                    has_separated = !is_alone;
                    if is_alone {
                        return Ok(());
                    }
                }
            }
            if !is_alone {
                quarantine::mark_sent(&self.home.disk, &path, stored)?;
            }
        }
        if has_separated {
            self.home.disk.sync_folder(&self.folder("new"))?;
        }
        self.home.disk.remove(&path)
    }
}

/// Returns what a letter is about, if it is about a board.
fn thread_of(letter: &Letter) -> Option<ThreadKey> {
    Some(ThreadKey { to: letter.to.clone(), board: letter.thread.clone()? })
}
