//! Creating a home in files, and the files of its top folder: `key`, `dice`, `format`, `lock`.

use super::FileStore;
use super::disk::Disk;
use super::journal;
use crate::store::Fault;
use crate::store::paths::is_there;
use crate::store::transfer::move_note::refuse_moving;
use data_encoding::HEXLOWER;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The mode of a secret file.
const SECRET: u32 = 0o600;
/// The mode of other files.
const OPEN: u32 = 0o640;

/// The version of the file formats of a home, incremented when an older program would harm a home
/// of this one.
pub const FORMAT: u32 = 1;
/// The file with that version; a home without it has version 1.
const FORMAT_FILE: &str = "format";
/// The keys of dice made after the home: a line of hex digits each.
const DICE_FILE: &str = "dice";

/// The folders of a new home.
const FOLDERS: [&str; 15] = [
    "boards",
    "users",
    "seen",
    "outbox/new",
    "outbox/cur",
    "outbox/bad",
    "outbox/line",
    "spool/tmp",
    "spool/new",
    "spool/cur",
    "spool/bad",
    "journal/bad",
    "spare",
    "line",
    "log",
];

impl FileStore {
    /// Creates a home, with 32 random bytes as its key.
    ///
    /// # Errors
    /// There is a home already, or the machine failed.
    pub fn init(home: &Path, key: &[u8; 32]) -> Result<(), Fault> {
        let key_path = home.join("key");
        if is_there(&key_path)? {
            let why = "there is a home already";
            return Err(Fault::because("cannot make", home, io::ErrorKind::AlreadyExists, why));
        }
        let disk = Disk::default();
        Self::create_missing(&disk, home)?;
        // The key makes a folder a home, so it comes last.
        write_atomically(&disk, home, "key", key, SECRET)
    }

    /// Creates the missing folders of a home that is kept in a database: for mails that come while
    /// it is unreachable, drafts and a log.
    pub fn create_local_folders(home: &Path) -> Result<(), Fault> {
        let folders = ["spool/tmp", "spool/new", "spool/cur", "spool/bad", "log"];
        folders.iter().try_for_each(|name| Disk::default().folder(&home.join(name), &mut |_| ()))
    }

    /// Writes the format into a home that has no file of its format yet.
    pub fn write_missing_format(home: &Path) -> Result<(), Fault> {
        write_missing_format(&Disk::default(), home)
    }

    /// Creates everything in a home but its documents and its key, if it is missing.
    pub(in crate::store) fn create_missing(disk: &Disk, home: &Path) -> Result<(), Fault> {
        for folder in FOLDERS {
            disk.folder(&home.join(folder), &mut |_| ())?;
        }
        journal::create(disk, home)?;
        disk.put(&home.join("lock"), b"", &mut |_| ())?;
        write_missing_format(disk, home)
    }
}

/// Writes a file of the home's top folder, completely or not at all.
fn write_atomically(
    disk: &Disk,
    home: &Path,
    name: &str,
    bytes: &[u8],
    mode: u32,
) -> Result<(), Fault> {
    let new = home.join(format!("{name}.tmp"));
    disk.remove(&new)?;
    disk.put_new(&new, bytes)?;
    fs::set_permissions(&new, fs::Permissions::from_mode(mode))
        .map_err(Fault::at("cannot write", &new))?;
    disk.sync_all(home)?;
    disk.rename(&new, &home.join(name))?;
    disk.sync_folder(home)
}

fn write_missing_format(disk: &Disk, home: &Path) -> Result<(), Fault> {
    if is_there(&home.join(FORMAT_FILE))? {
        return Ok(());
    }
    write_atomically(disk, home, FORMAT_FILE, format!("{FORMAT}\n").as_bytes(), OPEN)
}

/// Returns the format of a home.
pub fn format(home: &Path) -> Result<u32, Fault> {
    let path = home.join(FORMAT_FILE);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(1),
        read => read.map_err(Fault::at("cannot read", &path))?,
    };
    text.trim().parse().map_err(|_| {
        let why = "it must contain the number of the format";
        Fault::because("cannot use", path, io::ErrorKind::InvalidData, why)
    })
}

/// Refuses a home that a later program has written, because this one could harm it.
pub(in crate::store) fn refuse_newer(home: &Path) -> Result<(), Fault> {
    let found = format(home)?;
    if found <= FORMAT {
        return Ok(());
    }
    let why = format!(
        "it was written by a later version (format {found}, and this one knows {FORMAT}): install that \
         one, or restore an older backup"
    );
    Err(Fault::because("cannot use", home, io::ErrorKind::InvalidData, &why))
}

/// Reads the key of a home.
pub(in crate::store) fn key(home: &Path) -> Result<[u8; 32], Fault> {
    let path = home.join("key");
    let bytes = fs::read(&path).map_err(Fault::at("cannot read", &path))?;
    let kind = io::ErrorKind::InvalidData;
    bytes.try_into().map_err(|_| Fault::because("cannot use", path, kind, "not 32 bytes"))
}

/// Reads the keys of dice that were made after the home, the oldest first.
pub(in crate::store) fn dice_keys(home: &Path) -> Result<Vec<[u8; 32]>, Fault> {
    let path = home.join(DICE_FILE);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(Fault::at("cannot read", &path))?,
    };
    let key = |line: &str| HEXLOWER.decode(line.as_bytes()).ok()?.try_into().ok();
    text.lines().map(key).collect::<Option<_>>().ok_or_else(|| {
        let why = "each of its lines must be a key of 64 hex digits";
        Fault::because("cannot use", path, io::ErrorKind::InvalidData, why)
    })
}

/// Appends a key of dice; a crash leaves the file as it was or with the whole key.
pub(super) fn add_dice_key(disk: &Disk, home: &Path, key: &[u8; 32]) -> Result<(), Fault> {
    let mut keys = dice_keys(home)?;
    keys.push(*key);
    let lines: String = keys.iter().map(|key| HEXLOWER.encode(key) + "\n").collect();
    write_atomically(disk, home, DICE_FILE, lines.as_bytes(), SECRET)
}

/// Returns the path of a home's lock; refuses a folder that is no home, or whose home is being
/// moved.
pub(in crate::store) fn lock_path(home: &Path) -> Result<PathBuf, Fault> {
    refuse_moving(home)?;
    lock_path_of_moving(home)
}

/// Returns the path of a home's lock, also while the home is being moved.
pub(in crate::store) fn lock_path_of_moving(home: &Path) -> Result<PathBuf, Fault> {
    let key = home.join("key");
    fs::metadata(&key).map_err(Fault::at("there is no home here, cannot read", &key))?;
    refuse_newer(home)?;
    Ok(home.join("lock"))
}
