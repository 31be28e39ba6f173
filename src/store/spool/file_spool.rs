//! Mails as files: `spool/new` holds those that came, `spool/cur` those that were begun.

use super::name::{LONGEST, SpoolName};
use crate::base::digest::Digest;
use crate::store::files::disk::{Disk, DiskStep};
use crate::store::files::lock::{AlreadyLocked, FolderLock};
use crate::store::files::quarantine;
use crate::store::paths::{is_there, names};
use crate::store::quarantine::QuarantineLimits;
use crate::store::{Fault, SpoolLock, SpoolStore};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

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
    put_as(disk, home, bytes, &unique_name())
}

/// Tries whether [`put`] could take a mail now: a block is written into the spool and removed.
///
/// # Errors
/// As [`put`].
pub fn try_put(home: &Path) -> Result<(), Fault> {
    // One that is left by a kill is removed with other leftovers, after a day.
    let path = home.join("spool/tmp").join(unique_name());
    let tried = Disk::default().put_new(&path, &[0; 4096]);
    let _ = fs::remove_file(&path);
    tried?;
    let folder = home.join("spool/new");
    accessat(CWD, &folder, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)
        .map_err(|error| Fault::at("cannot write to", folder)(error.into()))
}

fn put_as(disk: &Disk, home: &Path, bytes: &[u8], name: &str) -> Result<(), Fault> {
    let new = home.join("spool/tmp").join(name);
    let folder = home.join("spool/new");
    let place = || {
        disk.put_new(&new, bytes)?;
        disk.rename(&new, &folder.join(name))
    };
    let placed = match place() {
        // A copied home may be without folders that were empty.
        Err(fault) if fault.source.kind() == io::ErrorKind::NotFound => {
            for folder in ["spool/tmp", "spool/new"].map(|name| home.join(name)) {
                fs::create_dir_all(&folder).map_err(Fault::at("cannot make", folder))?;
            }
            place()
        }
        placed => placed,
    };
    placed.inspect_err(|_| {
        // An unfinished file must not fill the disk further.
        let _ = fs::remove_file(&new);
    })?;
    // Once it has its name the mail may be executed. If that name cannot be made durable, the
    // sender tries again, and its receipt keeps it from being executed twice.
    disk.sync_folder(&folder)
}

/// The names of the mails that wait, or that another process is executing.
///
/// # Errors
/// The machine failed.
pub fn waiting_mails(home: &Path) -> Result<Vec<String>, Fault> {
    let mut all = names(&home.join("spool/new"))?;
    all.extend(names(&home.join("spool/cur"))?);
    Ok(all.into_iter().map(|file| SpoolName::read(&file).name).collect())
}

/// [`put`] of a mail that stays where it comes from, with its mark in the name: so it is not put
/// there again while it waits.
///
/// # Errors
/// As [`put`].
pub fn put_marked(home: &Path, bytes: &[u8], mark: &str) -> Result<(), Fault> {
    put_as(&Disk::default(), home, bytes, &format!("{}.{mark}", unique_name()))
}

/// The mails that wait in a folder, the oldest first, with their names.
pub(in crate::store) fn left_in(home: &Path) -> Result<Vec<String>, Fault> {
    let mut names = names(&home.join("spool/new"))?;
    names.sort();
    Ok(names)
}

/// One of them; none if another process has taken it away.
pub(in crate::store) fn read_left(home: &Path, name: &str) -> Result<Option<Vec<u8>>, Fault> {
    let path = home.join("spool/new").join(name);
    read(&Disk::default(), &path).map_err(Fault::at("cannot read", path))
}

/// A mail that waited in a folder is elsewhere now.
pub(in crate::store) fn take_away(home: &Path, name: &str) -> Result<(), Fault> {
    Disk::default().remove(&home.join("spool/new").join(name))
}

/// The mark in the name of a mail.
pub(in crate::store) fn mark_of(name: &str) -> Option<&str> {
    name.rsplit('.').next().filter(|mark| mark.starts_with(MARK))
}

/// The mark of a mail of that identity.
pub fn mark(identity: &[u8]) -> String {
    format!("{MARK}{}", Digest::of(identity).short())
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

/// A mark begins with this.
const MARK: &str = "x";

/// A name that no other mail has; later ones are greater.
pub(in crate::store) fn unique_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{:012}.{:09}.{}.{count}", now.as_secs(), now.subsec_nanos(), process::id())
}

/// The right to execute the mails of the spool, which processes have one after the other: one works
/// and one waits. A third need not wait, since the mails that it came for are here already, and the
/// one that waits will see them.
#[derive(Debug)]
pub struct FileSpoolLock {
    home: PathBuf,
    _working: Option<FolderLock>,
}

