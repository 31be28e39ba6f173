//! `backup`: writes a home into one file.

use crate::base::progress::Progress;
use crate::shell::home::{in_database, in_files};
use crate::shell::output::progress::{ProgressOutput, ProgressParts};
use crate::shell::{CommandError, Machine, settings};
use crate::store::backup::BackupSummary;
use crate::store::disk::Disk;
use crate::store::restore::RestoreTarget;
use crate::store::transfer::copy_for_backup;
use crate::store::{Fault, FileStore, ReadOnlyStore, backup, log};
use std::path::Path;

/// Writes a home into one file.
pub(crate) fn run(
    home: &Path,
    file: &Path,
    is_plain: bool,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    let is_stream = file == Path::new("-");
    let keys = if is_plain { Vec::new() } else { settings::load(home)?.backup.keys };
    let saved = if is_stream {
        with_home_files(home, machine.screen, |files, bar| {
            backup::send(files, machine.out, &keys, bar)
        })?
    } else {
        let disk = Disk::default();
        with_home_files(home, machine.screen, |files, bar| {
            backup::save(&disk, files, file, &keys, bar)
        })?
    };
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

/// Calls `write` with the files of a home, which are copied from its database if it is kept there.
pub(crate) fn with_home_files(
    home: &Path,
    screen: ProgressOutput,
    write: impl FnOnce(&ReadOnlyStore, &dyn Progress) -> Result<BackupSummary, Fault>,
) -> Result<BackupSummary, CommandError> {
    let copied = copy_from_database(home, screen)?;
    let files = match &copied {
        Some(copied) => FileStore::read_in(&in_files(copied.folder()))?,
        None => FileStore::read_in(&in_files(home))?,
    };
    Ok(write(&files, &screen.count("files saved"))?)
}

/// Copies a home from its database into files. The address of the database is left out: it is no
/// part of the home, and may contain a password.
fn copy_from_database(
    home: &Path,
    screen: ProgressOutput,
) -> Result<Option<RestoreTarget>, CommandError> {
    let config = settings::load(home)?;
    let Some(place) = config.store.clone() else { return Ok(None) };
    let text = settings::with_store_url(home, None)?;
    let database = in_database(home, place, config.identity().address);
    let progress = ProgressParts::new(screen);
    let mut begin = |what, of| progress.begin(what, of);
    Ok(Some(copy_for_backup(home, &database, &text, &mut begin, &mut |count| progress.add(count))?))
}
