//! The reports to the operator about mails that do not leave: `outbox/troubles`. The file may be
//! lost: then they are told once more.

#![expect(clippy::disallowed_methods, reason = "post owns its files")]

use super::TroubleLog;
use crate::store::Fault;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The waits that were told by mail, a word each: a file below the home.
const ALERTS: &str = "outbox/alerts";

/// The waits that were told by mail up to now.
///
/// # Errors
/// They cannot be read.
pub fn alerts(home: &Path) -> Result<BTreeSet<String>, Fault> {
    let text = read(home.join(ALERTS))?;
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}

/// Keeps what was told by mail.
///
/// # Errors
/// The machine failed.
pub fn keep_alerts(home: &Path, told: &BTreeSet<String>) -> Result<(), Fault> {
    write(home.join(ALERTS), &serde_json::to_vec(told).expect("text is JSON"))
}

/// A file below the home.
const NAME: &str = "outbox/troubles";

/// The troubles that were told up to now. A file that cannot be read keeps no letter from leaving.
pub fn load(home: &Path) -> TroubleLog {
    let text = fs::read(home.join(NAME)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// The bytes of a file; none if there is none.
fn read(path: PathBuf) -> Result<Vec<u8>, Fault> {
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(Fault::at("cannot read", path)),
    }
}

/// Keeps what was told; nothing is written where nothing has changed.
///
/// # Errors
/// The machine failed.
pub fn keep(home: &Path, was: &TroubleLog, troubles: &TroubleLog) -> Result<(), Fault> {
    if was == troubles {
        return Ok(());
    }
    let text = serde_json::to_vec(troubles).expect("text and numbers are JSON");
    write(home.join(NAME), &text)
}

fn write(path: PathBuf, text: &[u8]) -> Result<(), Fault> {
    let new = path.with_extension("tmp");
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &path));
    written.map_err(|error| {
        let _ = fs::remove_file(&new);
        Fault::at("cannot write", path)(error)
    })
}
