//! Backups of a home in a database: through files, in the format of all backups.

use super::files_source::FilesSource;
use super::files_target::FilesTarget;
use super::move_home::CopyProgress;
use super::move_note::{TRANSIENT, content};
use super::{CopySource as _, compare, copy};
use crate::store::backup::restore::RestoreTarget;
use crate::store::files::disk::Disk;
use crate::store::paths::{is_folder, names};
use crate::store::postgres::PostgresHome;
use crate::store::{Fault, settings};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Copies a home in a database into files beside its folder, for a backup; they are removed when
/// the result is dropped. Includes the files of the folder, and `config` as the configuration.
///
/// # Errors
/// The machine failed, or another backup is under way.
pub fn copy_for_backup(
    home: &Path,
    from: &PostgresHome,
    config: &str,
    on_stage: &mut dyn FnMut(&'static str, u64),
    progress: CopyProgress,
) -> Result<RestoreTarget, Fault> {
    let copy_folder = RestoreTarget::begin(&home.join("saving"))?;
    let folder = copy_folder.folder();
    let disk = Disk::default();
    let source = from.checked_snapshot()?;
    on_stage("copying", source.count()?);
    let mut target = FilesTarget::create(folder, &disk)?;
    copy(&source, &mut target, progress)?;
    FilesTarget::finish(folder, &disk)?;
    for within in ["drafts", "spool/new", "journal/bad"] {
        for name in names(&home.join(within))? {
            let (from, to) = (home.join(within).join(&name), folder.join(within).join(&name));
            disk.folder(&folder.join(within), &mut |_| ())?;
            match fs::copy(&from, to) {
                // A mail may have been taken into the database meanwhile.
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Fault::at("cannot copy", from)(error));
                }
                _ => {}
            }
        }
    }
    settings::write(folder, config)?;
    Ok(copy_folder)
}

/// Moves an unpacked backup into a database that has no home, or exactly this one. The folder keeps the files that
/// belong into the folder of a home in a database.
///
/// # Errors
/// The machine failed, the database has another home, or the copy differs.
pub fn restore_into_database(
    unpacked: &RestoreTarget,
    to: &PostgresHome,
    on_stage: &mut dyn FnMut(&'static str, u64),
    progress: CopyProgress,
) -> Result<(), Fault> {
    // The same for every backup, so that the rest of an interrupted restore is recognized.
    const TOKEN: &str = "restore";
    let (folder, disk) = (unpacked.folder(), Disk::default());
    let source = FilesSource::new(folder);
    on_stage("copying", source.count()?);
    let place = PathBuf::from(to.shown_location()?);
    let is_same = || {
        let there = to.checked_snapshot();
        there.and_then(|there| compare(&source, &there, &place, &mut |_| ())).is_ok()
    };
    let mut target = match to.begin_import(TOKEN, "a backup", true) {
        Ok(target) => Some(target),
        // A restore that was killed after its import is run again.
        Err(fault) if !fault.is_unreachable() && is_same() => None,
        Err(fault) => return Err(fault),
    };
    if let Some(target) = &mut target {
        copy(&source, target, progress)?;
        on_stage("comparing", source.count()?);
        compare(&source, &to.snapshot()?, &place, progress)?;
    }
    for name in TRANSIENT.into_iter().chain(content()) {
        let path = folder.join(name);
        if is_folder(&path)? {
            fs::remove_dir_all(&path).map_err(Fault::at("cannot remove", path))?;
        } else {
            disk.remove(&path)?;
        }
    }
    for within in ["spool/cur", "spool/bad"].map(|name| folder.join(name)) {
        names(&within)?.iter().try_for_each(|name| disk.remove(&within.join(name)))?;
    }
    disk.sync_all(folder)?;
    target.map_or(Ok(()), |target| target.finish())
}
