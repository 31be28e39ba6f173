//! A home as one file: a compressed tar archive of all that cannot be made again.
//!
//! It is taken under the lock, so that it is the home at one moment; a mail that arrives meanwhile
//! waits in the spool, and may or may not be in it. `is_home_file` says which names it has, both here
//! and where it is read: [`restore`](super::restore).

use super::contents::{EXCLUDED, FILES, FOLDERS, OPTIONAL_FILES, RUN_MARKER, is_home_file};
use crate::base::progress::Progress;
use crate::store::files::disk::Disk;
use crate::store::paths::{beside, found, is_file, names};
use crate::store::{Fault, ReadOnlyStore};
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::fs::OFlags;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use tar::{Builder, Header};

/// The first entry: the format of what follows.
pub(super) const FIRST: &str = "postboard-backup";
/// The one version of the format.
pub(super) const VERSION: u32 = 1;
/// The last entry: how many files came before, so that none is missing at the end.
pub(super) const LAST: &str = "postboard-backup-end";
/// Bytes that are written at once.
const CHUNK: usize = 256 * 1024;

/// The contents of a backup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupSummary {
    /// Files.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Unknown files of the home: they are not in the backup.
    pub left_out: Vec<String>,
}

/// Writes a backup into a file, which is there wholly or not at all, for the owner's eyes only.
///
/// # Errors
/// The machine failed, or the name is taken by something else than a file.
pub fn save(
    home: &ReadOnlyStore,
    file: &Path,
    progress: &dyn Progress,
) -> Result<BackupSummary, Fault> {
    save_on(&Disk::default(), home, file, progress)
}

/// [`save`] on a watched disk.
///
/// # Errors
/// As [`save`].
pub fn save_on(
    disk: &Disk,
    home: &ReadOnlyStore,
    file: &Path,
    progress: &dyn Progress,
) -> Result<BackupSummary, Fault> {
    if found(file.symlink_metadata(), file)?.is_some_and(|meta| !meta.is_file()) {
        let why = "it is no file; `-` writes to standard output";
        return Err(Fault::because("cannot replace", file, io::ErrorKind::InvalidInput, why));
    }
    let part = beside(file, "part");
    if let Ok(old) = File::open(&part) {
        // Left by one that was killed, unless it is at work.
        if old.try_lock().is_err() {
            let why = "another backup is being written into it";
            return Err(Fault::because("cannot write", part, io::ErrorKind::WouldBlock, why));
        }
        disk.remove(&part)?;
    }
    let opened = disk.make(&part, 0o600)?;
    let _ = opened.try_lock();
    let written = (|| {
        let out = BufWriter::with_capacity(
            CHUNK,
            BackupWriter { disk, file: &opened, path: &part, at: 0 },
        );
        let (saved, out) = archive(home, out, &part, progress)?;
        // It says which file, and which step.
        out.into_inner().map_err(|error| Fault::at("cannot write", &part)(error.into_error()))?;
        disk.sync(&opened, &part)?;
        disk.rename(&part, file)?;
        Ok(saved)
    })();
    if written.is_err() {
        let _ = disk.remove(&part);
    }
    let saved = written?;
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    disk.sync_folder(folder.unwrap_or(Path::new(".")))?;
    Ok(saved)
}

/// Writes a backup to where it is taken away.
///
/// # Errors
/// The machine failed.
pub fn send(
    home: &ReadOnlyStore,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<BackupSummary, Fault> {
    let stream = Path::new("standard output");
    let (saved, mut out) = archive(home, BufWriter::with_capacity(CHUNK, out), stream, progress)?;
    out.flush().map_err(Fault::at("cannot write to", stream))?;
    Ok(saved)
}

/// The file being written, step by step.
struct BackupWriter<'a> {
    disk: &'a Disk,
    file: &'a File,
    path: &'a Path,
    at: u64,
}

impl Write for BackupWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.write_at(self.file, self.path, self.at, bytes).map_err(|fault| fault.source)?;
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes all there is; returns what it was written to, too.
fn archive<W: Write>(
    home: &ReadOnlyStore,
    out: W,
    path: &Path,
    progress: &dyn Progress,
) -> Result<(BackupSummary, W), Fault> {
    let tar = Builder::new(GzEncoder::new(out, Compression::fast()));
    let mut walk = HomeArchiver {
        home: home.home(),
        tar,
        out: path,
        saved: BackupSummary::default(),
        progress,
    };
    let folders = FOLDERS.iter().flat_map(|(folder, _)| Path::new(folder).ancestors());
    let folders = folders.filter(|folder| *folder != Path::new(""));
    for name in FILES.into_iter().chain(OPTIONAL_FILES).map(Path::new).chain(folders) {
        refuse_link(&home.home().join(name))?;
    }
    walk.note(FIRST, &format!("{VERSION}\n"))?;
    for file in FILES {
        walk.file(file)?;
    }
    for file in OPTIONAL_FILES {
        if is_file(&home.home().join(file))? {
            walk.file(file)?;
        }
    }
    for (folder, depth) in FOLDERS {
        walk.folder(folder, depth)?;
    }
    walk.note(LAST, &format!("{}\n", walk.saved.files))?;
    for name in names(home.home())? {
        let is_folder = FOLDERS.iter().any(|(folder, _)| *folder == name);
        if !is_folder && !is_home_file(&name) && !EXCLUDED.contains(&&*name) {
            walk.saved.left_out.push(name);
        }
    }
    walk.saved.left_out.sort();
    let ended = walk.tar.into_inner().and_then(GzEncoder::finish);
    Ok((walk.saved, ended.map_err(Fault::at("cannot write", path))?))
}

