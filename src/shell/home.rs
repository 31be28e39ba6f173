//! The one place that says how a home is kept: as files in a folder, or in a database. Besides it,
//! only `init`, `backup`, `restore` and `move-home` know.

use super::{CommandError, settings};
use crate::base::password::Hashing;
use crate::config::{Config, Deliver};
use crate::mail::Address;
use crate::model::caches::is_readable;
use crate::model::dice::DiceKeys;
use crate::model::token::TokenKey;
use crate::post::{self, Transport};
use crate::server::{Setup, strands};
use crate::store::postgres::{DatabaseConfig, PostgresHome};
use crate::store::transfer::HomeStorage;
use crate::store::{Backoff, Fault, FileHome, Home, OpenHome, ReadOnlyHome};
use crate::store::{owner, settings as store_settings};
use std::path::Path;

/// The home of a folder, wherever its configuration says that it is kept.
///
/// # Errors
/// There is no configuration, or it is not understood.
pub fn at(home: &Path) -> Result<Box<dyn Home>, Fault> {
    let config = settings::load(home)?;
    let own = config.identity().address;
    Ok(match config.store {
        Some(place) => Box::new(elsewhere(home, place, own)),
        None => Box::new(folder(home)),
    })
}

/// The home of a folder, in that database or in files.
pub(crate) fn kept(home: &Path, place: Option<DatabaseConfig>, own: &Address) -> HomeStorage {
    match place {
        Some(place) => HomeStorage::InDatabase(elsewhere(home, place, own.clone())),
        None => HomeStorage::InFiles(folder(home)),
    }
}

/// The home in the files of a folder.
pub(crate) fn folder(home: &Path) -> FileHome {
    FileHome::new(home).with_validator(is_readable)
}

/// The home of a folder in a database.
pub(crate) fn elsewhere(home: &Path, place: DatabaseConfig, own: Address) -> PostgresHome {
    PostgresHome::new(home, place).with_strands(move |raw| strands(raw, &own))
}

/// Does a piece of work that begins with opening the home, again where others were in the way: then
/// nothing of it was kept.
pub(crate) fn patiently<T>(
    mut work: impl FnMut() -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    let mut tries = Backoff::new();
    loop {
        match work() {
            Err(CommandError::Fault(fault)) if fault.is_conflict() && tries.wait() => {}
            done => return done,
        }
    }
}

/// Opens a home with what belongs to it.
pub(crate) fn open(home: &Path, hashing: Hashing) -> Result<(Box<dyn OpenHome>, Setup), Fault> {
    let config = settings::load(home)?;
    let opened = at(home)?.open()?;
    let setup = set_up(config, &*opened, hashing)?;
    Ok((opened, setup))
}

/// Refuses to run the programs that a home's configuration names where another user could have
/// written that.
pub(crate) fn may_run_programs(home: &Path, config: &Config) -> Result<(), Fault> {
    if matches!(config.deliver, Deliver::Sendmail { .. }) { refuse_foreign(home) } else { Ok(()) }
}

/// Refuses to run a program for a home where another user may write: in the home, or in a folder above
/// it.
pub(super) fn refuse_foreign(home: &Path) -> Result<(), Fault> {
    owner::refuse_foreign(home)?;
    owner::refuse_foreign(&store_settings::path(home))
}

/// The way out of a home, if it has one; it may run a program.
pub(super) fn carrier(home: &Path, config: &Config) -> Result<Option<Box<dyn Transport>>, Fault> {
    may_run_programs(home, config)?;
    post::carrier(&config.deliver)
}

/// Opens a home for reading.
pub(crate) fn read(home: &Path) -> Result<ReadOnlyHome, Fault> {
    at(home)?.read()
}

pub(super) fn set_up(
    config: Config,
    home: &dyn OpenHome,
    hashing: Hashing,
) -> Result<Setup, Fault> {
    let key = home.key()?;
    let dice = DiceKeys::new(&key, home.dice_keys()?);
    Ok(Setup { identity: config.identity(), config, key: TokenKey::new(key), dice, hashing })
}
