//! `postboard.toml` as a file: the text, whatever it means.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

use super::{Fault, beside};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the configuration of a home is.
pub fn path(home: &Path) -> PathBuf {
    home.join("postboard.toml")
}

/// Reads the configuration of a home.
///
/// # Errors
/// There is none, or the machine failed.
pub fn read(home: &Path) -> Result<String, Fault> {
    let path = path(home);
    fs::read_to_string(&path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => {
            let why = "there is no home; `postboard init` makes one";
            Fault::because("cannot open", home, io::ErrorKind::NotFound, why)
        }
        _ => Fault::at("cannot read", path)(source),
    })
}

/// Writes a configuration into a home that has none yet.
///
/// # Errors
/// The machine failed.
pub fn write(home: &Path, text: &str) -> Result<(), Fault> {
    let path = path(home);
    if path.exists() {
        return Ok(());
    }
    // Never half of it: an `init` that was broken off is finished by another one.
    let new = beside(&path, "tmp");
    fs::write(&new, text)
        .and_then(|()| fs::rename(&new, &path))
        .map_err(Fault::at("cannot write", path))
}

/// Writes another file that the operator names.
///
/// # Errors
/// The machine failed.
pub fn save(path: &Path, text: &str) -> Result<(), Fault> {
    fs::write(path, text).map_err(Fault::at("cannot write", path))
}

/// Reads another file that the operator names.
///
/// # Errors
/// It cannot be read.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Fault> {
    fs::read(path).map_err(Fault::at("cannot read", path))
}
