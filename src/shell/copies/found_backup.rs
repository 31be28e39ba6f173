//! The backup that a command reads.

use crate::shell::{CommandError, Machine, settings};
use crate::store::backup::{BackupBucket, WholeBackup};
use crate::store::{Fault, operator_files, restore};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// Where a backup is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BackupSource<'w> {
    /// A file; of a folder the newest.
    File(&'w Path),
    /// The newest in the folder of the nightly backups.
    Folder,
    /// The newest in the bucket.
    Bucket,
}

/// A backup that was found, with the files that were fetched for it.
pub(crate) struct FoundBackup {
    path: PathBuf,
    /// Its name in messages.
    pub(crate) shown: String,
    /// The bucket that it was fetched from, and the folder for fetched files.
    bucket: Option<(BackupBucket, PathBuf)>,
    /// The copies that were fetched; dropping them removes their files.
    fetched: Vec<TempPath>,
}

impl FoundBackup {
    /// Finds a backup. One in the bucket is fetched into the folder of the home. Warns of backups of days after today,
    /// which are never taken as the newest.
    pub(crate) fn find(
        home: &Path,
        from: BackupSource,
        machine: &Machine,
    ) -> Result<Self, CommandError> {
        let today = (machine.clock)().day();
        let nightly = || Ok::<_, CommandError>(settings::load(home)?.backup.nightly);
        let newest_of = |folder: &Path| {
            let (newest, ahead) = restore::newest_backup(folder, today)?;
            warn_of_passed_over(&ahead, &folder.display().to_string(), machine);
            Ok(Self::at(newest))
        };
        match from {
            BackupSource::File(file) if file == Path::new("-") => Ok(Self::at(file.to_owned())),
            BackupSource::File(file) => newest_of(file),
            BackupSource::Folder => {
                let folder = nightly()?.ok_or_else(|| lacks("folder"))?.folder;
                newest_of(Path::new(&folder))
            }
            BackupSource::Bucket => {
                let bucket = nightly()?.and_then(|nightly| nightly.bucket);
                let bucket = bucket.ok_or_else(|| lacks("bucket"))?;
                let beside = folder_of(home);
                let shown = bucket.url.trim_end_matches('/');
                let bucket = BackupBucket::new(&bucket)?;
                let (name, ahead) = bucket.newest(today)?;
                warn_of_passed_over(&ahead, shown, machine);
                let fetched = bucket.fetch(&name, beside)?;
                Ok(Self {
                    path: fetched.to_path_buf(),
                    shown: format!("{shown}/{name}"),
                    bucket: Some((bucket, beside.to_owned())),
                    fetched: vec![fetched],
                })
            }
        }
    }

    fn at(path: PathBuf) -> Self {
        Self { shown: path.display().to_string(), path, bucket: None, fetched: Vec::new() }
    }

    /// Finds the whole backup that this one needs, where this one was found.
    pub(crate) fn find_whole(&mut self, whole: &WholeBackup) -> Result<PathBuf, Fault> {
        let name = whole.name.to_string();
        let path = if let Some((bucket, beside)) = &self.bucket {
            if !bucket.list()?.iter().any(|stored| stored.name == name) {
                return Err(whole.missing_fault(Path::new(&self.shown), "the bucket"));
            }
            let fetched = bucket.fetch(&name, beside)?;
            let path = fetched.to_path_buf();
            self.fetched.push(fetched);
            path
        } else {
            let folder = folder_of(&self.path);
            if !operator_files::names(folder)?.contains(&name) {
                return Err(whole.missing_fault(&self.path, &folder.display().to_string()));
            }
            folder.join(&name)
        };
        self.shown = format!("{} with {name}", self.shown);
        Ok(path)
    }

    /// Returns its file, `-` for standard input.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns the folder that contains a file or a folder.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Warns of backups that are passed over.
fn warn_of_passed_over(ahead: &[String], place: &str, machine: &Machine) {
    for name in ahead {
        let message =
            "lies ahead and is passed over: set the clock if it is wrong, or else remove that file";
        (machine.warn)(&format!("{place}/{name} {message}"));
    }
}

fn lacks(key: &str) -> CommandError {
    let why = format!("`[backup]` in postboard.toml has no `{key}`");
    CommandError::Usage(format!("cannot find a backup: {why}; or name a file"))
}
