//! When each job ran last, and how that ended: `runs/cron`. The notes need not outlive a power cut.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::{Fault, names, read_file};
use crate::base::time::Time;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// A job's last run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRun {
    /// The job: `cron`.
    pub job: String,
    /// When it ended.
    pub at: Time,
    /// How long it took, in milliseconds.
    pub took: u64,
    /// Why it did not end well, if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// So long is a note at least, so that most replace each other byte by byte.
const LENGTH: usize = 256;

/// Notes that a job ran.
///
/// It is written over the one before. A rename in its place would have ext4 write it to the disk at
/// once, and give back the room of the other, which costs each run as much as a mail.
pub(super) fn record_run(home: &Path, run: &JobRun) -> Result<(), Fault> {
    let folder = home.join("runs");
    let path = folder.join(&run.job);
    let mut text = serde_json::to_vec(run).expect("text and numbers are JSON");
    text.resize(text.len().max(LENGTH), b' ');
    let open = || File::options().write(true).create(true).truncate(false).open(&path);
    let opened = open().or_else(|_| fs::create_dir(&folder).and_then(|()| open()));
    opened.and_then(|file| file.write_all_at(&text, 0)).map_err(Fault::at("cannot write", path))
}

/// The last run of each job, by its name. A line that cannot be read is left out, and so is the end
/// of a longer note from before.
pub(super) fn all(home: &Path) -> Result<Vec<JobRun>, Fault> {
    let folder = home.join("runs");
    let mut runs: Vec<JobRun> = Vec::new();
    for name in names(&folder)? {
        let text = read_file(&folder.join(name))?.unwrap_or_default();
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

    #[test]
    fn a_note_takes_the_place_of_a_longer_one() {
        let dir = tempfile::tempdir().unwrap();
        let why = |length: usize| Some("x".repeat(length));
        for why in [None, why(2_000), why(1_000), None, why(10)] {
            let run = JobRun { job: "cron".to_owned(), at: Time::from_unix(7), took: 1, why };
            record_run(dir.path(), &run).unwrap();
            assert_eq!(all(dir.path()).unwrap(), [run]);
        }
    }
}
