//! Opens homes, in files or in a database. Other code does not know the difference, except `init`,
//! `backup`, `restore` and `move-home`.

use crate::base::password::Hashing;
use crate::config::{Config, Deliver, ImapConfig, ImapSecret};
use crate::mail::Address;
use crate::model::caches::is_readable;
use crate::model::dice::DiceKeys;
use crate::model::token::TokenKey;
use crate::post::{self, Transport};
use crate::server::{Setup, strands};
use crate::shell::{CommandError, settings};
use crate::store::postgres::{DatabaseConfig, PostgresHome};
use crate::store::transfer::HomeStorage;
use crate::store::{Backoff, Fault, FileHome, Home, OpenHome, ReadOnlyHome};
use crate::store::{owner, settings as store_settings};
use std::path::Path;

/// How many documents a command reads before it closes the home for a moment: whatever reads its output may be
/// slow.
pub(crate) const MAX_READ_AT_ONCE: usize = 1_000;

/// Returns the home of a folder, in files or in a database as configured.
///
/// # Errors
/// There is no configuration, or it is invalid.
pub fn locate(home: &Path) -> Result<Box<dyn Home>, Fault> {
    let config = settings::load(home)?;
    let own = config.identity().address;
    Ok(match config.store {
        Some(place) => Box::new(in_database(home, place, own)),
        None => Box::new(in_files(home)),
    })
}

/// Returns the storage of a home in that database, or in files.
pub(crate) fn storage(home: &Path, place: Option<DatabaseConfig>, own: &Address) -> HomeStorage {
    match place {
        Some(place) => HomeStorage::InDatabase(in_database(home, place, own.clone())),
        None => HomeStorage::InFiles(in_files(home)),
    }
}

/// Returns a home in the files of a folder.
pub(crate) fn in_files(home: &Path) -> FileHome {
    FileHome::new(home).with_validator(is_readable)
}

pub(crate) fn in_database(home: &Path, place: DatabaseConfig, own: Address) -> PostgresHome {
    PostgresHome::new(home, place).with_strands(move |raw| strands(raw, &own))
}

/// Does work that begins with opening the home, again after each conflict with other processes. A
/// conflict leaves no effects.
pub(crate) fn with_retries<T>(
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

/// Opens a home, and loads its setup.
pub(crate) fn open(home: &Path, hashing: Hashing) -> Result<(Box<dyn OpenHome>, Setup), Fault> {
    let config = settings::load(home)?;
    let opened = locate(home)?.open()?;
    let setup = set_up(config, &*opened, hashing)?;
    Ok((opened, setup))
}

/// Refuses to run the program that sends mails if another user could have written it into the configuration.
pub(crate) fn refuse_foreign_transport(home: &Path, config: &Config) -> Result<(), Fault> {
    if matches!(config.deliver, Deliver::Sendmail { .. }) { refuse_foreign(home) } else { Ok(()) }
}

/// Refuses to run the program that prints the token of a mailbox if another user could have written it into the
/// configuration.
pub(crate) fn refuse_foreign_token_command(home: &Path, mailbox: &ImapConfig) -> Result<(), Fault> {
    match mailbox.secret {
        ImapSecret::TokenCommand(_) => refuse_foreign(home),
        ImapSecret::PasswordFile(_) | ImapSecret::TokenFile(_) => Ok(()),
    }
}

/// Refuses to run a program for a home if another user may write into the home or a folder above
/// it.
pub(crate) fn refuse_foreign(home: &Path) -> Result<(), Fault> {
    owner::refuse_untrusted(home)?;
    owner::refuse_untrusted(&store_settings::path(home))
}

/// Opens the transport of a home, if it has one. It may run a program.
pub(crate) fn open_transport(
    home: &Path,
    config: &Config,
) -> Result<Option<Box<dyn Transport>>, Fault> {
    refuse_foreign_transport(home, config)?;
    post::open_transport(&config.deliver)
}

/// Opens a home for reading.
pub(crate) fn read(home: &Path) -> Result<ReadOnlyHome, Fault> {
    locate(home)?.read()
}

pub(crate) fn set_up(
    config: Config,
    home: &dyn OpenHome,
    hashing: Hashing,
) -> Result<Setup, Fault> {
    let key = home.key()?;
    let dice = DiceKeys::new(&key, home.dice_keys()?);
    Ok(Setup { identity: config.identity(), config, key: TokenKey::new(key), dice, hashing })
}
