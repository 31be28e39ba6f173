//! The one place that says how a home is kept: as files in a folder. Besides it, only `init`, `backup`
//! and `restore` know, which are about these files.

use super::settings;
use crate::base::password::Hashing;
use crate::config::Config;
use crate::model::dice::DiceKeys;
use crate::model::shelves::is_readable;
use crate::model::token::TokenKey;
use crate::server::Setup;
use crate::store::{Fault, Folder, Home, Opened, Reading};
use std::path::Path;

/// The home in a folder.
pub fn at(home: &Path) -> Folder {
    Folder::new(home).judged_by(is_readable)
}

/// Opens a home with what belongs to it.
pub(crate) fn open(home: &Path, hashing: Hashing) -> Result<(Box<dyn Opened>, Setup), Fault> {
    let config = settings::load(home)?;
    let opened = at(home).open()?;
    let setup = set_up(config, &*opened, hashing)?;
    Ok((opened, setup))
}

/// Opens a home for reading.
pub(crate) fn read(home: &Path) -> Result<Reading, Fault> {
    at(home).read()
}

pub(super) fn set_up(config: Config, home: &dyn Opened, hashing: Hashing) -> Result<Setup, Fault> {
    let key = home.key()?;
    let dice = DiceKeys::new(&key, home.dice_keys()?);
    Ok(Setup { identity: config.identity(), config, key: TokenKey::new(key), dice, hashing })
}
