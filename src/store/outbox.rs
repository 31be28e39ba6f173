//! Mails that wait to go out: `outbox/new`, being sent `outbox/cur`, given up `outbox/bad`.
//!
//! A file holds the letters of one transaction, each an envelope line and the mail as it leaves:
//!
//! ```text
//! {"sent":0,"bytes":4021,"at":1795238400,"name":"3f..","sender":"..","to":"..","thread":"malaka-17"}
//! From: ...
//! ```
//!
//! A long batch's letters come as the journal file that held them, `001795238400.17..txn`.
//!
//! How often sending failed, and until when it pauses, stands in the file's name:
//! `001795238400.3f..,2,1795238640.eml`. One deliverer works at a time (`outbox/lock`); it holds the
//! lock of the home only while it claims files.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

use super::aside::{self, Bounds};
use super::disk::Disk;
use super::lock::Lock;
use super::recover::pending;
use super::{Fault, Files, Folder, Letters, Transaction, beside, journal, log, names};
use crate::base::digest::Digest;
use crate::base::escape;
use crate::mail::{Address, Letter};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// At most so many letters share a file, and about so many bytes.
const LETTERS: usize = 64;
const BYTES: usize = 1 << 20;
/// At most so many files are claimed at once.
const CLAIMED: usize = 256;
/// Where the digit stands in an envelope line that says whether the letter was sent.
const SENT_AT: usize = "{\"sent\":".len();
/// The longest pause between two tries, in minutes.
const LONGEST_PAUSE: i64 = 240;

#[derive(Debug, Serialize, Deserialize)]
struct Envelope {
    /// First, and one digit, so that it can be changed in place.
    sent: u8,
    bytes: usize,
    at: i64,
    name: String,
    sender: Option<String>,
    to: String,
    thread: Option<String>,
}

/// A letter as a file of the outbox holds it.
struct Held {
    letter: Letter,
    at: i64,
    sent: bool,
    /// Where its envelope line begins.
    offset: usize,
}

/// Letters that share a file, each with its envelope line: one file for many costs what a file for
/// one costs, 15 us here, and twice that to remove it.
#[derive(Debug)]
pub(super) struct Bundle<'a> {
    /// Its file, below the home.
    pub(super) path: String,
    letters: Vec<(Vec<u8>, &'a Letter)>,
}

/// The files that a transaction's letters become.
pub(super) fn bundles(transaction: &Transaction) -> impl Iterator<Item = Bundle<'_>> {
    let at = transaction.at;
    let mut rest = &transaction.letters[..];
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |letter: &&Letter| {
            let fits = bytes <= BYTES;
            bytes += letter.bytes.len();
            fits
        };
        let count = rest.iter().take(LETTERS).take_while(fits).count();
        let (these, behind) = rest.split_at(count);
        rest = behind;
        (count > 0).then(|| Bundle {
            path: format!("outbox/new/{}.eml", stem(these, at)),
            letters: these.iter().map(|letter| (envelope(letter, at), letter)).collect(),
        })
    })
}

impl Bundle<'_> {
    /// How long its file is.
    pub(super) fn length(&self) -> usize {
        self.letters.iter().map(|(line, letter)| line.len() + letter.bytes.len() + 1).sum()
    }

    /// Writes what stands in its file behind what stands in `bytes`.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(self.length());
        for (line, letter) in &self.letters {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(&letter.bytes);
            bytes.push(b'\n');
        }
    }
}

/// The same letters have the same name, and no others.
fn stem(letters: &[Letter], at: i64) -> String {
    let at = at.max(0);
    if let [letter] = letters {
        return format!("{at:012}.{}", escape::name(&letter.name));
    }
    let names = letters.iter().flat_map(|letter| [letter.name.as_bytes(), b"\n"]);
    format!("{at:012}.{}+{}", Digest::of_all(names).short(), letters.len())
}

/// The line that stands above a letter.
fn envelope(letter: &Letter, at: i64) -> Vec<u8> {
    let envelope = Envelope {
        sent: 0,
        bytes: letter.bytes.len(),
        at,
        name: letter.name.clone(),
        sender: letter.sender.as_ref().map(ToString::to_string),
        to: letter.to.to_string(),
        thread: letter.thread.clone(),
    };
    let mut line = serde_json::to_vec(&envelope).expect("text and numbers are JSON");
    line.push(b'\n');
    line
}

/// A file's letters; none if it is no file of the outbox.
fn read(bytes: &[u8]) -> Option<Vec<Held>> {
    let mut held = Vec::new();
    if journal::is_one(bytes) {
        for (from, letters) in journal::letters(bytes)? {
            read_letters(letters, from, &mut held)?;
        }
    } else {
        read_letters(bytes, 0, &mut held)?;
    }
    (!held.is_empty()).then_some(held)
}

