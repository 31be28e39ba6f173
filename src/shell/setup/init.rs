//! `init`: makes a home.

use crate::base::chance::RandomSource;
use crate::config::{Config, SAMPLE, with_store_url};
use crate::shell::home::{in_database, locate};
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::{Fault, FileStore};
use std::io;
use std::path::Path;

/// Makes a home in a folder, or in a database. If the database has one already, it is brought up to
/// this version, and the folder becomes another one of that home.
pub(crate) fn run(
    home: &Path,
    store: Option<&str>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let kept = settings::load_if_any(home)?.filter(|config| config.store.is_some());
    if store.is_some() || kept.is_some() {
        return open_database(home, store, kept, machine);
    }
    make(home, SAMPLE, machine)
}

/// Makes a home in a folder, with a configuration.
pub(crate) fn make(home: &Path, text: &str, machine: &mut Machine) -> Result<(), CommandError> {
    let mut key = [0; 32];
    machine.chance.fill(&mut key);
    let made = FileStore::init(home, &key);
    // An earlier run may have been interrupted before it wrote the configuration.
    let lacks = |fault: Fault| fault.source.kind() == io::ErrorKind::NotFound;
    match made {
        Err(fault)
            if fault.source.kind() == io::ErrorKind::AlreadyExists
                && settings::load(home).is_err_and(lacks) => {}
        made => made?,
    }
    settings::write(home, text)?;
    writeln!(machine.out, "{} is ready; see postboard.toml in it", home.display())?;
    Ok(())
}

pub(crate) fn open_database(
    home: &Path,
    url: Option<&str>,
    kept: Option<Config>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let config = match (kept, url) {
        (Some(config), _) => config,
        (None, Some(url)) => {
            let text = with_store_url(SAMPLE, Some(url)).map_err(CommandError::Usage)?;
            Config::read(&text).map_err(CommandError::Usage)?;
            FileStore::create_local_folders(home)?;
            settings::write(home, &text)?;
            settings::load(home)?
        }
        (None, None) => return Ok(()),
    };
    let own = config.identity().address;
    let Some(place) = config.store.clone() else {
        let why = "a home in a database begins in a folder of its own";
        return Err(CommandError::Usage(format!("{} is a home in files; {why}", home.display())));
    };
    if url.is_some_and(|url| url != place.url) {
        let why = "its postboard.toml names another store";
        return Err(CommandError::Usage(format!("{}: {why}", home.display())));
    }
    let mut key = [0; 32];
    machine.chance.fill(&mut key);
    let is_new = in_database(home, place, own).init(&key)?;
    // Checks that it can be opened.
    locate(home)?.read()?;
    let is = if is_new { "is ready" } else { "is up to date" };
    writeln!(machine.out, "{} {is}; see postboard.toml in it", home.display())?;
    Ok(())
}
