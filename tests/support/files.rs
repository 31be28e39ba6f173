//! Temporary folders, and what is in folders.

#![expect(clippy::disallowed_methods, reason = "copies and empties homes for tests")]

use crate::support::program::names;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Returns a folder in memory, where fsync costs nothing, or one on the disk if the machine has none.
pub(crate) fn memory() -> &'static Path {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory } else { Path::new(env!("CARGO_TARGET_TMPDIR")) }
}

/// Creates a temporary folder in memory, if the machine allows.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in(memory()).unwrap()
}

/// Returns the files below a folder by their paths in it, sorted; none if the folder does not exist.
pub(crate) fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        for name in names(&folder.join(&below)) {
            let path = below.join(name);
            if folder.join(&path).is_dir() {
                folders.push(path);
            } else {
                found.push(path.into_os_string().into_string().unwrap());
            }
        }
    }
    found.sort();
    found
}

/// Copies the contents of a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Removes the waiting letters of a home.
pub(crate) fn empty_outbox(home: &Path) {
    for letter in fs::read_dir(home.join("outbox/new")).unwrap() {
        fs::remove_file(letter.unwrap().path()).unwrap();
    }
}
