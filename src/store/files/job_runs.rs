//! The last run of each job, a file each: `runs/cron`. A power cut may lose the latest.

use crate::store::paths::{names, read_or_empty};
use crate::store::{Fault, JobRun};
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// The least length of a file, padded with spaces, so that most runs overwrite all of the last one.
const LENGTH: usize = 256;

/// Records that a job ran, over its last run.
///
/// The file is overwritten in place. With a rename ext4 would write it to the disk at once and free
/// the blocks of the old file, which costs each run as much as a mail.
pub(super) fn record_run(home: &Path, run: &JobRun) -> Result<(), Fault> {
    let folder = home.join("runs");
    let path = folder.join(&run.job);
    let mut text = serde_json::to_vec(run).expect("text and numbers are JSON");
    text.resize(text.len().max(LENGTH), b' ');
    let open = || File::options().write(true).create(true).truncate(false).open(&path);
    let opened = open().or_else(|_| fs::create_dir(&folder).and_then(|()| open()));
    opened.and_then(|file| file.write_all_at(&text, 0)).map_err(Fault::at("cannot write", path))
}

/// Returns the last run of each job, by job name. Skips unreadable files, and ignores the rest of a
/// longer earlier run behind the JSON value.
pub(super) fn last_runs(home: &Path) -> Result<Vec<JobRun>, Fault> {
    let folder = home.join("runs");
    let mut runs: Vec<JobRun> = Vec::new();
    for name in names(&folder)? {
        let text = read_or_empty(&folder.join(name))?;
        let run = serde_json::Deserializer::from_slice(&text).into_iter().next();
        runs.extend(run.and_then(Result::ok));
    }
    runs.sort_by(|one, other| one.job.cmp(&other.job));
    runs.dedup_by(|one, other| one.job == other.job);
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::Time;

    #[test]
    fn a_note_takes_the_place_of_a_longer_one() {
        let dir = tempfile::tempdir().unwrap();
        let why = |length: usize| Some("x".repeat(length));
        for why in [None, why(2_000), why(1_000), None, why(10)] {
            let run = JobRun { job: "cron".to_owned(), at: Time::from_unix(7), took_ms: 1, why };
            record_run(dir.path(), &run).unwrap();
            assert_eq!(last_runs(dir.path()).unwrap(), [run]);
        }
    }
}
