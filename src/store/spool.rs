//! Mails as they came in, each a file, until they are executed.
//!
//! [`put`] is the receiving side: durable, without the lock, never waiting for it. [`Spool`] is the
//! executing side, under the lock. A mail that ends the whole process (an overflowing stack, a
//! kill) is found out by a marker file that stands while a run is under way: a run that finds one
//! left over is *careful* and writes into each mail's name how often it was begun, before it is
//! touched. Without such a mail a run pays for the marker and nothing else.
//!
//! Mails are executed in the order in which they came, but for one that failed: it comes again behind
//! the others, so that it holds nobody up. Those of its own [`Strands`] wait for it all the same, since
//! an `accept` must not overtake the `propose` that it answers. One that cannot even be read may be of
//! any strand, so all wait for it, until it is parked.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::aside::{self, Bounds, UNFIT};
use super::disk::{Disk, Step};
use super::lock::{Line, Taken};
use super::{Fault, Files, digest, is_passing, is_shortage, names};
use data_encoding::HEXLOWER;
use std::collections::{BTreeSet, BinaryHeap, HashSet, VecDeque};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// A mail may be as long as this; of a longer one, one byte more is read.
pub const LONGEST: usize = crate::mail::LARGEST_MAIL;
/// How often a mail is begun before it is parked.
pub const TRIES: u32 = 3;
/// So many names are held in memory at once.
const LISTED: usize = 16_384;

/// Puts a mail into the spool, durably. Needs no lock.
///
/// # Errors
/// The machine failed, and the mail is not in the spool.
pub fn put(home: &Path, bytes: &[u8]) -> Result<(), Fault> {
    put_on(&Disk::default(), home, bytes)
}

/// [`put`] on a watched disk.
///
/// # Errors
/// As [`put`].
pub fn put_on(disk: &Disk, home: &Path, bytes: &[u8]) -> Result<(), Fault> {
    put_as(disk, home, bytes, &unique())
}

fn put_as(disk: &Disk, home: &Path, bytes: &[u8], name: &str) -> Result<(), Fault> {
    let new = home.join("spool/tmp").join(name);
    let folder = home.join("spool/new");
    let place = || {
        disk.put_new(&new, bytes)?;
        disk.rename(&new, &folder.join(name))
    };
    let placed = match place() {
        // A home that was copied may lack folders that were empty.
        Err(fault) if fault.source.kind() == io::ErrorKind::NotFound => {
            for folder in ["spool/tmp", "spool/new"].map(|name| home.join(name)) {
                fs::create_dir_all(&folder).map_err(Fault::at("cannot make", folder))?;
            }
            place()
        }
        placed => placed,
    };
    placed.inspect_err(|_| {
        // What could not be finished must not fill the disk further.
        let _ = fs::remove_file(&new);
    })?;
    // Once it has its name the mail may be executed. If that name cannot be made durable, the
    // sender tries again, and the seen-record keeps it from being executed twice.
    disk.sync_folder(&folder)
}

/// The names of the mails that wait, or that another process is executing.
///
/// # Errors
/// The machine failed.
pub fn waiting_mails(home: &Path) -> Result<Vec<String>, Fault> {
    let mut all = names(&home.join("spool/new"))?;
    all.extend(names(&home.join("spool/cur"))?);
    Ok(all.into_iter().map(|file| Name::read(&file).name).collect())
}

/// [`put`] of a mail that stays where it comes from, with its mark in the name: so it is not put there
/// again while it waits.
///
/// # Errors
/// As [`put`].
pub fn put_marked(home: &Path, bytes: &[u8], mark: &str) -> Result<(), Fault> {
    put_as(&Disk::default(), home, bytes, &format!("{}.{mark}", unique()))
}

/// The mark of a mail of that identity.
pub fn mark(identity: &[u8]) -> String {
    format!("{MARK}{}", HEXLOWER.encode(&digest(identity)[..16]))
}

