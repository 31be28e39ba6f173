//! What `postboard.toml` and the environment say.

use crate::config::{self, Config, Layered, SAMPLE};
use crate::store::postgres::Place;
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

/// The file of a home as it says that the home is kept in that database, or in files.
///
/// # Errors
/// There is none, or it is not understood.
pub fn kept_in(home: &Path, url: Option<&str>) -> Result<String, Fault> {
    config::kept_in(&settings::read(home)?, url).map_err(|why| {
        Fault::because("cannot use", settings::path(home), io::ErrorKind::InvalidData, &why)
    })
}

/// Has the file of a home say that the home is kept in that database, or in files.
///
/// # Errors
/// As [`kept_in`], or the machine failed.
pub fn keep_in(home: &Path, place: Option<&Place>) -> Result<(), Fault> {
    let url = place.map(|place| &*place.url);
    let text = kept_in(home, url)?;
    // One that says so already may be nobody's to change.
    if text != settings::read(home)? {
        settings::rewrite(home, &text)?;
    }
    let kept = load(home)?.store.map(|place| place.url);
    if kept.as_deref() == url {
        return Ok(());
    }
    let why = "it does not say where the home is kept now";
    Err(Fault::because("cannot use", settings::path(home), io::ErrorKind::InvalidData, why))
}
