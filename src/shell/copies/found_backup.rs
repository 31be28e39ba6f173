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

pub(crate) struct FoundBackup {
    path: PathBuf,
    /// How messages call it.
    pub(crate) shown: String,
    /// The bucket that it was fetched from, and the folder for what is fetched.
    bucket: Option<(BackupBucket, PathBuf)>,
    /// The copies that were fetched, which go with this value.
    fetched: Vec<TempPath>,
}

impl FoundBackup {
    /// Finds a backup; one in the bucket is fetched and lies beside the home meanwhile. Warns of those that lie ahead of
    /// the clock, which are never the newest.
    pub(crate) fn find(
        home: &Path,
        from: BackupSource,
        machine: &Machine,
    ) -> Result<Self, CommandError> {
        let today = (machine.clock)().day();
        let nightly = || Ok::<_, CommandError>(settings::load(home)?.backup.nightly);
        let newest_of = |folder: &Path| {
            let (newest, ahead) = restore::newest_backup(folder, today)?;
            warn_of(&ahead, &folder.display().to_string(), machine);
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
                let beside = home.parent().filter(|it| *it != Path::new(""));
                let beside = beside.unwrap_or(Path::new("."));
                let shown = bucket.url.trim_end_matches('/');
                let bucket = BackupBucket::new(&bucket)?;
                let (name, ahead) = bucket.newest(today)?;
                warn_of(&ahead, shown, machine);
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
                return Err(whole.is_missing(Path::new(&self.shown), "the bucket"));
            }
            let fetched = bucket.fetch(&name, beside)?;
            let path = fetched.to_path_buf();
            self.fetched.push(fetched);
            path
        } else {
            let folder = self.path.parent().filter(|it| *it != Path::new(""));
            let folder = folder.unwrap_or(Path::new("."));
            if !operator_files::names(folder)?.contains(&name) {
                return Err(whole.is_missing(&self.path, &folder.display().to_string()));
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

/// Warns of backups that are passed over.
fn warn_of(ahead: &[String], place: &str, machine: &Machine) {
    for name in ahead {
        let told =
            "lies ahead and is passed over: set the clock if it is wrong, or else remove that file";
        (machine.warn)(&format!("{place}/{name} {told}"));
    }
}

fn lacks(key: &str) -> CommandError {
    let why = format!("`[backup]` in postboard.toml has no `{key}`");
    CommandError::Usage(format!("cannot find a backup: {why}; or name a file"))
}
