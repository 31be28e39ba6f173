//! A home, opened with what belongs to it.

use crate::base::password::Hashing;
use crate::config::Config;
use crate::model::token::TokenKey;
use crate::server::Setup;
use crate::store::{Fault, Files, settings};
use std::path::Path;

/// Opens a home with what belongs to it.
pub(crate) fn open(home: &Path, hashing: Hashing) -> Result<(Files, Setup), Fault> {
    let config = settings::load(home)?;
    let files = Files::open(home)?;
    let setup = set_up(config, &files, hashing)?;
    Ok((files, setup))
}

pub(super) fn set_up(config: Config, files: &Files, hashing: Hashing) -> Result<Setup, Fault> {
    Ok(Setup { identity: config.identity(), config, key: TokenKey::new(files.key()?), hashing })
}
