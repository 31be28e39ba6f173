//! Writes all of a home into one file.

use super::home::folder;
use super::{Machine, Trouble, settings};
use crate::store::{Files, backup, log};
use std::path::Path;

/// Writes all of a home into one file.
pub(super) fn run(home: &Path, file: &Path, machine: &mut Machine) -> Result<(), Trouble> {
    if settings::load(home)?.store.is_some() {
        let why = "is kept in a database: back that up with its own tools (pg_dump)";
        return Err(Trouble::Usage(format!("{} {why}", home.display())));
    }
    let files = Files::read_in(&folder(home))?;
    let is_stream = file == Path::new("-");
    let bar = machine.screen.count("files saved");
    let saved = if is_stream {
        backup::send(&files, machine.out, &bar)?
    } else {
        backup::save(&files, file, &bar)?
    };
    drop(files);
    drop(bar);
    let line = format!("{} files in {}", saved.files, file.display());
    if let Err(fault) = log(home, &format!("operator {}: backup: {line}", machine.operator)) {
        (machine.warn)(&fault);
    }
    for name in saved.left_out {
        (machine.warn)(&format!("{name} is not a file of a home, so it is not in the backup"));
    }
    if !is_stream {
        writeln!(machine.out, "{line}")?;
    }
    Ok(())
}
