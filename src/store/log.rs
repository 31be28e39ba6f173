//! The log: what happened, a line each, and no secrets.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::Fault;
use crate::base::time::Time;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::SystemTime;

/// Writes a line into the log: what happened, and no secrets.
///
/// # Errors
/// The machine failed.
pub fn log(home: &Path, line: &str) -> Result<(), Fault> {
    log_all(home, &[line])
}

/// Writes lines into the log, all with the time of now.
///
/// # Errors
/// The machine failed.
pub fn log_all(home: &Path, lines: &[impl AsRef<str>]) -> Result<(), Fault> {
    if lines.is_empty() {
        return Ok(());
    }
    let path = home.join("log/postboard.log");
    let now = Time::from(SystemTime::now()).stamp();
    let mut text = String::new();
    for line in lines {
        text.push_str(&now);
        text.push(' ');
        text.extend(line.as_ref().chars().map(|c| if c.is_control() { ' ' } else { c }));
        text.push('\n');
    }
    let open = || OpenOptions::new().append(true).create(true).mode(0o640).open(&path);
    open()
        .or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                fs::DirBuilder::new().mode(0o750).create(home.join("log"))?;
                open()
            }
            _ => Err(error),
        })
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(Fault::at("cannot write", &path))
}
