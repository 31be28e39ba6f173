//! Sending the letters of a home in files, one process at a time, and looking at them.

use super::letter_file::{OutboxName, SENT_AT, StoredLetter, envelope, read, stem};
use crate::base::time::Time;
use crate::mail::Address;
use crate::store::files::disk::Disk;
use crate::store::files::init::lock_path;
use crate::store::files::journal::recovery::pending;
use crate::store::files::lock::Lock;
use crate::store::files::quarantine;
use crate::store::letter::{Backlog, DeliveryError, LetterClaim, OutboxReport, UnsentLetter};
use crate::store::paths::{beside, names, read_file};
use crate::store::quarantine::QuarantineLimits;
use crate::store::transfer::move_note::refuse_moving;
use crate::store::{Fault, FileHome, FileStore, Letter, Letters, log};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// At most so many files are claimed at once.
const CLAIMED: usize = 256;

/// Letters that wait in the outbox after they could not leave.
///
/// # Errors
/// The machine failed.
pub fn backlog(home: &Path) -> Result<Backlog, Fault> {
    let mut waiting = names(&home.join("outbox/new"))?;
    // Another deliverer may be at work.
    waiting.extend(names(&home.join("outbox/cur"))?);
    let failed =
        waiting.iter().filter_map(|file| OutboxName::read(file)).filter(|name| name.tries > 0);
    let written = failed.map(|name| name.written());
    Ok(written.fold(Backlog::default(), |backlog, at| Backlog {
        letters: backlog.letters + 1,
        oldest: at.into_iter().chain(backlog.oldest).min(),
    }))
}

/// Returns the letters that wait in the outbox of a home or were given up, the oldest first. Skips
/// files of others.
pub(in crate::store) fn unsent(home: &Path) -> Result<Vec<UnsentLetter>, Fault> {
    let mut unsent = Vec::new();
    for which in ["new", "cur", "bad"] {
        let folder = home.join("outbox").join(which);
        for file in names(&folder)? {
            let Some(name) = OutboxName::read(&file) else { continue };
            let path = folder.join(&file);
            // One that is gone was sent meanwhile.
            let Some(bytes) = read_file(&path)? else { continue };
            let held = read(&bytes).unwrap_or_default().into_iter().filter(|held| !held.sent);
            unsent.extend(held.map(|held| UnsentLetter {
                letter: held.letter,
                at: held.at,
                tries: name.tries,
                not_before: name.not_before,
                is_given_up: which == "bad",
            }));
        }
    }
    unsent.sort_by(|one, other| (one.at, &one.letter.name).cmp(&(other.at, &other.letter.name)));
    Ok(unsent)
}

/// The recipient of a letter, and the board that it is about.
type ThreadKey = (Address, String);

/// The outbox, of the one deliverer.
#[derive(Debug)]
pub struct Outbox {
    home: FileHome,
    turn: Option<Lock>,
    /// Whether what waits was looked through.
    looked: bool,
    /// Letters about boards that failed before: when written, and which file.
    failed: HashMap<ThreadKey, (Time, OutboxName)>,
    report: OutboxReport,
    /// A letter's file that cannot be read.
    unread: Option<Fault>,
}

