//! The operator's reports so far, in `outbox/troubles` and `outbox/alerts`. If the files are lost,
//! reports are repeated.

#![expect(clippy::disallowed_methods, reason = "post uses files")]

use super::TroubleLog;
use crate::store::{Fault, operator_files};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The file with the alerts sent by mail.
const ALERTS: &str = "outbox/alerts";
/// The file with the reported troubles.
const TROUBLES: &str = "outbox/troubles";

/// Loads the alerts sent so far.
///
/// # Errors
/// The file cannot be read.
pub fn load_alerts(home: &Path) -> Result<BTreeSet<String>, Fault> {
    let text = operator_files::read_if_any(&home.join(ALERTS))?.unwrap_or_default();
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}

/// Saves the alerts sent so far.
///
/// # Errors
/// The machine failed.
pub fn save_alerts(home: &Path, told: &BTreeSet<String>) -> Result<(), Fault> {
    write(home.join(ALERTS), &serde_json::to_vec(told).expect("text is JSON"))
}

/// Loads the reported troubles. A damaged file counts as empty, so that it stops no letter.
pub fn load_troubles(home: &Path) -> TroubleLog {
    let text = fs::read(home.join(TROUBLES)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Saves the reported troubles if they have changed.
///
/// # Errors
/// The machine failed.
pub fn save_troubles(home: &Path, was: &TroubleLog, troubles: &TroubleLog) -> Result<(), Fault> {
    if was == troubles {
        return Ok(());
    }
    let text = serde_json::to_vec(troubles).expect("text and numbers are JSON");
    write(home.join(TROUBLES), &text)
}

fn write(path: PathBuf, text: &[u8]) -> Result<(), Fault> {
    let new = path.with_extension("tmp");
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &path));
    written.map_err(|error| {
        let _ = fs::remove_file(&new);
        Fault::at("cannot write", path)(error)
    })
}
