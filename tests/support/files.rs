//! Temporary folders and copies of folders.

#![expect(clippy::disallowed_methods, reason = "copies and empties homes for tests")]

use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Creates a temporary folder, in memory if the machine allows, because fsync costs nothing there.
pub(crate) fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() { memory } else { Path::new(env!("CARGO_TARGET_TMPDIR")) };
    tempfile::tempdir_in(base).unwrap()
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
