//! `check-backup`: proves that a home can be restored from a backup.

use crate::base::progress::NoProgress;
use crate::shell::copies::found_backup::{BackupSource, FoundBackup};
use crate::shell::copies::restore::{BackupParts, unpack};
use crate::shell::copies::upgrade::make_missing_lists;
use crate::shell::health::check::all_mistakes;
use crate::shell::home::in_files;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::restore::RestoreTarget;
use std::path::Path;

/// Restores a backup beside the home, checks what came out, and removes it again.
pub(crate) fn run(
    home: &Path,
    from: BackupSource,
    identity: Option<&Path>,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let mut backup = FoundBackup::find(home, from, machine)?;
    let trial = RestoreTarget::begin(home)?;
    let files = unpack(&trial, &mut backup, BackupParts { identity, with_outbox: true }, machine)?;
    let shown = &backup.shown;
    // What cannot be read is reported with the mistakes.
    let _ = make_missing_lists(&in_files(trial.folder()), (machine.clock)(), &NoProgress);
    let mistakes = all_mistakes(trial.folder(), (machine.clock)(), machine.screen);
    if mistakes.is_empty() {
        writeln!(
            machine.out,
            "{shown} can be restored: {files} files, and nothing is wrong with them"
        )?;
        return Ok(Exit::Done);
    }
    for line in &mistakes {
        (machine.warn)(line);
    }
    (machine.warn)(&format!("{shown} can be restored, with the mistakes above: {files} files"));
    Ok(Exit::Refused)
}
