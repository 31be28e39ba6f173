//! `init`: makes a home.

use crate::base::chance::RandomSource;
use crate::config::{Config, SAMPLE, with_store_password_file, with_store_url};
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
    password_file: Option<&Path>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    match (settings::load_if_any(home)?, store) {
        (Some(Config { store: Some(place), .. }), Some(url)) if place.url != url => {
            let why = "its postboard.toml names another store";
            Err(CommandError::Usage(format!("{}: {why}", home.display())))
        }
        (Some(config @ Config { store: Some(_), .. }), _) => open_database(home, config, machine),
        (Some(_), Some(_)) => {
            let why = "is a home in files; `postboard move-home --to URL` moves it into a database";
            Err(CommandError::Usage(format!("{} {why}", home.display())))
        }
        (None, Some(url)) => make_in_database(home, url, password_file, machine),
        (_, None) => make(home, SAMPLE, machine),
    }
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

/// Makes the folder of a home in a database. The configuration is written last, so that a wrong URL leaves
/// none behind.
fn make_in_database(
    home: &Path,
    url: &str,
    password_file: Option<&Path>,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let mut text = with_store_url(SAMPLE, Some(url)).map_err(CommandError::Usage)?;
    if let Some(file) = password_file {
        let file = std::path::absolute(file)?;
        text = with_store_password_file(&text, &file).map_err(CommandError::Usage)?;
    }
    let config = settings::parse_draft(home, &text)?;
    FileStore::create_local_folders(home)?;
    let is_new = create_tables(home, config, machine)?;
    settings::write(home, &text)?;
    tell(home, is_new, machine)
}

/// Brings a home in a database up to this version.
pub(crate) fn open_database(
    home: &Path,
    config: Config,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let is_new = create_tables(home, config, machine)?;
    tell(home, is_new, machine)
}

/// Creates the tables and the key of a home, unless they are there. Returns whether the home is new.
fn create_tables(home: &Path, config: Config, machine: &mut Machine) -> Result<bool, Fault> {
    let own = config.identity().address;
    let mut key = [0; 32];
    machine.chance.fill(&mut key);
    config.store.map_or(Ok(false), |place| in_database(home, place, own).init(&key))
}

fn tell(home: &Path, is_new: bool, machine: &mut Machine) -> Result<(), CommandError> {
    // Checks that it can be opened.
    locate(home)?.read()?;
    let is = if is_new { "is ready" } else { "is up to date" };
    writeln!(machine.out, "{} {is}; see postboard.toml in it", home.display())?;
    Ok(())
}
