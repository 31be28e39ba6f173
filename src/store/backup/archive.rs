//! Writing a backup: a compressed tar archive of everything in a home that cannot be recreated.

use super::contents::{EXCLUDED, FILES, OPTIONAL_FILES, RUN_MARKER, folders, is_home_file};
use super::encryption::{BackupKey, encrypted};
use super::manifest::{Manifest, digest_of};
use super::nightly_name::NightlyName;
use crate::base::progress::Progress;
use crate::store::files::disk::Disk;
use crate::store::paths::{beside, found, is_file, names};
use crate::store::{Fault, ReadOnlyStore};
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::fs::OFlags;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek as _, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use tar::{Builder, Header};

/// The name of the first entry, which contains the version of the format.
pub(super) const FIRST_ENTRY: &str = "postboard-backup";
/// The version of the format of whole backups.
pub(super) const WHOLE_FORMAT: u64 = 1;
/// The version of the format of backups of changes.
pub(super) const CHANGES_FORMAT: u64 = 2;
/// The second entry of a backup of changes: the name and digest of the whole backup.
pub(super) const SINCE_ENTRY: &str = "postboard-backup-since";
/// The last but one entry of a backup of changes: the names of the files that are gone, a line each.
pub(super) const GONE_ENTRY: &str = "postboard-backup-gone";
/// The name of the last entry, which contains the number of files, so that none is missing at the
/// end; in a backup of changes the number of files of the home, too.
pub(super) const LAST_ENTRY: &str = "postboard-backup-end";
/// The size of a write.
const CHUNK: usize = 256 * 1024;

/// What a backup contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupSummary {
    /// The number of files.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// Unknown files of the home, which are not in the backup.
    pub left_out: Vec<String>,
}

/// Writes a backup into a file, completely or not at all, readable for its owner alone, and encrypted to these keys if
/// there are any.
///
/// # Errors
/// The machine failed, or something else than a file has that name.
pub fn save(
    disk: &Disk,
    home: &ReadOnlyStore,
    file: &Path,
    keys: &[BackupKey],
    progress: &dyn Progress,
) -> Result<BackupSummary, Fault> {
    save_scope(disk, home, file, keys, Scope::Whole, progress)
}

/// Writes a whole backup into a folder, as [`save`] does, and when it is durable, the manifest of the home in
/// `manifest_home`, which differs from the folder of `home` if the home is in a database.
///
/// # Errors
/// As of [`save`]; or the manifest could not be written, and is the earlier one.
pub fn save_listed(
    disk: &Disk,
    home: &ReadOnlyStore,
    manifest_home: &Path,
    folder: &Path,
    name: NightlyName,
    keys: &[BackupKey],
    progress: &dyn Progress,
) -> Result<BackupSummary, Fault> {
    let (file, mut list) = (folder.join(name.to_string()), String::new());
    let saved = save_scope(disk, home, &file, keys, Scope::Listed(&mut list), progress)?;
    Manifest::replace(disk, manifest_home, &file, name, keys, &list)?;
    Ok(saved)
}

/// Writes, as [`save`] does, only the files that are not as in the manifest, and the names of those that are gone.
///
/// # Errors
/// As of [`save`].
pub fn save_changes(
    disk: &Disk,
    home: &ReadOnlyStore,
    file: &Path,
    keys: &[BackupKey],
    since: &Manifest,
    progress: &dyn Progress,
) -> Result<BackupSummary, Fault> {
    save_scope(disk, home, file, keys, Scope::ChangesSince(since), progress)
}