impl Outbox {
    /// Opens the outbox; none if another deliverer is at work, which then sends all letters.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    pub fn open(home: &Path) -> Result<Option<Self>, Fault> {
        Self::open_in(&FileHome::new(home))
    }

    /// [`open`](Self::open) on a watched disk.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_on(home: &Path, disk: Disk) -> Result<Option<Self>, Fault> {
        Self::open_in(&FileHome::new(home).with_disk(disk))
    }

    /// That of the home in a folder, as [`open`](Self::open) opens it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_in(folder: &FileHome) -> Result<Option<Self>, Fault> {
        let home = &folder.path;
        lock_path(home)?;
        let Some(turn) = Lock::try_exclusive(&home.join("outbox/lock"))? else { return Ok(None) };
        refuse_moving(home)?;
        Ok(Some(Self {
            home: folder.clone(),
            turn: Some(turn),
            looked: false,
            failed: HashMap::new(),
            report: OutboxReport::default(),
            unread: None,
        }))
    }

    fn folder(&self, which: &str) -> PathBuf {
        self.home.path.join("outbox").join(which)
    }

    fn path(&self, which: &str, name: &OutboxName) -> PathBuf {
        self.folder(which).join(name.file())
    }

    /// Puts back letters that a dead deliverer had claimed; notes earlier failures.
    fn look(&mut self) -> Result<(), Fault> {
        for file in names(&self.folder("cur"))? {
            let path = self.folder("cur").join(&file);
            match OutboxName::read(&file) {
                Some(_) => self.home.disk.rename(&path, &self.folder("new").join(&file))?,
                // Half of a letter parted from its file, which has it still.
                None => self.home.disk.remove(&path)?,
            }
        }
        // The oldest first, so that of several that failed the newest stays.
        let mut waiting = names(&self.folder("new"))?;
        waiting.sort();
        for name in waiting.iter().filter_map(|file| OutboxName::read(file)) {
            if name.tries == 0 {
                continue;
            }
            match read_file(&self.path("new", &name)) {
                Ok(bytes) => {
                    let bytes = bytes.unwrap_or_default();
                    if let Some([held]) = read(&bytes).as_deref() {
                        self.note(&name, held)?;
                    }
                }
                // It is told of when it is sent.
                Err(fault) if fault.is_passing() => {}
                Err(fault) => return Err(fault),
            }
        }
        self.looked = true;
        Ok(())
    }

    /// Notes a letter that failed, in place of an older one that did.
    fn note(&mut self, name: &OutboxName, held: &StoredLetter) -> Result<(), Fault> {
        let Some(about) = about(&held.letter) else { return Ok(()) };
        self.replace_older(name, held)?;
        if self.failed.get(&about).is_none_or(|(at, _)| *at <= held.at) {
            self.failed.insert(about, (held.at, name.clone()));
        }
        Ok(())
    }

    /// A letter that failed goes away when a newer one about its board goes to its player.
    fn replace_older(&mut self, name: &OutboxName, held: &StoredLetter) -> Result<(), Fault> {
        let Some(about) = about(&held.letter) else { return Ok(()) };
        let Some((at, older)) = self.failed.get(&about) else { return Ok(()) };
        if older == name || *at >= held.at {
            return Ok(());
        }
        for folder in ["new", "cur"] {
            self.home.disk.remove(&self.path(folder, older))?;
        }
        self.failed.remove(&about);
        self.report.replaced += 1;
        Ok(())
    }

    /// Gives a letter that shares a file one of its own, in `cur`.
    fn part(&self, held: &StoredLetter) -> Result<OutboxName, Fault> {
        let stem = stem(std::slice::from_ref(&held.letter), held.at);
        let name = OutboxName { tries: 0, not_before: Time::EPOCH, stem, journal: false };
        let path = self.path("cur", &name);
        let new = beside(&path, "tmp");
        let mut bytes = envelope(&held.letter, held.at);
        bytes.extend_from_slice(&held.letter.bytes);
        bytes.push(b'\n');
        let file = self.home.disk.put(&new, &bytes, &mut |_| ())?;
        self.home.disk.sync(&file, &new)?;
        self.home.disk.rename(&new, &path)?;
        Ok(name)
    }

    /// A claimed letter that failed waits for its next try, or is given up.
    fn put_back(
        &mut self,
        name: &OutboxName,
        held: &StoredLetter,
        undelivered: &DeliveryError,
        now: Time,
    ) -> Result<(), Fault> {
        let path = self.path("cur", name);
        if undelivered.permanent {
            self.report.failed += 1;
            return self.give_up(&path, &format!("{}.eml", name.stem), &undelivered.why);
        }
        self.report.kept += 1;
        let next = name.after_failure(now);
        self.home.disk.rename(&path, &self.path("new", &next))?;
        self.note(&next, held)
    }

    fn give_up(&self, path: &Path, file: &str, why: &str) -> Result<(), Fault> {
        let plain: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let limits = QuarantineLimits::default();
        let note =
            quarantine::put(&self.home.disk, &self.folder("bad"), limits, path, file, &plain)?;
        // A log that cannot be written holds nothing up.
        let _ = note.map(|note| log(&self.home.path, &note));
        Ok(())
    }

    /// Marks a letter of several as dealt with, so that it is not sent again after a crash.
    fn mark(&self, path: &Path, held: &StoredLetter) -> Result<(), Fault> {
        let Some(file) = Disk::open(path)? else { return Ok(()) };
        self.home.disk.write_at(&file, path, (held.offset + SENT_AT) as u64, b"1")
    }
}