/// The marks of the mails that wait.
///
/// # Errors
/// The machine failed.
pub fn marks(home: &Path) -> Result<HashSet<String>, Fault> {
    let mut marks = HashSet::new();
    for folder in ["spool/new", "spool/cur"] {
        for name in names(&home.join(folder))? {
            let name = name.split(',').next().unwrap_or_default();
            let mark = name.rsplit('.').next().filter(|mark| mark.starts_with(MARK));
            marks.extend(mark.map(str::to_owned));
        }
    }
    Ok(marks)
}

/// What a mark begins with.
const MARK: &str = "x";

/// A name that no other mail has; later ones are greater.
fn unique() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{:012}.{:09}.{}.{count}", now.as_secs(), now.subsec_nanos(), process::id())
}

/// A mail taken from the spool, not yet done with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its content: of more than [`LONGEST`] bytes, one more than that.
    pub bytes: Vec<u8>,
    /// How often it was begun, with this time; 1 if nothing is known against it.
    pub tries: u32,
    path: PathBuf,
    /// Its name as it came.
    name: String,
}

/// What a mail shares with others whose order counts: its sender, the boards that it is about.
pub type Strands = BTreeSet<String>;

/// Tells the strands of a mail.
type Telling = dyn Fn(&[u8]) -> Strands;

/// [`Telling`] as it is kept.
struct Order(Box<Telling>);

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Order")
    }
}

/// A mail that comes again, and behind which those of its strands wait.
#[derive(Debug)]
struct PutOff {
    name: Name,
    /// Unknown of a mail that cannot be read.
    strands: Option<Strands>,
}

impl PutOff {
    /// Whether a mail has to wait for this one.
    fn holds(&self, name: &str, strands: &Strands) -> bool {
        *self.name.name < *name && self.strands.as_ref().is_none_or(|own| !own.is_disjoint(strands))
    }
}

/// What became of a mail that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It will come again.
    Again,
    /// It is in `spool/bad`: the operator is to be told.
    Parked,
}

/// The right to execute what the spool holds, which processes have one after the other: one works
/// and one waits. A third need not wait, since what it came for is here already, and the one who
/// waits will see it.
#[derive(Debug)]
pub struct Shift {
    home: PathBuf,
    _working: Option<Line>,
}

impl Shift {
    /// Waits for the one who works; none if somebody waits already.
    pub fn begin(home: &Path) -> Option<Self> {
        let waiting = match Line::try_first(&waiting(home)) {
            Some(Err(Taken)) => return None,
            Some(Ok(line)) => Some(line),
            None => None,
        };
        let working = waiting.as_ref().and_then(|_| Line::first(&home.join("spool")));
        // From here on another one may wait.
        drop(waiting);
        Some(Self { home: home.to_owned(), _working: working })
    }

    /// Whether somebody waits, who can do the rest. Where nobody does, the one who works has to look
    /// for mails once more: whoever came just now may have taken this look for one who waits.
    pub fn is_awaited(&self) -> bool {
        matches!(Line::try_first(&waiting(&self.home)), Some(Err(Taken)))
    }
}

/// The right to fill the spool from a mailbox, which one process has at a time.
#[derive(Debug)]
pub struct Collecting(#[expect(dead_code, reason = "it is held")] Option<Line>);

impl Collecting {
    /// Begins it; none if another process is at it.
    pub fn begin(home: &Path) -> Option<Self> {
        match Line::try_first(&home.join("spool/new")) {
            Some(Err(Taken)) => None,
            Some(Ok(line)) => Some(Self(Some(line))),
            None => Some(Self(None)),
        }
    }
}

/// What the one who waits for his shift holds.
fn waiting(home: &Path) -> PathBuf {
    home.join("spool/tmp")
}

/// A run over the spool. Ended by [`close`](Self::close) or by being dropped, it leaves no trace;
/// only a process that dies, or a panic, leaves the marker for the next run.
#[derive(Debug)]
pub struct Spool {
    home: PathBuf,
    disk: Disk,
    careful: bool,
    /// What a name without a number counts as: begun once by the run that died, or never.
    begun: u32,
    /// The first listing is the one that the run that died may have begun.
    listed: bool,
    queue: VecDeque<Name>,
    /// They come after all others, the oldest first.
    put_off: VecDeque<PutOff>,
    order: Order,
    /// Taken and not done with: a listing shows them still.
    taken: Vec<(String, u32)>,
    notes: Vec<String>,
    bounds: Bounds,
}

/// A mail's name in the spool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    name: String,
    /// How often it was begun, if that stands in its name: then it is in `cur`.
    begun: Option<u32>,
}

