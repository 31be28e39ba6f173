//! A home, opened with what belongs to it. Nothing else here, nor below in `server/`, knows that a home
//! is a folder of files.

use super::settings;
use crate::base::password::Hashing;
use crate::config::Config;
use crate::model::readable::is_readable;
use crate::model::token::TokenKey;
use crate::server::Setup;
use crate::store::{Fault, Files, Folder, Reading};
use std::path::Path;

/// The home in a folder.
pub fn at(home: &Path) -> Folder {
    Folder::new(home).judged_by(is_readable)
}

/// Opens a home with what belongs to it.
pub(crate) fn open(home: &Path, hashing: Hashing) -> Result<(Files, Setup), Fault> {
    let config = settings::load(home)?;
    let files = write(home)?;
    let setup = set_up(config, &files, hashing)?;
    Ok((files, setup))
}

/// Opens a home for writing, without what belongs to it.
pub(crate) fn write(home: &Path) -> Result<Files, Fault> {
    Files::open_in(&at(home))
}

/// Opens a home for reading.
pub(crate) fn read(home: &Path) -> Result<Reading, Fault> {
    Files::read_in(&at(home))
}

pub(super) fn set_up(config: Config, files: &Files, hashing: Hashing) -> Result<Setup, Fault> {
    Ok(Setup { identity: config.identity(), config, key: TokenKey::new(files.key()?), hashing })
}
