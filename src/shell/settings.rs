//! What `postboard.toml` says.

use crate::config::{Config, SAMPLE};
use crate::store::{Fault, settings};
use std::io;
use std::path::Path;

/// Reads the configuration of a home.
///
/// # Errors
/// There is none, or a line of it is not understood.
pub fn load(home: &Path) -> Result<Config, Fault> {
    let text = settings::read(home)?;
    Config::read(&text).map_err(|why| {
        Fault::because("cannot use", settings::path(home), io::ErrorKind::InvalidData, &why)
    })
}

/// Writes the commented sample into a home that has no configuration yet.
///
/// # Errors
/// The machine failed.
pub fn write_sample(home: &Path) -> Result<(), Fault> {
    settings::write(home, SAMPLE)
}

/// Writes a configuration into a home that has none yet.
///
/// # Errors
/// The machine failed.
pub fn write(home: &Path, text: &str) -> Result<(), Fault> {
    settings::write(home, text)
}
