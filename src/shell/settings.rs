//! Reads and writes `postboard.toml`, and applies the environment.

pub use crate::store::settings::write;

use crate::config::{self, Config, LayeredConfig, SAMPLE};
use crate::store::settings::ProcessEnv;
use crate::store::{Fault, set_log_style, settings};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Loads the configuration of a home, or the one that this process holds.
///
/// # Errors
/// There is no configuration, or it is invalid.
pub fn load(home: &Path) -> Result<Config, Fault> {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, config)) = held.as_ref().filter(|(of, _)| of == home) {
        return Ok(config.clone());
    }
    drop(held);
    load_anew(home)
}

/// The configuration that this process holds, with its home.
static HELD: Mutex<Option<(PathBuf, Config)>> = Mutex::new(None);

/// Holds a configuration: this process uses it for the home from now on, whatever the file says.
pub(crate) fn hold(home: &Path, config: &Config) {
    set_log_style(config.log);
    let held = Some((home.to_owned(), config.clone()));
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) = held;
}

/// Lets this process load configurations from their files again.
pub(crate) fn release() {
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Loads the configuration of a home from its file. This process writes its log in the configured style
/// from now on.
///
/// # Errors
/// As [`load`].
pub(crate) fn load_anew(home: &Path) -> Result<Config, Fault> {
    let (text, env) = (settings::read(home)?, ProcessEnv::of_this_process()?);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let config = match &*last {
        Some(known) if (&known.text, &known.env) == (&text, &env) => known.config.clone(),
        _ => {
            let config = parse(home, &text, &env)?.config;
            *last = Some(CachedConfig { text, env, config: config.clone() });
            config
        }
    };
    set_log_style(config.log);
    Ok(config)
}

/// Loads the configuration of a home. None if there is no home.
///
/// # Errors
/// It cannot be read, or it is invalid.
pub(crate) fn load_if_any(home: &Path) -> Result<Option<Config>, Fault> {
    match load(home) {
        Err(fault) if fault.source.kind() == io::ErrorKind::NotFound => Ok(None),
        loaded => loaded.map(Some),
    }
}

/// The last parsed configuration. A command loads it wherever it opens the home.
static LAST: Mutex<Option<CachedConfig>> = Mutex::new(None);

/// A configuration and its sources.
struct CachedConfig {
    text: String,
    env: ProcessEnv,
    config: Config,
}

/// Loads the configuration with the origin of each value.
///
/// # Errors
/// As [`load`].
pub fn layered(home: &Path) -> Result<LayeredConfig, Fault> {
    parse(home, &settings::read(home)?, &ProcessEnv::of_this_process()?)
}

/// Parses a text that may become the configuration of a home, and applies the environment.
///
/// # Errors
/// It is invalid.
pub(crate) fn parse_draft(home: &Path, text: &str) -> Result<Config, Fault> {
    parse(home, text, &ProcessEnv::of_this_process()?).map(|layered| layered.config)
}

fn parse(home: &Path, text: &str, env: &ProcessEnv) -> Result<LayeredConfig, Fault> {
    Config::layered(text, env).map_err(|why| {
        Fault::because("cannot use", settings::path(home), io::ErrorKind::InvalidData, &why)
    })
}

/// Writes the commented sample into a home without a configuration.
///
/// # Errors
/// The machine failed.
pub fn write_sample(home: &Path) -> Result<(), Fault> {
    write(home, SAMPLE)
}

/// Returns the text of the configuration with another place of the home: the database at `url`, or
/// files.
///
/// # Errors
/// There is no configuration, or it is invalid.
pub fn with_store_url(home: &Path, url: Option<&str>) -> Result<String, Fault> {
    config::with_store_url(&settings::read(home)?, url).map_err(|why| {
        Fault::because("cannot use", settings::path(home), io::ErrorKind::InvalidData, &why)
    })
}

/// Changes the configuration to another place of the home.
///
/// # Errors
/// As [`with_store_url`], or the machine failed.
pub fn write_store_url(home: &Path, url: Option<&str>) -> Result<(), Fault> {
    let text = with_store_url(home, url)?;
    // If the text stays the same, the file need not be writable.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_read_anew() {
        let home = tempfile::tempdir().unwrap();
        for local in ["games", "games", "play"] {
            let text = format!("address = \"{local}@example.org\"\n");
            write(home.path(), "").unwrap();
            settings::rewrite(home.path(), &text).unwrap();
            let address = load(home.path()).unwrap().identity().address;
            assert_eq!(address.to_string(), format!("{local}@example.org"));
        }
        settings::rewrite(home.path(), "adress = \"games@example.org\"\n").unwrap();
        assert!(load(home.path()).is_err());
    }
}
