//! The spool of a home in files: `spool/new` holds arrived mails, `spool/cur` those that were
//! begun, `spool/tmp` those being written.

use super::name::{MAX_MAIL_BYTES, SpoolName};
use crate::base::digest::Digest;
use crate::store::QuarantineLimits;
use crate::store::files::disk::{Disk, DiskStep};
use crate::store::files::lock::FolderLock;
use crate::store::files::quarantine;
use crate::store::paths::{is_there, names};
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
    put_on(&Disk::default(), home, bytes, None)
}

/// Checks whether [`put`] could take a mail now: writes a block into the spool and removes it.
pub fn try_put(home: &Path) -> Result<(), Fault> {
    // One left by a kill is removed with other leftovers after a day.
    let path = home.join("spool/tmp").join(unique_name());
    let tried = Disk::default().put_new(&path, &[0; 4096]);
    let _ = fs::remove_file(&path);
    tried?;
    let folder = home.join("spool/new");
    accessat(CWD, &folder, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)
        .map_err(|error| Fault::at("cannot write to", folder)(error.into()))
}

/// [`put`] on a disk that a test may watch. A mail that also stays in its mailbox has a mark in its name,
/// so that it is not put there twice while it waits.
pub fn put_on(disk: &Disk, home: &Path, bytes: &[u8], mark: Option<&str>) -> Result<(), Fault> {
    let name = unique_name() + &mark.map_or_else(String::new, |mark| format!(".{mark}"));
    let new = home.join("spool/tmp").join(&name);
    let folder = home.join("spool/new");
    let write = || {
        disk.put_new(&new, bytes)?;
        disk.rename(&new, &folder.join(&name))
    };
    let written = match write() {
        // A copied home may lack folders that were empty.
        Err(fault) if fault.source.kind() == io::ErrorKind::NotFound => {
            for folder in ["spool/tmp", "spool/new"].map(|name| home.join(name)) {
                fs::create_dir_all(&folder).map_err(Fault::at("cannot make", folder))?;
            }
            write()
        }
        written => written,
    };
    written.inspect_err(|_| {
        // An unfinished file must not fill the disk further.
        let _ = fs::remove_file(&new);
    })?;
    // From the rename on the mail may be executed. If the name cannot be made durable, the sender
    // tries again, and the receipt keeps the mail from being executed twice.
    disk.sync_folder(&folder)
}

/// Returns the names of the mails that wait or are being executed.
pub fn waiting_mails(home: &Path) -> Result<Vec<String>, Fault> {
    let mut all = names(&home.join("spool/new"))?;
    all.extend(names(&home.join("spool/cur"))?);
    Ok(all.into_iter().map(|file| SpoolName::parse(&file).name).collect())
}

/// Returns the mark in the name of a mail.
pub(in crate::store) fn mark_of(name: &str) -> Option<&str> {
    name.rsplit('.').next().filter(|mark| mark.starts_with(MARK))
}

/// Returns the mark of a mail, from its identity.
pub fn mark(identity: &[u8]) -> String {
    format!("{MARK}{}", Digest::of(identity).short())
}

/// Returns the marks of the waiting mails.
pub fn marks(home: &Path) -> Result<HashSet<String>, Fault> {
    let mut marks = HashSet::new();
    for folder in ["spool/new", "spool/cur"] {
        for name in names(&home.join(folder))? {
            let name = name.split(',').next().unwrap_or_default();
            marks.extend(mark_of(name).map(str::to_owned));
        }
    }
    Ok(marks)
}

/// The first letter of a mark.
const MARK: &str = "x";

/// Returns a name that no other mail has, greater than earlier ones.
pub(in crate::store) fn unique_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{:012}.{:09}.{}.{count}", now.as_secs(), now.subsec_nanos(), process::id())
}

/// The right to execute the mails of the spool, which processes get one after the other: one works
/// and one waits. A third need not wait, since its mails are in the spool already and the waiting
/// process will execute them.
#[derive(Debug)]
pub struct FileSpoolLock {
    home: PathBuf,
    _working: Option<FolderLock>,
}

impl FileSpoolLock {
    /// Waits for the process that works; `None` if another process waits already, or the wait was broken off.
    pub fn begin(home: &Path) -> Option<Self> {
        let waiting = FolderLock::try_acquire(&waiting_lock(home)).ok()?;
        let working = match &waiting {
            Some(_) => FolderLock::acquire(&home.join("spool")).ok()?,
            None => None,
        };
        // From here on another process may wait.
        drop(waiting);
        Some(Self { home: home.to_owned(), _working: working })
    }
}

impl SpoolLock for FileSpoolLock {
    fn is_awaited(&self) -> bool {
        FolderLock::try_acquire(&waiting_lock(&self.home)).is_err()
    }
}

/// The right to collect mails from a mailbox, for one process at a time.
#[derive(Debug)]
pub struct CollectLock(#[expect(dead_code, reason = "held until drop")] Option<FolderLock>);

impl CollectLock {
    /// Takes it; `None` if another process has it.
    pub fn begin(home: &Path) -> Option<Self> {
        FolderLock::try_acquire(&home.join("spool/new")).ok().map(Self)
    }
}

/// Returns the folder whose lock the waiting process holds.
fn waiting_lock(home: &Path) -> PathBuf {
    home.join("spool/tmp")
}

/// The waiting mails of an open home.
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
        Ok(files.iter().map(|file| SpoolName::parse(file)).collect())
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

    fn park(
        &self,
        name: &SpoolName,
        parked: &str,
        limits: QuarantineLimits,
        why: &str,
    ) -> Result<Option<String>, Fault> {
        let bad = self.home.join("spool/bad");
        quarantine::put(&self.disk, &bad, limits, &self.path(name), parked, why)
    }

    fn is_run_marked(&self) -> Result<bool, Fault> {
        // If the mark cannot be looked at it may exist, so the run is careful.
        Ok(!matches!(is_there(&self.marker()), Ok(false)))
    }

    fn mark_run(&self) -> Result<(), Fault> {
        self.disk.put(&self.marker(), b"", &mut |_| ()).map(drop)
    }

    fn unmark_run(&self) -> Result<(), Fault> {
        self.disk.remove(&self.marker())
    }
}

/// Reads a mail, at most one byte more than the largest; `None` if it is gone.
pub(in crate::store) fn read(disk: &Disk, path: &Path) -> io::Result<Option<Vec<u8>>> {
    // Opening a pipe would block, and a folder is no mail.
    let length = match path.symlink_metadata() {
        Ok(it) if !it.is_file() => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        Ok(it) => usize::try_from(it.len()).unwrap_or(MAX_MAIL_BYTES).min(MAX_MAIL_BYTES),
        Err(_) => 0,
    };
    // Spare capacity lets one read find the end.
    let mut bytes = Vec::with_capacity(length + 32);
    disk.before(DiskStep::Read(path))?;
    match File::open(path) {
        Ok(file) => file.take(MAX_MAIL_BYTES as u64 + 1).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(bytes))
}
