//! What every home has beside its documents: its lock, its format and the keys of its dice.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

use super::Fault;
use super::disk::Disk;
use super::moved::gate;
use data_encoding::HEXLOWER;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The rights of a file that is secret.
pub(super) const SECRET: u32 = 0o600;

/// The rights of other files.
const OPEN: u32 = 0o640;

/// Writes a file of the home's own folder, so that no crash leaves a part of it.
pub(super) fn put_whole(
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

/// Says in a home which format it has.
pub(super) fn put_format(disk: &Disk, home: &Path) -> Result<(), Fault> {
    put_whole(disk, home, FORMAT_FILE, format!("{FORMAT}\n").as_bytes(), OPEN)
}

/// How the files of a home lie, counted up whenever an earlier program would harm a home of this one.
pub const FORMAT: u32 = 1;

/// Where a home says which format it has; homes that began without this file have the first.
pub(super) const FORMAT_FILE: &str = "format";

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