impl Name {
    fn read(file: &str) -> Self {
        let numbered = file.rsplit_once(',').and_then(|(name, n)| Some((name, n.parse().ok()?)));
        match numbered {
            Some((name, begun)) => Self { name: name.to_owned(), begun: Some(begun) },
            None => Self { name: file.to_owned(), begun: Some(1) },
        }
    }
}

impl Spool {
    /// Begins a run. The lock is held by whoever shows the open home, and has to be held until the
    /// run is closed.
    ///
    /// # Errors
    /// The machine failed.
    pub fn open(files: &Files) -> Result<Self, Fault> {
        let home = files.home().to_owned();
        let marker = home.join("spool/running");
        let careful = marker.symlink_metadata().is_ok();
        let disk = files.disk().clone();
        if !careful {
            disk.put(&marker, b"", &mut |_| ())?;
        }
        Ok(Self {
            home,
            disk,
            careful,
            begun: u32::from(careful),
            listed: false,
            queue: VecDeque::new(),
            put_off: VecDeque::new(),
            order: Order(Box::new(|_| Strands::new())),
            taken: Vec::new(),
            notes: Vec::new(),
            bounds: Bounds::default(),
        })
    }

    /// From here on mails of a strand wait for one of it that is put off.
    #[must_use]
    pub fn keeping(mut self, strands: impl Fn(&[u8]) -> Strands + 'static) -> Self {
        self.order = Order(Box::new(strands));
        self
    }

    /// From here on no more than that is kept in `spool/bad`.
    #[must_use]
    pub fn bounded(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// Whether the last run died: then each mail is to be committed by itself, before the next is
    /// taken, so that a mail that kills again is told from the others.
    pub fn is_careful(&self) -> bool {
        self.careful
    }

    /// What the operator is to be told since the last call, a line each: which mails
    /// [`take`](Self::take) has parked, and what was not kept.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// The next mail: the oldest first, those that were begun before last. None if there is none.
    /// A mail that was begun too often is parked on the way.
    ///
    /// # Errors
    /// The machine failed, or could not read a mail: it is read again by the next run, before all
    /// others.
    pub fn take(&mut self) -> Result<Option<Waiting>, Fault> {
        loop {
            let Some(name) = self.name()? else { return Ok(None) };
            let begun = name.begun.unwrap_or(self.begun);
            let mut waiting = Waiting {
                bytes: Vec::new(),
                tries: begun + 1,
                path: self.path(&name),
                name: name.name.clone(),
            };
            if begun >= TRIES {
                self.park_dead(waiting)?;
                continue;
            }
            match self.read(&waiting.path) {
                Ok(Some(bytes)) => waiting.bytes = bytes,
                // Somebody took it away.
                Ok(None) => continue,
                Err(error) => {
                    self.unread(waiting, error)?;
                    continue;
                }
            }
            if self.must_wait(&waiting) {
                self.put_off(name, &waiting.bytes);
                continue;
            }
            if self.careful {
                waiting.path = self.count(&waiting, begun + 1)?;
            }
            self.taken.push((waiting.name.clone(), waiting.tries));
            return Ok(Some(waiting));
        }
    }

    /// A mail's content. A disk that fails once is asked once more.
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        match read(&self.disk, path) {
            Err(error) if is_passing(&error) => read(&self.disk, path),
            content => content,
        }
    }

