//! What `postboard.toml` and the environment say.

use crate::config::{Config, Layered, SAMPLE};
use crate::store::settings::Around;
use crate::store::{Fault, set_log_style, settings};
use std::io;
use std::path::Path;

/// Reads the configuration of a home; from now on this process writes its log as that says.
///
/// # Errors
/// There is none, or a line of it is not understood.
pub fn load(home: &Path) -> Result<Config, Fault> {
    let config = layered(home)?.config;
    set_log_style(config.log);
    Ok(config)
}

/// The same with where each value comes from.
///
/// # Errors
/// As [`load`].
pub fn layered(home: &Path) -> Result<Layered, Fault> {
    let text = settings::read(home)?;
    Config::layered(&text, &Around::of_this_process()).map_err(|why| {
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