/// Which files of a home a backup contains.
enum Scope<'a> {
    /// All.
    Whole,
    /// All; a line for each is added to this list of a manifest.
    Listed(&'a mut String),
    /// Those that are not as in this manifest.
    ChangesSince(&'a Manifest),
}

fn save_scope(
    disk: &Disk,
    home: &ReadOnlyStore,
    file: &Path,
    keys: &[BackupKey],
    scope: Scope,
    progress: &dyn Progress,
) -> Result<BackupSummary, Fault> {
    if found(file.symlink_metadata(), file)?.is_some_and(|meta| !meta.is_file()) {
        let why = "it is not a file; use `-` for standard output";
        return Err(Fault::because("cannot replace", file, io::ErrorKind::InvalidInput, why));
    }
    let part = beside(file, "part");
    if let Ok(old) = File::open(&part) {
        // Left by a process that was killed, unless it is still writing.
        if old.try_lock().is_err() {
            let why = "another backup is being written to it";
            return Err(Fault::because("cannot write", part, io::ErrorKind::WouldBlock, why));
        }
        disk.remove(&part)?;
    }
    let opened = disk.create_empty(&part, 0o600)?;
    let _ = opened.try_lock();
    let written = (|| {
        let out = BufWriter::with_capacity(
            CHUNK,
            BackupWriter { disk, file: &opened, path: &part, at: 0 },
        );
        let write = |out: &mut dyn Write| Ok(archive(home, scope, out, &part, progress)?.0);
        let (saved, out) = encrypted(keys, out, &part, write)?;
        // The error of the writer names the file and the step.
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

/// Writes a backup to a stream, encrypted to these keys if there are any.
pub fn send(
    home: &ReadOnlyStore,
    out: &mut dyn Write,
    keys: &[BackupKey],
    progress: &dyn Progress,
) -> Result<BackupSummary, Fault> {
    let stream = Path::new("standard output");
    let write = |out: &mut dyn Write| Ok(archive(home, Scope::Whole, out, stream, progress)?.0);
    let (saved, mut out) = encrypted(keys, BufWriter::with_capacity(CHUNK, out), stream, write)?;
    out.flush().map_err(Fault::at("cannot write to", stream))?;
    Ok(saved)
}

/// The file being written, through the disk of the store.
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

/// Writes the archive; returns the stream, too. `path` is for faults.
fn archive<W: Write>(
    home: &ReadOnlyStore,
    scope: Scope,
    out: W,
    path: &Path,
    progress: &dyn Progress,
) -> Result<(BackupSummary, W), Fault> {
    let tar = Builder::new(GzEncoder::new(out, Compression::fast()));
    let mut archiver = HomeArchiver {
        home: home.home(),
        tar,
        out: path,
        gone: match &scope {
            Scope::ChangesSince(manifest) => manifest.names().collect(),
            Scope::Whole | Scope::Listed(_) => BTreeSet::new(),
        },
        scope,
        looked_at: 0,
        saved: BackupSummary::default(),
        progress,
    };
    let trees = folders().flat_map(|(folder, _)| Path::new(folder).ancestors());
    let trees = trees.filter(|folder| *folder != Path::new(""));
    for name in FILES.into_iter().chain(OPTIONAL_FILES).map(Path::new).chain(trees) {
        refuse_link(&home.home().join(name))?;
    }
    archiver.begin()?;
    for file in FILES {
        archiver.add_file(file)?;
    }
    for file in OPTIONAL_FILES {
        if is_file(&home.home().join(file))? {
            archiver.add_file(file)?;
        }
    }
    for (folder, depth) in folders() {
        archiver.add_folder(folder, depth)?;
    }
    archiver.end()?;
    for name in names(home.home())? {
        let is_folder = folders().any(|(folder, _)| folder == name);
        if !is_folder && !is_home_file(&name) && !EXCLUDED.contains(&&*name) {
            archiver.saved.left_out.push(name);
        }
    }
    archiver.saved.left_out.sort();
    let ended = archiver.tar.into_inner().and_then(GzEncoder::finish);
    Ok((archiver.saved, ended.map_err(Fault::at("cannot write", path))?))
}

/// Refuses a link: it may lead to a file of somebody else, and on another machine it may lead
/// nowhere.
fn refuse_link(path: &Path) -> Result<(), Fault> {
    if !found(path.symlink_metadata(), path)?.is_some_and(|meta| meta.is_symlink()) {
        return Ok(());
    }
    let why = "it is a link, and backups follow none: move its target here, or mount it here \
               (`mount --bind`)";
    Err(Fault::because("cannot back up", path, io::ErrorKind::InvalidInput, why))
}

/// Adds the files of a home to an archive.
struct HomeArchiver<'a, W: Write> {
    home: &'a Path,
    scope: Scope<'a>,
    tar: Builder<GzEncoder<W>>,
    /// The path of the archive, for faults.
    out: &'a Path,
    /// The files of the manifest that have not been seen in the home.
    gone: BTreeSet<&'a str>,
    /// The number of files of the home, in the backup or not.
    looked_at: u64,
    saved: BackupSummary,
    progress: &'a dyn Progress,
}

impl<W: Write> HomeArchiver<'_, W> {
    /// Adds the entries before the files.
    fn begin(&mut self) -> Result<(), Fault> {
        let Scope::ChangesSince(manifest) = self.scope else {
            return self.add_text(FIRST_ENTRY, &format!("{WHOLE_FORMAT}\n"));
        };
        self.add_text(FIRST_ENTRY, &format!("{CHANGES_FORMAT}\n"))?;
        self.add_text(SINCE_ENTRY, &format!("{}\n", manifest.whole))
    }

    /// Adds the entries after the files.
    fn end(&mut self) -> Result<(), Fault> {
        let files = self.saved.files;
        if !matches!(self.scope, Scope::ChangesSince(_)) {
            return self.add_text(LAST_ENTRY, &format!("{files}\n"));
        }
        let gone: String = self.gone.iter().flat_map(|name| [*name, "\n"]).collect();
        self.add_text(GONE_ENTRY, &gone)?;
        self.add_text(LAST_ENTRY, &format!("{files}\n{}\n", self.looked_at))
    }

    /// Returns whether the backup contains a file, and counts it or lists it in the manifest.
    fn includes(&mut self, name: &str, file: &mut File) -> io::Result<bool> {
        self.looked_at += 1;
        if matches!(self.scope, Scope::Whole) {
            return Ok(true);
        }
        let digest = digest_of(&mut *file)?;
        file.rewind()?;
        match &mut self.scope {
            Scope::ChangesSince(manifest) => {
                self.gone.remove(name);
                let is_always = FILES.contains(&name) || OPTIONAL_FILES.contains(&name);
                Ok(is_always || !manifest.has(name, digest))
            }
            Scope::Listed(list) => {
                let _ = writeln!(list, "{} {name}", digest.hex());
                Ok(true)
            }
            Scope::Whole => Ok(true),
        }
    }

    /// Adds an entry that is no file of the home.
    fn add_text(&mut self, name: &str, text: &str) -> Result<(), Fault> {
        let mut header = Header::new_gnu();
        header.set_mode(0o600);
        header.set_size(text.len() as u64);
        let added = self.tar.append_data(&mut header, name, text.as_bytes());
        added.map_err(Fault::at("cannot write", self.out))
    }

    /// Adds everything below a folder, sorted, so that two backups can be compared.
    fn add_folder(&mut self, folder: &str, depth: usize) -> Result<(), Fault> {
        let mut names = names(&self.home.join(folder))?;
        names.sort();
        for name in names {
            let name = format!("{folder}/{name}");
            let path = self.home.join(&name);
            // A link below a folder is no document.
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_symlink() => self.saved.left_out.push(name),
                Ok(meta) if meta.is_dir() && depth > 1 => self.add_folder(&name, depth - 1)?,
                Ok(meta) if meta.is_file() && is_home_file(&name) => self.add_file(&name)?,
                Ok(_) if name == RUN_MARKER => {}
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Fault::at("cannot read", path)(error));
                }
                // A letter that was sent meanwhile.
                Err(_) if name.starts_with("outbox/") && path.symlink_metadata().is_err() => {}
                Ok(_) | Err(_) => self.saved.left_out.push(name),
            }
        }
        Ok(())
    }

    fn add_file(&mut self, name: &str) -> Result<(), Fault> {
        let path = self.home.join(name);
        let nofollow = OFlags::NOFOLLOW.bits().cast_signed();
        let mut file = match File::options().read(true).custom_flags(nofollow).open(&path) {
            Ok(file) => file,
            Err(error)
                if error.kind() == io::ErrorKind::NotFound && name.starts_with("outbox/") =>
            {
                return Ok(());
            }
            Err(error) => return Err(Fault::at("cannot read", path)(error)),
        };
        self.progress.advances(1);
        if !self.includes(name, &mut file).map_err(Fault::at("cannot read", &path))? {
            return Ok(());
        }
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
        self.saved.bytes += meta.len();
        Ok(())
    }
}

/// A file of which exactly the announced number of bytes is read.
struct ExactReader {
    file: File,
    left: u64,
    /// The error, if reading the file failed and not writing the archive.
    failed: Option<io::Error>,
}

impl Read for ExactReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        match self.file.read(&mut bytes[..most]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(0) if most > 0 => {
                self.failed = Some(io::Error::other("it shrank while it was read"));
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
