//! Files outside the home that an operator names: certificates, pages, figures, secrets.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

use super::Fault;
use super::paths::{beside, read_file, removed};
use rustix::fs::Mode;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// The mode of files for others.
static SHARED_MODE: AtomicU32 = AtomicU32::new(0o644);

/// Lets files for others follow the umask with which the program was started.
pub fn follow_umask(mask: Mode) {
    #[allow(clippy::useless_conversion, reason = "the type of a mode differs between systems")]
    let mask = u32::from(mask.as_raw_mode());
    SHARED_MODE.store(0o666 & !mask, Ordering::Relaxed);
}

/// Writes a file in place; a new one with the mode for others.
fn write_shared(path: &Path, text: &str) -> io::Result<()> {
    let is_new = !path.try_exists()?;
    fs::write(path, text)?;
    if is_new {
        let mode = Permissions::from_mode(SHARED_MODE.load(Ordering::Relaxed));
        fs::set_permissions(path, mode)?;
    }
    Ok(())
}

/// Writes a file in place.
pub fn write(path: &Path, text: &str) -> Result<(), Fault> {
    write_shared(path, text).map_err(Fault::at("cannot write", path))
}

/// Replaces a file atomically, readable for everybody.
pub fn replace(path: &Path, text: &str) -> Result<(), Fault> {
    let new = beside(path, "tmp");
    fs::write(&new, text)
        .and_then(|()| fs::set_permissions(&new, Permissions::from_mode(0o644)))
        .and_then(|()| fs::rename(&new, path))
        .map_err(Fault::at("cannot write", path))
}

/// Replaces a file atomically and durably, readable for its owner alone.
pub fn replace_secret(path: &Path, text: &str) -> Result<(), Fault> {
    let new = beside(path, "tmp");
    let write = || {
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        file.set_permissions(Permissions::from_mode(0o600))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    write().map_err(Fault::at("cannot write", path))
}

/// Replaces a page atomically, with the mode for others; creates its folder.
pub fn publish(path: &Path, text: &str) -> Result<(), Fault> {
    let new = beside(path, "tmp");
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| write_shared(&new, text))
        .and_then(|()| fs::rename(&new, path))
        .map_err(Fault::at("cannot write", path))
}

/// Returns the names of the files in a folder; none if it does not exist.
pub fn names(folder: &Path) -> Result<Vec<String>, Fault> {
    super::paths::names(folder)
}

/// Returns the size of a file in bytes.
pub fn size(path: &Path) -> Result<u64, Fault> {
    Ok(fs::metadata(path).map_err(Fault::at("cannot read", path))?.len())
}

/// Removes a file.
pub fn remove(path: &Path) -> Result<(), Fault> {
    fs::remove_file(path).map_err(Fault::at("cannot remove", path))
}

/// Removes a file, if it exists.
pub fn remove_if_any(path: &Path) -> Result<(), Fault> {
    removed(fs::remove_file(path), path)
}

/// Reads a file, if it exists.
pub fn read_if_any(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    read_file(path)
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    fs::read(path).map_err(Fault::at("cannot read", path))
}
