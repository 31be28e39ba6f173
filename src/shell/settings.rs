//! Reads `postboard.toml` and the environment.

use crate::config::{self, Config, LayeredConfig, SAMPLE};
use crate::store::postgres::DatabaseConfig;
use crate::store::settings::ProcessEnv;
use crate::store::{Fault, set_log_style, settings};
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Reads the configuration of a home; from now on this process writes its log as that says.
///
/// # Errors
/// There is none, or a line of it is not understood.
pub fn load(home: &Path) -> Result<Config, Fault> {
    let (text, around) = (settings::read(home)?, ProcessEnv::of_this_process()?);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let config = match &*last {
        Some(known) if (&known.text, &known.around) == (&text, &around) => known.config.clone(),
        _ => {
            let config = understood(home, &text, &around)?.config;
            *last = Some(CachedConfig { text, around, config: config.clone() });
            config
        }
    };
    set_log_style(config.log);
    Ok(config)
}

/// [`load`]s the configuration of a home; none where there is no home.
///
/// # Errors
/// It cannot be read, or a line of it is not understood.
pub(super) fn load_if_any(home: &Path) -> Result<Option<Config>, Fault> {
    match load(home) {
        Err(fault) if fault.source.kind() == io::ErrorKind::NotFound => Ok(None),
        loaded => loaded.map(Some),
    }
}

/// The last configuration that was read. A command asks for it wherever it opens the home, and the
/// same text says the same each time.
static LAST: Mutex<Option<CachedConfig>> = Mutex::new(None);

/// A configuration, and what it follows from.
struct CachedConfig {
    text: String,
    around: ProcessEnv,
    config: Config,
}

/// The same with where each value comes from.
///
/// # Errors
/// As [`load`].
pub fn layered(home: &Path) -> Result<LayeredConfig, Fault> {
    understood(home, &settings::read(home)?, &ProcessEnv::of_this_process()?)
}

fn understood(home: &Path, text: &str, around: &ProcessEnv) -> Result<LayeredConfig, Fault> {
    Config::layered(text, around).map_err(|why| {
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
pub fn keep_in(home: &Path, place: Option<&DatabaseConfig>) -> Result<(), Fault> {
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
