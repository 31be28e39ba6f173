//! `check-backup`: proves that a home can be restored from a backup.

use crate::base::progress::NoProgress;
use crate::shell::copies::restore::{BackupParts, unpack};
use crate::shell::copies::upgrade::make_missing_lists;
use crate::shell::health::check::all_mistakes;
use crate::shell::home::in_files;
use crate::shell::{CommandError, Exit, Machine, settings};
use crate::store::backup::BackupBucket;
use crate::store::restore::{self, RestoreTarget};
use std::path::{Path, PathBuf};

/// Which backup is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BackupSource<'w> {
    /// A file; of a folder the newest.
    File(&'w Path),
    /// The newest in the folder of the nightly backups.
    Folder,
    /// The newest in the bucket.
    Bucket,
}

/// Restores a backup beside the home, checks what came out, and removes it again.
pub(crate) fn run(
    home: &Path,
    from: BackupSource,
    identity: Option<&Path>,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    match from {
        BackupSource::File(from) => {
            let file = restore::newest_backup(from)?;
            check(home, &file, &file.display().to_string(), identity, machine)
        }
        BackupSource::Folder => {
            let nightly = settings::load(home)?.backup.nightly.ok_or_else(|| lacks("folder"))?;
            let file = restore::newest_backup(&PathBuf::from(nightly.folder))?;
            check(home, &file, &file.display().to_string(), identity, machine)
        }
        BackupSource::Bucket => {
            let bucket = settings::load(home)?.backup.nightly.and_then(|nightly| nightly.bucket);
            let bucket = bucket.ok_or_else(|| lacks("bucket"))?;
            let beside = home.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."));
            let (name, file) = BackupBucket::new(&bucket)?.fetch_newest(beside)?;
            check(
                home,
                &file,
                &format!("{}/{name}", bucket.url.trim_end_matches('/')),
                identity,
                machine,
            )
        }
    }
}

fn lacks(key: &str) -> CommandError {
    let why = format!("`[backup]` in postboard.toml has no `{key}`");
    CommandError::Usage(format!("cannot find a backup: {why}; or name a file"))
}

/// Checks a backup, which is called `shown`.
fn check(
    home: &Path,
    file: &Path,
    shown: &str,
    identity: Option<&Path>,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let trial = RestoreTarget::begin(home)?;
    let files = unpack(&trial, file, BackupParts { identity, with_outbox: true }, machine)?;
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