    /// A mail could not be read. What is no mail is parked at once; what the disk cannot read today is
    /// tried by three runs. It ends this one, for whose mail it is nobody knows.
    fn unread(&mut self, mail: Waiting, error: io::Error) -> Result<(), Fault> {
        if is_shortage(&error) {
            return Err(Fault::at("cannot read", mail.path)(error));
        }
        if is_passing(&error) && mail.tries < TRIES {
            let path = self.count(&mail, mail.tries)?;
            return Err(Fault::at("cannot read", path)(error));
        }
        self.notes.push(format!("spool/bad/{} was parked", mail.name));
        self.park(mail, &format!("cannot be read: {error}"))
    }

    /// Whether an earlier mail of its strands is put off: then it is to be [held](Self::hold).
    pub fn must_wait(&self, mail: &Waiting) -> bool {
        !self.put_off.is_empty() && {
            let strands = self.strands(&mail.bytes);
            self.put_off.iter().any(|other| other.holds(&mail.name, &strands))
        }
    }

    /// The strands of a mail.
    pub fn strands(&self, bytes: &[u8]) -> Strands {
        (self.order.0)(bytes)
    }

    /// A mail that was taken waits for an earlier one of its strands. That is no try.
    ///
    /// # Errors
    /// The machine failed.
    pub fn hold(&mut self, mail: Waiting) -> Result<(), Fault> {
        self.forget(&mail.name);
        let begun = (mail.tries > 1).then_some(mail.tries - 1);
        let name = Name { name: mail.name, begun };
        let path = self.path(&name);
        if path != mail.path {
            self.disk.rename(&mail.path, &path)?;
        }
        self.put_off(name, &mail.bytes);
        Ok(())
    }

    fn put_off(&mut self, name: Name, bytes: &[u8]) {
        let strands = Some(self.strands(bytes));
        let at = self.put_off.partition_point(|other| other.name < name);
        self.put_off.insert(at, PutOff { name, strands });
    }

    /// The mail is executed and committed, or needs no execution: it goes away.
    ///
    /// # Errors
    /// The machine failed; the mail comes again, and the seen-record tells that it was executed.
    pub fn done(&mut self, mail: Waiting) -> Result<(), Fault> {
        let Waiting { path, name, .. } = mail;
        self.forget(&name);
        self.disk.remove(&path)
    }

    /// The mail cannot be read: it goes to `spool/bad`, with the reason beside it, for a time.
    ///
    /// # Errors
    /// The machine failed.
    pub fn park_unfit(&mut self, mail: Waiting, why: &str) -> Result<(), Fault> {
        let name = format!("{}.{UNFIT}", mail.name);
        self.put_aside(mail, &name, why)
    }

    /// The mail can never be executed, and that is no fault of its sender's: it goes to `spool/bad`,
    /// with the reason beside it, until the operator has seen it.
    ///
    /// # Errors
    /// The machine failed.
    pub fn park(&mut self, mail: Waiting, why: &str) -> Result<(), Fault> {
        let name = mail.name.clone();
        self.put_aside(mail, &name, why)
    }

    fn put_aside(&mut self, mail: Waiting, aside: &str, why: &str) -> Result<(), Fault> {
        let Waiting { path, name, .. } = mail;
        self.forget(&name);
        let bad = self.home.join("spool/bad");
        let note = aside::put(&self.disk, &bad, self.bounds, (&path, aside), why)?;
        self.notes.extend(note);
        Ok(())
    }

    /// The mail failed by a fault of ours (a panic, too long a time): it comes again after all
    /// others, up to three times in all, then it is parked.
    ///
    /// # Errors
    /// The machine failed.
    pub fn failed(&mut self, mail: Waiting, why: &str) -> Result<Fate, Fault> {
        if mail.tries >= TRIES {
            self.park(mail, why)?;
            return Ok(Fate::Parked);
        }
        self.forget(&mail.name);
        self.count(&mail, mail.tries)?;
        self.put_off(Name { name: mail.name, begun: Some(mail.tries) }, &mail.bytes);
        Ok(Fate::Again)
    }

