//! `check-backup`: proves that a home can be restored from a backup.

use crate::base::progress::NoProgress;
use crate::shell::copies::restore::unpack;
use crate::shell::copies::upgrade::make_missing_lists;
use crate::shell::health::check::all_mistakes;
use crate::shell::home::in_files;
use crate::shell::{CommandError, Exit, Machine};
use crate::store::restore::{self, RestoreTarget};
use std::path::Path;

/// Restores a backup beside the home, checks what came out, and removes it again. Of a folder, the
/// newest backup is taken.
pub(crate) fn run(home: &Path, from: &Path, machine: &mut Machine) -> Result<Exit, CommandError> {
    let file = restore::newest_backup(from)?;
    let trial = RestoreTarget::begin(home)?;
    let files = unpack(&trial, &file, true, machine)?;
    // What cannot be read is reported with the mistakes.
    let _ = make_missing_lists(&in_files(trial.folder()), (machine.clock)(), &NoProgress);
    let mistakes = all_mistakes(trial.folder(), (machine.clock)(), machine.screen);
    let file = file.display();
    if mistakes.is_empty() {
        writeln!(
            machine.out,
            "{file} can be restored: {files} files, and nothing is wrong with them"
        )?;
        return Ok(Exit::Done);
    }
    for line in &mistakes {
        (machine.warn)(line);
    }
    (machine.warn)(&format!("{file} can be restored, with the mistakes above: {files} files"));
    Ok(Exit::Refused)
}