/// Reads letters that begin at `from` in their file.
fn read_letters(bytes: &[u8], from: usize, held: &mut Vec<Held>) -> Option<()> {
    let mut offset = 0;
    while offset < bytes.len() {
        let rest = &bytes[offset..];
        let line = rest.iter().position(|&byte| byte == b'\n')?;
        let envelope: Envelope = serde_json::from_slice(&rest[..line]).ok()?;
        let mail = rest.get(line + 1..line + 1 + envelope.bytes)?;
        let sender = match envelope.sender {
            Some(sender) => Some(Address::parse(&sender)?),
            None => None,
        };
        let letter = Letter {
            name: envelope.name,
            sender,
            to: Address::parse(&envelope.to)?,
            thread: envelope.thread,
            bytes: mail.to_vec(),
        };
        let (at, sent) = (envelope.at, envelope.sent != 0);
        held.push(Held { letter, at, sent, offset: from + offset });
        offset += line + 1 + envelope.bytes + 1;
    }
    Some(())
}

/// Why a letter did not go out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// Trying again would not help: the other side said so for good.
    pub permanent: bool,
    /// It holds for every letter: the way out is shut.
    pub all: bool,
    /// What the other side, or the machine, said.
    pub why: String,
}

/// What became of the letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Sent.
    pub sent: usize,
    /// Not sent, to be tried again later.
    pub kept: usize,
    /// Given up: in `outbox/bad`, with the reason.
    pub failed: usize,
    /// Never sent, since a newer mail about the same board to the same player came.
    pub replaced: usize,
}

/// What waits after it could not leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Letters that failed at least once.
    pub letters: usize,
    /// When the oldest of them was written; Unix time.
    pub oldest: Option<i64>,
}

/// What waits in the outbox after it could not leave.
///
/// # Errors
/// The machine failed.
pub fn backlog(home: &Path) -> Result<Backlog, Fault> {
    let mut waiting = names(&home.join("outbox/new"))?;
    // Another deliverer may be at work.
    waiting.extend(names(&home.join("outbox/cur"))?);
    let failed = waiting.iter().filter_map(|file| Name::read(file)).filter(|name| name.tries > 0);
    let written = failed.map(|name| name.written());
    Ok(written.fold(Backlog::default(), |backlog, at| Backlog {
        letters: backlog.letters + 1,
        oldest: at.into_iter().chain(backlog.oldest).min(),
    }))
}

/// Letters claimed together, by their name in the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claimed(pub(super) String);

/// A file of the outbox by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    /// How often sending failed: fresh ones come first.
    tries: u32,
    /// Not to be tried before; Unix time.
    not_before: i64,
    stem: String,
    /// A journal file.
    journal: bool,
}

impl Name {
    fn read(file: &str) -> Option<Self> {
        if let Some(stem) = file.strip_suffix(".txn") {
            let stem = stem.to_owned();
            return Some(Self { tries: 0, not_before: 0, stem, journal: true });
        }
        let rest = file.strip_suffix(".eml")?;
        let mut words = rest.split(',');
        let stem = words.next()?.to_owned();
        match (words.next(), words.next()) {
            (None, _) => Some(Self { tries: 0, not_before: 0, stem, journal: false }),
            (Some(tries), Some(not_before)) => Some(Self {
                tries: tries.parse().ok()?,
                not_before: not_before.parse().ok()?,
                stem,
                journal: false,
            }),
            _ => None,
        }
    }

    fn file(&self) -> String {
        let Self { tries, not_before, stem, journal } = self;
        if *journal {
            return format!("{stem}.txn");
        }
        if *tries == 0 { format!("{stem}.eml") } else { format!("{stem},{tries},{not_before}.eml") }
    }

    /// When its letters were written: the number that its name begins with.
    fn written(&self) -> Option<i64> {
        self.stem.split('.').next()?.parse().ok()
    }

    /// As it is called after one more failure: the pause doubles from one minute.
    fn after_failure(&self, now: i64) -> Self {
        let pause = LONGEST_PAUSE.min(1 << self.tries.min(16));
        Self { tries: self.tries + 1, not_before: now + pause * 60, ..self.clone() }
    }
}

/// Whom a letter goes to, about which board.
type About = (Address, String);

/// The outbox, of the one deliverer.
#[derive(Debug)]
pub struct Outbox {
    home: Folder,
    turn: Option<Lock>,
    /// Whether what waits was looked through.
    looked: bool,
    /// Letters about boards that failed before: when written, and which file.
    failed: HashMap<About, (i64, Name)>,
    report: Report,
}

impl Outbox {
    /// Opens the outbox; none if another deliverer is at work, who then sends all there is.
    ///
    /// # Errors
    /// There is no home, or the machine failed.
    pub fn open(home: &Path) -> Result<Option<Self>, Fault> {
        Self::open_in(&Folder::new(home))
    }

