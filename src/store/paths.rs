//! Questions about paths. A path that cannot be looked at is a fault, never "absent".

#![expect(clippy::disallowed_methods, reason = "the store uses files")]

use super::Fault;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Returns the names in a folder, unordered; none if the folder does not exist.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, Fault> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        // A dangling link may lead to a disk that is not mounted, so it is no absent folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(folder)? => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(Fault::at("cannot read", folder)(error)),
    };
    let name = |entry: io::Result<std::fs::DirEntry>| match entry {
        // The store gives UTF-8 names only.
        Ok(entry) => entry.file_name().into_string().ok().map(Ok),
        Err(error) => Some(Err(Fault::at("cannot read", folder)(error))),
    };
    entries.filter_map(name).collect()
}

/// Returns whether the path exists; a dangling link exists.
pub(super) fn is_there(path: &Path) -> Result<bool, Fault> {
    found(path.symlink_metadata(), path).map(|found| found.is_some())
}

/// Returns whether the path is a folder, or a link to a folder.
pub(super) fn is_folder(path: &Path) -> Result<bool, Fault> {
    found(std::fs::metadata(path), path).map(|found| found.is_some_and(|meta| meta.is_dir()))
}

/// Returns whether the path is a file, or a link to a file.
pub(super) fn is_file(path: &Path) -> Result<bool, Fault> {
    found(std::fs::metadata(path), path).map(|found| found.is_some_and(|meta| meta.is_file()))
}

/// Turns "not found" into `None`, and any other error about `path` into a fault.
pub(super) fn found<T>(answer: io::Result<T>, path: &Path) -> Result<Option<T>, Fault> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        Err(error) => Err(Fault::at("cannot read", path)(error)),
    }
}

/// Turns "not found" into success, and any other error about the removal of `path` into a fault.
pub(super) fn removed(answer: io::Result<()>, path: &Path) -> Result<(), Fault> {
    match answer {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Fault::at("cannot remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Reads a file; `None` if it does not exist.
pub(super) fn read_file(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        // A dangling link is no absent file.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(path)? => Ok(None),
        Err(error) => Err(Fault::at("cannot read", path)(error)),
    }
}

/// Reads a file; empty if it does not exist.
pub(super) fn read_or_empty(path: &Path) -> Result<Vec<u8>, Fault> {
    Ok(read_file(path)?.unwrap_or_default())
}

/// Returns the time since a file was last written; `None` if it is unknown, or lies ahead.
pub(super) fn age(path: &Path) -> Option<Duration> {
    path.metadata().ok()?.modified().ok()?.elapsed().ok()
}

/// Returns `path.ending`.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Returns `folder/name`, or `folder/name.2`, `.3` and so on if the name is taken.
pub(super) fn free_name(folder: &Path, name: &str) -> Result<PathBuf, Fault> {
    free_path(&folder.join(name))
}

/// Returns `path`, or `path.2`, `.3` and so on if the path is taken.
pub(super) fn free_path(first: &Path) -> Result<PathBuf, Fault> {
    let mut path = first.to_owned();
    let mut number = 1_u32;
    while is_there(&path)? {
        number += 1;
        path = beside(first, &number.to_string());
    }
    Ok(path)
}