impl Letters for Outbox {
    fn report(&self) -> OutboxReport {
        self.report
    }

    fn claim(&mut self, now: Time) -> Result<Vec<LetterClaim>, Fault> {
        if self.turn.is_none() {
            return Ok(Vec::new());
        }
        let mut full = None;
        let mut half = BTreeSet::new();
        let files = match FileStore::open_in(&self.home) {
            Ok(files) => Ok(files),
            // A letter that goes out makes room: so long as there is none, all go out except those
            // that the journal must still write, or write again.
            Err(fault) if fault.is_full() => {
                let lock = Lock::exclusive(&lock_path(&self.home.path)?)?;
                half = pending(&self.home.path)?;
                full = Some(fault);
                Err(lock)
            }
            Err(fault) => return Err(fault),
        };
        if !self.looked {
            self.look()?;
        }
        let waiting = names(&self.folder("new"))?;
        let whole = waiting.iter().filter(|file| !half.contains(*file));
        let mut due: Vec<_> = whole.filter_map(|file| OutboxName::read(file)).collect();
        due.retain(|name| name.not_before <= now);
        due.sort();
        due.truncate(CLAIMED);
        for name in &due {
            self.home.disk.rename(&self.path("new", name), &self.path("cur", name))?;
        }
        if due.is_empty() {
            // Before the lock of the home: a process that commits a letter after this look finds no
            // deliverer at work, and sends it itself.
            self.turn = None;
            if let Some(fault) = full.or(self.unread.take()) {
                return Err(fault);
            }
        }
        drop(files);
        Ok(due.iter().map(|name| LetterClaim(name.file())).collect())
    }

    fn deliver(
        &mut self,
        claimed: &LetterClaim,
        now: Time,
        send: &mut dyn FnMut(&Letter) -> Result<(), DeliveryError>,
    ) -> Result<(), Fault> {
        let Some(name) = &OutboxName::read(&claimed.0) else { return Ok(()) };
        let path = self.path("cur", name);
        let bytes = match read_file(&path) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(()),
            // The others do not wait for it.
            Err(fault) if fault.is_passing() => {
                self.report.kept += 1;
                self.unread.get_or_insert(fault);
                let next = self.path("new", &name.after_failure(now));
                return self.home.disk.rename(&path, &next);
            }
            Err(fault) => return Err(fault),
        };
        let Some(held) = read(&bytes) else {
            self.report.failed += 1;
            return self.give_up(&path, &name.file(), "it is no file of the outbox");
        };
        let alone = held.len() == 1 && !name.journal;
        let mut parted = false;
        for held in held.iter().filter(|held| !held.sent) {
            self.replace_older(name, held)?;
            match send(&held.letter) {
                Ok(()) => self.report.sent += 1,
                Err(undelivered) => {
                    let part = if alone { name.clone() } else { self.part(held)? };
                    self.put_back(&part, held, &undelivered, now)?;
                    parted = !alone;
                    if alone {
                        return Ok(());
                    }
                }
            }
            if !alone {
                self.mark(&path, held)?;
            }
        }
        if parted {
            self.home.disk.sync_folder(&self.folder("new"))?;
        }
        self.home.disk.remove(&path)
    }
}

fn about(letter: &Letter) -> Option<ThreadKey> {
    Some((letter.to.clone(), letter.thread.clone()?))
}
