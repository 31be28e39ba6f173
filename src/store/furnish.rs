//! A new home, and what every home has beside its documents.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

use super::disk::Disk;
use super::moved::gate;
use super::{Fault, Files, journal};
use data_encoding::HEXLOWER;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

impl Files {
    /// Makes a new home, with 32 random bytes as its key.
    ///
    /// # Errors
    /// There is a home already, or the machine failed.
    pub fn init(home: &Path, key: &[u8; 32]) -> Result<(), Fault> {
        let key_path = home.join("key");
        if key_path.exists() {
            let why = "there is a home already";
            return Err(Fault::because("cannot make", home, io::ErrorKind::AlreadyExists, why));
        }
        let disk = Disk::default();
        Self::furnish(&disk, home)?;
        // The key comes last: it is what makes a home of a folder.
        put_whole(&disk, home, "key", key, SECRET)
    }

    /// Makes the missing parts of the folder of a home that is kept elsewhere: room for mails that
    /// wait for that, for texts that an operator edits, and for a log.
    ///
    /// # Errors
    /// The machine failed.
    pub fn furnish_folder(home: &Path) -> Result<(), Fault> {
        let folders = ["spool/tmp", "spool/new", "spool/cur", "spool/bad", "log"];
        folders.iter().try_for_each(|name| Disk::default().folder(&home.join(name), &mut |_| ()))
    }

    /// Says in a home that began without saying so which format it has.
    ///
    /// # Errors
    /// The machine failed.
    pub fn mark_format(home: &Path) -> Result<(), Fault> {
        if home.join(FORMAT_FILE).exists() {
            return Ok(());
        }
        put_format(&Disk::default(), home)
    }

    /// Makes all missing parts of a home beside its documents.
    pub(super) fn furnish(disk: &Disk, home: &Path) -> Result<(), Fault> {
        let folders = [
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
        for folder in folders {
            disk.folder(&home.join(folder), &mut |_| ())?;
        }
        journal::furnish(disk, home)?;
        disk.put(&home.join("lock"), b"", &mut |_| ())?;
        if home.join(FORMAT_FILE).exists() { Ok(()) } else { put_format(disk, home) }
    }
}

/// The rights of a file that is secret.
const SECRET: u32 = 0o600;

/// The rights of other files.
const OPEN: u32 = 0o640;

/// Writes a file of the home's own folder, so that no crash leaves a part of it.
fn put_whole(disk: &Disk, home: &Path, name: &str, bytes: &[u8], mode: u32) -> Result<(), Fault> {
    let new = home.join(format!("{name}.tmp"));
    disk.remove(&new)?;
    disk.put_new(&new, bytes)?;
    fs::set_permissions(&new, fs::Permissions::from_mode(mode))
        .map_err(Fault::at("cannot write", &new))?;
    disk.sync_all(home)?;
    disk.rename(&new, &home.join(name))?;
    disk.sync_folder(home)
}

/// Says in a home which format it has.
fn put_format(disk: &Disk, home: &Path) -> Result<(), Fault> {
    put_whole(disk, home, FORMAT_FILE, format!("{FORMAT}\n").as_bytes(), OPEN)
}

/// How the files of a home lie, counted up whenever an earlier program would harm a home of this one.
pub const FORMAT: u32 = 1;

/// Where a home says which format it has; homes that began without this file have the first.
const FORMAT_FILE: &str = "format";

/// The format of a home.
///
/// # Errors
/// It cannot be read.
pub fn format(home: &Path) -> Result<u32, Fault> {
    let path = home.join(FORMAT_FILE);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(1),
        read => read.map_err(Fault::at("cannot read", &path))?,
    };
    text.trim().parse().map_err(|_| {
        let why = "it must be the number of a format";
        Fault::because("cannot use", path, io::ErrorKind::InvalidData, why)
    })
}

/// Refuses a home that a later program has written: this one would not understand it, and might harm it.
pub(super) fn refuse_newer(home: &Path) -> Result<(), Fault> {
    let found = format(home)?;
    if found <= FORMAT {
        return Ok(());
    }
    let why = format!(
        "it was written by a later Postboard (format {found}, and this one knows {FORMAT}): install that \
         one, or restore a backup that is older than it"
    );
    Err(Fault::because("cannot use", home, io::ErrorKind::InvalidData, &why))
}

/// Where the keys of dice are that were made after the home was: a line of hex digits each.
const DICE_FILE: &str = "dice";

/// The keys of dice that were made after the home was, the oldest first.
pub(super) fn dice_keys(home: &Path) -> Result<Vec<[u8; 32]>, Fault> {
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

/// Writes one key more, so that no crash leaves a part of it.
pub(super) fn add_dice_key(disk: &Disk, home: &Path, key: &[u8; 32]) -> Result<(), Fault> {
    let mut keys = dice_keys(home)?;
    keys.push(*key);
    let lines: String = keys.iter().map(|key| HEXLOWER.encode(key) + "\n").collect();
    put_whole(disk, home, DICE_FILE, lines.as_bytes(), SECRET)
}

/// The lock of a home, if it is one that can be worked at.
pub(super) fn lock_path(home: &Path) -> Result<PathBuf, Fault> {
    gate(home)?;
    lock_of(home)
}

/// The lock of a home, if it is one.
pub(super) fn lock_of(home: &Path) -> Result<PathBuf, Fault> {
    let key = home.join("key");
    fs::metadata(&key).map_err(Fault::at("there is no home here, cannot read", &key))?;
    refuse_newer(home)?;
    Ok(home.join("lock"))
}
