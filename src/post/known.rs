//! What the operator was told of mails that do not leave: `outbox/troubles`. It may be lost: then
//! it is told once more.

#![expect(clippy::disallowed_methods, reason = "post owns its files")]

use super::Troubles;
use crate::store::Fault;
use std::fs;
use std::path::Path;

/// A file below the home.
const NAME: &str = "outbox/troubles";

/// What was told up to now.
pub fn load(home: &Path) -> Troubles {
    let text = fs::read(home.join(NAME)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Keeps what was told; nothing is written where nothing has changed.
///
/// # Errors
/// The machine failed.
pub fn keep(home: &Path, was: &Troubles, troubles: &Troubles) -> Result<(), Fault> {
    if was == troubles {
        return Ok(());
    }
    let path = home.join(NAME);
    let text = serde_json::to_vec(troubles).expect("text and numbers are JSON");
    let new = path.with_extension("tmp");
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &path));
    written.map_err(|error| {
        let _ = fs::remove_file(&new);
        Fault::at("cannot write", path)(error)
    })
}