impl FileSpoolLock {
    /// Waits for the one that works; none if another process waits already.
    pub fn begin(home: &Path) -> Option<Self> {
        let waiting = match FolderLock::try_acquire(&waiting(home)) {
            Some(Err(AlreadyLocked)) => return None,
            Some(Ok(line)) => Some(line),
            None => None,
        };
        let working = waiting.as_ref().and_then(|_| FolderLock::acquire(&home.join("spool")));
        // From here on another one may wait.
        drop(waiting);
        Some(Self { home: home.to_owned(), _working: working })
    }
}

impl SpoolLock for FileSpoolLock {
    fn is_awaited(&self) -> bool {
        matches!(FolderLock::try_acquire(&waiting(&self.home)), Some(Err(AlreadyLocked)))
    }
}

/// The right to fill the spool from a mailbox, which one process has at a time.
#[derive(Debug)]
pub struct CollectLock(#[expect(dead_code, reason = "it is held")] Option<FolderLock>);

impl CollectLock {
    /// Begins it; none if another process is at it.
    pub fn begin(home: &Path) -> Option<Self> {
        match FolderLock::try_acquire(&home.join("spool/new")) {
            Some(Err(AlreadyLocked)) => None,
            Some(Ok(line)) => Some(Self(Some(line))),
            None => Some(Self(None)),
        }
    }
}

/// The lock of the process that waits for its shift.
fn waiting(home: &Path) -> PathBuf {
    home.join("spool/tmp")
}

/// The mails of an open home.
#[derive(Debug)]
pub(in crate::store) struct FileSpool {
    home: PathBuf,
    disk: Disk,
}

impl FileSpool {
    pub(in crate::store) fn new(home: &Path, disk: &Disk) -> Self {
        Self { home: home.to_owned(), disk: disk.clone() }
    }

    fn path(&self, name: &SpoolName) -> PathBuf {
        let folder = self.home.join("spool");
        match name.begun {
            None => folder.join("new").join(&name.name),
            Some(begun) => folder.join("cur").join(format!("{},{begun}", name.name)),
        }
    }

    fn marker(&self) -> PathBuf {
        self.home.join("spool/running")
    }
}

impl SpoolStore for FileSpool {
    fn fresh(&self) -> Result<Vec<String>, Fault> {
        names(&self.home.join("spool/new"))
    }

    fn begun(&self) -> Result<Vec<SpoolName>, Fault> {
        let files = names(&self.home.join("spool/cur"))?;
        Ok(files.iter().map(|file| SpoolName::read(file)).collect())
    }

    fn read(&self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault> {
        let path = self.path(name);
        read(&self.disk, &path).map_err(Fault::at("cannot read", path))
    }

    fn rename(&self, from: &SpoolName, to: &SpoolName) -> Result<(), Fault> {
        self.disk.rename(&self.path(from), &self.path(to))
    }

    fn remove(&self, name: &SpoolName) -> Result<(), Fault> {
        self.disk.remove(&self.path(name))
    }

    fn put_aside(
        &self,
        name: &SpoolName,
        as_what: &str,
        bounds: QuarantineLimits,
        why: &str,
    ) -> Result<Option<String>, Fault> {
        let bad = self.home.join("spool/bad");
        quarantine::put(&self.disk, &bad, bounds, &self.path(name), as_what, why)
    }

    fn is_marked(&self) -> bool {
        // What cannot be looked at may be there: the run is careful.
        !matches!(is_there(&self.marker()), Ok(false))
    }

    fn mark(&self) -> Result<(), Fault> {
        self.disk.put(&self.marker(), b"", &mut |_| ()).map(drop)
    }

    fn unmark(&self) -> Result<(), Fault> {
        self.disk.remove(&self.marker())
    }
}

/// At most one byte more than a mail may have; none if it is gone.
pub(in crate::store) fn read(disk: &Disk, path: &Path) -> io::Result<Option<Vec<u8>>> {
    // A pipe would be waited for, and a folder read for ever.
    let length = match path.symlink_metadata() {
        Ok(it) if !it.is_file() => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"));
        }
        Ok(it) => usize::try_from(it.len()).unwrap_or(LONGEST).min(LONGEST),
        Err(_) => 0,
    };
    // Room for the end, so that one read finds it.
    let mut bytes = Vec::with_capacity(length + 32);
    disk.before(DiskStep::Read(path))?;
    match File::open(path) {
        Ok(file) => file.take(LONGEST as u64 + 1).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(bytes))
}
