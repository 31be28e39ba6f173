//! `postboard.toml` as a file.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

use super::Fault;
use crate::config::{Config, SAMPLE};
use std::fs;
use std::io;
use std::path::Path;

const NAME: &str = "postboard.toml";

/// Reads the configuration of a home.
///
/// # Errors
/// There is none, or a line of it is not understood.
pub fn load(home: &Path) -> Result<Config, Fault> {
    let path = home.join(NAME);
    let text = fs::read_to_string(&path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => {
            let why = "there is no home; `postboard init` makes one";
            Fault::because("cannot open", home, io::ErrorKind::NotFound, why)
        }
        _ => Fault::at("cannot read", &path)(source),
    })?;
    Config::read(&text)
        .map_err(|why| Fault::because("cannot use", &path, io::ErrorKind::InvalidData, &why))
}

/// Writes the commented sample into a home that has no configuration yet.
///
/// # Errors
/// The machine failed.
pub fn write_sample(home: &Path) -> Result<(), Fault> {
    write(home, SAMPLE)
}

/// Writes a configuration into a home that has none yet.
///
/// # Errors
/// The machine failed.
pub fn write(home: &Path, text: &str) -> Result<(), Fault> {
    let path = home.join(NAME);
    if path.exists() {
        return Ok(());
    }
    // Never half of it: an `init` that was broken off is finished by another one.
    let new = super::beside(&path, "tmp");
    fs::write(&new, text)
        .and_then(|()| fs::rename(&new, &path))
        .map_err(Fault::at("cannot write", path))
}