    /// [`open`](Self::open) on a watched disk.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_on(home: &Path, disk: Disk) -> Result<Option<Self>, Fault> {
        Self::open_in(&Folder::new(home).on(disk))
    }

    /// That of the home in a folder, as [`open`](Self::open) opens it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_in(folder: &Folder) -> Result<Option<Self>, Fault> {
        let home = &folder.path;
        super::files::lock_path(home)?;
        let Some(turn) = Lock::try_exclusive(&home.join("outbox/lock"))? else { return Ok(None) };
        Ok(Some(Self {
            home: folder.clone(),
            turn: Some(turn),
            looked: false,
            failed: HashMap::new(),
            report: Report::default(),
        }))
    }

    fn folder(&self, which: &str) -> PathBuf {
        self.home.path.join("outbox").join(which)
    }

    fn path(&self, which: &str, name: &Name) -> PathBuf {
        self.folder(which).join(name.file())
    }

    /// What a deliverer that died had claimed goes back; what failed before is noted.
    fn look(&mut self) -> Result<(), Fault> {
        for file in names(&self.folder("cur"))? {
            let path = self.folder("cur").join(&file);
            match Name::read(&file) {
                Some(_) => self.home.disk.rename(&path, &self.folder("new").join(&file))?,
                // Half of a letter parted from its file, which has it still.
                None => self.home.disk.remove(&path)?,
            }
        }
        // The oldest first, so that of several that failed the newest stays.
        let mut waiting = names(&self.folder("new"))?;
        waiting.sort();
        for name in waiting.iter().filter_map(|file| Name::read(file)) {
            if name.tries > 0
                && let Some(bytes) = read_file(&self.path("new", &name))?
                && let Some([held]) = read(&bytes).as_deref()
            {
                self.note(&name, held)?;
            }
        }
        self.looked = true;
        Ok(())
    }

    /// Notes a letter that failed, in place of an older one that did.
    fn note(&mut self, name: &Name, held: &Held) -> Result<(), Fault> {
        let Some(about) = about(&held.letter) else { return Ok(()) };
        self.replace_older(name, held)?;
        if self.failed.get(&about).is_none_or(|(at, _)| *at <= held.at) {
            self.failed.insert(about, (held.at, name.clone()));
        }
        Ok(())
    }

    /// A letter that failed goes away when a newer one about its board goes to its player.
    fn replace_older(&mut self, name: &Name, held: &Held) -> Result<(), Fault> {
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
    fn part(&self, held: &Held) -> Result<Name, Fault> {
        let stem = stem(std::slice::from_ref(&held.letter), held.at);
        let name = Name { tries: 0, not_before: 0, stem, journal: false };
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
        name: &Name,
        held: &Held,
        undelivered: &Undelivered,
        now: i64,
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
        let bounds = Bounds::default();
        let note = aside::put(&self.home.disk, &self.folder("bad"), bounds, (path, file), &plain)?;
        // A log that cannot be written holds nothing up.
        let _ = note.map(|note| log(&self.home.path, &note));
        Ok(())
    }

    /// Marks a letter of several as dealt with, so that it is not sent again after a crash.
    fn mark(&self, path: &Path, held: &Held) -> Result<(), Fault> {
        let Some(file) = Disk::open(path)? else { return Ok(()) };
        self.home.disk.write_at(&file, path, (held.offset + SENT_AT) as u64, b"1")
    }
}

impl Letters for Outbox {
    fn report(&self) -> Report {
        self.report
    }

    fn claim(&mut self, now: i64) -> Result<Vec<Claimed>, Fault> {
        if self.turn.is_none() {
            return Ok(Vec::new());
        }
        let mut full = None;
        let mut half = BTreeSet::new();
        let files = match Files::open_in(&self.home) {
            Ok(files) => Ok(files),
            // What goes out makes room: so long as there is none, all goes out but what the
            // journal is yet to write, or to write again.
            Err(fault) if fault.is_full() => {
                let lock = Lock::exclusive(&super::files::lock_path(&self.home.path)?)?;
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
        let mut due: Vec<_> = whole.filter_map(|file| Name::read(file)).collect();
        due.retain(|name| name.not_before <= now);
        due.sort();
        due.truncate(CLAIMED);
        for name in &due {
            self.home.disk.rename(&self.path("new", name), &self.path("cur", name))?;
        }
        if due.is_empty() {
            // Before the lock of the home: whoever commits a letter after this look finds no
            // deliverer at work, and sends it himself.
            self.turn = None;
            if let Some(fault) = full {
                return Err(fault);
            }
        }
        drop(files);
        Ok(due.iter().map(|name| Claimed(name.file())).collect())
    }

    fn deliver(
        &mut self,
        claimed: &Claimed,
        now: i64,
        send: &mut dyn FnMut(&Letter) -> Result<(), Undelivered>,
    ) -> Result<(), Fault> {
        let Some(name) = &Name::read(&claimed.0) else { return Ok(()) };
        let path = self.path("cur", name);
        let Some(bytes) = read_file(&path)? else { return Ok(()) };
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

fn about(letter: &Letter) -> Option<About> {
    Some((letter.to.clone(), letter.thread.clone()?))
}

fn read_file(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::at("cannot read", path)(error)),
    }
}