    /// Ends the run: nothing killed it. Mails taken and not done with come again, as if they had
    /// not been taken.
    ///
    /// # Errors
    /// The machine failed.
    pub fn close(mut self) -> Result<(), Fault> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Fault> {
        for (name, begun) in std::mem::take(&mut self.taken) {
            let counted = self.cur(&name, begun);
            if begun > 1 && counted.symlink_metadata().is_ok() {
                self.disk.rename(&counted, &self.cur(&name, begun - 1))?;
            }
        }
        self.disk.remove(&self.home.join("spool/running"))
    }

    fn park_dead(&mut self, mail: Waiting) -> Result<(), Fault> {
        let why = format!("each of {TRIES} runs ended without a word while it was executed");
        self.notes.push(format!("spool/bad/{} was parked", mail.name));
        self.park(mail, &why)
    }

    fn forget(&mut self, mail: &str) {
        if let Some(at) = self.taken.iter().position(|(name, _)| name == mail) {
            self.taken.swap_remove(at);
        }
    }

    fn path(&self, name: &Name) -> PathBuf {
        match name.begun {
            None => self.home.join("spool/new").join(&name.name),
            Some(begun) => self.cur(&name.name, begun),
        }
    }

    fn cur(&self, name: &str, begun: u32) -> PathBuf {
        self.home.join("spool/cur").join(format!("{name},{begun}"))
    }

    /// Writes into the mail's name how often it was begun. A kill leaves that as it is: it need
    /// not be durable.
    fn count(&self, mail: &Waiting, begun: u32) -> Result<PathBuf, Fault> {
        let path = self.cur(&mail.name, begun);
        if path != mail.path {
            self.disk.rename(&mail.path, &path)?;
        }
        Ok(path)
    }

    fn name(&mut self) -> Result<Option<Name>, Fault> {
        if self.queue.is_empty() && (self.put_off.is_empty() || !self.listed) {
            self.list()?;
        }
        // Those behind a mail that could not be read wait for it.
        let is_next = |first: &PutOff| {
            self.queue.front().is_none_or(|next| first.strands.is_none() && first.name < *next)
        };
        if self.put_off.front().is_some_and(is_next) {
            return Ok(self.put_off.pop_front().map(|first| first.name));
        }
        Ok(self.queue.pop_front())
    }

    /// Lists what waits: at most so many, the oldest; the rest comes with the next listing.
    fn list(&mut self) -> Result<(), Fault> {
        if self.listed {
            self.begun = 0;
        } else {
            let cur = names(&self.home.join("spool/cur"))?;
            let mut found: Vec<_> = cur.iter().map(|file| Name::read(file)).collect();
            found.sort();
            for name in found {
                let strands = match self.read(&self.path(&name)) {
                    Ok(bytes) => Some(bytes.map_or_else(Strands::new, |it| self.strands(&it))),
                    Err(_) => None,
                };
                self.put_off.push_back(PutOff { name, strands });
            }
            self.listed = true;
        }
        // None that is put off is in `new`: of those there are none by now, or all are in `cur`.
        let mut oldest = BinaryHeap::new();
        for name in names(&self.home.join("spool/new"))? {
            if !self.taken.iter().any(|(taken, _)| *taken == name) {
                oldest.push(name);
                if oldest.len() > LISTED {
                    oldest.pop();
                }
            }
        }
        let sorted = oldest.into_sorted_vec().into_iter();
        self.queue.extend(sorted.map(|name| Name { name, begun: None }));
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // A marker that stays only makes the next run careful.
            let _ = self.end();
        }
    }
}

/// At most one byte more than a mail may have; none if it is gone.
fn read(disk: &Disk, path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // A pipe would be waited for, and a folder read for ever.
    match path.symlink_metadata() {
        Ok(it) if !it.is_file() => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"));
        }
        _ => {}
    }
    disk.before(Step::Read(path))?;
    match File::open(path) {
        Ok(file) => file.take(LONGEST as u64 + 1).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(bytes))
}
