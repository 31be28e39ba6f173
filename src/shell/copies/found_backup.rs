//! The backup that a command reads.

use crate::shell::{CommandError, settings};
use crate::store::backup::BackupBucket;
use crate::store::restore;
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

/// A backup that was found.
pub(crate) struct FoundBackup {
    path: PathBuf,
    /// How messages call it.
    pub(crate) shown: String,
    /// The copy that was fetched, which goes with this value.
    _fetched: Option<TempPath>,
}

impl FoundBackup {
    /// Finds a backup; one in the bucket is fetched and lies beside the home meanwhile.
    pub(crate) fn find(home: &Path, from: BackupSource) -> Result<Self, CommandError> {
        let nightly = || Ok::<_, CommandError>(settings::load(home)?.backup.nightly);
        match from {
            BackupSource::File(file) if file == Path::new("-") => Ok(Self::at(file.to_owned())),
            BackupSource::File(file) => Ok(Self::at(restore::newest_backup(file)?)),
            BackupSource::Folder => {
                let folder = nightly()?.ok_or_else(|| lacks("folder"))?.folder;
                Ok(Self::at(restore::newest_backup(Path::new(&folder))?))
            }
            BackupSource::Bucket => {
                let bucket = nightly()?.and_then(|nightly| nightly.bucket);
                let bucket = bucket.ok_or_else(|| lacks("bucket"))?;
                let beside = home.parent().filter(|it| *it != Path::new(""));
                let beside = beside.unwrap_or(Path::new("."));
                let (name, fetched) = BackupBucket::new(&bucket)?.fetch_newest(beside)?;
                let shown = format!("{}/{name}", bucket.url.trim_end_matches('/'));
                Ok(Self { path: fetched.to_path_buf(), shown, _fetched: Some(fetched) })
            }
        }
    }

    fn at(path: PathBuf) -> Self {
        Self { shown: path.display().to_string(), path, _fetched: None }
    }

    /// Returns its file, `-` for standard input.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn lacks(key: &str) -> CommandError {
    let why = format!("`[backup]` in postboard.toml has no `{key}`");
    CommandError::Usage(format!("cannot find a backup: {why}; or name a file"))
}
