//! Writes all of a home into one file.

use super::home::at;
use super::{Machine, Trouble};
use crate::store::{Files, backup, log};
use std::path::Path;

/// Writes all of a home into one file.
pub(super) fn run(home: &Path, file: &Path, machine: &mut Machine) -> Result<(), Trouble> {
    let files = Files::read_in(&at(home))?;
    let is_stream = file == Path::new("-");
    let saved =
        if is_stream { backup::send(&files, machine.out)? } else { backup::save(&files, file)? };
    drop(files);
    let line = format!("{} files in {}", saved.files, file.display());
    if let Err(fault) = log(home, &format!("operator {}: backup: {line}", machine.operator)) {
        (machine.warn)(&fault);
    }
    for name in saved.left_out {
        (machine.warn)(&format!("{name} is no file of a home, and not in the backup"));
    }
    if !is_stream {
        writeln!(machine.out, "{line}")?;
    }
    Ok(())
}