/// Refuses a link: it may lead to a file of somebody else, and what it leads to on another machine is
/// unknown.
fn refuse_link(path: &Path) -> Result<(), Fault> {
    if !found(path.symlink_metadata(), path)?.is_some_and(|meta| meta.is_symlink()) {
        return Ok(());
    }
    let why = "it is a link, and a backup follows none: put what it leads to in its place, or mount it \
               there (`mount --bind`)";
    Err(Fault::because("cannot back up", path, io::ErrorKind::InvalidInput, why))
}

struct HomeArchiver<'a, W: Write> {
    home: &'a Path,
    tar: Builder<GzEncoder<W>>,
    out: &'a Path,
    saved: BackupSummary,
    progress: &'a dyn Progress,
}

impl<W: Write> HomeArchiver<'_, W> {
    /// An entry that is no file of the home.
    fn note(&mut self, name: &str, text: &str) -> Result<(), Fault> {
        let mut header = Header::new_gnu();
        header.set_mode(0o600);
        header.set_size(text.len() as u64);
        let added = self.tar.append_data(&mut header, name, text.as_bytes());
        added.map_err(Fault::at("cannot write", self.out))
    }

    /// All below a folder, whose names are in order, so that two backups can be compared.
    fn folder(&mut self, folder: &str, depth: usize) -> Result<(), Fault> {
        let mut names = names(&self.home.join(folder))?;
        names.sort();
        for name in names {
            let name = format!("{folder}/{name}");
            let path = self.home.join(&name);
            // A link below a folder is nobody's document.
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_symlink() => self.saved.left_out.push(name),
                Ok(meta) if meta.is_dir() && depth > 1 => self.folder(&name, depth - 1)?,
                Ok(meta) if meta.is_file() && is_home_file(&name) => self.file(&name)?,
                Ok(_) if name == RUN_MARKER => {}
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Fault::at("cannot read", path)(error));
                }
                // It was sent meanwhile.
                Err(_) if name.starts_with("outbox/") && path.symlink_metadata().is_err() => {}
                Ok(_) | Err(_) => self.saved.left_out.push(name),
            }
        }
        Ok(())
    }

    fn file(&mut self, name: &str) -> Result<(), Fault> {
        let path = self.home.join(name);
        let nofollow = OFlags::NOFOLLOW.bits().cast_signed();
        let file = match File::options().read(true).custom_flags(nofollow).open(&path) {
            Ok(file) => file,
            Err(error)
                if error.kind() == io::ErrorKind::NotFound && name.starts_with("outbox/") =>
            {
                return Ok(());
            }
            Err(error) => return Err(Fault::at("cannot read", path)(error)),
        };
        let meta = file.metadata().map_err(Fault::at("cannot read", &path))?;
        let mut header = Header::new_gnu();
        header.set_mode(meta.mode() & 0o777);
        header.set_size(meta.len());
        header.set_mtime(u64::try_from(meta.mtime()).unwrap_or(0));
        let mut source = ExactReader { file, left: meta.len(), failed: None };
        let added = self.tar.append_data(&mut header, name, &mut source);
        if let Some(error) = source.failed {
            return Err(Fault::at("cannot read", path)(error));
        }
        added.map_err(Fault::at("cannot write", self.out))?;
        self.saved.files += 1;
        self.progress.advances(1);
        self.saved.bytes += meta.len();
        Ok(())
    }
}

/// A file of which exactly so much is read as was announced.
struct ExactReader {
    file: File,
    left: u64,
    /// It was this side that failed.
    failed: Option<io::Error>,
}

impl Read for ExactReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        match self.file.read(&mut bytes[..most]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(0) if most > 0 => {
                self.failed = Some(io::Error::other("it became shorter while it was read"));
                Err(io::ErrorKind::UnexpectedEof.into())
            }
            Ok(read) => {
                self.left -= read as u64;
                Ok(read)
            }
            Err(error) => {
                let kind = error.kind();
                self.failed = Some(error);
                Err(kind.into())
            }
        }
    }
}
